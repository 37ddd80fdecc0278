//! Keeping a checkpoint for ever.

use store::{Checkpoint, Progress};

use crate::person::ByPerson;
use crate::{Engine, Result};

/// Keeps a checkpoint for ever: anybody may.
pub fn pin(engine: &Engine, id: &str, progress: &dyn Progress) -> Result<Checkpoint> {
    set(engine, id, true, progress)
}

/// Lets a pinned checkpoint expire like the others: a person does that.
pub fn unpin(engine: &Engine, id: &str, _by: ByPerson, progress: &dyn Progress) -> Result<Checkpoint> {
    set(engine, id, false, progress)
}

/// Pins or unpins a checkpoint, on the page, whose guard lets only a person do so.
pub fn set(engine: &Engine, id: &str, pinned: bool, progress: &dyn Progress) -> Result<Checkpoint> {
    let mut opened = engine.store(progress)?;
    let mut checkpoint = opened.store.resolve(id)?;
    opened.store.set_pinned(&checkpoint, pinned)?;
    checkpoint.pinned = pinned;
    if pinned {
        crate::memory::checkpoint_named(engine, "cli", &checkpoint);
    }
    Ok(checkpoint)
}
