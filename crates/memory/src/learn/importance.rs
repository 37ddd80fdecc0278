//! How much a memory weighs: use, outcome, novelty, conflict. (MM8)
//!
//! In real time an event has a first weight when it is written (see `recall::Document::of_event`) and use moves it at once;
//! now and then everything is weighed again together, because what is new depends on what else there is.

use std::collections::{HashMap, HashSet};

use words::tokens;

use super::usage::{Counts, Usage};
use crate::log::{Event, Outcome};
use crate::recall::Document;

const DAY_MS: f32 = 86_400_000.0;
/// Use counts half as much after so many days.
const USE_HALVES_DAYS: f32 = 30.0;
/// Only so many earlier memories of a class are compared with.
const COMPARED: usize = 64;
/// Words shared by so much of two texts make them one.
const SAME: f32 = 0.8;

/// What speaks for and against a memory, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Signs {
    /// How it was weighed when it was written.
    pub first: f32,
    /// How often it was of use when it was offered, lately more than long ago; 0.5 where nothing is known.
    pub usage: f32,
    /// How what it tells of ended: what went wrong is worth knowing.
    pub outcome: f32,
    /// How much of it was not said before.
    pub novelty: f32,
    /// Whether something newer of the same kind says otherwise about the same thing.
    pub conflict: f32,
}

impl Signs {
    /// All of it in one number from 0 (noise) to 1 (vital).
    pub fn importance(&self) -> f32 {
        let Self { first, usage, outcome, novelty, conflict } = *self;
        let sum = 0.45 * first + 0.3 * usage + 0.1 * outcome + 0.15 * novelty;
        (sum - 0.25 * conflict).clamp(0.0, 1.0)
    }
}

/// What use says, at this moment.
pub fn usage_sign(counts: Option<&Counts>, now_ms: i64) -> f32 {
    let Some(counts) = counts else { return 0.5 };
    let days = (now_ms - counts.last_useful_ms).max(0) as f32 / DAY_MS;
    let fresh = if counts.useful == 0 { 1.0 } else { 0.5_f32.powf(days / USE_HALVES_DAYS) };
    let rate = (counts.useful as f32 + 1.0) / (counts.offered as f32 + 2.0);
    // What was of use long ago falls back to knowing nothing.
    0.5 + (rate - 0.5) * fresh
}

/// Weighs everything again. By id.
pub fn recalibrate(events: &[Event], usage: &Usage, now_ms: i64) -> HashMap<String, Signs> {
    recalibrate_while(events, usage, now_ms, &|| true)
}

/// The same as long as there is time; the memories that it did not get to are left out.
pub fn recalibrate_while(
    events: &[Event],
    usage: &Usage,
    now_ms: i64,
    has_time: &dyn Fn() -> bool,
) -> HashMap<String, Signs> {
    let mut all: HashMap<String, Signs> = HashMap::new();
    let mut earlier: HashMap<&str, Vec<(String, HashSet<String>)>> = HashMap::new();
    for event in events.iter().filter(|event| !event.is_over(now_ms)) {
        if !has_time() {
            break;
        }
        let Some(document) = Document::of_event(event) else { continue };
        let words: HashSet<String> = tokens(&document.text).into_iter().map(|token| token.text).collect();
        let before = earlier.entry(event.kind.as_str()).or_default();
        let mut most = 0.0_f32;
        for (id, other) in before.iter().rev().take(COMPARED) {
            let share = shared(&words, other);
            most = most.max(share);
            // Nearly the same words and yet not the same: the newer one is meant.
            if (0.5..SAME).contains(&share) && says_otherwise(&words, other) {
                all.entry(id.clone()).or_default().conflict = 1.0;
            }
        }
        let signs = all.entry(document.id.clone()).or_default();
        signs.first = document.importance;
        signs.usage = usage_sign(usage.memories.get(&document.id), now_ms);
        signs.outcome = match event.outcome {
            Some(Outcome::Failure | Outcome::RolledBack) => 1.0,
            Some(Outcome::Success) => 0.6,
            Some(Outcome::Unknown) | None => 0.5,
        };
        signs.novelty = 1.0 - most;
        before.push((document.id, words));
    }
    all
}

fn shared(one: &HashSet<String>, other: &HashSet<String>) -> f32 {
    let both = one.intersection(other).count() as f32;
    let all = (one.len() + other.len()) as f32 - both;
    if all == 0.0 { 0.0 } else { both / all }
}

/// Each has a word of its own where the other has another: `use tabs` and `use spaces`.
fn says_otherwise(one: &HashSet<String>, other: &HashSet<String>) -> bool {
    one.difference(other).next().is_some() && other.difference(one).next().is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::log::{Provenance, Scope};

    fn said(number: u8, text: &str) -> Event {
        let body = json!({"text": text});
        Event::new(
            i64::from(number) * 1000,
            [number; 10],
            Scope::Project,
            "decision",
            Provenance::Explicit,
            body,
        )
    }

    #[test]
    fn repetitions_weigh_less_what_is_overtaken_less_still_and_what_was_of_use_more() {
        let events = [
            said(1, "indent the parser module with tabs"),
            said(2, "prices are kept in cents"),
            said(3, "prices are kept in cents"),
            said(4, "indent the parser module with spaces"),
        ];
        let mut usage = Usage::default();
        let counts = Counts { offered: 4, useful: 4, last_useful_ms: 4000 };
        usage.memories.insert(events[1].id.clone(), counts);
        let signs = recalibrate(&events, &usage, 5000);
        let of = |at: usize| signs[&events[at].id].importance();
        assert!(of(1) > of(2), "{signs:?}");
        assert!(of(0) < of(3), "{signs:?}");
        assert_eq!(signs[&events[0].id].conflict, 1.0);
        assert_eq!(usage_sign(None, 0), 0.5);
        assert!(usage_sign(Some(&counts), 4000) > usage_sign(Some(&counts), 400 * 86_400_000));
    }
}
