//! [`Reading`]: can a text be read as what its name says, and if not, how bad is it?
//!
//! No grammar knows all of its language: new syntax, dialects and templates come faster than grammars do. So what a grammar does
//! not understand is *broken* only where something is out of balance (a bracket or a quote mark is missing, by the grammar's own
//! tokens) or where it does not understand much of the text. A small place that it does not understand is *odd*: who edits
//! the text has to tell whether that is a mistake or news.

use std::time::{Duration, Instant};

use tree_sitter::{Node, Tree};

use crate::Language;
use crate::gaps;
use crate::outline::bare;
use crate::patience;

/// Parsing that takes longer is given up: an agent waits for it.
const HOOK_PATIENCE: Duration = Duration::from_millis(200);

/// What is not understood is much from so many lines on, and so many of a hundred of the text.
const MUCH_LINES: usize = 8;
const MUCH_SHARE: usize = 34;

/// How a text reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The grammar understands all of it.
    Whole,
    /// It does not understand small places, and nothing is out of balance.
    Odd {
        /// What is not understood, as a set of marks: if all marks of one reading are in another one, all that was odd then
        /// is still there, word by word. Never zero.
        faults: u64,
    },
    /// A bracket or a quote mark has no counterpart, or much is not understood.
    Broken,
}

/// Reads a text as this language; `None`: it was not parsed (too long, binary, made by a program, took too long). Only the parse,
/// without the outline: a hook may ask this about the one file that was just edited.
pub fn reading(language: Language, text: &[u8]) -> Option<Reading> {
    if bare(text).unread.is_some() {
        return None;
    }
    let started = Instant::now();
    let tree = parse(language, text, started)?;
    if !tree.root_node().has_error() {
        return Some(Reading::Whole);
    }
    match gaps::bridged(language, text, &tree, |text| parse(language, text, started)) {
        Some((_, tree)) if !tree.root_node().has_error() => Some(Reading::Whole),
        Some((text, tree)) => Some(faults(&text, &tree)),
        None => Some(faults(text, &tree)),
    }
}

fn parse(language: Language, text: &[u8], started: Instant) -> Option<Tree> {
    patience::parse(language, text, started, Some(HOOK_PATIENCE)).tree()
}

/// What a tree with errors says.
pub(crate) fn faults(text: &[u8], tree: &Tree) -> Reading {
    let mut found = Found::default();
    let mut cursor = tree.walk();
    let mut covered_to = 0;
    'walk: loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            // Errors lie in errors: each byte counts once.
            let start = node.start_byte().max(covered_to);
            if node.end_byte() > start {
                found.bytes += node.end_byte() - start;
                found.lines += words::line_breaks(&text[start..node.end_byte()]) + 1;
                covered_to = node.end_byte();
            }
            found.mark(text, node);
            found.quotes += skipped_quotes(text, node);
        }
        if node.child_count() == 0 {
            found.token(node);
            if found.unbalanced {
                return Reading::Broken;
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'walk;
            }
        }
    }
    let much = found.lines >= MUCH_LINES && found.bytes * 100 >= text.len() * MUCH_SHARE;
    if much || !found.stack.is_empty() || found.quotes % 2 != 0 {
        return Reading::Broken;
    }
    Reading::Odd { faults: found.marks.max(1) }
}

/// What was found on the way through a tree.
#[derive(Default)]
struct Found {
    /// Brackets that wait for their counterpart, in order.
    stack: Vec<u8>,
    /// Quote marks that belong to no text.
    quotes: usize,
    unbalanced: bool,
    bytes: usize,
    lines: usize,
    marks: u64,
}

impl Found {
    /// A word of the text, as the grammar reads it.
    fn token(&mut self, node: Node<'_>) {
        let kind = node.kind();
        // Some grammars have names for the quote marks of a text.
        if matches!(kind, "string_start" | "string_end")
            && node.parent().is_some_and(|parent| parent.is_error())
        {
            self.quotes += 1;
            return;
        }
        let is_sign =
            !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_punctuation() && byte != b'_');
        if !is_sign || node.is_named() {
            return;
        }
        let is_quote = kind.bytes().all(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        let has_bracket = kind.bytes().any(|byte| matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}'));
        // The grammar itself says what is not there.
        if node.is_missing() {
            self.unbalanced |= is_quote || has_bracket;
            return;
        }
        let parent = node.parent();
        if is_quote && parent.is_some_and(|parent| parent.is_error()) {
            self.quotes += 1;
        }
        // `a)` before a branch of a shell's `case` closes nothing.
        if !has_bracket || parent.is_some_and(|parent| parent.kind() == "case_item") {
            return;
        }
        for byte in kind.bytes() {
            match byte {
                b'(' | b'[' | b'{' => self.stack.push(byte),
                b')' | b']' | b'}' => {
                    let wanted = match byte {
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    self.unbalanced |= self.stack.pop() != Some(wanted);
                }
                _ => {}
            }
        }
    }

    /// A place that is not understood, as one of 64 marks.
    fn mark(&mut self, text: &[u8], node: Node<'_>) {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |bytes: &[u8]| {
            for byte in bytes {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        add(node.kind().as_bytes());
        let shown =
            if node.is_missing() { line_around(text, node.start_byte()) } else { &text[node.byte_range()] };
        // Where a line breaks and how far it is indented is a formatter's business.
        for word in shown.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            add(word);
            add(b" ");
        }
        self.marks |= 1 << (hash ^ (hash >> 32) ^ (hash >> 17)).rem_euclid(64);
    }
}

/// Quote marks that the grammar passed over: they are in the error, and in none of its parts.
fn skipped_quotes(text: &[u8], node: Node<'_>) -> usize {
    if !node.is_error() {
        return 0;
    }
    let count = |from: usize, to: usize| {
        text.get(from..to.max(from))
            .unwrap_or_default()
            .iter()
            .filter(|byte| matches!(byte, b'"' | b'`'))
            .count()
    };
    let (mut from, mut quotes) = (node.start_byte(), 0);
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        quotes += count(from, child.start_byte());
        from = child.end_byte();
    }
    quotes + count(from, node.end_byte())
}

fn line_around(text: &[u8], at: usize) -> &[u8] {
    let at = at.min(text.len());
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
    let end = text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |length| at + length);
    &text[start..end]
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
