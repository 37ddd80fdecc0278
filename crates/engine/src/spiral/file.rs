//! What is remembered of one file.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::step::{Content, Syntax};
use super::{Limits, Rule};

/// So many turns of a file are remembered: the first, and the newest.
const TURNS: usize = 8;
/// So many failed edits are remembered.
const FAILED: usize = 8;
/// So many states of a file, one for each turn.
const STATES: usize = 8;

/// A change of size that may be a swing: so many bytes, and so many of a hundred of the larger size.
const SWING_BYTES: u64 = 150;
const SWING_SHARE: u64 = 30;
/// A swing takes back so many of a hundred of the one before.
const SWING_BACK: u64 = 60;

/// Why a file is held back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Block {
    pub rule: Rule,
    pub times: u32,
    /// Numbers of turns.
    pub turns: Vec<u32>,
}

/// One file, since the last check that passed.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct File {
    /// Hash of the whole path: what it is found by.
    pub key: u64,
    /// For people; very long ones are cut.
    pub path: String,
    /// When it was touched last, in steps.
    pub touched: u64,
    /// Edited since the last failure or prompt.
    pub open: bool,
    /// The person lets the agent try once more.
    pub allowed: bool,
    pub block: Option<Block>,
    now: Option<u64>,
    /// The agent was told that it is held back, so that the person may know.
    pub told: bool,
    failed_at: VecDeque<u64>,
    /// An edit was announced that does not fit to this content, and nobody has said how it ended.
    announced: Option<u64>,
    /// So many such edits were counted as failed because nobody said anything.
    assumed: u32,
    /// It could be read at some time, or did not exist, so that what is broken now was broken by the agent.
    was_whole: bool,
    /// Its content was seen at least once.
    seen: bool,
    broken_edits: u32,
    /// Turns in which every edit left it broken.
    broken_turns: Vec<u32>,
    /// How it was at the end of each turn that changed it, and before the first one (turn 0).
    states: VecDeque<(u32, Content)>,
    turns: Vec<u32>,
}

impl File {
    /// A file that is seen for the first time.
    pub fn new(key: u64, path: String, step: u64) -> Self {
        Self { key, path, touched: step, ..Self::default() }
    }

    /// What the file holds before an edit: commands and people change files too.
    pub fn found(&mut self, content: Content) {
        if self.states.is_empty() {
            self.states.push_back((0, content));
        }
        self.seen = true;
        self.was_whole |= content.syntax == Syntax::Whole;
        if self.now.is_some() && self.now != Some(content.hash) {
            self.somebody_else(content.syntax);
        }
        self.now = Some(content.hash);
    }

    /// A person, an undo or a command has changed it since: what was counted is no longer true. Only what is still broken is.
    fn somebody_else(&mut self, syntax: Syntax) {
        if matches!(syntax, Syntax::Broken | Syntax::Doubtful) && !self.broken_turns.is_empty() {
            return;
        }
        self.block = None;
        self.broken_edits = 0;
        self.broken_turns.clear();
        self.failed_at.clear();
    }

    /// The number of what it holds now, if that is known.
    pub fn holds(&self) -> Option<u64> {
        self.now
    }

    /// Whether an edit to this content would be one too many; then with the rule and how often.
    pub fn would_be_too_much(&self, after: Content, turn: u32, limits: &Limits) -> Option<(Rule, u32)> {
        let mut then = self.clone();
        then.applied(after, turn);
        let broken = then.broken_for_turns();
        if broken >= limits.broken_turns {
            return Some((Rule::StaysBroken, broken));
        }
        then.too_much(limits)
    }

    /// An edit that was applied; true if the file is held back from now on.
    pub fn edited(&mut self, after: Option<Content>, turn: u32, limits: &Limits) -> bool {
        self.mark(turn);
        self.announced = None;
        let Some(after) = after else {
            self.now = None;
            self.open = true;
            return false;
        };
        if self.now == Some(after.hash) {
            return false;
        }
        self.open = true;
        self.applied(after, turn);
        self.too_much(limits).is_some_and(|(rule, times)| self.hold(rule, times))
    }

    /// A turn has ended; true if the file is held back from now on. What one turn breaks on the way, it may still mend.
    pub fn turn_over(&mut self, limits: &Limits) -> bool {
        let broken = self.broken_for_turns();
        broken >= limits.broken_turns && self.hold(Rule::StaysBroken, broken)
    }

    /// Something about it is not as it should be, so that the next edit matters.
    pub fn is_doubtful(&self) -> bool {
        self.block.is_some() || self.broken_edits > 0 || self.states.len() > 2
    }

    /// It was changed in this turn, and nobody could tell whether it can be read.
    pub fn is_unread(&self, turn: u32) -> bool {
        self.states.back().is_some_and(|(last, state)| *last == turn && state.syntax == Syntax::Unknown)
    }

    /// At the end of a turn: what it holds.
    pub fn settle(&mut self, content: Content, turn: u32) {
        if self.now == Some(content.hash) && self.is_unread(turn) {
            self.applied(content, turn);
        }
    }

    fn applied(&mut self, after: Content, turn: u32) {
        // A new file, in a language that the grammar reads as a whole: what is broken there, the agent broke.
        let is_new = !std::mem::replace(&mut self.seen, true);
        self.was_whole |= is_new && after.syntax != Syntax::Doubtful;
        self.now = Some(after.hash);
        match after.syntax {
            Syntax::Whole => {
                self.was_whole = true;
                self.broken_edits = 0;
                self.broken_turns.clear();
                if self.is_held_as_broken() {
                    self.block = None;
                }
            }
            Syntax::Broken | Syntax::Doubtful if self.was_whole => self.broke(turn),
            Syntax::Broken | Syntax::Doubtful | Syntax::Unknown => {}
        }
        match self.states.back_mut() {
            Some((last, state)) if *last == turn => *state = after,
            _ => push(&mut self.states, (turn, after), STATES),
        }
    }

    /// It is held back because it stays broken: an edit that mends it is what everybody wants.
    pub fn is_held_as_broken(&self) -> bool {
        self.block.as_ref().is_some_and(|block| block.rule == Rule::StaysBroken)
    }

    fn broke(&mut self, turn: u32) {
        self.broken_edits = self.broken_edits.saturating_add(1);
        if !self.broken_turns.contains(&turn) && self.broken_turns.len() < TURNS {
            self.broken_turns.push(turn);
        }
    }

    fn broken_for_turns(&self) -> u32 {
        u32::try_from(self.broken_turns.len()).unwrap_or(u32::MAX)
    }

    /// The rule that is broken by now, and how often.
    fn too_much(&self, limits: &Limits) -> Option<(Rule, u32)> {
        let swings = self.swings();
        let returns = self.returns();
        if self.broken_edits >= limits.broken_edits {
            Some((Rule::StaysBroken, self.broken_edits))
        } else if swings >= limits.swings {
            Some((Rule::SizeSwings, swings))
        } else if returns >= limits.swings {
            Some((Rule::SizeSwings, returns))
        } else {
            None
        }
    }

    /// How many turns in a row, up to now, took back most of what the turn before had added or removed.
    fn swings(&self) -> u32 {
        let sizes: Vec<u64> = self.states.iter().map(|(_, state)| state.size).collect();
        let jump = |at: usize| -> Option<(bool, u64)> {
            let (before, after) = (*sizes.get(at.checked_sub(1)?)?, *sizes.get(at)?);
            let by = before.abs_diff(after);
            let far =
                by >= SWING_BYTES && by.saturating_mul(100) >= before.max(after).saturating_mul(SWING_SHARE);
            far.then_some((after > before, by))
        };
        let is_code = self.states.iter().all(|(_, state)| state.syntax != Syntax::Unknown);
        let (mut count, mut later): (u32, Option<(bool, u64)>) = (0, None);
        for at in (1..sizes.len()).rev().take_while(|_| is_code) {
            let Some((up, by)) = jump(at) else { break };
            // The later one goes the other way and takes most of this one back.
            if later.is_some_and(|(later_up, later_by)| {
                later_up == up || later_by.saturating_mul(100) < by.saturating_mul(SWING_BACK)
            }) {
                break;
            }
            count += 1;
            later = Some((up, by));
        }
        count
    }

    /// How many turns in a row, up to now, ended exactly as the turn before the last one had.
    fn returns(&self) -> u32 {
        let states: Vec<u64> = self.states.iter().map(|(_, state)| state.hash).collect();
        let back = |at: &usize| states[*at] == states[*at - 2] && states[*at] != states[*at - 1];
        let count = (2..states.len()).rev().take_while(back).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// An edit is about to be made, which fits to what the file holds or misses it. Some clients say nothing after an edit that
    /// did not apply: if the one before missed, and the file is as it was, it has failed.
    pub fn announced(&mut self, misses: bool, step: u64, turn: u32, limits: &Limits) -> bool {
        let before = self.announced.take();
        if misses {
            self.announced = self.now;
        }
        if before.is_none() || before != self.now {
            return false;
        }
        self.assumed = self.assumed.saturating_add(1);
        self.count_failure(step, turn, limits)
    }

    /// An edit that was not applied; true if the file is held back from now on.
    pub fn edit_failed(&mut self, step: u64, turn: u32, limits: &Limits) -> bool {
        self.announced = None;
        // Calls that were made at once are announced together and reported later.
        if self.assumed > 0 {
            self.assumed -= 1;
            return false;
        }
        self.count_failure(step, turn, limits)
    }

    fn count_failure(&mut self, step: u64, turn: u32, limits: &Limits) -> bool {
        self.mark(turn);
        push(&mut self.failed_at, step, FAILED);
        let within = u64::from(limits.failed_edits_within);
        self.failed_at.retain(|&at| step.saturating_sub(at) < within);
        let times = u32::try_from(self.failed_at.len()).unwrap_or(u32::MAX);
        times >= limits.failed_edits && self.hold(Rule::EditsFail, times)
    }

    /// The agent looked at it, so it knows again what is in there.
    pub fn was_read(&mut self) {
        self.failed_at.clear();
        self.announced = None;
        self.assumed = 0;
        if self.block.as_ref().is_some_and(|block| block.rule == Rule::EditsFail) {
            self.block = None;
        }
    }

    /// A check passed: what was counted is forgotten, and what the file is now is the new beginning.
    pub fn progress(&mut self) {
        let (key, path, touched) = (self.key, std::mem::take(&mut self.path), self.touched);
        let last = self.states.back().map(|(_, state)| *state);
        *self = Self {
            key,
            path,
            touched,
            now: self.now,
            was_whole: self.was_whole,
            seen: self.seen,
            ..Self::default()
        };
        if let Some(state) = last {
            self.states.push_back((0, state));
        }
    }

    /// The person lets the agent try once more: until the next prompt, the file is not held back.
    pub fn allow_once(&mut self) {
        let limits = &Limits::BUILT_IN;
        self.block = None;
        self.told = false;
        self.allowed = true;
        self.failed_at.clear();
        self.broken_edits = 0;
        let keep = usize::try_from(limits.broken_turns.saturating_sub(1)).unwrap_or(TURNS);
        let extra = self.broken_turns.len().saturating_sub(keep);
        self.broken_turns.drain(..extra);
        let extra = self.states.len().saturating_sub(keep + 1);
        self.states.drain(..extra);
    }

    /// Holds the file back; true if it was not held back yet.
    pub fn hold(&mut self, rule: Rule, times: u32) -> bool {
        let turns = self.turns.clone();
        self.hold_for(rule, times, turns)
    }

    /// The same, for reasons that are not the file's own.
    pub fn hold_for(&mut self, rule: Rule, times: u32, turns: Vec<u32>) -> bool {
        if self.block.is_some() || self.allowed {
            return false;
        }
        self.block = Some(Block { rule, times, turns });
        true
    }

    fn mark(&mut self, turn: u32) {
        if !self.turns.contains(&turn) {
            self.turns.push(turn);
            if self.turns.len() > TURNS {
                self.turns.remove(1);
            }
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
