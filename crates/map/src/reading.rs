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
/// More of one kind of damage is not told apart.
const MOST: u32 = 999;

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
        /// How much it is, as in [`Reading::Broken`].
        damage: u32,
    },
    /// A bracket or a quote mark has no counterpart, or much is not understood.
    Broken {
        /// How much: first the marks of a conflict, then brackets and quote marks without a counterpart, then (if nothing is out of
        /// balance) lines that are not understood. Less of it is better; never zero.
        damage: u32,
        /// Only closing brackets at the end of the text are missing: it is not finished yet.
        open: bool,
    },
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
    let bridged = gaps::bridged(language, text, &tree, |text| parse(language, text, started));
    let (filled, tree) = match &bridged {
        Some((_, tree)) if !tree.root_node().has_error() => return Some(Reading::Whole),
        Some((filled, tree)) => (filled.as_slice(), tree),
        None => (text, &tree),
    };
    let found = look(filled, tree);
    let is_open = || {
        let Some(closed) = found.closed(text) else { return false };
        let Some(tree) = parse(language, &closed, started) else { return false };
        !tree.root_node().has_error()
            || gaps::bridged(language, &closed, &tree, |text| parse(language, text, started))
                .is_some_and(|(_, tree)| !tree.root_node().has_error())
    };
    let conflict = conflict_marks(text).min(MOST) * (MOST + 1) * (MOST + 1);
    Some(match found_reading(&found, filled) {
        Reading::Whole => Reading::Whole,
        Reading::Odd { faults, damage } => Reading::Odd { faults, damage: damage + conflict },
        Reading::Broken { damage, .. } => {
            Reading::Broken { damage: damage + conflict, open: conflict == 0 && is_open() }
        }
    })
}

/// Lines that a merge leaves where somebody has to choose.
fn conflict_marks(text: &[u8]) -> u32 {
    let is_mark = |line: &&[u8]| {
        line.starts_with(b"<<<<<<< ") || line.starts_with(b">>>>>>> ") || line.trim_ascii_end() == b"======="
    };
    // An underlined title is no conflict.
    if !text.windows(9).any(|part| part == b"\n<<<<<<< ") && !text.starts_with(b"<<<<<<< ") {
        return 0;
    }
    u32::try_from(text.split(|byte| *byte == b'\n').filter(is_mark).count()).unwrap_or(MOST)
}

fn parse(language: Language, text: &[u8], started: Instant) -> Option<Tree> {
    patience::parse(language, text, started, Some(HOOK_PATIENCE)).tree()
}

/// What a tree with errors says.
pub(crate) fn faults(text: &[u8], tree: &Tree) -> Reading {
    found_reading(&look(text, tree), text)
}

fn found_reading(found: &Found, text: &[u8]) -> Reading {
    let much = found.lines >= MUCH_LINES && found.bytes * 100 >= text.len() * MUCH_SHARE;
    let damage = found.damage(text);
    if much || found.unbalanced || !found.stack.is_empty() || !found.quotes.len().is_multiple_of(2) {
        return Reading::Broken { damage, open: false };
    }
    Reading::Odd { faults: found.marks.max(1), damage }
}

fn look(text: &[u8], tree: &Tree) -> Found {
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
            } else if node.is_missing() {
                found.lines += 1;
            }
            found.mark(text, node);
            skipped_quotes(text, node, &mut found.quotes);
        }
        if node.child_count() == 0 {
            found.token(node);
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
    found
}

/// What was found on the way through a tree.
#[derive(Default)]
struct Found {
    /// Brackets that wait for their counterpart, in order.
    stack: Vec<u8>,
    /// Quote marks that belong to no text: where they stand.
    quotes: Vec<usize>,
    unbalanced: bool,
    /// Brackets before the end of the text that have no counterpart.
    lone: usize,
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
            self.quotes.push(node.start_byte());
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
            self.quotes.push(node.start_byte());
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
                    self.close(wanted);
                }
                _ => {}
            }
        }
    }

    /// A closing bracket: what was opened inside and not closed has no counterpart, or it has none itself.
    fn close(&mut self, wanted: u8) {
        match self.stack.iter().rposition(|open| *open == wanted) {
            Some(at) => {
                self.lone += self.stack.len() - at - 1;
                self.unbalanced |= self.stack.len() - at > 1;
                self.stack.truncate(at);
            }
            None => {
                self.lone += 1;
                self.unbalanced = true;
            }
        }
    }

    fn damage(&self, text: &[u8]) -> u32 {
        let number = |count: usize| u32::try_from(count).unwrap_or(MOST).min(MOST);
        let out_of_balance = self.lone + self.stack.len() + self.lone_quotes(text);
        let out_of_balance = if out_of_balance == 0 { usize::from(self.unbalanced) } else { out_of_balance };
        if out_of_balance > 0 { number(out_of_balance) * (MOST + 1) } else { number(self.lines).max(1) }
    }

    /// Lines with an odd number of quote marks that belong to no text.
    fn lone_quotes(&self, text: &[u8]) -> usize {
        let mut places = self.quotes.clone();
        places.sort_unstable();
        let same_line =
            |a: &usize, b: &usize| !text.get(*a..*b).is_some_and(|between| between.contains(&b'\n'));
        places.chunk_by(same_line).filter(|line| line.len() % 2 != 0).count()
    }

    /// The text with the brackets that are still open at its end closed; none, if something else is out of balance.
    fn closed(&self, text: &[u8]) -> Option<Vec<u8>> {
        if self.lone > 0 || self.stack.is_empty() || !self.quotes.len().is_multiple_of(2) {
            return None;
        }
        let mut closed = text.to_vec();
        closed.push(b'\n');
        closed.extend(self.stack.iter().rev().map(|open| match open {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        }));
        closed.push(b'\n');
        Some(closed)
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
fn skipped_quotes(text: &[u8], node: Node<'_>, to: &mut Vec<usize>) {
    if !node.is_error() {
        return;
    }
    let mut count = |from: usize, end: usize| {
        let part = text.get(from..end.max(from)).unwrap_or_default();
        let quotes = part.iter().enumerate().filter(|(_, byte)| matches!(byte, b'"' | b'`'));
        to.extend(quotes.map(|(at, _)| from + at));
    };
    let mut from = node.start_byte();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        count(from, child.start_byte());
        from = child.end_byte();
    }
    count(from, node.end_byte());
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
