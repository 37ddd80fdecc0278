//! Policies: how recall weighs, learned from outcomes, kept as events, each reversible.
//!
//! A policy is a few factors on the built-in weights. A new one is proposed only if it is better on examples that it was not
//! chosen on; it is applied from the next session on; and it is taken back by itself if, on what came after it, the one
//! before would have done better.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::usage::{Example, Offered};
use crate::log::Event;
use crate::recall::Weights;

/// The kind of event that is a policy.
pub const POLICY: &str = "policy";
/// The kind of event that takes one back.
pub const REVERT: &str = "policy_revert";

/// So many examples are needed to learn from.
pub const LEAST_EXAMPLES: usize = 40;
/// So many since a policy came into force are needed to judge it.
pub const LEAST_TO_JUDGE: usize = 20;
/// A new policy must be better by this on examples that it was not chosen on.
const LEAST_GAIN: f64 = 0.005;
/// A policy that is worse by this goes.
const MOST_LOSS: f64 = 0.01;
/// The first few are what is shown.
const SHOWN: usize = 5;
const LEAST: f32 = 0.1;
const MOST: f32 = 8.0;

/// Factors on the built-in weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Policy {
    /// Its number; 0: built in.
    pub number: u64,
    /// On touched files and their folders.
    pub paths: f32,
    /// On the memories before and after.
    pub near: f32,
    /// On the session as a whole.
    pub session: f32,
    /// On how fast memories fade.
    pub recency: f32,
    /// On importance.
    pub importance: f32,
    /// On the scores of whole classes.
    pub lifts: BTreeMap<String, f32>,
}

impl Default for Policy {
    fn default() -> Self {
        let lifts = BTreeMap::new();
        Self { number: 0, paths: 1.0, near: 1.0, session: 1.0, recency: 1.0, importance: 1.0, lifts }
    }
}

impl Policy {
    /// The weights that recall uses with it.
    pub fn weights(&self) -> Weights {
        let Weights { file, name, folder, neighbour, second_neighbour, session, recency, importance, .. } =
            Weights::default();
        Weights {
            file: file * self.paths,
            name: name * self.paths,
            folder: folder * self.paths,
            neighbour: neighbour * self.near,
            second_neighbour: second_neighbour * self.near,
            session: session * self.session,
            recency: recency * self.recency,
            importance: importance * self.importance,
            ..Weights::default()
        }
    }

    /// Whatever a hand wrote into the log, a policy stays within bounds.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        let fields =
            [&mut self.paths, &mut self.near, &mut self.session, &mut self.recency, &mut self.importance];
        for factor in fields.into_iter().chain(self.lifts.values_mut()) {
            *factor = if factor.is_finite() { factor.clamp(0.0, MOST) } else { 1.0 };
        }
        self
    }

    /// The score that a memory would have had. Its parts were noted under `then`.
    fn score(&self, offered: &Offered, then: &Self) -> f32 {
        let parts = offered.parts;
        let by = |now: f32, then: f32| if then > 0.0 { now / then } else { 0.0 };
        let base = parts.text
            + parts.paths * by(self.paths, then.paths)
            + parts.near * by(self.near, then.near)
            + parts.session * by(self.session, then.session);
        let Weights { fresh, recency, importance, .. } = self.weights();
        let age = parts.age_days.map_or(1.0, |days| (1.0 + days / fresh).powf(-recency));
        let lift = self.lifts.get(&offered.class).copied().unwrap_or(1.0);
        base * age * (1.0 + importance * (parts.importance - 0.5)) * lift
    }

    /// The share of what would be shown that was of use.
    fn quality(&self, example: &Example, then: &Self) -> f64 {
        let mut order: Vec<(f32, usize)> =
            example.offered.iter().enumerate().map(|(at, offered)| (self.score(offered, then), at)).collect();
        order.sort_by(|(one, a), (other, b)| other.total_cmp(one).then(a.cmp(b)));
        let shown = order.iter().take(SHOWN);
        let useful = shown.filter(|(_, at)| example.useful.get(*at) == Some(&true)).count();
        useful as f64 / SHOWN as f64
    }
}

/// A policy as an event, with its evidence.
pub fn event_body(policy: &Policy, parent: u64, evidence: &Evidence) -> (&'static str, Value) {
    (POLICY, json!({"policy": policy, "parent": parent, "evidence": evidence}))
}

/// What takes a policy back.
pub fn revert_body(number: u64, by: &str, why: &str) -> (&'static str, Value) {
    (REVERT, json!({"number": number, "by": by, "why": why}))
}

/// Why a policy was made: on examples that it was not chosen on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// How many examples.
    pub examples: usize,
    /// The share of use with the policy before.
    pub before: f64,
    /// And with this one.
    pub after: f64,
}

/// One line of the policy log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// The event.
    pub id: String,
    /// When, in milliseconds since 1970.
    pub time_ms: i64,
    /// The policy.
    pub policy: Policy,
    /// The policy that it came from.
    pub parent: u64,
    /// Why it was made.
    pub evidence: Evidence,
    /// Who took it back and why, if somebody did.
    pub reverted: Option<String>,
}

/// All policies there were.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// Oldest first.
    pub entries: Vec<Entry>,
}

impl History {
    /// From the events, in the order in which they were written.
    pub fn fold(events: &[Event]) -> Self {
        let mut history = Self::default();
        for event in events {
            match event.kind.as_str() {
                POLICY => {
                    let field = |name: &str| event.body.get(name).cloned().unwrap_or_default();
                    let Ok(policy) = serde_json::from_value::<Policy>(field("policy")) else { continue };
                    // Two processes may have learned at the same time: each gets a number of its own.
                    let number = history.entries.last().map_or(1, |last| last.policy.number + 1);
                    history.entries.push(Entry {
                        id: event.id.clone(),
                        time_ms: event.time_ms,
                        policy: Policy { number, ..policy.bounded() },
                        parent: field("parent").as_u64().unwrap_or_default(),
                        evidence: serde_json::from_value(field("evidence")).unwrap_or_default(),
                        reverted: None,
                    });
                }
                REVERT => {
                    let number = event.body.get("number").and_then(Value::as_u64);
                    let word = |name: &str| event.body.get(name).and_then(Value::as_str).unwrap_or_default();
                    let why = format!("{}: {}", word("by"), word("why"));
                    let found = history.entries.iter_mut().find(|entry| Some(entry.policy.number) == number);
                    if let Some(entry) = found {
                        entry.reverted.get_or_insert(why);
                    }
                }
                _ => {}
            }
        }
        history
    }

    /// The policy in force: the newest that was not taken back.
    pub fn in_force(&self) -> Policy {
        let entry = self.entries.iter().rev().find(|entry| entry.reverted.is_none());
        entry.map(|entry| entry.policy.clone()).unwrap_or_default()
    }

    /// A policy by its number; 0 is the built-in one.
    pub fn policy(&self, number: u64) -> Policy {
        let entry = self.entries.iter().find(|entry| entry.policy.number == number);
        entry.map(|entry| entry.policy.clone()).unwrap_or_default()
    }

    /// What would be in force without the newest.
    fn before(&self, number: u64) -> Policy {
        let others = self.entries.iter().rev().filter(|entry| entry.policy.number < number);
        let entry = others.into_iter().find(|entry| entry.reverted.is_none());
        entry.map(|entry| entry.policy.clone()).unwrap_or_default()
    }

    fn mean(&self, policy: &Policy, examples: &[&Example]) -> f64 {
        let sum: f64 =
            examples.iter().map(|example| policy.quality(example, &self.policy(example.policy))).sum();
        sum / examples.len().max(1) as f64
    }

    /// Whether the policy in force has to go: on what came after it, the one before would have done better.
    pub fn to_revert(&self, examples: &[Example]) -> Option<(u64, String)> {
        let current = self.in_force();
        if current.number == 0 {
            return None;
        }
        let since: Vec<&Example> = examples.iter().filter(|one| one.policy == current.number).collect();
        if since.len() < LEAST_TO_JUDGE {
            return None;
        }
        let (now, then) = (self.mean(&current, &since), self.mean(&self.before(current.number), &since));
        (now < then - MOST_LOSS).then(|| {
            let why = format!(
                "of what it offered {:.1} % was of use in {} questions, with the policy before it would have been {:.1} %",
                now * 100.0,
                since.len(),
                then * 100.0
            );
            (current.number, why)
        })
    }

    /// A better policy than the one in force, if the examples show one.
    pub fn improve(&self, examples: &[Example]) -> Option<(Policy, Evidence)> {
        let telling: Vec<&Example> = examples.iter().filter(|one| one.useful.contains(&true)).collect();
        if telling.len() < LEAST_EXAMPLES {
            return None;
        }
        let (choose, confirm): (Vec<_>, Vec<_>) = telling.iter().enumerate().partition(|(at, _)| at % 2 == 0);
        let choose: Vec<&Example> = choose.into_iter().map(|(_, example)| *example).collect();
        let confirm: Vec<&Example> = confirm.into_iter().map(|(_, example)| *example).collect();
        let current = self.in_force();
        let classes: BTreeSet<&String> =
            telling.iter().flat_map(|example| &example.offered).map(|offered| &offered.class).collect();
        let mut best = (self.mean(&current, &choose), current.clone());
        for _ in 0..3 {
            let round = best.clone();
            for candidate in neighbours(&round.1, &classes) {
                let quality = self.mean(&candidate, &choose);
                if quality > best.0 + 1e-9 {
                    best = (quality, candidate);
                }
            }
            if best.1 == round.1 {
                break;
            }
        }
        let evidence = Evidence {
            examples: confirm.len(),
            before: self.mean(&current, &confirm),
            after: self.mean(&best.1, &confirm),
        };
        let number = self.entries.last().map_or(1, |last| last.policy.number + 1);
        (evidence.after >= evidence.before + LEAST_GAIN).then_some((Policy { number, ..best.1 }, evidence))
    }
}

/// Policies that differ in one factor.
fn neighbours(policy: &Policy, classes: &BTreeSet<&String>) -> Vec<Policy> {
    let mut all = Vec::new();
    for step in [0.35, 0.6, 0.8, 1.25, 1.6, 2.8] {
        let changed = |change: fn(&mut Policy) -> &mut f32| {
            let mut policy = policy.clone();
            let factor = change(&mut policy);
            *factor = (*factor * step).clamp(LEAST, MOST);
            policy
        };
        all.push(changed(|policy| &mut policy.paths));
        all.push(changed(|policy| &mut policy.near));
        all.push(changed(|policy| &mut policy.session));
        all.push(changed(|policy| &mut policy.recency));
        all.push(changed(|policy| &mut policy.importance));
        if classes.len() > 1 {
            for class in classes {
                let mut policy = policy.clone();
                let lift = policy.lifts.entry((*class).clone()).or_insert(1.0);
                *lift = (*lift * step).clamp(LEAST, MOST);
                all.push(policy);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::usage::{self, Usage};
    use crate::log::{Provenance, Scope};
    use crate::recall::Parts;

    fn event(number: u64, (kind, body): (&str, Value)) -> Event {
        let mut random = [0; 10];
        random[..8].copy_from_slice(&number.to_le_bytes());
        Event::new(
            1000 + i64::try_from(number).unwrap(),
            random,
            Scope::Project,
            kind,
            Provenance::Observed,
            body,
        )
    }

    /// Questions in which what fits by path is of use, and what fits by words is offered first.
    fn questions(from: u64, count: u64, policy: u64) -> Vec<Event> {
        let mut events = Vec::new();
        for number in from..from + count {
            let offered = |at: usize, text: f32, paths: f32| Offered {
                id: format!("{number}-{at}"),
                class: "note".to_owned(),
                parts: Parts { text, paths, importance: 0.5, ..Parts::default() },
            };
            let all: Vec<Offered> = (0..10)
                .map(|at| if at < 5 { offered(at, 10.0 - at as f32, 0.0) } else { offered(at, 2.0, 3.0) })
                .collect();
            let recalled = event(number * 10, usage::recalled(policy, &all, all.len()));
            let useful: Vec<String> = all[5..].iter().map(|offered| offered.id.clone()).collect();
            let feedback = event(number * 10 + 1, usage::feedback(&recalled.id, &useful, &[]));
            events.extend([recalled, feedback]);
        }
        events
    }

    #[test]
    fn what_was_of_use_makes_a_policy_with_evidence_and_too_little_makes_none() {
        let few = Usage::fold(&questions(0, 20, 0));
        assert_eq!(History::default().improve(&few.examples), None);
        let many = Usage::fold(&questions(0, 60, 0));
        let (policy, evidence) = History::default().improve(&many.examples).unwrap();
        assert!(policy.paths > 1.5 && policy.number == 1, "{policy:?}");
        assert!(evidence.after > evidence.before && evidence.examples == 30, "{evidence:?}");
        assert!(policy.weights().file > Weights::default().file);
    }

    #[test]
    fn a_bad_policy_is_taken_back_by_itself_and_a_good_one_stays() {
        let evidence = Evidence::default();
        for (paths, goes) in [(0.1, true), (4.0, false)] {
            let planted = Policy { number: 1, paths, ..Policy::default() };
            let mut events = vec![event(1, event_body(&planted, 0, &evidence))];
            events.extend(questions(10, 30, 1));
            let history = History::fold(&events);
            assert_eq!(history.in_force().paths, paths);
            let reverted = history.to_revert(&Usage::fold(&events).examples);
            assert_eq!(reverted.is_some(), goes, "{reverted:?}");
            if let Some((number, why)) = reverted {
                events.push(event(9999, revert_body(number, "automatic", &why)));
                let history = History::fold(&events);
                assert_eq!(history.in_force(), Policy::default());
                assert!(
                    history.entries[0]
                        .reverted
                        .as_deref()
                        .unwrap()
                        .starts_with("automatic: of what it offered")
                );
            }
        }
    }

    #[test]
    fn a_policy_from_another_hand_stays_within_bounds() {
        let body =
            json!({"policy": {"paths": 1e30, "recency": -5.0, "lifts": {"note": 99.0}, "new_field": 1}});
        let policy = History::fold(&[event(1, (POLICY, body))]).in_force();
        assert_eq!((policy.paths, policy.recency, policy.lifts["note"]), (MOST, 0.0, MOST));
    }
}
