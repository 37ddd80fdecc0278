//! What is remembered of one file.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Limits, Rule};

/// So many contents of a file are remembered.
const CONTENTS: usize = 12;
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

/// One file, since the last progress.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(super) struct File {
    /// Hash of the whole path: what it is found by.
    pub key: u64,
    /// For people; very long ones are cut.
    pub path: String,
    /// When it was touched last, in steps.
    pub touched: u64,
    now: Option<u64>,
    past: VecDeque<u64>,
    returns: u32,
    stale: u32,
    unpassed: u32,
    failed_at: VecDeque<u64>,
    turns: Vec<u32>,
    /// Edited since the last verdict.
    pub open: bool,
    /// The person lets the agent try once more.
    pub allowed: bool,
    pub block: Option<Block>,
}

impl File {
    /// A file that is seen for the first time.
    pub fn new(key: u64, path: String, step: u64) -> Self {
        Self { key, path, touched: step, ..Self::default() }
    }

    /// What the file held before an edit.
    pub fn found(&mut self, content: u64) {
        self.now = Some(content);
        self.remember(content);
    }

    /// Whether this content was there before and was left again.
    pub fn would_return(&self, content: u64) -> bool {
        self.now != Some(content) && self.past.contains(&content)
    }

    /// Whether an edit to this content would be one return too many.
    pub fn returns_too_often(&self, content: u64, limits: &Limits) -> bool {
        self.would_return(content) && self.returns.saturating_add(1) >= limits.returns
    }

    /// An edit that was applied.
    pub fn edited(&mut self, content: Option<u64>, turn: u32, limits: &Limits) -> bool {
        self.mark(turn);
        if content.is_some() && content == self.now {
            return false;
        }
        self.open = true;
        let Some(content) = content else {
            self.now = None;
            return false;
        };
        if self.would_return(content) {
            self.returns = self.returns.saturating_add(1);
        }
        self.now = Some(content);
        self.remember(content);
        self.returns >= limits.returns && self.hold(Rule::ContentGoesBack, self.returns)
    }

    /// An edit that was not applied.
    pub fn edit_failed(&mut self, step: u64, turn: u32, limits: &Limits) -> bool {
        self.mark(turn);
        push(&mut self.failed_at, step, FAILED);
        let from = step.saturating_sub(u64::from(limits.failed_edits_within).saturating_sub(1));
        self.failed_at.retain(|&at| at >= from);
        let times = u32::try_from(self.failed_at.len()).unwrap_or(u32::MAX);
        times >= limits.failed_edits && self.hold(Rule::EditsFail, times)
    }

    /// The end of an attempt: a check failed after edits, with a failure that was there before, or with a new one.
    pub fn attempt_failed(&mut self, same: bool, limits: &Limits) -> bool {
        self.open = false;
        self.allowed = false;
        self.unpassed = self.unpassed.saturating_add(1);
        if same {
            self.stale = self.stale.saturating_add(1);
        } else {
            self.stale = 0;
            self.returns = 0;
        }
        if self.stale >= limits.stale {
            return self.hold(Rule::SameFailureAgain, self.stale);
        }
        self.unpassed >= limits.unpassed && self.hold(Rule::NoCheckPasses, self.unpassed)
    }

    /// A check that failed before passes: the edits achieve something. If no check fails any more, going back and forth
    /// between contents is forgotten too.
    pub fn progress(&mut self, all: bool) {
        self.stale = 0;
        self.unpassed = 0;
        self.failed_at.clear();
        self.open = false;
        self.allowed = false;
        if all {
            self.returns = 0;
            self.turns.clear();
        }
        if all || self.block.as_ref().is_some_and(|block| block.rule != Rule::ContentGoesBack) {
            self.block = None;
        }
    }

    /// The person lets the agent try once more: one more attempt like the last ones, and the file is held back again.
    pub fn allow_once(&mut self, limits: &Limits) {
        self.block = None;
        self.allowed = true;
        self.stale = self.stale.min(limits.stale.saturating_sub(1));
        self.unpassed = self.unpassed.min(limits.unpassed.saturating_sub(1));
        self.returns = self.returns.min(limits.returns.saturating_sub(1));
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

    fn mark(&mut self, turn: u32) {
        if self.turns.last() != Some(&turn) {
            self.turns.push(turn);
            if self.turns.len() > TURNS {
                self.turns.remove(1);
            }
        }
    }

    fn remember(&mut self, content: u64) {
        self.past.retain(|&past| past != content);
        push(&mut self.past, content, CONTENTS);
    }
}

/// Appends, and lets the oldest go.
pub(super) fn push<T>(to: &mut VecDeque<T>, value: T, most: usize) {
    to.push_back(value);
    while to.len() > most {
        to.pop_front();
    }
}
