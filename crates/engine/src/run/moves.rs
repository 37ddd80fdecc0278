//! What cards did, carried over to another state: file by file, by a three-way merge, one card after another.
//!
//! Forwards, a card's *before* is the base and its *after* what comes; backwards it is the other way round. So applying a card and taking it
//! back are the same thing, whatever was done before, in between and later, and whichever cards are left out. Nothing is guessed: what was
//! changed otherwise in the same place is a conflict.

use std::collections::BTreeMap;

use ::change::landing::{self, Conflict, Side, Taken, Three};
use project::RelPath;
use serde::Serialize;
use store::{ContentHash, Difference, Entry, EntryKind, Progress, Store, View};

use super::state;
use crate::lane::merge::keep_needed_folders;
use crate::{Engine, Result, lane};

/// What one card did, or the reverse of it.
#[derive(Debug, Clone)]
pub(super) struct Move {
    pub(super) card: String,
    pub(super) lane: String,
    /// The lane's checkpoint that it leads away from.
    pub(super) from: String,
    /// The lane's checkpoint that it leads to.
    pub(super) to: String,
}

/// A place of a card that was changed otherwise.
#[derive(Debug, Clone, Serialize)]
pub struct CardConflict {
    /// The card.
    pub card: String,
    /// The place.
    #[serde(flatten)]
    pub conflict: Conflict,
    /// Who changed the file otherwise, and why.
    pub since: Vec<lane::Wanted>,
}

/// What would come out.
#[derive(Debug, Default)]
pub(super) struct Moved {
    /// For each path what is there now and what would be.
    pub(super) changes: Vec<Difference>,
    /// Contents that the target's store does not have.
    pub(super) contents: Vec<Vec<u8>>,
    /// Files that were put together from both sides.
    pub(super) merged: Vec<String>,
    /// Card by card what was changed otherwise.
    pub(super) conflicts: Vec<(String, Conflict)>,
}

/// Where the cards are carried to.
pub(super) struct Target<'t, 's> {
    pub(super) engine: &'t Engine,
    pub(super) store: &'t Store<'s>,
    /// It as it is.
    pub(super) now: &'t View,
}

/// Carries them over, in memory. `main` is the project whose lanes they are in.
pub(super) fn carry(
    main: &Engine,
    target: &Target<'_, '_>,
    moves: &[Move],
    progress: &dyn Progress,
) -> Result<Moved> {
    let mut out = Moved::default();
    // What is there after the cards so far, and the contents that only exist here.
    let mut then: BTreeMap<RelPath, Option<Entry>> = BTreeMap::new();
    let mut made: BTreeMap<ContentHash, Vec<u8>> = BTreeMap::new();
    for one in moves {
        let of_lane = lane::engine_of(main, &one.lane)?;
        let opened = of_lane.store(progress)?;
        let own = &opened.store;
        let (from, to) =
            (state::view_of(own, &one.lane, &one.from)?, state::view_of(own, &one.lane, &one.to)?);
        let mut threes = Vec::new();
        for change in own.compare(&from, &to, &[])? {
            let there = match then.get(&change.path) {
                Some(entry) => *entry,
                None => there_now(target, &change.path)?,
            };
            threes.push(Three {
                base: change.before,
                main: there,
                lane: change.after,
                moved_to: None,
                path: change.path,
            });
        }
        let landing = {
            let read = |_: Side, path: &RelPath, entry: &Entry| content(target, own, &made, path, entry);
            landing::land(&threes, &read, &Taken::new())
        };
        out.merged.extend(landing.merged.iter().map(ToString::to_string));
        out.conflicts.extend(landing.conflicts.into_iter().map(|conflict| (one.card.clone(), conflict)));
        for content in landing.contents {
            made.insert(ContentHash::of(&content), content);
        }
        for change in landing.changes {
            if let Some(entry) = change.after.filter(|entry| entry.kind != EntryKind::Dir)
                && !made.contains_key(&entry.hash)
                && !target.store.has_content(&entry.hash)?
            {
                made.insert(entry.hash, own.content(&entry.hash)?);
            }
            then.insert(change.path, change.after);
        }
    }
    for (path, after) in then {
        let before = there_now(target, &path)?;
        let is_same = match (&before, &after) {
            (Some(one), Some(other)) => one.same_on_disk(other),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            out.changes.push(Difference { path, before, after });
        }
    }
    keep_needed_folders(target.store, target.now, &mut out.changes)?;
    let is_written = |hash: &ContentHash| {
        out.changes.iter().any(|change| change.after.is_some_and(|entry| entry.hash == *hash))
    };
    out.contents =
        made.into_iter().filter(|(hash, _)| is_written(hash)).map(|(_, content)| content).collect();
    out.merged.sort();
    out.merged.dedup();
    Ok(out)
}

/// An ignored file is no part of "now", but it may lie where a file has to go.
fn there_now(target: &Target<'_, '_>, path: &RelPath) -> Result<Option<Entry>> {
    if let Some(entry) = target.store.entry_in(target.now, path.as_bytes())? {
        return Ok(Some(entry));
    }
    let there = target.store.present(std::slice::from_ref(path))?;
    Ok(there.into_iter().next().flatten())
}

fn content(
    target: &Target<'_, '_>,
    own: &Store<'_>,
    made: &BTreeMap<ContentHash, Vec<u8>>,
    path: &RelPath,
    entry: &Entry,
) -> Option<Vec<u8>> {
    let known = made.get(&entry.hash).cloned();
    let known = known.or_else(|| target.store.content(&entry.hash).ok());
    known.or_else(|| own.content(&entry.hash).ok()).or_else(|| {
        let content = std::fs::read(path.to_path(target.engine.project().root())).ok()?;
        (ContentHash::of(&content) == entry.hash).then_some(content)
    })
}
