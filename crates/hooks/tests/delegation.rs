//! A conductor hands work on, in the words of five clients. (HK7)

use crate::world::World;
use serde_json::{Value, json};
use vib_hooks::router::{World as Surroundings, answer};
use vib_hooks::{Client, Reply};

/// Sends a call that is about to be made, in the words of the client; the role comes from its environment.
fn before(
    world: &World,
    client: Client,
    role: Option<&str>,
    tool: &str,
    input: &Value,
    agent: Option<&str>,
) -> Reply {
    let (event, field, name, session) = match client {
        Client::Gemini => ("BeforeTool", "tool_input", "tool_name", "session_id"),
        Client::Copilot => ("preToolUse", "toolArgs", "toolName", "sessionId"),
        Client::OpenCode => ("tool.execute.before", "tool_input", "tool_name", "session_id"),
        _ => ("PreToolUse", "tool_input", "tool_name", "session_id"),
    };
    let mut payload = json!({"cwd": world.root, "prompt_id": "p", "turn_id": "p"});
    payload[session] = json!("s");
    payload[name] = json!(tool);
    payload[field] = input.clone();
    if let Some(agent) = agent {
        payload["agent_id"] = json!(agent);
    }
    let around = Surroundings { role: role.map(str::to_owned), ..Surroundings::default() };
    answer(&world.context(), &around, client, Some(event), payload.to_string().as_bytes())
}

fn edit(world: &World, client: Client, path: &str) -> (&'static str, Value) {
    let full = world.root.join(path);
    match client {
        Client::Codex => {
            let patch = format!("*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch");
            ("apply_patch", json!({"command": patch}))
        }
        Client::Gemini => ("write_file", json!({"file_path": full, "content": "x\n"})),
        Client::OpenCode => ("write", json!({"filePath": full, "content": "x\n"})),
        Client::Copilot => ("create", json!({"path": full, "file_text": "x\n"})),
        _ => ("Write", json!({"file_path": full, "content": "x\n"})),
    }
}

fn hand_on(client: Client) -> (&'static str, Value) {
    match client {
        Client::Codex => ("spawn_agent", json!({"message": "do it"})),
        Client::Gemini => ("invoke_agent", json!({"prompt": "do it"})),
        Client::OpenCode | Client::Copilot => ("task", json!({"prompt": "do it"})),
        _ => ("Task", json!({"prompt": "do it", "subagent_type": "general-purpose"})),
    }
}

fn is_refused(reply: &Reply) -> bool {
    reply.stdout.contains("hand this work to a sub-agent")
}

fn world(mode: &str) -> World {
    let world = World::new();
    world.write(".vibelign/config.toml", &format!("[delegation]\nmode = \"{mode}\"\n"));
    world
}

const CLIENTS: [Client; 5] =
    [Client::ClaudeCode, Client::Codex, Client::Gemini, Client::OpenCode, Client::Copilot];

#[test]
fn the_fourth_change_of_a_conductor_is_refused_until_work_is_handed_on_hk7() {
    for client in CLIENTS {
        let world = world("block");
        let works = |path: &str| {
            let (tool, input) = edit(&world, client, path);
            is_refused(&before(&world, client, Some("Conductor"), tool, &input, None))
        };
        let refused: Vec<bool> = (0..4).map(|n| works(&format!("src/{n}.js"))).collect();
        assert_eq!(refused, [false, false, false, true], "{client}");
        assert!(!works("README.md") && !works("docs/plan.txt"), "{client}: prose is free");
        assert!(works("src/5.js"), "{client}");
        let (tool, input) = hand_on(client);
        before(&world, client, Some("Conductor"), tool, &input, None);
        assert!(!works("src/6.js"), "{client}");
    }
}

#[test]
fn who_has_no_role_or_plays_has_no_limit_hk7() {
    for role in [None, Some("musician"), Some("somebody")] {
        let world = world("block");
        for n in 0..12 {
            let (tool, input) = edit(&world, Client::ClaudeCode, &format!("src/{n}.js"));
            let reply = before(&world, Client::ClaudeCode, role, tool, &input, None);
            assert!(!is_refused(&reply), "{role:?}");
        }
    }
    let world = world("block");
    for n in 0..5 {
        let (tool, input) = edit(&world, Client::ClaudeCode, &format!("src/{n}.js"));
        let reply = before(&world, Client::ClaudeCode, Some("conductor"), tool, &input, Some("a-1"));
        assert!(!is_refused(&reply), "a sub-agent works");
    }
}

#[test]
fn a_warning_refuses_nothing_and_looking_is_free_hk7() {
    let world = world("warn");
    let mut said = 0;
    for n in 0..5 {
        let (tool, input) = edit(&world, Client::ClaudeCode, &format!("src/{n}.js"));
        let reply = before(&world, Client::ClaudeCode, Some("conductor"), tool, &input, None);
        assert!(!reply.stdout.contains("\"deny\""), "{}", reply.stdout);
        said += usize::from(reply.stdout.contains("sub-agent"));
    }
    assert_eq!(said, 3, "at the last free one and after it");
    let strict = self::world("block");
    for _ in 0..6 {
        let look = json!({"command": "ls src && git status"});
        let reply = before(&strict, Client::ClaudeCode, Some("conductor"), "Bash", &look, None);
        assert_eq!(reply.stdout, "", "{}", reply.stdout);
    }
}

#[test]
fn two_hooks_at_once_lose_no_count_hk7() {
    let world = world("block");
    before(&world, Client::ClaudeCode, Some("leader"), "Read", &json!({"file_path": "src/a.txt"}), None);
    let (context, root) = (|| world.context(), world.root.clone());
    let refused: usize = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..12)
            .map(|n| {
                let (context, root) = (context(), root.clone());
                scope.spawn(move || {
                    let payload = json!({
                        "session_id": "s", "prompt_id": "p", "cwd": root, "tool_name": "Write", "tool_use_id": format!("c{n}"),
                        "tool_input": {"file_path": root.join(format!("src/{n}.js")), "content": "x\n"},
                    });
                    let around = Surroundings { role: Some("section-leader".to_owned()), ..Surroundings::default() };
                    let input = payload.to_string();
                    is_refused(&answer(&context, &around, Client::ClaudeCode, Some("PreToolUse"), input.as_bytes()))
                })
            })
            .collect();
        calls.into_iter().map(|call| usize::from(call.join().unwrap())).sum()
    });
    assert_eq!(refused, 4, "eight of twelve are free");
}
