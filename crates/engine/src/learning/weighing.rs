//! How much memories weigh by now, and which of them are hot, warm and cold. (MM8)
//!
//! A memory has a first weight when it is written. When a session ends, the newest are weighed again together, for a bounded time; recall
//! uses the result in place of the first weight. `vib memory tiers` shows all of it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use ::memory::learn::importance::{Signs, recalibrate_while};
use ::memory::learn::tiers::{self, Summary, Tier, tier};
use ::memory::learn::usage::Usage;
use ::memory::log::{Event, Provenance, Scope};
use ::memory::recall::Document;
use serde::Serialize;

use crate::audit::{self, Event as AuditEvent, Intent, Outcome, Row};
use crate::memory::{logs, project_log};
use crate::{Engine, Result};

/// Memories that the end of a session weighs again: the newest that a person said, and the newest that vib saw.
const NEWEST_OF_EACH: usize = 200;
/// Bytes of the log that are read for that: about twice as many memories as are weighed, in about a millisecond.
const READ: u64 = 256 << 10;
/// Memories that are weighed for a person who looks, the newest.
const MOST_WEIGHED: usize = 5_000;
/// The most important ones that are shown.
const SHOWN: usize = 10;
/// Longest text that is shown of one, in characters.
const TEXT_SHOWN: usize = 160;
/// What is cold comes after what fits as well.
const COLD: f32 = 0.85;
/// A change smaller than this is not worth keeping.
const WORTH: f32 = 0.02;

/// By what the scores of single memories are multiplied, so that their present weight counts and not their first.
pub(super) fn lifts(
    engine: &Engine,
    usage: &Usage,
    weight: f32,
    until: Instant,
) -> Result<HashMap<String, f32>> {
    let now_ms = engine.context().now_ms();
    let events = newest(engine)?;
    let signs = recalibrate_while(&events, usage, now_ms, &|| Instant::now() < until);
    let factor = |importance: f32| 1.0 + weight * (importance - 0.5);
    let mut lifts = HashMap::new();
    for event in &events {
        let Some(signs) = signs.get(&event.id) else { continue };
        let importance = signs.importance();
        let mut lift = factor(importance) / factor(signs.first).max(0.1);
        if tier(event, importance, last_use(usage, &event.id), now_ms) == Tier::Cold {
            lift *= COLD;
        }
        if (lift - 1.0).abs() > WORTH {
            lifts.insert(event.id.clone(), lift.clamp(0.5, 1.5));
        }
    }
    Ok(lifts)
}

/// The newest memories of the project, oldest first.
fn newest(engine: &Engine) -> Result<Vec<Event>> {
    let (mut said, mut seen) = (0, 0);
    let mut events = project_log(engine).read_end(READ)?;
    events.reverse();
    events.retain(|event| {
        let count = if event.provenance == Provenance::Explicit { &mut said } else { &mut seen };
        let stays = *count < NEWEST_OF_EACH && Document::of_event(event).is_some();
        *count += usize::from(stays);
        stays
    });
    events.reverse();
    Ok(events)
}

fn last_use(usage: &Usage, id: &str) -> i64 {
    usage.memories.get(id).map_or(0, |counts| counts.last_useful_ms)
}

/// Where memories are, and which matter most.
#[derive(Debug, Serialize)]
pub struct TiersReport {
    /// How many are hot, warm and cold.
    pub counts: BTreeMap<Tier, usize>,
    /// What is left of the cold ones, month by month (30 days), oldest first.
    pub cold: Vec<Summary>,
    /// The most important ones, with what speaks for them.
    pub important: Vec<Important>,
    /// Memories that were weighed again; older ones have their first weight.
    pub weighed: usize,
    /// Memories whose present weight differs from the first, which recall uses since the last session ended.
    pub in_use: usize,
    /// Time of the report.
    pub now_ms: i64,
}

/// One that matters.
#[derive(Debug, Serialize)]
pub struct Important {
    /// Its id.
    pub id: String,
    /// What it is.
    pub kind: String,
    /// What it says, shortened.
    pub text: String,
    /// How near at hand it is.
    pub tier: Tier,
    /// From 0 (noise) to 1 (vital).
    pub importance: f32,
    /// Why.
    pub reasons: Vec<String>,
    /// When it was written, milliseconds since 1970.
    pub time_ms: i64,
}

/// Weighs everything for a person who looks.
pub fn tiers(engine: &Engine) -> Result<TiersReport> {
    let now_ms = engine.context().now_ms();
    let mut events: Vec<Event> = Vec::new();
    for (_, log) in logs(engine, Some(Scope::Project))? {
        events.extend(log.read()?.events);
    }
    let mut known = HashSet::new();
    events.retain(|event| known.insert(event.id.clone()));
    events.sort_by_key(|event| event.time_ms);
    let usage = Usage::fold(&events);
    let newest = events.len().saturating_sub(MOST_WEIGHED);
    let signs = recalibrate_while(&events[newest..], &usage, now_ms, &|| true);
    let sorted = tiers::sort(&events, &signs, &usage, now_ms);
    let mut gate = engine.gate();
    let mut counts = redact::Counts::default();
    let mut weighed: Vec<(&Event, &Signs)> =
        events.iter().filter_map(|event| Some((event, signs.get(&event.id)?))).collect();
    // That a file was edited says nothing in words.
    weighed.retain(|(event, _)| event.kind != "edit");
    weighed.sort_by(|(a, x), (b, y)| {
        y.importance().total_cmp(&x.importance()).then(b.time_ms.cmp(&a.time_ms)).then(a.id.cmp(&b.id))
    });
    let mut important = Vec::new();
    for (event, signs) in weighed.into_iter().take(SHOWN) {
        let text = Document::of_event(event).map(|document| document.text).unwrap_or_default();
        let flat: String =
            text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(TEXT_SHOWN).collect();
        let clean = gate.clean(&flat);
        counts.add(clean.counts());
        important.push(Important {
            id: event.id.clone(),
            kind: event.kind.clone(),
            text: clean.into_string(),
            tier: tier(event, signs.importance(), last_use(&usage, &event.id), now_ms),
            importance: signs.importance(),
            reasons: reasons(event, signs, &usage),
            time_ms: event.time_ms,
        });
    }
    let mut row = Row::new(AuditEvent::MemorySummaryRead, "cli", Outcome::Success).redacted(counts);
    row.intent = Some(Intent::Absent);
    let said: Vec<&str> = important.iter().map(|one| one.text.as_str()).collect();
    audit::record_output(engine, &row, &said.join("\n"))?;
    Ok(TiersReport {
        counts: sorted.counts,
        cold: sorted.cold.into_values().collect(),
        important,
        weighed: signs.len(),
        in_use: super::in_force(engine).learned.len(),
        now_ms,
    })
}

/// What speaks for a memory and against it, in words.
fn reasons(event: &Event, signs: &Signs, usage: &Usage) -> Vec<String> {
    let mut reasons = Vec::new();
    if event.provenance == Provenance::Explicit {
        reasons.push("a person said so".to_owned());
    }
    if let Some(counts) = usage.memories.get(&event.id) {
        reasons.push(format!("of use {} of {} times", counts.useful, counts.offered));
    }
    if signs.outcome >= 1.0 {
        reasons.push("it went wrong".to_owned());
    }
    if signs.novelty >= 0.7 {
        reasons.push("nothing else says it".to_owned());
    } else if signs.novelty <= 0.2 {
        reasons.push("said before".to_owned());
    }
    if signs.conflict > 0.0 {
        reasons.push("something newer says otherwise".to_owned());
    }
    reasons
}
