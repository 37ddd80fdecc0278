//! "Since when?": the one answer that every surface gives when nothing else is asked. (H3)
//!
//! It is the state before the last request that changed something, or what a person saved since, whichever is newer. A request that
//! only talked ("thanks, looks good") makes nothing safe.

use serde::Serialize;
use store::{Checkpoint, HistoryFilter, Request, StepFilter, Store};

use crate::Result;

/// Why the present is compared with this state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "since", rename_all = "snake_case")]
pub enum Since {
    /// The state in which the person asked for this; it changed something.
    Request {
        /// The request.
        request: Request,
    },
    /// A person saved it, or committed.
    Save,
    /// The oldest state there is.
    Oldest,
}

/// The state that the present is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Baseline {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// Why this one.
    #[serde(flatten)]
    pub since: Since,
}

/// How many saves are looked through for one of a person.
const MOST_SAVES: usize = 200;
/// How many requests are looked through for one that changed something.
const MOST_REQUESTS: usize = 500;

/// Finds it; none where nothing is saved.
pub(crate) fn baseline(store: &Store<'_>) -> Result<Option<Baseline>> {
    let saved = store
        .saves(&HistoryFilter::default(), MOST_SAVES)?
        .into_iter()
        .find(|checkpoint| checkpoint.whole_tree && is_a_persons(checkpoint));
    let asked = last_changing_request(store)?;
    if let Some((request, checkpoint)) = asked
        && saved.as_ref().is_none_or(|saved| saved.seq < checkpoint.seq)
    {
        return Ok(Some(Baseline { checkpoint, since: Since::Request { request } }));
    }
    if let Some(checkpoint) = saved {
        return Ok(Some(Baseline { checkpoint, since: Since::Save }));
    }
    let all = store.history(&HistoryFilter { limit: 2_000, ..HistoryFilter::default() })?;
    let whole = all.iter().rev().find(|checkpoint| checkpoint.whole_tree);
    let oldest = whole.or_else(|| all.last()).cloned();
    Ok(oldest.map(|checkpoint| Baseline { checkpoint, since: Since::Oldest }))
}

/// An agent that saves its own work vouches for nothing.
fn is_a_persons(checkpoint: &Checkpoint) -> bool {
    checkpoint.pinned || checkpoint.origin.trigger.as_deref() != Some("mcp")
}

/// The last request of which something still stands, and the state in which the person asked for it.
pub(crate) fn last_changing_request(store: &Store<'_>) -> Result<Option<(Request, Checkpoint)>> {
    let wanted = StepFilter { changing: true, limit: MOST_REQUESTS, ..StepFilter::default() };
    for step in store.steps(&wanted)? {
        let Some(number) = step.request else { continue };
        let stands = store.changes_of(step.number)?.iter().any(|change| change.undone_by.is_none());
        if !stands {
            continue;
        }
        let Some(request) = store.request(number)? else { continue };
        let before = request.before.map(|seq| store.checkpoint(seq)).transpose()?.flatten();
        if let Some(checkpoint) = before.filter(|checkpoint| !checkpoint.expired && checkpoint.whole_tree) {
            return Ok(Some((request, checkpoint)));
        }
    }
    Ok(None)
}
