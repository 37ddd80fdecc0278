//! What a person would see of a run.

use agent::actions::tools;
use agent::role::Role;
use agent::script::{Script, Turn};
use agent::work::{WorkEnd, folder_of};
use engine::run::model::{CardRisk, CardStatus, RunEvent};
use serde_json::json;

use crate::world::{ALL, CALC, DEFECTIVE, GOOD, How, TWICE, World, begin, carry_on, done, edit, plan, read};

fn whole_story() -> Script {
    Script::new()
        .with("plan", [plan(&["Repair add", "Explain twice"])])
        .with(
            "c1/executor",
            [
                read("calc.py"),
                edit(DEFECTIVE),
                edit(GOOD),
                Turn::call("TEST", json!({})),
                done("add adds now"),
            ],
        )
        .with("c2/executor", [edit(TWICE), done("twice is explained")])
}

#[test]
fn a_task_becomes_cards_that_wait_for_a_yes_ag1() {
    let world = World::new();
    let engine = world.engine();
    let before = world.photo(&world.path("project"));
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut whole_story(), &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
    let titles: Vec<_> = worked.run.cards.iter().map(|card| (card.title.as_str(), card.status)).collect();
    assert_eq!(titles, [("Repair add", CardStatus::Preview), ("Explain twice", CardStatus::Preview)]);
    let lane = folder_of(&engine, &worked.id).unwrap();
    let text = std::fs::read_to_string(lane.join("calc.py")).unwrap();
    assert_eq!(text, CALC.replace("a - b", "a + b").replace("(a):\n", "(a):\n    # by itself\n"));
    assert_eq!(world.photo(&world.path("project")), before, "nothing of the project is touched");
    let refused = |event: &&RunEvent| matches!(event, RunEvent::ActionEnded { code: Some(code), .. } if code.starts_with("hunk_"));
    assert_eq!(worked.events.iter().filter(refused).count(), 1, "{:?}", worked.events);
    let patched = |event: &RunEvent| matches!(event, RunEvent::Patched { .. });
    assert_eq!(worked.events.iter().filter(|event| patched(event)).count(), 2);
    let first = &worked.run.cards[0];
    assert_eq!(first.attempts[0].files[0].path, "calc.py");
    assert_eq!(first.attempts[0].checks[0].status, "passed", "{:?}", first.attempts[0].checks);
    assert!(worked.run.spent.calls >= 8 && worked.run.ended.as_deref() == Some("done"));
}

#[test]
fn who_says_done_too_early_is_told_why_and_then_stopped() {
    let world = World::new();
    let engine = world.engine();
    let again = "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a * b\n+    return a + b\n";
    world.write("project/calc.py", &CALC.replace("a - b", "a + b"));
    let breaks = "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a + b\n+    return a * b\n";
    let mut stubborn = Script::new()
        .with("plan", [plan(&["Make add faster"])])
        .with("c1/executor", [edit(breaks), done("all tests pass"), done("really"), done("I mean it")]);
    let worked = carry_on(&engine, begin(&engine, "Make add faster"), &mut stubborn, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Blocked);
    let card = &worked.run.cards[0];
    assert_eq!((card.status, card.code.as_deref()), (CardStatus::Blocked, Some("gate")), "{card:?}");
    assert!(card.why.as_ref().unwrap().contains("check.sh"), "{card:?}");
    assert_eq!(worked.count(|event| matches!(event, RunEvent::Checked { .. })), 3);

    let mut repairs = Script::new()
        .with("plan", [plan(&["Make add faster"])])
        .with("c1/executor", [edit(breaks), done("all tests pass"), edit(again), edit(TWICE), done("now")]);
    let worked = carry_on(&engine, begin(&engine, "Make add faster"), &mut repairs, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
    assert_eq!(worked.run.cards[0].status, CardStatus::Preview);
}

#[test]
fn a_test_that_is_switched_off_is_no_way_to_be_done() {
    let world = World::new();
    let engine = world.engine();
    let off = "--- a/test_calc.py\n+++ b/test_calc.py\n@@ -2,4 +2,3 @@\n \n \n def test_add():\n-    assert add(2, 3) == 5\n-    assert add(0, 0) == 0\n+    assert True\n";
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with("c1/executor", [edit(GOOD), edit(off), done("done"), done("done!"), done("done!!")]);
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Blocked, "{:?}", worked.run.cards);
    let card = &worked.run.cards[0];
    assert!(card.why.as_ref().unwrap().contains("test-weakened"), "{card:?}");
    assert!(card.attempts[0].weakened.iter().any(|line| line.contains("test_calc.py")), "{card:?}");
    // Neither is it in a later card.
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add", "Clean up"])])
        .with("c1/executor", [edit(GOOD), done("done")])
        .with("c2/executor", [edit(off), done("done"), edit(TWICE), done("done!"), done("done!!")]);
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &How::default());
    let states: Vec<_> = worked.run.cards.iter().map(|card| (card.status, card.code.as_deref())).collect();
    assert_eq!(states, [(CardStatus::Preview, None), (CardStatus::Blocked, Some("gate"))]);
}

#[test]
fn a_reviewer_sees_the_change_and_never_how_it_came_about_ag3() {
    let world = World::new();
    let engine = world.engine();
    let secret = "SECRET-THOUGHT-OF-THE-EXECUTOR";
    let found = "MARK-OF-THE-RESEARCH";
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with(
            "c1/researcher",
            [
                Turn::call("GREP", json!({"q": "only-the-researcher-looks-for-this"})),
                Turn::call("EDIT_DIFF", json!({"diff": GOOD})),
                done(&format!("calc.py:2 subtracts. {found}")),
            ],
        )
        .with(
            "c1/executor",
            [
                Turn::Says(secret.to_owned()),
                Turn::call("GREP", json!({"q": secret})),
                edit(GOOD),
                done("add adds now"),
            ],
        )
        .with(
            "c1/reviewer",
            [
                Turn::call("EDIT_DIFF", json!({"diff": TWICE})),
                Turn::call("BASH", json!({"cmd": "ls"})),
                Turn::call(
                    "META",
                    json!({"risk": "medium", "note": "no test was added", "assumptions": ["numbers only"]}),
                ),
            ],
        );
    let how = How { roles: ALL, ..How::default() };
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &how);
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
    assert_eq!(worked.rejected(), ["not_your_tool", "no_action", "not_your_tool", "not_your_tool"]);
    let card = &worked.run.cards[0];
    assert_eq!((card.risk, card.note.as_deref()), (Some(CardRisk::Medium), Some("no test was added")));
    let bytes = |who: &str| -> String {
        let of = script.asked.iter().filter(|(name, _)| name == who);
        of.map(|(_, question)| serde_json::to_string(question).unwrap()).collect()
    };
    let (reviewer, executor) = (bytes("c1/reviewer"), bytes("c1/executor"));
    assert!(
        reviewer.contains("return a + b")
            && reviewer.contains("sh check.sh: passed")
            && reviewer.contains(found)
    );
    assert!(
        !reviewer.contains(secret) && !reviewer.contains("only-the-researcher-looks-for-this"),
        "{reviewer}"
    );
    assert!(executor.contains(found) && executor.contains(secret));
    assert!(!executor.contains("only-the-researcher-looks-for-this"), "only the summary comes along");
    assert_eq!(worked.patched(), 1);
}

#[test]
fn a_reviewer_that_gives_no_verdict_finds_it_unknown_never_low() {
    let world = World::new();
    let engine = world.engine();
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with("c1/executor", [edit(GOOD), done("add adds now")])
        .with("c1/reviewer", [Turn::Fails(providers::Stopped::NoProvider)]);
    let how = How { roles: agent::card::Roles { research: false, review: true }, ..How::default() };
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &how);
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
    assert_eq!(worked.run.cards[0].risk, Some(CardRisk::Unknown));
    assert_eq!(worked.run.cards[0].status, CardStatus::Preview);
}

#[test]
fn what_is_no_action_three_times_in_a_row_blocks_the_card() {
    let world = World::new();
    let engine = world.engine();
    let mut script = Script::new().with("plan", [plan(&["Repair add"])]).with(
        "c1/executor",
        [
            Turn::Says("I would now edit calc.py".to_owned()),
            Turn::call("WRITE", json!({"path": "calc.py"})),
            Turn::call("READ", json!({"path": "../outside"})),
        ],
    );
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Blocked);
    assert_eq!(worked.rejected(), ["no_action", "unknown_action", "path_outside_project"]);
    assert_eq!(worked.run.cards[0].code.as_deref(), Some("invalid_actions"));
    assert_eq!(worked.patched(), 0);
    // A person says something: it gets another try, and does better.
    let mut script = Script::new().with("plan", [plan(&["Repair add"])]).with(
        "c1/executor",
        [
            Turn::Says("I would now edit calc.py".to_owned()),
            Turn::call("WRITE", json!({"path": "calc.py"})),
            Turn::call("READ", json!({"path": "../outside"})),
            edit(GOOD),
            done("add adds now"),
        ],
    );
    let log = engine::run::log::RunLog::open(&engine, &worked.id).unwrap();
    let how = How { answer: Some("use the tools"), ..How::default() };
    let worked = carry_on(&engine, log, &mut script, &how);
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
    assert_eq!(worked.run.cards[0].status, CardStatus::Preview);
}

#[test]
fn the_same_with_the_same_result_three_times_is_a_spiral() {
    let world = World::new();
    let engine = world.engine();
    let same = [read("calc.py"), read("calc.py"), read("calc.py"), edit(GOOD), done("never")];
    let mut script = Script::new().with("plan", [plan(&["Repair add"])]).with("c1/executor", same);
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Blocked);
    assert_eq!((worked.run.cards[0].code.as_deref(), worked.patched()), (Some("spiral"), 0));
}

#[test]
fn a_question_waits_for_its_answer_and_is_not_asked_twice() {
    let world = World::new();
    let engine = world.engine();
    let question = "Should the sum of two numbers be rounded to cents?";
    let script = || {
        Script::new().with("plan", [plan(&["Repair add"])]).with(
            "c1/executor",
            [
                Turn::call("ASK", json!({"question": question, "options": ["yes", "no"]})),
                edit(GOOD),
                done("add adds now"),
            ],
        )
    };
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script(), &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Paused);
    let pause = worked.run.paused.clone().unwrap();
    assert_eq!((pause.code.as_str(), pause.why.as_str(), pause.options.len()), ("question", question, 2));
    let open = |id: &str| engine::run::log::RunLog::open(&engine, id).unwrap();
    let nothing = carry_on(&engine, open(&worked.id), &mut script(), &How::default());
    assert_eq!(nothing.ended.as_ref().unwrap_err().code(), "not_waiting");
    let mut answered = script();
    let how = How { answer: Some("no"), ..How::default() };
    let worked = carry_on(&engine, open(&worked.id), &mut answered, &how);
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
    let said = serde_json::to_string(&answered.asked.last().unwrap().1).unwrap();
    assert!(said.contains("The person answers: no"), "{said}");
    if person::require(engine.context(), "try it", &person::nobody).is_ok() {
        let worked =
            carry_on(&engine, begin(&engine, "Repair add once more"), &mut script(), &How::default());
        assert_ne!(worked.run.paused.map(|pause| pause.code).as_deref(), Some("question"), "memory answers");
        // Also what was none of the options, because the person said it in words of their own.
        let other = "Which separator of thousands should the totals show?";
        let script = || {
            Script::new().with("plan", [plan(&["Repair add"])]).with(
                "c1/executor",
                [
                    Turn::call("ASK", json!({"question": other, "options": ["comma", "point"]})),
                    edit(GOOD),
                    done("add adds now"),
                ],
            )
        };
        let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script(), &How::default());
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Paused);
        let how = How { answer: Some("neither, a thin space"), ..How::default() };
        let worked = carry_on(&engine, open(&worked.id), &mut script(), &how);
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
        let mut later = script();
        let worked = carry_on(&engine, begin(&engine, "Repair add again"), &mut later, &How::default());
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "{:?}", worked.run.paused);
        assert!(format!("{:?}", later.asked).contains("a thin space"));
    }
}

#[test]
fn done_without_a_change_is_for_a_person_to_believe() {
    let world = World::new();
    let engine = world.engine();
    // The check passes as it is: nothing but the missing change speaks against it.
    world.write("project/calc.py", &CALC.replace("a - b", "a + b"));
    let script = || {
        Script::new().with("plan", [plan(&["Explain twice"])]).with(
            "c1/executor",
            [
                done("It is explained."),
                done("Really."),
                done("There is nothing to do."),
                edit(TWICE),
                done("now"),
            ],
        )
    };
    let refusals = |worked: &crate::world::Worked| {
        worked.count(
            |event| matches!(event, RunEvent::ActionEnded { code: Some(code), .. } if code == "no_change"),
        )
    };
    let open = |id: &str| engine::run::log::RunLog::open(&engine, id).unwrap();
    let begun = || carry_on(&engine, begin(&engine, "Explain twice"), &mut script(), &How::default());
    let worked = begun();
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Paused, "{:?}", worked.events);
    let pause = worked.run.paused.clone().unwrap();
    assert_eq!(
        (pause.code.as_str(), pause.options.len(), refusals(&worked)),
        ("no_change", 2, 2),
        "{pause:?}"
    );
    assert!(pause.why.contains("There is nothing to do."), "{pause:?}");
    let nothing = carry_on(&engine, open(&worked.id), &mut script(), &How::default());
    assert_eq!(nothing.ended.as_ref().unwrap_err().code(), "not_waiting", "it waits for an answer");
    // A no goes to the model, which goes on.
    let mut answered = script();
    let how = How { answer: Some("no, write it above the function"), ..How::default() };
    let worked = carry_on(&engine, open(&worked.id), &mut answered, &how);
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "{:?}", worked.events);
    assert_eq!((worked.run.cards[0].status, worked.patched()), (CardStatus::Preview, 1));
    let said = serde_json::to_string(&answered.asked.last().unwrap().1).unwrap();
    assert!(said.contains("write it above the function"), "{said}");
    // A yes is a person's word that nothing was needed.
    if person::require(engine.context(), "try it", &person::nobody).is_ok() {
        let worked = begun();
        let how = How { answer: Some("yes"), ..How::default() };
        let worked = carry_on(&engine, open(&worked.id), &mut script(), &how);
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
        let card = &worked.run.cards[0];
        assert_eq!(
            (card.status, card.code.as_deref()),
            (CardStatus::Done, Some("nothing_needed")),
            "{card:?}"
        );
        assert_eq!(card.why.as_deref(), Some("There is nothing to do."));
    }
}

#[test]
fn a_check_that_was_changed_to_pass_is_no_way_to_be_done() {
    let world = World::new();
    let engine = world.engine();
    let off = "--- a/check.sh\n+++ b/check.sh\n@@ -1,3 +1,2 @@\n #!/bin/sh\n # what add has to do\n-grep -q 'return a + b' calc.py || { echo 'FAIL: add'; exit 1; }\n+exit 0\n";
    let more = "--- a/check.sh\n+++ b/check.sh\n@@ -3,1 +3,2 @@\n grep -q 'return a + b' calc.py || { echo 'FAIL: add'; exit 1; }\n+grep -q 'def twice' calc.py || { echo 'FAIL: twice'; exit 1; }\n";
    let script = || {
        Script::new().with("plan", [plan(&["Repair add"])]).with(
            "c1/executor",
            [edit(off), edit(TWICE), done("All passes."), done("Really."), done("It does.")],
        )
    };
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script(), &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Paused, "{:?}", worked.run.cards);
    let pause = worked.run.paused.clone().unwrap();
    assert_eq!(pause.code, "check_changed", "{pause:?}");
    assert!(pause.why.contains("check.sh"), "{pause:?}");
    let weakened = &worked.run.cards[0].attempts[0].weakened;
    assert!(weakened.iter().any(|line| line.starts_with("check-changed check.sh")), "{weakened:?}");
    // A person may find that the check was wrong; what was found stays in the evidence.
    if person::require(engine.context(), "try it", &person::nobody).is_ok() {
        let log = engine::run::log::RunLog::open(&engine, &worked.id).unwrap();
        let how = How { answer: Some("yes"), ..How::default() };
        let worked = carry_on(&engine, log, &mut script(), &how);
        assert_eq!(worked.run.cards[0].status, CardStatus::Preview, "{:?}", worked.ended);
        assert!(!worked.run.cards[0].attempts[0].weakened.is_empty());
    }
    // A check that checks more, and work that also passes the old one, is fine.
    let mut honest = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with("c1/executor", [edit(GOOD), edit(more), done("add adds now")]);
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut honest, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "{:?}", worked.events);
    assert!(worked.run.cards[0].attempts[0].weakened.is_empty(), "{:?}", worked.run.cards[0].attempts);
}

#[test]
fn a_test_that_nobody_names_and_that_was_bent_is_no_way_to_be_done() {
    let world = World::new();
    world.write("project/calc.py", &CALC.replace("a - b", "a + b"));
    world.write("project/check.sh", "#!/bin/sh\nfor test in test_*.sh; do sh $test || exit 1; done\n");
    world.write("project/test_add.sh", "grep -q 'return a + b' calc.py || { echo 'FAIL: add'; exit 1; }\n");
    let engine = world.engine();
    let wrong = "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a + b\n+    return b - a\n";
    let bent = "--- a/test_add.sh\n+++ b/test_add.sh\n@@ -1,1 +1,1 @@\n-grep -q 'return a + b' calc.py || { echo 'FAIL: add'; exit 1; }\n+grep -q 'return b - a' calc.py || { echo 'FAIL: add'; exit 1; }\n";
    let mut cheat = Script::new().with("plan", [plan(&["Turn add round"])]).with(
        "c1/executor",
        [edit(wrong), edit(bent), done("All passes."), done("Really."), done("It does.")],
    );
    let worked = carry_on(&engine, begin(&engine, "Turn add round"), &mut cheat, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Paused, "{:?}", worked.run.cards);
    assert_eq!(worked.run.paused.clone().unwrap().code, "check_changed");
    let weakened = &worked.run.cards[0].attempts[0].weakened;
    assert!(weakened.iter().any(|line| line.starts_with("check-changed test_add.sh")), "{weakened:?}");
    // New tests beside those that were there, and a test that says the same in other words, are nobody's question.
    let new = "--- /dev/null\n+++ b/test_twice.sh\n@@ -0,0 +1,1 @@\n+grep -q 'def twice' calc.py\n";
    let said = "--- a/test_add.sh\n+++ b/test_add.sh\n@@ -1,1 +1,2 @@\n+# adds\n grep -q 'return a + b' calc.py || { echo 'FAIL: add'; exit 1; }\n";
    let mut honest = Script::new()
        .with("plan", [plan(&["Test twice"])])
        .with("c1/executor", [edit(new), edit(said), done("twice is tested")]);
    let worked = carry_on(&engine, begin(&engine, "Test twice"), &mut honest, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "{:?}", worked.events);
    assert!(worked.run.cards[0].attempts[0].weakened.is_empty(), "{:?}", worked.run.cards[0].attempts);
}

#[test]
fn a_yes_to_nothing_is_no_yes_to_what_comes_next() {
    let world = World::new();
    world.write("project/kept.py", "# VIBE-KEEP START price\nPRICE = 10\n# VIBE-KEEP END price\n");
    let engine = world.engine();
    let diff = "--- a/kept.py\n+++ b/kept.py\n@@ -1,3 +1,3 @@\n # VIBE-KEEP START price\n-PRICE = 10\n+PRICE = 12\n # VIBE-KEEP END price\n";
    let wish = json!({"diff": diff, "keepRegions": false, "reason": "the price changed"});
    let script = || {
        Script::new()
            .with("plan", [plan(&["Change the price"])])
            .with("c1/executor", [read("kept.py"), Turn::call("EDIT_DIFF", wish.clone()), done("done")])
    };
    // Cut off before it asked anything; whoever goes on types a yes.
    let log = begin(&engine, "Change the price");
    let how = How { cut_after: Some(6), ..How::default() };
    let cut = carry_on(&engine, log, &mut script(), &how);
    assert_eq!(cut.ended.as_ref().unwrap_err().code(), "cut_off");
    assert!(cut.run.paused.is_none());
    let log = engine::run::log::RunLog::open(&engine, &cut.id).unwrap();
    let how = How { answer: Some("yes"), ..How::default() };
    let worked = carry_on(&engine, log, &mut script(), &how);
    assert_eq!(
        (worked.ended.as_ref().unwrap(), worked.patched()),
        (&WorkEnd::Paused, 0),
        "{:?}",
        worked.events
    );
    assert_eq!(worked.run.paused.map(|pause| pause.code).as_deref(), Some("keep_region"));
}

#[test]
fn a_budget_that_cannot_be_kept_pauses_and_says_what_to_do() {
    let world = World::new();
    let engine = world.engine();
    let over = providers::OverBudget::unpriced("run", 2.0, 0.0);
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with("c1/executor", [Turn::Fails(providers::Stopped::OverBudget(over))]);
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Paused);
    let pause = worked.run.paused.clone().unwrap();
    assert_eq!(
        (pause.code.as_str(), pause.options.as_slice()),
        ("price_unknown", &["anyway".to_owned()][..])
    );
    assert!(pause.why.contains("$2.00") && pause.why.contains("price_in"), "{pause:?}");
    // The price may be known by now: without a word it is looked again.
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with("c1/executor", [edit(GOOD), done("add adds now")]);
    let log = engine::run::log::RunLog::open(&engine, &worked.id).unwrap();
    let worked = carry_on(&engine, log, &mut script, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "{:?}", worked.run.paused);
}

#[test]
fn calls_that_broke_off_are_in_the_sums() {
    let world = World::new();
    let engine = world.engine();
    let mut script = Script::new()
        .with("plan", [plan(&["Repair add"])])
        .with("c1/executor", [Turn::Charged(Box::new(edit(GOOD))), done("add adds now")]);
    let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script, &How::default());
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
    // Three answers of 120 tokens each, and one of as much that broke off.
    let spent = worked.run.spent;
    assert_eq!((spent.calls, spent.tokens.prompt() + spent.tokens.output), (4, 480), "{spent:?}");
    let own = worked.run.cards[0].attempts[0].tokens.unwrap();
    assert_eq!(own.prompt() + own.output, 360, "also in its attempt's");
}

#[test]
fn tools_say_what_is_checked() {
    // Whatever a schema requires is required, and nothing else is: the two are written down twice.
    for role in [Role::Planner, Role::Researcher, Role::Executor, Role::Reviewer] {
        for tool in tools::of(role, true, true) {
            let required = tool.schema["required"].as_array().unwrap();
            let error = agent::actions::parse::action(&tool.name, &json!({}), role).err();
            match (required.is_empty(), tool.name.as_str()) {
                (true, "GIT") => assert_eq!(error.unwrap().code, "out_of_range"),
                (true, _) => assert!(error.is_none(), "{}", tool.name),
                (false, _) => assert_eq!(error.unwrap().code, "missing_field", "{}", tool.name),
            }
            assert_eq!(tool.schema["additionalProperties"], false);
            let unknown =
                agent::actions::parse::action(&tool.name, &json!({"surprise": 1}), role).unwrap_err();
            assert_eq!(unknown.code, "unknown_field", "{}", tool.name);
        }
    }
}
