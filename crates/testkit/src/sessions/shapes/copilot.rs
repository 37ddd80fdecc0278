//! Copilot CLI, in camelCase: the event is not in the payload, there are no ids of calls, and every command has a number.

use serde_json::{Value, json};

use super::{Hook, LAST_WORDS, Shape, Speaker, Told, fill, recorded};
use crate::sessions::Tool;

fn with(
    speaker: &Speaker,
    session: &str,
    event: &'static str,
    recorded: &str,
    more: &[(&str, Value)],
) -> Vec<Hook> {
    let common = [
        ("sessionId", json!(session)),
        ("cwd", json!(speaker.cwd())),
        ("timestamp", json!(1_794_771_617_201_usize + speaker.clock)),
    ];
    let payload = fill(&fill(recorded, &common).to_string(), more);
    vec![Hook { event: Some(event), payload }]
}

pub(super) fn start(speaker: &Speaker) -> Vec<Hook> {
    with(speaker, &speaker.session, "sessionStart", recorded!("copilot/sessionStart/new"), &[])
}

pub(super) fn prompt(speaker: &Speaker, text: &str) -> Vec<Hook> {
    let recorded = recorded!("copilot/userPromptSubmitted/basic");
    with(speaker, &speaker.session, "userPromptSubmitted", recorded, &[("prompt", json!(text))])
}

pub(super) fn shortened(speaker: &Speaker) -> Vec<Hook> {
    with(speaker, &speaker.session, "preCompact", recorded!("copilot/preCompact/manual"), &[])
}

/// Copilot does not tell its last message: it stands in the record of the session.
pub(super) fn over(speaker: &Speaker) -> Vec<Hook> {
    let record = speaker.root.with_file_name("copilot-events.jsonl");
    let line = json!({"type": "assistant.message", "data": {"content": LAST_WORDS, "toolRequests": []}});
    std::fs::write(&record, format!("{line}\n")).expect("a record");
    let more = [("transcriptPath", json!(record))];
    with(speaker, &speaker.session, "agentStop", recorded!("copilot/agentStop/basic"), &more)
}

pub(super) fn helper_begins(speaker: &Speaker, helper: u32) -> Vec<Hook> {
    let more = [("agentId", json!(speaker.helper(helper))), ("parentAgentId", json!(speaker.session))];
    with(speaker, &speaker.session, "subagentStart", recorded!("copilot/subagentStart/basic"), &more)
}

fn tool(speaker: &Speaker, told: &Told<'_>) -> (&'static str, Value) {
    match &told.call.tool {
        Tool::Read { path, lines: None } => ("view", json!({"path": speaker.path(path)})),
        Tool::Read { path, lines: Some((from, to)) } => {
            ("view", json!({"path": speaker.path(path), "view_range": [from, to]}))
        }
        Tool::Grep { pattern, path } => ("grep", json!({"pattern": pattern, "path": speaker.path(path)})),
        Tool::Glob { pattern } => ("glob", json!({"pattern": pattern})),
        Tool::Edit { path, old, new } => {
            ("edit", json!({"path": speaker.path(path), "old_str": old, "new_str": new}))
        }
        // What is there already cannot be created.
        Tool::Write { path, text } => match told.was(path) {
            Some(old) => ("edit", json!({"path": speaker.path(path), "old_str": old, "new_str": text})),
            None => ("create", json!({"path": speaker.path(path), "file_text": text})),
        },
        Tool::Shell { command } => ("bash", json!({"command": command, "description": "scripted command"})),
        Tool::Poll { id } => ("read_bash", json!({"shellId": id.to_string(), "delay": 5})),
        Tool::Foreign { tool, text } => (Shape::Copilot.foreign(*tool), json!({"text": text})),
        Tool::Helper { task } => {
            ("task", json!({"description": "sub job", "prompt": task, "agent_type": "general-purpose"}))
        }
    }
}

pub(super) fn before(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let (name, input) = tool(speaker, told);
    let values = [("toolName", json!(name)), ("toolArgs", input)];
    with(speaker, &speaker.session_of(told.call), "preToolUse", recorded!("copilot/preToolUse/bash"), &values)
}

pub(super) fn after(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let (name, input) = tool(speaker, told);
    let (session, output) = (speaker.session_of(told.call), &told.call.output);
    let values = [("toolName", json!(name)), ("toolArgs", input)];
    if told.tool_fails() {
        let values = [&values[..], &[("error", json!(output))]].concat();
        return with(
            speaker,
            &session,
            "postToolUseFailure",
            recorded!("copilot/postToolUseFailure/view"),
            &values,
        );
    }
    let text = match &told.call.tool {
        Tool::Shell { .. } => {
            let code = told.call.failed.unwrap_or(0);
            format!("{output}\n<shellId: {} completed with exit code {code}>", speaker.clock)
        }
        Tool::Edit { path, .. } => format!("File {} updated with changes.", speaker.path(path)),
        Tool::Write { path, text } => {
            format!("Created file {} with {} characters", speaker.path(path), text.len())
        }
        _ => output.clone(),
    };
    let result = json!({"resultType": "success", "textResultForLlm": text});
    let values = [&values[..], &[("toolResult", result)]].concat();
    with(speaker, &session, "postToolUse", recorded!("copilot/postToolUse/bash"), &values)
}
