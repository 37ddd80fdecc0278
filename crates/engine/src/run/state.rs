//! States of lanes that a run refers to: saved, kept for good, and found again by their checkpoint.

use serde::Serialize;
use store::{Progress, Store, View};

use super::RunError;
use crate::{Engine, Error, Result, lane, private_copy};

/// A state of a lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LaneState {
    /// The checkpoint in the lane's own history.
    pub checkpoint: String,
    /// The hash of all its files: names, kinds, permissions and contents.
    pub tree: String,
}

/// Saves a lane as it is. What a run refers to never expires: without it nothing could be taken back or done again.
pub fn save(engine: &Engine, lane: &str, why: &str, progress: &dyn Progress) -> Result<LaneState> {
    let of_lane = lane::find(engine, lane)?.engine(engine.context())?;
    let mut opened = of_lane.store(progress)?;
    let saved = private_copy::save_now(&mut opened.store, why, progress)?;
    opened.store.set_pinned(&saved, true)?;
    let tree = opened.store.tree_hash(&opened.store.recorded_state_at(saved.seq))?.to_hex();
    Ok(LaneState { checkpoint: saved.id.to_string(), tree })
}

/// The number of a checkpoint that is kept.
pub(super) fn seq_of(store: &Store<'_>, lane: &str, checkpoint: &str) -> Result<i64> {
    let gone = || RunError::StateGone { lane: lane.to_owned(), state: checkpoint.to_owned() };
    match store.resolve(checkpoint) {
        Ok(found) if !found.expired => Ok(found.seq),
        Ok(_) => Err(gone().into()),
        Err(error) if error.is_refusal() => Err(gone().into()),
        Err(error) => Err(Error::Store(error)),
    }
}

/// What the lane was then.
pub(super) fn view_of(store: &Store<'_>, lane: &str, checkpoint: &str) -> Result<View> {
    Ok(store.recorded_state_at(seq_of(store, lane, checkpoint)?))
}
