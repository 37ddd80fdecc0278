//! What is remembered of one file.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::places::Places;
use super::step::{Content, Sample, Syntax, are_kept};
use super::{Limits, Rule};

/// So many turns of a file are remembered: the first, and the newest.
const TURNS: usize = 8;
/// So many failed edits are remembered.
const FAILED: usize = 5;
/// So many states of a file, one for each turn.
const STATES: usize = 5;

/// A change of size that may be a swing: so many lines, and so many of a hundred of the larger size.
const SWING_LINES: u32 = 20;
const SWING_SHARE: u64 = 40;
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
    /// So often it was edited.
    pub times: u32,
    /// Where.
    #[serde(skip_serializing_if = "Places::is_empty")]
    pub places: Places,
    /// A command changed it last.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_command: bool,
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
    /// Turns in which every edit left it broken, and no better than it was.
    broken_turns: Vec<u32>,
    /// How broken it is now; zero: it is whole, or nobody knows.
    #[serde(rename = "d", skip_serializing_if = "is_zero")]
    damage: u32,
    /// It is only open at its end: a sample of its lines.
    #[serde(rename = "o", skip_serializing_if = "Option::is_none")]
    open_end: Option<Sample>,
    /// How broken it was before the turn that broke it last.
    #[serde(rename = "w", skip_serializing_if = "Option::is_none")]
    before_turn: Option<(u32, u32)>,
    /// The least damage since it was whole; zero: it was not broken since.
    #[serde(rename = "b", skip_serializing_if = "is_zero")]
    best: u32,
    /// Small places that the grammar did not understand when it was last seen in balance, and the turn of that.
    odd: Option<(u64, u32)>,
    /// Turns in which such places were others than before: whoever knows what they are doing writes them once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    odd_turns: Vec<u32>,
    /// Turns in which the person said what they want.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asked: Vec<u32>,
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
            self.states.push_back((0, as_state(content)));
        }
        if content.faults != 0 && self.odd.is_none() {
            self.odd = Some((content.faults, 0));
        }
        self.seen = true;
        self.was_whole |= is_in_order(content);
        if self.now.is_some() && self.now != Some(content.hash) {
            self.somebody_else(content);
        }
        self.now = Some(content.hash);
        self.hold_content(content);
        if self.best == 0 {
            self.best = content.damage;
        }
    }

    fn hold_content(&mut self, content: Content) {
        self.damage = content.damage;
        self.open_end = content.open;
    }

    /// It is broken, but less than ever since it was whole, or it is being written from its beginning to its end: what was there
    /// stays, and only what closes it is missing.
    fn gets_better(&self, after: Content) -> bool {
        let grows = || {
            let (_, before) = self.states.back()?;
            Some(after.size > before.size && are_kept(&self.open_end?, &after.open?))
        };
        after.damage > 0 && (after.damage < self.best || grows().unwrap_or(false))
    }

    /// An edit would leave it less broken than it is.
    pub fn would_get_better(&self, after: Content) -> bool {
        self.gets_better(after)
    }

    /// An edit left it broken. True if that is no attempt that led nowhere.
    fn has_got_better(&mut self, after: Content, turn: u32) -> bool {
        let before = self.damage;
        let better = self.gets_better(after);
        if after.damage > 0 && (self.best == 0 || after.damage < self.best) {
            self.best = after.damage;
        }
        if better {
            self.broken_edits = 0;
            self.broken_turns.clear();
            self.odd_turns.clear();
            self.release_broken();
        }
        // Better than before this request, though it was better still at some time: not counted, and nothing is forgotten.
        let before_turn = match self.before_turn {
            Some((known, damage)) if known == turn => damage,
            _ => self.before_turn.insert((turn, before)).1,
        };
        let better_than_before = after.damage > 0 && after.damage < before_turn;
        if better_than_before {
            self.broken_turns.retain(|broken| *broken != turn);
            self.odd_turns.retain(|odd| *odd != turn);
        }
        better || better_than_before
    }

    /// A person, an undo or a command has changed it since: what was counted is no longer true. Only what is still broken is.
    fn somebody_else(&mut self, content: Content) {
        let is_broken = matches!(content.syntax, Syntax::Broken | Syntax::Doubtful) && content.faults == 0;
        if is_broken && self.broken_for_turns() > 0 {
            return;
        }
        self.block = None;
        self.is_mended();
        self.failed_at.clear();
    }

    /// The number of what it holds now, if that is known.
    pub fn holds(&self) -> Option<u64> {
        self.now
    }

    /// How many lines it had when it was last seen.
    pub fn lines(&self) -> Option<u32> {
        self.states.back().map(|(_, state)| state.lines)
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
        self.places.edited();
        let Some(after) = after else {
            self.now = None;
            self.open = true;
            self.times = self.times.saturating_add(1);
            return false;
        };
        if self.now == Some(after.hash) {
            return false;
        }
        self.open = true;
        self.times = self.times.saturating_add(1);
        self.applied(after, turn);
        self.too_much(limits).is_some_and(|(rule, times)| self.hold(rule, times))
    }

    /// It held this before.
    pub fn has_held(&self, content: Content) -> bool {
        self.states.iter().any(|(_, state)| state.hash == content.hash)
    }

    /// A turn has ended; true if the file is held back from now on. What one turn breaks on the way, it may still mend.
    pub fn turn_over(&mut self, limits: &Limits) -> bool {
        let broken = self.broken_for_turns();
        broken >= limits.broken_turns && self.hold(Rule::StaysBroken, broken)
    }

    /// Something about it is not as it should be, so that the next edit matters.
    pub fn is_doubtful(&self) -> bool {
        self.block.is_some() || self.broken_edits > 0 || self.odd.is_some() || self.states.len() > 2
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
        self.was_whole |= (is_new && after.syntax != Syntax::Doubtful) || is_in_order(after);
        self.now = Some(after.hash);
        let is_damaged = matches!(after.syntax, Syntax::Broken | Syntax::Doubtful);
        let better = is_damaged && self.has_got_better(after, turn);
        self.hold_content(after);
        match after.syntax {
            Syntax::Whole => {
                self.was_whole = true;
                self.is_mended();
                self.release_broken();
            }
            Syntax::Broken | Syntax::Doubtful if after.faults != 0 => self.odd(after.faults, turn, better),
            Syntax::Broken | Syntax::Doubtful if self.was_whole && !better => self.broke(turn),
            Syntax::Broken | Syntax::Doubtful | Syntax::Unknown => {}
        }
        let after = as_state(after);
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
        add(&mut self.broken_turns, turn);
    }

    /// In balance, but for small places that the grammar does not understand. If those stay as they are whatever is edited, the
    /// grammar does not know what somebody wrote on purpose; if they are others each time, somebody does not know what to write.
    fn odd(&mut self, faults: u64, turn: u32, better: bool) {
        match self.odd.replace((faults, turn)) {
            _ if better => {}
            Some((before, since)) if before & faults != before && self.was_whole => {
                self.broken_edits = self.broken_edits.saturating_add(1);
                if since > 0 {
                    add(&mut self.odd_turns, since);
                }
                add(&mut self.odd_turns, turn);
            }
            Some(_) => {
                self.broken_edits = 0;
                self.broken_turns.clear();
                self.release_broken();
            }
            None => self.release_broken(),
        }
    }

    fn release_broken(&mut self) {
        if self.is_held_as_broken() {
            self.block = None;
        }
    }

    fn is_mended(&mut self) {
        self.broken_edits = 0;
        self.broken_turns.clear();
        self.odd_turns.clear();
        self.odd = None;
        self.best = 0;
        self.before_turn = None;
    }

    fn broken_for_turns(&self) -> u32 {
        let only_odd = self.odd_turns.iter().filter(|turn| !self.broken_turns.contains(turn)).count();
        u32::try_from(self.broken_turns.len() + only_odd).unwrap_or(u32::MAX)
    }

    /// The person said in this turn what they want.
    pub fn was_asked_for(&mut self, turn: u32) {
        add(&mut self.asked, turn);
        while self.asked.len() >= STATES {
            self.asked.remove(0);
        }
    }

    /// The rule that is broken by now, and how often.
    fn too_much(&self, limits: &Limits) -> Option<(Rule, u32)> {
        let swings = self.swings();
        if self.broken_edits >= limits.broken_edits {
            Some((Rule::StaysBroken, self.broken_edits))
        } else if swings >= limits.swings {
            Some((Rule::SizeSwings, swings))
        } else {
            None
        }
    }

    /// How many turns in a row, up to now, took back most of what the turn before had added or removed. Who goes back to exactly
    /// what was there, or does what the person asked for, does not swing; but what was asked for may be where it begins.
    fn swings(&self) -> u32 {
        let states: Vec<(u32, Content)> = self.states.iter().copied().collect();
        let jump = |at: usize| -> Option<(bool, u64, bool)> {
            let ((_, before), (turn, after)) = (*states.get(at.checked_sub(1)?)?, *states.get(at)?);
            let by = before.size.abs_diff(after.size);
            let far = before.lines.abs_diff(after.lines) >= SWING_LINES
                && by.saturating_mul(100) >= before.size.max(after.size).saturating_mul(SWING_SHARE);
            let known = states[..at].iter().any(|(_, earlier)| earlier.hash == after.hash);
            (far && !known).then_some((after.size > before.size, by, self.asked.contains(&turn)))
        };
        let is_code = states.iter().all(|(_, state)| state.syntax != Syntax::Unknown);
        let (mut count, mut later): (u32, Option<(bool, u64)>) = (0, None);
        for at in (1..states.len()).rev().take_while(|_| is_code) {
            let Some((up, by, was_asked_for)) = jump(at) else { break };
            if was_asked_for && count == 0 {
                break;
            }
            // The later one goes the other way and takes most of this one back.
            if later.is_some_and(|(later_up, later_by)| {
                later_up == up || later_by.saturating_mul(100) < by.saturating_mul(SWING_BACK)
            }) {
                break;
            }
            count += 1;
            later = Some((up, by));
            if was_asked_for {
                break;
            }
        }
        count
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
            damage: self.damage,
            open_end: self.open_end,
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
        for turns in [&mut self.broken_turns, &mut self.odd_turns] {
            let extra = turns.len().saturating_sub(keep);
            turns.drain(..extra);
        }
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

/// What is remembered of a state.
fn as_state(content: Content) -> Content {
    Content { faults: 0, damage: 0, open: None, ..content }
}

/// Nobody knows of anything wrong with it: the grammar of its language reads it, but for places that it may not know.
fn is_in_order(content: Content) -> bool {
    content.syntax == Syntax::Whole || (content.syntax == Syntax::Broken && content.faults != 0)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn add(turns: &mut Vec<u32>, turn: u32) {
    if !turns.contains(&turn) && turns.len() < TURNS {
        turns.push(turn);
    }
}

/// Appends, and lets the oldest go.
pub(super) fn push<T>(to: &mut VecDeque<T>, value: T, most: usize) {
    to.push_back(value);
    while to.len() > most {
        to.pop_front();
    }
}
