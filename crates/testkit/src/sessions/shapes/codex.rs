//! Codex CLI: it reads and searches with the shell, edits with patches, and does not tell how a command ended.

use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Hook, Shape, Speaker, Told, fill, named, recorded};
use crate::sessions::{Effect, Tool};

fn with(speaker: &Speaker, recorded: &str, more: &[(&str, Value)]) -> Value {
    let mut payload =
        fill(recorded, &[("session_id", json!(speaker.session)), ("cwd", json!(speaker.cwd()))]);
    if payload.get("turn_id").is_some() {
        payload["turn_id"] = json!(format!("{}-turn-{}", speaker.session, speaker.turn));
    }
    fill(&payload.to_string(), more)
}

pub(super) fn start(speaker: &Speaker) -> Vec<Hook> {
    named(with(speaker, recorded!("codex/SessionStart/startup"), &[]))
}

pub(super) fn prompt(speaker: &Speaker, text: &str) -> Vec<Hook> {
    named(with(speaker, recorded!("codex/UserPromptSubmit/basic"), &[("prompt", json!(text))]))
}

pub(super) fn shortened(speaker: &Speaker) -> Vec<Hook> {
    named(with(speaker, recorded!("codex/PreCompact/auto"), &[]))
}

pub(super) fn over(speaker: &Speaker) -> Vec<Hook> {
    named(with(speaker, recorded!("codex/Stop/basic"), &[]))
}

pub(super) fn helper_begins(speaker: &Speaker, helper: u32) -> Vec<Hook> {
    let agent = json!(format!("agent-{helper}"));
    let more = [("agent_id", agent)];
    let mut hooks = named(with(speaker, recorded!("codex/SubagentStart/subagent"), &more));
    hooks.extend(named(with(speaker, recorded!("codex/UserPromptSubmit/subagent"), &more)));
    hooks
}

fn lines(text: &str, sign: char) -> String {
    text.lines().map(|line| format!("{sign}{line}\n")).collect()
}

/// The tool and its arguments; none: no hook is called.
fn tool(told: &Told<'_>) -> Option<(&'static str, Value)> {
    let shell = |command: String| Some(("Bash", json!({"command": command})));
    match &told.call.tool {
        Tool::Read { path, lines: None } => shell(format!("cat '{path}'")),
        Tool::Read { path, lines: Some((from, to)) } => shell(format!("sed -n '{from},{to}p' {path}")),
        Tool::Grep { pattern, path } => shell(format!("rg -n '{pattern}' {path}")),
        Tool::Glob { pattern } => shell(format!("rg --files -g '{pattern}'")),
        Tool::Edit { path, old, new } => {
            let (old, new) = (lines(old, '-'), lines(new, '+'));
            let patch = format!("*** Begin Patch\n*** Update File: {path}\n@@\n{old}{new}*** End Patch");
            Some(("apply_patch", json!({"command": patch})))
        }
        Tool::Write { path, text } => {
            let new = lines(text, '+');
            let how = match told.was(path) {
                Some(old) => format!("*** Update File: {path}\n@@\n{}{new}", lines(old, '-')),
                None => format!("*** Add File: {path}\n{new}"),
            };
            Some(("apply_patch", json!({"command": format!("*** Begin Patch\n{how}*** End Patch")})))
        }
        Tool::Shell { command } => shell(command.clone()),
        Tool::Poll { .. } => None,
        Tool::Foreign { tool, text } => Some((Shape::Codex.foreign(*tool), json!({"text": text}))),
        Tool::Helper { task } => Some(("spawn_agent", json!({"message": task}))),
    }
}

fn values(told: &Told<'_>) -> Option<Vec<(&'static str, Value)>> {
    let (name, input) = tool(told)?;
    Some(vec![("tool_name", json!(name)), ("tool_input", input), ("tool_use_id", json!(told.id))])
}

fn of_helper(told: &Told<'_>, mut payload: Value) -> Value {
    if let Some(helper) = told.call.by {
        payload["agent_id"] = json!(format!("agent-{helper}"));
        payload["agent_type"] = json!("default");
    }
    payload
}

pub(super) fn before(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let Some(values) = values(told) else { return Vec::new() };
    let mut payload = of_helper(told, with(speaker, recorded!("codex/PreToolUse/Bash"), &values));
    payload["transcript_path"] = json!(written_down(speaker, told));
    named(payload)
}

/// Codex writes every call into its record of the session before it asks its hooks; only there it says in which folder it runs.
fn written_down(speaker: &Speaker, told: &Told<'_>) -> PathBuf {
    let record = speaker.root.with_extension(format!("{}.jsonl", speaker.session));
    let line = json!({"type": "response_item", "payload": {"type": "function_call", "name": "exec_command",
        "call_id": told.id, "arguments": "{\"cmd\":\"…\"}"}});
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&record);
    let written = file.and_then(|mut file| writeln!(file, "{line}"));
    written.unwrap_or_else(|error| panic!("`{}` can't be written: {error}", record.display()));
    record
}

pub(super) fn after(speaker: &Speaker, told: &Told<'_>) -> Vec<Hook> {
    let Some(mut values) = values(told) else { return Vec::new() };
    let response = match &told.call.tool {
        // How a patch that does not fit is told was not recorded: nothing is the least that may come.
        Tool::Edit { .. } | Tool::Write { .. } if told.call.failed.is_some() => return Vec::new(),
        Tool::Edit { .. } | Tool::Write { .. } => {
            let files: String = told
                .call
                .effects
                .iter()
                .map(|effect| match effect {
                    Effect::Write(path, _) if told.was(path).is_none() => format!("A {path}\n"),
                    other => format!("M {}\n", other.path()),
                })
                .collect();
            format!(
                "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n{files}"
            )
        }
        _ => told.call.output.clone(),
    };
    let response = match &told.call.tool {
        Tool::Foreign { .. } => json!({"content": [{"type": "text", "text": response}], "isError": false}),
        _ => json!(response),
    };
    values.push(("tool_response", response));
    named(of_helper(told, with(speaker, recorded!("codex/PostToolUse/Bash"), &values)))
}
