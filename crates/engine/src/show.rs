//! What one checkpoint is and what it recorded.

use store::{Checkpoint, Problem, Progress};

use crate::diff::{self, Detail, DiffReport};
use crate::{Engine, Notice, Result};

/// A file that a checkpoint looked at by name.
#[derive(Debug, serde::Serialize)]
pub struct NamedFile {
    /// The path.
    pub path: String,
    /// It was there.
    pub existed: bool,
    /// Its length.
    pub size: u64,
    /// The sha256 of its content; none for a folder or a file that was not there.
    pub sha256: Option<String>,
    /// Permission bits.
    pub mode: u32,
}

/// One checkpoint in detail.
#[derive(Debug, serde::Serialize)]
pub struct ShowReport {
    /// The project.
    pub project: String,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// Files saved by name.
    pub named: Vec<NamedFile>,
    /// What was different from what was known before.
    pub changes: DiffReport,
    /// What could not be saved.
    pub problems: Vec<Problem>,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Shows a checkpoint by id.
pub fn show(engine: &Engine, id: &str, detail: Detail, progress: &dyn Progress) -> Result<ShowReport> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let checkpoint = store.resolve(id)?;
    let named = store
        .named_in(&checkpoint)?
        .into_iter()
        .map(|(path, entry)| NamedFile {
            path: path.to_string(),
            existed: entry.is_some(),
            size: entry.map_or(0, |entry| entry.size),
            sha256: entry
                .filter(|entry| entry.kind != store::EntryKind::Dir)
                .map(|entry| entry.hash.to_hex()),
            mode: entry.map_or(0, |entry| entry.mode),
        })
        .collect();
    let recorded = store.recorded_in(&checkpoint)?;
    let changes = diff::describe(engine, store, &recorded, "before", checkpoint.id.as_str(), detail)?;
    let problems = store.problems_of(&checkpoint)?;
    Ok(ShowReport {
        project: engine.project().id().to_string(),
        checkpoint,
        named,
        changes,
        problems,
        now_ms: engine.context().now_ms(),
        notices: opened.notices,
    })
}
