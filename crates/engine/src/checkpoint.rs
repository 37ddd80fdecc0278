//! Saving a checkpoint.

use std::path::PathBuf;
use std::time::Duration;

use store::{Problem, Progress, Saved, SnapshotRequest};

use crate::{Engine, Notice, Result};

/// Every so many checkpoints a little cleaning is done.
const CLEAN_EVERY: i64 = 64;
/// And this long at the most.
const CLEAN_BUDGET: Duration = Duration::from_millis(150);

/// A checkpoint that was made.
#[derive(Debug, serde::Serialize)]
pub struct CheckpointReport {
    /// The checkpoint, counts and problems.
    #[serde(flatten)]
    pub saved: Saved,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

impl CheckpointReport {
    /// What could not be saved.
    pub fn problems(&self) -> &[Problem] {
        &self.saved.problems
    }
}

/// Saves the whole tree, or only `paths`.
pub fn create(
    engine: &Engine,
    request: &SnapshotRequest,
    paths: &[PathBuf],
    progress: &dyn Progress,
) -> Result<CheckpointReport> {
    let paths = engine.paths(paths)?;
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let saved = if paths.is_empty() {
        let lock = store.lock_tree("saving a checkpoint")?;
        let saved = store.snapshot_tree(&lock, request, &[], progress)?;
        if saved.checkpoint.seq % CLEAN_EVERY == 0 {
            store.gc(&lock, Some(CLEAN_BUDGET), progress)?;
        }
        saved
    } else {
        store.snapshot_paths(request, &paths)?
    };
    Ok(CheckpointReport { saved, notices: opened.notices })
}
