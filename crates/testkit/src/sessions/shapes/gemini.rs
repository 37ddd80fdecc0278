//! Gemini CLI: no ids of calls or helpers, and the process group in every output.

use serde_json::{Value, json};

use super::{Hook, Shape, Speaker, Told, fill, named, recorded};
use crate::sessions::Tool;

fn with(speaker: &Speaker, recorded: &str, more: &[(&str, Value)]) -> Value {
    let time = format!("2026-11-15T19:{:02}:{:02}.000Z", speaker.clock / 60 % 60, speaker.clock % 60);
    let common =
        [("session_id", json!(speaker.session)), ("cwd", json!(speaker.cwd())), ("timestamp", json!(time))];
    fill(&fill(recorded, &common).to_string(), more)
}

pub(super) fn start(speaker: &Speaker) -> Vec<Hook> {
    named(with(speaker, recorded!("gemini/SessionStart/startup"), &[]))
}

pub(super) fn prompt(speaker: &Speaker, text: &str) -> Vec<Hook> {
    named(with(speaker, recorded!("gemini/BeforeAgent/basic"), &[("prompt", json!(text))]))
}

pub(super) fn before_request(speaker: &Speaker) -> Vec<Hook> {
    named(with(speaker, recorded!("gemini/PreCompress/auto"), &[]))
}

pub(super) fn over(speaker: &Speaker) -> Vec<Hook> {
    named(with(speaker, recorded!("gemini/AfterAgent/basic"), &[]))
}

fn tool(speaker: &Speaker, told: &Told<'_>) -> Option<(&'static str, Value)> {
    Some(match &told.call.tool {
        Tool::Read { path, lines: None } => ("read_file", json!({"file_path": speaker.path(path)})),
        Tool::Read { path, lines: Some((from, to)) } => {
            ("read_file", json!({"file_path": speaker.path(path), "start_line": from, "end_line": to}))
        }
        Tool::Grep { pattern, path } => ("grep_search", json!({"pattern": pattern, "dir_path": path})),
        Tool::Glob { pattern } => ("glob", json!({"pattern": pattern})),
        Tool::Edit { path, old, new } => (
            "replace",
            json!({"file_path": speaker.path(path), "old_string": old, "new_string": new,
                "instruction": "scripted edit", "expected_replacements": 1}),
        ),
        Tool::Write { path, text } => {
            ("write_file", json!({"file_path": speaker.path(path), "content": text}))
        }
        Tool::Shell { command } => {
            ("run_shell_command", json!({"command": command, "description": "scripted command"}))
        }
        Tool::Poll { .. } => return None,
        Tool::Foreign { tool, text } => (Shape::Gemini.foreign(*tool), json!({"text": text})),
        Tool::Helper { task } => (
            "invoke_agent",
            json!({"agent_name": "codebase_investigator", "prompt": task, "objective": task}),
        ),
    })
}

fn response(speaker: &Speaker, told: &Told<'_>) -> Value {
    let output = &told.call.output;
    if told.tool_fails() {
        let error = json!({"message": output, "type": "edit_no_occurrence_found"});
        return json!({"llmContent": output, "returnDisplay": output, "error": error});
    }
    match &told.call.tool {
        Tool::Edit { path, .. } | Tool::Write { path, .. } => json!({
            "llmContent": format!("Successfully modified file: {} (1 replacements).", speaker.path(path)),
            "returnDisplay": {"fileName": path, "filePath": speaker.path(path), "isNewFile": told.was(path).is_none()},
        }),
        Tool::Shell { .. } => {
            let shown = if output.is_empty() { "(empty)" } else { output };
            let code = told.call.failed.map(|code| format!("Exit Code: {code}\n")).unwrap_or_default();
            let group = 20_000 + speaker.clock;
            json!({
                "llmContent": format!(
                    "<untrusted_context>\nOutput: {shown}\n{code}Process Group PGID: {group}\n</untrusted_context>"
                ),
                "returnDisplay": output,
            })
        }
        Tool::Foreign { .. } => json!({
            "llmContent": [{"text": format!("<untrusted_context>\n{output}\n</untrusted_context>")}],
            "returnDisplay": output,
        }),
        _ => json!({"llmContent": output, "returnDisplay": ""}),
    }
}

fn values(speaker: &Speaker, told: &Told<'_>) -> Option<Vec<(&'static str, Value)>> {
    let (name, input) = tool(speaker, told)?;
    Some(vec![("tool_name", json!(name)), ("tool_input", input)])
}

pub(super) fn before(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let Some(values) = values(speaker, told) else { return Vec::new() };
    named(with(speaker, recorded!("gemini/BeforeTool/run_shell_command"), &values))
}

pub(super) fn after(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let Some(mut values) = values(speaker, told) else { return Vec::new() };
    values.push(("tool_response", response(speaker, told)));
    named(with(speaker, recorded!("gemini/AfterTool/run_shell_command"), &values))
}
