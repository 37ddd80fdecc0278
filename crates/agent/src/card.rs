//! One card, from the first look to a change that waits for a person: researcher → executor → checks → reviewer.

use std::time::Instant;

use engine::report::usage::Tokens;
use engine::run::fold::Card;
use engine::run::model::{By, CardRisk, CardStatus, RunEvent};
use engine::secret_values::SecretValues;

use crate::actions::RunAction;
use crate::conversation::{Desk, Options, Outcome, Talk, hold};
use crate::role::Role;
use crate::{Result, lanes, prompt};

/// Which roles work besides the executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Roles {
    /// Somebody looks around first.
    pub research: bool,
    /// Somebody looks at the change afterwards.
    pub review: bool,
}

/// How the work on a card ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardEnd {
    /// It waits for a person's yes, or needs none.
    Ready,
    /// It cannot go on by itself.
    Blocked,
    /// It waits for a person.
    Paused,
}

/// What a card is worked on with.
pub struct CardWork<'w> {
    /// The card.
    pub card: &'w Card,
    /// Its attempt.
    pub attempt: &'w str,
    /// The lane's name.
    pub lane: &'w str,
    /// What is known about the project.
    pub project: &'w str,
    /// Who looks besides.
    pub roles: Roles,
    /// Several attempts are compared afterwards: the card itself stays where it is.
    pub is_one_of_several: bool,
}

/// Works on a card until it is ready, blocked or has to wait.
pub fn work(desk: &mut Desk<'_, '_>, work: &CardWork<'_>) -> Result<CardEnd> {
    let began = Instant::now();
    let card = work.card.id.as_str();
    let base = begin(desk, work)?;
    let talk = Talk { role: Role::Executor, card: Some(card), attempt: work.attempt, base: &base };
    let run = desk.journal.run();

    let mut findings = None;
    // What a person answers is for whoever asked: the executor.
    let answer = desk.answer.take();
    if work.roles.research {
        let talk = Talk { role: Role::Researcher, ..talk };
        let opening = prompt::work(&run, work.card, work.project, None);
        // A researcher that finds nothing is no reason to stop: the executor can look, too.
        match hold(desk, &talk, &opening)? {
            Outcome::Done(text) => findings = Some(prompt::within(&text, prompt::FINDINGS)),
            Outcome::Paused => return Ok(CardEnd::Paused),
            _ => {}
        }
    }
    desk.answer = answer;
    let opening = prompt::work(&run, work.card, work.project, findings.as_deref());
    let (ended, text, block) = match hold(desk, &talk, &opening)? {
        Outcome::Paused => return Ok(CardEnd::Paused),
        Outcome::Done(summary) => ("done", summary, None),
        Outcome::Blocked { code, why } => ("blocked", why.clone(), Some((code, why))),
        Outcome::Planned(_) | Outcome::Reviewed(_) => {
            ("blocked", String::new(), Some(("invalid_actions", "it ended without an end".to_owned())))
        }
    };
    let (is_changed, change) = end(desk, work, &base, ended, &text, began)?;
    if let Some((code, why)) = block {
        if !work.is_one_of_several {
            status(desk, card, CardStatus::Blocked, Some(code), Some(why))?;
        }
        return Ok(CardEnd::Blocked);
    }
    if work.is_one_of_several {
        return Ok(CardEnd::Ready);
    }
    if work.roles.review && is_changed {
        status(desk, card, CardStatus::Review, None, None)?;
        if review(desk, work, &talk, &change, findings.as_deref())? == CardEnd::Paused {
            return Ok(CardEnd::Paused);
        }
    }
    if !is_changed {
        // A person said so: else its end would not have been accepted.
        status(desk, card, CardStatus::Done, Some("nothing_needed"), Some(text))?;
    } else {
        status(desk, card, CardStatus::Preview, None, None)?;
    }
    Ok(CardEnd::Ready)
}

fn status(
    desk: &mut Desk<'_, '_>,
    card: &str,
    status: CardStatus,
    code: Option<&str>,
    why: Option<String>,
) -> Result<()> {
    let stands = desk.journal.run();
    if stands.card(card).is_some_and(|known| known.status == status && known.code.as_deref() == code) {
        return Ok(());
    }
    let (card, code) = (card.to_owned(), code.map(str::to_owned));
    desk.journal.append(RunEvent::Status { card, status, code, why })
}

/// The lane's checkpoint before the first change: as it was written down, or as it is now.
fn begin(desk: &mut Desk<'_, '_>, work: &CardWork<'_>) -> Result<String> {
    let known = work.card.attempts.iter().find(|attempt| attempt.id == work.attempt);
    let before = known.and_then(|attempt| attempt.before.clone());
    let before = match before {
        Some(before) => before,
        None => {
            let before = engine::run::save(desk.engine, work.lane, "run card", &store::Silent)?.checkpoint;
            desk.journal.append(RunEvent::AttemptBegan {
                card: work.card.id.clone(),
                attempt: work.attempt.to_owned(),
                by: By::Vib { model: desk.asks.label() },
                lane: work.lane.to_owned(),
                before: before.clone(),
            })?;
            before
        }
    };
    if !work.is_one_of_several {
        status(desk, &work.card.id, CardStatus::Running, None, None)?;
    }
    Ok(before)
}

/// Writes down what came of it: the state after, and what is different. Whether anything is, and the difference as text, come back.
fn end(
    desk: &mut Desk<'_, '_>,
    work: &CardWork<'_>,
    base: &str,
    ended: &str,
    text: &str,
    began: Instant,
) -> Result<(bool, String)> {
    let saved = engine::run::save(desk.engine, work.lane, "run card", &store::Silent)?;
    let (after, tree) = (saved.checkpoint, saved.tree);
    let (files, diff) = lanes::between(desk.lane, base, &after)?;
    let is_changed = !files.is_empty();
    let run = desk.journal.run();
    let card = run.card(&work.card.id);
    let is_noted =
        card.and_then(|card| card.attempts.iter().find(|attempt| attempt.id == work.attempt)).is_some_and(
            |attempt| attempt.ended.as_deref() == Some(ended) && attempt.tree.as_deref() == Some(&tree),
        );
    if !is_noted {
        let spent = used(desk, &work.card.id);
        desk.journal.append(RunEvent::AttemptEnded {
            card: work.card.id.clone(),
            attempt: work.attempt.to_owned(),
            ended: ended.to_owned(),
            text: text.to_owned(),
            after,
            tree,
            files,
            tokens: Some(spent.0),
            dollars: spent.1,
            milliseconds: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        })?;
    }
    Ok((is_changed, diff))
}

/// What the card's questions took since its last attempt began; dollars only where all are known.
fn used(desk: &Desk<'_, '_>, of: &str) -> (Tokens, Option<f64>) {
    let (mut tokens, mut dollars) = (Tokens::default(), Some(0.0));
    for logged in desk.journal.events() {
        match &logged.event {
            RunEvent::AttemptBegan { card, .. } if card == of => {
                (tokens, dollars) = (Tokens::default(), Some(0.0));
            }
            RunEvent::ModelCalled { card: Some(card), tokens: more, dollars: cost, .. } if card == of => {
                tokens.add(*more);
                dollars = dollars.zip(*cost).map(|(sum, cost)| sum + cost);
            }
            _ => {}
        }
    }
    (tokens, dollars)
}

/// A second look by somebody who did not do it. Who fails, is cut off or not paid for says nothing: then the risk is unknown.
fn review(
    desk: &mut Desk<'_, '_>,
    work: &CardWork<'_>,
    of: &Talk<'_>,
    change: &str,
    findings: Option<&str>,
) -> Result<CardEnd> {
    let run = desk.journal.run();
    let card = run.card(&work.card.id);
    if card.is_some_and(|card| card.risk.is_some()) && !is_new_since_review(desk, &work.card.id) {
        return Ok(CardEnd::Ready);
    }
    let attempt = card.and_then(|card| card.attempts.iter().find(|attempt| attempt.id == work.attempt));
    let mut checks = String::new();
    if let Some(attempt) = attempt {
        for check in &attempt.checks {
            checks.push_str(&format!("{}: {}\n", check.command, check.status));
        }
        for line in attempt.weakened.iter().chain(&attempt.findings).take(20) {
            checks.push_str(&format!("found: {line}\n"));
        }
    }
    if checks.is_empty() {
        checks.push_str("none were run\n");
    }
    // A command may have copied what stands in a file that nobody shows.
    let change = SecretValues::of(desk.lane)?.hide(change);
    let change = desk.engine.gate().clean(&change).into_string();
    let opening = prompt::review(work.card, &change, findings, &checks);
    let talk = Talk { role: Role::Reviewer, ..*of };
    // A reviewer runs no commands, whatever the run may.
    let options = Options { bash: false, ..desk.options.clone() };
    let events = desk.journal.events().len();
    let outcome = {
        let mut own = Desk {
            engine: desk.engine,
            lane: desk.lane,
            journal: desk.journal,
            asks: desk.asks,
            options: &options,
            stop: desk.stop,
            answer: None,
            person: None,
        };
        hold(&mut own, &talk, &opening)?
    };
    let (risk, note, assumptions) = match outcome {
        Outcome::Reviewed(RunAction::Meta { risk, note, assumptions }) => (risk, note, assumptions),
        Outcome::Paused => {
            let why = desk.journal.events()[events..].iter().rev().find_map(|logged| match &logged.event {
                RunEvent::Paused { code, .. } => Some(code.clone()),
                _ => None,
            });
            if why.as_deref() == Some("stopped") {
                return Ok(CardEnd::Paused);
            }
            // Nobody waits for a reviewer.
            desk.journal.append(RunEvent::Resumed { answer: None })?;
            let note = format!("no reviewer could be asked ({})", why.unwrap_or_default());
            (CardRisk::Unknown, note, Vec::new())
        }
        Outcome::Blocked { code, .. } => {
            (CardRisk::Unknown, format!("the reviewer gave no verdict ({code})"), Vec::new())
        }
        _ => (CardRisk::Unknown, "the reviewer gave no verdict".to_owned(), Vec::new()),
    };
    let card = work.card.id.clone();
    desk.journal.append(RunEvent::Meta { card, risk, note, assumptions })?;
    Ok(CardEnd::Ready)
}

/// Something was changed after the last verdict.
fn is_new_since_review(desk: &Desk<'_, '_>, of: &str) -> bool {
    let last = desk.journal.events().iter().rev().find_map(|logged| match &logged.event {
        RunEvent::Meta { card, .. } if card == of => Some(false),
        RunEvent::Patched { card, .. } if card == of => Some(true),
        _ => None,
    });
    last.unwrap_or(false)
}
