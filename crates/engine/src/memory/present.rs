//! What the fold has to know about the present: the files as they are, the settings, the time.

use ::memory::log::{Contents, Event, Provenance};
use ::memory::work::{self, Bounds, Now, WorkMemory};
use project::RelPath;
use store::ContentHash;

use super::compact::bounds;
use crate::Engine;
use crate::check_command::{check_of, check_of_person};

/// A file longer than this is not read to see whether it changed: its length has to do.
const LONGEST_HASHED: u64 = 16 << 20;

/// Stands for a command line that vib does not repeat.
const NOT_REPEATED: &str = "(a command that vib does not repeat)";

/// Work memory as it is now.
pub(super) fn fold(engine: &Engine, contents: &Contents, now_ms: i64) -> WorkMemory {
    with_now(engine, now_ms, bounds(engine), |now| fold_events(&contents.events, now))
}

/// Folds the log, and takes out of old rows what must not be given back: earlier versions kept an agent's whole command line.
pub(super) fn fold_events(events: &[Event], now: &Now<'_>) -> WorkMemory {
    let mut memory = work::fold(events, now);
    memory.verification.retain_mut(|check| {
        let command = match check.source {
            Provenance::Explicit => check_of_person(&check.command),
            _ => check_of(&check.command),
        };
        // That a person's check was run stays known, even if its line is not repeated.
        let command =
            command.or_else(|| (check.source == Provenance::Explicit).then(|| NOT_REPEATED.to_owned()));
        command.map(|command| check.command = command).is_some()
    });
    memory
}

/// Hands on what the fold has to know about the present.
pub(super) fn with_now<T>(
    engine: &Engine,
    now_ms: i64,
    bounds: Bounds,
    fold: impl FnOnce(&Now<'_>) -> T,
) -> T {
    let hash = |path: &str| RelPath::new(path.as_bytes()).ok().and_then(|path| hash_of(engine, &path));
    let window = engine.project().config().number("memory.conflict_window_seconds");
    let moves = std::cell::OnceCell::<Vec<git::Move>>::new();
    let commits_since = |time_ms: i64| {
        let moves = moves.get_or_init(|| {
            git::Folder::of(engine.project().root()).map(|folder| folder.moves()).unwrap_or_default()
        });
        // Git counts in seconds: a commit of the same second is not later.
        let later = moves.iter().filter(|moved| moved.commit().is_some() && moved.time_ms > time_ms).count();
        u32::try_from(later).unwrap_or(u32::MAX)
    };
    fold(&Now {
        time_ms: now_ms,
        hash_of: Some(&hash),
        commits_since: &commits_since,
        conflict_window_ms: i64::try_from(window).unwrap_or(60).saturating_mul(1000),
        bounds,
    })
}

/// Hash of a file's content; none if it is no file.
pub(super) fn hash_of(engine: &Engine, path: &RelPath) -> Option<String> {
    let file = path.to_path(engine.project().root());
    let facts = std::fs::symlink_metadata(&file).ok()?;
    if !facts.is_file() {
        return None;
    }
    if facts.len() > LONGEST_HASHED {
        return Some(format!("length:{}", facts.len()));
    }
    Some(ContentHash::of(&std::fs::read(&file).ok()?).to_hex())
}
