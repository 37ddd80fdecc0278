//! The tracker: steps in, spirals out.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::calls::{Call, Calls};
use super::file::{Attempt, Block, File, push};
use super::normalise::hash;
use super::{Limits, Outcome, Rule, Spiral, Step, Tool};

/// So much is remembered of files, turns, failing commands and failures.
const FILES: usize = 16;
const TURNS: usize = 16;
const FAILING: usize = 16;
const ERRORS: usize = 16;
/// The longest path and turn id, in bytes.
const LONGEST_PATH: usize = 200;
const LONGEST_TURN: usize = 64;

/// What is remembered of a session. Its size is bounded.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct Tracker {
    steps: u64,
    /// The number of the turn.
    turn: u32,
    /// The newest turns.
    turns: VecDeque<(u32, String)>,
    calls: Calls,
    files: Vec<File>,
    /// Commands that failed and have not passed since.
    failing: VecDeque<u64>,
    /// The newest failures.
    errors: VecDeque<u64>,
    /// Why no file may be edited.
    halt: Option<Block>,
}

impl Tracker {
    /// After a tool ran: records the step. Some when it has just become a spiral.
    pub fn observe(&mut self, step: &Step<'_>) -> Option<Spiral> {
        self.observe_within(step, &Limits::BUILT_IN)
    }

    /// [`Tracker::observe`] with other limits.
    pub fn observe_within(&mut self, step: &Step<'_>, limits: &Limits) -> Option<Spiral> {
        self.new_turn(step.turn);
        self.steps = self.steps.saturating_add(1);
        let circling = self.circling(step, limits);
        let spiral = match step.path {
            Some(path) => self.edited(path, step, limits),
            None => self.judged(step, limits),
        };
        spiral.or(circling)
    }

    /// Asked before an edit, with what the file would become if that is known. Some: the edit must be denied.
    pub fn before_edit(&mut self, path: &str, would_become: Option<u64>) -> Option<Spiral> {
        self.before_edit_within(path, would_become, &Limits::BUILT_IN)
    }

    /// [`Tracker::before_edit`] with other limits.
    pub fn before_edit_within(
        &mut self,
        path: &str,
        would_become: Option<u64>,
        limits: &Limits,
    ) -> Option<Spiral> {
        if let Some(halt) = &self.halt {
            return Some(self.spiral(halt, None));
        }
        let at = self.find(path)?;
        let (turn, file) = (self.turn, &mut self.files[at]);
        if file.allowed {
            return None;
        }
        if would_become.is_some_and(|content| file.goes_back_too_often(content, turn, limits)) {
            file.hold(Rule::ContentGoesBack, limits.returns);
        }
        let file = &self.files[at];
        file.block.as_ref().map(|block| self.spiral(block, Some(file)))
    }

    /// What a file holds before an edit, as it was found: the A of A → B → A. Also tells of changes by others.
    pub fn found(&mut self, path: &str, content: u64) {
        let at = self.find_or_add(path);
        self.files[at].found(content);
    }

    /// Everything that is held back at the moment.
    pub fn blocked(&self) -> Vec<Spiral> {
        let files = self.files.iter().filter_map(|file| Some(self.spiral(file.block.as_ref()?, Some(file))));
        self.halt.iter().map(|halt| self.spiral(halt, None)).chain(files).collect()
    }

    /// The person lets the agent go on: one more attempt at one file, or (without a path) everything from the start.
    pub fn resume(&mut self, path: Option<&str>) {
        self.halt = None;
        self.calls.forget();
        match path {
            Some(path) => {
                if let Some(at) = self.find(path) {
                    self.files[at].allow_once(&Limits::BUILT_IN);
                }
            }
            None => {
                self.files.clear();
                self.errors.clear();
                self.failing.clear();
            }
        }
    }

    /// A prompt. What repeats within one turn is forgotten; what goes on over turns is not. A turn that is known is only taken
    /// up again: agents that work side by side take turns.
    pub fn new_turn(&mut self, turn: &str) {
        let turn = cut(turn, LONGEST_TURN);
        if let Some((number, _)) = self.turns.iter().rev().find(|(_, id)| *id == turn) {
            self.turn = *number;
            return;
        }
        self.turn = self.turns.back().map_or(0, |(number, _)| *number).saturating_add(1);
        push(&mut self.turns, (self.turn, turn), TURNS);
        self.halt = None;
        self.calls.forget();
        for file in self.files.iter_mut().filter(|file| file.open) {
            file.allowed = false;
        }
    }

    /// Calls that repeat, or that all fail.
    fn circling(&mut self, step: &Step<'_>, limits: &Limits) -> Option<Spiral> {
        let what = step.signature ^ step.path.map_or(0, |path| hash(path.as_bytes()));
        let answer = step.outcome.error().or(step.result).or(step.content);
        let call = Call { what, answer, wrote: step.path.is_some() };
        let failed = step.outcome.error().is_some();
        // Something else, and it worked: the circle is left.
        if !failed && step.path.is_none() && !self.calls.has(&call) {
            self.halt = None;
        }
        let repeat = self.calls.repeat(call, limits);
        let failures = if step.outcome == Outcome::Unknown { 0 } else { self.calls.ended(failed) };
        let (rule, times) = if repeat {
            (Rule::CallsRepeat, limits.repeats)
        } else if failures >= limits.failures {
            (Rule::FailuresInARow, failures)
        } else {
            return None;
        };
        if self.halt.is_some() {
            return None;
        }
        let halt = Block { rule, times, turns: vec![self.turn] };
        let spiral = self.spiral(&halt, None);
        self.halt = Some(halt);
        Some(spiral)
    }

    fn edited(&mut self, path: &str, step: &Step<'_>, limits: &Limits) -> Option<Spiral> {
        let at = self.find_or_add(path);
        let (steps, turn, file) = (self.steps, self.turn, &mut self.files[at]);
        file.touched = steps;
        let held = match step.outcome {
            Outcome::Failed { .. } => file.edit_failed(steps, turn, limits),
            Outcome::Ok | Outcome::Unknown => file.edited(step.content, turn, limits),
        };
        let file = &self.files[at];
        file.block.as_ref().filter(|_| held).map(|block| self.spiral(block, Some(file)))
    }

    /// A command that is no edit: does it say anything about the edits before it?
    fn judged(&mut self, step: &Step<'_>, limits: &Limits) -> Option<Spiral> {
        let command = step.check.unwrap_or(step.signature);
        match step.outcome {
            // What may write and fails was run to see what happens; a search that finds nothing was not.
            Outcome::Failed { error }
                if step.check.is_some() || (step.tool == Tool::Shell && step.writes) =>
            {
                self.failed(command, error, limits)
            }
            Outcome::Ok => {
                self.passed(command, step.check.is_some());
                None
            }
            Outcome::Failed { .. } | Outcome::Unknown => None,
        }
    }

    /// The end of an attempt for every file that was edited since the last one.
    fn failed(&mut self, command: u64, error: u64, limits: &Limits) -> Option<Spiral> {
        let same = self.errors.contains(&error);
        self.errors.retain(|&seen| seen != error);
        push(&mut self.errors, error, ERRORS);
        self.failing.retain(|&seen| seen != command);
        push(&mut self.failing, command, FAILING);
        let attempt = Attempt { error, same, turn: self.turn };
        let mut newest: Option<usize> = None;
        for at in 0..self.files.len() {
            let file = &mut self.files[at];
            if file.open
                && file.attempt_failed(attempt, limits)
                && newest.is_none_or(|other| self.files[other].touched <= self.files[at].touched)
            {
                newest = Some(at);
            }
        }
        let file = &self.files[newest?];
        file.block.as_ref().map(|block| self.spiral(block, Some(file)))
    }

    /// A command that failed passes now, with something new in a file: going back and forth led somewhere. If it is a check,
    /// that is real progress.
    fn passed(&mut self, command: u64, check: bool) {
        if !self.failing.contains(&command) {
            return;
        }
        self.failing.retain(|&seen| seen != command);
        if !self.files.iter().any(File::is_new) {
            return;
        }
        if !check {
            self.files.iter_mut().for_each(File::led_somewhere);
            return;
        }
        self.halt = None;
        self.files.iter_mut().filter(|file| file.is_new() || file.block.is_some()).for_each(File::progress);
    }

    fn spiral(&self, block: &Block, file: Option<&File>) -> Spiral {
        let named =
            |number: &u32| self.turns.iter().find(|(turn, _)| turn == number).map(|(_, id)| id.clone());
        Spiral {
            rule: block.rule,
            path: file.map(|file| file.path.clone()),
            turns: block.turns.iter().filter_map(named).collect(),
            times: block.times,
        }
    }

    fn find(&self, path: &str) -> Option<usize> {
        let key = hash(path.as_bytes());
        self.files.iter().position(|file| file.key == key || file.path == path)
    }

    fn find_or_add(&mut self, path: &str) -> usize {
        if let Some(at) = self.find(path) {
            return at;
        }
        while self.files.len() >= FILES {
            let oldest =
                self.files.iter().enumerate().min_by_key(|(_, file)| (file.block.is_some(), file.touched));
            let Some((at, _)) = oldest else { break };
            self.files.swap_remove(at);
        }
        self.files.push(File::new(hash(path.as_bytes()), cut(path, LONGEST_PATH), self.steps));
        self.files.len() - 1
    }
}

/// The text without control characters (they would make the stored state longer than it looks), cut to so many bytes.
fn cut(text: &str, most: usize) -> String {
    let mut short = String::with_capacity(text.len().min(most));
    for character in text.chars().map(|c| if c.is_control() { '?' } else { c }) {
        if short.len() + character.len_utf8() > most {
            break;
        }
        short.push(character);
    }
    short
}
