//! `vib run list`, `show` and `stop`: looking, and asking for an end.

use engine::person::Act;
use engine::run::{self, Run, RunError, RunList};
use engine::verification::checks;
use engine::{Engine, Result};
use serde::Serialize;
use texts::Texts;

use super::main;
use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// A run, or one card of it, as it stands.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    #[serde(flatten)]
    pub(crate) run: Run,
    /// Somebody is at work on it now.
    pub(crate) running: bool,
    /// Nobody is at work on it any more, and it neither ended nor waits: whoever worked on it was killed.
    pub(crate) left_alone: bool,
    /// Checks that were not run for it, because nobody has allowed them yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_allowed: Vec<String>,
    /// Only one card was asked for.
    #[serde(skip)]
    pub(crate) one: bool,
    pub(crate) now_ms: i64,
}

impl Shown {
    pub(super) fn of(engine: &Engine, run: Run, one: bool) -> Self {
        let running = run::is_running(engine, &run.id);
        let not_run = |line: &str| {
            let attempts = run.cards.iter().flat_map(|card| &card.attempts);
            attempts
                .flat_map(|attempt| &attempt.checks)
                .any(|check| check.command == line && check.status == "not_run")
        };
        // What cannot be read now says nothing about what was run then.
        let known = checks::known(engine).unwrap_or_default();
        let not_allowed = known.into_iter().filter(|check| !check.allowed && not_run(&check.line));
        Self {
            left_alone: !running && run.is_open(),
            not_allowed: not_allowed.map(|check| check.line).collect(),
            running,
            one,
            run,
            now_ms: engine.context().now_ms(),
        }
    }
}

/// A run that was asked to end.
#[derive(Debug, Serialize)]
pub(crate) struct Stopped {
    pub(crate) run: String,
    /// Somebody was at work and was asked; else the run was written down as stopped.
    pub(crate) asked: bool,
}

pub(super) fn list(session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    let list = RunList { runs: run::list(&engine)?, now_ms: engine.context().now_ms() };
    let texts = Texts::new(engine.language());
    Ok(Answer::new(&session.printer, &list, |list, theme| render::runs(list, &texts, theme)).long())
}

pub(super) fn show(typed: &str, session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    let place = run::place(typed)?;
    let mut found = run::show(&engine, &place.run)?;
    if let Some(card) = &place.card {
        found.cards.retain(|one| one.id == *card);
        let Some(one) = found.cards.first_mut() else {
            return Err(RunError::NoCard { run: place.run, card: card.clone() }.into());
        };
        if let Some(attempt) = place.attempt {
            one.attempts.retain(|found| found.id == attempt);
            if one.attempts.is_empty() {
                return Err(RunError::NoAttempt { run: place.run, card: card.clone(), attempt }.into());
            }
        }
    }
    let shown = Shown::of(&engine, found, place.card.is_some());
    let texts = Texts::new(engine.language());
    Ok(Answer::new(&session.printer, &shown, |shown, theme| render::run(shown, &texts, theme)).long())
}

pub(super) fn stop(id: &str, session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    engine::person::refuse_agent(engine.context(), Act::Run)?;
    let place = run::place(id)?;
    let asked = run::request_stop(&engine, &place.run)?;
    let stopped = Stopped { run: place.run, asked };
    let texts = Texts::new(engine.language());
    Ok(Answer::new(&session.printer, &stopped, |stopped, _| render::run_stopped(stopped, &texts)))
}
