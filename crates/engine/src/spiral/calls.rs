//! The last few calls: do they repeat, do they all fail?

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Limits;

/// The longest cycle looked for, and how far back.
const LONGEST_CYCLE: usize = 4;
const WINDOW: usize = 12;

/// One call and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    /// Tool, arguments and file.
    pub what: u64,
    /// What came back; none: unknown.
    pub answer: Option<u64>,
    /// Whether it may have changed files.
    pub wrote: bool,
}

/// The window of calls.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Calls {
    recent: VecDeque<Call>,
    failures: u32,
}

impl Calls {
    /// Whether this very call is one of the last, with this answer.
    pub fn has(&self, call: &Call) -> bool {
        self.recent.contains(call)
    }

    /// Records a call; true when it makes the calls a repetition.
    pub fn repeat(&mut self, call: Call, limits: &Limits) -> bool {
        self.recent.push_back(call);
        while self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
        let times = usize::try_from(limits.repeats).unwrap_or(WINDOW).max(2);
        self.cycles(times) || self.same_answers() >= times
    }

    /// Records how a call ended; so many have failed in a row by now.
    pub fn ended(&mut self, failed: bool) -> u32 {
        self.failures = if failed { self.failures.saturating_add(1) } else { 0 };
        self.failures
    }

    /// Starts anew.
    pub fn forget(&mut self) {
        self.recent.clear();
        self.failures = 0;
    }

    /// Whether the newest calls are one cycle, over and over.
    fn cycles(&self, times: usize) -> bool {
        (1..=LONGEST_CYCLE).any(|length| {
            let all = length * times;
            all <= self.recent.len() && {
                let mut newest = self.recent.iter().rev().take(all);
                let shifted = self.recent.iter().rev().skip(length);
                newest.by_ref().zip(shifted).take(all - length).all(|(a, b)| a == b)
            }
        })
    }

    /// How often the newest call got this answer before, with nothing written since.
    fn same_answers(&self) -> usize {
        let Some(newest) = self.recent.back().filter(|call| call.answer.is_some()) else { return 0 };
        let since_write =
            self.recent.iter().rev().enumerate().take_while(|(at, call)| *at == 0 || !call.wrote);
        since_write.filter(|(_, call)| *call == newest).count()
    }
}
