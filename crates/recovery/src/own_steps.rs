//! Vib's own steps: going back is never the damage, and what it took back is no damage any more.

use crate::signals::{Actor, Change, Signals};

impl Signals {
    /// Vib did it, going back to something.
    pub(crate) fn is_going_back(&self, change: &Change) -> bool {
        self.steps[change.step].actor == Actor::Restore
    }

    /// Somebody else than vib did it, it can still be seen, and no going back has taken it away since.
    pub(crate) fn stands(&self, at: usize) -> bool {
        let change = &self.changes[at];
        !change.still.same && change.undone_by.is_none() && !self.is_going_back(change)
    }

    /// Others than `own` changed the path after `first`, and it can be seen: what vib took back and brought again itself is nobody's work.
    pub(crate) fn is_worked_on_since(&self, path: &str, first: usize, own: &[usize]) -> bool {
        let of_path = || self.changes.iter().enumerate().filter(|(_, change)| change.path == path);
        let was_cancelled = |at: usize| {
            let is_back = |at: usize| self.is_going_back(&self.changes[at]);
            is_back(at)
                && (self.changes[at].undone_by.is_some_and(is_back)
                    || of_path().any(|(other, change)| change.undone_by == Some(at) && is_back(other)))
        };
        // Whatever came after the last of them left no trace.
        let last = own.iter().copied().max().filter(|&last| self.changes[last].stands_whole);
        of_path().any(|(at, change)| {
            at > first
                && !own.contains(&at)
                && !change.made.same
                && last.is_none_or(|last| at < last)
                && !was_cancelled(at)
        })
    }

    /// At this moment something stood that was taken back later. Nothing vouches for such a state: a check may have passed only because
    /// its tests were empty, and going back to it would bring the damage again.
    pub(crate) fn was_disowned(&self, time_ms: i64) -> bool {
        let time = |change: &Change| self.steps[change.step].time_ms;
        self.changes.iter().any(|change| {
            let back = change.undone_by.and_then(|back| self.changes.get(back));
            let stood = |back: &Change| time(change) < time_ms && time_ms <= time(back);
            !self.is_going_back(change) && back.is_some_and(stood)
        })
    }
}
