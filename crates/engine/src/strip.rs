//! The last steps, one mark each: what kind of step it was, and whether it lost files.

use project::RelPath;
use serde::Serialize;
use store::{Actor, Ending, EntryKind, Progress, Request, Step, StepChange, StepFilter, Store};

use crate::at_work::{AtWork, at_work};
use crate::story::is_command;
use crate::{Engine, Result};

/// What kind of step a mark stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// It only looked.
    Look,
    /// It changed files.
    Edit,
    /// A command ran.
    Command,
    /// Files that were there before the request are gone or empty, and nobody brought them back.
    Lost,
    /// It was not let run.
    Stopped,
    /// By hand, or by another program.
    ByHand,
    /// A change of vib's own.
    Vib,
}

/// One step.
#[derive(Debug, Serialize)]
pub struct Dot {
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// What kind it is.
    pub mark: Mark,
    /// How many files it lost.
    pub lost: u64,
}

/// Steps in a row of one session, or by hand.
#[derive(Debug, Serialize)]
pub struct Run {
    /// The client; none: by hand, or vib.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// When its first step here began.
    pub started_ms: i64,
    /// The steps, the oldest first.
    pub dots: Vec<Dot>,
}

/// The last steps, the oldest first.
#[derive(Debug, Serialize)]
pub struct Strip {
    /// What a person asked for last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Request>,
    /// The agents that are at work.
    pub at_work: Vec<AtWork>,
    /// In the order in which they began.
    pub runs: Vec<Run>,
    /// Time of the report.
    pub now_ms: i64,
}

/// Looks at the last `most` steps.
pub fn strip(engine: &Engine, most: usize, progress: &dyn Progress) -> Result<Strip> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let mut steps = store.steps(&StepFilter { limit: most.max(1), ..StepFilter::default() })?;
    steps.reverse();
    let mut runs: Vec<Run> = Vec::new();
    for step in steps {
        let changes = if step.files == 0 { Vec::new() } else { store.changes_of(step.number)? };
        let lost = lost_by(store, &step, &changes)?.len() as u64;
        let mark = mark(&step, lost);
        let (client, session) = match step.actor {
            Actor::Agent => (step.client.clone(), step.session.clone()),
            Actor::ByHand | Actor::Vib => (None, None),
        };
        let started_ms = step.started_ms;
        let dot = Dot { step, mark, lost };
        match runs.last_mut() {
            Some(run) if run.client == client && run.session == session => run.dots.push(dot),
            _ => runs.push(Run { client, session, started_ms, dots: vec![dot] }),
        }
    }
    let asked = store.requests(None, 1)?.into_iter().next();
    let now_ms = engine.context().now_ms();
    Ok(Strip { asked, at_work: at_work(store, now_ms)?, runs, now_ms })
}

pub(crate) fn mark(step: &Step, lost: u64) -> Mark {
    match (step.actor, step.ending) {
        (_, Ending::Stopped | Ending::Refused) => Mark::Stopped,
        (Actor::Vib, _) => Mark::Vib,
        _ if lost > 0 => Mark::Lost,
        (Actor::ByHand, _) => Mark::ByHand,
        _ if is_command(step) => Mark::Command,
        _ if step.files > 0 || !step.elsewhere.outside.is_empty() => Mark::Edit,
        _ => Mark::Look,
    }
}

/// Files that a step of an agent lost: gone or empty after it, not moved, not made for the same request, and not brought back.
pub(crate) fn lost_by(store: &Store<'_>, step: &Step, changes: &[StepChange]) -> Result<Vec<RelPath>> {
    if step.actor == Actor::Vib {
        return Ok(Vec::new());
    }
    let mut lost = Vec::new();
    for change in changes.iter().filter(|change| change.undone_by.is_none() && is_loss(change)) {
        let moved = changes.iter().any(|other| {
            other.before.is_none()
                && other.after.map(|entry| entry.hash) == change.before.map(|entry| entry.hash)
        });
        if !moved && !made_for(store, step, &change.path)? {
            lost.push(change.path.clone());
        }
    }
    Ok(lost)
}

/// Something was there, and nothing is.
pub(crate) fn is_loss(change: &StepChange) -> bool {
    let was = change.before.is_some_and(|entry| entry.kind == EntryKind::File && entry.size > 0);
    was && change.after.is_none_or(|entry| entry.kind == EntryKind::File && entry.size == 0)
}

/// The request that this step serves made the file itself: to clean up after oneself is no loss.
fn made_for(store: &Store<'_>, step: &Step, path: &RelPath) -> Result<bool> {
    let Some(request) = step.request else { return Ok(false) };
    for change in store.changes_of_path(path)?.iter().filter(|change| change.before.is_none()) {
        if store.step(change.step)?.is_some_and(|maker| maker.request == Some(request)) {
            return Ok(true);
        }
    }
    Ok(false)
}
