//! Cursor, from its public documentation of hooks version 1. It could not be run here, so nothing of this is recorded.

use serde_json::{Value, json};

use super::{context_text, objection, tool, tools};
use crate::Client;
use crate::decision::{Decision, Verdict};
use crate::event::{HookEvent, Kind, ToolCall, ToolResult};
use crate::payload::{self, text};

pub(super) fn parse(payload: &Value, native: &str) -> HookEvent {
    let kind = match native {
        "sessionStart" => Kind::SessionStart { source: text(payload, "source").unwrap_or_default() },
        "beforeSubmitPrompt" => Kind::Prompt { text: text(payload, "prompt").unwrap_or_default() },
        "beforeShellExecution" => Kind::BeforeTool(shell(payload)),
        "beforeMCPExecution" => Kind::BeforeTool(tool(Client::Cursor, payload)),
        "preToolUse" => Kind::BeforeTool(tool(Client::Cursor, payload)),
        "postToolUse" => {
            let output = payload::output_text(payload.get("tool_output"));
            let took_ms = payload::took_ms(payload, "duration");
            Kind::AfterTool(
                tool(Client::Cursor, payload),
                ToolResult { failed: Some(false), output, took_ms, ..ToolResult::default() },
            )
        }
        "postToolUseFailure" => {
            let output = text(payload, "error_message").unwrap_or_default();
            let took_ms = payload::took_ms(payload, "duration");
            Kind::AfterTool(
                tool(Client::Cursor, payload),
                ToolResult { failed: Some(true), output, took_ms, ..ToolResult::default() },
            )
        }
        "afterFileEdit" => Kind::AfterTool(
            tools::call(Client::Cursor, Some("Edit".to_owned()), None, payload),
            ToolResult { failed: Some(false), output: String::new(), ..ToolResult::default() },
        ),
        "afterShellExecution" => {
            let output = text(payload, "output").unwrap_or_default();
            Kind::AfterTool(shell(payload), ToolResult { failed: None, output, ..ToolResult::default() })
        }
        "subagentStart" => Kind::SubagentStart { session: None, parent: None, kind: None },
        "subagentStop" => Kind::SubagentStop { message: payload::last_words(payload) },
        "preCompact" => Kind::Compaction,
        "stop" => Kind::Stop { message: payload::last_words(payload) },
        "sessionEnd" => Kind::SessionEnd,
        _ => Kind::Other,
    };
    let mut event = payload::event(Client::Cursor, payload, native, kind);
    if event.cwd.is_none() {
        let roots = payload.get("workspace_roots").and_then(Value::as_array);
        event.cwd = roots.and_then(|roots| roots.first()).and_then(Value::as_str).map(Into::into);
    }
    event
}

/// Its own events for commands are the arguments themselves.
fn shell(payload: &Value) -> ToolCall {
    let call = tools::call(Client::ClaudeCode, Some("Bash".to_owned()), None, payload);
    ToolCall { tool: "Shell".to_owned(), ..call }
}

pub(super) fn answer(event: &HookEvent, decision: &Decision) -> Option<Value> {
    match (&event.kind, &decision.verdict) {
        (Kind::BeforeTool(_), verdict) => {
            let reason = objection(verdict)?;
            // `preToolUse` knows no question; there, what would be asked about is refused.
            let asks = matches!(verdict, Verdict::Ask(_)) && event.native != "preToolUse";
            let word = if asks { "ask" } else { "deny" };
            Some(json!({"permission": word, "user_message": reason, "agent_message": reason}))
        }
        (Kind::Prompt { .. }, Verdict::Hold(reason) | Verdict::Deny(reason)) => {
            Some(json!({"continue": false, "user_message": reason}))
        }
        (Kind::SessionStart { .. } | Kind::AfterTool(..), _) => {
            let context = context_text(decision, true)?;
            Some(json!({"additional_context": context}))
        }
        _ => None,
    }
}
