//! What runs in a copy runs on saved states, so what is there now has to be one.

use store::{Checkpoint, CheckpointKind, Progress, SnapshotRequest, Store};

use super::look::Look;
use crate::Result;

/// What was done by hand since the last look is a step like any other, and is saved; where nothing was, the newest state will do. `why`
/// names the lock and the checkpoint.
pub(crate) fn save_now(store: &mut Store<'_>, why: &str, progress: &dyn Progress) -> Result<Checkpoint> {
    let is_new = store.oldest_whole()?.is_none();
    if !is_new
        && Look::at(store, progress)?.is_as_saved()
        && let Some(seq) = store.nearest_kept(i64::MAX, false)?
        && let Some(checkpoint) = store.checkpoint(seq)?
    {
        return Ok(checkpoint);
    }
    let lock = store.lock_tree(&format!("looking before {why}"))?;
    let mut request = SnapshotRequest::new(CheckpointKind::Turn);
    request.origin.trigger = Some(why.to_owned());
    Ok(store.snapshot_tree(&lock, &request, &[], progress)?.checkpoint)
}
