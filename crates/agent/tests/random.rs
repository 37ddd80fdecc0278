//! A thousand action objects that nobody would write: no panic, nothing outside, and nothing written that is not written down.

use agent::actions::Name;
use agent::script::{Script, Turn};
use engine::run::model::RunEvent;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::world::{DEFECTIVE, GOOD, How, TWICE, World, begin, carry_on, plan};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("calc.py".to_owned()),
        Just("../outside.txt".to_owned()),
        Just("/etc/hostname".to_owned()),
        Just("link/outside.txt".to_owned()),
        Just("link_to_file".to_owned()),
        Just(".git/config".to_owned()),
        Just(".vibelign/id".to_owned()),
        Just(".env".to_owned()),
        Just("src/../../outside.txt".to_owned()),
        Just(String::new()),
        Just(GOOD.to_owned()),
        Just(DEFECTIVE.to_owned()),
        Just(TWICE.to_owned()),
        Just("--- a/../outside.txt\n+++ b/../outside.txt\n@@ -1 +1 @@\n-untouched\n+touched\n".to_owned()),
        Just("--- /dev/null\n+++ b/link/new.txt\n@@ -0,0 +1 @@\n+new\n".to_owned()),
        Just("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n".to_owned()),
        Just("((((a*)*)*)*)*b{1000}{1000}".to_owned()),
        "\\PC{0,40}",
        "[a-z./*{}\\[\\]]{0,30}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0_i64..300).prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(field(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn field() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "path",
        "offset",
        "limit",
        "head",
        "tail",
        "q",
        "dir",
        "globs",
        "max",
        "context",
        "literal",
        "case",
        "diff",
        "keepRegions",
        "reason",
        "cmd",
        "seconds",
        "allow",
        "runner",
        "confirm",
        "commit",
        "revert",
        "branch",
        "message",
        "card",
        "risk",
        "note",
        "assumptions",
        "question",
        "options",
        "summary",
        "cards",
        "title",
        "steps",
    ];
    prop_oneof![8 => prop::sample::select(KNOWN).prop_map(str::to_owned), 1 => "[a-z]{0,8}"]
}

/// Objects that are nearly right, too: with the one field that the action needs.
fn input() -> impl Strategy<Value = Value> {
    let near = (prop::sample::select(vec!["path", "q", "diff", "cmd", "question", "dir"]), text())
        .prop_map(|(field, text)| json!({ field: text }));
    let both = (text(), text(), 0_u64..400)
        .prop_map(|(path, other, number)| json!({"path": path, "q": other, "offset": number}));
    let grep =
        (text(), text(), text()).prop_map(|(q, dir, glob)| json!({"q": q, "dir": dir, "globs": [glob]}));
    let keep = (text(), text())
        .prop_map(|(diff, reason)| json!({"diff": diff, "keepRegions": false, "reason": reason}));
    prop_oneof![2 => value(), 3 => near, 1 => both, 2 => grep, 1 => keep]
}

fn turn() -> impl Strategy<Value = Turn> {
    let names: Vec<String> = Name::ALL
        .iter()
        .filter(|name| !matches!(name, Name::Done | Name::Test | Name::Ask))
        .map(|name| name.word().to_owned())
        .collect();
    let name = prop_oneof![12 => prop::sample::select(names), 1 => "\\PC{0,12}"];
    let fits = prop_oneof![
        text().prop_map(|text| ("READ", json!({"path": text}))),
        (text(), text()).prop_map(|(text, dir)| ("GREP", json!({"q": text, "dir": dir}))),
        text().prop_map(|text| ("GREP", json!({"q": text}))),
        text().prop_map(|text| ("EDIT_DIFF", json!({"diff": text}))),
        text().prop_map(|text| ("BASH", json!({"cmd": text}))),
    ];
    prop_oneof![
        12 => fits.prop_map(|(name, input)| Turn::call(name, input)),
        12 => (name.clone(), input()).prop_map(|(name, input)| Turn::Calls(vec![(name, input)])),
        1 => prop::collection::vec((name, input()), 0..3).prop_map(Turn::Calls),
        1 => "\\PC{0,40}".prop_map(Turn::Says),
    ]
}

#[test]
fn a_thousand_random_actions_do_no_harm() {
    let world = World::new();
    world.write("outside.txt", "untouched\n");
    world.write("project/.env", "KEY=do-not-show\n");
    std::os::unix::fs::symlink(world.path(""), world.path("project/link")).unwrap();
    std::os::unix::fs::symlink(world.path("outside.txt"), world.path("project/link_to_file")).unwrap();
    let engine = world.engine();
    let around = |world: &World| {
        let mut all = world.photo(&world.path("project"));
        all.push(("outside".to_owned(), std::fs::read(world.path("outside.txt")).unwrap()));
        all.extend(
            std::fs::read_dir(world.path(""))
                .unwrap()
                .flatten()
                .map(|entry| (entry.file_name().to_string_lossy().into_owned(), Vec::new()))
                .filter(|(name, _)| !name.starts_with("state")),
        );
        all.sort();
        all
    };
    let before = around(&world);
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let (mut tried, mut carried_out, mut patched) = (0, 0, 0);
    while tried < 1_000 {
        // A person encourages it after every end that it comes to by itself.
        let mut script = Script::new().with("plan", [plan(&["Anything"])]);
        let turns: Vec<Turn> = (0..100).map(|_| turn().new_tree(&mut runner).unwrap().current()).collect();
        script = script.with("c1/executor", turns);
        let mut log = Some(begin(&engine, "Anything"));
        let id = log.as_ref().unwrap().id().to_owned();
        let mut lane_before: Option<Vec<(String, Vec<u8>)>> = None;
        let mut known = 0;
        loop {
            let log = log.take().unwrap_or_else(|| engine::run::log::RunLog::open(&engine, &id).unwrap());
            let how = How { bash: false, answer: Some("go on"), ..How::default() };
            let worked = carry_on(&engine, log, &mut script, &how);
            worked.ended.as_ref().unwrap();
            let now = world.photo(&agent::work::folder_of(&engine, &id).unwrap());
            let patches =
                worked.events.iter().filter(|event| matches!(event, RunEvent::Patched { .. })).count();
            if let Some(lane_before) = &lane_before
                && patches == known
            {
                assert_eq!(&now, lane_before, "nothing is written that is not written down");
            }
            (lane_before, known) = (Some(now), patches);
            let said = worked
                .count(|event| matches!(event, RunEvent::Rejected { .. } | RunEvent::ActionBegan { .. }));
            let is_over = script.asked.iter().filter(|(name, _)| name == "c1/executor").count() >= 100;
            if is_over {
                tried += said - 1;
                carried_out += worked.count(|event| matches!(event, RunEvent::ActionBegan { .. })) - 1;
                patched += patches;
                break;
            }
        }
        assert_eq!(around(&world), before, "nothing outside the lane is touched");
        let notes = std::fs::read_to_string(
            engine.project().state().join(format!("runs/{id}/notes/c1-a1-executor.jsonl")),
        )
        .unwrap();
        assert!(
            !notes.contains("do-not-show") && !notes.contains("untouched\\n\""),
            "what is outside or secret is not shown"
        );
        engine::lane::drop(&engine, &id, true, &store::Silent).unwrap();
    }
    // The test tries something only if some of it is carried out.
    assert!(carried_out > 200 && patched > 5, "{tried} tried, {carried_out} carried out, {patched} patched");
}
