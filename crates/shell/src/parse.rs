//! The parser: brush's grammar of bash behind functions that neither overflow the stack, nor panic, nor run for ever.

use crate::nesting::Shape;
use crate::quiet::catch;
use brush_parser::word::WordPieceWithSource;
use brush_parser::{ParserOptions, ast};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Stack for a text that nests deeper than usual, and for the parser on such a text.
pub(crate) const DEEP_STACK: usize = 256 * 1024 * 1024;

/// Longest that one judgement may take altogether.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Parsers that ran out of time and still run, in this process. A hook ends at once; a server must not collect them.
static ABANDONED: AtomicUsize = AtomicUsize::new(0);
const MAX_ABANDONED: usize = 4;

/// The bounds of one judgement.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Whether this thread has the large stack.
    pub deep: bool,
    /// Set when a text was refused only for want of that stack.
    pub wants_deep: Cell<bool>,
    end: Instant,
}

impl Limits {
    pub(crate) fn new(deep: bool) -> Self {
        Self { deep, wants_deep: Cell::new(false), end: Instant::now() + PATIENCE }
    }

    /// Whether the time is used up.
    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// A whole script; `None` when it is not valid shell, or too large or too deep to parse safely.
    pub(crate) fn script(&self, text: &str) -> Option<ast::Program> {
        let mut parsed = self.bounded(text, program);
        if parsed.is_none() && text.contains("((") && text.contains("for") {
            // bash needs no blank there and reads `;;` as two ends; the parser does not.
            let plain = text
                .replace("for((", "for ((")
                .replace("((;;))", "((1;1;1))")
                .replace("(( ; ; ))", "((1;1;1))");
            parsed = self.bounded(&plain, program);
        }
        if parsed.is_some() || !text.contains("<<") {
            return parsed;
        }
        // bash ends a here-document at the end of the text; the parser wants to see its last line.
        self.bounded(&format!("{text}\n{}\n", last_here_tag(text)?), program)
    }

    /// The pieces of one word; `None` when they cannot be told apart.
    pub(crate) fn word(&self, text: &str) -> Option<Vec<WordPieceWithSource>> {
        self.bounded(text, |text| brush_parser::word::parse(text, &ParserOptions::default()).ok())
    }

    /// The pieces of a here-document, where quotes are plain characters.
    pub(crate) fn here_document(&self, text: &str) -> Option<Vec<WordPieceWithSource>> {
        self.bounded(text, |text| brush_parser::word::parse_heredoc(text, &ParserOptions::default()).ok())
    }

    /// Parses within the bounds of stack and time, whatever the text is.
    fn bounded<T: Send + 'static>(&self, text: &str, parse: fn(&str) -> Option<T>) -> Option<T> {
        let shape = Shape::of(text);
        if !shape.is_parseable() {
            return None;
        }
        if shape.is_deep() && !self.deep {
            self.wants_deep.set(true);
            return None;
        }
        if !shape.may_be_slow() {
            return catch(|| parse(text)).flatten();
        }
        self.with_time_limit(text, parse)
    }

    fn with_time_limit<T: Send + 'static>(&self, text: &str, parse: fn(&str) -> Option<T>) -> Option<T> {
        let left = self.end.checked_duration_since(Instant::now())?;
        if ABANDONED.load(Ordering::Relaxed) >= MAX_ABANDONED {
            return None;
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        let owned = text.to_owned();
        // Counted while it runs: one that never ends stays counted.
        ABANDONED.fetch_add(1, Ordering::Relaxed);
        let worker = std::thread::Builder::new().stack_size(DEEP_STACK).spawn(move || {
            let parsed = catch(|| parse(&owned)).flatten();
            ABANDONED.fetch_sub(1, Ordering::Relaxed);
            let _ = sender.send(parsed);
        });
        if worker.is_err() {
            ABANDONED.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        receiver.recv_timeout(left).ok().flatten()
    }
}

fn program(text: &str) -> Option<ast::Program> {
    let reader = std::io::BufReader::new(text.as_bytes());
    brush_parser::Parser::new(reader, &ParserOptions::default()).parse_program().ok()
}

/// The tag of the first here-document that no line closes.
fn last_here_tag(text: &str) -> Option<&str> {
    text.match_indices("<<").find_map(|(at, _)| {
        let rest = text[at + 2..].trim_start_matches(['-', ' ']).trim_start_matches(['\'', '"', '\\']);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let tag = &rest[..end];
        (!tag.is_empty() && !rest.lines().skip(1).any(|line| line.trim_start_matches('\t') == tag))
            .then_some(tag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shell_is_none() {
        let limits = Limits::new(false);
        assert!(limits.script("if then fi (").is_none());
        assert!(limits.script("a | b && c").is_some());
    }

    #[test]
    fn a_deep_text_asks_for_the_large_stack() {
        let text = format!("{}true{}", "if true; then ".repeat(30), "; fi".repeat(30));
        let limits = Limits::new(false);
        assert!(limits.script(&text).is_none() && limits.wants_deep.get());
    }
}
