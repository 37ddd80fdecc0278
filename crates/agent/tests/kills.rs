//! Cut off after each event of a run and taken up again: the same files at the end.

use agent::role::Role;
use agent::script::{Script, Turn};
use agent::work::{WorkEnd, folder_of};
use engine::run::log::RunLog;
use engine::run::model::{CardStatus, RunEvent};
use serde_json::json;

use crate::world::{ALL, DEFECTIVE, GOOD, How, TWICE, World, begin, carry_on, done, edit, plan, read};

fn script() -> Script {
    let _ = Role::Executor;
    Script::new()
        .with("plan", [read("README.md"), plan(&["Repair add", "Explain twice"])])
        .with("c1/researcher", [read("calc.py"), done("calc.py:2 subtracts")])
        .with(
            "c1/executor",
            [
                Turn::Says("hm".to_owned()),
                edit(DEFECTIVE),
                edit(GOOD),
                Turn::call("TEST", json!({})),
                done("add adds now"),
            ],
        )
        .with("c1/reviewer", [Turn::call("META", json!({"risk": "low", "note": "fine"}))])
        .with("c2/researcher", [done("calc.py:5")])
        .with("c2/executor", [edit(TWICE), done("twice is explained")])
        .with("c2/reviewer", [read("calc.py"), Turn::call("META", json!({"risk": "low", "note": "fine"}))])
}

#[test]
fn a_kill_after_any_event_changes_nothing_about_the_end() {
    let how = |cut_after| How { roles: ALL, cut_after, ..How::default() };
    let (wanted, events) = {
        let world = World::new();
        let engine = world.engine();
        let worked = carry_on(&engine, begin(&engine, "Repair add"), &mut script(), &how(None));
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready);
        (world.photo(&folder_of(&engine, &worked.id).unwrap()), worked.events.len())
    };
    assert!(events > 50, "{events}");
    for cut in 0..events - 1 {
        let world = World::new();
        let engine = world.engine();
        let log = begin(&engine, "Repair add");
        let cut_off = carry_on(&engine, log, &mut script(), &how(Some(cut)));
        assert_eq!(cut_off.ended.as_ref().unwrap_err().code(), "cut_off", "{cut}");
        let log = RunLog::open(&engine, &cut_off.id).unwrap();
        let worked = carry_on(&engine, log, &mut script(), &how(None));
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "cut after {cut}");
        assert_eq!(world.photo(&folder_of(&engine, &worked.id).unwrap()), wanted, "cut after {cut}");
        assert_eq!(worked.patched(), 2, "cut after {cut}: each change is made and written down once");
        assert!(worked.run.cards.iter().all(|card| card.status == CardStatus::Preview), "cut after {cut}");
        let open = worked.run.cards.iter().map(|card| card.evidence.unfinished.len()).sum::<usize>();
        assert_eq!(open, 0, "cut after {cut}: every action has its end");
        let count = |is: fn(&RunEvent) -> bool| worked.count(is);
        assert_eq!(count(|event| matches!(event, RunEvent::Planned { .. })), 1, "cut after {cut}");
        assert_eq!(count(|event| matches!(event, RunEvent::AttemptBegan { .. })), 2, "cut after {cut}");
    }
}

#[test]
fn a_run_can_be_cut_off_again_and_again() {
    let world = World::new();
    let engine = world.engine();
    let mut log = Some(begin(&engine, "Repair add"));
    let id = log.as_ref().unwrap().id().to_owned();
    for round in 0..400 {
        let log = log.take().unwrap_or_else(|| RunLog::open(&engine, &id).unwrap());
        let how = How { roles: ALL, cut_after: Some(3 + round % 5), ..How::default() };
        let worked = carry_on(&engine, log, &mut script(), &how);
        if let Ok(ended) = worked.ended {
            assert_eq!((ended, worked.patched()), (WorkEnd::Ready, 2));
            assert!(round > 10);
            return;
        }
    }
    panic!("it never ended");
}

fn git(world: &World, words: &[&str]) -> String {
    let mut command = std::process::Command::new("git");
    command.args(["-c", "user.name=Mina", "-c", "user.email=mina@example.com"]).args(words);
    let done = command.current_dir(world.path("project")).output().unwrap();
    assert!(done.status.success(), "{words:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn cut_off_anywhere_each_card_is_one_commit_on_the_runs_branch() {
    let mut events = None;
    let mut cut = 0;
    while events.is_none_or(|events| cut < events) {
        let world = World::new();
        world.write("project/.gitignore", ".vibelign/\n");
        git(&world, &["init", "-q", "-b", "main"]);
        git(&world, &["add", "-A"]);
        git(&world, &["commit", "-qm", "first"]);
        world.write("project/README.md", "# Changed\n");
        let engine = world.engine();
        let branch = Some(agent::branch::may_start(&engine).unwrap());
        let settings = agent::work::RunSettings { branch, ..Default::default() };
        let log = agent::work::begin(&engine, &crate::world::new_run("Repair add"), &settings).unwrap();
        let how = |cut_after| How { cut_after, ..How::default() };
        // The first goes to its end, and says how many places there are.
        let begun = events.map(|_| cut);
        let mut worked = carry_on(&engine, log, &mut script(), &how(begun));
        if begun.is_some() {
            assert_eq!(worked.ended.as_ref().unwrap_err().code(), "cut_off", "{cut}");
            let log = RunLog::open(&engine, &worked.id).unwrap();
            worked = carry_on(&engine, log, &mut script(), &how(None));
        }
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "cut after {cut}");
        let log = git(&world, &["log", "--reverse", "--format=%s", "vib/run1"]);
        let wanted = "first\nwork in progress when the run began\nRepair add\nExplain twice\n";
        assert_eq!(log, wanted, "cut after {cut}");
        let committed = worked.count(|event| matches!(event, RunEvent::Committed { commit: Some(_), .. }));
        assert_eq!(committed, 2, "cut after {cut}");
        let lane = world.photo(&folder_of(&engine, &worked.id).unwrap());
        for (name, content) in lane.iter().filter(|(name, _)| !name.starts_with(".vibelign")) {
            let kept = git(&world, &["show", &format!("vib/run1:{name}")]);
            assert_eq!(kept.as_bytes(), content, "cut after {cut}: {name}");
        }
        match events {
            None => events = Some(worked.events.len() - 1),
            Some(_) => cut += 2,
        }
    }
}

/// Two attempts of the own loop: one changes the check so that it passes.
fn one_changes_the_check() -> Script {
    let off = "--- a/check.sh\n+++ b/check.sh\n@@ -1,3 +1,2 @@\n #!/bin/sh\n # what add has to do\n-grep -q 'return a + b' calc.py || { echo 'FAIL: add'; exit 1; }\n+exit 0\n";
    let said = "All checks pass.";
    Script::new()
        .with("c1/a1/executor", [edit(off), edit(TWICE), done(said), done(said), done(said)])
        .with("c1/a2/executor", [edit(GOOD), edit(TWICE), done(said)])
}

#[test]
fn who_changes_the_check_is_not_the_best() {
    let world = World::new();
    let engine = world.engine();
    let mut new = crate::world::new_run("Repair add");
    new.attempts = 2;
    let log = agent::work::begin(&engine, &new, &agent::work::RunSettings::default()).unwrap();
    let worked = best_of(&engine, log, &mut one_changes_the_check(), None);
    assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "{:?}", worked.events);
    let card = &worked.run.cards[0];
    assert_eq!(card.recommended.as_deref(), Some("a2"), "{card:?}");
    assert!(card.attempts[0].weakened.iter().any(|line| line.contains("check.sh")), "{card:?}");
    assert!(card.reasons.iter().any(|why| why.starts_with("a1") && why.contains("check.sh")), "{card:?}");
}

/// Two attempts of the own loop: one makes the test check less.
fn two() -> Script {
    let weaker = "--- a/test_calc.py\n+++ b/test_calc.py\n@@ -4,3 +4,2 @@\n def test_add():\n-    assert add(2, 3) == 5\n     assert add(0, 0) == 0\n";
    Script::new()
        .with("c1/a1/executor", [edit(GOOD), edit(weaker), done("All tests pass.")])
        .with("c1/a2/executor", [read("calc.py"), edit(GOOD), done("All tests pass.")])
}

fn best_of(
    engine: &engine::Engine,
    log: RunLog,
    script: &mut Script,
    cut_after: Option<usize>,
) -> crate::world::Worked {
    let mut journal = agent::journal::Journal::new(log);
    if let Some(events) = cut_after {
        journal = journal.cut_after(events);
    }
    let mut worker = agent::work::Worker {
        engine,
        asks: script,
        options: agent::conversation::Options::default(),
        roles: crate::world::ALONE,
        stop: &|| false,
        answer: None,
        person: None,
    };
    let starting = agent::best_of::Starting {
        vib: std::path::PathBuf::from("vib"),
        programs: Vec::new(),
        fence: drive::executor::FenceWish::Auto,
        budgets: Default::default(),
        at_once: None,
    };
    let ended = agent::best_of::carry_on(&mut worker, &starting, &mut journal);
    let events = journal.events().iter().map(|logged| logged.event.clone()).collect();
    crate::world::Worked { ended, run: journal.run(), events, id: journal.id().to_owned() }
}

#[test]
fn a_kill_between_attempts_changes_nothing_about_who_is_recommended() {
    let begin = |engine: &engine::Engine| {
        let new = agent::work::NewRun { attempts: 2, ..crate::world::new_run("Repair add") };
        agent::work::begin(engine, &new, &agent::work::RunSettings::default()).unwrap()
    };
    let whole = {
        let world = World::new();
        let engine = world.engine();
        best_of(&engine, begin(&engine), &mut two(), None)
    };
    assert_eq!(whole.ended.as_ref().unwrap(), &WorkEnd::Ready);
    assert_eq!(whole.run.cards[0].recommended.as_deref(), Some("a2"), "{:?}", whole.run.cards[0].reasons);
    for cut in 0..whole.events.len() - 1 {
        let world = World::new();
        let engine = world.engine();
        let cut_off = best_of(&engine, begin(&engine), &mut two(), Some(cut));
        assert_eq!(cut_off.ended.as_ref().unwrap_err().code(), "cut_off", "{cut}");
        let worked = best_of(&engine, RunLog::open(&engine, &cut_off.id).unwrap(), &mut two(), None);
        let card = &worked.run.cards[0];
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "cut after {cut}: {card:?}");
        assert_eq!(card.recommended.as_deref(), Some("a2"), "cut after {cut}: {:?}", card.reasons);
        assert_eq!((card.status, worked.patched()), (CardStatus::Review, 3), "cut after {cut}");
        let trees: Vec<_> = card.attempts.iter().map(|attempt| attempt.tree.clone()).collect();
        let wanted: Vec<_> = whole.run.cards[0].attempts.iter().map(|attempt| attempt.tree.clone()).collect();
        assert_eq!(trees, wanted, "cut after {cut}");
    }
}
