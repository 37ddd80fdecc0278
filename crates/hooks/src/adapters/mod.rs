//! One adapter per client: its payloads in, its answers out. What denies in one client is ignored in another, so no two
//! of them share a writer unless the clients were seen to understand the same thing.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod opencode;
mod repeats;

pub(crate) use repeats::looked_at;

use redact::Clean;
use serde_json::Value;

use crate::Client;
use crate::decision::{Decision, Reply, Verdict};
use crate::event::{Action, HookEvent, ToolCall};
use crate::payload::{BadPayload, text};

/// Reads a payload. `event` is the name from the command line, for clients that do not put it into the payload.
pub fn parse(client: Client, event: Option<&str>, input: &[u8]) -> Result<HookEvent, BadPayload> {
    let payload: Value = serde_json::from_slice(input)
        .map_err(|error| BadPayload::NotJson { client: client.title(), detail: error.to_string() })?;
    if !payload.is_object() {
        return Err(BadPayload::NotAnObject(client.title()));
    }
    let named = text(&payload, "hook_event_name").or_else(|| text(&payload, "hookName"));
    // The command line was written by us for this event; the payload may use another spelling of it.
    let native = event.map(str::to_owned).or(named).ok_or(BadPayload::NoEvent(client.title()))?;
    let mut event = match client {
        Client::ClaudeCode => claude_code::parse(&payload, &native),
        Client::Codex => codex::parse(&payload, &native),
        Client::Gemini => gemini::parse(&payload, &native),
        Client::OpenCode => opencode::parse(&payload, &native),
        Client::Copilot => copilot::parse(&payload, &native),
        Client::Cursor => cursor::parse(&payload, &native),
    };
    event.make_paths_absolute();
    repeats::complete(&mut event, &payload);
    Ok(event)
}

/// Writes the answer that this client understands.
pub fn reply(event: &HookEvent, decision: &Decision) -> Reply {
    let passed_on = without_a_place_for_suggestions(event.client).then(|| pass_on(decision)).flatten();
    let decision = passed_on.as_ref().unwrap_or(decision);
    let answer = match event.client {
        Client::ClaudeCode => claude_code::answer(event, decision),
        Client::Codex => codex::answer(event, decision),
        Client::Gemini => gemini::answer(event, decision),
        Client::OpenCode => opencode::answer(event, decision),
        Client::Copilot => copilot::answer(event, decision),
        Client::Cursor => cursor::answer(event, decision),
    };
    let mut stderr = String::new();
    for warning in &decision.warnings {
        stderr.push_str("vib: ");
        stderr.push_str(warning);
        stderr.push('\n');
    }
    Reply { stdout: answer.map(|value| value.to_string()).unwrap_or_default(), stderr }
}

/// Clients that show the person nothing of ours: there only the model can pass a suggestion on.
fn without_a_place_for_suggestions(client: Client) -> bool {
    !matches!(client, Client::ClaudeCode | Client::Gemini)
}

fn pass_on(decision: &Decision) -> Option<Decision> {
    let suggestion = decision.suggestion.clone()?;
    let mut decision = decision.clone();
    decision.context.push(suggestion);
    Some(decision)
}

/// What the client shows to the person.
fn message(decision: &Decision) -> Option<String> {
    let warnings = decision.warnings.iter().map(String::as_str);
    let all: Vec<&str> = warnings.chain(decision.suggestion.as_ref().map(Clean::as_str)).collect();
    (!all.is_empty()).then(|| format!("vib: {}", all.join("; ")))
}

/// A tool call, given how the tool's name is understood.
fn call(tool: &str, id: Option<String>, action: Action) -> ToolCall {
    ToolCall { tool: tool.to_owned(), id, action, arguments: String::new(), waits: false }
}

/// An edit without a path cannot be followed: better to save too much than to miss it.
fn edit_or_unknown(edits: Vec<crate::event::Edit>) -> Action {
    if edits.is_empty() { Action::Unknown } else { Action::Edit(edits) }
}

fn shell_or_unknown(input: &Value) -> Action {
    match input.get("command").and_then(Value::as_str) {
        Some(command) => Action::Shell { command: command.to_owned() },
        None => Action::Unknown,
    }
}

/// The facts for the model, as one text; warnings too where there is no other way to make them visible.
fn context_text(decision: &Decision, with_warnings: bool) -> Option<String> {
    let facts = decision.context.iter().map(|clean| clean.as_str().to_owned());
    let warnings = decision.warnings.iter().filter(|_| with_warnings);
    let all: Vec<String> =
        facts.chain(warnings.map(|warning| format!("vib could not do its part: {warning}"))).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// The reason of a refusal; `None` where there is no objection.
fn objection(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Pass => None,
        Verdict::Ask(reason) | Verdict::Deny(reason) | Verdict::Hold(reason) => Some(reason),
    }
}
