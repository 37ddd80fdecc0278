//! Saving before a step: the named files for an edit, the whole tree for what may write anywhere. (CP2)

use std::path::PathBuf;
use std::time::Duration;

use project::RelPath;
use store::{CheckpointKind, Progress, SnapshotRequest};

use super::session::{SessionFile, SessionState, Who, forget_old};
use crate::{Engine, Result};

/// Most time that upkeep at the end of a session takes: some clients kill their hooks after a second.
const UPKEEP: Duration = Duration::from_millis(300);
/// Every so many checkpoints a little cleaning is done.
const CLEAN_EVERY: i64 = 64;
const CLEAN_BUDGET: Duration = Duration::from_millis(100);

/// The step that is about to run.
#[derive(Debug, Clone, Default)]
pub struct Saving {
    /// The tool.
    pub tool: Option<String>,
    /// The client's id of the call.
    pub call_id: Option<String>,
    /// What triggered it: `prompt`, `tool`, `stop`.
    pub trigger: &'static str,
}

impl Saving {
    fn request(&self, who: &Who, state: &SessionState) -> SnapshotRequest {
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        let origin = &mut request.origin;
        origin.session = Some(who.session.clone());
        origin.agent = Some(who.client.clone());
        origin.tool.clone_from(&self.tool);
        origin.call_id.clone_from(&self.call_id);
        origin.trigger = Some(self.trigger.to_owned());
        origin.prompt.clone_from(&state.prompt);
        let turn = state.turn_of(who);
        match &who.agent {
            // A sub-agent's steps are a turn of their own, which knows the one it serves.
            Some(agent) => {
                origin.turn = Some(format!("{}/{agent}", turn.as_deref().unwrap_or("0")));
                origin.parent_turn = turn;
                origin.prompt = None;
            }
            None if state.parent_turn.is_some() => {
                let parent = state.parent_turn.as_deref().unwrap_or_default();
                origin.turn = Some(format!("{parent}/{}", who.session));
                origin.parent_turn.clone_from(&state.parent_turn);
                origin.prompt = None;
            }
            None => origin.turn = turn,
        }
        request
    }
}

/// Saves the files that an edit tool names. Paths outside the project are not ours to save.
pub fn before_edit(
    engine: &Engine,
    who: &Who,
    state: &SessionState,
    saving: &Saving,
    typed: &[PathBuf],
    progress: &dyn Progress,
) -> Result<Vec<RelPath>> {
    let mut paths: Vec<RelPath> = Vec::new();
    for path in typed {
        if let Ok(Some(path)) = RelPath::from_user(engine.project().root(), engine.context().cwd(), path) {
            paths.push(path);
        }
    }
    if !paths.is_empty() {
        let mut opened = engine.store(progress)?;
        opened.store.snapshot_paths(&saving.request(who, state), &paths)?;
    }
    Ok(paths)
}

/// Saves the whole tree. Returns the number of the checkpoint. Whether anything had changed since the last look is told to the
/// spiral breaker: files that change are progress, whatever the client reports.
pub fn before_unknown(
    engine: &Engine,
    who: &Who,
    state: &SessionState,
    saving: &Saving,
    progress: &dyn Progress,
) -> Result<i64> {
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let lock = store.lock_tree("saving before an agent's step")?;
    let saved = store.snapshot_tree(&lock, &saving.request(who, state), &[], progress)?;
    if saved.checkpoint.seq % CLEAN_EVERY == 0 {
        store.gc(&lock, Some(CLEAN_BUDGET), progress)?;
    }
    SessionFile::of(engine, who).update(|state| {
        state.spiral.looked(saved.checkpoint.files_changed > 0, saving.trigger == "tool");
    })?;
    Ok(saved.checkpoint.seq)
}

/// Bounded cleaning at the end of a session.
pub fn upkeep(engine: &Engine, progress: &dyn Progress) -> Result<()> {
    forget_old(engine);
    crate::memory::refresh_view(engine);
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    // Whoever has the tree now needs it more.
    if let Ok(lock) = store.lock_tree_for("cleaning up", Duration::from_millis(20)) {
        store.gc(&lock, Some(UPKEEP), progress)?;
    }
    Ok(())
}
