//! Work memory for a hook: what was folded before is kept beside the log, so that only what came since has to be read. However
//! long the log is, a prompt does not wait for it.

use std::collections::BTreeMap;

use ::memory::log::Mark;
use ::memory::work::{Bounds, Folding, WorkMemory};
use project::write_view;
use serde::{Deserialize, Serialize};

use super::compact::bounds;
use super::places::{folder, project_log};
use super::present::with_now;
use crate::{Engine, Result};

const FILE: &str = "folded.json";
const VERSION: u32 = 1;
/// When so many bytes came since, the fold is kept anew.
const WORTH_KEEPING: u64 = 32 << 10;

/// Work memory, and what was put off.
pub(super) struct Hot {
    pub memory: WorkMemory,
    pub snoozed: BTreeMap<String, i64>,
    /// There is nothing in the log at all.
    pub is_empty: bool,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// The settings with which it was folded.
    key: String,
    mark: Mark,
    folding: Folding,
}

/// Folds what is new onto what was kept. Of the checks only the newest few are compared with the files.
pub(super) fn read(engine: &Engine, checks: usize) -> Result<Hot> {
    let limits = bounds(engine);
    let key = format!("{limits:?} {}", engine.project().config().number("memory.conflict_window_seconds"));
    let path = folder(engine).join(FILE);
    let kept = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    let kept = kept.filter(|kept| kept.version == VERSION && kept.key == key && !kept.folding.has_end);
    let (before, known) = kept.map_or_else(Default::default, |kept| (kept.mark, kept.folding));
    let since = project_log(engine).read_since(before)?;
    let now_ms = engine.context().now_ms();
    with_now(engine, now_ms, limits, |now| {
        let mut folding = if since.anew { Folding::default() } else { known };
        since.contents.events.iter().for_each(|event| folding.push(event, now));
        let old = if since.anew { 0 } else { before.end };
        if since.mark.end.saturating_sub(old) > WORTH_KEEPING && !folding.has_end {
            keep(&path, &Kept { version: VERSION, key, mark: since.mark, folding: folding.clone() });
        }
        let snoozed = folding.snoozed.clone();
        let few = Bounds { verification: checks, ..limits };
        let memory = with_now(engine, now_ms, few, |now| folding.finish(now));
        Ok(Hot { memory, snoozed, is_empty: since.mark.end == 0 })
    })
}

/// Throws the kept fold away; the next reader makes it again.
pub(super) fn forget(engine: &Engine) {
    let _ = std::fs::remove_file(folder(engine).join(FILE));
}

/// Lost, it is computed again.
fn keep(path: &std::path::Path, kept: &Kept) {
    if let Ok(text) = serde_json::to_vec(kept) {
        let _ = write_view(path, &text);
    }
}
