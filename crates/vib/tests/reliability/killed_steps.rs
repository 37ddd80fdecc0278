//! Killed in the look after a step, in a change of vib's own, and while old states are thinned: the store is whole, nothing is lost (T5)
//!
//! Some kills in an ordinary run; `VIB_KILLS=all` makes them 500 together with those of the migration.

use serde_json::{Value, json};
use testkit::{Photo, Sandbox, tree};

use super::kill::{Killer, assert_whole};
use super::{kills, sandbox};

const DAY_MS: u64 = 24 * 3_600_000;
/// 2026-01-01 12:00 UTC.
const START_MS: u64 = 1_767_268_800_000;

fn payload(project: &Sandbox, event: &str, call: u64, command: &str) -> String {
    let mut payload = json!({
        "session_id": "s-1", "prompt_id": "p-1", "cwd": project.root(), "hook_event_name": event,
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("c-{call}"),
    });
    if event == "PostToolUse" {
        payload["tool_response"] = Value::Object(serde_json::Map::new());
    }
    payload.to_string()
}

/// A hook with its payload in a file, so that it can be killed like any command.
fn hook(project: &Sandbox, killer: Option<&mut Killer>, event: &str, call: u64, command: &str) {
    let text = payload(project, event, call, command);
    match killer {
        None => {
            Sandbox::run_with_input(&mut project.command(&["hook", "claude-code"]), &text).ok();
        }
        Some(killer) => {
            let file = project.base().join("payload.json");
            std::fs::write(&file, text).unwrap();
            killer.run_command(
                project.command(&["hook", "claude-code"]).stdin(std::fs::File::open(file).unwrap()),
            );
        }
    }
}

#[test]
fn killed_in_the_looks_around_a_step() {
    let project = sandbox().with_real_clock();
    tree::many(&project.root(), 200);
    let first = project.data(&["checkpoint", "--pin"])["checkpoint"]["id"].as_str().unwrap().to_owned();
    let good = Photo::of(&project.root());
    let mut killer = Killer::new(0x5eed_0011);
    let mut round = 0;
    while killer.wants_more(kills(20, 130)) {
        let command = format!("touch f{round}");
        let before = round % 2 == 0;
        hook(&project, before.then_some(&mut killer), "PreToolUse", round, &command);
        for number in 0..10 {
            project.write(&format!("pkg0/mod0/f{number}.rs"), format!("round {round} {number}"));
        }
        hook(&project, (!before).then_some(&mut killer), "PostToolUse", round, &command);
        assert_whole(&project, round);
        round += 1;
    }
    project.vib(&["undo", &first, "--yes"]).ok();
    Photo::of(&project.root()).assert_same(&good);
}

#[test]
fn killed_in_a_change_of_vibs_own() {
    let project = sandbox().with_real_clock();
    tree::many(&project.root(), 60);
    let one = project.checkpoint("one");
    let state_one = Photo::of(&project.root());
    project
        .shell("find . -name '*.rs' | head -40 | while read f; do echo changed > $f; done; rm -rf pkg0/mod1");
    let two = project.checkpoint("two");
    let state_two = Photo::of(&project.root());
    let mut killer = Killer::new(0x5eed_0012);
    let mut round = 0;
    while killer.wants_more(kills(15, 120)) {
        let target = if Photo::of(&project.root()) == state_one { &two } else { &one };
        killer.run(&project, &["undo", target, "--yes"]);
        project.vib(&["status"]).ok();
        let now = Photo::of(&project.root());
        assert!(now == state_one || now == state_two, "round {round}: a mixture of two states");
        assert_whole(&project, round);
        round += 1;
    }
}

#[test]
fn killed_while_old_states_are_thinned() {
    let project = sandbox();
    project.write("keep.txt", "there all the time\n");
    project.set_clock(START_MS);
    project.write("precious.txt", "the only copy\n");
    let holds =
        project.data(&["checkpoint", "--kind", "turn"])["checkpoint"]["id"].as_str().unwrap().to_owned();
    project.remove("precious.txt");
    let mut killer = Killer::new(0x5eed_0013);
    let mut round: u64 = 0;
    while killer.wants_more(kills(10, 100)) {
        let day = round * 2;
        for number in 0..6_u64 {
            project.set_clock(START_MS + day * DAY_MS + number * 7_200_000);
            let noise = format!("{round} {number} {}", killer.dice.roll(u64::MAX)).repeat(200);
            project.write("work.txt", noise);
            project.vib(&["checkpoint", "--kind", "turn"]).ok();
        }
        // Six states two hours apart, looked at forty days later: five of them go.
        project.set_clock(START_MS + (day + 40) * DAY_MS);
        killer.run(&project, &["store", "gc"]);
        assert_whole(&project, round);
        round += 1;
    }
    project.vib(&["store", "gc"]).ok();
    assert_whole(&project, round);
    assert_eq!(project.data(&["store", "stats"])["gone"]["files"], 0);
    project.vib(&["undo", &holds, "precious.txt", "--yes"]).ok();
    assert_eq!(project.read("precious.txt"), "the only copy\n");
}
