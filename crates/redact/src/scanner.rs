//! The secret scanner: one keyword pass over the text, then the patterns whose keyword was seen, each on a small window.

use std::sync::OnceLock;

use regex_automata::{Anchored, Input};

use crate::candidate::{is_made_of_words, is_named, is_possible, is_real, solid_around};
use crate::finding::{Finding, Span, locate, merge};
use crate::keyed;
use crate::keywords::{Hit, Keywords};
use crate::lines::Lines;
use crate::paths::is_generated;
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
    /// All, as a report wants them: with few false alarms.
    Report,
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
        let rules = if path_hint.is_some_and(is_generated) { Rules::FormatsOnly } else { Rules::Report };
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
        self.new_spans(text, rules, &|_, _| false)
    }

    /// The same without what lies in stretches that were `judged` already: those bytes were scanned, with all around them, in a
    /// text that this one is another reading of.
    pub(crate) fn new_spans(
        &self,
        text: &[u8],
        rules: Rules,
        judged: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<Span> {
        let patterns = &self.patterns;
        let mut pass = Pass { text, rules, patterns, judged, spans: Vec::new(), looked: Vec::new() };
        self.keywords.each(text, |hit, start, end| match hit {
            Hit::Rules(wanted) => {
                for rule in wanted {
                    pass.apply(usize::from(*rule), start, end);
                }
            }
            Hit::Word(kind) => pass.judge_word(start, end, kind),
        });
        merge(pass.spans)
    }
}

/// So many bytes beside a match are looked at: what is before it, and how it goes on.
const BORDER: usize = 16;

/// One pass over one text.
struct Pass<'t> {
    text: &'t [u8],
    rules: Rules,
    patterns: &'t Patterns,
    judged: &'t dyn Fn(usize, usize) -> bool,
    spans: Vec<Span>,
    /// Up to where a rule that looks back has matched already, so that it looks at each place once.
    looked: Vec<(usize, usize)>,
}

impl Pass<'_> {
    /// Tries one rule at one keyword hit.
    fn apply(&mut self, index: usize, start: usize, end: usize) {
        let Some(rule) = RULES.get(index) else { return };
        if !is_possible(rule, self.text, start) {
            return;
        }
        if rule.named && self.rules == Rules::Report && !is_named(self.text, start) {
            return;
        }
        let from = start.saturating_sub(rule.before);
        let looked = self.looked.iter().find(|(rule, _)| *rule == index).map_or(0, |(_, upto)| *upto);
        if rule.before > 0 && from < looked && end <= looked {
            return;
        }
        let to = self.text.len().min(end + rule.after);
        let (first, last) = if rule.solid { solid_around(self.text, start, from, to) } else { (from, to) };
        if (self.judged)(first.saturating_sub(BORDER), last + BORDER) {
            return;
        }
        let window = &self.text[from..to];
        // Words are short and keys are long: most keywords in prose end here, before their pattern is compiled.
        if rule.run.is_some_and(|run| !run.is_in(window)) {
            return;
        }
        let Some(compiled) = self.patterns.get(index) else {
            return;
        };
        let anchored = if rule.before == 0 { Anchored::Yes } else { Anchored::No };
        for found in compiled.pattern.captures_iter(Input::new(window).anchored(anchored)) {
            let Some(whole) = found.get_match() else { continue };
            let whole_range = from + whole.start()..from + whole.end();
            if rule.before > 0 {
                self.has_looked(index, whole_range.end);
            }
            let secret = found.get_group_by_name("s").unwrap_or(whole.span());
            let (start, end) = (from + secret.start, from + secret.end);
            let span = Span { start, end, rule: rule.id, rank: index as u16 };
            let words =
                self.rules == Rules::Report && !rule.literal && is_made_of_words(&self.text[start..end]);
            if !words && is_real(rule, &compiled.allow, self.text, span, whole_range) {
                self.spans.push(span);
            }
        }
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
        if self.rules != Rules::FormatsOnly
            && !(self.judged)(start.saturating_sub(keyed::REACH), end + keyed::REACH)
        {
            self.spans.extend(keyed::check(self.text, start, end, kind, self.rules == Rules::Report));
        }
    }
}
