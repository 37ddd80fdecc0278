//! What work memory looks like.

use serde::{Deserialize, Serialize};

use super::kinds::{CheckResult, FileMark};
use crate::log::Provenance;

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
    /// Why it no longer counts; none: it still does.
    pub stale: Option<String>,
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
}
