//! The history for somebody who leafs through it: page by page, searched, with a picture of when things happened; and the last
//! point that was good, with what changed since.

use store::{Activity, Checkpoint, CheckpointKind, Progress, Search};

use crate::baseline::{Baseline, Since, baseline};
use crate::diff::{self, Detail, DiffReport};
use crate::history::{self, HistoryGroup};
use crate::{Engine, Notice, Result};

/// Bars of the picture.
const BARS: i64 = 48;
/// The longest time that it shows.
const LONGEST_MS: i64 = 30 * 86_400_000;

/// One page of the history.
#[derive(Debug, serde::Serialize)]
pub struct TimelineReport {
    /// Newest first.
    pub groups: Vec<HistoryGroup>,
    /// Checkpoints on this page.
    pub shown: usize,
    /// Where the next page begins; none: this is the last.
    pub next: Option<i64>,
    /// Checkpoints kept, safety ones aside.
    pub total: u64,
    /// When things happened, oldest first; only on the first page.
    pub activity: Vec<Activity>,
    /// How long one stretch of `activity` is.
    pub step_ms: i64,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Lists the checkpoints that fit, `search.limit` of them at the most.
pub fn timeline(engine: &Engine, search: &Search, progress: &dyn Progress) -> Result<TimelineReport> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let limit = search.limit.max(1);
    let mut found = store.search(&Search { limit: limit + 1, ..search.clone() })?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|last| last.seq);
    let mut total = 0;
    for kind in [CheckpointKind::Turn, CheckpointKind::Manual, CheckpointKind::Commit] {
        total += store.count(kind)?;
    }
    let now_ms = engine.context().now_ms();
    let (mut activity, mut step_ms) = (Vec::new(), 0);
    if search.before.is_none() {
        let oldest = store.oldest()?.map_or(now_ms, |oldest| oldest.created_ms);
        let span = (now_ms - oldest).clamp(BARS * 60_000, LONGEST_MS);
        step_ms = span / BARS + 1;
        activity = store.activity(now_ms - step_ms * BARS, step_ms)?;
    }
    let shown = found.len();
    let groups = history::grouped(store, found)?;
    Ok(TimelineReport { groups, shown, next, total, activity, step_ms, now_ms, notices: opened.notices })
}

/// Why a point counts as good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Good {
    /// A person keeps it.
    Pinned,
    /// A person saved it.
    Saved,
    /// It is how things were when the person last asked an agent for something.
    BeforePrompt,
    /// It is the oldest there is.
    Oldest,
}

/// The last good point, and what changed since.
#[derive(Debug, serde::Serialize)]
pub struct SinceGood {
    /// The point; none: nothing is saved yet.
    pub point: Option<Checkpoint>,
    /// Why it counts as good.
    pub why: Option<Good>,
    /// What is different now; counts only.
    pub changes: DiffReport,
}

/// What every surface compares with ([`crate::baseline`]), and what is different now.
pub fn since_good(engine: &Engine, progress: &dyn Progress) -> Result<SinceGood> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let Some(Baseline { checkpoint: point, since }) = baseline(store)? else {
        return Ok(SinceGood { point: None, why: None, changes: DiffReport::default() });
    };
    let why = match since {
        Since::Request { .. } => Good::BeforePrompt,
        Since::Save if point.pinned => Good::Pinned,
        Since::Save => Good::Saved,
        Since::Oldest => Good::Oldest,
    };
    let now = store.working_tree(progress)?.view;
    let changes = store.compare(&store.view(&point, &now)?, &now, &[])?;
    let changes = diff::describe(engine, store, &changes, point.id.as_str(), "now", Detail::Counts)?;
    Ok(SinceGood { point: Some(point), why: Some(why), changes })
}
