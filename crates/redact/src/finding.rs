//! What a scan reports: which rule, where, and at most the last four characters.

use serde::Serialize;

use crate::keyed::{KEYED_PASSWORD, KEYED_SECRET};
use crate::rule::RULES;

/// A secret found in a text. It names the place, never the secret: nothing here can print it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Id of the rule that matched.
    pub rule: &'static str,
    /// First byte of the secret.
    pub start: usize,
    /// One past the last byte of the secret.
    pub end: usize,
    /// Line of the first byte, from 1.
    pub line: usize,
    /// Column of the first byte in its line, in bytes, from 1.
    pub column: usize,
    /// The last four characters of a secret long enough that they give nothing away; else empty.
    pub last4: String,
}

/// A secret's bytes, before line and column are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) rule: &'static str,
    /// Where spans overlap, the lowest rank names the secret: rules rank as they stand in `rules.toml`.
    pub(crate) rank: u16,
}

/// Secrets shorter than this show nothing of themselves.
const SHOW_TAIL_FROM: usize = 16;

/// Sorts spans, drops what another span already covers, and joins what overlaps: one secret, one span.
pub(crate) fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by(|a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => {
                last.end = last.end.max(span.end);
                if span.rank < last.rank {
                    (last.rule, last.rank) = (span.rule, span.rank);
                }
            }
            _ => merged.push(span),
        }
    }
    merged
}

/// Adds line, column and tail to merged (so: sorted) spans, in one walk over the text.
pub(crate) fn locate(text: &[u8], spans: &[Span]) -> Vec<Finding> {
    let (mut line, mut line_start, mut seen) = (1, 0, 0);
    let mut findings = Vec::with_capacity(spans.len());
    for span in spans {
        for newline in memchr::memchr_iter(b'\n', &text[seen..span.start]) {
            line += 1;
            line_start = seen + newline + 1;
        }
        seen = span.start;
        findings.push(Finding {
            rule: span.rule,
            start: span.start,
            end: span.end,
            line,
            column: span.start - line_start + 1,
            last4: tail(&text[span.start..span.end]),
        });
    }
    findings
}

/// What a rule finds, in a few words.
pub fn about(rule: &str) -> &'static str {
    match rule {
        KEYED_SECRET => "Generated value beside a name that announces a secret",
        KEYED_PASSWORD => "Password beside its name",
        _ => RULES.iter().find(|known| known.id == rule).map_or("Secret", |known| known.about),
    }
}

fn tail(secret: &[u8]) -> String {
    let body = secret.trim_ascii_end();
    if body.len() < SHOW_TAIL_FROM {
        return String::new();
    }
    let last = String::from_utf8_lossy(&body[body.len() - 4..]);
    last.chars().filter(char::is_ascii_graphic).collect()
}
