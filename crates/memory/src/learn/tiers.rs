//! Hot, warm, cold: what is offered first, what is kept, and what lives on as a summary. (MM8)

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::importance::Signs;
use super::usage::Usage;
use crate::log::{Event, Provenance};
use crate::recall::Document;

const DAY_MS: i64 = 86_400_000;
const HOT_DAYS: i64 = 14;
const COLD_DAYS: i64 = 90;
/// What weighs this much stays warm, however old.
const STAYS_WARM: f32 = 0.65;
/// So many names are kept in a summary.
const NAMED: usize = 8;

/// How near a memory is at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// New, or of use lately.
    Hot,
    /// Neither new nor forgotten.
    Warm,
    /// Old and not used: counted in a summary, found only if nothing else fits as well.
    Cold,
}

/// Where a memory belongs.
pub fn tier(event: &Event, importance: f32, last_useful_ms: i64, now_ms: i64) -> Tier {
    let newest = event.time_ms.max(last_useful_ms);
    let days = (now_ms - newest) / DAY_MS;
    match days {
        ..HOT_DAYS => Tier::Hot,
        // What a person said does not go cold by itself.
        _ if days < COLD_DAYS || importance >= STAYS_WARM || event.provenance == Provenance::Explicit => {
            Tier::Warm
        }
        _ => Tier::Cold,
    }
}

/// What is left of the memories of one month that went cold: counts and names, no text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// How many.
    pub memories: usize,
    /// From when, in milliseconds since 1970.
    pub from_ms: i64,
    /// Until when.
    pub to_ms: i64,
    /// How many of each kind.
    pub kinds: BTreeMap<String, usize>,
    /// The files they spoke of most.
    pub paths: Vec<(String, usize)>,
}

/// How many memories are where, and what is left of the cold ones, by month (30 days).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tiers {
    /// How many are hot, warm and cold.
    pub counts: BTreeMap<Tier, usize>,
    /// By number of the month since 1970.
    pub cold: BTreeMap<i64, Summary>,
}

/// Sorts all memories.
pub fn sort(events: &[Event], signs: &HashMap<String, Signs>, usage: &Usage, now_ms: i64) -> Tiers {
    let mut tiers = Tiers::default();
    let mut paths: BTreeMap<i64, BTreeMap<String, usize>> = BTreeMap::new();
    for event in events {
        let Some(document) = Document::of_event(event) else { continue };
        let importance = signs.get(&event.id).map_or(document.importance, Signs::importance);
        let last = usage.memories.get(&event.id).map_or(0, |counts| counts.last_useful_ms);
        let tier = tier(event, importance, last, now_ms);
        *tiers.counts.entry(tier).or_default() += 1;
        if tier == Tier::Cold {
            let month = event.time_ms.div_euclid(30 * DAY_MS);
            let summary =
                tiers.cold.entry(month).or_insert(Summary { from_ms: event.time_ms, ..Summary::default() });
            summary.memories += 1;
            summary.from_ms = summary.from_ms.min(event.time_ms);
            summary.to_ms = summary.to_ms.max(event.time_ms);
            *summary.kinds.entry(event.kind.clone()).or_default() += 1;
            for path in document.paths {
                *paths.entry(month).or_default().entry(path).or_default() += 1;
            }
        }
    }
    for (month, counted) in paths {
        let mut named: Vec<(String, usize)> = counted.into_iter().collect();
        named.sort_by(|(a, x), (b, y)| y.cmp(x).then(a.cmp(b)));
        named.truncate(NAMED);
        if let Some(summary) = tiers.cold.get_mut(&month) {
            summary.paths = named;
        }
    }
    tiers
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::log::Scope;

    #[test]
    fn what_is_old_and_unused_goes_cold_and_leaves_a_summary_what_a_person_said_stays() {
        let seen = |number: u8, days: i64, source: Provenance| {
            let body = json!({"text": format!("note {number}"), "path": "src/a.rs"});
            Event::new(days * DAY_MS, [number; 10], Scope::Project, "edit", source, body)
        };
        let events = [
            seen(1, 5, Provenance::Observed),
            seen(2, 6, Provenance::Observed),
            seen(3, 5, Provenance::Explicit),
            seen(4, 199, Provenance::Observed),
        ];
        let mut usage = Usage::default();
        let tiers = sort(&events, &HashMap::new(), &usage, 200 * DAY_MS);
        assert_eq!(tiers.counts, [(Tier::Hot, 1), (Tier::Warm, 1), (Tier::Cold, 2)].into());
        let summary = &tiers.cold[&0];
        assert_eq!((summary.memories, summary.paths.as_slice()), (2, &[("src/a.rs".to_owned(), 2)][..]));
        let counts = super::super::usage::Counts { offered: 1, useful: 1, last_useful_ms: 195 * DAY_MS };
        usage.memories.insert(events[0].id.clone(), counts);
        assert_eq!(sort(&events, &HashMap::new(), &usage, 200 * DAY_MS).counts[&Tier::Hot], 2);
    }
}
