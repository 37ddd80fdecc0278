//! Codex CLI, as recorded from 0.166.0. It throws an answer away as a whole if it contains one field too many.

use serde_json::{Value, json};

use super::{context_text, objection, tool};
use crate::Client;
use crate::decision::{Decision, Verdict};
use crate::event::{Action, HookEvent, Kind, ToolResult};
use crate::payload::{self, text};

pub(super) fn parse(payload: &Value, native: &str) -> HookEvent {
    let kind = match native {
        "SessionStart" => Kind::SessionStart { source: text(payload, "source").unwrap_or_default() },
        // A sub-agent's task also comes as a prompt; it is no word of the person.
        "UserPromptSubmit" if text(payload, "agent_id").is_some() => Kind::Other,
        "UserPromptSubmit" => Kind::Prompt { text: text(payload, "prompt").unwrap_or_default() },
        "PreToolUse" => Kind::BeforeTool(tool(Client::Codex, payload)),
        "PermissionRequest" => Kind::Permission(tool(Client::Codex, payload)),
        "PostToolUse" => {
            let output = payload::output_text(payload.get("tool_response"));
            let call = tool(Client::Codex, payload);
            // Of a command only the output comes, which may say anything; its exit code is in the transcript.
            let is_command = matches!(call.action, Action::Shell { .. });
            let exit_code = if is_command { None } else { payload::exit_code_in(&output) };
            Kind::AfterTool(call, ToolResult::with_exit(exit_code, output))
        }
        "SubagentStart" => Kind::SubagentStart { session: None, parent: None, kind: None },
        "SubagentStop" => Kind::SubagentStop { message: payload::last_words(payload) },
        "PreCompact" => Kind::Compaction,
        "Stop" => Kind::Stop { message: payload::last_words(payload) },
        "SessionEnd" => Kind::SessionEnd,
        _ => Kind::Other,
    };
    let mut event = payload::event(Client::Codex, payload, native, kind);
    if event.agent.is_some() {
        // A sub-agent counts turns of its own; what it serves is the turn that the person opened.
        event.turn = None;
    }
    event
}

pub(super) fn answer(event: &HookEvent, decision: &Decision) -> Option<Value> {
    match (&event.kind, &decision.verdict) {
        (Kind::BeforeTool(_), verdict) if *verdict != Verdict::Pass => {
            let reason = objection(verdict)?;
            Some(json!({"hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": reason,
            }}))
        }
        (Kind::Permission(_), Verdict::Deny(reason)) => Some(json!({"hookSpecificOutput": {
            "hookEventName": "PermissionRequest",
            "decision": {"behavior": "deny", "message": reason},
        }})),
        (Kind::Permission(_), Verdict::Approve(_)) => Some(json!({"hookSpecificOutput": {
            "hookEventName": "PermissionRequest",
            "decision": {"behavior": "allow"},
        }})),
        (Kind::Prompt { .. }, Verdict::Hold(reason) | Verdict::Deny(reason))
        | (Kind::Stop { .. }, Verdict::Deny(reason)) => Some(json!({"decision": "block", "reason": reason})),
        (Kind::SessionStart { .. } | Kind::Prompt { .. } | Kind::BeforeTool(_) | Kind::AfterTool(..), _) => {
            let context = context_text(decision, true)?;
            Some(json!({"hookSpecificOutput": {"hookEventName": event.native, "additionalContext": context}}))
        }
        _ => None,
    }
}
