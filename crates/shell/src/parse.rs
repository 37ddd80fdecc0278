//! The parser: brush's grammar of bash behind two functions that cannot overflow the stack.

use crate::nesting;
use brush_parser::word::{BraceExpressionMember, BraceExpressionOrText, WordPieceWithSource};
use brush_parser::{ParserOptions, ast};

/// Stack for lines that nest deeper than usual.
const DEEP_STACK: usize = 256 * 1024 * 1024;

/// Longest that a doubtful text is parsed.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(400);

/// Most words that one brace expression may become.
const MAX_BRACE_WORDS: usize = 64;

/// Longest word whose braces are expanded.
const MAX_BRACE_TEXT: usize = 1024;

/// A whole script; `None` when it is not valid shell, or too large or too deep to parse safely.
pub(crate) fn script(text: &str) -> Option<ast::Program> {
    let parsed = on_enough_stack(text, program);
    if parsed.is_some() || !text.contains("<<") {
        return parsed;
    }
    // bash ends a here-document at the end of the text; the parser wants to see its last line.
    on_enough_stack(&format!("{text}\n{}\n", last_here_tag(text)?), program)
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

/// The pieces of one word; `None` when they cannot be told apart.
pub(crate) fn word(text: &str) -> Option<Vec<WordPieceWithSource>> {
    on_enough_stack(text, |text| brush_parser::word::parse(text, &ParserOptions::default()).ok())
}

/// The pieces of a here-document, where quotes are plain characters.
pub(crate) fn here_document(text: &str) -> Option<Vec<WordPieceWithSource>> {
    on_enough_stack(text, |text| brush_parser::word::parse_heredoc(text, &ParserOptions::default()).ok())
}

fn on_enough_stack<T: Send + 'static>(text: &str, parse: fn(&str) -> Option<T>) -> Option<T> {
    if !nesting::is_parseable(text) {
        return None;
    }
    let slow = nesting::may_be_slow(text);
    if slow && !text.contains("<<") {
        return None;
    }
    if !slow && nesting::depth(text) <= nesting::ORDINARY_NESTING {
        return parse(text);
    }
    // A long here-document may look deep without being so: it gets a large stack and a limited time. The thread cannot be
    // stopped, but the process that asks is a hook and ends at once.
    let (sender, receiver) = std::sync::mpsc::channel();
    let owned = text.to_owned();
    let worker = std::thread::Builder::new().stack_size(DEEP_STACK).spawn(move || {
        let _ = sender.send(parse(&owned));
    });
    worker.ok()?;
    receiver.recv_timeout(PATIENCE).ok().flatten()
}

/// The words that brace expansion makes of one word: `{a,b}c` is `ac` and `bc`.
pub(crate) fn braces(text: &str) -> Vec<String> {
    if text.len() > MAX_BRACE_TEXT && text.contains('{') && !text.contains(['\'', '"', '$', '`']) {
        return vec![crate::value::HOLE.to_string()];
    }
    if !text.contains('{')
        || text.len() > MAX_BRACE_TEXT
        || !nesting::is_parseable(text)
        || nesting::depth(text) > nesting::ORDINARY_NESTING
    {
        return vec![text.to_owned()];
    }
    match brush_parser::word::parse_brace_expansions(text, &ParserOptions::default()) {
        Ok(Some(parts)) => {
            let words = expand_parts(&parts);
            if words.is_empty() { vec![text.to_owned()] } else { words }
        }
        _ => vec![text.to_owned()],
    }
}

fn expand_parts(parts: &[BraceExpressionOrText]) -> Vec<String> {
    let mut words = vec![String::new()];
    for part in parts {
        let choices = match part {
            BraceExpressionOrText::Text(text) => vec![text.clone()],
            BraceExpressionOrText::Expr(members) => members.iter().flat_map(expand_member).collect(),
        };
        let mut next = Vec::new();
        for word in &words {
            for choice in choices.iter().take(MAX_BRACE_WORDS) {
                if next.len() < MAX_BRACE_WORDS {
                    next.push(format!("{word}{choice}"));
                }
            }
        }
        words = next;
    }
    words
}

fn expand_member(member: &BraceExpressionMember) -> Vec<String> {
    match member {
        BraceExpressionMember::Child(parts) => expand_parts(parts),
        BraceExpressionMember::NumberSequence { start, end, increment } => {
            let step = increment.unsigned_abs().max(1) as usize;
            let range: Vec<i64> = if start <= end {
                (*start..=*end).step_by(step).take(MAX_BRACE_WORDS).collect()
            } else {
                (*end..=*start).rev().step_by(step).take(MAX_BRACE_WORDS).collect()
            };
            range.into_iter().map(|n| n.to_string()).collect()
        }
        BraceExpressionMember::CharSequence { start, end, .. } => {
            let (low, high) = (start.min(end), start.max(end));
            (*low..=*high).take(MAX_BRACE_WORDS).map(String::from).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_become_words() {
        assert_eq!(braces("{git,push,--force}"), ["git", "push", "--force"]);
        assert_eq!(braces("a{1..3}"), ["a1", "a2", "a3"]);
        assert_eq!(braces("plain"), ["plain"]);
    }

    #[test]
    fn what_is_not_shell_is_none() {
        assert!(script("if then fi (").is_none());
        assert!(script("a | b && c").is_some());
    }
}
