//! One rule of `rules.toml`, and its pattern compiled the first time a keyword asks for it.
//!
//! The table itself is a constant made by `build.rs`. Patterns are ASCII byte patterns (`unicode(false)`), which keeps each
//! of them cheap to compile: a process that meets three keywords compiles three patterns, not a hundred and fifty.

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::meta::{Config, Regex};
use regex_automata::util::primitives::PatternID;
use regex_automata::util::syntax;
use serde::Serialize;

use crate::revoke::Revocation;

/// A secret format as written in `rules.toml`.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Rule {
    /// Stable name, as in reports and in `[redacted:id]`.
    pub id: &'static str,
    /// What the secret opens, in a few words.
    pub about: &'static str,
    #[serde(skip)]
    pub(crate) pattern: &'static str,
    #[serde(skip)]
    pub(crate) before: usize,
    #[serde(skip)]
    pub(crate) after: usize,
    #[serde(skip)]
    pub(crate) entropy: f32,
    #[serde(skip)]
    pub(crate) joined: bool,
    #[serde(skip)]
    pub(crate) literal: bool,
    #[serde(skip)]
    pub(crate) named: bool,
    /// Where the format is described.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
    /// A person chose it: in tests and manuals it counts only if nobody would think of it.
    #[serde(skip)]
    pub(crate) chosen: bool,
    /// Length of the shortest possible match.
    #[serde(skip)]
    pub(crate) least: usize,
    /// A match is one word: no white space, no quotes.
    #[serde(skip)]
    pub(crate) solid: bool,
    /// What every match holds, if that is anything rare.
    #[serde(skip)]
    pub(crate) run: Option<Run>,
    /// Where in a match the secret lies, where the lengths of the pattern's parts tell.
    #[serde(skip)]
    pub(crate) inside: Option<Inside>,
    /// Length of the shortest keyword, and which bytes may follow it one by one in a match that begins with it.
    #[serde(skip)]
    pub(crate) known: usize,
    #[serde(skip)]
    pub(crate) next: &'static [[u64; 4]],
    /// A byte that must follow the keyword somewhere near.
    #[serde(skip)]
    pub(crate) needs: Option<u8>,
    #[serde(skip)]
    pub(crate) allow: &'static [&'static str],
    /// Example templates that must be found.
    #[serde(skip)]
    pub examples: &'static [&'static str],
    /// Example templates that must not be found.
    #[serde(skip)]
    pub harmless: &'static [&'static str],
}

impl Rule {
    /// Whether what follows the keyword at `start` can be a match, with or without a line break taken out of it. Says no only where none
    /// can be: most of what holds a short keyword (`ACME`, `path`) parts from the pattern one or two letters later.
    #[inline]
    pub(crate) fn may_begin(&self, text: &[u8], start: usize) -> bool {
        let rest = text.get(start + self.known..).unwrap_or_default();
        for (set, byte) in self.next.iter().zip(rest) {
            // From here on a line break may have been taken out.
            if !crate::view::is_token_byte(*byte) {
                return true;
            }
            if set[usize::from(*byte / 64)] & (1 << (*byte % 64)) == 0 {
                return false;
            }
        }
        true
    }
}

/// Where in a match the secret lies, for patterns that say so by their lengths: no group has to be worked out, which takes longer than to
/// find the match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inside {
    /// So many bytes follow it.
    behind: usize,
    start: Start,
}

/// Where the secret of a match begins.
#[derive(Debug, Clone, Copy)]
enum Start {
    /// Behind so many bytes of the match.
    Behind(usize),
    /// It has this length.
    Long(usize),
}

impl Inside {
    /// The secret of a match.
    pub(crate) fn of(self, whole: &Range<usize>) -> Range<usize> {
        let end = whole.end.saturating_sub(self.behind);
        let start = match self.start {
            Start::Behind(before) => whole.start + before,
            Start::Long(length) => end.saturating_sub(length),
        };
        start.min(end)..end
    }
}

/// So many bytes of a class, one after the other: part of every match of a rule, worked out by `build.rs`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    length: usize,
    /// One bit for each byte.
    bytes: [u64; 4],
}

impl Run {
    /// Whether a text holds such a run.
    ///
    /// A run has a byte at one of every `length` places, so only those are looked at, and what lies around those that fit.
    pub(crate) fn is_in(&self, text: &[u8]) -> bool {
        let fits = |byte: u8| self.bytes[usize::from(byte / 64)] & (1 << (byte % 64)) != 0;
        // No run begins before this.
        let mut from = 0_usize;
        while let Some(end) = from.checked_add(self.length).filter(|end| *end <= text.len()) {
            match text[from..end].iter().rposition(|byte| !fits(*byte)) {
                Some(foreign) => from += foreign + 1,
                None => return true,
            }
        }
        self.length == 0
    }
}

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The compiled side of a rule: its pattern and its allow patterns.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) pattern: Regex,
    /// How many bounds to ask for: those of the whole match and, where a group `s` says what the secret is, of all up to that one.
    pub(crate) slots: usize,
    pub(crate) allow: Vec<Regex>,
}

/// One lazily filled slot for each rule.
#[derive(Debug)]
pub(crate) struct Patterns(Vec<OnceLock<Option<Compiled>>>);

impl Patterns {
    pub(crate) fn new() -> Self {
        Self(RULES.iter().map(|_| OnceLock::new()).collect())
    }

    /// The compiled rule; `None` only if its pattern is not valid, which the tests rule out.
    pub(crate) fn get(&self, index: usize) -> Option<&Compiled> {
        self.0.get(index)?.get_or_init(|| compile(RULES.get(index)?)).as_ref()
    }
}

fn compile(rule: &Rule) -> Option<Compiled> {
    let allow = rule.allow.iter().map(|pattern| ascii(pattern)).collect::<Option<Vec<_>>>()?;
    let pattern = ascii(rule.pattern)?;
    let secret = pattern.group_info().to_index(PatternID::ZERO, "s").unwrap_or_default();
    let slots = if rule.inside.is_some() { 2 } else { (secret + 1) * 2 };
    Some(Compiled { pattern, slots, allow })
}

/// Compiles with everything off that costs time now to save time on long texts: the windows are short.
fn ascii(pattern: &str) -> Option<Regex> {
    let config = Config::new().utf8_empty(false).auto_prefilter(false).onepass(false).dfa(false);
    let syntax = syntax::Config::new().unicode(false).utf8(false);
    Regex::builder().configure(config).syntax(syntax).build(pattern).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_found_wherever_it_is_and_only_in_full_length() {
        let digits = Run { length: 4, bytes: [0x03ff_0000_0000_0000, 0, 0, 0] };
        assert!(digits.is_in(b"1234") && digits.is_in(b"a 123 45678 b") && digits.is_in(b"x9876"));
        assert!(digits.is_in(b"12a1234") && digits.is_in(b"123a1234") && digits.is_in(b"a1b23c4567"));
        assert!(!digits.is_in(b"") && !digits.is_in(b"123 456 a789") && !digits.is_in("１２３４".as_bytes()));
    }

    /// What build.rs worked out holds for whatever a pattern matches, not only for the examples.
    #[test]
    fn every_match_holds_the_run_of_its_rule() {
        use proptest::strategy::{Strategy as _, ValueTree as _};
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let (patterns, mut matches) = (Patterns::new(), 0);
        for (index, rule) in RULES.iter().enumerate() {
            let (Some(run), Some(compiled)) = (rule.run, patterns.get(index)) else { continue };
            // A few patterns look around, which nothing can be drawn from.
            let Ok(drawn) = proptest::string::string_regex(rule.pattern) else { continue };
            for _ in 0..40 {
                let text = drawn.new_tree(&mut runner).unwrap().current();
                let Some(found) = compiled.pattern.find(text.as_bytes()) else { continue };
                assert!(run.is_in(&text.as_bytes()[found.range()]), "`{}`: {text}", rule.id);
                matches += 1;
            }
        }
        assert!(matches > RULES.len() * 20, "{matches}");
    }

    /// What build.rs says of the bytes behind a keyword holds for whatever a pattern matches, also where a line break splits it.
    #[test]
    fn every_match_may_begin_as_it_does() {
        use proptest::strategy::{Strategy as _, ValueTree as _};
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let (patterns, mut matches) = (Patterns::new(), 0);
        for (index, rule) in RULES.iter().enumerate().filter(|(_, rule)| rule.before == 0) {
            let (Some(compiled), Ok(drawn)) =
                (patterns.get(index), proptest::string::string_regex(rule.pattern))
            else {
                continue;
            };
            for _ in 0..40 {
                let text = drawn.new_tree(&mut runner).unwrap().current();
                let Some(found) = compiled.pattern.find(text.as_bytes()) else { continue };
                let text = &text.as_bytes()[found.range()];
                assert!(rule.may_begin(text, 0), "`{}`: {}", rule.id, String::from_utf8_lossy(text));
                for at in rule.known..text.len().min(rule.known + 8) {
                    let split = [&text[..at], b"\n", &text[at..]].concat();
                    assert!(rule.may_begin(&split, 0), "`{}` split at {at}", rule.id);
                }
                matches += 1;
            }
        }
        assert!(matches > RULES.len() * 20, "{matches}");
        let twilio = RULES.iter().find(|rule| rule.id == "twilio-key").unwrap();
        assert!(!twilio.may_begin(b"ACME_API_KEY=", 0) && twilio.may_begin(b"AC0123456789", 0));
    }

    #[test]
    fn rules_with_common_keywords_know_what_they_need() {
        let run = |id: &str| RULES.iter().find(|rule| rule.id == id).unwrap().run.map(|run| run.length);
        let with = RULES.iter().filter(|rule| rule.run.is_some()).count();
        assert!(with * 10 > RULES.len() * 8, "{with} of {}", RULES.len());
        assert_eq!(run("aws-access-key"), Some(16));
        assert_eq!(run("aws-secret-key"), Some(40));
    }

    #[test]
    fn every_pattern_compiles_and_every_id_is_unique() {
        let patterns = Patterns::new();
        for (index, rule) in RULES.iter().enumerate() {
            assert!(patterns.get(index).is_some(), "pattern of `{}`", rule.id);
            let slots = patterns.get(index).map_or(0, |compiled| compiled.slots);
            assert!(slots <= 16, "`{}`: the group of the secret is not among the first", rule.id);
            assert!(!rule.examples.is_empty(), "`{}` has no example", rule.id);
            assert!(!rule.harmless.is_empty(), "`{}` has no harmless example", rule.id);
            assert_eq!(RULES.iter().filter(|other| other.id == rule.id).count(), 1, "`{}` twice", rule.id);
            assert!(rule.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        }
    }
}
