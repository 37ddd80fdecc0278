//! What the fold has to know about the present: the files as they are, the settings, the time.

use ::memory::log::Contents;
use ::memory::work::{self, Now, WorkMemory};
use project::RelPath;
use store::ContentHash;

use crate::Engine;

pub(super) fn fold(engine: &Engine, contents: &Contents, now_ms: i64) -> WorkMemory {
    let hash = |path: &str| RelPath::new(path.as_bytes()).ok().and_then(|path| hash_of(engine, &path));
    let window = engine.project().config().number("memory.conflict_window_seconds");
    let now = Now {
        time_ms: now_ms,
        hash_of: &hash,
        // Counting commits needs git's history; time alone decides until it is read.
        commits_since: &|_| 0,
        conflict_window_ms: i64::try_from(window).unwrap_or(60).saturating_mul(1000),
    };
    work::fold(&contents.events, &now)
}

/// Hash of a file's content; none if it is no file.
pub(super) fn hash_of(engine: &Engine, path: &RelPath) -> Option<String> {
    let file = path.to_path(engine.project().root());
    let facts = std::fs::symlink_metadata(&file).ok()?;
    let content = if facts.is_file() { std::fs::read(&file).ok()? } else { return None };
    Some(ContentHash::of(&content).to_hex())
}
