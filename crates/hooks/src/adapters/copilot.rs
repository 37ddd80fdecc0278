//! Copilot CLI, as recorded from 1.0.102. It has two dialects, told apart by the case of the event's name; a payload of the
//! one must be answered in the same.

use serde_json::{Value, json};

use super::{call, context_text, edit_or_unknown, objection, shell_or_unknown};
use crate::Client;
use crate::decision::{Decision, Verdict};
use crate::event::{Action, Halted, HookEvent, Kind, ToolCall, ToolResult};
use crate::payload::{self, any_text, text};

pub(super) fn parse(payload: &Value, native: &str) -> HookEvent {
    let kind = match native {
        "sessionStart" | "SessionStart" => {
            Kind::SessionStart { source: text(payload, "source").unwrap_or_default() }
        }
        "userPromptSubmitted" | "UserPromptSubmit" | "UserPromptSubmitted" => {
            Kind::Prompt { text: text(payload, "prompt").unwrap_or_default() }
        }
        "preToolUse" | "PreToolUse" => Kind::BeforeTool(tool(payload)),
        "permissionRequest" | "PermissionRequest" => Kind::Permission(tool(payload)),
        "postToolUse" | "PostToolUse" => {
            let result = payload.get("toolResult").or_else(|| payload.get("tool_result"));
            let output = payload::output_text(result);
            let word = result.and_then(|r| any_text(r, &["resultType", "result_type"]));
            let halted = matches!(word.as_deref(), Some("rejected" | "denied")).then_some(Halted::Refused);
            let result = ToolResult::with_exit(payload::exit_code_in(&output), output);
            let failed = result.failed.or_else(|| word.map(|word| word != "success"));
            Kind::AfterTool(tool(payload), ToolResult { failed, halted, ..result })
        }
        "postToolUseFailure" | "PostToolUseFailure" => {
            let output = text(payload, "error").unwrap_or_default();
            Kind::AfterTool(tool(payload), ToolResult { failed: Some(true), output, ..ToolResult::default() })
        }
        // Its tool calls come under a session of their own, which is the agent's id.
        "subagentStart" | "SubagentStart" => Kind::SubagentStart {
            session: any_text(payload, &["agentId", "agent_id"]),
            parent: any_text(payload, &["sessionId", "session_id"]),
            kind: any_text(payload, &["agentType", "agent_type", "agentName", "agent_name"]),
        },
        "subagentStop" | "SubagentStop" => Kind::SubagentStop,
        "preCompact" | "PreCompact" => Kind::Compaction,
        "agentStop" | "Stop" => Kind::Stop,
        "sessionEnd" | "SessionEnd" => Kind::SessionEnd,
        _ => Kind::Other,
    };
    HookEvent { agent: text(payload, "agentId"), ..payload::event(Client::Copilot, payload, native, kind) }
}

fn tool(payload: &Value) -> ToolCall {
    let name = any_text(payload, &["toolName", "tool_name"]).unwrap_or_default();
    let empty = Value::Null;
    let input =
        ["toolArgs", "tool_input", "toolInput"].iter().find_map(|field| payload.get(field)).unwrap_or(&empty);
    // Some versions send the arguments as a string of JSON.
    let parsed = input.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let input = parsed.as_ref().unwrap_or(input);
    let action = match name.as_str() {
        "create" | "edit" | "str_replace_editor" | "Write" | "Edit" | "MultiEdit" => {
            edit_or_unknown(payload::edit(input))
        }
        "apply_patch" => edit_or_unknown(payload::patch_files(
            &any_text(input, &["patch", "input", "command"]).unwrap_or_default(),
        )),
        "bash" | "Bash" | "powershell" => shell_or_unknown(input),
        "view"
        | "glob"
        | "grep"
        | "rg"
        | "web_fetch"
        | "task"
        | "read_bash"
        | "stop_bash"
        | "list_bash"
        | "report_intent"
        | "update_todo"
        | "ask_user"
        | "fetch_copilot_cli_documentation"
        | "read_agent"
        | "list_agents"
        | "Read"
        | "Glob"
        | "Grep"
        | "Task"
        | "WebFetch" => Action::Look,
        other if other.starts_with("vib-") || other.starts_with("vib/") => Action::Look,
        _ => Action::Unknown,
    };
    call(&name, any_text(payload, &["toolCallId", "tool_use_id"]), action)
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
        (Kind::Prompt { .. }, Verdict::Hold(reason) | Verdict::Deny(reason)) => {
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
