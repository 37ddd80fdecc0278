//! OpenCode 1.18: it has no hooks, only plugins. Vib's plugin forwards what matters and carries out the answer:
//! `{"deny"}` throws, `{"additionalContext"}` goes into the system prompt, `{"replacePrompt"}` takes the prompt's place.

use serde_json::{Value, json};

use super::{context_text, objection, tool};
use crate::Client;
use crate::decision::{Decision, Verdict};
use crate::event::{HookEvent, Kind, ToolResult};
use crate::payload::{self, text};

pub(super) fn parse(payload: &Value, native: &str) -> HookEvent {
    let bus = text(payload, "type").unwrap_or_default();
    let parent = payload.pointer("/properties/info/parentID").and_then(Value::as_str).map(str::to_owned);
    let kind = match (native, bus.as_str()) {
        ("event", "session.created") if parent.is_some() => {
            let kind = payload.pointer("/properties/info/agent").and_then(Value::as_str).map(str::to_owned);
            Kind::SubagentStart { session: text(payload, "session_id"), parent, kind }
        }
        ("event", "session.created") => Kind::SessionStart { source: "startup".to_owned() },
        ("event", "session.idle") => Kind::Stop { message: payload::last_words(payload) },
        ("event", "session.compacted") => Kind::Compaction,
        ("chat.message", _) => Kind::Prompt { text: prompt(payload) },
        ("tool.execute.before", _) => Kind::BeforeTool(tool(Client::OpenCode, payload)),
        ("tool.execute.after", _) => {
            let response = payload.get("tool_response");
            let exit = response.and_then(|r| r.pointer("/metadata/exit")).and_then(Value::as_i64);
            let is_error = response.and_then(|r| r.get("isError")).and_then(Value::as_bool);
            let result = ToolResult::with_exit(exit, payload::output_text(response));
            let failed = result.failed.or(is_error).or(Some(false));
            let took_ms = payload::took_ms(payload, "duration_ms");
            Kind::AfterTool(tool(Client::OpenCode, payload), ToolResult { failed, took_ms, ..result })
        }
        _ => Kind::Other,
    };
    payload::event(Client::OpenCode, payload, native, kind)
}

/// The text parts of the message. `opencode run` wraps the prompt in quotes.
fn prompt(payload: &Value) -> String {
    let parts = payload.pointer("/output/parts").and_then(Value::as_array);
    let texts: Vec<&str> =
        parts.into_iter().flatten().filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
    let text = texts.join("\n");
    let bare = text.trim();
    match bare.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if !inner.contains('"') => inner.to_owned(),
        _ => bare.to_owned(),
    }
}

pub(super) fn answer(event: &HookEvent, decision: &Decision) -> Option<Value> {
    let mut out = serde_json::Map::new();
    match (&event.kind, &decision.verdict) {
        (Kind::BeforeTool(_), verdict) => {
            if let Some(reason) = objection(verdict) {
                out.insert("deny".to_owned(), json!(reason));
            } else if !decision.environment.is_empty() {
                let variables =
                    decision.environment.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
                out.insert("environment".to_owned(), Value::Object(variables.collect()));
            }
        }
        // A plugin cannot hold a message back, so the message itself is replaced: the model never sees the person's.
        (Kind::Prompt { .. }, Verdict::Hold(reason) | Verdict::Deny(reason)) => {
            let text = format!(
                "Show the person exactly the text between the lines, use no tool, and add nothing.\n----\n{reason}\n----"
            );
            out.insert("replacePrompt".to_owned(), json!(text));
        }
        _ => {}
    }
    // After a tool, the plugin writes it below the tool's output.
    let carries_context = matches!(
        event.kind,
        Kind::SessionStart { .. } | Kind::Prompt { .. } | Kind::SubagentStart { .. } | Kind::AfterTool(..)
    );
    if carries_context && let Some(context) = context_text(decision, true) {
        out.insert("additionalContext".to_owned(), json!(context));
    }
    (!out.is_empty()).then_some(Value::Object(out))
}
