//! Who works here now: the sessions of agents that did something lately, and the step that runs.

use std::collections::BTreeMap;

use serde::Serialize;
use store::{Actor, Ending, HistoryFilter, RequestNumber, Step, StepFilter, StepNumber, Store};

use crate::Result;

/// Who did nothing for so long is not at work.
const LATELY_MS: i64 = 15 * 60_000;
/// A step that began longer ago than this and never ended proves nothing.
const LONGEST_STEP_MS: i64 = 2 * 3_600_000;
/// Steps and requests that are looked through.
const MOST: usize = 400;
/// Looks among which the end of a turn is searched.
const MOST_LOOKS: usize = 200;

/// An agent at work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AtWork {
    /// The client, such as `claude-code`; none: not known.
    pub client: Option<String>,
    /// Its session.
    pub session: String,
    /// The request it works on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestNumber>,
    /// Since when it works on that, milliseconds since 1970.
    pub since_ms: i64,
    /// When it last did something.
    pub last_ms: i64,
    /// The step that runs now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<Running>,
}

/// A step that has begun and not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Running {
    /// Which.
    pub step: StepNumber,
    /// The command line or what is edited; else the tool.
    pub what: String,
    /// Since when, milliseconds since 1970.
    pub since_ms: i64,
}

/// The agents that are at work, the last heard of first. Sub-agents count with whoever started them.
pub(crate) fn at_work(store: &Store<'_>, now_ms: i64) -> Result<Vec<AtWork>> {
    let mut found: BTreeMap<String, AtWork> = BTreeMap::new();
    for request in store.requests(None, MOST)? {
        if request.started_ms < now_ms - LATELY_MS {
            break;
        }
        found.entry(request.session.clone()).or_insert(AtWork {
            client: request.client,
            session: request.session,
            request: Some(request.number),
            since_ms: request.started_ms,
            last_ms: request.started_ms,
            running: None,
        });
    }
    let filter =
        StepFilter { since_ms: Some(now_ms - LONGEST_STEP_MS), limit: MOST, ..StepFilter::default() };
    for step in store.steps(&filter)? {
        let runs = step.ending == Ending::Running;
        let last_ms = step.ended_ms.unwrap_or(step.started_ms);
        if step.actor != Actor::Agent || (!runs && last_ms < now_ms - LATELY_MS) {
            continue;
        }
        let request = step.request.map(|number| store.request(number)).transpose()?.flatten();
        let Some(session) = request.as_ref().map(|request| request.session.clone()).or(step.session.clone())
        else {
            continue;
        };
        let since_ms = request.as_ref().map_or(step.started_ms, |request| request.started_ms);
        let one = found.entry(session.clone()).or_insert_with(|| AtWork {
            client: request.and_then(|request| request.client).or(step.client.clone()),
            session,
            request: step.request,
            since_ms,
            last_ms,
            running: None,
        });
        one.last_ms = one.last_ms.max(last_ms);
        // The newest comes first.
        if runs && one.running.is_none() {
            one.running = Some(running(&step));
        }
    }
    // Whoever said that it is done, and has done nothing since, waits for a person.
    for look in store.history(&HistoryFilter { limit: MOST_LOOKS, ..HistoryFilter::default() })? {
        let is_end = look.origin.trigger.as_deref() == Some("stop");
        if let Some(session) = look.origin.session.as_deref().filter(|_| is_end)
            && found.get(session).is_some_and(|one| one.running.is_none() && one.last_ms <= look.created_ms)
        {
            found.remove(session);
        }
    }
    let mut all: Vec<AtWork> = found.into_values().collect();
    all.sort_by(|a, b| b.last_ms.cmp(&a.last_ms).then_with(|| a.session.cmp(&b.session)));
    Ok(all)
}

fn running(step: &Step) -> Running {
    let what = step.what.clone().or_else(|| step.tool.clone()).unwrap_or_default();
    Running { step: step.number, what, since_ms: step.started_ms }
}
