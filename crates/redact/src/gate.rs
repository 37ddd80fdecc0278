//! The gate: the only way to a [`Clean`].
//!
//! Scan, replace, scan again. The text is scanned as it stands and in every reading that [`crate::view`] knows, and inside
//! base64. If after all rounds a rule still matches, the whole text is withheld: a gate that only counts is no gate.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use crate::base64::{hex_wrapped, wrapped};
use crate::clean::{Clean, Counts};
use crate::finding::Span;
use crate::joined::{self, Crossing};
use crate::pem;
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
    /// By a hash of rule and secret, never by the secret.
    numbers: HashMap<u64, usize>,
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
        let (mut proven, mut filtered_before) = (false, false);
        for _ in 0..ROUNDS {
            let replaced = self.replace_secrets(&text, &mut counts);
            // Where nothing changed since the filter found nothing, it would find nothing again.
            let filtered = match filtered_before && replaced.is_none() {
                true => None,
                false => self.replace_private(replaced.as_deref().unwrap_or(&text), &mut counts),
            };
            filtered_before = filtered.is_none();
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
            push_mark(&mut out, secret.span.rule, number);
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
        let key = self.hasher.hash_one((rule, meant));
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let last = self.last_number.entry(rule).or_default();
        *last += 1;
        self.numbers.insert(key, *last);
        *last
    }
}

/// Puts `[redacted:rule#number]` behind a text.
fn push_mark(out: &mut String, rule: &str, number: usize) {
    let (mut digits, mut first, mut rest) = ([b'0'; 20], 20, number);
    while first == 20 || rest > 0 {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.push_str("[redacted:");
    out.push_str(rule);
    out.push('#');
    out.extend(digits[first..].iter().map(|digit| char::from(*digit)));
    out.push(']');
}

/// A secret in the original text, and how it reads without its disguise.
pub(crate) struct Secret {
    pub(crate) span: Span,
    meant: Vec<u8>,
}

/// All secrets in `text`, in any reading of it, sorted and without overlap.
pub(crate) fn secrets(text: &[u8]) -> Vec<Secret> {
    let scanner = Scanner::shared();
    let mut found = Found { text, secrets: Vec::new() };
    let (spans, crossings) = scanner.gate_spans(text, &|_, _| false);
    for span in spans {
        found.add(span, &text[span.start..span.end]);
    }
    look_into_base64(text, &|_, _| false, |span, meant| found.add(span, meant));
    for span in pem::tails(text) {
        found.add(span, &text[span.start..span.end]);
    }
    for split in joined::find(scanner, text, &crossings) {
        found.add_split(split.span, &split.meant);
    }
    let Some(view) = View::of(text) else { return Vec::new() };
    if let Some(dumped) = view.of_dumped_bytes() {
        // The column beside the digits shows the same letters: the lines go as a whole.
        for span in scanner.spans(&dumped.text, Rules::Gate) {
            let (start, end) = dumped.original(span.start, span.end);
            let (start, end) = whole_lines(text, start, end);
            found.add(Span { start, end, ..span }, &dumped.text[span.start..span.end]);
        }
    }
    look_at_readings(&mut found, view);
    merge(found.secrets)
}

/// Each reading builds on the one before; escapes can lie three deep (JSON in JSON in a log).
fn look_at_readings<'t>(found: &mut Found<'_>, mut view: View<'t>) {
    let readings: [fn(&View<'t>) -> Option<View<'t>>; 7] = [
        View::without_zeros,
        View::without_ansi,
        View::without_entities,
        View::without_escapes,
        View::without_escapes,
        View::without_escapes,
        View::without_percent,
    ];
    let mut crossings = None;
    for reading in readings {
        if let Some(next) = reading(&view) {
            crossings = Some(found.look_at(&next));
            view = next;
        }
    }
    if let Some(whole) = view.with_pieces_joined(Joints::All) {
        let of_whole = found.look_at(&whole);
        for joints in [Joints::Odd, Joints::Even] {
            if let Some(joined) = view.with_pieces_joined(joints) {
                found.look_at(&joined);
            }
        }
        crossings = Some(of_whole);
        view = whole;
    }
    for split in
        crossings.into_iter().flat_map(|crossings| joined::find(Scanner::shared(), &view.text, &crossings))
    {
        let (start, end) = view.original(split.span.start, split.span.end);
        found.add_split(Span { start, end, ..split.span }, &split.meant);
    }
}

/// What was found so far.
struct Found<'t> {
    text: &'t [u8],
    secrets: Vec<Secret>,
}

impl Found<'_> {
    fn add(&mut self, span: Span, meant: &[u8]) {
        if !is_inside_mark(self.text, &span) {
            self.secrets.push(Secret { span, meant: meant.to_vec() });
        }
    }

    /// Lines of plain words, once put together, can look like a key by chance.
    fn add_split(&mut self, span: Span, meant: &[u8]) {
        if is_jumpy(meant) {
            self.add(span, meant);
        }
    }

    /// Looks at another reading of the text, and says where a key may go over the end of a line there.
    fn look_at(&mut self, view: &View<'_>) -> Vec<Crossing> {
        // What reads here as it is written was judged as it is written.
        let judged = |start: usize, end: usize| view.is_as_written(start, end);
        let (spans, crossings) = Scanner::shared().gate_spans(&view.text, &judged);
        for span in spans {
            let (start, end) = view.original(span.start, span.end);
            self.add(Span { start, end, ..span }, &view.text[span.start..span.end]);
        }
        look_into_base64(&view.text, &judged, |span, meant| {
            let (start, end) = view.original(span.start, span.end);
            self.add(Span { start, end, ..span }, meant);
        });
        crossings
    }
}

/// The lines that `start..end` touches.
fn whole_lines(text: &[u8], start: usize, end: usize) -> (usize, usize) {
    let first = memchr::memrchr(b'\n', &text[..start]).map_or(0, |at| at + 1);
    let last = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |at| end + at);
    (first, last)
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
fn look_into_base64(text: &[u8], judged: &dyn Fn(usize, usize) -> bool, mut add: impl FnMut(Span, &[u8])) {
    for stretch in wrapped(text, judged).into_iter().chain(hex_wrapped(text, judged)) {
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
