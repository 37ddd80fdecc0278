//! A card's changes come to the project, after a person's yes: one step in its history, which one undo takes back.

use store::{Progress, StepNumber};

use super::fold::{Attempt, Card, Run};
use super::list::Place;
use super::log::RunLog;
use super::model::{CardStatus, RunEvent};
use super::moves::Move;
use super::preview::{self, CardName, CardOptions, CardPreview, CardsDone, Wish, place_words};
use super::{RunError, artifacts, is_running, show, state};
use crate::undo::Confirmation;
use crate::{Engine, Notice, Result, lane};

/// The code of a card of which some files were left; the reason names them.
const PARTLY: &str = "partly_applied";
/// The code of a card of which everything was left.
const STAYS: &str = "nothing_applied";

/// Shows what applying a card, an attempt, or everything of a run that waits, would do. Saves the project, changes nothing.
pub fn preview_apply(
    engine: &Engine,
    place: &Place,
    options: &CardOptions,
    stop: &dyn Fn() -> bool,
    progress: &dyn Progress,
) -> Result<CardPreview> {
    let run = show(engine, &place.run)?;
    refuse_running(engine, &place.run)?;
    let moves = chosen(&run, place)?;
    // What the log says landed may have been taken away since in a way that nobody wrote down: the files decide.
    let landed = place.card.as_ref().and_then(|card| run.card(card)).filter(|card| card.is_in_project());
    let wish = Wish { run: &run, moves, in_lane: None, revert: false, since: began(engine, &run, progress)? };
    let found = preview::look(engine, engine, wish, options, stop, progress)?;
    if landed.is_some() && (found.is_empty() || !found.conflicts.is_empty()) {
        return Err(RunError::Landed(found.name()).into());
    }
    if !found.conflicts.is_empty() && !options.leave {
        return Err(overlaps(&found).into());
    }
    Ok(found)
}

/// Does what was shown, after a person's yes, and writes it down.
pub fn apply(
    engine: &Engine,
    preview: &CardPreview,
    via: Confirmation,
    progress: &dyn Progress,
) -> Result<CardsDone> {
    let (landing, staying): (Vec<&CardName>, Vec<&CardName>) =
        preview.cards.iter().partition(|one| preview.lands(one));
    if landing.is_empty() {
        // Of none of them anything would come: nothing is done, and nothing is told as done.
        let (name, files) = (preview.name(), preview.left().len());
        return Err(RunError::OnlyConflicts { name, files, revert: false }.into());
    }
    let mut log = RunLog::open(engine, &preview.run)?;
    let carried = preview::carry_out(engine, preview, via, progress)?;
    let step = carried.step.and_then(|step| u64::try_from(step.0).ok());
    // From here on the files are in the project. Whoever dies now finds, the next time, that nothing is left to change, and the log is told.
    for one in &landing {
        let (card, attempt) = (one.card.clone(), one.attempt.clone());
        log.append(RunEvent::Landed { card: card.clone(), attempt, step })?;
        let left = preview.left_of(one);
        let why = (!left.is_empty()).then(|| left.join(", "));
        let code = why.is_some().then(|| PARTLY.to_owned());
        log.append(RunEvent::Status { card, status: CardStatus::Done, code, why })?;
    }
    for one in &staying {
        // It stands where it stood, with the reason.
        let Some(status) = log.run().card(&one.card).map(|card| card.status) else { continue };
        let status = if status == CardStatus::Done { CardStatus::Preview } else { status };
        let (card, why) = (one.card.clone(), Some(preview.left_of(one).join(", ")));
        log.append(RunEvent::Status { card, status, code: Some(STAYS.to_owned()), why })?;
    }
    let mut notices = carried.notices;
    let noted = note_lanes(engine, &log.run(), preview, (carried.step, carried.safety.as_ref()), progress);
    let written = artifacts::write(engine, &preview.run);
    for failed in [noted.err(), written.err()].into_iter().flatten() {
        // The cards have landed: what is derived from that can be made again.
        notices.push(Notice::NotRecorded { message: failed.to_string() });
    }
    Ok(CardsDone {
        run: preview.run.clone(),
        revert: false,
        cards: landing.into_iter().cloned().collect(),
        stays: staying.into_iter().cloned().collect(),
        in_lane: None,
        step: carried.step.map(|step| step.to_string()),
        paths: carried.paths,
        left: preview.left(),
        safety: carried.safety,
        confirmed_via: via,
        notices,
    })
}

pub(super) fn refuse_running(engine: &Engine, run: &str) -> Result<()> {
    if is_running(engine, run) {
        // Says who, and since when.
        drop(RunLog::open(engine, run)?);
    }
    Ok(())
}

/// The attempts that are meant, as what they did.
fn chosen(run: &Run, place: &Place) -> Result<Vec<(Move, CardName)>> {
    let Some(card) = &place.card else {
        let mut moves = Vec::new();
        for card in &run.cards {
            let waits = card.status == CardStatus::Preview || card.undone.is_some();
            if let Some(attempt) = card.chosen().filter(|_| waits) {
                moves.extend(forwards(card, attempt));
            }
        }
        if moves.is_empty() {
            return Err(RunError::NothingWaits(run.id.clone()).into());
        }
        return Ok(moves);
    };
    let card = find_card(run, card)?;
    let name = format!("{}/{}", run.id, card.id);
    let attempt = pick(run, card, place.attempt.as_deref())?;
    let moved = forwards(card, attempt).filter(|_| card.status != CardStatus::Running);
    Ok(vec![moved.ok_or(RunError::NotReady(name))?])
}

pub(super) fn find_card<'r>(run: &'r Run, id: &str) -> Result<&'r Card> {
    let unknown = || RunError::NoCard { run: run.id.clone(), card: id.to_owned() };
    Ok(run.card(id).ok_or_else(unknown)?)
}

/// The attempt that was named, or the one that counts.
pub(super) fn pick<'r>(run: &Run, card: &'r Card, named: Option<&str>) -> Result<&'r Attempt> {
    let name = format!("{}/{}", run.id, card.id);
    match named {
        Some(named) => {
            let found = card.attempts.iter().find(|attempt| attempt.id == named);
            let unknown = || RunError::NoAttempt {
                run: run.id.clone(),
                card: card.id.clone(),
                attempt: named.to_owned(),
            };
            Ok(found.ok_or_else(unknown)?)
        }
        None => match card.chosen() {
            Some(attempt) => Ok(attempt),
            // Put away, but everything of it is kept.
            None if card.attempts.len() == 1 => Ok(&card.attempts[0]),
            None if card.attempts.is_empty() => Err(RunError::NotReady(name).into()),
            None => Err(RunError::Choose { card: name, attempts: card.attempts.len() }.into()),
        },
    }
}

pub(super) fn name_of(card: &Card, attempt: &Attempt) -> CardName {
    CardName {
        card: card.id.clone(),
        title: card.title.clone(),
        attempt: attempt.id.clone(),
        lane: attempt.lane.clone(),
        files: attempt.files.len(),
    }
}

fn forwards(card: &Card, attempt: &Attempt) -> Option<(Move, CardName)> {
    let (from, to) = (attempt.before.clone()?, attempt.after.clone()?);
    let one = Move { card: card.id.clone(), lane: attempt.lane.clone(), from, to };
    (!attempt.lane.is_empty()).then(|| (one, name_of(card, attempt)))
}

/// The number of the checkpoint with which the run began; 0 where it is not kept.
fn began(engine: &Engine, run: &Run, progress: &dyn Progress) -> Result<i64> {
    let opened = engine.store(progress)?;
    Ok(opened.store.resolve(&run.from).map_or(0, |checkpoint| checkpoint.seq))
}

/// A lane of which everything has landed says so, so that `vib land` does not ask about it again.
fn note_lanes(
    engine: &Engine,
    run: &Run,
    preview: &CardPreview,
    (step, safety): (Option<StepNumber>, Option<&store::Checkpoint>),
    progress: &dyn Progress,
) -> Result<()> {
    let (Some(step), Some(safety)) = (step, safety) else { return Ok(()) };
    let mut lanes: Vec<&str> = preview.cards.iter().map(|one| one.lane.as_str()).collect();
    lanes.dedup();
    for name in lanes {
        let in_lane = |card: &&Card| card.attempts.iter().any(|attempt| attempt.lane == name);
        let mut cards = run.cards.iter().filter(in_lane);
        if !cards.all(Card::is_in_project) {
            continue;
        }
        let last = run.cards.iter().rev().find(in_lane).and_then(Card::chosen);
        let Some(after) = last.and_then(|attempt| attempt.after.as_deref()) else { continue };
        let of_lane = lane::engine_of(engine, name)?;
        let lane_seq = state::seq_of(&of_lane.store(progress)?.store, name, after)?;
        lane::note_landed(engine, name, (lane_seq, step, safety.seq))?;
    }
    Ok(())
}

fn overlaps(found: &CardPreview) -> RunError {
    let run = &found.run;
    let lane = found.cards.first().map(|one| one.lane.clone()).unwrap_or_default();
    let next = if found.without.is_empty() {
        format!(
            "`vib lane merge {lane}` brings the project's changes into the lane, to settle it there; or take one side of each file with `vib land {lane} --take lane FILE`; or leave those files with `--leave`"
        )
    } else {
        format!(
            "{} came before it and is not in the project: `vib run apply {run}` lands all that waits together, in order",
            found.without.join(", ")
        )
    };
    let places = found.conflicts.iter().map(place_words).collect();
    RunError::Overlaps { card: found.name(), places, revert: false, next }
}
