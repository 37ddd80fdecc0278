//! Copilot CLI, as recorded from 1.0.102. It has two dialects, told apart by the case of the event's name; a payload of the
//! one must be answered in the same.

use serde_json::{Value, json};

use super::{context_text, objection, tool};
use crate::Client;
use crate::decision::{Decision, Verdict};
use crate::event::{Halted, HookEvent, Kind, ToolResult};
use crate::payload::{self, any_text, text};

pub(super) fn parse(payload: &Value, native: &str) -> HookEvent {
    let kind = match native {
        "sessionStart" | "SessionStart" => {
            Kind::SessionStart { source: text(payload, "source").unwrap_or_default() }
        }
        "userPromptSubmitted" | "UserPromptSubmit" | "UserPromptSubmitted" => {
            Kind::Prompt { text: text(payload, "prompt").unwrap_or_default() }
        }
        "preToolUse" | "PreToolUse" => Kind::BeforeTool(tool(Client::Copilot, payload)),
        "permissionRequest" | "PermissionRequest" => Kind::Permission(tool(Client::Copilot, payload)),
        "postToolUse" | "PostToolUse" => {
            let result = payload.get("toolResult").or_else(|| payload.get("tool_result"));
            let output = payload::output_text(result);
            let word = result.and_then(|r| any_text(r, &["resultType", "result_type"]));
            let halted = matches!(word.as_deref(), Some("rejected" | "denied")).then_some(Halted::Refused);
            let result = ToolResult::with_exit(payload::exit_code_in(&output), output);
            let failed = result.failed.or_else(|| word.map(|word| word != "success"));
            Kind::AfterTool(tool(Client::Copilot, payload), ToolResult { failed, halted, ..result })
        }
        "postToolUseFailure" | "PostToolUseFailure" => {
            let output = text(payload, "error").unwrap_or_default();
            Kind::AfterTool(
                tool(Client::Copilot, payload),
                ToolResult { failed: Some(true), output, ..ToolResult::default() },
            )
        }
        // Its tool calls come under a session of their own, which is the agent's id.
        "subagentStart" | "SubagentStart" => Kind::SubagentStart {
            session: any_text(payload, &["agentId", "agent_id"]),
            parent: any_text(payload, &["sessionId", "session_id"]),
            kind: any_text(payload, &["agentType", "agent_type", "agentName", "agent_name"]),
        },
        "subagentStop" | "SubagentStop" => Kind::SubagentStop { message: payload::last_words(payload) },
        "preCompact" | "PreCompact" => Kind::Compaction,
        "agentStop" | "Stop" => Kind::Stop { message: payload::last_words(payload) },
        "sessionEnd" | "SessionEnd" => Kind::SessionEnd,
        _ => Kind::Other,
    };
    HookEvent { agent: text(payload, "agentId"), ..payload::event(Client::Copilot, payload, native, kind) }
}

pub(super) fn answer(event: &HookEvent, decision: &Decision) -> Option<Value> {
    let camel = event.native.starts_with(|letter: char| letter.is_ascii_lowercase());
    let mut out = serde_json::Map::new();
    match (&event.kind, &decision.verdict) {
        (Kind::BeforeTool(_), verdict) => {
            if let Some(reason) = objection(verdict) {
                let word = if matches!(verdict, Verdict::Ask(_)) { "ask" } else { "deny" };
                if camel {
                    out.insert("permissionDecision".to_owned(), json!(word));
                    out.insert("permissionDecisionReason".to_owned(), json!(reason));
                } else {
                    let specific = json!({
                        "hookEventName": "PreToolUse",
                        "permissionDecision": word,
                        "permissionDecisionReason": reason,
                    });
                    out.insert("hookSpecificOutput".to_owned(), specific);
                }
            }
        }
        (Kind::Permission(_), Verdict::Deny(reason)) => {
            out.insert("behavior".to_owned(), json!("deny"));
            out.insert("message".to_owned(), json!(reason));
        }
        (Kind::Permission(_), Verdict::Approve(_)) => {
            out.insert("behavior".to_owned(), json!("allow"));
        }
        (Kind::Prompt { .. }, Verdict::Hold(reason) | Verdict::Deny(reason))
        | (Kind::Stop { .. }, Verdict::Deny(reason)) => {
            out.insert("decision".to_owned(), json!("block"));
            out.insert("reason".to_owned(), json!(reason));
        }
        _ => {}
    }
    let carries_context = matches!(
        event.kind,
        Kind::SessionStart { .. }
            | Kind::Prompt { .. }
            | Kind::BeforeTool(_)
            | Kind::AfterTool(..)
            | Kind::SubagentStart { .. }
    );
    if carries_context && let Some(context) = context_text(decision, true) {
        out.insert("additionalContext".to_owned(), json!(context));
    }
    (!out.is_empty()).then_some(Value::Object(out))
}
