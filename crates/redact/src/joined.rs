//! Keys that a line break splits: `ghp_abc⏎def`, as terminals, mails and printed logs do it.
//!
//! Not by reading the whole text once more without its line breaks: most line ends split nothing. A key that goes over one begins in
//! sight of it, so the keywords that the scanner saw anyway say where to look, and only what lies there is put together. A keyword can be
//! split itself; that is looked for where the letters at the break stand side by side in some keyword.

use crate::finding::Span;
use crate::keywords::splits_keyword;
use crate::rule::{RULES, Rule};
use crate::scanner::Scanner;
use crate::view::{is_token_byte, line_gap};

/// A keyword of a rule from which the text goes on to the end of its line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crossing {
    pub(crate) rule: u16,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// So far from a line's end may a keyword stand whose key goes over it.
pub(crate) const REACH: usize = 1_600;
/// Keywords are shorter than this.
const LONGEST_KEYWORD: usize = 48;
/// How many breaks one key may have; with one the next line is left alone, which may be another text.
const BREAKS: [usize; 4] = [0, 1, 2, 60];
/// A rule that knows about line breaks is followed over so many lines.
const MOST_LINES: usize = 6;
/// Not more than this is put together at once.
const LONGEST: usize = 4_000;
/// What is looked at behind a match.
const BORDER: usize = 16;

/// A piece of a text with some line breaks taken out, and where each of its bytes comes from.
#[derive(Default)]
struct Piece {
    text: Vec<u8>,
    /// Where each stretch of it begins, here and in the text.
    stretches: Vec<(usize, usize)>,
    /// Where its last line ends.
    line_end: usize,
}

/// How far a rule looks from its keyword.
#[derive(Debug, Clone, Copy)]
struct Reach {
    before: usize,
    behind: usize,
    /// Over so many line breaks that are no joint.
    lines: usize,
}

impl Reach {
    fn of(rule: &Rule, keyword: usize) -> Self {
        Self {
            before: rule.before,
            behind: keyword + rule.after,
            lines: if rule.solid { 0 } else { MOST_LINES },
        }
    }
}

/// A key that was split: where it is in the text, and how it reads.
pub(crate) struct Split {
    pub(crate) span: Span,
    pub(crate) meant: Vec<u8>,
}

/// The split keys of a text.
pub(crate) fn find(scanner: &Scanner, text: &[u8], crossings: &[Crossing]) -> Vec<Split> {
    let mut found = Vec::new();
    let mut piece = Piece::default();
    for crossing in crossings {
        let (start, end) = (crossing.start as usize, crossing.end as usize);
        let Some(rule) = RULES.get(usize::from(crossing.rule)) else { continue };
        let (before, reach) = (rule.before, Reach::of(rule, end - start));
        // With no break behind it, only a rule that looks back sees something new.
        for breaks in BREAKS.into_iter().skip(usize::from(before == 0)) {
            let taken = piece.put_together(text, start, reach, breaks);
            let at = piece.place_of(start);
            let spans = scanner.apply_at(&piece.text, crossing.rule, at, at + (end - start));
            let whole = spans.iter().any(|span| span.end != piece.line_end);
            found.extend(spans.into_iter().map(|span| piece.split(span)));
            // Fewer breaks than were allowed: more of them change nothing. What ends with its line may go on.
            if whole || taken < breaks {
                break;
            }
        }
    }
    let (mut window, mut hits) = (Vec::new(), Vec::new());
    for at in memchr::memchr_iter(b'\n', text) {
        let Some((left, right)) = joint(text, at) else { continue };
        if !splits_keyword(&text[left.saturating_sub(2)..left], &text[right..text.len().min(right + 2)]) {
            continue;
        }
        let from = left
            - text[..left]
                .iter()
                .rev()
                .take(LONGEST_KEYWORD)
                .take_while(|byte| is_token_byte(**byte))
                .count();
        let behind =
            text[right..].iter().take(LONGEST_KEYWORD).take_while(|byte| is_token_byte(**byte)).count();
        window.clear();
        window.extend_from_slice(&text[from..left]);
        window.extend_from_slice(&text[right..right + behind]);
        let middle = left - from;
        hits.clear();
        scanner.rules_in(&window, |rule, start, end| {
            if start < middle && end > middle {
                hits.push((rule, from + start, end - start));
            }
        });
        for (rule, start, length) in &hits {
            let Some(reach) = RULES.get(usize::from(*rule)).map(|rule| Reach::of(rule, *length)) else {
                continue;
            };
            for breaks in BREAKS.into_iter().skip(1) {
                let taken = piece.put_together(text, *start, reach, breaks);
                let at = piece.place_of(*start);
                let spans = scanner.apply_at(&piece.text, *rule, at, at + length);
                let whole = spans.iter().any(|span| span.end != piece.line_end);
                found.extend(spans.into_iter().map(|span| piece.split(span)));
                if whole || taken < breaks {
                    break;
                }
            }
        }
    }
    found
}

/// Where the text before a line break ends and the text behind it begins, if both sides could be one key.
fn joint(text: &[u8], newline: usize) -> Option<(usize, usize)> {
    let left = newline - line_lead(&text[..newline]);
    (left > 0 && is_token_byte(text[left - 1])).then_some(())?;
    let gap = line_gap(&text[left..]);
    let right = left + gap;
    (gap > 0 && text.get(right).is_some_and(|byte| is_token_byte(*byte))).then_some((left, right))
}

/// How many bytes at the end of a line only lead over to the next one.
fn line_lead(line: &[u8]) -> usize {
    line.iter().rev().take(4).take_while(|byte| matches!(byte, b' ' | b'\\' | b'\r')).count()
}

impl Piece {
    /// Puts the text around `start` together, with so many line breaks taken out behind it (and one before it, where the rule looks
    /// back). Gives how many there were.
    fn put_together(&mut self, text: &[u8], start: usize, reach: Reach, breaks: usize) -> usize {
        self.text.clear();
        self.stretches.clear();
        self.line_end = usize::MAX;
        if reach.before > 0 {
            self.look_back(text, start, reach.before);
        } else {
            // The byte before a match says whether it is inside a word.
            self.copy(text, start.saturating_sub(BORDER), start);
        }
        let (mut at, mut taken, mut lines) = (start, 0, reach.lines);
        let most = start + reach.behind.min(LONGEST) + BORDER;
        while at < text.len().min(most) {
            let line_end = memchr::memchr(b'\n', &text[at..text.len().min(most)]).map(|end| at + end);
            match line_end.and_then(|end| joint(text, end)).filter(|(left, _)| taken < breaks && *left >= at)
            {
                Some((left, right)) => {
                    self.copy(text, at, left);
                    at = right;
                    taken += 1;
                }
                None if lines > 0 && line_end.is_some_and(|end| joint(text, end).is_none()) => {
                    let next = line_end.map_or(most, |end| end + 1);
                    self.copy(text, at, next);
                    at = next;
                    lines -= 1;
                }
                None => {
                    let stop = line_end.unwrap_or(text.len().min(most));
                    self.copy(text, at, stop);
                    self.line_end = self.text.len() - line_lead(&text[at..stop]);
                    self.copy(text, stop, text.len().min(stop + BORDER));
                    break;
                }
            }
        }
        taken
    }

    fn look_back(&mut self, text: &[u8], start: usize, before: usize) {
        let from = start.saturating_sub(before + 64);
        match memchr::memrchr(b'\n', &text[from..start]).and_then(|at| joint(text, from + at)) {
            Some((left, right)) if right <= start => {
                self.copy(text, from, left);
                self.copy(text, right, start);
            }
            _ => self.copy(text, from, start),
        }
    }

    fn copy(&mut self, text: &[u8], from: usize, to: usize) {
        self.stretches.push((self.text.len(), from));
        self.text.extend_from_slice(&text[from..to]);
    }

    /// Where a byte of the text is in the piece.
    fn place_of(&self, at: usize) -> usize {
        let stretch = self.stretches.partition_point(|(_, from)| *from <= at).saturating_sub(1);
        self.stretches.get(stretch).map_or(0, |(here, from)| here + at.saturating_sub(*from))
    }

    /// Where a byte of the piece is in the text.
    fn origin(&self, at: usize) -> usize {
        let stretch = self.stretches.partition_point(|(here, _)| *here <= at).saturating_sub(1);
        self.stretches.get(stretch).map_or(0, |(here, from)| from + at - here)
    }

    fn split(&self, span: Span) -> Split {
        let (start, end) = (self.origin(span.start), self.origin(span.end.saturating_sub(1)) + 1);
        Split { span: Span { start, end, ..span }, meant: self.text[span.start..span.end].to_vec() }
    }
}

/// Whether a key that was found up to here ends before its line does, or the next line begins with something else: then no line break
/// splits it.
pub(crate) fn ends_here(text: &[u8], upto: usize, keyword: &[u8]) -> bool {
    let gap = text[upto..].iter().take(4).take_while(|byte| matches!(byte, b' ' | b'\\' | b'\r')).count();
    match text.get(upto + gap) {
        Some(b'\n') => begins_anew(&text[upto + line_gap(&text[upto..])..], keyword),
        other => other.is_some(),
    }
}

/// Whether a line is plainly not the rest of a key: another key of the same kind, a day (`2024-11-15`), or a setting (`name = `, `NAME=x`).
fn begins_anew(line: &[u8], keyword: &[u8]) -> bool {
    if line.get(..keyword.len()).is_some_and(|first| first.eq_ignore_ascii_case(keyword)) {
        return true;
    }
    let digits = |from: usize, to: usize| {
        line.get(from..to).is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
    };
    if digits(0, 4) && digits(5, 7) && digits(8, 10) && line[4] == line[7] && matches!(line[4], b'-' | b'/') {
        return true;
    }
    let name = line.iter().take(48).take_while(|byte| crate::value::is_name_byte(**byte)).count();
    let word = &line[..name];
    // A key that goes on has a digit or jumps between the cases.
    let plain = name >= 2
        && !word.iter().any(u8::is_ascii_digit)
        && !(word.iter().any(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase));
    plain
        && match &line[name..] {
            // Padding has nothing behind it.
            [b'=', next, ..] => *next != b'=' && !next.is_ascii_whitespace(),
            [b' ', b'=' | b':', b' ', ..] | [b':', b' ', ..] => true,
            _ => false,
        }
}

/// Whether a hit at `end` goes on to the end of its line, or begins near the line's start where its rule looks back.
pub(crate) fn crosses(text: &[u8], start: usize, end: usize, rule: &Rule) -> bool {
    let rest = &text[end..text.len().min(end + REACH.min(rule.after))];
    let reaches = if rule.solid {
        rest.iter().position(|byte| !is_token_byte(*byte)).is_some_and(|at| {
            let gap =
                rest[at..].iter().take(4).take_while(|byte| matches!(byte, b' ' | b'\\' | b'\r')).count();
            rest.get(at + gap) == Some(&b'\n') && joint(text, end + at + gap).is_some()
        })
    } else {
        // It may go over a few lines by itself; one of the breaks may be one too many.
        memchr::memchr_iter(b'\n', rest).take(MOST_LINES).any(|at| joint(text, end + at).is_some())
    };
    if reaches || rule.before == 0 {
        return reaches;
    }
    let near = &text[start.saturating_sub(rule.before)..start];
    let run = near.iter().rev().take_while(|byte| is_token_byte(**byte)).count();
    let break_at = start - run;
    break_at > 0 && text[..break_at].iter().rev().take(40).any(|byte| *byte == b'\n')
}
