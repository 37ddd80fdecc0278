//! Saving the tree when a person speaks, when an agent has finished, and before what may write anywhere. (CP2)

use std::time::Duration;

use project::RelPath;
use store::{CheckpointKind, Moment, Progress, Saved, SnapshotRequest, Store};

use super::ledger::cut_off;
use super::session::{SessionFile, SessionState, Who, forget_old};
use crate::judge::{self, JudgeReport};
use crate::{Engine, Result};

/// Most time that upkeep at the end of a session takes: some clients kill their hooks after a second.
const UPKEEP: Duration = Duration::from_millis(300);
/// Files saved by name that are remembered until the commands have ended.
const MOST_SAVED_FIRST: usize = 400;
/// Every so many checkpoints a little cleaning is done.
const CLEAN_EVERY: i64 = 64;
const CLEAN_BUDGET: Duration = Duration::from_millis(100);

/// A wish for a checkpoint that says who and what caused it.
pub(super) fn origin(who: &Who, state: &SessionState, trigger: &'static str) -> SnapshotRequest {
    let mut request = SnapshotRequest::new(CheckpointKind::Turn);
    let origin = &mut request.origin;
    origin.session = Some(who.session.clone());
    origin.agent = Some(who.client.clone());
    origin.trigger = Some(trigger.to_owned());
    origin.prompt.clone_from(&state.prompt);
    let turn = state.turn_of(who);
    match &who.agent {
        // A sub-agent's steps are a turn of their own, which knows the one it serves.
        Some(agent) => {
            origin.turn = Some(format!("{}/{agent}", turn.as_deref().unwrap_or("0")));
            origin.parent_turn = turn;
            origin.prompt = None;
        }
        None if state.is_sub_agent() => {
            let parent = state.parent_turn.as_deref().unwrap_or_default();
            origin.turn = Some(format!("{parent}/{}", who.session));
            origin.parent_turn.clone_from(&state.parent_turn);
            origin.prompt = None;
        }
        None => origin.turn = turn,
    }
    request
}

/// Saves the whole tree between two steps. Returns the number of the checkpoint. Whether anything had changed since the last look
/// is told to the spiral breaker: files that change are progress, whatever the client reports.
pub fn save_tree(
    engine: &Engine,
    who: &Who,
    state: &SessionState,
    trigger: &'static str,
    progress: &dyn Progress,
) -> Result<i64> {
    let mut opened = engine.store(progress)?;
    let saved = look_at_tree(&mut opened.store, &origin(who, state, trigger), &[], progress)?;
    SessionFile::of(engine, who).update(|state| {
        state.spiral.looked(saved.files_changed > 0, trigger == "tool");
    })?;
    Ok(saved.checkpoint.seq)
}

/// Saves by name what a command would overwrite or delete and no checkpoint holds, if it is little enough. The report is milder then. (T6)
pub fn save_losses(
    engine: &Engine,
    who: &Who,
    report: &mut JudgeReport,
    progress: &dyn Progress,
) -> Result<()> {
    let file = SessionFile::of(engine, who);
    if judge::save_losses(engine, report, &origin(who, &file.read(), "losses"), progress)?.is_some() {
        file.update(|state| {
            state.saved_first.extend(report.save_first.iter().cloned());
            let extra = state.saved_first.len().saturating_sub(MOST_SAVED_FIRST);
            state.saved_first.drain(..extra);
        })?;
    }
    Ok(())
}

/// Looks at the whole tree and saves what changed; now and then a little cleaning is done on the way.
pub(super) fn look_at_tree(
    store: &mut Store<'_>,
    request: &SnapshotRequest,
    also: &[RelPath],
    progress: &dyn Progress,
) -> Result<Saved> {
    let lock = store.lock_tree("saving around an agent's step")?;
    let saved = store.snapshot_tree(&lock, request, also, progress)?;
    // A look around a step that found nothing comes back with a checkpoint that was there before.
    let is_new = saved.files_changed > 0 || request.moment == Moment::Between;
    if is_new && saved.checkpoint.seq % CLEAN_EVERY == 0 {
        store.gc(&lock, Some(CLEAN_BUDGET), progress)?;
    }
    Ok(saved)
}

/// Bounded cleaning at the end of a session; what it had begun and never ended was cut off.
pub fn upkeep(engine: &Engine, who: &Who, progress: &dyn Progress) -> Result<()> {
    forget_old(engine);
    super::begun::forget_old(engine.project());
    crate::memory::refresh_view(engine);
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    cut_off(engine, who, store)?;
    // Whoever has the tree now needs it more.
    if let Ok(lock) = store.lock_tree_for("cleaning up", Duration::from_millis(20)) {
        store.gc(&lock, Some(UPKEEP), progress)?;
    }
    Ok(())
}
