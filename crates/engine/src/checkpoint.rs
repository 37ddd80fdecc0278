//! Saving a checkpoint.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use project::RelPath;
use store::{Problem, Progress, Saved, SnapshotRequest, Store};

use crate::checkpoint_words::{self, Words};
use crate::{Engine, Error, Notice, Result};

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
    /// The words that were taken for its name, because they name no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    /// Folders that a person named: only what is in them was saved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

impl CheckpointReport {
    /// What could not be saved.
    pub fn problems(&self) -> &[Problem] {
        &self.saved.problems
    }
}

/// Saves the whole tree, or only `paths`. For programs, which name a file before they make it: one that is not there is
/// recorded as not there.
pub fn create(
    engine: &Engine,
    request: &SnapshotRequest,
    paths: &[PathBuf],
    progress: &dyn Progress,
) -> Result<CheckpointReport> {
    let paths = engine.paths(paths)?;
    let mut opened = engine.store(progress)?;
    // What is not there yet is a file to be made: nothing is looked for, since this runs before every step of an agent.
    let store = &mut opened.store;
    let is_dir =
        |path: &RelPath| path.to_path(engine.project().root()).symlink_metadata().is_ok_and(|f| f.is_dir());
    let paths =
        if paths.iter().any(is_dir) { with_what_is_in(engine, store, paths, progress)? } else { paths };
    let saved = save(store, request, &paths, progress)?;
    Ok(CheckpointReport { saved, called: None, only: Vec::new(), notices: opened.notices })
}

/// The same for a person, whose words are files or, if they name nothing, what this state is to be called.
pub fn create_from_words(
    engine: &Engine,
    request: &SnapshotRequest,
    words: &[PathBuf],
    progress: &dyn Progress,
) -> Result<CheckpointReport> {
    let mut opened = engine.store(progress)?;
    let (mut request, mut called) = (request.clone(), None);
    let paths = match checkpoint_words::read(engine, &opened.store, words, request.message.is_some())? {
        Words::Paths(paths) => paths,
        Words::Message(message) => {
            called = Some(message.clone());
            request.message = Some(message);
            Vec::new()
        }
    };
    let store = &mut opened.store;
    let root = engine.project().root();
    let only = paths.iter().filter(|path| path.to_path(root).is_dir()).map(ToString::to_string).collect();
    let paths = with_what_is_in(engine, store, paths, progress)?;
    let saved = save(store, &request, &paths, progress)?;
    Ok(CheckpointReport { saved, called, only, notices: opened.notices })
}

fn save(
    store: &mut Store<'_>,
    request: &SnapshotRequest,
    paths: &[RelPath],
    progress: &dyn Progress,
) -> Result<Saved> {
    if !paths.is_empty() {
        return Ok(store.snapshot_paths(request, paths)?);
    }
    let lock = store.lock_tree("saving a checkpoint")?;
    let saved = store.snapshot_tree(&lock, request, &[], progress)?;
    if saved.checkpoint.seq % CLEAN_EVERY == 0 {
        store.gc(&lock, Some(CLEAN_BUDGET), progress)?;
    }
    Ok(saved)
}

/// A folder that is named stands for the files in it, and one that is gone for those that were. Without folders nothing is looked at.
fn with_what_is_in(
    engine: &Engine,
    store: &Store<'_>,
    paths: Vec<RelPath>,
    progress: &dyn Progress,
) -> Result<Vec<RelPath>> {
    let root = engine.project().root();
    let is_file = |path: &RelPath| path.to_path(root).symlink_metadata().is_ok_and(|facts| !facts.is_dir());
    if paths.iter().all(is_file) {
        return Ok(paths);
    }
    let folders: Vec<RelPath> = paths.iter().filter(|path| !is_file(path)).cloned().collect();
    let (working, files) = store.working_tree_and_files(progress)?;
    let gone = store.compare(&store.recorded_state()?, &working.view, &folders)?;
    let inside = |path: &RelPath| folders.iter().any(|folder| path.is_in(folder));
    let mut found: BTreeSet<RelPath> = files.into_iter().map(|(path, _)| path).filter(inside).collect();
    found.extend(gone.into_iter().map(|change| change.path));
    for folder in &folders {
        let has_entries =
            || std::fs::read_dir(folder.to_path(root)).is_ok_and(|mut entries| entries.next().is_some());
        if !found.iter().any(|path| path.is_in(folder)) && has_entries() {
            return Err(Error::Usage(format!(
                "everything in the folder `{folder}` is ignored, so nothing was saved; name the files themselves"
            )));
        }
    }
    found.extend(paths);
    Ok(found.into_iter().collect())
}

/// The checkpoint that these words are the name of, by its id. A file of that name, now or ever, comes first.
pub fn named(engine: &Engine, words: &[String]) -> Result<Option<String>> {
    if words.is_empty() {
        return Ok(None);
    }
    let opened = engine.store(&store::Silent)?;
    let Some(checkpoint) = opened.store.saved_as(&words.join(" "))? else { return Ok(None) };
    for word in words {
        let paths = engine.paths(&[PathBuf::from(word)]).unwrap_or_default();
        if let Some(path) = paths.first()
            && (engine.is_present(path) || opened.store.knows(path)?)
        {
            return Ok(None);
        }
    }
    Ok(Some(checkpoint.id.to_string()))
}

/// True if an agent, not a person, runs this command: its client is above this process or says so in the environment, or its hook has
/// just told of a command that calls vib and is still running. Where neither shows, a person is believed: what persons save never goes for what agents do.
pub fn asked_by_agent(engine: &Engine, progress: &dyn Progress) -> bool {
    person::who(engine.context()).agent().is_some()
        || engine.store(progress).is_ok_and(|opened| opened.store.is_command_running("vib").unwrap_or(false))
}
