//! What is remembered of one file.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Limits, Rule};

/// So many contents of a file are remembered.
const CONTENTS: usize = 12;
/// So many verdicts on attempts are remembered.
const ATTEMPTS: usize = 8;
/// So many turns of a file are remembered: the first, and the newest.
const TURNS: usize = 8;
/// So many failed edits are remembered.
const FAILED: usize = 8;

/// Why a file, or everything, is held back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Block {
    pub rule: Rule,
    pub times: u32,
    /// Numbers of turns.
    pub turns: Vec<u32>,
}

/// The end of an attempt: edits, and then a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Attempt {
    pub error: u64,
    /// Whether the failure was there before.
    pub same: bool,
    /// Number of the turn.
    pub turn: u32,
}

/// One file, since the last progress.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct File {
    /// Hash of the whole path: what it is found by.
    pub key: u64,
    /// For people; very long ones are cut.
    pub path: String,
    /// When it was touched last, in steps.
    pub touched: u64,
    /// Edited since the last verdict.
    pub open: bool,
    /// The person lets the agent try once more.
    pub allowed: bool,
    pub block: Option<Block>,
    now: Option<u64>,
    /// The turn in which the content changed last.
    changed: u32,
    /// Every content once, in the order in which they first came.
    contents: VecDeque<u64>,
    returns: u32,
    attempts: VecDeque<Attempt>,
    unpassed: u32,
    failed_at: VecDeque<u64>,
    turns: Vec<u32>,
}

impl File {
    /// A file that is seen for the first time.
    pub fn new(key: u64, path: String, step: u64) -> Self {
        Self { key, path, touched: step, ..Self::default() }
    }

    /// What the file holds before an edit.
    pub fn found(&mut self, content: u64) {
        self.now = Some(content);
        self.remember(content);
    }

    /// Whether this edit would be one time too many that the file goes back.
    pub fn goes_back_too_often(&self, content: u64, turn: u32, limits: &Limits) -> bool {
        self.goes_back(content, turn) && self.returns.saturating_add(1) >= limits.returns
    }

    /// An edit that was applied; true if the file is held back from now on.
    pub fn edited(&mut self, content: Option<u64>, turn: u32, limits: &Limits) -> bool {
        self.mark(turn);
        if content.is_some() && content == self.now {
            return false;
        }
        self.open = true;
        let back = content.is_some_and(|content| self.goes_back(content, turn));
        self.now = content;
        self.changed = turn;
        if let Some(content) = content {
            self.remember(content);
        }
        self.returns = self.returns.saturating_add(u32::from(back));
        back && self.returns >= limits.returns && self.hold(Rule::ContentGoesBack, self.returns)
    }

    /// An edit that was not applied; true if the file is held back from now on.
    pub fn edit_failed(&mut self, step: u64, turn: u32, limits: &Limits) -> bool {
        self.mark(turn);
        push(&mut self.failed_at, step, FAILED);
        let within = u64::from(limits.failed_edits_within);
        self.failed_at.retain(|&at| step.saturating_sub(at) < within);
        let times = u32::try_from(self.failed_at.len()).unwrap_or(u32::MAX);
        times >= limits.failed_edits && self.hold(Rule::EditsFail, times)
    }

    /// The end of an attempt; true if the file is held back from now on.
    pub fn attempt_failed(&mut self, attempt: Attempt, limits: &Limits) -> bool {
        self.open = false;
        self.allowed = false;
        self.unpassed = self.unpassed.saturating_add(1);
        push(&mut self.attempts, attempt, ATTEMPTS);
        let again = if attempt.same { self.same_failure(attempt.error, limits) } else { None };
        if let Some(times) = again {
            return self.hold(Rule::SameFailureAgain, times);
        }
        self.unpassed >= limits.unpassed && self.hold(Rule::NoCheckPasses, self.unpassed)
    }

    /// How often the attempts led to nothing new, if that is too often: in one turn after the other to this very failure, or
    /// among the newest attempts to any failure that was there before.
    fn same_failure(&self, error: u64, limits: &Limits) -> Option<u32> {
        let newest = || self.attempts.iter().rev().take(usize::try_from(limits.attempts).unwrap_or(ATTEMPTS));
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let mut turns: Vec<u32> =
            newest().filter(|attempt| attempt.error == error).map(|attempt| attempt.turn).collect();
        turns.sort_unstable();
        turns.dedup();
        let stale = count(newest().filter(|attempt| attempt.same).count());
        [count(turns.len()), stale].into_iter().find(|&times| times >= limits.stale)
    }

    /// Whether it was edited since the last verdict to something that was never there before. Only then does a check that
    /// passes say anything new: that it passes with an old content was known.
    pub fn is_new(&self) -> bool {
        self.open && (self.now.is_none() || self.now == self.contents.back().copied())
    }

    /// Going back and forth led somewhere.
    pub fn led_somewhere(&mut self) {
        self.returns = 0;
        self.unpassed = 0;
    }

    /// Real progress: what was counted is forgotten.
    pub fn progress(&mut self) {
        self.open = false;
        self.allowed = false;
        self.block = None;
        self.returns = 0;
        self.attempts.clear();
        self.unpassed = 0;
        self.failed_at.clear();
        self.turns.clear();
    }

    /// The person lets the agent try once more: another attempt like the last ones, and the file is held back again.
    pub fn allow_once(&mut self, limits: &Limits) {
        self.block = None;
        self.allowed = true;
        self.returns = self.returns.min(limits.returns.saturating_sub(1));
        self.unpassed = self.unpassed.min(limits.unpassed.saturating_sub(1));
        let keep = usize::try_from(limits.stale.saturating_sub(1)).unwrap_or(ATTEMPTS);
        while self.attempts.iter().filter(|attempt| attempt.same).count() > keep {
            self.attempts.pop_front();
        }
        self.failed_at.clear();
    }

    /// Holds the file back; true if it was not held back yet.
    pub fn hold(&mut self, rule: Rule, times: u32) -> bool {
        if self.block.is_some() || self.allowed {
            return false;
        }
        self.block = Some(Block { rule, times, turns: self.turns.clone() });
        true
    }

    /// Whether this content was there before and was left for another. To take up the newest content again within a turn is
    /// no step back: that is what one does after a look at how it was before.
    fn goes_back(&self, content: u64, turn: u32) -> bool {
        let looked = self.contents.back() == Some(&content) && self.changed == turn;
        self.now != Some(content) && !looked && self.contents.contains(&content)
    }

    fn mark(&mut self, turn: u32) {
        if !self.turns.contains(&turn) {
            self.turns.push(turn);
            if self.turns.len() > TURNS {
                self.turns.remove(1);
            }
        }
    }

    fn remember(&mut self, content: u64) {
        if !self.contents.contains(&content) {
            push(&mut self.contents, content, CONTENTS);
        }
    }
}

/// Appends, and lets the oldest go.
pub(super) fn push<T>(to: &mut VecDeque<T>, value: T, most: usize) {
    to.push_back(value);
    while to.len() > most {
        to.pop_front();
    }
}
