//! The history in the units people think in: a request with all its steps and sub-agents, what was done by hand, a change of vib's.

use std::collections::HashMap;

use serde::Serialize;
use store::{Actor, Request, RequestNumber, Step, StepFilter, StepNumber, Store};

use crate::Result;

/// How many steps are read at a time.
const CHUNK: usize = 400;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A request and everything that was done for it.
    Request,
    /// What an agent did without a request that vib heard of.
    Session,
    /// What was done by hand, or by another program.
    ByHand,
    /// A change of vib's own.
    Vib,
}

/// One entry of the history.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// The request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// Its steps, the newest first.
    pub steps: Vec<Step>,
}

impl Entry {
    /// The newest step; there is always one.
    fn newest(&self) -> Option<&Step> {
        self.steps.first()
    }

    /// When it was last worked on, milliseconds since 1970.
    pub fn time_ms(&self) -> i64 {
        self.newest().map_or(0, |step| step.ended_ms.unwrap_or(step.started_ms))
    }

    /// The client that did it.
    pub fn client(&self) -> Option<&str> {
        let of_request = self.request.as_ref().and_then(|request| request.client.as_deref());
        of_request.or_else(|| self.newest().and_then(|step| step.client.as_deref()))
    }

    /// The words that name it for a person.
    pub fn words(&self) -> String {
        match self.kind {
            EntryKind::Request => self
                .request
                .as_ref()
                .and_then(|request| request.prompt.as_deref())
                .map_or_else(|| "a request".to_owned(), one_line),
            EntryKind::Session => "steps without a request".to_owned(),
            EntryKind::ByHand => "changes by hand or by another program".to_owned(),
            EntryKind::Vib => {
                let step = self.newest();
                let tool = step.and_then(|step| step.tool.as_deref()).unwrap_or("change");
                match step.and_then(|step| step.what.as_deref()) {
                    Some(what) => format!("vib {tool}: {}", one_line(what)),
                    None => format!("vib {tool}"),
                }
            }
        }
    }

    /// The numbers of its steps.
    pub fn numbers(&self) -> Vec<StepNumber> {
        self.steps.iter().map(|step| step.number).collect()
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where a step belongs.
#[derive(PartialEq, Eq, Clone)]
enum Key {
    Request(RequestNumber),
    Session(Option<String>),
    ByHand,
    Vib(StepNumber),
}

fn key_of(step: &Step) -> Key {
    match (step.actor, step.request) {
        (Actor::Vib, _) => Key::Vib(step.number),
        (Actor::ByHand, _) => Key::ByHand,
        (Actor::Agent, Some(request)) => Key::Request(request),
        (Actor::Agent, None) => Key::Session(step.session.clone()),
    }
}

/// The newest entries, the newest first, and the step with which the next older one begins. `keep` says which steps count. An entry
/// lies where its newest step is: with `filter.before`, a request that was worked on after that is left out as a whole.
pub(crate) fn entries(
    store: &Store<'_>,
    filter: &StepFilter<'_>,
    limit: usize,
    mut keep: impl FnMut(&Step) -> Result<bool>,
) -> Result<(Vec<Entry>, Option<StepNumber>)> {
    let mut grouping = Grouping::default();
    let mut elsewhere = Elsewhere { store, filter, known: HashMap::new() };
    let mut before = filter.before;
    // A change of vib's that does not count (going back, doing it again) parts what was done by hand before it from what came after it.
    let mut vib_between = false;
    loop {
        let chunk = store.steps(&StepFilter { limit: CHUNK, before, ..filter.clone() })?;
        let last = chunk.len() < CHUNK;
        for step in chunk {
            before = Some(step.number);
            if elsewhere.has(&step)? || !keep(&step)? {
                vib_between |= step.actor == Actor::Vib;
                continue;
            }
            let apart = step.actor == Actor::ByHand
                && (std::mem::take(&mut vib_between) || is_apart(store, &step, grouping.oldest())?);
            let number = step.number;
            if !grouping.add(step, apart, limit) {
                grouping.complete(store, filter, number, &mut keep)?;
                return Ok((grouping.finish(store)?, Some(number)));
            }
        }
        if last {
            return Ok((grouping.finish(store)?, None));
        }
    }
}

/// What was done by hand up to a save, or up to a request, is one thing, and what came after it is another; `later`: a step that came after it.
pub(crate) fn is_apart(store: &Store<'_>, by_hand: &Step, later: Option<&Step>) -> Result<bool> {
    let from = by_hand.after.unwrap_or(by_hand.before);
    let saved_until = later.map_or(i64::MAX, |step| step.after.unwrap_or(step.before));
    let asked_until = later.map_or(i64::MAX, |step| step.before);
    Ok(store.was_saved_by_a_person(from, saved_until)? || store.was_asked_for_something(from, asked_until)?)
}

/// Requests whose entry lies above where the reading began.
struct Elsewhere<'a> {
    store: &'a Store<'a>,
    filter: &'a StepFilter<'a>,
    known: HashMap<RequestNumber, bool>,
}

impl Elsewhere<'_> {
    fn has(&mut self, step: &Step) -> Result<bool> {
        let (Some(before), Key::Request(number)) = (self.filter.before, key_of(step)) else {
            return Ok(false);
        };
        if let Some(known) = self.known.get(&number) {
            return Ok(*known);
        }
        let newest = StepFilter { request: Some(number), before: None, limit: 1, ..self.filter.clone() };
        let above = self.store.steps(&newest)?.first().is_some_and(|newest| newest.number >= before);
        self.known.insert(number, above);
        Ok(above)
    }
}

#[derive(Default)]
struct Grouping {
    groups: Vec<(Key, Vec<Step>)>,
}

impl Grouping {
    /// The oldest step so far.
    fn oldest(&self) -> Option<&Step> {
        self.groups.last()?.1.last()
    }

    /// False: it would begin one entry too many. A request gathers its steps from everywhere; the others only what lies together.
    /// `apart`: whatever came later is another entry.
    fn add(&mut self, step: Step, apart: bool, limit: usize) -> bool {
        let key = key_of(&step);
        let found = match &key {
            Key::Request(_) => self.groups.iter().position(|(other, _)| *other == key),
            Key::Vib(_) => None,
            _ if apart => None,
            _ => self.groups.len().checked_sub(1).filter(|at| self.groups[*at].0 == key),
        };
        match found {
            Some(at) => self.groups[at].1.push(step),
            None if limit > 0 && self.groups.len() >= limit => return false,
            None => self.groups.push((key, vec![step])),
        }
        true
    }

    /// A request is one thing, also where something else was done in the middle of it: adds its steps below the cut.
    fn complete(
        &mut self,
        store: &Store<'_>,
        filter: &StepFilter<'_>,
        cut: StepNumber,
        keep: &mut impl FnMut(&Step) -> Result<bool>,
    ) -> Result<()> {
        for (key, steps) in &mut self.groups {
            let Key::Request(number) = key else { continue };
            let rest = StepFilter { request: Some(*number), before: Some(cut), limit: 0, ..filter.clone() };
            for step in store.steps(&rest)? {
                if keep(&step)? {
                    steps.push(step);
                }
            }
        }
        Ok(())
    }

    fn finish(self, store: &Store<'_>) -> Result<Vec<Entry>> {
        let mut out = Vec::with_capacity(self.groups.len());
        for (key, steps) in self.groups {
            let (kind, request) = match key {
                Key::Request(number) => (EntryKind::Request, store.request(number)?),
                Key::Session(_) => (EntryKind::Session, None),
                Key::ByHand => (EntryKind::ByHand, None),
                Key::Vib(_) => (EntryKind::Vib, None),
            };
            out.push(Entry { kind, request, steps });
        }
        Ok(out)
    }
}
