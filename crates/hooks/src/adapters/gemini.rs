//! Gemini CLI, as recorded from 0.61.0.

use serde_json::{Value, json};

use super::{context_text, message, objection, tool};
use crate::Client;
use crate::decision::{Decision, Verdict};
use crate::event::{Action, HookEvent, Kind, ToolResult};
use crate::payload::{self, text};

pub(super) fn parse(payload: &Value, native: &str) -> HookEvent {
    let kind = match native {
        "SessionStart" => Kind::SessionStart { source: text(payload, "source").unwrap_or_default() },
        "BeforeAgent" => Kind::Prompt { text: prompt(payload) },
        "BeforeTool" => Kind::BeforeTool(tool(Client::Gemini, payload)),
        "AfterTool" => {
            let output = payload::output_text(payload.get("tool_response"));
            let error = payload.pointer("/tool_response/error").is_some_and(|error| !error.is_null());
            let call = tool(Client::Gemini, payload);
            // The exit code is only written down when it is not zero.
            let told = payload::exit_code_in(&output);
            let ended = matches!(call.action, Action::Shell { .. }) && !error;
            let result = ToolResult::with_exit(told.or(ended.then_some(0)), output);
            let failed = Some(error || result.failed == Some(true));
            Kind::AfterTool(call, ToolResult { failed, ..result })
        }
        "AfterAgent" => Kind::Stop { message: payload::last_words(payload) },
        "SessionEnd" => Kind::SessionEnd,
        // `PreCompress` comes before every request to the model, compression or not.
        _ => Kind::Other,
    };
    payload::event(Client::Gemini, payload, native, kind)
}

/// What the person wrote. What hooks had to say at the start of the session stands before it, in a tag that cannot occur
/// inside: Gemini escapes `<` there.
fn prompt(payload: &Value) -> String {
    let mut rest = text(payload, "prompt").unwrap_or_default();
    while let Some((_, after)) =
        rest.trim_start().strip_prefix("<hook_context>").and_then(|inner| inner.split_once("</hook_context>"))
    {
        rest = after.trim_start().to_owned();
    }
    rest
}

pub(super) fn answer(event: &HookEvent, decision: &Decision) -> Option<Value> {
    let mut out = serde_json::Map::new();
    match (&event.kind, &decision.verdict) {
        (Kind::BeforeTool(_), verdict) => {
            if let Some(reason) = objection(verdict) {
                out.insert("decision".to_owned(), json!("deny"));
                out.insert("reason".to_owned(), json!(reason));
            }
        }
        (Kind::Prompt { .. }, Verdict::Hold(reason) | Verdict::Deny(reason))
        | (Kind::Stop { .. }, Verdict::Deny(reason)) => {
            out.insert("decision".to_owned(), json!("deny"));
            out.insert("reason".to_owned(), json!(reason));
        }
        (Kind::SessionStart { .. } | Kind::Prompt { .. } | Kind::AfterTool(..), _) => {
            if let Some(context) = context_text(decision, false) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hooks_said_before_is_no_part_of_the_prompt() {
        for (sent, meant) in [
            ("/rollback", "/rollback"),
            ("<hook_context>vib &lt;/hook_context&gt;</hook_context>\n\n/rollback", "/rollback"),
            ("<hook_context>one</hook_context>\n<hook_context>two</hook_context>\n\nundo that", "undo that"),
            ("what is <hook_context>x</hook_context>?", "what is <hook_context>x</hook_context>?"),
            ("<hook_context>never closed", "<hook_context>never closed"),
        ] {
            let event = parse(&json!({"prompt": sent}), "BeforeAgent");
            assert_eq!(event.kind, Kind::Prompt { text: meant.to_owned() });
        }
    }
}
