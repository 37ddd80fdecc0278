//! A run, a card or an attempt is put away: its lanes are saved and dropped. Everything of it is kept; `vib lane open` brings a lane back, and
//! an attempt can be applied from what is kept.

use serde::Serialize;
use store::Progress;

use super::apply::{find_card, refuse_running};
use super::fold::Run;
use super::list::Place;
use super::log::RunLog;
use super::model::RunEvent;
use super::{RunError, artifacts, show};
use crate::lane::{self, LaneStatus};
use crate::{Engine, Notice, Result};

/// What was put away.
#[derive(Debug, Serialize)]
pub struct RunDropped {
    /// The run.
    pub run: String,
    /// Each lane, with its last state.
    pub lanes: Vec<lane::Dropped>,
    /// Cards and attempts that are written down as dropped (`c1/a2`).
    pub attempts: Vec<String>,
    /// The run's branch in the person's repository: it is theirs, and stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Puts it away. `force`: also if programs are at work in a lane.
pub fn drop_run(engine: &Engine, place: &Place, force: bool, progress: &dyn Progress) -> Result<RunDropped> {
    let run = show(engine, &place.run)?;
    refuse_running(engine, &place.run)?;
    let lanes = lanes_of(engine, &run, place)?;
    let mut log = RunLog::open(engine, &run.id)?;
    let mut dropped = Vec::new();
    for one in lane::all(engine)? {
        // One that somebody put away before is only written down.
        if lanes.iter().any(|name| name == one.name()) && one.record.status != LaneStatus::Dropped {
            dropped.push(lane::drop(engine, one.name(), force, progress)?);
        }
    }
    let mut attempts = Vec::new();
    for card in &run.cards {
        for attempt in card.attempts.iter().filter(|attempt| !attempt.dropped) {
            if lanes.contains(&attempt.lane) && is_meant(place, &card.id, &attempt.id) {
                let (card, attempt) = (card.id.clone(), attempt.id.clone());
                attempts.push(format!("{card}/{attempt}"));
                log.append(RunEvent::Dropped { card, attempt })?;
            }
        }
    }
    if dropped.is_empty() && attempts.is_empty() {
        return Err(RunError::NothingToDrop(named(place)).into());
    }
    let mut notices = Vec::new();
    if let Err(failed) = artifacts::write(engine, &run.id) {
        notices.push(Notice::NotRecorded { message: failed.to_string() });
    }
    let branch = run.branch.filter(|branch| branch.tip.is_some()).map(|branch| branch.name);
    Ok(RunDropped { run: run.id, lanes: dropped, attempts, branch, notices })
}

fn named(place: &Place) -> String {
    [Some(&place.run), place.card.as_ref(), place.attempt.as_ref()]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("/")
}

fn is_meant(place: &Place, card: &str, attempt: &str) -> bool {
    place.card.as_deref().is_none_or(|meant| meant == card)
        && place.attempt.as_deref().is_none_or(|meant| meant == attempt)
}

/// The lanes that are meant. Of a run all of them, also one that somebody died in before it was written down.
fn lanes_of(engine: &Engine, run: &Run, place: &Place) -> Result<Vec<String>> {
    let Some(card) = &place.card else {
        let of_run = format!("{}-", run.id);
        let all = lane::all(engine)?;
        let names = all.iter().map(lane::Lane::name);
        return Ok(names
            .filter(|name| *name == run.id || name.starts_with(&of_run))
            .map(str::to_owned)
            .collect());
    };
    let card = find_card(run, card)?;
    let unknown = |attempt: &String| RunError::NoAttempt {
        run: run.id.clone(),
        card: card.id.clone(),
        attempt: attempt.clone(),
    };
    if let Some(attempt) =
        place.attempt.as_ref().filter(|named| !card.attempts.iter().any(|one| one.id == **named))
    {
        return Err(unknown(attempt).into());
    }
    let mut lanes: Vec<String> = Vec::new();
    for attempt in card.attempts.iter().filter(|one| is_meant(place, &card.id, &one.id)) {
        let shares = |other: &&super::fold::Card| other.attempts.iter().any(|one| one.lane == attempt.lane);
        let others: Vec<String> = run.cards.iter().filter(shares).map(|other| other.id.clone()).collect();
        if others.len() > 1 {
            let (card, lane) = (format!("{}/{}", run.id, card.id), attempt.lane.clone());
            return Err(RunError::SharedLane { card, run: run.id.clone(), lane, others }.into());
        }
        lanes.push(attempt.lane.clone());
    }
    lanes.dedup();
    Ok(lanes)
}
