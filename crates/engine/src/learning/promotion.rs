//! `vib memory promote`: what was seen in sessions becomes a memory of the project, and what holds there one of the person, if every
//! gate says yes. (MM9)

use std::path::PathBuf;

use ::memory::learn::patterns::{self, Pattern, Sort};
use ::memory::learn::promote::{self, Gate, Refused};
use ::memory::learn::{episodes, episodes::Episode};
use ::memory::log::{Event, Log, Provenance, Scope};
use ::memory::recall::Document;
use serde::Serialize;
use serde_json::{Value, json};

use crate::audit::{self, Outcome, Parameters, Row};
use crate::memory::{log_of, logs, scoped};
use crate::{Engine, Error, Result};

/// The beginning of an id has at least so many signs.
const SHORTEST_ID: usize = 6;

/// What became of it.
#[derive(Debug, Clone, Serialize)]
pub struct PromotionReport {
    /// The event that was named.
    pub id: String,
    /// Where it stands.
    pub from: Scope,
    /// Where it was to go.
    pub to: Scope,
    /// It is there now.
    pub promoted: bool,
    /// It was there before.
    pub known_before: bool,
    /// What it says there, or would say.
    pub text: String,
    /// Every gate, in order.
    pub gates: Vec<Gate>,
    /// The new event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
}

/// Moves what an event stands for into a wider scope: the next one, or the one that is named.
pub fn promote(engine: &Engine, id: &str, to: Option<Scope>) -> Result<PromotionReport> {
    let (events, from, named) = find(engine, id)?;
    let to = to.unwrap_or(if from == Scope::Session { Scope::Project } else { Scope::Global });
    if to == Scope::Session || (to == from && from != Scope::Session) {
        return Err(Error::Usage(
            "things move up only: from a session to the project, from there to all projects".to_owned(),
        ));
    }
    let target = log_of(engine, to, None)?;
    target.writable()?;
    let mut report = PromotionReport {
        id: named.id.clone(),
        from,
        to,
        promoted: false,
        known_before: false,
        text: String::new(),
        gates: Vec::new(),
        event: None,
    };
    let Some(pattern) = pattern_behind(&events, &named, engine.context().now_ms()) else {
        report.text = Document::of_event(&named).map(|document| document.text).unwrap_or_default();
        report.gates = vec![not_tried(&named)];
        return Ok(report);
    };
    report.text = promote::words(&pattern, to);
    let is_clean = |text: &str| engine.gate().clean(text).counts().is_untouched();
    let projects = if to == Scope::Global { 1 + elsewhere(engine, &pattern) } else { 1 };
    report.gates = promote::ask(&pattern, &named.kind, to, projects, is_clean);
    let key = key_of(&pattern);
    report.known_before = target.read()?.events.iter().any(|event| said(event, "key") == Some(&key));
    if !report.known_before && report.gates.iter().all(|gate| gate.passed) {
        let event = event_of(engine, to, &pattern);
        report.event = Some(event.id.clone());
        target.append(&[event])?;
        report.promoted = true;
        let mut row = Row::new(audit::Event::MemoryWrite, "cli", Outcome::Success);
        row.parameters = Some(Parameters::Typed);
        audit::record(engine, &row)?;
    }
    Ok(report)
}

/// In how many other projects on this machine the same was seen to end the same way more often than not. One log after the other is
/// read: this is a command of a person, not a hook.
fn elsewhere(engine: &Engine, pattern: &Pattern) -> usize {
    let here = engine.project().state();
    let Some(all) = here.parent() else { return 0 };
    let others = std::fs::read_dir(all).into_iter().flatten().flatten().map(|entry| entry.path());
    let others = others.filter(|folder| folder.as_path() != here && folder.join("memory").is_dir());
    let shows = |folder: PathBuf| {
        let mut events: Vec<Event> = Vec::new();
        let memory = folder.join("memory");
        let sessions = std::fs::read_dir(memory.join("sessions"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        let logs = sessions.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
        for path in logs.chain([memory.join("project.jsonl")]) {
            // What cannot be read proves nothing.
            events.extend(Log::at(path).read().map(|contents| contents.events).unwrap_or_default());
        }
        events.sort_by_key(|event| event.time_ms);
        let episodes = episodes::fold(&events);
        let same = |episode: &&Episode| episode.tool == pattern.tool && episode.what == pattern.what;
        let found = episodes.iter().find(same).and_then(|episode| {
            patterns::of(&episodes, &episode.tool, episode.input, engine.context().now_ms())
        });
        found.is_some_and(|found| found.sort == pattern.sort && found.against * 3 <= found.seen)
    };
    others.filter(|folder| shows(folder.clone())).count()
}

/// Everything that sessions and the project know, in order of time, and the one event that is meant.
fn find(engine: &Engine, id: &str) -> Result<(Vec<Event>, Scope, Event)> {
    let id = id.trim();
    let mut events: Vec<(Scope, Event)> = Vec::new();
    for scope in [Scope::Session, Scope::Project] {
        for (scope, log) in logs(engine, Some(scope))? {
            events.extend(log.read()?.events.into_iter().map(|event| (scope, event)));
        }
    }
    let mut meant = events
        .iter()
        .filter(|(_, event)| event.id == id || (id.len() >= SHORTEST_ID && event.id.starts_with(id)));
    let found = meant.next().cloned();
    let Some((from, named)) = found else {
        return Err(Error::Usage(format!(
            "there is no memory `{id}` in the sessions or the project; `vib memory recall` shows ids"
        )));
    };
    if meant.any(|(_, event)| event.id != named.id) {
        return Err(Error::Usage(format!("`{id}` begins the ids of several memories; give more of it")));
    }
    let mut all: Vec<Event> = events.into_iter().map(|(_, event)| event).collect();
    all.sort_by_key(|event| event.time_ms);
    Ok((all, from, named))
}

/// The pattern that an event is part of, or that it is.
fn pattern_behind(events: &[Event], named: &Event, now_ms: i64) -> Option<Pattern> {
    let all = episodes::fold(events);
    let input = match (said(named, "tool"), said(named, "what")) {
        (Some(tool), Some(what)) => {
            let same = |episode: &&Episode| episode.tool == tool && episode.what == what;
            let episode = all.iter().find(same)?;
            (episode.tool.clone(), episode.input)
        }
        _ => {
            named.outcome?;
            (named.tool.clone()?, episodes::input_of(named, &Document::of_event(named)?))
        }
    };
    patterns::of(&all, &input.0, input.1, now_ms)
}

fn said<'e>(event: &'e Event, name: &str) -> Option<&'e str> {
    event.body.get(name).and_then(Value::as_str)
}

/// Why something that nobody tried, or that a person said, does not move.
fn not_tried(named: &Event) -> Gate {
    let is_theirs = named.provenance == Provenance::Explicit;
    let (gate, why) = if is_theirs {
        (
            Refused::Decision,
            "what a person said is theirs and is never moved: to have it in all projects, say it again with `vib memory decide --scope global TEXT`",
        )
    } else {
        (
            Refused::TooFew,
            "only what was run and ended one way or the other can prove itself: a command or a check",
        )
    };
    Gate { gate, passed: false, why: why.to_owned() }
}

/// The kind of memory that a pattern becomes.
pub(super) fn kind_of(pattern: &Pattern) -> &'static str {
    match pattern.sort {
        Sort::Works => "pattern",
        Sort::Fails => "anti_pattern",
    }
}

/// What makes two patterns the same.
pub(super) fn key_of(pattern: &Pattern) -> String {
    format!("{} {} {}", kind_of(pattern), pattern.tool, pattern.what)
}

/// A pattern as a memory, with its evidence.
pub(super) fn event_of(engine: &Engine, scope: Scope, pattern: &Pattern) -> Event {
    let body = json!({
        "text": promote::words(pattern, scope), "paths": pattern.fix,
        "tool": pattern.tool, "what": pattern.what, "key": key_of(pattern),
        "evidence": {
            "seen": pattern.seen, "against": pattern.against, "tasks": pattern.tasks, "strength": pattern.strength,
        },
    });
    let mut event = scoped(engine, scope, kind_of(pattern), Provenance::Observed, body);
    event.confidence = Some(pattern.strength as f32);
    event
}
