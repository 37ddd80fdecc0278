//! A card is taken back: the reverse of what it did, and of nothing else. Later cards and later work stay; where the same lines were changed
//! since, nothing is guessed.

use store::{Progress, StepNumber};

use super::apply::{find_card, name_of, pick, refuse_running};
use super::list::Place;
use super::log::RunLog;
use super::model::{CardStatus, RunEvent};
use super::moves::Move;
use super::preview::{self, CardOptions, CardPreview, CardsDone, Wish, place_words};
use super::{RunError, artifacts, show, state};
use crate::undo::Confirmation;
use crate::{Engine, Error, Notice, Result, lane};

/// Shows what taking a card back would do: in the project, if its changes are there, else in its lane. Changes nothing.
pub fn preview_revert(
    engine: &Engine,
    place: &Place,
    options: &CardOptions,
    stop: &dyn Fn() -> bool,
    progress: &dyn Progress,
) -> Result<CardPreview> {
    let Some(card) = &place.card else {
        return Err(Error::Usage(format!("name the card: `{}/c1`", place.run)));
    };
    let run = show(engine, &place.run)?;
    refuse_running(engine, &place.run)?;
    let card = find_card(&run, card)?;
    let name = format!("{}/{}", run.id, card.id);
    let attempt = pick(&run, card, place.attempt.as_deref())?;
    let is_ready =
        !attempt.lane.is_empty() && !matches!(card.status, CardStatus::Running | CardStatus::Reverted);
    let ends = (attempt.before.clone(), attempt.after.clone());
    let (Some(before), Some(after)) = ends else { return Err(RunError::NotReady(name).into()) };
    if !is_ready {
        return Err(RunError::NotReady(name).into());
    }
    let of_lane = lane::engine_of(engine, &attempt.lane)?;
    let lane_seq = state::seq_of(&of_lane.store(progress)?.store, &attempt.lane, &after)?;
    let (in_lane, since) = if card.is_in_project() {
        (None, landed_seq(engine, card.landed_step, progress)?)
    } else {
        (Some(attempt.lane.clone()), lane_seq)
    };
    let one = Move { card: card.id.clone(), lane: attempt.lane.clone(), from: after, to: before };
    let moves = vec![(one, name_of(card, attempt))];
    let wish = Wish { run: &run, moves, in_lane: in_lane.clone(), revert: true, since };
    let found = match &in_lane {
        None => preview::look(engine, engine, wish, options, stop, progress)?,
        Some(name) => {
            let target = lane::find(engine, name)?.engine(engine.context())?;
            preview::look(engine, &target, wish, options, stop, progress)?
        }
    };
    if !found.conflicts.is_empty() && !options.leave {
        return Err(overlaps(&found).into());
    }
    Ok(found)
}

/// Does what was shown, after a person's yes, and writes it down.
pub fn revert(
    engine: &Engine,
    preview: &CardPreview,
    via: Confirmation,
    progress: &dyn Progress,
) -> Result<CardsDone> {
    if !preview.cards.iter().any(|one| preview.lands(one)) {
        // Nothing of it would be taken back, so nothing is told as taken back.
        let (name, files) = (preview.name(), preview.left().len());
        return Err(RunError::OnlyConflicts { name, files, revert: true }.into());
    }
    let mut log = RunLog::open(engine, &preview.run)?;
    let carried = match &preview.in_lane {
        None => preview::carry_out(engine, preview, via, progress)?,
        Some(name) => {
            let target = lane::find(engine, name)?.engine(engine.context())?;
            preview::carry_out(&target, preview, via, progress)?
        }
    };
    let step = carried.step.and_then(|step| u64::try_from(step.0).ok());
    let left = preview.left();
    for one in &preview.cards {
        let card = one.card.clone();
        log.append(RunEvent::Reverted { card: card.clone(), step })?;
        if !left.is_empty() {
            let (status, code) = (CardStatus::Reverted, Some("left".to_owned()));
            let why = Some(format!("but not in {}", left.join(", ")));
            log.append(RunEvent::Status { card, status, code, why })?;
        }
    }
    let mut notices = carried.notices;
    if let Err(failed) = artifacts::write(engine, &preview.run) {
        notices.push(Notice::NotRecorded { message: failed.to_string() });
    }
    Ok(CardsDone {
        run: preview.run.clone(),
        revert: true,
        cards: preview.cards.clone(),
        stays: Vec::new(),
        in_lane: preview.in_lane.clone(),
        step: carried.step.map(|step| step.to_string()),
        paths: carried.paths,
        left,
        safety: carried.safety,
        confirmed_via: via,
        notices,
    })
}

/// The project's checkpoint with which the card's changes were there.
fn landed_seq(engine: &Engine, step: Option<u64>, progress: &dyn Progress) -> Result<i64> {
    let Some(step) = step.and_then(|step| i64::try_from(step).ok()) else { return Ok(0) };
    let step = engine.store(progress)?.store.step(StepNumber(step))?;
    Ok(step.map_or(0, |step| step.after.unwrap_or(step.before)))
}

fn overlaps(found: &CardPreview) -> RunError {
    let name = found.name();
    let rest =
        format!("`vib run revert {name} --leave` takes back the rest and leaves these files as they are");
    let next = if found.later.is_empty() {
        format!("take the later change back first (`vib history` shows it), or {rest}")
    } else {
        let later: Vec<String> =
            found.later.iter().rev().map(|card| format!("`vib run revert {}/{card}`", found.run)).collect();
        format!("take later cards back first ({}), or {rest}", later.join(", "))
    };
    let places = found.conflicts.iter().map(place_words).collect();
    RunError::Overlaps { card: name, places, revert: true, next }
}
