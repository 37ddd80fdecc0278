//! Keeping a checkpoint for ever.

use store::{Checkpoint, Progress};

use crate::{Engine, Result};

/// Pins or unpins a checkpoint.
pub fn set(engine: &Engine, id: &str, pinned: bool, progress: &dyn Progress) -> Result<Checkpoint> {
    let mut opened = engine.store(progress)?;
    let mut checkpoint = opened.store.resolve(id)?;
    opened.store.set_pinned(&checkpoint, pinned)?;
    checkpoint.pinned = pinned;
    Ok(checkpoint)
}
