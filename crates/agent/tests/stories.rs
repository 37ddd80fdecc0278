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
    }
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
