//! What a person types while an agent's call is under way, and what its commands do to short lines: each a small story of its own, with every client.

use serde_json::{Value, json};
use vib_hooks::Client;

use super::truth::{Doc, Docs, Truth, World};

const CLIENTS: [Client; 4] = [Client::ClaudeCode, Client::Codex, Client::Gemini, Client::Copilot];

fn line(number: usize) -> String {
    format!("line number {number} of the original file;")
}

fn base() -> Doc {
    (1..=8).map(|number| (line(number), Truth::Before)).collect()
}

/// The payload of an edit as its client sends it.
fn edit(
    world: &World,
    client: Client,
    old: &[String],
    new: &[String],
) -> (Value, &'static str, &'static str) {
    let file = world.root.join("a.js");
    let (old_text, new_text) = (old.join("\n"), new.join("\n"));
    let input = match client {
        Client::Codex => {
            let lines = |mark: &str, lines: &[String]| -> String {
                lines.iter().map(|line| format!("{mark}{line}\n")).collect()
            };
            let patch = format!(
                "*** Begin Patch\n*** Update File: a.js\n@@\n{}{}*** End Patch",
                lines("-", old),
                lines("+", new)
            );
            json!({"tool_name": "apply_patch", "tool_input": {"command": patch}})
        }
        Client::Gemini => json!({"tool_name": "replace", "tool_input":
            {"file_path": file, "old_string": old_text, "new_string": new_text}}),
        Client::Copilot => {
            json!({"toolName": "edit", "toolArgs": {"path": file, "old_str": old_text, "new_str": new_text}})
        }
        _ => {
            json!({"tool_name": "Edit", "tool_input": {"file_path": file, "old_string": old_text, "new_string": new_text}})
        }
    };
    match client {
        Client::Gemini => (input, "BeforeTool", "AfterTool"),
        Client::Copilot => (input, "preToolUse", "postToolUse"),
        _ => (input, "PreToolUse", "PostToolUse"),
    }
}

fn begin(world: &mut World, client: Client) -> Value {
    let root = world.root.clone();
    let (start, prompt) = match client {
        Client::Gemini => ("SessionStart", "BeforeAgent"),
        Client::Copilot => ("sessionStart", "userPromptSubmitted"),
        _ => ("SessionStart", "UserPromptSubmit"),
    };
    let who = match client {
        Client::Copilot => json!({"sessionId": "x", "cwd": root, "timestamp": 1}),
        _ => json!({"session_id": "x", "cwd": root}),
    };
    world.raw(client, start, &with(&who, &json!({"source": "startup"})));
    world.raw(client, prompt, &with(&who, &json!({"prompt": "go"})));
    who
}

fn with(one: &Value, more: &Value) -> Value {
    let mut out = one.clone();
    out.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    out
}

/// Before the edit is made, a person types one line below this one; `then` is what the edit makes of the file with it.
#[test]
fn what_is_typed_beside_or_within_a_pending_edit_is_the_persons_b2_b3() {
    let l = |numbers: &[usize]| -> Vec<String> { numbers.iter().map(|number| line(*number)).collect() };
    let agents = |texts: &[&str]| -> Vec<String> { texts.iter().map(|text| (*text).to_owned()).collect() };
    // Old text, new text, and below which line of before the person types.
    let stories: [(Vec<String>, Vec<String>, usize); 9] = [
        (l(&[4, 5]), l(&[4]), 5),
        (l(&[4, 5]), l(&[4]), 3),
        (l(&[4, 5]), l(&[5]), 5),
        (l(&[7, 8]), l(&[7]), 8),
        (l(&[4, 5, 6]), l(&[6, 4, 5]), 6),
        (l(&[4, 5, 6]), l(&[5, 6, 4]), 3),
        (l(&[4, 5]), agents(&["agent merged four and five"]), 5),
        (l(&[4, 5, 6]), l(&[6]), 6),
        (l(&[4]), agents(&["agent four", "agent more"]), 4),
    ];
    for client in CLIENTS {
        for (old, new, below) in &stories {
            let mut world = World::new(Docs::from([("a.js".to_owned(), base())]));
            let who = begin(&mut world, client);
            let (input, before, after) = edit(&world, client, old, new);
            let id = if client == Client::Copilot { "toolCallId" } else { "tool_use_id" };
            let call = with(&with(&who, &input), &json!({id: "call-1"}));
            world.raw(client, before, &call);
            let mine = ("my own line typed here".to_owned(), Truth::Person);
            world.person(|docs| docs.get_mut("a.js").unwrap().insert(*below, mine.clone()));
            // The client edits what is there now.
            let was = world.docs.clone();
            let there = world.docs.get_mut("a.js").unwrap();
            let at = there.iter().position(|(text, _)| *text == old[0]).unwrap();
            there.drain(at..at + old.len());
            let known = |text: &String| old.contains(text);
            let truth =
                |text: &String| if known(text) { Truth::Before } else { Truth::Call("call-1".to_owned()) };
            there.splice(at..at, new.iter().map(|text| (text.clone(), truth(text))));
            world.put(&was);
            let ended = json!({"tool_response": {"success": true}, "toolResult": {"resultType": "success"}});
            world.raw(client, after, &with(&call, &ended));
            let told = world.steps();
            let mut steps = told.clone();
            if let Some(step) = told.values().next() {
                steps.insert("call-1".to_owned(), *step);
            }
            let score = world.score(&steps);
            assert!(score.stolen.is_empty(), "{client:?} {old:?} {new:?} {below}: {score:?}");
            let is_typed = |line: &String| line.contains("my own line");
            assert!(!score.wrong.iter().any(is_typed), "{client:?} {old:?} {new:?} {below}: {score:?}");
        }
    }
}

/// The same lines in another order, however short they are.
#[test]
fn short_lines_that_a_command_moves_stay_the_persons_b1() {
    let ways = [
        "LC_ALL=C sort -o f.txt f.txt",
        "LC_ALL=C sort -u f.txt -o f.txt",
        "LC_ALL=C sort f.txt > t && mv t f.txt",
        "tac f.txt > t; mv t f.txt",
        "sed -i '2{h;d};$G' f.txt",
        "python3 -c \"l=sorted(open('f.txt'));open('f.txt','w').writelines(l)\"",
        "shuf --random-source=f.txt f.txt > t && cat t > f.txt && rm t",
    ];
    for way in ways {
        let old = ["zebra line of the beginning", "middle line of the beginning", "q = 3"];
        let doc = old.iter().map(|line| ((*line).to_owned(), Truth::Before)).collect();
        let mut world = World::new(Docs::from([("f.txt".to_owned(), doc)]));
        world.person(|docs| {
            for (at, text) in [(1, "x = 1"), (2, "}"), (0, "b = 2")] {
                docs.get_mut("f.txt").unwrap().insert(at, (text.to_owned(), Truth::Person));
            }
        });
        let before = world.docs["f.txt"].clone();
        // The shell says what comes out; whose each line is was known before.
        let out = {
            let copy = tempfile::tempdir().unwrap();
            let text: String = before.iter().map(|(line, _)| format!("{line}\n")).collect();
            std::fs::write(copy.path().join("f.txt"), text).unwrap();
            let ran = std::process::Command::new("bash").args(["-c", way]).current_dir(copy.path()).status();
            assert!(ran.unwrap().success(), "{way}");
            std::fs::read_to_string(copy.path().join("f.txt")).unwrap()
        };
        let truth = |text: &str| before.iter().find(|(line, _)| line == text).unwrap().1.clone();
        let after: Doc = out.lines().map(|text| (text.to_owned(), truth(text))).collect();
        world.shell("s", way, true, |docs, _| drop(docs.insert("f.txt".to_owned(), after)));
        let score = world.score(&world.steps());
        assert!(score.stolen.is_empty() && score.wrong.is_empty(), "{way}: {score:?}");
    }
}

/// A formatter puts a person's line into an agent's, or breaks it: it is not the agent's alone.
#[test]
fn a_line_that_a_formatter_joins_is_not_the_agents_alone_b4() {
    for (command, joined) in [
        ("npx prettier --write a.js", "callTheFunction(personsArgument);"),
        ("npx prettier --write a.js", "callTheFunction(personsArgument, null);"),
        ("node tools/tidy.js", "callTheFunction(personsArgument);"),
        ("node tools/tidy.js", "callTheFunction([personsArgument]);"),
    ] {
        let mut world = World::new(Docs::from([("a.js".to_owned(), base())]));
        world.edit("s", "a.js", |doc, by| {
            doc.push(("callTheFunction(".to_owned(), by.clone()));
            doc.push((");".to_owned(), by.clone()));
        });
        world.person(|docs| {
            let doc = docs.get_mut("a.js").unwrap();
            doc.insert(doc.len() - 1, ("  personsArgument,".to_owned(), Truth::Person));
        });
        world.shell("s", command, false, |docs, _| {
            let doc = docs.get_mut("a.js").unwrap();
            doc.truncate(8);
            doc.push((joined.to_owned(), Truth::Changed));
        });
        let score = world.score(&world.steps());
        assert!(score.stolen.is_empty() && score.wrong.is_empty(), "{command} {joined}: {score:?}");
    }
}

/// Short lines that an edit tool only swaps keep their writers.
#[test]
fn short_lines_that_an_edit_swaps_keep_their_writers_m1() {
    let mut world = World::new(Docs::from([("a.py".to_owned(), base())]));
    let short = |texts: [&str; 2]| texts.map(|text| (text.to_owned(), Truth::Person));
    world.person(|docs| docs.get_mut("a.py").unwrap().extend(short(["x = 1", "y = 2"])));
    world.edit("s", "a.py", |doc, _| doc.swap(8, 9));
    let score = world.score(&world.steps());
    assert!(score.stolen.is_empty() && score.wrong.is_empty(), "{score:?}");
}

/// A person gives a file another name and changes it; the first that vib sees of it is an agent's edit. (M2)
#[test]
fn a_file_that_a_person_renamed_and_changed_keeps_its_writers_m2() {
    let mut world = World::new(Docs::from([("a.js".to_owned(), base())]));
    world.person(|docs| {
        let mut doc = docs.remove("a.js").unwrap();
        doc[3] = ("typed by the person here".to_owned(), Truth::Person);
        docs.insert("b.js".to_owned(), doc);
    });
    world.edit("s", "b.js", |doc, by| doc.push(("by the agent".to_owned(), by.clone())));
    world.ask("s", "go on");
    let score = world.score(&world.steps());
    assert!(score.stolen.is_empty() && score.wrong.is_empty(), "{score:?}");
}
