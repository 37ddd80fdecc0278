//! Failures that come back after every change.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Limits;
use super::file::push;

/// So many different failures are remembered.
const FAILURES: usize = 16;
/// So many turns of each.
const TURNS: usize = 4;

/// One way to fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Failure {
    error: u64,
    /// How often it came after something had been changed.
    times: u32,
    /// How often of these a file had only become longer, or another place of it was edited: the next piece of what is not finished yet.
    #[serde(default)]
    grown: u32,
    /// It was there before anything was changed.
    old: bool,
    /// Numbers of the turns it came in, of one pursuit: the requests that were about it, without another one in between.
    turns: Vec<u32>,
}

/// How a failure came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Came {
    /// Only places were edited that had not been edited before.
    pub elsewhere: bool,
    /// What the person asked for last is about this failure, or says nothing new.
    pub goes_on: bool,
}

/// A failure that came back too often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TooOften {
    pub times: u32,
    pub turns: Vec<u32>,
}

/// The failures since the last check that passed.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Failures {
    seen: VecDeque<Failure>,
    /// Something was changed since the last failure.
    changed: bool,
    /// And not only by making a file longer.
    rewritten: bool,
    /// Something was changed at all.
    changed_ever: bool,
}

impl Failures {
    /// A file has another content now; `grew`: it has more lines than before.
    pub fn files_changed(&mut self, grew: bool) {
        self.changed = true;
        self.rewritten |= !grew;
        self.changed_ever = true;
    }

    /// The turns of the pursuit in which this failure came so far.
    pub fn pursuit(&self, error: u64) -> &[u32] {
        self.seen.iter().find(|failure| failure.error == error).map_or(&[], |failure| &failure.turns)
    }

    /// A check failed. Some: that failure has come back too often. See [`Came`].
    pub fn failed(&mut self, error: u64, turn: u32, came: Came, limits: &Limits) -> Option<TooOften> {
        let after_change = std::mem::take(&mut self.changed);
        let only_grew = !std::mem::take(&mut self.rewritten) || came.elsewhere;
        let at = match self.seen.iter().position(|failure| failure.error == error) {
            Some(at) => at,
            None => {
                let old = !self.changed_ever;
                let new = Failure { error, times: 0, grown: 0, old, turns: Vec::new() };
                push(&mut self.seen, new, FAILURES);
                self.seen.len() - 1
            }
        };
        let failure = self.seen.get_mut(at)?;
        if !after_change {
            // Run once more without a change in between: that says nothing about any change.
            return None;
        }
        if !came.goes_on && failure.turns.last().is_some_and(|last| *last != turn) {
            // Something else was asked for, and this one is still there: nobody was to mend it.
            *failure = Failure { times: 0, grown: 0, old: true, turns: Vec::new(), error };
        }
        failure.times = failure.times.saturating_add(1);
        failure.grown = failure.grown.saturating_add(u32::from(only_grew));
        if !failure.turns.contains(&turn) {
            failure.turns.push(turn);
            if failure.turns.len() > TURNS {
                failure.turns.remove(1);
            }
        }
        let most = if failure.old { limits.old_failure } else { limits.same_failure };
        // What is built piece by piece fails in the same way until the last piece is there. Each piece counts a third.
        let counted = failure.times.saturating_sub(failure.grown) + failure.grown / 3;
        (counted >= most).then(|| TooOften { times: failure.times, turns: failure.turns.clone() })
    }

    /// A check passed: real progress.
    pub fn passed(&mut self) {
        self.seen.clear();
        self.changed = false;
        self.rewritten = false;
    }

    /// The person lets the agent go on: each failure may come once more.
    pub fn allow_once(&mut self) {
        for failure in &mut self.seen {
            failure.times = failure.times.saturating_sub(1);
            failure.grown = failure.grown.min(failure.times);
        }
    }

    /// Starts anew.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}
