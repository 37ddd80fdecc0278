//! The last few calls: do they go round in a circle?

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Limits, Rounds};

/// The longest circle looked for, and how far back.
const LONGEST_CIRCLE: usize = 8;
const WINDOW: usize = 42;

/// One call and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    /// Who, tool and arguments.
    pub what: u64,
    /// What came back; none: unknown, and never the same as another.
    pub answer: Option<u64>,
    /// How often files had changed by then: the same question about other files is another one.
    pub changes: u32,
    /// How many commands that may have changed files had run since. Zero for those themselves: before they run, somebody looks.
    pub doubts: u32,
    /// It is a command: what it asks about may change where no file shows it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub command: bool,
    /// It may have done something, and did not fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub act: bool,
}

/// The window of calls.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Calls {
    recent: VecDeque<Call>,
    changes: u32,
    doubts: u32,
    /// Something runs in the background: looking again is waiting for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
}

/// With something in the background, so many times the patience.
const PATIENCE: u32 = 4;

/// Calls that go round.
struct Circle {
    length: usize,
    rounds: u32,
    most: Rounds,
}

impl Calls {
    /// Records a call; true when with this one the agent has gone round so often that it should be told.
    pub fn made(&mut self, mut call: Call, writes: bool, limits: &Limits) -> bool {
        call.changes = self.changes;
        call.doubts = if writes { 0 } else { self.doubts };
        self.recent.push_back(call);
        while self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
        if writes {
            self.doubts = self.doubts.saturating_add(1);
        }
        // Told once, and once more at the last moment.
        self.circle(limits).is_some_and(|circle| {
            circle.rounds == circle.most.warned || circle.rounds.saturating_add(1) >= circle.most.denied
        })
    }

    /// Whether this call would be the next one of a circle; says how often that has been walked.
    pub fn would_repeat(&self, what: u64, limits: &Limits) -> Option<u32> {
        let circle = self.circle(limits).filter(|circle| circle.rounds >= circle.most.denied)?;
        let next = self.recent.get(self.recent.len() - circle.length)?;
        let same_files = next.changes == self.changes;
        (next.what == what && same_files).then_some(circle.rounds)
    }

    /// Files have changed: what was asked before is a new question.
    pub fn files_changed(&mut self) {
        self.changes = self.changes.saturating_add(1);
        self.doubts = 0;
    }

    /// Somebody looked, and nothing has changed: the commands that might have written did not.
    pub fn nothing_changed(&mut self) {
        self.doubts = 0;
        let changes = self.changes;
        for call in self.recent.iter_mut().filter(|call| call.changes == changes) {
            call.doubts = 0;
        }
    }

    /// Starts anew.
    pub fn forget(&mut self) {
        self.recent.clear();
    }

    /// How often the circle has been walked that the newest calls go round, if that is worth to be told.
    pub fn walked(&self, limits: &Limits) -> Option<u32> {
        self.circle(limits).map(|circle| circle.rounds)
    }

    /// The shortest circle that the newest calls go round, often enough.
    fn circle(&self, limits: &Limits) -> Option<Circle> {
        (1..=LONGEST_CIRCLE).find_map(|length| {
            let most = self.most(length, limits);
            let times = usize::try_from(most.warned).unwrap_or(WINDOW).max(2);
            let all = length * times;
            let round = all <= self.recent.len() && self.is_round(length, all);
            round.then(|| Circle { length, rounds: self.rounds(length), most })
        })
    }

    /// How often the newest calls may go round, if they do.
    fn most(&self, length: usize, limits: &Limits) -> Rounds {
        let newest = || self.recent.iter().rev().take(length);
        let (all, most) =
            (u32::try_from(length).unwrap_or(u32::MAX), u32::try_from(WINDOW / length).unwrap_or(1));
        let several = limits.circle_repeats;
        let rounds = match newest().any(|call| call.command) {
            true if newest().any(|call| call.act) => Rounds {
                warned: limits.act_repeats.warned.div_ceil(all).max(several.warned),
                denied: limits.act_repeats.denied.div_ceil(all).max(several.denied),
            },
            true if length == 1 => limits.command_repeats,
            true => several,
            false if length == 1 => limits.look_repeats,
            false => Rounds { warned: limits.repeats, denied: limits.repeats },
        };
        let patience = if self.background { PATIENCE } else { 1 };
        // More than what is remembered is never seen.
        Rounds { warned: (rounds.warned * patience).min(most), denied: (rounds.denied * patience).min(most) }
    }

    /// Whether the newest `all` calls are one circle of this length, over and over, with known and equal answers.
    fn is_round(&self, length: usize, all: usize) -> bool {
        let newest = || self.recent.iter().rev();
        newest().take(all).all(|call| call.answer.is_some())
            && newest().take(all - length).zip(newest().skip(length)).all(|(a, b)| a == b)
    }

    fn rounds(&self, length: usize) -> u32 {
        let most = self.recent.len() / length;
        let walked = (1..=most).rev().find(|&times| self.is_round(length, length * times)).unwrap_or(1);
        u32::try_from(walked).unwrap_or(u32::MAX)
    }
}
