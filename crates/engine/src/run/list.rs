//! The runs of a project, and looking at one. Nothing here takes a run's lock for longer than a look.

use std::path::Path;

use serde::Serialize;

use super::fold::{Run, Spent};
use super::model::{CardStatus, RunEvent};
use super::{RunError, log, undone};
use crate::{Engine, Result};

/// A run in a list.
#[derive(Debug, Clone, Serialize)]
pub struct RunLine {
    /// Its id.
    pub id: String,
    /// What a person asked for.
    pub task: String,
    /// How many cards it has.
    pub cards: usize,
    /// Of these, how many are done.
    pub done: usize,
    /// How many wait for a person: a yes, a choice, or something that blocks them.
    pub waiting: usize,
    /// Somebody is at work on it now.
    pub running: bool,
    /// Nobody is at work on it any more, and it neither ended nor waits: whoever worked on it was killed.
    pub left_alone: bool,
    /// The stable code of what it waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<String>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// What it used.
    pub spent: Spent,
    /// When it began, milliseconds since 1970.
    pub began_ms: i64,
    /// When something last happened.
    pub last_ms: i64,
}

/// All runs of a project.
#[derive(Debug, Clone, Serialize)]
pub struct RunList {
    /// The newest first.
    pub runs: Vec<RunLine>,
    /// Time of the report.
    pub now_ms: i64,
}

/// Every run of the project, the newest first.
pub fn list(engine: &Engine) -> Result<Vec<RunLine>> {
    let all = log::runs_folder(engine);
    let mut numbers = numbers(&all);
    numbers.sort_unstable_by(|one, other| other.cmp(one));
    let mut out = Vec::with_capacity(numbers.len());
    for number in numbers {
        let id = format!("run{number}");
        let events = log::read(engine, &id)?;
        // A folder in which nothing was written yet is no run yet.
        if events.is_empty() {
            continue;
        }
        let mut run = Run::of(&id, &events);
        undone::settle(engine, &mut run)?;
        let running = is_running(engine, &id);
        let count =
            |fits: &dyn Fn(CardStatus) -> bool| run.cards.iter().filter(|card| fits(card.status)).count();
        out.push(RunLine {
            left_alone: !running && run.is_open(),
            running,
            cards: run.cards.len(),
            done: count(&|status| status == CardStatus::Done),
            waiting: count(&|status| {
                matches!(status, CardStatus::Preview | CardStatus::Review | CardStatus::Blocked)
            }),
            paused: run.paused.map(|pause| pause.code),
            ended: run.ended,
            spent: run.spent,
            began_ms: run.began_ms,
            last_ms: run.last_ms,
            task: run.task,
            id,
        });
    }
    Ok(out)
}

/// A run as it stands. Reads only.
pub fn show(engine: &Engine, id: &str) -> Result<Run> {
    let events = log::read(engine, id)?;
    if events.is_empty() {
        return Err(RunError::Unknown(id.to_owned()).into());
    }
    let mut run = Run::of(id, &events);
    undone::settle(engine, &mut run)?;
    Ok(run)
}

/// Somebody is at work on it now.
pub fn is_running(engine: &Engine, id: &str) -> bool {
    log::folder_of(engine, id).is_ok_and(|folder| log::holder(&folder).is_some())
}

/// Asks whoever works on a run to end. Where nobody does any more, the run is written down as stopped. True: somebody was asked.
pub fn request_stop(engine: &Engine, id: &str) -> Result<bool> {
    let folder = log::folder_of(engine, id)?;
    if log::holder(&folder).is_some() {
        log::ask_to_stop(&folder).map_err(|source| RunError::Log { run: id.to_owned(), source })?;
        return Ok(true);
    }
    let mut log = log::RunLog::open(engine, id)?;
    if log.run().ended.is_some() {
        return Err(RunError::NotRunning(id.to_owned()).into());
    }
    log.append(RunEvent::Ended { why: "stopped".to_owned() })?;
    Ok(false)
}

/// What a person named: a run, a card of it, an attempt at that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The run.
    pub run: String,
    /// The card.
    pub card: Option<String>,
    /// The attempt.
    pub attempt: Option<String>,
}

/// Reads `run3`, `run3/c1` or `run3/c1/a2`.
pub fn place(typed: &str) -> Result<Place> {
    let bad = || RunError::BadName(typed.to_owned());
    let mut parts = typed.split('/');
    let run = parts.next().filter(|run| number_of(run).is_some()).ok_or_else(bad)?.to_owned();
    let card = parts.next().map(str::to_owned);
    let attempt = parts.next().map(str::to_owned);
    let fits = card.iter().chain(&attempt).all(|part| is_part(part));
    if !fits || parts.next().is_some() {
        return Err(bad().into());
    }
    Ok(Place { run, card, attempt })
}

/// The number of a run's id.
pub(super) fn number_of(id: &str) -> Option<u32> {
    let digits = id.strip_prefix("run")?;
    let number: u32 = digits.parse().ok()?;
    (number > 0 && number.to_string() == digits).then_some(number)
}

/// The numbers of the runs in a folder.
pub(super) fn numbers(all: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir(all).into_iter().flatten().flatten();
    entries.filter_map(|entry| number_of(entry.file_name().to_str()?)).collect()
}

/// A name that is one part of a path, and says so.
pub(super) fn is_part(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=80).contains(&name.len())
        && name.bytes().all(fits)
        && name.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_with_slashes_and_nothing_else_is_one() {
        let read = |typed: &str| place(typed).ok().map(|place| (place.run, place.card, place.attempt));
        let part = |text: &str| Some(text.to_owned());
        assert_eq!(read("run3"), Some(("run3".to_owned(), None, None)));
        assert_eq!(read("run3/c1"), Some(("run3".to_owned(), part("c1"), None)));
        assert_eq!(read("run12/c1/a2"), Some(("run12".to_owned(), part("c1"), part("a2"))));
        for wrong in [
            "",
            "run",
            "run0",
            "run01",
            "run-1",
            "3",
            "run3/",
            "run3/../x",
            "run3/c1/a1/b",
            "run3/c 1",
            "run3/.c",
            "run4294967296",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
