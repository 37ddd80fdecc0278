//! OpenCode: helpers have sessions of their own, and nothing is told after a tool that throws.

use serde_json::{Value, json};

use super::{Hook, Shape, Speaker, Told, fill, named, recorded};
use crate::sessions::Tool;

fn with(speaker: &Speaker, session: &str, recorded: &str, more: &[(&str, Value)]) -> Value {
    let common =
        [("session_id", json!(session)), ("cwd", json!(speaker.cwd())), ("worktree", json!(speaker.cwd()))];
    fill(&fill(recorded, &common).to_string(), more)
}

fn bus(speaker: &Speaker, recorded: &str) -> Vec<Hook> {
    named(with(speaker, &speaker.session, recorded, &[]))
}

pub(super) fn start(speaker: &Speaker) -> Vec<Hook> {
    bus(speaker, recorded!("opencode/event/session.created"))
}

pub(super) fn prompt(speaker: &Speaker, text: &str) -> Vec<Hook> {
    let output = json!({"message": {"role": "user"}, "parts": [{"type": "text", "text": text}]});
    named(with(speaker, &speaker.session, recorded!("opencode/chat.message/basic"), &[("output", output)]))
}

pub(super) fn shortened(speaker: &Speaker) -> Vec<Hook> {
    bus(speaker, recorded!("opencode/event/session.compacted"))
}

pub(super) fn over(speaker: &Speaker) -> Vec<Hook> {
    bus(speaker, recorded!("opencode/event/session.idle"))
}

pub(super) fn helper_begins(speaker: &Speaker, helper: u32) -> Vec<Hook> {
    let session = speaker.helper(helper);
    let properties = json!({"sessionID": session, "info": {"id": session, "parentID": speaker.session}});
    let recorded = recorded!("opencode/event/session.created-subagent");
    named(with(speaker, &session, recorded, &[("properties", properties)]))
}

fn tool(speaker: &Speaker, told: &Told<'_>) -> Option<(&'static str, Value)> {
    Some(match &told.call.tool {
        Tool::Read { path, lines: None } => ("read", json!({"filePath": speaker.path(path)})),
        Tool::Read { path, lines: Some((from, to)) } => {
            ("read", json!({"filePath": speaker.path(path), "offset": from - 1, "limit": to + 1 - from}))
        }
        Tool::Grep { pattern, path } => ("grep", json!({"pattern": pattern, "path": speaker.path(path)})),
        Tool::Glob { pattern } => ("glob", json!({"pattern": pattern})),
        Tool::Edit { path, old, new } => {
            ("edit", json!({"filePath": speaker.path(path), "oldString": old, "newString": new}))
        }
        Tool::Write { path, text } => ("write", json!({"filePath": speaker.path(path), "content": text})),
        Tool::Shell { command } => ("bash", json!({"command": command, "description": "scripted command"})),
        Tool::Poll { .. } => return None,
        Tool::Foreign { tool, text } => (Shape::OpenCode.foreign(*tool), json!({"text": text})),
        Tool::Helper { task } => {
            ("task", json!({"description": "sub job", "prompt": task, "subagent_type": "general"}))
        }
    })
}

fn values(speaker: &Speaker, told: &Told<'_>) -> Option<Vec<(&'static str, Value)>> {
    let (name, input) = tool(speaker, told)?;
    Some(vec![("tool_name", json!(name)), ("tool_input", input), ("tool_use_id", json!(told.id))])
}

pub(super) fn before(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let Some(values) = values(speaker, told) else { return Vec::new() };
    let session = speaker.session_of(told.call);
    named(with(speaker, &session, recorded!("opencode/tool.execute.before/bash"), &values))
}

pub(super) fn after(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let Some(mut values) = values(speaker, told) else { return Vec::new() };
    if told.tool_fails() {
        return Vec::new();
    }
    let output = &told.call.output;
    let response = match &told.call.tool {
        Tool::Shell { command } => json!({"title": command, "output": output, "metadata": {
            "output": output, "exit": told.call.failed.unwrap_or(0), "truncated": false}}),
        Tool::Edit { path, .. } | Tool::Write { path, .. } => json!({"title": path,
            "output": "Wrote file successfully.", "metadata": {"diagnostics": {}, "filepath": speaker.path(path),
            "exists": told.was(path).is_some(), "truncated": false}}),
        Tool::Foreign { .. } => json!({"content": [{"type": "text", "text": output}], "isError": false}),
        _ => json!({"title": "", "output": output, "metadata": {"truncated": false}}),
    };
    values.push(("tool_response", response));
    let session = speaker.session_of(told.call);
    named(with(speaker, &session, recorded!("opencode/tool.execute.after/bash"), &values))
}
