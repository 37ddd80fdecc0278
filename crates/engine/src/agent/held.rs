//! A step could not be saved first: what would be lost by it? (S8)

use std::collections::BTreeSet;

use project::RelPath;
use store::{Progress, Store};

use crate::{Engine, Result};

/// Those of these paths that are there and that the store does not hold as they are now. Looked up without any lock, because whoever asks could
/// not get one; an error means that nobody can tell. `whole`: everything that checkpoints of the tree hold is meant, too.
pub fn not_held(
    engine: &Engine,
    paths: &[RelPath],
    whole: bool,
    progress: &dyn Progress,
) -> Result<BTreeSet<RelPath>> {
    let there: Vec<RelPath> = paths.iter().filter(|path| is_there(engine, path)).cloned().collect();
    if there.is_empty() && !whole {
        return Ok(BTreeSet::new());
    }
    match Store::for_looking(engine.context(), engine.project())? {
        Some(store) => Ok(store.not_held(&there, whole, progress)?),
        None => Ok(there.into_iter().collect()),
    }
}

/// Something lies there that could be overwritten.
pub fn is_there(engine: &Engine, path: &RelPath) -> bool {
    path.to_path(engine.project().root()).symlink_metadata().is_ok()
}
