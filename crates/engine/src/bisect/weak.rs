//! A check that passes because a test was emptied, or because its own script or recipe was another for a while, says nothing; and a step of vib's that only brings back what the good state had has
//! broken nothing.

use std::ops::Range;

use serde::Serialize;
use store::{Actor, Entry, EntryKind, StepChange, StepNumber, Store};

use super::points::Point;
use crate::Result;
use crate::verification::{decides, does_other};

/// Longer tests are not read.
const LONGEST: u64 = 1 << 20;

/// A test that was emptied, removed or made weaker, or a file that decides what the check does and was another, and was brought back later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WeakTest {
    /// Which.
    pub path: String,
    /// It is empty or gone; else it checked less, or something else.
    pub emptied: bool,
    /// It is no test, but a file that decides what the check does: its script, a recipe, settings.
    pub decides: bool,
    /// The step that did it.
    pub by: StepNumber,
    /// The step that brought it back.
    pub back_by: StepNumber,
}

/// The states in which a test was weaker than before and after, and why.
pub(super) struct Weak(Vec<(Range<usize>, WeakTest)>);

impl Weak {
    /// Looks for them among what was changed after the good state.
    pub(super) fn among(store: &Store<'_>, points: &[Point], check: &str) -> Result<Self> {
        let Some(good) = points.first() else { return Ok(Self(Vec::new())) };
        let decides_check = decides(store, &store.recorded_state_at(good.seq), check);
        let changes = store.changes_since(good.seq)?;
        let state = |change: &StepChange| points.partition_point(|point| point.seq < change.seq);
        let mut found = Vec::new();
        for (at, change) in changes.iter().enumerate() {
            let path = change.path.to_string();
            let decides = decides_check(&path);
            if !decides && !recovery::is_test(&path) || !is_readable(change.before.as_ref()) {
                continue;
            }
            let is_back = |later: &&StepChange| {
                later.path == change.path && is_same(later.after.as_ref(), change.before.as_ref())
            };
            let Some(back) = changes[at + 1..].iter().find(is_back) else { continue };
            let Some(was) = text(store, change.before.as_ref()) else { continue };
            let is = text(store, change.after.as_ref());
            if is.is_none() && change.after.is_some() {
                continue;
            }
            let emptied = is.as_ref().is_none_or(|is| is.trim_ascii().is_empty());
            // Whether another script checks less nobody can tell: what it says of the states in between does not count.
            let is_other = |is: &Vec<u8>| {
                recovery::checks_less(&path, &was, is) || decides && does_other(&path, &was, is)
            };
            let weaker = emptied || is.as_ref().is_some_and(is_other);
            if weaker && !was.trim_ascii().is_empty() {
                let test = WeakTest { path, emptied, decides, by: change.step, back_by: back.step };
                found.push((state(change)..state(back), test));
            }
        }
        Ok(Self(found))
    }

    /// The weaker tests of a state.
    pub(super) fn of(&self, state: usize) -> impl Iterator<Item = &WeakTest> {
        self.0.iter().filter(move |(states, _)| states.contains(&state)).map(|(_, test)| test)
    }
}

/// Leaves out vib's own steps that only brought back what was there in the good state: the difference between the two lies elsewhere.
pub(super) fn without_goings_back(
    store: &Store<'_>,
    good: &Point,
    numbers: &mut Vec<StepNumber>,
) -> Result<()> {
    let state = store.recorded_state_at(good.seq);
    let mut left = Vec::new();
    for &number in numbers.iter() {
        let is_vibs = store.step(number)?.is_some_and(|step| step.actor == Actor::Vib);
        let changes = if is_vibs { store.changes_of(number)? } else { Vec::new() };
        let mut brought_back = !changes.is_empty();
        for change in &changes {
            let then = store.entry_in(&state, change.path.as_bytes())?;
            brought_back &= is_same(then.as_ref(), change.after.as_ref());
        }
        if !brought_back {
            left.push(number);
        }
    }
    if !left.is_empty() {
        *numbers = left;
    }
    Ok(())
}

fn is_readable(entry: Option<&Entry>) -> bool {
    entry.is_some_and(|entry| entry.kind == EntryKind::File && entry.size > 0 && entry.size <= LONGEST)
}

/// None: it is not there, or cannot be read any more.
fn text(store: &Store<'_>, entry: Option<&Entry>) -> Option<Vec<u8>> {
    store.content(&entry.filter(|entry| entry.kind == EntryKind::File)?.hash).ok()
}

fn is_same(a: Option<&Entry>, b: Option<&Entry>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.same_on_disk(b),
        (None, None) => true,
        _ => false,
    }
}
