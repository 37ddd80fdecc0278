//! A sub-agent's steps belong to the request that started it, whether it has a session of its own or not. (H7, M9)

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use crate::world::World;
use serde_json::{Value, json};
use vib_hooks::Client;

/// Who did the one step that changed this file, of what kind it is, and what had been asked for.
fn made(world: &World, file: &str) -> (Option<String>, Option<String>, Option<String>) {
    let (step, _) = world.steps().into_iter().find(|(_, paths)| paths == &[file.to_owned()]).unwrap();
    let asked = world.asked_for(&step);
    (step.agent, step.agent_type, asked)
}

fn some(agent: &str, kind: &str, asked: &str) -> (Option<String>, Option<String>, Option<String>) {
    (Some(agent.to_owned()), Some(kind.to_owned()), Some(asked.to_owned()))
}

/// Plays a recorded call, with a file that it makes.
fn call(world: &World, client: Client, names: [&str; 2], change: impl Fn(&mut Value)) {
    for name in names {
        let mut payload = world.recorded(name);
        change(&mut payload);
        world.hook(client, name.split('/').nth(1).unwrap(), &payload);
        world.write("sub.txt", "made by a sub-agent\n");
    }
}

#[test]
fn in_claude_code_h7() {
    let world = World::new();
    world.claude("UserPromptSubmit", json!({"prompt": "delegate this"}));
    let names = ["claude/PreToolUse/subagent-Bash", "claude/PostToolUse/subagent-Bash"];
    call(&world, Client::ClaudeCode, names, |_| ());
    assert_eq!(made(&world, "sub.txt"), some("a66efba413a484236", "general-purpose", "delegate this"));
}

#[test]
fn in_codex_which_counts_a_sub_agents_turns_of_its_own_h7() {
    let world = World::new();
    let mut prompt = world.recorded("codex/UserPromptSubmit/basic");
    prompt["prompt"] = json!("delegate this");
    world.hook(Client::Codex, "UserPromptSubmit", &prompt);
    let names = ["codex/PreToolUse/apply_patch", "codex/PostToolUse/apply_patch"];
    call(&world, Client::Codex, names, |payload| {
        payload["turn_id"] = json!("a turn of the sub-agent");
        payload["agent_id"] = json!("a-1");
        payload["agent_type"] = json!("default");
        payload["tool_input"]["command"] = json!("*** Begin Patch\n*** Add File: sub.txt\n+x\n*** End Patch");
    });
    assert_eq!(made(&world, "sub.txt"), some("a-1", "default", "delegate this"));
}

#[test]
fn in_opencode_with_a_session_of_its_own_h7() {
    let world = World::new();
    let mut prompt = world.recorded("opencode/chat.message/basic");
    prompt["session_id"] = json!("ses_e1f2b271fffeqnw9qMQzrJNQ55");
    prompt["output"]["parts"] = json!([{"type": "text", "text": "delegate this"}]);
    world.hook(Client::OpenCode, "chat.message", &prompt);
    let mut begins = world.recorded("opencode/event/session.created-subagent");
    begins["session_id"] = json!("child");
    world.hook(Client::OpenCode, "event", &begins);
    let names = ["opencode/tool.execute.before/write", "opencode/tool.execute.after/write"];
    call(&world, Client::OpenCode, names, |payload| {
        payload["session_id"] = json!("child");
        payload["tool_input"]["filePath"] = json!(world.root.join("sub.txt"));
    });
    assert_eq!(made(&world, "sub.txt"), some("child", "general", "delegate this"));
}

#[test]
fn in_copilot_and_a_sub_agent_of_a_sub_agent_serves_the_same_person_h7() {
    let world = World::new();
    let mut prompt = world.recorded("copilot/userPromptSubmitted/basic");
    prompt["prompt"] = json!("delegate this");
    world.hook(Client::Copilot, "userPromptSubmitted", &prompt);
    for (parent, child) in [("s", "child"), ("child", "grandchild")] {
        let mut begins = world.recorded("copilot/subagentStart/basic");
        begins["sessionId"] = json!(parent);
        begins["agentId"] = json!(child);
        world.hook(Client::Copilot, "subagentStart", &begins);
    }
    let names = ["copilot/preToolUse/create", "copilot/postToolUse/create"];
    call(&world, Client::Copilot, names, |payload| {
        payload["sessionId"] = json!("grandchild");
        payload["toolArgs"]["path"] = json!(world.root.join("sub.txt"));
    });
    assert_eq!(made(&world, "sub.txt"), some("grandchild", "general-purpose", "delegate this"));
}
