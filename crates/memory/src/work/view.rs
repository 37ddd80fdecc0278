//! What work memory looks like.

use serde::{Deserialize, Serialize};

use super::kinds::{CheckResult, FileMark};
use crate::log::{Outcome, Provenance};

/// One value, and how far to trust it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// What it says.
    pub text: String,
    /// Milliseconds since 1970.
    pub last_updated: i64,
    /// The tool that wrote it.
    pub updated_by: String,
    /// Said by a person, or seen.
    pub source: Provenance,
    /// Too old, or overtaken: ask before relying on it.
    pub stale: bool,
}

/// One of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The event it comes from.
    pub id: String,
    /// What it says.
    pub text: String,
    /// Milliseconds since 1970.
    pub last_updated: i64,
    /// The tool that wrote it.
    pub updated_by: String,
    /// Said by a person, or seen.
    pub source: Provenance,
}

/// A file that matters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelevantFile {
    /// The path, relative to the project.
    pub path: String,
    /// Why.
    pub note: Option<String>,
    /// Milliseconds since 1970.
    pub last_updated: i64,
    /// The tool that wrote it.
    pub updated_by: String,
    /// Said by a person, or seen.
    pub source: Provenance,
    /// It mattered for what was worked on before.
    pub from_previous_intent: bool,
}

/// A check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// What was run.
    pub command: String,
    /// How it ended.
    pub result: CheckResult,
    /// On which files, and what was in them.
    pub scope: Vec<FileMark>,
    /// Nobody said which files it was about: it counts for less.
    pub scope_unknown: bool,
    /// Milliseconds since 1970.
    pub time: i64,
    /// The tool that wrote it.
    pub updated_by: String,
    /// Said by a person, or seen.
    pub source: Provenance,
    /// The session that ran it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// How long it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Why it no longer counts; none: it still does.
    pub stale: Option<String>,
}

/// Something that vib saw, or that came from another tool's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recent {
    /// The event.
    pub id: String,
    /// What it is: `edit`, `commit`, `rollback`, …
    pub kind: String,
    /// Milliseconds since 1970.
    pub time: i64,
    /// The files it is about.
    pub paths: Vec<String>,
    /// What it says, if it says something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The tool that did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The session it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Lines that were put in, as far as an edit tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// Seen, or imported.
    pub source: Provenance,
}

/// Two tools said different things at the same time; a person has to choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// Which field.
    pub field: String,
    /// What was said first.
    pub first: Field,
    /// What was said then.
    pub second: Field,
}

/// The whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkMemory {
    /// What is being worked on.
    pub active_intent: Option<Field>,
    /// What comes next.
    pub next_action: Option<Field>,
    /// The newest last.
    pub decisions: Vec<Item>,
    /// Decisions older than 90 days: kept, and not counted as current.
    pub archived_decisions: Vec<Item>,
    /// The newest last.
    pub relevant_files: Vec<RelevantFile>,
    /// The newest last.
    pub verification: Vec<Verification>,
    /// The newest last.
    pub risks: Vec<Item>,
    /// What vib saw by itself, or proposes, about the intent; a person has not said so.
    pub observed_intent: Option<Field>,
    /// Where two tools disagree.
    pub conflicts: Vec<Conflict>,
    /// What happened, the newest last.
    #[serde(default)]
    pub recent_events: Vec<Recent>,
}
