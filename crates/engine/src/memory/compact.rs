//! `vib memory compact`: old sights go into the archive; what a person said stays. (MM5)

use std::path::PathBuf;

use ::memory::log::Log;
use ::memory::work::{Bounds, keep_live};
use serde::Serialize;

use super::places::{archive, project_log};
use crate::{Engine, Result};

/// Most bytes of archived sights that are kept; beyond, the oldest archives go.
const ARCHIVE_LIMIT: u64 = 64 << 20;

/// What the names of archives begin with that hold imported facts.
pub(super) const IMPORTED: &str = "import-";

/// What compaction did.
#[derive(Debug, Clone, Serialize)]
pub struct CompactReport {
    /// Events in the log now.
    pub kept: usize,
    /// Events that went into the archive.
    pub archived: usize,
    /// Bytes of the log before.
    pub bytes_before: u64,
    /// Bytes of the log now.
    pub bytes_after: u64,
    /// Archives that were dropped because the whole archive had grown beyond its limit. They hold sights only.
    pub archives_dropped: usize,
}

/// Moves what was only seen, and is no longer shown, out of the log.
pub fn compact(engine: &Engine) -> Result<CompactReport> {
    let log = project_log(engine);
    let size = || std::fs::metadata(log.path()).map_or(0, |facts| facts.len());
    let bytes_before = size();
    let limits = bounds(engine);
    let done = log.compact(&archive(engine), |events| keep_live(events, &limits))?;
    let bytes_after = size();
    // Lost, the next compaction only comes earlier.
    let _ = std::fs::write(log.path().with_extension("size"), bytes_after.to_string());
    let archives_dropped = drop_oldest(engine);
    super::view::refresh_at_end(engine);
    Ok(CompactReport {
        kept: done.kept,
        archived: done.archived,
        bytes_before,
        bytes_after,
        archives_dropped,
    })
}

/// The same on the way of something else, which must not fail because of it: the next one tries again.
pub(super) fn compact_quietly(engine: &Engine) {
    let _ = compact(engine);
}

/// How much is kept, as the settings say.
pub(super) fn bounds(engine: &Engine) -> Bounds {
    let config = engine.project().config();
    let number = |name: &str| usize::try_from(config.number(name)).unwrap_or(usize::MAX);
    Bounds {
        decisions: number("memory.decisions.cap"),
        events: number("memory.events.cap"),
        verification: number("memory.verification.cap"),
        relevant_files: number("memory.relevant_files.cap"),
        ..Bounds::default()
    }
}

fn drop_oldest(engine: &Engine) -> usize {
    let Ok(entries) = std::fs::read_dir(archive(engine)) else {
        return 0;
    };
    // Names begin with the log's name and go on with ids, which are in order of time.
    let mut files: Vec<(PathBuf, u64)> = entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "jsonl"))
        // What somebody imported is theirs.
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with(IMPORTED))
        .filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.len())))
        .collect();
    files.sort();
    let mut total: u64 = files.iter().map(|(_, size)| size).sum();
    let mut dropped = 0;
    for (path, size) in files {
        if total <= ARCHIVE_LIMIT {
            break;
        }
        // What a newer vib put there is not ours to drop.
        if Log::at(&path).writable().is_ok() && std::fs::remove_file(&path).is_ok() {
            total -= size;
            dropped += 1;
        }
    }
    dropped
}
