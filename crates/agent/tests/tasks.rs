//! Forty tasks, each told well and in four wrong ways: what is malformed is named and never executed.

use agent::script::{Script, Turn};
use agent::work::{WorkEnd, folder_of};
use engine::run::model::{CardStatus, RunEvent};
use serde_json::json;

use crate::world::{How, World, begin, carry_on, done, edit, plan, read};

/// A file, its text, and the line that is to become another one.
fn tasks() -> Vec<(String, String, usize)> {
    (0..40)
        .map(|at| {
            let lines: Vec<String> =
                (1..=6 + at % 5).map(|line| format!("value_{at}_{line} = {line}")).collect();
            (format!("part_{at}.py"), lines.join("\n") + "\n", at % 5 + 1)
        })
        .collect()
}

fn change(name: &str, text: &str, line: usize) -> (String, String) {
    let lines: Vec<&str> = text.lines().collect();
    let old = lines[line - 1];
    let new = format!("{old}0");
    let (from, to) = (line.saturating_sub(3).max(1), (line + 2).min(lines.len()));
    let mut diff =
        format!("--- a/{name}\n+++ b/{name}\n@@ -{from},{} +{from},{} @@\n", to + 1 - from, to + 1 - from);
    for number in from..=to {
        let this = lines[number - 1];
        match number == line {
            true => diff.push_str(&format!("-{this}\n+{new}\n")),
            false => diff.push_str(&format!(" {this}\n")),
        }
    }
    (diff, text.replace(&format!("{old}\n"), &format!("{new}\n")))
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    WellFormed,
    Malformed,
    WrongTool,
    Truncated,
    Repeated,
}

/// What is wrong in the malformed way, by the number of the task: the call, and the code by which it is named.
fn malformed(at: usize, diff: &str) -> (Turn, &'static str) {
    match at % 10 {
        0 => (Turn::call("EDIT_DIFF", json!({"diff": diff, "path": "x"})), "unknown_field"),
        1 => (Turn::call("EDIT_DIFF", json!({"patch": diff})), "unknown_field"),
        2 => (Turn::call("EDIT_DIFF", json!({"diff": 7})), "wrong_type"),
        3 => (Turn::call("EDIT_DIFF", json!({"diff": "  \n"})), "empty_diff"),
        4 => (Turn::call("EDIT_DIFF", json!({})), "missing_field"),
        5 => (Turn::call("READ", json!({"path": "/etc/passwd"})), "path_outside_project"),
        6 => (Turn::call("READ", json!({"path": "a.py", "limit": 0})), "out_of_range"),
        7 => (Turn::call("EDIT_DIFF", json!("a text")), "wrong_type"),
        8 => (
            Turn::Calls(vec![
                ("EDIT_DIFF".to_owned(), json!({"diff": diff})),
                ("DONE".to_owned(), json!({"summary": "x"})),
            ]),
            "several_actions",
        ),
        _ => (Turn::call("EDIT_DIFF", json!({"diff": diff, "keepRegions": false})), "missing_field"),
    }
}

fn wrong_tool(at: usize, diff: &str) -> (Turn, &'static str) {
    match at % 4 {
        0 => (Turn::call("WRITE", json!({"path": "a", "content": "b"})), "unknown_action"),
        1 => (Turn::call("META", json!({"risk": "low", "note": "mine"})), "not_your_tool"),
        2 => (Turn::call("PLAN", json!({"cards": [{"title": "x"}]})), "not_your_tool"),
        _ => (Turn::call("edit_diff", json!({"diff": diff})), "unknown_action"),
    }
}

/// A change of another file, so that a card has one.
fn note(card: i32) -> Turn {
    edit(&format!("--- /dev/null\n+++ b/note_{card}.txt\n@@ -0,0 +1,1 @@\n+Looked at.\n"))
}

#[test]
fn forty_tasks_in_five_ways_each() {
    let world = World::new();
    for (name, text, _) in tasks() {
        world.write(&format!("project/{name}"), &text);
    }
    let engine = world.engine();
    // None of them is checked: what is tried here is what is done and what is not.
    std::fs::write(engine.project().state().join("checks.json"), r#"{"schema_version":1,"allowed":[]}"#)
        .unwrap();
    for (at, (name, text, line)) in tasks().into_iter().enumerate() {
        let (diff, wanted) = change(&name, &text, line);
        // All of a task's ways are cards of one run: a lane is made once.
        let ways = [Way::Malformed, Way::WrongTool, Way::Truncated, Way::Repeated, Way::WellFormed];
        let mut script = Script::new().with("plan", [plan(&["a", "b", "c", "d", "e"])]);
        let mut codes: Vec<&str> = Vec::new();
        for (card, way) in (1..).zip(ways) {
            let talk = format!("c{card}/executor");
            let first = match way {
                Way::Malformed => {
                    let (turn, code) = malformed(at, &diff);
                    codes.push(code);
                    vec![turn, note(card), done("noted")]
                }
                Way::WrongTool => {
                    let (turn, code) = wrong_tool(at, &diff);
                    codes.push(code);
                    vec![turn, note(card), done("noted")]
                }
                Way::Truncated => {
                    codes.push("truncated");
                    vec![Turn::CutOff(diff[..diff.len() / 2].to_owned()), note(card), done("noted")]
                }
                Way::Repeated => vec![read(&name), read(&name), read(&name)],
                Way::WellFormed => vec![edit(&diff), done("done")],
            };
            script = script.with(&talk, first);
        }
        let log = begin(&engine, &format!("Change {name}"));
        let worked = carry_on(&engine, log, &mut script, &How::default());
        // The repeated card stops the run; a person lets the others go on.
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Blocked, "{name}");
        assert_eq!(worked.rejected(), codes, "{name}");
        let lane = folder_of(&engine, &worked.id).unwrap();
        let now = || std::fs::read_to_string(lane.join(&name)).unwrap();
        let of_it = |event: &&RunEvent| matches!(event, RunEvent::Patched { files, .. } if files.iter().any(|file| file.path == name));
        assert_eq!((now(), worked.events.iter().filter(of_it).count()), (text, 0), "{name}");
        let card = &worked.run.cards[3];
        assert_eq!((card.status, card.code.as_deref()), (CardStatus::Blocked, Some("spiral")), "{name}");
        let mut script = script.with("c4/executor", [note(4), done("noted")]);
        let log = engine::run::log::RunLog::open(&engine, &worked.id).unwrap();
        let how = How { answer: Some("it is fine as it is"), ..How::default() };
        let worked = carry_on(&engine, log, &mut script, &how);
        assert_eq!(worked.ended.as_ref().unwrap(), &WorkEnd::Ready, "{name}");
        assert_eq!((now(), worked.events.iter().filter(of_it).count()), (wanted, 1), "{name}");
        engine::lane::drop(&engine, &worked.id, true, &store::Silent).unwrap();
    }
}
