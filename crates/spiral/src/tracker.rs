//! The tracker: steps in, spirals out.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::blame::{Place, is_about, is_same_file, named_places};
use super::calls::{Call, Calls};
use super::failures::{Came, Failures};
use super::file::{Block, File, push};
use super::normalise::hash;
use super::places::Sketch;
use super::step::Content;
use super::wishes::{are_mostly_in, wishes};
use super::{Limits, Outcome, Rule, Spiral, Step, Tool};

/// So much is remembered of files and turns.
const FILES: usize = 16;
const TURNS: usize = 16;
/// The longest path, turn id, request and call, in bytes.
const LONGEST_PATH: usize = 144;
const LONGEST_TURN: usize = 64;
const LONGEST_REQUEST: usize = 74;
const LONGEST_CALL: usize = 120;
/// Who lets so many milliseconds pass before the next call waits for something.
const PAUSE: i64 = 30_000;

/// A turn, as it is called to its face.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Turn {
    number: u32,
    id: String,
    /// What the person asked for, shortened.
    request: String,
    /// The words in which they say what they want; none: only that it should work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    wishes: Vec<String>,
    /// They say the same as in the turn before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    again: bool,
}

impl Turn {
    /// The words in which something new is asked for.
    fn wants(&self) -> &[String] {
        if self.again { &[] } else { &self.wishes }
    }
}

/// A call that was denied because it leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Denied {
    call: String,
    times: u32,
    turn: u32,
}

/// A command that fails in the same way whatever is changed, where nobody knows which file it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stuck {
    signature: u64,
    call: String,
    block: Block,
}

/// What is remembered of a session. Its size is bounded.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct Tracker {
    steps: u64,
    /// The number of the turn.
    turn: u32,
    /// The newest turns.
    requests: VecDeque<Turn>,
    circle: Calls,
    edited: Vec<File>,
    failures: Failures,
    denied: Option<Denied>,
    stuck: Option<Stuck>,
    /// When the last call ended, in milliseconds.
    heard: i64,
    /// A file that a command writes, as it was before.
    #[serde(skip_serializing_if = "Option::is_none")]
    typing: Option<(u64, Sketch)>,
}

impl Tracker {
    /// After a tool ran: records the step. Some when it has just become a spiral.
    pub fn observe(&mut self, step: &Step<'_>) -> Option<Spiral> {
        self.observe_within(step, &Limits::BUILT_IN)
    }

    /// [`Tracker::observe`] with other limits.
    pub fn observe_within(&mut self, step: &Step<'_>, limits: &Limits) -> Option<Spiral> {
        self.take_up(step.turn);
        self.steps = self.steps.saturating_add(1);
        self.heard = self.heard.max(step.at);
        self.circle.background |= step.unfinished;
        let spiral = match step.path {
            Some(path) => self.edited_file(path, step, limits),
            None => self.judged(step, limits),
        };
        let circling = self.circling(step, limits);
        spiral.or(circling)
    }

    /// Whether the agent has let so much time pass since its last call that it waits for something. Then tell [`Tracker::waited`].
    pub fn is_pause(&self, now: i64) -> bool {
        self.heard > 0 && now.saturating_sub(self.heard) >= PAUSE
    }

    /// The agent has waited: what it asks now is a new question.
    pub fn waited(&mut self) {
        self.circle.forget();
        self.denied = None;
    }

    /// Asked before any call. Some: this very call must be denied, because it was made again and again and always got the
    /// same answer.
    pub fn before_call(&mut self, signature: u64, call: &str) -> Option<Spiral> {
        self.before_call_within(signature, call, &Limits::BUILT_IN)
    }

    /// [`Tracker::before_call`] with other limits.
    pub fn before_call_within(&mut self, signature: u64, call: &str, limits: &Limits) -> Option<Spiral> {
        if let Some(stuck) = self.stuck.as_mut().filter(|stuck| stuck.signature == signature) {
            stuck.call = cut(call, LONGEST_CALL);
            return self.stuck.as_ref().map(|stuck| self.stuck_spiral(stuck));
        }
        let times = self.circle.would_repeat(signature, limits)?;
        let denied = Denied { call: cut(call, LONGEST_CALL), times, turn: self.turn };
        let spiral = self.repeating(&denied);
        self.denied = Some(denied);
        Some(spiral)
    }

    /// Asked before an edit, with what the file would become if that is known. Some: the edit must be denied.
    pub fn before_edit(&mut self, path: &str, would_become: Option<Content>) -> Option<Spiral> {
        self.before_edit_within(path, would_become, &Limits::BUILT_IN)
    }

    /// [`Tracker::before_edit`] with other limits.
    pub fn before_edit_within(
        &mut self,
        path: &str,
        would_become: Option<Content>,
        limits: &Limits,
    ) -> Option<Spiral> {
        let at = self.find(path)?;
        self.mark_asked(at);
        let (turn, file) = (self.turn, &mut self.edited[at]);
        if file.allowed {
            return None;
        }
        let mends = |after: Content| {
            (after.is_balanced() || file.would_get_better(after))
                && file.would_be_too_much(after, turn, limits).is_none()
        };
        if file.is_held_as_broken() && would_become.is_some_and(mends) {
            return None;
        }
        if let Some((rule, times)) =
            would_become.and_then(|after| file.would_be_too_much(after, turn, limits))
        {
            file.hold(rule, times);
        }
        file.told |= file.block.is_some();
        let file = &self.edited[at];
        file.block.as_ref().map(|block| self.spiral(block, Some(file)))
    }

    /// The same for a command that writes the file. That edits of it do not apply says nothing against writing it anew.
    pub fn before_command_writes(&mut self, path: &str, would_become: Option<Content>) -> Option<Spiral> {
        let file = self.find(path).map(|at| &self.edited[at])?;
        if file.block.as_ref().is_some_and(|block| block.rule == Rule::EditsFail) {
            return None;
        }
        self.before_edit(path, would_become)
    }

    /// Whether it matters what an edit of this file would lead to: most of the time nobody needs to compute it.
    pub fn is_doubtful(&self, path: &str) -> bool {
        self.find(path).is_some_and(|at| self.edited[at].is_doubtful())
    }

    /// Whether the file is known with this content, so that nobody needs to look at it again.
    pub fn knows(&self, path: &str, hash: u64) -> bool {
        self.find(path).is_some_and(|at| self.edited[at].holds() == Some(hash))
    }

    /// Files of this turn that were too long to be read between two steps; at its end there is time.
    pub fn unread(&self) -> Vec<String> {
        let turn = self.turn;
        self.edited.iter().filter(|file| file.is_unread(turn)).map(|file| file.path.clone()).collect()
    }

    /// What such a file holds.
    pub fn settle(&mut self, path: &str, content: Content) {
        let turn = self.turn;
        if let Some(at) = self.find(path) {
            self.edited[at].settle(content, turn);
        }
    }

    /// What a file holds before an edit, as it was found. Also tells of changes by others.
    pub fn found(&mut self, path: &str, content: Content) {
        let at = self.find_or_add(path);
        self.edited[at].found(content);
    }

    /// An edit of a file that is known is about to be made; it fits to what the file holds, or misses it.
    pub fn announced(&mut self, path: &str, misses: bool) {
        if let Some(at) = self.find(path) {
            self.edited[at].announced(misses, self.steps, self.turn, &Limits::BUILT_IN);
        }
    }

    /// An edit that is about to be made will change these lines.
    pub fn announced_place(&mut self, path: &str, lines: (u32, u32)) {
        let at = self.find_or_add(path);
        self.edited[at].places.announced(lines);
    }

    /// A command is about to write this file, and nobody knows what: how it was.
    pub fn announced_sketch(&mut self, path: &str, sketch: Sketch) {
        self.typing = Some((hash(path.as_bytes()), sketch));
    }

    /// What the file holds after such a command.
    pub fn typed(&mut self, path: &str, after: &[u8]) {
        let Some((_, sketch)) = self.typing.take_if(|(key, _)| *key == hash(path.as_bytes())) else { return };
        if let Some(lines) = sketch.changed_lines(after) {
            self.announced_place(path, lines);
        }
    }

    /// Somebody looked at the whole project: something in it has changed since the last look, or nothing. What has changed
    /// when a person speaks, or between two steps, is no step's doing, and says nothing about the agent's attempts.
    pub fn looked(&mut self, changed: bool, by_a_step: bool) {
        if changed && by_a_step {
            self.files_changed(false);
        } else if changed {
            self.circle.files_changed();
            self.denied = None;
        } else {
            self.circle.nothing_changed();
        }
    }

    /// Everything that is held back at the moment.
    pub fn blocked(&self) -> Vec<Spiral> {
        let files = self.edited.iter().filter_map(|file| Some(self.spiral(file.block.as_ref()?, Some(file))));
        let stuck = self.stuck.iter().map(|stuck| self.stuck_spiral(stuck));
        self.denied.iter().map(|denied| self.repeating(denied)).chain(stuck).chain(files).collect()
    }

    /// The person lets the agent go on: one more attempt at one file, or (without a path) everything from the start.
    pub fn resume(&mut self, path: Option<&str>) {
        self.circle.forget();
        self.denied = None;
        self.stuck = None;
        match path {
            Some(path) => {
                self.failures.allow_once();
                if let Some(at) = self.find(path) {
                    self.edited[at].allow_once();
                }
            }
            None => {
                self.edited.clear();
                self.failures.forget();
            }
        }
    }

    /// A prompt, with its words. What repeats within one turn is forgotten; what goes on over turns is not. A turn that is known
    /// is only taken up again: agents that work side by side take turns.
    pub fn new_turn(&mut self, turn: &str, request: &str) {
        if !self.take_up(turn) {
            return;
        }
        self.circle.background = false;
        if let Some(newest) = self.requests.back_mut() {
            newest.request = cut(request.trim(), LONGEST_REQUEST);
            newest.wishes = wishes(request);
        }
        let again = match self.requests.make_contiguous() {
            [.., before, newest] => before.wishes == newest.wishes,
            _ => false,
        };
        if let Some(newest) = self.requests.back_mut() {
            newest.again = again;
        }
    }

    /// The conversation was shortened: what was read before has to be read again.
    pub fn forgot(&mut self) {
        self.circle.forget();
        self.denied = None;
    }

    /// The turn of a step; true if it is a new one.
    fn take_up(&mut self, turn: &str) -> bool {
        let turn = cut(turn, LONGEST_TURN);
        if let Some(known) = self.requests.iter().rev().find(|known| known.id == turn) {
            self.turn = known.number;
            return false;
        }
        self.turn = self.requests.back().map_or(0, |newest| newest.number).saturating_add(1);
        push(
            &mut self.requests,
            Turn { number: self.turn, id: turn, request: String::new(), wishes: Vec::new(), again: false },
            TURNS,
        );
        self.forgot();
        let mut told = self.stuck.as_ref().is_some_and(|stuck| !stuck.call.is_empty());
        if told {
            self.stuck = None;
        }
        for file in &mut self.edited {
            // The person was told, and speaks: one more attempt.
            if file.told {
                told = true;
                file.allow_once();
                continue;
            }
            if file.open {
                file.allowed = false;
            }
            file.turn_over(&Limits::BUILT_IN);
        }
        if told {
            self.failures.allow_once();
        }
        true
    }

    /// Calls that go round in a circle.
    fn circling(&mut self, step: &Step<'_>, limits: &Limits) -> Option<Spiral> {
        // A file that a call changed is no call of its own, and who waits has to ask again.
        if step.path.is_some() {
            return None;
        }
        let answer = step.outcome.error().or(step.result).filter(|_| !step.waits);
        let command = step.tool == Tool::Shell;
        // Some clients do not tell how a command ended; what it printed does.
        let complains = ["rror", "RROR", "ailed", "FAIL"].iter().any(|word| step.output.contains(word));
        let act = command && step.writes && step.outcome.error().is_none() && !complains;
        let call = Call { what: step.signature, answer, changes: 0, doubts: 0, command, act };
        let writes = step.writes && step.tool != Tool::Edit;
        if !self.circle.made(call, writes, limits) {
            self.denied = None;
            return None;
        }
        let times = self.circle.walked(limits).unwrap_or(limits.repeats);
        Some(self.repeating(&Denied { call: String::new(), times, turn: self.turn }))
    }

    fn edited_file(&mut self, path: &str, step: &Step<'_>, limits: &Limits) -> Option<Spiral> {
        let at = self.find_or_add(path);
        self.mark_asked(at);
        let (steps, turn, file) = (self.steps, self.turn, &mut self.edited[at]);
        let (before, lines) = (file.holds(), file.lines());
        let by_command = step.tool != Tool::Edit;
        // `git checkout -- FILE` takes an attempt back and is none.
        let goes_back = step.put_back || by_command && step.after.is_some_and(|after| file.has_held(after));
        let (was_open, places) = (file.open, file.places.clone());
        file.touched = steps;
        file.by_command = by_command;
        let held = match step.outcome {
            Outcome::Failed { .. } => file.edit_failed(steps, turn, limits),
            Outcome::Ok | Outcome::Unknown => file.edited(step.after, turn, limits),
        };
        let changed = step.outcome.error().is_none() && (step.after.is_none() || before != file.holds());
        if changed {
            let grew = step.after.zip(lines).is_some_and(|(after, lines)| after.lines > lines);
            if goes_back {
                self.edited[at].open = was_open;
                self.edited[at].places = places;
                self.circle.files_changed();
                self.denied = None;
            } else {
                self.files_changed(grew);
            }
        }
        let file = &self.edited[at];
        file.block.as_ref().filter(|_| held).map(|block| self.spiral(block, Some(file)))
    }

    fn mark_asked(&mut self, at: usize) {
        let turn = self.turn;
        if self.requests.iter().any(|request| request.number == turn && !request.wants().is_empty()) {
            self.edited[at].was_asked_for(turn);
        }
    }

    fn files_changed(&mut self, grew: bool) {
        self.circle.files_changed();
        self.failures.files_changed(grew);
        self.denied = None;
    }

    /// A call that is no edit: does it say anything about the edits before it?
    fn judged(&mut self, step: &Step<'_>, limits: &Limits) -> Option<Spiral> {
        match step.outcome {
            // Only a check judges the work: `git commit` without anything to commit does not.
            Outcome::Failed { error } if step.check.is_some() => self.failed(step, error, limits),
            Outcome::Ok if step.check.is_some() => {
                self.passed();
                None
            }
            _ => None,
        }
    }

    fn failed(&mut self, step: &Step<'_>, error: u64, limits: &Limits) -> Option<Spiral> {
        let mut changed: Vec<usize> = (0..self.edited.len()).filter(|&at| self.edited[at].open).collect();
        let named = named_places(step.output);
        if !changed.is_empty() && !named.is_empty() {
            changed.retain(|&at| self.is_about_edits_of(&named, at));
            if changed.is_empty() {
                // It is about other files or places than those that were edited, so it says nothing about the edits.
                return None;
            }
        }
        let goes_on = self.goes_on(error, step.output, &changed);
        // Every file has to be told that it was judged.
        let new_places = changed.iter().filter(|&&at| self.edited[at].places.judged()).count();
        let elsewhere = !changed.is_empty() && new_places == changed.len();
        let too_often = self.failures.failed(error, self.turn, Came { elsewhere, goes_on }, limits);
        changed.sort_by_key(|&at| std::cmp::Reverse(self.edited[at].touched));
        for file in &mut self.edited {
            file.open = false;
        }
        let too_often = too_often?;
        // Where a command writes, the edits cannot always be held back: then the check that asks the same again is.
        let is_attempt = |&at: &usize| self.edited[at].by_command && self.edited[at].times > 1;
        if changed.is_empty() || changed.iter().all(is_attempt) {
            let (times, turns) = (too_often.times, too_often.turns.clone());
            let block = Block { rule: Rule::SameFailureAgain, times, turns };
            self.stuck = Some(Stuck { signature: step.signature, call: String::new(), block });
        }
        if changed.is_empty() {
            return self.stuck.as_ref().map(|stuck| self.stuck_spiral(stuck));
        }
        let mut newest = None;
        // A file that was written once is a step of the way, not an attempt that is made again: tests first, then file after file.
        changed.retain(|&at| self.edited[at].times > 1);
        for at in changed {
            let turns = too_often.turns.clone();
            if self.edited[at].hold_for(Rule::SameFailureAgain, too_often.times, turns) {
                newest = newest.or(Some(at));
            }
        }
        let file = &self.edited[newest?];
        file.block.as_ref().map(|block| self.spiral(block, Some(file)))
    }

    /// Whether a failure that names these places may come from what was edited in this file. An old one elsewhere in it does not.
    fn is_about_edits_of(&self, named: &[Place<'_>], at: usize) -> bool {
        let file = &self.edited[at];
        let lines: Option<Vec<u32>> = named
            .iter()
            .filter(|place| is_same_file(place.file, &file.path))
            .map(|place| place.line)
            .collect();
        let is_elsewhere = lines.is_some_and(|lines| !lines.is_empty() && file.places.are_far_from(&lines));
        !is_elsewhere && named.iter().any(|place| is_about(place.file, &file.path))
    }

    /// Whether this turn goes on with what the failure is about: the request says nothing new, or speaks of what failed, or asks for what
    /// was asked for before.
    fn goes_on(&self, error: u64, output: &str, changed: &[usize]) -> bool {
        let wishes = |turn: u32| {
            self.requests.iter().find(|known| known.number == turn).map(|known| known.wishes.as_slice())
        };
        let newest = self.requests.iter().find(|known| known.number == self.turn);
        let wanted = newest.map(Turn::wants).unwrap_or_default();
        // That a file is named says only where the work is.
        let in_names = |word: &&String| {
            changed.iter().any(|&at| self.edited[at].path.to_lowercase().contains(word.as_str()))
        };
        let words: Vec<&String> = wanted.iter().filter(|word| !in_names(word)).collect();
        let earlier = || {
            let turns = self.failures.pursuit(error).iter();
            turns.filter_map(|turn| wishes(*turn)).any(|known| words.iter().all(|word| known.contains(word)))
        };
        words.is_empty() || are_mostly_in(&words, &output.to_lowercase()) || earlier()
    }

    /// A check passed: real progress, whatever came before.
    fn passed(&mut self) {
        self.failures.passed();
        self.circle.files_changed();
        self.denied = None;
        self.stuck = None;
        self.edited.iter_mut().for_each(File::progress);
    }

    /// The agent has looked at a file.
    pub fn was_read(&mut self, path: &str) {
        if let Some(at) = self.find(path) {
            self.edited[at].was_read();
        }
    }

    fn spiral(&self, block: &Block, file: Option<&File>) -> Spiral {
        let named = |number: &u32| self.requests.iter().find(|turn| turn.number == *number);
        let turns: Vec<&Turn> = block.turns.iter().filter_map(named).collect();
        Spiral {
            rule: block.rule,
            path: file.map(|file| file.path.clone()),
            call: None,
            turns: turns.iter().map(|turn| turn.id.clone()).collect(),
            request: turns.first().map(|turn| turn.request.clone()).filter(|request| !request.is_empty()),
            times: block.times,
        }
    }

    fn stuck_spiral(&self, stuck: &Stuck) -> Spiral {
        let call = Some(stuck.call.clone()).filter(|call| !call.is_empty());
        Spiral { call, ..self.spiral(&stuck.block, None) }
    }

    fn repeating(&self, denied: &Denied) -> Spiral {
        let block = Block { rule: Rule::CallsRepeat, times: denied.times, turns: vec![denied.turn] };
        let call = Some(denied.call.clone()).filter(|call| !call.is_empty());
        Spiral { call, ..self.spiral(&block, None) }
    }

    fn find(&self, path: &str) -> Option<usize> {
        let key = hash(path.as_bytes());
        self.edited.iter().position(|file| file.key == key || file.path == path)
    }

    fn find_or_add(&mut self, path: &str) -> usize {
        if let Some(at) = self.find(path) {
            return at;
        }
        while self.edited.len() >= FILES {
            let oldest =
                self.edited.iter().enumerate().min_by_key(|(_, file)| (file.block.is_some(), file.touched));
            let Some((at, _)) = oldest else { break };
            self.edited.swap_remove(at);
        }
        self.edited.push(File::new(hash(path.as_bytes()), cut(path, LONGEST_PATH), self.steps));
        self.edited.len() - 1
    }
}

/// The text without control characters (they would make the stored state longer than it looks), cut to so many bytes.
fn cut(text: &str, most: usize) -> String {
    let mut short = String::with_capacity(text.len().min(most));
    for character in text.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        if short.len() + character.len_utf8() > most {
            short.push('…');
            break;
        }
        short.push(character);
    }
    short
}
