//! The gate: the only way to a [`Clean`].
//!
//! Scan, replace, scan again. The text is scanned as it stands and in every reading that [`crate::view`] knows, and inside
//! base64. If after all rounds a rule still matches, the whole text is withheld: a gate that only counts is no gate.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use crate::base64::wrapped;
use crate::clean::{Clean, Counts};
use crate::finding::Span;
use crate::privacy::{self, PrivacyContext, is_inside_mark};
use crate::scanner::{Rules, Scanner};
use crate::summary::{floor, summarise};
use crate::view::{Joints, View};

/// What stands in the place of a text that could not be made clean.
pub const WITHHELD: &str = "[withheld: a rule still matched after redaction]";

/// Text above this size is cut before it is scanned; what is left out is counted as summarised.
const LARGEST_INPUT: usize = 8 << 20;

/// How often the gate replaces before it gives up and withholds.
const ROUNDS: usize = 4;

/// Cleans texts. One gate numbers its marks across all the texts it cleans: equal secrets get equal marks.
#[derive(Debug, Default)]
pub struct Gate {
    context: PrivacyContext,
    limit: Option<usize>,
    numbers: HashMap<(&'static str, u64), usize>,
    last_number: HashMap<&'static str, usize>,
    hasher: RandomState,
}

impl Gate {
    /// A gate for texts that come from where `context` says.
    pub fn new(context: PrivacyContext) -> Self {
        Self { context, ..Self::default() }
    }

    /// Shortens texts above `bytes` to their beginning and end, with counts of what was left out.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = Some(bytes);
        self
    }

    /// Makes a text clean, or withholds it.
    pub fn clean(&mut self, text: &str) -> Clean {
        let mut counts = Counts::default();
        let mut text = self.cut(text, LARGEST_INPUT, &mut counts);
        let mut proven = false;
        for _ in 0..ROUNDS {
            let replaced = self.replace_secrets(&text, &mut counts);
            let filtered = self.replace_private(replaced.as_deref().unwrap_or(&text), &mut counts);
            match filtered.or(replaced) {
                Some(changed) => text = changed,
                None => {
                    proven = true;
                    break;
                }
            }
        }
        if let Some(limit) = self.limit
            && text.len() > limit
        {
            text = self.cut(&text, limit, &mut counts);
            proven = false;
        }
        // A round that found nothing is the proof; after a cut, or with no quiet round, look once more.
        if proven || (secrets(text.as_bytes()).is_empty() && privacy::find(&text, &self.context).is_empty()) {
            return Clean::proven(text, counts);
        }
        counts.withheld = true;
        Clean::proven(WITHHELD.to_owned(), counts)
    }

    fn cut(&self, text: &str, limit: usize, counts: &mut Counts) -> String {
        match summarise(text, limit) {
            Some((short, lines)) => {
                counts.summarised += lines;
                short
            }
            None => text.to_owned(),
        }
    }

    fn replace_secrets(&mut self, text: &str, counts: &mut Counts) -> Option<String> {
        let found = secrets(text.as_bytes());
        if found.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for secret in found {
            let start = floor(text, secret.span.start).max(done);
            let end = ceil(text, secret.span.end).max(start);
            out.push_str(&text[done..start]);
            let number = self.number(secret.span.rule, &secret.meant);
            out.push_str(&format!("[redacted:{}#{number}]", secret.span.rule));
            counts.secrets += 1;
            done = end;
        }
        out.push_str(&text[done..]);
        Some(out)
    }

    fn replace_private(&self, text: &str, counts: &mut Counts) -> Option<String> {
        let found = privacy::find(text, &self.context);
        if found.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for private in found {
            out.push_str(&text[done..private.start]);
            out.push_str(&private.replacement);
            counts.private += 1;
            done = private.end;
        }
        out.push_str(&text[done..]);
        Some(out)
    }

    /// The number of a secret among those of its rule; the gate keeps a hash of it, never the secret.
    fn number(&mut self, rule: &'static str, meant: &[u8]) -> usize {
        let key = (rule, self.hasher.hash_one(meant));
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let last = self.last_number.entry(rule).or_default();
        *last += 1;
        self.numbers.insert(key, *last);
        *last
    }
}

/// A secret in the original text, and how it reads without its disguise.
pub(crate) struct Secret {
    pub(crate) span: Span,
    meant: Vec<u8>,
}

/// All secrets in `text`, in any reading of it, sorted and without overlap.
pub(crate) fn secrets<'t>(text: &'t [u8]) -> Vec<Secret> {
    let scanner = Scanner::shared();
    let mut found: Vec<Secret> = Vec::new();
    let mut add = |span: Span, meant: &[u8]| {
        if !is_inside_mark(text, &span) {
            found.push(Secret { span, meant: meant.to_vec() });
        }
    };
    for span in scanner.spans(text, Rules::Gate) {
        add(span, &text[span.start..span.end]);
    }
    look_into_base64(text, |span, meant| add(span, meant));
    let Some(mut view) = View::of(text) else {
        return Vec::new();
    };
    let mut scan_view = |view: &View<'_>, rules: Rules| {
        // What reads here as it is written was judged as it is written.
        let judged = |start: usize, end: usize| view.is_as_written(start, end);
        for span in scanner.new_spans(&view.text, rules, &judged) {
            let (start, end) = view.original(span.start, span.end);
            if rules != Rules::FormatsOnly || is_jumpy(&view.text[span.start..span.end]) {
                add(Span { start, end, ..span }, &view.text[span.start..span.end]);
            }
        }
        look_into_base64(&view.text, |span, meant| {
            let (start, end) = view.original(span.start, span.end);
            add(Span { start, end, ..span }, meant);
        });
    };
    for joined in Joints::EACH.iter().filter_map(|joints| view.with_lines_joined(*joints)) {
        scan_view(&joined, Rules::FormatsOnly);
    }
    // Each reading builds on the one before; escapes can lie three deep (JSON in JSON in a log).
    let readings: [fn(&View<'t>) -> Option<View<'t>>; 5] = [
        View::without_ansi,
        View::without_escapes,
        View::without_escapes,
        View::without_escapes,
        View::without_percent,
    ];
    let (mut changed, mut whole) = (false, None);
    for reading in readings {
        if let Some(next) = reading(&view) {
            scan_view(&next, Rules::Gate);
            view = next;
            changed = true;
        }
    }
    for joints in Joints::EACH {
        if let Some(joined) = view.with_pieces_joined(joints) {
            scan_view(&joined, Rules::Gate);
            if joints == Joints::All {
                whole = Some(joined);
            }
        }
    }
    if let Some(whole) = whole {
        view = whole;
        changed = true;
    }
    if changed {
        for joined in Joints::EACH.iter().filter_map(|joints| view.with_lines_joined(*joints)) {
            scan_view(&joined, Rules::FormatsOnly);
        }
    }
    merge(found)
}

/// Whether letters and digits, or small and capital letters, alternate as they do in keys but not in words: lines of
/// plain words, once joined, can look like a key by chance.
fn is_jumpy(joined: &[u8]) -> bool {
    let jump = |pair: &&[u8]| match (pair[0], pair[1]) {
        (a, b) if a.is_ascii_digit() => b.is_ascii_alphabetic(),
        (a, b) if a.is_ascii_lowercase() => b.is_ascii_uppercase() || b.is_ascii_digit(),
        (a, b) => a.is_ascii_uppercase() && b.is_ascii_digit(),
    };
    let digits = joined.iter().filter(|b| b.is_ascii_digit()).count();
    let shouted = !joined.iter().any(u8::is_ascii_lowercase);
    joined.windows(2).filter(jump).count() >= 2 || digits >= 4 || (digits >= 1 && shouted)
}

/// Reports the base64 stretches of `text` that hold a secret.
fn look_into_base64(text: &[u8], mut add: impl FnMut(Span, &[u8])) {
    for stretch in wrapped(text) {
        if let Some(inner) = Scanner::shared().spans(&stretch.text, Rules::Gate).first() {
            add(
                Span { start: stretch.start, end: stretch.end, ..*inner },
                &stretch.text[inner.start..inner.end],
            );
        }
    }
}

/// Sorts, and joins what overlaps; the finding of the lowest rank names the joined one.
fn merge(mut found: Vec<Secret>) -> Vec<Secret> {
    found.sort_by(|a, b| a.span.start.cmp(&b.span.start).then(b.span.end.cmp(&a.span.end)));
    let mut merged: Vec<Secret> = Vec::with_capacity(found.len());
    for secret in found {
        match merged.last_mut() {
            Some(last) if secret.span.start < last.span.end => {
                let end = last.span.end.max(secret.span.end);
                if secret.span.rank < last.span.rank {
                    let start = last.span.start;
                    *last = secret;
                    last.span.start = start;
                }
                last.span.end = end;
            }
            _ => merged.push(secret),
        }
    }
    merged
}

fn ceil(text: &str, at: usize) -> usize {
    let mut cut = at.min(text.len());
    while !text.is_char_boundary(cut) {
        cut += 1;
    }
    cut
}
