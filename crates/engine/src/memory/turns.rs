//! What a session's own log keeps: what was asked for in a turn, the files it touched, the commands it ran and how they ended. (MM1, MM9)
//!
//! Edits, checks, commits and rollbacks stand in the project's log, because the project's work memory, its suggestions and recovery
//! are computed from it and must not depend on which session is still remembered. What is only of this session stands here: it is
//! looked at with `--scope session`, it is what patterns are learned from, and it goes after a month. What proved itself until then has
//! moved up through the gates.
//!
//! A turn is one append, at its end.

use std::path::PathBuf;
use std::time::Duration;

use ::memory::log::{Event, Log, Outcome, Provenance, Scope};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::observe::is_minimal;
use super::places::{folder, log_of, logs};
use super::write;
use crate::agent::{SessionFile, Who};
use crate::check_command::may_be_told;
use crate::{Engine, Result};

/// What was asked for and done in one turn.
pub const TURN: &str = "turn";
/// A command that was run.
pub const COMMAND: &str = "command";
/// Commands of one turn that are kept, the newest.
const MOST_RUNS: usize = 12;
/// Longest part of a command that is kept, in characters.
const COMMAND_KEPT: usize = 200;
/// A session's log beyond this is cut to its newest events.
const LARGE: u64 = 256 << 10;
/// Sessions that were not heard of for so long are forgotten, …
const FORGET_AFTER: Duration = Duration::from_secs(30 * 24 * 3_600);
/// … and those beyond this many, the oldest first.
const MOST_SESSIONS: usize = 200;
/// So many more may come before the oldest go.
const SLACK: usize = 100;
const FORGET_EVERY: Duration = Duration::from_secs(24 * 3_600);

/// A command of the present turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    tool: String,
    /// Without secrets and private details.
    command: String,
    failed: bool,
    time_ms: i64,
}

/// Takes a command that has ended. The session's lock is held.
pub(super) fn ran(engine: &Engine, runs: &mut Vec<Run>, tool: &str, command: &str, failed: bool) {
    // What is learnt from it may be told to another agent: a line in which anything else happens is not kept.
    if !may_be_told(command) {
        return;
    }
    let short: String = command.trim().chars().take(COMMAND_KEPT).collect();
    let command = engine.gate().clean(&short).into_string();
    runs.retain(|run| run.command != command || run.failed != failed);
    runs.push(Run { tool: tool.to_owned(), command, failed, time_ms: engine.context().now_ms() });
    let extra = runs.len().saturating_sub(MOST_RUNS);
    runs.drain(..extra);
}

/// A turn is over: what it was about is written down, once. A turn that did nothing is no event.
pub fn turn_over(engine: &Engine, who: &Who) -> Result<()> {
    let file = SessionFile::of(engine, who);
    if !file.read().noted.has_news() || is_minimal(engine) {
        return Ok(());
    }
    let log = log_of(engine, Scope::Session, Some(&who.session))?;
    write::not_newer(&log)?;
    let (prompt, turn, paths, runs) = file.update(|state| {
        let (turn, paths, runs) = state.noted.take_turn();
        (state.prompt.clone().unwrap_or_default(), turn, paths, runs)
    })?;
    let base = |kind: &str, body: serde_json::Value| {
        let mut event = write::scoped(engine, Scope::Session, kind, Provenance::Observed, body);
        event.agent = Some(who.client.clone());
        event.role = who.acts_as();
        event.task = Some(who.session.clone());
        event
    };
    let mut events: Vec<Event> = Vec::new();
    for run in runs {
        let mut event = base(COMMAND, json!({"command": run.command, "turn": turn}));
        event.time_ms = run.time_ms;
        event.tool = Some(run.tool);
        event.outcome = Some(if run.failed { Outcome::Failure } else { Outcome::Success });
        events.push(event);
    }
    let asked = engine.gate().clean(prompt.trim()).into_string();
    if !asked.is_empty() {
        events.push(base(TURN, json!({"text": asked, "turn": turn, "paths": paths})));
    }
    if events.is_empty() {
        return Ok(());
    }
    log.append(&events)?;
    cut(engine, &log)
}

/// What an agent or a sub-agent reported at its end.
pub const SUMMARY: &str = "summary";
/// Longest part of a report that is kept, in characters.
const REPORT_KEPT: usize = 300;

/// Keeps an agent's last words in the session's own log: the agent's words, found by `recall --scope session`, and told to nobody by
/// themselves. (M9)
pub fn reported(engine: &Engine, who: &Who, says: &str) -> Result<()> {
    if is_minimal(engine) {
        return Ok(());
    }
    let flat = says.split_whitespace().take(80).collect::<Vec<_>>().join(" ");
    let short: String = engine.gate().clean(&flat).as_str().chars().take(REPORT_KEPT).collect();
    if short.len() < 20 {
        return Ok(());
    }
    let log = log_of(engine, Scope::Session, Some(&who.session))?;
    let body = json!({"text": short, "by": who.agent.as_deref().unwrap_or("agent")});
    let mut event = write::scoped(engine, Scope::Session, SUMMARY, Provenance::Observed, body);
    event.agent = Some(who.client.clone());
    event.role = who.acts_as();
    event.task = Some(who.session.clone());
    log.append(&[event])?;
    cut(engine, &log)
}

/// A long session keeps its newest events.
fn cut(engine: &Engine, log: &Log) -> Result<()> {
    if std::fs::metadata(log.path()).map_or(0, |facts| facts.len()) <= LARGE {
        return Ok(());
    }
    let most = usize::try_from(engine.project().config().number("memory.events.cap")).unwrap_or(200);
    let done = log.compact(&old(engine), |events| {
        let goes = events.len().saturating_sub(most);
        (0..events.len()).map(|at| at >= goes).collect()
    })?;
    if let Some(archive) = done.archive {
        // It was of this session only, and the session has moved on.
        let _ = std::fs::remove_file(archive);
    }
    Ok(())
}

fn old(engine: &Engine) -> PathBuf {
    folder(engine).join("sessions").join("old")
}

/// Forgets sessions that are long over. What a newer vib wrote stays.
pub fn forget_old_sessions(engine: &Engine) -> Result<()> {
    let mut files: Vec<(std::time::SystemTime, Log)> = Vec::new();
    for (_, log) in logs(engine, Some(Scope::Session))? {
        if let Ok(changed) = std::fs::metadata(log.path()).and_then(|facts| facts.modified()) {
            files.push((changed, log));
        }
    }
    files.sort_by_key(|(changed, _)| std::cmp::Reverse(*changed));
    // The index of sessions is made anew without those that are gone: many at a time, not one with every session that ends. (M11)
    let overdue = files
        .last()
        .is_some_and(|(changed, _)| changed.elapsed().is_ok_and(|age| age > FORGET_AFTER + FORGET_EVERY));
    if files.len() <= MOST_SESSIONS + SLACK && !overdue {
        return Ok(());
    }
    for (at, (changed, log)) in files.iter().enumerate() {
        let is_old = changed.elapsed().is_ok_and(|age| age > FORGET_AFTER);
        if (is_old || at >= MOST_SESSIONS) && log.writable().is_ok() {
            for end in ["jsonl", "lock", "schema", "torn"] {
                let _ = std::fs::remove_file(log.path().with_extension(end));
            }
        }
    }
    Ok(())
}
