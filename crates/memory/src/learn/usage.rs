//! Which memories were offered, and which of them were of use.
//!
//! `recalled` says what was offered, with the parts of every score, so that another order can be tried later without the
//! index. `feedback` says what became of it: a memory was of use if what it speaks of was edited next and not taken back.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::log::Event;
use crate::recall::{Hit, Parts};

/// The kind of event that says what was offered.
pub const RECALLED: &str = "recalled";
/// The kind of event that says what of it was of use.
pub const FEEDBACK: &str = "feedback";
/// So many examples are learned from, the newest.
const MOST_EXAMPLES: usize = 400;

/// A memory that was offered or nearly so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offered {
    /// Its id.
    pub id: String,
    /// Its class.
    pub class: String,
    /// What its score was made of.
    pub parts: Parts,
}

impl From<&Hit> for Offered {
    fn from(hit: &Hit) -> Self {
        Self { id: hit.id.clone(), class: hit.document.class.clone(), parts: hit.parts }
    }
}

/// One question, what was offered, and what of it was of use.
#[derive(Debug, Clone, Default)]
pub struct Example {
    /// When, in milliseconds since 1970.
    pub time_ms: i64,
    /// The policy in force.
    pub policy: u64,
    /// What was offered, best first, and some more.
    pub offered: Vec<Offered>,
    /// Which of them were of use.
    pub useful: Vec<bool>,
    /// So many of them, the first, were really told.
    pub told: usize,
}

/// The body of an event that says what was offered.
pub fn recalled(policy: u64, offered: &[Offered], told: usize) -> (&'static str, Value) {
    (RECALLED, json!({"policy": policy, "offered": offered, "told": told}))
}

/// The body of an event that says what of it was of use, and of what nobody can tell.
pub fn feedback(of: &str, useful: &[String], unknown: &[String]) -> (&'static str, Value) {
    (FEEDBACK, json!({"of": of, "useful": useful, "unknown": unknown}))
}

/// How often a memory was offered, and of use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Offered, with the outcome known.
    pub offered: u32,
    /// Of use.
    pub useful: u32,
    /// When it was last of use, in milliseconds since 1970.
    pub last_useful_ms: i64,
}

/// Everything that is known about use.
#[derive(Debug, Clone, Default)]
pub struct Usage {
    /// The newest examples, oldest first.
    pub examples: Vec<Example>,
    /// By memory.
    pub memories: HashMap<String, Counts>,
}

impl Usage {
    /// From the events, in the order in which they were written.
    pub fn fold(events: &[Event]) -> Self {
        let mut open: HashMap<&str, Example> = HashMap::new();
        let mut usage = Self::default();
        for event in events {
            match event.kind.as_str() {
                RECALLED => {
                    let offered = event.body.get("offered").cloned().unwrap_or_default();
                    let Ok(offered) = serde_json::from_value::<Vec<Offered>>(offered) else { continue };
                    let policy = event.body.get("policy").and_then(Value::as_u64).unwrap_or_default();
                    let useful = vec![false; offered.len()];
                    let told = event.body.get("told").and_then(Value::as_u64);
                    let told = told.and_then(|told| usize::try_from(told).ok()).unwrap_or(offered.len());
                    open.insert(&event.id, Example { time_ms: event.time_ms, policy, offered, useful, told });
                }
                FEEDBACK => {
                    let of = event.body.get("of").and_then(Value::as_str).unwrap_or_default();
                    // The first word counts: saying it again changes nothing.
                    let Some(mut example) = open.remove(of) else { continue };
                    let named = event.body.get("useful").and_then(Value::as_array);
                    let named: Vec<&str> = named.into_iter().flatten().filter_map(Value::as_str).collect();
                    let silent = event.body.get("unknown").and_then(Value::as_array);
                    let silent: Vec<&str> = silent.into_iter().flatten().filter_map(Value::as_str).collect();
                    let told = example.told;
                    for (at, (offered, useful)) in example.offered.iter().zip(&mut example.useful).enumerate()
                    {
                        *useful = named.contains(&offered.id.as_str());
                        // Only what was told can have been of use, and what nobody can tell counts neither way. (M3, M4)
                        if at >= told || silent.contains(&offered.id.as_str()) {
                            continue;
                        }
                        let counts = usage.memories.entry(offered.id.clone()).or_default();
                        counts.offered += 1;
                        if *useful {
                            counts.useful += 1;
                            counts.last_useful_ms = counts.last_useful_ms.max(event.time_ms);
                        }
                    }
                    usage.examples.push(example);
                }
                _ => {}
            }
        }
        let old = usage.examples.len().saturating_sub(MOST_EXAMPLES);
        usage.examples.drain(..old);
        usage
    }

    /// What was learned about single memories: more than 1 lifts them. Only what was offered a few times, and only the
    /// clearest, so that the list stays short.
    pub fn lifts(&self, most: usize) -> HashMap<String, f32> {
        let (offered, useful) = self.memories.values().fold((0_u32, 0_u32), |(offered, useful), counts| {
            (offered + counts.offered, useful + counts.useful)
        });
        let usual = (useful as f32 + 1.0) / (offered as f32 + 4.0);
        let mut lifts: Vec<(&String, f32)> = Vec::new();
        for (id, counts) in self.memories.iter().filter(|(_, counts)| counts.offered >= 3) {
            // Little evidence is pulled towards what is usual.
            let rate = (counts.useful as f32 + 4.0 * usual) / (counts.offered as f32 + 4.0);
            lifts.push((id, (rate / usual).powf(0.25).clamp(0.8, 1.3)));
        }
        lifts.sort_by(|(a, x), (b, y)| (y - 1.0).abs().total_cmp(&(x - 1.0).abs()).then(a.cmp(b)));
        lifts.into_iter().take(most).map(|(id, lift)| (id.clone(), lift)).collect()
    }
}
