//! `vib run list`, `show` and `stop`: looking, and asking for an end.

use engine::Result;
use engine::person::Act;
use engine::run::{self, Run, RunError, RunList};
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
    /// Only one card was asked for.
    #[serde(skip)]
    pub(crate) one: bool,
    pub(crate) now_ms: i64,
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
    let shown = Shown {
        running: run::is_running(&engine, &found.id),
        one: place.card.is_some(),
        run: found,
        now_ms: engine.context().now_ms(),
    };
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
