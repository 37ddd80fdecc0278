//! Claude Code.

use serde_json::{Value, json};

use super::{Hook, Shape, Speaker, Told, changed, fill, named, recorded};
use crate::sessions::Tool;

fn with(speaker: &Speaker, recorded: &str, more: &[(&str, Value)]) -> Value {
    let mut payload =
        fill(recorded, &[("session_id", json!(speaker.session)), ("cwd", json!(speaker.cwd()))]);
    if payload.get("prompt_id").is_some() {
        payload["prompt_id"] = json!(format!("{}-prompt-{}", speaker.session, speaker.turn));
    }
    if payload.get("duration_ms").is_some() {
        payload["duration_ms"] = json!(speaker.clock);
    }
    fill(&payload.to_string(), more)
}

pub(super) fn start(speaker: &Speaker) -> Vec<Hook> {
    named(with(speaker, recorded!("claude/SessionStart/startup"), &[]))
}

pub(super) fn prompt(speaker: &Speaker, text: &str) -> Vec<Hook> {
    named(with(speaker, recorded!("claude/UserPromptSubmit/basic"), &[("prompt", json!(text))]))
}

pub(super) fn shortened(speaker: &Speaker) -> Vec<Hook> {
    let mut hooks = named(with(speaker, recorded!("claude/PreCompact/auto"), &[]));
    hooks.extend(named(with(speaker, recorded!("claude/SessionStart/compact"), &[])));
    hooks
}

pub(super) fn over(speaker: &Speaker) -> Vec<Hook> {
    named(with(speaker, recorded!("claude/Stop/basic"), &[]))
}

pub(super) fn helper_begins(speaker: &Speaker, helper: u32) -> Vec<Hook> {
    let agent = json!(format!("agent-{helper}"));
    named(with(speaker, recorded!("claude/SubagentStart/subagent"), &[("agent_id", agent)]))
}

/// The tool's name and its arguments.
fn tool(speaker: &Speaker, told: &Told<'_>) -> (&'static str, Value) {
    match &told.call.tool {
        Tool::Read { path, lines: None } => ("Read", json!({"file_path": speaker.path(path)})),
        Tool::Read { path, lines: Some((from, to)) } => {
            ("Read", json!({"file_path": speaker.path(path), "offset": from, "limit": to + 1 - from}))
        }
        Tool::Grep { pattern, path } => {
            ("Grep", json!({"pattern": pattern, "path": speaker.path(path), "output_mode": "content"}))
        }
        Tool::Glob { pattern } => ("Glob", json!({"pattern": pattern})),
        Tool::Edit { path, old, new } => (
            "Edit",
            json!({"file_path": speaker.path(path), "old_string": old, "new_string": new, "replace_all": false}),
        ),
        Tool::Write { path, text } => ("Write", json!({"file_path": speaker.path(path), "content": text})),
        Tool::Shell { command } => ("Bash", json!({"command": command, "description": "scripted command"})),
        Tool::Poll { id } => ("BashOutput", json!({"bash_id": id.to_string()})),
        Tool::Foreign { tool, text } => (Shape::Claude.foreign(*tool), json!({"text": text})),
        Tool::Helper { task } => {
            ("Agent", json!({"description": "sub job", "prompt": task, "subagent_type": "general-purpose"}))
        }
    }
}

fn response(speaker: &Speaker, told: &Told<'_>) -> Value {
    let output = &told.call.output;
    match &told.call.tool {
        Tool::Read { path, lines } => json!({"type": "text", "file": {
            "filePath": speaker.path(path),
            "content": output,
            "numLines": output.lines().count(),
            "startLine": lines.map_or(1, |(from, _)| from),
            "totalLines": told.was(path).unwrap_or_default().lines().count(),
        }}),
        Tool::Grep { .. } => json!({"mode": "content", "numFiles": 0, "filenames": [], "content": output,
            "numLines": output.lines().count()}),
        Tool::Glob { .. } => {
            json!({"filenames": output.lines().collect::<Vec<_>>(), "durationMs": speaker.clock,
            "numFiles": output.lines().count(), "truncated": false})
        }
        Tool::Edit { path, old, new } => {
            json!({"filePath": speaker.path(path), "oldString": old, "newString": new,
            "originalFile": told.was(path), "structuredPatch": [], "userModified": false, "replaceAll": false})
        }
        Tool::Write { path, text } => {
            json!({"type": if told.was(path).is_some() { "update" } else { "create" },
            "filePath": speaker.path(path), "content": text, "structuredPatch": [], "originalFile": told.was(path),
            "userModified": false})
        }
        Tool::Shell { .. } => {
            let mut response = json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false,
                "noOutputExpected": false});
            if !told.call.effects.is_empty() {
                response["bashEditDiff"] = json!({"files": [], "moreFiles": 0, "changedFiles": changed(speaker, &told.call.effects)});
            }
            response
        }
        Tool::Poll { id } => {
            json!({"shellId": id.to_string(), "status": "running", "stdout": output, "stderr": "",
            "timestamp": speaker.clock})
        }
        Tool::Foreign { .. } => json!([{"type": "text", "text": output}]),
        Tool::Helper { .. } => json!({"status": "completed", "content": [{"type": "text", "text": output}],
            "totalDurationMs": speaker.clock}),
    }
}

fn of_helper(told: &Told<'_>, mut payload: Value) -> Value {
    if let Some(helper) = told.call.by {
        payload["agent_id"] = json!(format!("agent-{helper}"));
        payload["agent_type"] = json!("general-purpose");
    }
    payload
}

pub(super) fn before(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let (name, input) = tool(speaker, told);
    let values = [("tool_name", json!(name)), ("tool_input", input), ("tool_use_id", json!(told.id))];
    named(of_helper(told, with(speaker, recorded!("claude/PreToolUse/Bash"), &values)))
}

pub(super) fn after(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let (name, input) = tool(speaker, told);
    let values = [("tool_name", json!(name)), ("tool_input", input), ("tool_use_id", json!(told.id))];
    let payload = match told.call.failed {
        Some(code) => {
            let output = &told.call.output;
            let error =
                if told.tool_fails() { output.clone() } else { format!("Exit code {code}\n{output}") };
            let values = [&values[..], &[("error", json!(error))]].concat();
            with(speaker, recorded!("claude/PostToolUseFailure/Bash"), &values)
        }
        None => {
            let values = [&values[..], &[("tool_response", response(speaker, told))]].concat();
            with(speaker, recorded!("claude/PostToolUse/Bash"), &values)
        }
    };
    named(of_helper(told, payload))
}
