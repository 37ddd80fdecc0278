//! A run done again from what is written down: the kept diffs in order, on the same saved state, in a fresh lane. The same files come out, or
//! the first one that differs is named.
//!
//! A card of which no diff is kept (another agent did it, with its own tools) is done again by what it changed. To do a run again with another
//! agent or model, begin with [`fresh_lane`] and work in that.

use std::collections::BTreeSet;

use project::RelPath;
use serde::Serialize;
use store::{Progress, Store};

use super::apply::find_card;
use super::fold::{Attempt, Card, Run};
use super::moves::Move;
use super::preview::{self, CardOptions, Wish};
use super::{RunError, apply, log, show, state};
use crate::lane::{self, NewLane};
use crate::may::Actor;
use crate::patch::{self, PatchOptions};
use crate::undo::Confirmation;
use crate::{Engine, Error, Result};

/// How to do it again.
#[derive(Debug, Clone, Default)]
pub struct ReplayOptions {
    /// Up to this card, and only about it is told; none: all of them.
    pub card: Option<String>,
    /// From the project after this step or request, or of this checkpoint; none: what the run began with.
    pub onto: Option<String>,
    /// Keep the lane in any case.
    pub keep: bool,
}

/// How a card came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Exactly as then.
    Same,
    /// It could be done, and this file is the first that is not as then.
    Differs {
        /// The file.
        path: String,
    },
    /// It could be done on another state; there is nothing to hold it against.
    Done,
    /// It could not be done.
    Refused {
        /// A stable code.
        code: String,
        /// What is the matter.
        message: String,
    },
    /// Nothing was done for it.
    Nothing,
}

/// A card that was done again.
#[derive(Debug, Clone, Serialize)]
pub struct CardReplayed {
    /// `c1`.
    pub card: String,
    /// What it is about.
    pub title: String,
    /// How many diffs were applied; 0: by what it changed.
    pub diffs: usize,
    /// How it came out.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The hash of all files after it.
    pub tree: String,
}

/// A run that was done again.
#[derive(Debug, Clone, Serialize)]
pub struct Replayed {
    /// The run.
    pub run: String,
    /// The state it was done on.
    pub from: String,
    /// The lane.
    pub lane: String,
    /// The lane was dropped again, because there is nothing new in it; `vib lane open` brings it back.
    pub dropped: bool,
    /// The cards.
    pub cards: Vec<CardReplayed>,
    /// Everything came out as then.
    pub same: bool,
    /// The hash of all files at the end.
    pub tree: String,
}

/// A fresh lane for doing a run again: from what it began with, or from another state of the project. Its name comes back.
pub fn fresh_lane(engine: &Engine, run: &Run, onto: Option<&str>, progress: &dyn Progress) -> Result<String> {
    let known = lane::all(engine)?;
    let mut number = 1_u32;
    let name = loop {
        let name = format!("{}-replay-{number}", run.id);
        if !known.iter().any(|lane| lane.name() == name) {
            break name;
        }
        number += 1;
    };
    let from = Some(onto.unwrap_or(&run.from).to_owned());
    let wish = NewLane { name: Some(name), from, made_by: Some("vib".to_owned()) };
    Ok(lane::make(engine, &wish, progress)?.name)
}

/// Does a run again. Only the fresh lane is written to.
pub fn replay(
    engine: &Engine,
    id: &str,
    options: &ReplayOptions,
    progress: &dyn Progress,
) -> Result<Replayed> {
    let run = show(engine, id)?;
    let until = match &options.card {
        None => run.cards.len(),
        Some(card) => {
            let wanted = &find_card(&run, card)?.id;
            run.cards.iter().position(|one| one.id == *wanted).map_or(run.cards.len(), |at| at + 1)
        }
    };
    let name = fresh_lane(engine, &run, options.onto.as_deref(), progress)?;
    let mut cards = Vec::new();
    let mut tree = state::save(engine, &name, "replay", progress)?.tree;
    for card in &run.cards[..until] {
        let Ok(attempt) = apply::pick(&run, card, None) else { continue };
        let done = one_card(engine, &run, (card, attempt), &name, progress)?;
        tree = state::save(engine, &name, "replay", progress)?.tree;
        let outcome = match done {
            Outcome::Done if options.onto.is_none() => compare(engine, attempt, &name, progress)?,
            other => other,
        };
        let is_over = matches!(outcome, Outcome::Refused { .. });
        if options.card.as_ref().is_none_or(|only| *only == card.id) || is_over {
            cards.push(CardReplayed {
                card: card.id.clone(),
                title: card.title.clone(),
                diffs: diffs_of(card, attempt).count(),
                outcome,
                tree: tree.clone(),
            });
        }
        if is_over {
            break;
        }
    }
    let same = !cards.is_empty()
        && cards.iter().all(|card| matches!(card.outcome, Outcome::Same | Outcome::Nothing));
    let dropped = same && !options.keep && lane::drop(engine, &name, false, progress).is_ok();
    let from = options.onto.clone().unwrap_or_else(|| run.from.clone());
    Ok(Replayed { run: run.id, from, lane: name, dropped, cards, same, tree })
}

fn diffs_of<'c>(card: &'c Card, attempt: &'c Attempt) -> impl Iterator<Item = &'c super::fold::KeptDiff> {
    let is_own = |diff: &&super::fold::KeptDiff| diff.attempt.as_ref().is_none_or(|id| *id == attempt.id);
    card.evidence.diffs.iter().filter(is_own)
}

/// Does one card again, in the lane.
fn one_card(
    engine: &Engine,
    run: &Run,
    (card, attempt): (&Card, &Attempt),
    lane: &str,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let target = lane::find(engine, lane)?.engine(engine.context())?;
    if diffs_of(card, attempt).next().is_none() {
        return by_changes(engine, &target, run, (card, attempt), progress);
    }
    for kept in diffs_of(card, attempt) {
        let text = log::kept(engine, &run.id, &kept.diff)?;
        // What was applied then is applied again, in a lane that nobody works in: there is nobody to ask.
        let options = PatchOptions { allow_ignored: true, ..PatchOptions::default() };
        let applied = patch::preview(&target, Actor::Person, text.as_bytes(), &options, progress)
            .and_then(|preview| patch::apply(&target, &preview, Confirmation::Agent, progress));
        if let Err(error) = applied {
            return Ok(refused(&error));
        }
    }
    Ok(Outcome::Done)
}

/// The same for a card of which no diffs are kept.
fn by_changes(
    engine: &Engine,
    target: &Engine,
    run: &Run,
    (card, attempt): (&Card, &Attempt),
    progress: &dyn Progress,
) -> Result<Outcome> {
    let (Some(from), Some(to)) = (attempt.before.clone(), attempt.after.clone()) else {
        return Ok(Outcome::Nothing);
    };
    let one = Move { card: card.id.clone(), lane: attempt.lane.clone(), from, to };
    let moves = vec![(one, apply::name_of(card, attempt))];
    let wish = Wish { run, moves, in_lane: None, revert: false, since: 0 };
    let found = preview::look(engine, target, wish, &CardOptions::default(), &|| false, progress)?;
    if !found.conflicts.is_empty() {
        let places: Vec<String> = found.conflicts.iter().map(preview::place_words).collect();
        return Ok(Outcome::Refused { code: "overlaps".to_owned(), message: places.join("; ") });
    }
    match preview::carry_out(target, &found, Confirmation::Agent, progress) {
        Ok(_) => Ok(Outcome::Done),
        Err(error) => Ok(refused(&error)),
    }
}

fn refused(error: &Error) -> Outcome {
    Outcome::Refused { code: error.code().to_owned(), message: error.to_string() }
}

/// Holds the lane against what the attempt left behind then.
fn compare(engine: &Engine, attempt: &Attempt, lane: &str, progress: &dyn Progress) -> Result<Outcome> {
    let Some(after) = &attempt.after else { return Ok(Outcome::Nothing) };
    let (then_engine, now_engine) = (lane::engine_of(engine, &attempt.lane)?, lane::engine_of(engine, lane)?);
    let (then, now) = (then_engine.store(progress)?, now_engine.store(progress)?);
    let then_view = state::view_of(&then.store, &attempt.lane, after)?;
    let now_view = now.store.recorded_state()?;
    if then.store.tree_hash(&then_view)? == now.store.tree_hash(&now_view)? {
        return Ok(Outcome::Same);
    }
    // Both began with the same files: what differs was changed in one of them.
    let mut paths: BTreeSet<RelPath> = changed(&then.store, lane_name(attempt), &then_view)?;
    paths.extend(changed(&now.store, lane, &now_view)?);
    for path in paths {
        let (one, other) = (
            then.store.entry_in(&then_view, path.as_bytes())?,
            now.store.entry_in(&now_view, path.as_bytes())?,
        );
        let is_same = match (&one, &other) {
            (Some(one), Some(other)) => one.same_on_disk(other),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            return Ok(Outcome::Differs { path: path.to_string() });
        }
    }
    Ok(Outcome::Differs { path: String::new() })
}

fn lane_name(attempt: &Attempt) -> &str {
    &attempt.lane
}

fn changed(store: &Store<'_>, lane: &str, until: &store::View) -> Result<BTreeSet<RelPath>> {
    let gone = || RunError::StateGone { lane: lane.to_owned(), state: "first".to_owned() };
    let first = store.oldest_whole()?.ok_or_else(gone)?;
    let changes = store.compare(&store.recorded_state_at(first), until, &[])?;
    Ok(changes.into_iter().map(|change| change.path).collect())
}
