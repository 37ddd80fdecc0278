//! Syntax colours, for hunks only, kept by content.
//!
//! Finding the colours of a line takes a tenth of a millisecond, so a page has a budget: what does not fit is shown without
//! colours, and coloured beside the request, for the next look.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// Time that colours may take of one page.
const BUDGET: Duration = Duration::from_millis(35);
/// Longer lines have no colours.
const LONGEST_LINE: usize = 600;
/// Hunks that are remembered.
const MOST_KEPT: usize = 2_000;
/// Lines that are coloured beside a request.
const MOST_LATER: usize = 4_000;

/// A piece of a line and its class, if any.
pub(crate) type Piece = (Option<&'static str>, String);
/// A line in pieces.
pub(crate) type Line = Vec<Piece>;
type Key = [u8; 32];

/// Scopes and what they look like; the longest match counts.
const CLASSES: [(&str, &str); 22] = [
    ("comment", "c"),
    ("string", "s"),
    ("constant.numeric", "n"),
    ("constant.language", "n"),
    ("constant.character.escape", "n"),
    ("constant", "n"),
    ("keyword", "k"),
    ("keyword.operator", "o"),
    ("storage", "k"),
    ("storage.type.function", "k"),
    ("entity.name.function", "f"),
    ("entity.name.type", "t"),
    ("entity.name.class", "t"),
    ("entity.name.tag", "k"),
    ("entity.other.attribute-name", "t"),
    ("support.function", "f"),
    ("support.type", "t"),
    ("support.class", "t"),
    ("variable.function", "f"),
    ("markup.heading", "k"),
    ("meta.mapping.key", "t"),
    ("punctuation.definition.comment", "c"),
];

/// Hunks that wait to be coloured; more are left as they are.
const MOST_WAITING: usize = 400;

/// Colours texts.
#[derive(Debug, Default)]
pub(crate) struct Highlighter {
    kept: Arc<Mutex<HashMap<Key, Arc<Vec<Line>>>>>,
    waiting: Arc<Mutex<Waiting>>,
}

/// What is coloured beside the requests, by one thread that ends when there is no more.
#[derive(Debug, Default)]
struct Waiting {
    hunks: VecDeque<(Key, &'static SyntaxReference, Vec<String>)>,
    working: bool,
}

struct Grammars {
    set: SyntaxSet,
    classes: Vec<(Scope, &'static str)>,
}

/// Read once, when the first diff is shown.
fn grammars() -> &'static Grammars {
    static GRAMMARS: OnceLock<Grammars> = OnceLock::new();
    GRAMMARS.get_or_init(|| {
        let mut classes: Vec<(Scope, &'static str)> =
            CLASSES.iter().filter_map(|(scope, class)| Some((Scope::new(scope).ok()?, *class))).collect();
        classes.sort_by_key(|(scope, _)| std::cmp::Reverse(scope.len()));
        Grammars { set: two_face::syntax::extra_newlines(), classes }
    })
}

/// When the time for colours is over. Reading the grammars, once, does not count.
pub(crate) fn deadline() -> Instant {
    grammars();
    Instant::now() + BUDGET
}

impl Highlighter {
    /// The lines of a hunk in pieces. After `until` only what is remembered has colours.
    pub(crate) fn lines(&self, path: &str, lines: &[&str], until: Instant) -> Arc<Vec<Line>> {
        let plain = || Arc::new(lines.iter().map(|line| vec![(None, (*line).to_owned())]).collect());
        let Some(syntax) = syntax_of(path) else { return plain() };
        let key = key(&syntax.name, lines);
        if let Some(known) = self.kept.lock().ok().and_then(|kept| kept.get(&key).cloned()) {
            return known;
        }
        if let Some(coloured) = colour(syntax, lines, Some(until)) {
            return keep(&self.kept, key, coloured);
        }
        if lines.len() <= MOST_LATER {
            self.later(key, syntax, lines);
        }
        plain()
    }

    fn later(&self, key: Key, syntax: &'static SyntaxReference, lines: &[&str]) {
        let Ok(mut waiting) = self.waiting.lock() else { return };
        if waiting.hunks.len() >= MOST_WAITING || waiting.hunks.iter().any(|(known, ..)| *known == key) {
            return;
        }
        waiting.hunks.push_back((key, syntax, lines.iter().map(|line| (*line).to_owned()).collect()));
        if waiting.working {
            return;
        }
        waiting.working = true;
        let (waiting, kept) = (Arc::clone(&self.waiting), Arc::clone(&self.kept));
        std::thread::spawn(move || {
            while let Some((key, syntax, lines)) = next(&waiting) {
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                if let Some(coloured) = colour(syntax, &lines, None) {
                    keep(&kept, key, coloured);
                }
            }
        });
    }
}

/// The next hunk; if there is none, whoever comes next has to start a thread.
fn next(waiting: &Mutex<Waiting>) -> Option<(Key, &'static SyntaxReference, Vec<String>)> {
    let mut waiting = waiting.lock().ok()?;
    let next = waiting.hunks.pop_front();
    waiting.working = next.is_some();
    next
}

fn keep(kept: &Mutex<HashMap<Key, Arc<Vec<Line>>>>, key: Key, lines: Vec<Line>) -> Arc<Vec<Line>> {
    let lines = Arc::new(lines);
    if let Ok(mut kept) = kept.lock() {
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&lines));
    }
    lines
}

fn syntax_of(path: &str) -> Option<&'static SyntaxReference> {
    let set = &grammars().set;
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or(name, |(_, extension)| extension);
    set.find_syntax_by_extension(name).or_else(|| set.find_syntax_by_extension(extension))
}

fn key(syntax: &str, lines: &[&str]) -> Key {
    let mut hasher = Sha256::new();
    hasher.update(syntax.as_bytes());
    for line in lines {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize().into()
}

/// None if there was not enough time.
fn colour(syntax: &SyntaxReference, lines: &[&str], until: Option<Instant>) -> Option<Vec<Line>> {
    let grammars = grammars();
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut out = Vec::with_capacity(lines.len());
    for line in lines {
        if until.is_some_and(|until| Instant::now() >= until) {
            return None;
        }
        if line.len() > LONGEST_LINE {
            out.push(vec![(None, (*line).to_owned())]);
            continue;
        }
        let whole = format!("{line}\n");
        let Ok(operations) = state.parse_line(&whole, &grammars.set) else {
            out.push(vec![(None, (*line).to_owned())]);
            continue;
        };
        let mut pieces: Line = Vec::new();
        let mut done = 0;
        for (at, operation) in operations {
            let at = at.min(line.len());
            push(&mut pieces, class_of(&stack, grammars), &line[done..at]);
            done = at;
            if stack.apply(&operation).is_err() {
                break;
            }
        }
        push(&mut pieces, class_of(&stack, grammars), &line[done..]);
        out.push(pieces);
    }
    Some(out)
}

fn push(pieces: &mut Line, class: Option<&'static str>, text: &str) {
    if text.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some((last, so_far)) if *last == class => so_far.push_str(text),
        _ => pieces.push((class, text.to_owned())),
    }
}

fn class_of(stack: &ScopeStack, grammars: &Grammars) -> Option<&'static str> {
    stack.as_slice().iter().rev().find_map(|scope| {
        grammars.classes.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, class)| *class)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_get_colours_and_keep_their_text() {
        let highlighter = Highlighter::default();
        let lines = ["fn main() { // start", "    let name = \"value\";", "}"];
        let until = Instant::now() + Duration::from_secs(60);
        let coloured = highlighter.lines("src/main.rs", &lines, until);
        let text: Vec<String> =
            coloured.iter().map(|line| line.iter().map(|(_, text)| text.as_str()).collect()).collect();
        assert_eq!(text, lines);
        assert!(coloured[0].iter().any(|(class, text)| *class == Some("c") && text.contains("start")));
        assert!(coloured[1].iter().any(|(class, text)| *class == Some("s") && text.contains("value")));
        assert!(
            Arc::ptr_eq(&coloured, &highlighter.lines("src/main.rs", &lines, Instant::now())),
            "remembered"
        );
    }

    #[test]
    fn without_time_or_grammar_lines_are_plain() {
        let highlighter = Highlighter::default();
        let late = Instant::now() - Duration::from_millis(1);
        assert_eq!(
            *highlighter.lines("a.rs", &["let a = 1;"], late),
            vec![vec![(None, "let a = 1;".to_owned())]]
        );
        let soon = Instant::now() + Duration::from_secs(60);
        assert_eq!(*highlighter.lines("a.unknown-kind", &["x"], soon), vec![vec![(None, "x".to_owned())]]);
    }
}
