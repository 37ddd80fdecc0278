//! Answers a Claude Code `PreToolUse` payload on standard input as the hook will: for scoring, until the hook exists.
//!
//! `VIBELIGN_GUARD_COVERED=ask` gives the plain verdict of a guard without checkpoints. `--explain` prints the verdict.

use serde_json::{Value, json};
use shell::{Covered, Decision, JudgeContext, Policy, StdFiles, judge};
use std::io::{Read, Write};
use std::path::PathBuf;

fn main() {
    let mut input = String::new();
    if std::io::stdin().read_to_string(&mut input).is_err() {
        return;
    }
    let payload: Value = serde_json::from_str(&input).unwrap_or_default();
    let command = payload["tool_input"]["command"].as_str().unwrap_or_default();
    let cwd = PathBuf::from(payload["cwd"].as_str().unwrap_or("/"));
    let home = std::env::var_os("HOME").map_or_else(|| PathBuf::from("/root"), PathBuf::from);
    let root = std::env::var_os("CLAUDE_PROJECT_DIR").map_or_else(|| cwd.clone(), PathBuf::from);
    let mut context = JudgeContext::new(root, home, &StdFiles);
    context.cwd = cwd;
    if std::env::var("VIBELIGN_GUARD_COVERED").is_ok_and(|value| value == "ask") {
        context.covered = Covered::Ask;
    }
    let verdict = judge(command, &context, &Policy::default());
    let mut out = std::io::stdout();
    if std::env::args().any(|arg| arg == "--explain") {
        let text = serde_json::to_string_pretty(&verdict).unwrap_or_default();
        let _ = out.write_all(text.as_bytes());
        return;
    }
    let answer = match verdict.decision {
        // "No objection" is not "go ahead unasked": the client's own permissions still apply.
        Decision::Allow | Decision::AllowWithCheckpoint => return,
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    };
    let reason = verdict
        .reasons
        .first()
        .map(|reason| format!("{}: {}", reason.text, reason.about))
        .unwrap_or_default();
    let answer = json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": answer, "permissionDecisionReason": reason,
    }});
    let _ = out.write_all(answer.to_string().as_bytes());
}
