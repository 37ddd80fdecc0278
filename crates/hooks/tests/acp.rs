//! What comes over ACP is judged as what hooks bring: 300 commands of the corpus, and how long a look takes away from a message.

use serde_json::json;
use vib_hooks::Client;
use vib_hooks::adapters::{self, acp};
use vib_hooks::event::Kind;
use vib_hooks::router::{World as Surroundings, decide};

use crate::world::World;

/// Every so many lines of the labelled commands, so that all their kinds are in it.
fn commands() -> Vec<String> {
    let labelled = [
        include_str!("../../shell/tests/data/commands-sample.jsonl"),
        include_str!("../../shell/tests/data/own-destructive.jsonl"),
        include_str!("../../shell/tests/data/own-safe.jsonl"),
    ];
    let labelled = labelled.iter().flat_map(|text| text.lines());
    let labelled = labelled.filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let labelled = labelled.filter_map(|row| Some(row.get("command")?.as_str()?.to_owned()));
    let plain = include_str!("../../shell/tests/data/red-team.txt").lines();
    let plain = plain.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned);
    let all: Vec<String> = labelled.chain(plain).filter(|command| !command.trim().is_empty()).collect();
    let every = (all.len() / 300).max(1);
    all.into_iter().step_by(every).take(300).collect()
}

#[test]
fn a_command_is_judged_as_by_hooks() {
    let commands = commands();
    assert_eq!(commands.len(), 300);
    let world = World::new();
    let context = world.context();
    let around = Surroundings { project_dir: Some(world.root.clone()), ..Surroundings::default() };
    let mut took = Vec::new();
    for (number, command) in commands.iter().enumerate() {
        let id = format!("c{number}");
        let payload = json!({"session_id": "h", "cwd": world.root, "tool_name": "Bash", "tool_use_id": id,
                             "tool_input": {"command": command}});
        let event = adapters::parse(Client::ClaudeCode, Some("PreToolUse"), payload.to_string().as_bytes());
        let by_hook = decide(&context, &around, &event).verdict;
        // As Gemini asks: the command is the title, and nothing else.
        let mut told = acp::Told::default();
        let piece =
            json!({"title": command, "kind": "execute", "status": "pending", "locations": [], "content": []});
        told.add("run_shell_command__run_shell_command_1_0", &piece, true);
        let of = acp::Of { named: "gemini", session: "a", cwd: Some(&world.root) };
        let call = told.call(Some(Client::Gemini), &format!("run_shell_command__{id}"));
        let event = told.event(&of, acp::BEFORE, Kind::BeforeTool(call));
        let began = std::time::Instant::now();
        let by_proxy = decide(&context, &around, &event).verdict;
        took.push(began.elapsed());
        assert_eq!(by_hook.code(), by_proxy.code(), "{command}\n{by_hook:?}\n{by_proxy:?}");
    }
    took.sort();
    // Said, not asserted: machines differ.
    eprintln!("a look at a command: p50 {:?}, p95 {:?}", took[took.len() / 2], took[took.len() * 95 / 100]);
}
