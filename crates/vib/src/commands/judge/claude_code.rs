//! Claude Code's `PreToolUse` and `PermissionRequest` hooks, for trying and scoring the judge on its own.
//!
//! The contract (observed on 2.1): exit 0 and exactly one JSON object with a reason, or nothing at all, which leaves the
//! decision to the client's own permissions. "No objection" is never turned into "allow": it would skip the prompt that
//! the user expects. A payload that cannot be read is asked about. No checkpoint is taken here, so what only a checkpoint
//! makes harmless is asked about too, unless `VIBELIGN_GUARD_COVERED` says `allow`. Where nobody can be asked, asking is denying.

use engine::judge::{Decision, judge_without_checkpoint};
use hooks::attended::{self, Told};
use hooks::{Client, Verdict};
use project::Context;
use serde_json::{Value, json};

/// The bytes to print for a payload.
pub(super) fn answer(context: Context, payload: &[u8]) -> Vec<u8> {
    let Ok(payload) = serde_json::from_slice::<Value>(payload) else {
        return decided(Told::default(), Decision::Ask, "vib could not read what the client sent");
    };
    let told = Told {
        mode: payload["permission_mode"].as_str(),
        event: payload["hook_event_name"].as_str().unwrap_or("PreToolUse"),
        unattended: attended::is_unattended(Client::ClaudeCode, |name| std::env::var(name).ok()),
    };
    if payload["tool_name"].as_str().is_some_and(|tool| tool != "Bash") {
        return Vec::new();
    }
    let Some(command) = payload["tool_input"]["command"].as_str() else {
        return decided(told, Decision::Ask, "vib found no command in what the client sent");
    };
    let context = match payload["cwd"].as_str() {
        Some(folder) => context.in_folder(folder.as_ref()),
        None => Ok(context),
    };
    match context {
        Ok(context) => {
            let report = judge_without_checkpoint(&context, command);
            decided(told, report.decision, &report.why())
        }
        Err(error) => {
            decided(told, Decision::Ask, &format!("vib cannot see the folder of the command: {error}"))
        }
    }
}

fn decided(told: Told<'_>, decision: Decision, reason: &str) -> Vec<u8> {
    let event = if told.event.is_empty() { "PreToolUse" } else { told.event };
    let verdict = match decision {
        Decision::Allow | Decision::AllowWithCheckpoint => Verdict::Pass,
        Decision::Ask => Verdict::Ask(reason.to_owned()),
        Decision::Deny => Verdict::Deny(reason.to_owned()),
    };
    let (word, reason) = match attended::settle(attended::answer(Client::ClaudeCode, told), verdict) {
        Verdict::Ask(reason) => ("ask", reason),
        Verdict::Deny(reason) => ("deny", reason),
        Verdict::Pass | Verdict::Approve(_) | Verdict::Hold(_) => return Vec::new(),
    };
    let output = if event == "PermissionRequest" {
        // The person is being asked already: only a denial adds anything.
        if word == "ask" {
            return Vec::new();
        }
        json!({"hookEventName": event, "decision": {"behavior": "deny", "message": reason}})
    } else {
        json!({"hookEventName": event, "permissionDecision": word, "permissionDecisionReason": reason})
    };
    format!("{}\n", json!({"hookSpecificOutput": output})).into_bytes()
}
