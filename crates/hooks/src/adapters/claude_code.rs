//! Claude Code, as recorded from 2.1.325.

use serde_json::{Value, json};

use super::{context_text, message, objection, tool};
use crate::Client;
use crate::decision::{Decision, Verdict};
use crate::event::{Action, Halted, HookEvent, Kind, ToolResult};
use crate::payload::{self, text};

pub(super) fn parse(payload: &Value, native: &str) -> HookEvent {
    let kind = match native {
        "SessionStart" => Kind::SessionStart { source: text(payload, "source").unwrap_or_default() },
        "UserPromptSubmit" => Kind::Prompt { text: text(payload, "prompt").unwrap_or_default() },
        "PreToolUse" => Kind::BeforeTool(tool(Client::ClaudeCode, payload)),
        "PermissionRequest" => Kind::Permission(tool(Client::ClaudeCode, payload)),
        "PostToolUse" => {
            let output = payload::output_text(payload.get("tool_response"));
            // What the tools for lists answer has fields and no text.
            let is_list = text(payload, "tool_name").is_some_and(|name| name.starts_with("Task"));
            let output = match payload.get("tool_response") {
                Some(fields @ Value::Object(_)) if is_list && output.is_empty() => fields.to_string(),
                _ => output,
            };
            let changed =
                payload.pointer("/tool_response/bashEditDiff/changedFiles").and_then(Value::as_array);
            let changed = changed.into_iter().flatten().filter_map(Value::as_str).map(Into::into).collect();
            let call = tool(Client::ClaudeCode, payload);
            let exit_code = (matches!(call.action, Action::Shell { .. }) && has_ended(payload)).then_some(0);
            let failed = Some(false);
            let took_ms = took_ms(payload);
            let result = ToolResult { failed, exit_code, took_ms, output, changed, ..ToolResult::default() };
            Kind::AfterTool(call, result)
        }
        "PostToolUseFailure" => {
            let output = text(payload, "error").unwrap_or_default();
            let exit_code = payload::exit_code_in(output.lines().next().unwrap_or_default());
            let interrupted = payload.get("is_interrupt") == Some(&Value::Bool(true));
            let halted = interrupted.then_some(Halted::CutOff);
            let result = ToolResult::with_exit(exit_code, output);
            Kind::AfterTool(
                tool(Client::ClaudeCode, payload),
                ToolResult { failed: Some(true), halted, took_ms: took_ms(payload), ..result },
            )
        }
        "SubagentStart" => Kind::SubagentStart { session: None, parent: None, kind: None },
        // Compaction ends two nameless sub-agents, which nobody started.
        "SubagentStop" if text(payload, "agent_type").is_none() => Kind::Other,
        "SubagentStop" => Kind::SubagentStop { message: payload::last_words(payload) },
        "PreCompact" => Kind::Compaction,
        "Stop" => Kind::Stop { message: payload::last_words(payload) },
        "SessionEnd" => Kind::SessionEnd,
        _ => Kind::Other,
    };
    payload::event(Client::ClaudeCode, payload, native, kind)
}

fn took_ms(payload: &Value) -> Option<i64> {
    payload::took_ms(payload, "duration_ms")
}

/// A command in the background goes on; one that the person stopped has no exit code.
fn has_ended(payload: &Value) -> bool {
    let response = payload.get("tool_response");
    let field = |name: &str| response.and_then(|response| response.get(name));
    field("backgroundTaskId").is_none_or(Value::is_null) && field("interrupted") != Some(&Value::Bool(true))
}

pub(super) fn answer(event: &HookEvent, decision: &Decision) -> Option<Value> {
    let mut out = serde_json::Map::new();
    match (&event.kind, &decision.verdict) {
        (Kind::BeforeTool(_), verdict) => {
            let mut specific = serde_json::Map::new();
            if let Some(reason) = objection(verdict) {
                let word = if matches!(verdict, Verdict::Ask(_)) { "ask" } else { "deny" };
                specific.insert("permissionDecision".to_owned(), json!(word));
                specific.insert("permissionDecisionReason".to_owned(), json!(reason));
            }
            if let Some(context) = context_text(decision, true) {
                specific.insert("additionalContext".to_owned(), json!(context));
            }
            if !specific.is_empty() {
                specific.insert("hookEventName".to_owned(), json!("PreToolUse"));
                out.insert("hookSpecificOutput".to_owned(), Value::Object(specific));
            }
        }
        // The client is about to ask the person: a question of ours adds nothing, a no and a yes do.
        (Kind::Permission(_), Verdict::Deny(reason)) => {
            let decision = json!({"behavior": "deny", "message": reason});
            let specific = json!({"hookEventName": "PermissionRequest", "decision": decision});
            out.insert("hookSpecificOutput".to_owned(), specific);
        }
        (Kind::Permission(_), Verdict::Approve(_)) => {
            let specific = json!({"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}});
            out.insert("hookSpecificOutput".to_owned(), specific);
        }
        (Kind::Prompt { .. }, Verdict::Hold(reason) | Verdict::Deny(reason))
        | (Kind::Stop { .. }, Verdict::Deny(reason)) => {
            out.insert("decision".to_owned(), json!("block"));
            out.insert("reason".to_owned(), json!(reason));
        }
        (
            Kind::Prompt { .. }
            | Kind::SessionStart { .. }
            | Kind::AfterTool(..)
            | Kind::SubagentStart { .. },
            _,
        ) => {
            if let Some(context) = context_text(decision, true) {
                let specific = json!({"hookEventName": event.native, "additionalContext": context});
                out.insert("hookSpecificOutput".to_owned(), specific);
            }
        }
        _ => {}
    }
    if let Some(message) = message(decision) {
        out.insert("systemMessage".to_owned(), json!(message));
    }
    (!out.is_empty()).then_some(Value::Object(out))
}
