//! Policies: made, taken back, listed.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use ::memory::learn::policy::{Entry, History, event_body, revert_body};
use ::memory::learn::usage::Usage;
use ::memory::log::{Event, Provenance};
use serde::Serialize;

use super::carried::Carried;
use crate::memory::{append_seen, event, logs};
use crate::{Engine, Error, Result};

/// Every policy there was.
#[derive(Debug, Serialize)]
pub struct PolicyLog {
    /// Oldest first.
    pub policies: Vec<Entry>,
    /// The number of the one in force; 0: the built-in weights.
    pub in_force: u64,
    /// How many questions with a known outcome there are to learn from.
    pub examples: usize,
    /// Time of the report.
    pub now_ms: i64,
}

/// What taking a policy back did.
#[derive(Debug, Serialize)]
pub struct Reverted {
    /// The policy that was taken back.
    pub number: u64,
    /// The number of the one in force now.
    pub in_force: u64,
}

/// What follows from what is known: a bad policy goes, or a better one comes. One thing at a time.
pub(super) fn consequences(engine: &Engine, carried: &mut Carried) -> Option<Event> {
    let history = History::fold(&carried.events);
    let usage = Usage::fold(&carried.events);
    let (kind, body) = match history.to_revert(&usage.examples) {
        Some((number, why)) => revert_body(number, "automatic", &why),
        None => {
            let current = history.in_force().number;
            // A policy is judged before the next one comes.
            let since = usage.examples.iter().filter(|example| example.policy == current).count();
            if since < ::memory::learn::policy::LEAST_TO_JUDGE {
                return None;
            }
            let (policy, evidence) = history.improve(&usage.examples)?;
            event_body(&policy, current, &evidence)
        }
    };
    let event = event(engine, kind, Provenance::Observed, body);
    carried.extend(std::slice::from_ref(&event));
    Some(event)
}

fn events(engine: &Engine) -> Result<Vec<Event>> {
    let mut events: Vec<Event> = Vec::new();
    for (_, log) in logs(engine, Some(crate::memory::Scope::Project))? {
        events.extend(log.read()?.events);
    }
    events.extend(super::books::log(engine).read()?.events);
    // What compaction was just moving stands in two logs; the order is that of writing, not that of clocks.
    let mut known = HashSet::new();
    events.retain(|event| known.insert(event.id.clone()));
    Ok(events)
}

/// Lists all policies with their evidence.
pub fn log(engine: &Engine) -> Result<PolicyLog> {
    let events = events(engine)?;
    let history = History::fold(&events);
    Ok(PolicyLog {
        in_force: history.in_force().number,
        policies: history.entries,
        examples: Usage::fold(&events).examples.len(),
        now_ms: engine.context().now_ms(),
    })
}

/// Takes a policy back, by its number or the id of its event. From now on the newest that is left counts.
pub fn revert(engine: &Engine, which: &str) -> Result<Reverted> {
    let history = History::fold(&events(engine)?);
    let entry = history
        .entries
        .iter()
        .find(|entry| entry.policy.number.to_string() == which || entry.id == which)
        .ok_or_else(|| {
            Error::Usage(format!("there is no policy `{which}`; `vib memory policy log` lists them"))
        })?;
    let number = entry.policy.number;
    if entry.reverted.is_some() {
        return Err(Error::Usage(format!("policy {number} was taken back already")));
    }
    let (kind, body) = revert_body(number, "a person", "they said so");
    let mut event = event(engine, kind, Provenance::Explicit, body);
    event.agent = Some("cli".to_owned());
    append_seen(engine, &[event])?;
    // A person need not wait for the next session.
    let patience = Duration::from_secs(5);
    if let Some(carried) = Carried::read(engine, patience)? {
        carried.write(engine, Instant::now() + patience)?;
    }
    Ok(Reverted { number, in_force: log(engine)?.in_force })
}
