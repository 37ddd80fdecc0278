//! Puts a program into each client's hooks by hand, for the tests of the harness itself.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::Client;
use crate::launch::save;

/// Writes the project's hook settings of this client so that it calls `program` as it would call vib.
pub fn connect(client: Client, root: &Path, program: &Path) {
    let program = program.display();
    let line = format!("'{program}' hook {}", client.name());
    match client {
        Client::ClaudeCode => groups(
            &root.join(".claude/settings.json"),
            &[
                "SessionStart",
                "UserPromptSubmit",
                "PreToolUse",
                "PostToolUse",
                "PostToolUseFailure",
                "Stop",
                "SessionEnd",
            ],
            &json!({"type": "command", "command": line, "timeout": 20}),
        ),
        Client::Codex => groups(
            &root.join(".codex/hooks.json"),
            &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"],
            &json!({"type": "command", "command": line, "timeout": 20}),
        ),
        Client::Gemini => groups(
            &root.join(".gemini/settings.json"),
            &["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"],
            &json!({"type": "command", "command": line, "timeout": 20_000}),
        ),
        Client::OpenCode => save(&root.join(".opencode/plugins/vib.js"), &plugin(&program.to_string())),
        Client::Copilot => {
            let events = [
                "sessionStart",
                "userPromptSubmitted",
                "preToolUse",
                "postToolUse",
                "agentStop",
                "sessionEnd",
            ];
            let hook = |event: &str| {
                let hook = json!({"type": "command", "bash": format!("{line} {event}"), "timeoutSec": 20});
                (event.to_owned(), json!([hook]))
            };
            let hooks: Map<String, Value> = events.into_iter().map(hook).collect();
            save(&root.join(".github/hooks/vib.json"), &json!({"version": 1, "hooks": hooks}).to_string());
        }
    }
}

/// The shape that three of the clients share.
fn groups(path: &Path, events: &[&str], hook: &Value) {
    let group = |event: &&str| ((*event).to_owned(), json!([{"hooks": [hook]}]));
    let hooks: Map<String, Value> = events.iter().map(group).collect();
    save(&path.to_path_buf(), &json!({"hooks": hooks}).to_string());
}

/// A plugin that only passes on what it is told.
fn plugin(program: &str) -> String {
    format!(
        r#"import {{ spawnSync }} from "node:child_process";
const tell = (name, body) =>
  spawnSync({program:?}, ["hook", "opencode"], {{ input: JSON.stringify({{ hook_event_name: name, ...body }}) }});
export const Vib = async () => ({{
  "chat.message": async (input, output) => {{ tell("chat.message", {{ input, output }}); }},
  "tool.execute.before": async (input, output) => {{ tell("tool.execute.before", {{ input, output }}); }},
  "tool.execute.after": async (input, output) => {{ tell("tool.execute.after", {{ input, output }}); }},
}});
"#
    )
}
