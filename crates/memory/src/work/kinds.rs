//! The events that work memory is made of: what their bodies look like.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(super) const INTENT: &str = "intent";
pub(super) const NEXT_ACTION: &str = "next_action";
pub(super) const DECISION: &str = "decision";
pub(super) const RISK: &str = "risk";
pub(super) const RELEVANT: &str = "relevant_file";
pub(super) const VERIFICATION: &str = "verification";
pub(crate) const RETRACT: &str = "retract";
/// What vib sees by itself.
pub const EDIT: &str = "edit";
/// A commit that an agent or a person made.
pub const COMMIT: &str = "commit";
/// Files went back to an earlier state.
pub const ROLLBACK: &str = "rollback";
/// Files were brought back by a recovery.
pub(super) const RECOVERY: &str = "recovery";
/// An agent ran in circles.
pub const SPIRAL: &str = "spiral";
/// What became of a patch.
pub const PATCH: &str = "patch";
/// What guard answered.
pub const GUARD: &str = "guard";
/// A checkpoint that somebody named or keeps.
pub const CHECKPOINT: &str = "checkpoint";
/// A tag of git.
pub const TAG: &str = "tag";
/// Notes out of another tool's file.
pub const CONTEXT: &str = "context";

/// What a person did with a suggestion.
pub const TRIGGER: &str = "trigger";
/// Anything that came in bulk and is not part of work memory; recall finds it.
pub const NOTE: &str = "note";

/// The kinds that work memory is made of.
pub(super) const IS_WORK: [&str; 6] = [INTENT, NEXT_ACTION, DECISION, RISK, RELEVANT, VERIFICATION];

/// The kinds of events that are shown as recent ones.
pub(super) const RECENT: [&str; 7] = [EDIT, COMMIT, ROLLBACK, RECOVERY, SPIRAL, PATCH, CONTEXT];

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was not run.
    Skipped,
    /// Written by a newer vib.
    #[serde(other)]
    Unknown,
}

/// A file and what was in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMark {
    /// The path, relative to the project.
    pub path: String,
    /// Hash of its content; none if it was not there.
    pub hash: Option<String>,
}

/// What is being worked on: kind and body.
pub fn intent(text: &str) -> (&'static str, Value) {
    (INTENT, json!({"text": text}))
}

/// What comes next.
pub fn next_action(text: &str) -> (&'static str, Value) {
    (NEXT_ACTION, json!({"text": text}))
}

/// Something that was decided.
pub fn decision(text: &str) -> (&'static str, Value) {
    (DECISION, json!({"text": text}))
}

/// Something to watch out for.
pub fn risk(text: &str) -> (&'static str, Value) {
    (RISK, json!({"text": text}))
}

/// A file that matters for the present intent.
pub fn relevant(path: &str, note: Option<&str>) -> (&'static str, Value) {
    (RELEVANT, json!({"path": path, "note": note}))
}

/// A check that was run, on these files. No files: its scope is not known, and it counts for less.
pub fn verification(command: &str, result: CheckResult, scope: &[FileMark]) -> (&'static str, Value) {
    (VERIFICATION, json!({"command": command, "result": result, "scope": scope}))
}

/// Takes something back that was said: an item by its id, a file by its path, or a field by its name.
pub fn retract(what: Retract<'_>) -> (&'static str, Value) {
    let body = match what {
        Retract::Item(id) => json!({"item": id}),
        Retract::File(path) => json!({"path": path}),
        Retract::Intent => json!({"field": INTENT}),
        Retract::Next => json!({"field": NEXT_ACTION}),
    };
    (RETRACT, body)
}

/// What is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retract<'a> {
    /// A decision or a risk.
    Item(&'a str),
    /// A file that mattered.
    File(&'a str),
    /// The goal.
    Intent,
    /// The next step.
    Next,
}

/// Files went back to an earlier state; what was checked before no longer counts.
pub fn recovery(body: Value) -> (&'static str, Value) {
    (RECOVERY, body)
}
