//! Cursor, from its public documentation of hooks version 1. It could not be run here, so nothing of this is recorded.

use serde_json::{Value, json};

use super::{call, context_text, edit_or_unknown, objection, shell_or_unknown};
use crate::Client;
use crate::decision::{Decision, Verdict};
use crate::event::{Action, HookEvent, Kind, ToolCall, ToolResult};
use crate::payload::{self, path, text};

pub(super) fn parse(payload: &Value, native: &str) -> HookEvent {
    let kind = match native {
        "sessionStart" => Kind::SessionStart { source: text(payload, "source").unwrap_or_default() },
        "beforeSubmitPrompt" => Kind::Prompt { text: text(payload, "prompt").unwrap_or_default() },
        "beforeShellExecution" => Kind::BeforeTool(call("Shell", None, shell_or_unknown(payload))),
        "beforeMCPExecution" => {
            let name = text(payload, "tool_name").unwrap_or_else(|| "mcp".to_owned());
            Kind::BeforeTool(call(&name, None, Action::Unknown))
        }
        "preToolUse" => Kind::BeforeTool(tool(payload)),
        "postToolUse" => {
            let output = payload::output_text(payload.get("tool_output"));
            Kind::AfterTool(
                tool(payload),
                ToolResult { failed: Some(false), output, ..ToolResult::default() },
            )
        }
        "postToolUseFailure" => {
            let output = text(payload, "error_message").unwrap_or_default();
            Kind::AfterTool(tool(payload), ToolResult { failed: Some(true), output, ..ToolResult::default() })
        }
        "afterFileEdit" => {
            let action = edit_or_unknown(payload::edit(payload));
            Kind::AfterTool(
                call("Edit", None, action),
                ToolResult { failed: Some(false), output: String::new(), ..ToolResult::default() },
            )
        }
        "afterShellExecution" => {
            let output = text(payload, "output").unwrap_or_default();
            Kind::AfterTool(
                call("Shell", None, shell_or_unknown(payload)),
                ToolResult { failed: None, output, ..ToolResult::default() },
            )
        }
        "subagentStart" => Kind::SubagentStart { session: None, parent: None, kind: None },
        "subagentStop" => Kind::SubagentStop,
        "preCompact" => Kind::Compaction,
        "stop" => Kind::Stop,
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

fn tool(payload: &Value) -> ToolCall {
    let name = text(payload, "tool_name").unwrap_or_default();
    let empty = Value::Null;
    let input = payload.get("tool_input").unwrap_or(&empty);
    let action = match name.as_str() {
        "Write" | "Edit" | "StrReplace" | "MultiEdit" => edit_or_unknown(payload::edit(input)),
        "Delete" => match path(input, &["file_path", "path"]) {
            Some(path) => {
                Action::Edit(vec![crate::event::Edit { path, change: crate::event::Change::Unknown }])
            }
            None => Action::Unknown,
        },
        // Judged at `beforeShellExecution`, which knows the folder; asking twice would save twice.
        "Shell" => Action::Look,
        "Read" | "Grep" | "Glob" | "LS" | "Task" | "WebSearch" | "WebFetch" | "SemanticSearch" => {
            Action::Look
        }
        _ => Action::Unknown,
    };
    call(&name, text(payload, "tool_use_id"), action)
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
