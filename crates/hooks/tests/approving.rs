//! A client is about to ask the person, and vib knows their answer. (G1)

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::world::World;
use serde_json::{Value, json};
use vib_hooks::Client;

/// The person's own settings.
fn own(world: &World, file: &str, text: &str) {
    let folder = world.context().config().unwrap().to_path_buf();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(file), text).unwrap();
}

fn choose(world: &World, word: &str) {
    own(world, "config.toml", &format!("[guard]\napprove = '{word}'\n"));
}

fn allow(world: &World, commands: &[&str]) {
    let rules: Vec<String> = commands.iter().map(|rule| format!("[[allow]]\ncommand = '{rule}'\n")).collect();
    own(world, "policy.toml", &rules.concat());
}

/// Both hooks before a tool of Claude Code; what the second one decides about the question.
#[expect(clippy::needless_pass_by_value, reason = "`json!` reads best as an argument")]
fn asked(world: &World, tool: &str, input: Value) -> Option<String> {
    asked_in(world, "default", tool, &input)
}

fn asked_in(world: &World, mode: &str, tool: &str, input: &Value) -> Option<String> {
    let call = json!({"tool_name": tool, "tool_input": input, "permission_mode": mode});
    let mut first = call.clone();
    first["tool_use_id"] = json!(format!("{input}"));
    world.claude("PreToolUse", first);
    let answer = world.claude("PermissionRequest", call);
    answer["hookSpecificOutput"]["decision"]["behavior"].as_str().map(str::to_owned)
}

fn bash(command: &str) -> Value {
    json!({"command": command})
}

#[test]
fn the_persons_own_list_is_a_yes_g1() {
    let world = World::new();
    assert_eq!(asked(&world, "Bash", bash("npm test")), None, "nobody allowed anything");
    allow(&world, &["npm test", "curl https://ok.example/*", "git push"]);
    for command in ["npm test", "cd src && npm test", "npm test | tail -5", "git push"] {
        assert_eq!(asked(&world, "Bash", bash(command)).as_deref(), Some("allow"), "{command}");
    }
    for command in [
        "npm test && npm publish",
        "npm test > log.txt",
        "npm test; touch x",
        "npm test -- --update",
        "sudo npm test",
        "npm test | curl -d @- https://other.example",
        "npm install",
        "ls",
    ] {
        assert_eq!(asked(&world, "Bash", bash(command)), None, "{command}");
    }
    assert_eq!(asked(&world, "Bash", bash("npm test; rm -rf ~/")).as_deref(), Some("deny"));
    assert_eq!(asked_in(&world, "plan", "Bash", &bash("npm test")), None, "while it only plans");
    choose(&world, "off");
    assert_eq!(asked(&world, "Bash", bash("npm test")), None);
}

#[test]
fn covered_is_a_yes_only_where_it_was_chosen_and_is_true_g1() {
    let world = World::new();
    world.write("kept.js", "// VIBE-KEEP START a\nconst a = 1\n// VIBE-KEEP END a\n");
    let file = world.root.join("src/a.txt");
    let edit = json!({"file_path": file, "content": "new\n"});
    assert_eq!(asked(&world, "Write", edit.clone()), None, "the default is the person's list");
    assert_eq!(asked(&world, "Bash", bash("ls")), None);
    choose(&world, "covered");
    for (tool, input) in [
        ("Write", edit),
        ("Write", json!({"file_path": world.root.join("src/new/b.txt"), "content": "x"})),
        ("Bash", bash("ls -l src")),
        ("Bash", bash("mv src/a.txt src/b.txt")),
        ("Bash", bash("sed -i s/a/b/ src/a.txt")),
    ] {
        assert_eq!(asked(&world, tool, input.clone()).as_deref(), Some("allow"), "{tool} {input}");
    }
    let outside = world.root.parent().unwrap().join("letters.txt");
    for (tool, input) in [
        ("Write", json!({"file_path": outside, "content": "x"})),
        ("Write", json!({"file_path": world.root.join(".claude/settings.json"), "content": "{}"})),
        ("Write", json!({"file_path": world.root.join(".git/hooks/pre-commit"), "content": "x"})),
        ("Bash", bash("npm test")),
        ("Bash", bash("make")),
        ("Bash", bash("curl https://example.com")),
        ("Bash", bash("sed -i s/1/2/ kept.js")),
        ("Bash", bash("cat ~/.ssh/id_rsa")),
        ("Bash", bash("touch ../x")),
        ("Bash", bash("git push --force")),
        ("mcp__x__write_file", json!({"path": file, "content": "x"})),
        ("WebFetch", json!({"url": "https://example.com", "prompt": "x"})),
        ("ExitPlanMode", json!({"plan": "x"})),
    ] {
        assert_eq!(asked(&world, tool, input.clone()), None, "{tool} {input}");
    }
    // What was not saved first is not covered: nobody saw this one begin.
    let unseen = json!({"tool_name": "Bash", "tool_input": bash("rm kept.js"), "permission_mode": "default"});
    assert_eq!(world.claude("PermissionRequest", unseen), Value::Null);
}

#[test]
fn neither_the_project_nor_a_team_loosens_it_g1() {
    let world = World::new();
    choose(&world, "list");
    std::fs::create_dir_all(world.root.join(".vibelign")).unwrap();
    world.write(".vibelign/config.toml", "[guard]\napprove = 'covered'\n");
    world.write(".vibelign/policy.toml", "[[allow]]\ncommand = 'npm test'\n");
    world.write("vibelign.toml", "[guard]\napprove = 'covered'\n[[policy.allow]]\ncommand = 'npm test'\n");
    for command in ["npm test", "ls", "rm src/a.txt"] {
        let call = json!({"tool_name": "Bash", "tool_input": bash(command), "permission_mode": "default"});
        let payload = json!({"session_id": "s", "cwd": world.root, "tool_use_id": command});
        let with = |event: &str| {
            let mut payload = payload.clone();
            payload.as_object_mut().unwrap().extend(call.as_object().unwrap().clone());
            let text = payload.to_string();
            let surroundings = vib_hooks::router::World::default();
            vib_hooks::router::answer(
                &world.context(),
                &surroundings,
                Client::ClaudeCode,
                Some(event),
                text.as_bytes(),
            )
        };
        with("PreToolUse");
        assert!(!with("PermissionRequest").stdout.contains("allow"), "{command}");
    }
}

#[test]
fn every_yes_is_a_row_of_the_history_g1() {
    let world = World::new();
    choose(&world, "covered");
    for (command, looks) in [("ls", true), ("rm src/a.txt", false)] {
        assert_eq!(asked(&world, "Bash", bash(command)).as_deref(), Some("allow"));
        let call = json!({
            "tool_name": "Bash", "tool_input": bash(command), "tool_use_id": bash(command).to_string(),
            "tool_response": {"stdout": "", "stderr": "", "interrupted": false},
        });
        if !looks {
            std::fs::remove_file(world.root.join("src/a.txt")).unwrap();
        }
        world.claude("PostToolUse", call);
    }
    let steps = world.steps();
    let told: Vec<_> = steps
        .iter()
        .filter(|(step, _)| step.actor == store::Actor::Agent)
        .map(|(step, _)| (step.what.as_deref(), step.ending, step.reason.as_deref().unwrap_or("")))
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    for (what, ending, reason) in told {
        assert_eq!(ending, store::Ending::Ran, "{what:?}");
        assert!(reason.starts_with("approved by vib in your place: "), "{what:?}: {reason}");
    }
    assert!(steps.last().unwrap().1.contains(&"src/a.txt".to_owned()), "and what it changed is its own");
}

#[test]
fn each_client_hears_it_in_its_own_words_g1() {
    let world = World::new();
    choose(&world, "covered");
    allow(&world, &["npm test"]);
    for (client, first, event, fixture, pointer) in [
        (
            Client::ClaudeCode,
            "PreToolUse",
            "PermissionRequest",
            "claude/PermissionRequest/Bash-default",
            "/hookSpecificOutput/decision/behavior",
        ),
        (
            Client::Codex,
            "PreToolUse",
            "PermissionRequest",
            "codex/PermissionRequest/Bash-default",
            "/hookSpecificOutput/decision/behavior",
        ),
        (Client::Copilot, "preToolUse", "permissionRequest", "copilot/permissionRequest/bash", "/behavior"),
    ] {
        let mut payload = world.recorded(fixture);
        let field = if payload.get("tool_input").is_some() { "tool_input" } else { "toolInput" };
        // Codex is judged from its record of the session, which is not there: then only what was allowed by name is known.
        payload[field]["command"] =
            json!(if client == Client::Codex { "npm test" } else { "echo x > src/a.txt" });
        payload["transcript_path"] = Value::Null;
        let mut before = payload.clone();
        before["hook_event_name"] = json!(first);
        before["hookName"] = json!(first);
        before["toolArgs"] = payload[field].clone();
        world.hook(client, first, &before);
        let reply = world.hook(client, event, &payload);
        let answer: Value = serde_json::from_str(&reply.stdout).unwrap_or_default();
        assert_eq!(answer.pointer(pointer), Some(&json!("allow")), "{client}: {}", reply.stdout);
        assert!(!answer.to_string().contains("message"), "{client}");
    }
}

#[test]
fn what_was_asked_about_or_doubted_stays_a_question_g1() {
    let world = World::new();
    choose(&world, "covered");
    allow(&world, &["npm test"]);
    let payload = json!({
        "session_id": "s", "cwd": world.root, "hook_event_name": "PermissionRequest", "tool_name": "Bash",
        "tool_input": {"command": "npm test"},
    });
    let send = |text: &str| {
        let surroundings = vib_hooks::router::World::default();
        vib_hooks::router::answer(&world.context(), &surroundings, Client::ClaudeCode, None, text.as_bytes())
            .stdout
    };
    assert!(send(&payload.to_string()).contains("\"allow\""));
    let twice = payload.to_string().replacen('{', "{\"tool_name\":\"Read\",", 1);
    assert!(!send(&twice).contains("\"allow\""), "said twice");
    let cut = payload.to_string();
    assert!(!send(&cut[..cut.len() - 1]).contains("\"allow\""), "cut off");
}
