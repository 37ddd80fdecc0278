//! What every agent at work is told when the person went back: once, as soon as its client hands our words on. (H8)

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::world::World;
use engine::agent::{Who, files_put_back, tell_running};
use serde_json::{Value, json};
use vib_hooks::Client;

fn who(client: &str, session: &str) -> Who {
    Who { client: client.to_owned(), session: session.to_owned(), ..Who::default() }
}

/// A prompt and two looks of a client, in its own words: each with the event and the payload.
fn calls(world: &World, client: Client) -> Vec<(&'static str, Value)> {
    let names: &[&str] = match client {
        Client::Codex => &["codex/PreToolUse/Bash", "codex/PostToolUse/Bash", "codex/UserPromptSubmit/basic"],
        Client::Gemini => {
            &["gemini/BeforeTool/read_file", "gemini/AfterTool/read_file", "gemini/BeforeAgent/basic"]
        }
        Client::OpenCode => &[
            "opencode/tool.execute.before/bash",
            "opencode/tool.execute.after/bash",
            "opencode/chat.message/basic",
        ],
        Client::Copilot => {
            &["copilot/preToolUse/view", "copilot/postToolUse/view", "copilot/userPromptSubmitted/basic"]
        }
        _ => &["claude/PreToolUse/Read", "claude/PostToolUse/Read", "claude/UserPromptSubmit/basic"],
    };
    names.iter().map(|name| (name.split('/').nth(1).unwrap(), world.recorded(name))).collect()
}

#[test]
fn every_client_hears_it_once_with_its_next_call_h8() {
    for client in [Client::ClaudeCode, Client::Codex, Client::Gemini, Client::OpenCode, Client::Copilot] {
        let world = World::new();
        let [before, after, prompt] = <[_; 3]>::try_from(calls(&world, client)).unwrap();
        world.hook(client, prompt.0, &prompt.1);
        let account = store::Account { way: store::Way::Back, ..store::Account::of("undo") };
        let told = files_put_back(&world.engine(), &["src/a.txt".to_owned()], &account, None).unwrap();
        assert_eq!(told, 1, "{client}");
        let heard: Vec<bool> = [&before, &after, &prompt]
            .iter()
            .map(|(event, payload)| {
                let reply = world.hook(client, event, payload);
                reply.stdout.contains("these files were put back") && reply.stdout.contains("src/a.txt")
            })
            .collect();
        let expected = match client {
            Client::Gemini | Client::OpenCode => [false, true, false],
            _ => [true, false, false],
        };
        assert_eq!(heard, expected, "{client}");
    }
}

#[test]
fn who_asked_knows_and_who_left_long_ago_is_not_told_h8() {
    let world = World::new();
    for session in ["one", "two"] {
        world.claude("UserPromptSubmit", json!({"prompt": "go", "session_id": session}));
    }
    let engine = world.engine();
    assert_eq!(tell_running(&engine, "look out", Some(&who("claude-code", "one"))).unwrap(), 1);
    let hears = |session: &str| {
        let answer = world.claude("UserPromptSubmit", json!({"prompt": "and?", "session_id": session}));
        answer.to_string().contains("look out")
    };
    assert!(!hears("one") && hears("two"));
    assert!(!hears("two"), "once");
    for file in std::fs::read_dir(engine.project().state().join("sessions")).unwrap().flatten() {
        if let Ok(text) = std::fs::read_to_string(file.path())
            && let Ok(mut state) = serde_json::from_str::<Value>(&text)
        {
            state["seen_ms"] = json!(1);
            std::fs::write(file.path(), state.to_string()).unwrap();
        }
    }
    assert_eq!(tell_running(&engine, "look out", None).unwrap(), 0);
}

#[test]
fn a_sub_agent_does_not_hear_it_in_the_place_of_its_principal_h8() {
    let world = World::new();
    world.claude("UserPromptSubmit", json!({"prompt": "go"}));
    tell_running(&world.engine(), "look out", None).unwrap();
    let read = |more: Value| {
        let mut call =
            json!({"tool_name": "Read", "tool_input": {"file_path": world.root.join("src/a.txt")}});
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.claude("PreToolUse", call).to_string().contains("look out")
    };
    assert!(!read(json!({"agent_id": "a-1", "agent_type": "general-purpose"})));
    assert!(read(json!({})));
}
