//! A long session through `vib hook`: files and told text stay bounded however long it gets (MM5)
//!
//! `VIB_SOAK_TURNS=1000` makes it as long as the promise; a test run takes a shorter one.

use serde_json::{Value, json};
use testkit::Sandbox;

use super::sandbox;

fn hook(project: &Sandbox, event: &str, more: &Value) -> Value {
    let mut payload = json!({"session_id": "long", "cwd": project.root(), "hook_event_name": event});
    for (name, value) in more.as_object().unwrap() {
        payload[name] = value.clone();
    }
    let output =
        Sandbox::run_with_input(&mut project.command(&["hook", "claude-code"]), &payload.to_string()).ok();
    serde_json::from_str(&output.stdout).unwrap_or(Value::Null)
}

fn told(answer: &Value) -> usize {
    answer["hookSpecificOutput"]["additionalContext"].as_str().map_or(0, str::len)
}

fn size(folder: &std::path::Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let facts = entries.flatten().filter_map(|entry| entry.metadata().ok());
    facts.filter(std::fs::Metadata::is_file).map(|facts| facts.len()).sum()
}

#[test]
fn a_long_session_stays_bounded_mm5() {
    let turns: u32 = std::env::var("VIB_SOAK_TURNS").ok().and_then(|turns| turns.parse().ok()).unwrap_or(60);
    let project = sandbox();
    project.vib(&["memory", "intent", "a long piece of work"]).ok();
    project.vib(&["config", "set", "memory.events.cap", "40"]).ok();
    hook(&project, "SessionStart", &json!({"source": "startup"}));
    let (mut most_told, mut all_told) = (0, 0);
    for turn in 0..turns {
        let answer = hook(
            &project,
            "UserPromptSubmit",
            &json!({"prompt": format!("step {turn} of the long piece of work")}),
        );
        most_told = most_told.max(told(&answer));
        all_told += told(&answer);
        let path = project.root().join(format!("src/part{}.rs", turn % 50));
        let input = json!({"file_path": path, "content": format!("fn part() {{ {turn} }}\n")});
        hook(&project, "PreToolUse", &json!({"tool_name": "Write", "tool_input": input}));
        project.write(&format!("src/part{}.rs", turn % 50), format!("fn part() {{ {turn} }}\n"));
        hook(
            &project,
            "PostToolUse",
            &json!({"tool_name": "Write", "tool_input": input, "tool_response": {"type": "update"}}),
        );
        if turn % 10 == 9 {
            let command = json!({"command": "npm test"});
            let result = json!({"stdout": "fine", "stderr": "", "interrupted": false});
            hook(
                &project,
                "PostToolUse",
                &json!({"tool_name": "Bash", "tool_input": command, "tool_response": result}),
            );
            project.vib(&["memory", "decide", &format!("decision {turn}")]).ok();
        }
    }
    let memory = project.store().join("memory");
    let session = size(&project.store().join("sessions"));
    let log = std::fs::metadata(memory.join("project.jsonl")).unwrap().len();
    assert!(most_told < 1_200, "{most_told} bytes with one prompt");
    // A decision now and then is told once; a prompt with nothing new tells nothing.
    assert!(all_told < 100 * turns as usize, "{all_told} bytes in {turns} turns");
    assert!(session < 64 << 10, "{session} bytes of session state");
    assert!(log < 1 << 20, "{log} bytes of live log");
    let view = std::fs::metadata(memory.join("work_memory.json")).map_or(0, |facts| facts.len());
    assert!(view < 256 << 10, "{view} bytes of view");
    let start = told(&hook(&project, "SessionStart", &json!({"source": "compact"})));
    assert!(start < 8_000, "{start} bytes at the start");
    let tokens = project.data(&["transfer", "--handoff", "--print"])["tokens"].as_u64().unwrap();
    assert!(tokens <= 1_200, "{tokens}");
    eprintln!(
        "{turns} turns: log {log} bytes, session {session}, view {view}, archive {}, told {all_told} in all and {most_told} at most, start {start}, hand-off {tokens} tokens",
        size(&memory.join("archive"))
    );
}
