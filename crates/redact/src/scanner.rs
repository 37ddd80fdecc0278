//! The secret scanner: one keyword pass over the text, then the patterns whose keyword was seen, each on a small window.

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::{Anchored, Input};

use crate::candidate::{
    has_no_key, is_inside_blob, is_made_of_words, is_named, is_possible, is_real, solid_around,
};
use crate::finding::{Finding, Span, locate, merge};
use crate::joined::{self, Crossing};
use crate::keyed::place::{self, Place};
use crate::keyed::{self, Wanted};
use crate::keywords::{Hit, Keywords, MARK};
use crate::lines::Lines;
use crate::proof;
use crate::rule::{Patterns, RULES, Rule};

/// Finds secrets in text. Use [`Scanner::shared`]: it is built once a process and every part of it on first need.
#[derive(Debug)]
pub struct Scanner {
    keywords: Keywords,
    patterns: Patterns,
}

/// Which of the rules a pass applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rules {
    /// All, as a report on such a file wants them: with few false alarms.
    Report(Place),
    /// All, as the gate wants them: what may be a damaged key goes as well.
    Gate,
    /// Only those with a format of their own: for text whose line breaks were taken out.
    FormatsOnly,
}

impl Scanner {
    /// The scanner of this process.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Scanner> = OnceLock::new();
        SHARED.get_or_init(|| Self { keywords: Keywords::default(), patterns: Patterns::new() })
    }

    /// Finds the secrets in a file's content. `path_hint` (the file's path) turns off name-based rules in lock files,
    /// minified bundles and other generated files. A line with `vibelign: allow-secret` reports nothing.
    pub fn scan(&self, text: impl AsRef<[u8]>, path_hint: Option<&str>) -> Vec<Finding> {
        let text = text.as_ref();
        let mut place = path_hint.map(place::of).unwrap_or_default();
        if path_hint.is_some_and(crate::paths::may_be_minified) && is_minified(text) {
            place = Place::Generated;
        }
        let rules = Rules::Report(place);
        let mut spans = self.spans(text, rules);
        let mut lines = Lines::default();
        spans.retain(|span| !lines.allow(text, span.start, span.end));
        locate(text, &spans)
    }

    /// The rules, for listing and for tests.
    pub fn rules(&self) -> &'static [Rule] {
        RULES
    }

    /// The spans of all secrets in `text`, sorted and without overlap. No line can switch this off.
    pub(crate) fn spans(&self, text: &[u8], rules: Rules) -> Vec<Span> {
        self.pass(text, rules, &|_, _| false, None)
    }

    /// The same as the gate wants them, without what lies in stretches that were `judged` already: those bytes were scanned, with
    /// all around them, in a text that this one is another reading of. Also says where a key may go over the end of a line.
    pub(crate) fn gate_spans(
        &self,
        text: &[u8],
        judged: &dyn Fn(usize, usize) -> bool,
    ) -> (Vec<Span>, Vec<Crossing>) {
        let mut crossings = Vec::new();
        let spans = self.pass(text, Rules::Gate, judged, Some(&mut crossings));
        (spans, crossings)
    }

    fn pass(
        &self,
        text: &[u8],
        rules: Rules,
        judged: &dyn Fn(usize, usize) -> bool,
        mut crossings: Option<&mut Vec<Crossing>>,
    ) -> Vec<Span> {
        let mut pass = self.new_pass(text, rules, judged);
        self.keywords.each(text, |hit, start, end| match hit {
            // What stands in a mark was put there by the gate.
            Hit::Mark => {
                let rest = &text[end..text.len().min(end + LONGEST_MARK)];
                pass.marked = memchr::memchr2(b']', b'\n', rest).map_or(pass.marked, |close| end + close);
            }
            _ if start < pass.marked => {}
            Hit::Rules(wanted) => {
                for index in wanted {
                    let begins =
                        RULES.get(usize::from(*index)).is_some_and(|rule| rule.may_begin(text, start));
                    // The payload of a JWT begins as its head does: what lies in a key that was found is part of it.
                    if !begins || pass.is_inside_found(usize::from(*index), start, end) {
                        continue;
                    }
                    let matched = pass.apply(usize::from(*index), start, end);
                    if let Some(crossings) = crossings.as_deref_mut()
                        && let Some(rule) = RULES.get(usize::from(*index))
                        && !(rule.before == 0
                            && matched.is_some_and(|upto| joined::ends_here(text, upto, &text[start..end])))
                        && (rule.solid || rule.after <= LONGEST_SPLIT)
                        && joined::crosses(text, start, end, rule)
                        && !judged(start.saturating_sub(joined::REACH), end + joined::REACH)
                    {
                        crossings.push(Crossing { rule: *index, start: start as u32, end: end as u32 });
                    }
                }
            }
            Hit::Word(kind) => pass.judge_word(start, end, kind),
        });
        merge(pass.spans)
    }

    fn new_pass<'t>(
        &'t self,
        text: &'t [u8],
        rules: Rules,
        judged: &'t dyn Fn(usize, usize) -> bool,
    ) -> Pass<'t> {
        Pass {
            text,
            rules,
            patterns: &self.patterns,
            judged,
            spans: Vec::new(),
            looked: Vec::new(),
            marked: 0,
            named: 0,
        }
    }

    /// What one rule finds at one keyword of a text that was put together.
    pub(crate) fn apply_at(&self, text: &[u8], rule: u16, start: usize, end: usize) -> Vec<Span> {
        let mut pass = self.new_pass(text, Rules::FormatsOnly, &|_, _| false);
        pass.apply(usize::from(rule), start, end);
        pass.spans
    }

    /// Every keyword of a rule in a short text.
    pub(crate) fn rules_in(&self, text: &[u8], mut visit: impl FnMut(u16, usize, usize)) {
        self.keywords.walk(text, |hit, start, end| {
            if let Hit::Rules(rules) = hit {
                rules.iter().for_each(|rule| visit(*rule, start, end));
            }
        });
    }
}

/// Whether a program made the lines of a script: nobody writes lines of this length.
fn is_minified(text: &[u8]) -> bool {
    let text = &text[..text.len().min(64 << 10)];
    text.len() > 4096 && text.len() / (memchr::memchr_iter(b'\n', text).count() + 1) > 400
}

/// A mark is never longer.
const LONGEST_MARK: usize = 128;
/// Names are not longer.
const LONGEST_NAME: usize = 64;

/// Rules that look further than this know about line breaks themselves.
const LONGEST_SPLIT: usize = 12_100;

/// So many bytes beside a match are looked at: what is before it, and how it goes on.
const BORDER: usize = 16;

/// The bounds of so many groups of a pattern are kept; `s` is among the first.
const MOST_SLOTS: usize = 16;

/// One pass over one text.
struct Pass<'t> {
    text: &'t [u8],
    rules: Rules,
    patterns: &'t Patterns,
    judged: &'t dyn Fn(usize, usize) -> bool,
    spans: Vec<Span>,
    /// Up to where a rule that looks back has matched already, so that it looks at each place once.
    looked: Vec<(usize, usize)>,
    /// Where the mark ends that was seen last.
    marked: usize,
    /// Up to where a name reaches whose value was found: its other words say the same.
    named: usize,
}

impl Pass<'_> {
    /// Tries one rule at one keyword hit, and says up to where it found a secret.
    fn apply(&mut self, index: usize, start: usize, end: usize) -> Option<usize> {
        let rule = RULES.get(index)?;
        if !is_possible(rule, self.text, start) {
            return None;
        }
        let place = match self.rules {
            Rules::Report(place) => Some(place),
            _ => None,
        };
        if rule.named && place.is_some() && !is_named(self.text, start) {
            return None;
        }
        let from = start.saturating_sub(rule.before);
        let looked = self.looked.iter().find(|(rule, _)| *rule == index).map_or(0, |(_, upto)| *upto);
        if rule.before > 0 && from < looked && end <= looked {
            return None;
        }
        let to = self.text.len().min(end + rule.after);
        let (first, last) = if rule.solid { solid_around(self.text, start, from, to) } else { (from, to) };
        if (self.judged)(first.saturating_sub(BORDER), last + BORDER) {
            return None;
        }
        // No match of a solid rule reaches over the ends of its word.
        let (from, to) = if rule.solid { (first, last) } else { (from, to) };
        let window = &self.text[from..to];
        // Words are short and keys are long: most keywords in prose end here, before their pattern is compiled.
        if rule.run.is_some_and(|run| !run.is_in(window)) {
            return None;
        }
        let compiled = self.patterns.get(index)?;
        let anchored = if rule.before == 0 { Anchored::Yes } else { Anchored::No };
        let mut input = Input::new(window).anchored(anchored);
        let mut slots = [None; MOST_SLOTS];
        // Where only the whole match is asked for, no pattern has to work out its groups.
        let slots = &mut slots[..compiled.slots.min(MOST_SLOTS)];
        let mut upto = None;
        while compiled.pattern.search_slots(&input, slots).is_some() {
            let group = |slot: usize| {
                let bound = |slot: usize| Some(slots.get(slot).copied().flatten()?.get());
                Some(from + bound(slot)?..from + bound(slot + 1)?)
            };
            let Some(whole) = group(0) else { break };
            // The next match begins behind this one.
            input.set_start((whole.end - from).max(input.start() + 1).min(window.len()));
            if rule.before > 0 {
                self.has_looked(index, whole.end);
            }
            let secret = match rule.inside {
                Some(inside) => Some(inside.of(&whole)),
                None => compiled.slots.checked_sub(2).filter(|slot| *slot > 0).and_then(group),
            };
            let Range { start, end } = secret.unwrap_or(whole.clone());
            let span = Span { start, end, rule: rule.id, rank: index as u16 };
            let secret = &self.text[start..end];
            let doubted = place.is_some_and(|place| {
                !rule.literal && is_made_of_words(secret)
                    || is_doubted(place, rule, secret)
                    || has_no_key(rule, secret)
                    || is_inside_blob(self.text, start, end)
            });
            let behind = whole.end;
            if !doubted && is_real(rule, &compiled.allow, self.text, span, whole) {
                self.spans.push(span);
                // Only what counts as a secret is whole; another match may be the beginning of one that goes over the line's end.
                upto = Some(behind);
            }
            // A pattern that is tied to its keyword has no second one.
            if rule.before == 0 || input.start() >= window.len() {
                break;
            }
        }
        upto
    }

    /// Whether the same rule found a secret that this keyword is a part of.
    fn is_inside_found(&self, rule: usize, start: usize, end: usize) -> bool {
        let last = self.spans.iter().rev().take(4).find(|span| usize::from(span.rank) == rule);
        last.is_some_and(|span| span.start < start && end <= span.end)
    }

    /// Remembers how far a rule has found something, so that no hit inside of that makes it look again.
    fn has_looked(&mut self, rule: usize, upto: usize) {
        match self.looked.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, known)) => *known = upto.max(*known),
            None => self.looked.push((rule, upto)),
        }
    }

    /// Looks for a value beside a secret word.
    fn judge_word(&mut self, start: usize, end: usize, kind: keyed::Kind) {
        let wanted = match self.rules {
            // Lock files and bundles make no names of their own.
            Rules::Report(Place::Generated) | Rules::FormatsOnly => return,
            Rules::Report(place) => Wanted::Report(place),
            Rules::Gate => Wanted::Gate,
        };
        // A value that the gate took out: the proof, which looks at every word again, need not read it.
        if wanted == Wanted::Gate && holds_mark_for(self.text, end) {
            return;
        }
        if start < self.named || (self.judged)(start.saturating_sub(keyed::REACH), end + keyed::REACH) {
            return;
        }
        if let Some(span) = keyed::check(self.text, start, end, kind, wanted) {
            // Up to a value on the same line, what follows the word belongs to its name.
            let near = span.start > end && span.start - end < LONGEST_NAME;
            if near
                && self.text[end..span.start]
                    .iter()
                    .all(|byte| crate::value::is_name_byte(*byte) || b"-. =:\"'".contains(byte))
            {
                self.named = span.start;
            }
            self.spans.push(span);
        }
    }
}

/// Whether a mark and nothing else is the value of the word that ends here: `token="[redacted:…]"`.
fn holds_mark_for(text: &[u8], end: usize) -> bool {
    let skip = |at: usize, wanted: fn(&u8) -> bool| at + usize::from(text.get(at).is_some_and(wanted));
    let quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let operator = skip(end, quote);
    let behind = skip(operator, |byte| matches!(byte, b'=' | b':'));
    if behind == operator {
        return false;
    }
    let value = skip(skip(behind, |byte| *byte == b' '), quote);
    let Some(rest) = text.get(value..).filter(|rest| rest.starts_with(MARK.as_bytes())) else {
        return false;
    };
    let rest = &rest[..rest.len().min(LONGEST_MARK)];
    memchr::memchr2(b']', b'\n', rest).is_some_and(|close| {
        rest[close] == b']'
            && text
                .get(value + close + 1)
                .is_none_or(|next| quote(next) || matches!(next, b'\n' | b',' | b';'))
    })
}

/// In tests and manuals a key that nobody can have issued, and a password that people choose for an example, are made up.
fn is_doubted(place: Place, rule: &Rule, secret: &[u8]) -> bool {
    match place {
        Place::Product => false,
        Place::Sample | Place::Translation | Place::Generated => {
            proof::of(rule.id, secret).is_some_and(proof::Proof::is_against)
                || rule.chosen && !place::is_plainly_generated(secret)
                || rule.id == "docker-config-auth" && keyed::says_words(secret)
                || rule.id == "password-hash"
        }
    }
}
