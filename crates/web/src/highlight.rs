//! Syntax colours, for hunks only, kept by content.
//!
//! Finding the colours of a line takes a tenth of a millisecond, so a page has a budget: what does not fit is shown without
//! colours, and coloured beside the request, for the next look. One thread does all of it: the patterns of a grammar keep room to
//! work in for every thread that uses them, and that is megabytes.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// Time that colours may take of one page.
const BUDGET: Duration = Duration::from_millis(35);
/// Longer lines have no colours.
const LONGEST_LINE: usize = 600;
/// Longer hunks have no colours.
const MOST_LINES: usize = 4_000;
/// Pieces that are remembered, of all hunks together: two megabytes.
const MOST_KEPT: usize = 500_000;
/// Bytes of hunks that wait to be coloured; more are left as they are.
const MOST_WAITING: usize = 1 << 20;

/// Scopes and what they look like; the longest match counts.
const CLASSES: [(&str, u8); 22] = [
    ("comment", b'c'),
    ("string", b's'),
    ("constant.numeric", b'n'),
    ("constant.language", b'n'),
    ("constant.character.escape", b'n'),
    ("constant", b'n'),
    ("keyword", b'k'),
    ("keyword.operator", b'o'),
    ("storage", b'k'),
    ("storage.type.function", b'k'),
    ("entity.name.function", b'f'),
    ("entity.name.type", b't'),
    ("entity.name.class", b't'),
    ("entity.name.tag", b'k'),
    ("entity.other.attribute-name", b't'),
    ("support.function", b'f'),
    ("support.type", b't'),
    ("support.class", b't'),
    ("variable.function", b'f'),
    ("markup.heading", b'k'),
    ("meta.mapping.key", b't'),
    ("punctuation.definition.comment", b'c'),
];

type Key = [u8; 32];

/// A piece of a line: where it ends, and the letter of its class; 0: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    end: u16,
    class: u8,
}

/// The colours of a hunk. The text itself is not kept.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Colours {
    pieces: Vec<Piece>,
    /// Where the pieces of each line end.
    lines: Vec<u32>,
}

impl Colours {
    /// A line in pieces, each with the letter of its class, if any. A line without colours is one piece.
    pub(crate) fn line<'t>(
        &self,
        number: usize,
        text: &'t str,
    ) -> impl Iterator<Item = (Option<char>, &'t str)> {
        let at = |line: usize| self.lines.get(line).map_or(0, |end| *end as usize);
        let start = number.checked_sub(1).map_or(0, at);
        let pieces = self.pieces.get(start..at(number)).unwrap_or_default();
        let mut done = 0;
        let coloured = pieces.iter().map(move |piece| {
            let end = usize::from(piece.end).min(text.len());
            let part = text.get(done..end).unwrap_or_default();
            done = end;
            ((piece.class != 0).then_some(char::from(piece.class)), part)
        });
        let plain = pieces.is_empty().then_some((None, text));
        coloured.chain(plain).filter(|(_, part)| !part.is_empty())
    }
}

/// Colours texts.
#[derive(Debug, Default)]
pub(crate) struct Highlighter {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    work: Mutex<Work>,
    /// Something waits.
    waits: Condvar,
    /// Something was coloured.
    done: Condvar,
}

#[derive(Debug, Default)]
struct Work {
    kept: HashMap<Key, Arc<Colours>>,
    pieces: usize,
    waiting: VecDeque<(Key, &'static SyntaxReference, Box<str>)>,
    bytes: usize,
    /// What the thread is at.
    current: Option<Key>,
    running: bool,
}

impl Work {
    fn keep(&mut self, key: Key, colours: Colours) {
        if self.pieces + colours.pieces.len() > MOST_KEPT {
            self.kept.clear();
            self.pieces = 0;
        }
        self.pieces += colours.pieces.len();
        self.kept.insert(key, Arc::new(colours));
    }

    /// Puts a hunk first in the queue: somebody looks at it now.
    fn ask(&mut self, key: Key, syntax: &'static SyntaxReference, lines: &[&str]) {
        if self.current == Some(key) {
            return;
        }
        if let Some(at) = self.waiting.iter().position(|(known, ..)| *known == key) {
            let hunk = self.waiting.remove(at);
            self.waiting.extend(hunk);
            return;
        }
        let text = lines.join("\n").into_boxed_str();
        while self.bytes + text.len() > MOST_WAITING {
            let Some((_, _, oldest)) = self.waiting.pop_front() else { return };
            self.bytes -= oldest.len();
        }
        self.bytes += text.len();
        self.waiting.push_back((key, syntax, text));
    }
}

struct Grammars {
    set: SyntaxSet,
    classes: Vec<(Scope, u8)>,
}

/// Read once, when the first diff is shown.
fn grammars() -> &'static Grammars {
    static GRAMMARS: OnceLock<Grammars> = OnceLock::new();
    GRAMMARS.get_or_init(|| {
        let mut classes: Vec<(Scope, u8)> =
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
    /// The colours of the lines of a hunk. After `until` only what is remembered has any.
    pub(crate) fn lines(&self, path: &str, lines: &[&str], until: Instant) -> Arc<Colours> {
        self.find(path, lines, until).unwrap_or_default()
    }

    fn find(&self, path: &str, lines: &[&str], until: Instant) -> Option<Arc<Colours>> {
        let syntax = syntax_of(path).filter(|_| lines.len() <= MOST_LINES)?;
        let key = key(&syntax.name, lines);
        let mut work = self.shared.work.lock().ok()?;
        if let Some(known) = work.kept.get(&key) {
            return Some(Arc::clone(known));
        }
        work.ask(key, syntax, lines);
        self.start(&mut work);
        self.shared.waits.notify_one();
        loop {
            let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            work = self.shared.done.wait_timeout(work, left).ok()?.0;
            if let Some(known) = work.kept.get(&key) {
                return Some(Arc::clone(known));
            }
        }
    }

    /// The one thread; it ends with the server.
    fn start(&self, work: &mut MutexGuard<'_, Work>) {
        if work.running {
            return;
        }
        let shared = Arc::downgrade(&self.shared);
        let thread = std::thread::Builder::new().name("colours".to_owned());
        work.running = thread
            .spawn(move || {
                while let Some(shared) = shared.upgrade() {
                    if shared.next().is_none() {
                        return;
                    }
                }
            })
            .is_ok();
    }
}

impl Shared {
    /// Colours the hunk that was asked for last, or waits a while for one.
    fn next(&self) -> Option<()> {
        const PAUSE: Duration = Duration::from_secs(1);
        let mut work = self.work.lock().ok()?;
        if work.waiting.is_empty() {
            work = self.waits.wait_timeout(work, PAUSE).ok()?.0;
        }
        let Some((key, syntax, text)) = work.waiting.pop_back() else { return Some(()) };
        work.bytes -= text.len();
        work.current = Some(key);
        drop(work);
        let colours = colour(syntax, &text);
        let mut work = self.work.lock().ok()?;
        work.current = None;
        work.keep(key, colours);
        self.done.notify_all();
        Some(())
    }
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
        hasher.update(b"\n");
        hasher.update(line.as_bytes());
    }
    hasher.finalize().into()
}

fn colour(syntax: &SyntaxReference, text: &str) -> Colours {
    let grammars = grammars();
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut colours = Colours::default();
    let mut whole = String::new();
    for line in text.split('\n') {
        if line.len() <= LONGEST_LINE {
            whole.clear();
            whole.push_str(line);
            whole.push('\n');
            if let Ok(operations) = state.parse_line(&whole, &grammars.set) {
                let first = colours.pieces.len();
                for (at, operation) in operations {
                    push(&mut colours.pieces, first, class_of(&stack, grammars), at.min(line.len()));
                    if stack.apply(&operation).is_err() {
                        break;
                    }
                }
                push(&mut colours.pieces, first, class_of(&stack, grammars), line.len());
            }
        }
        colours.lines.push(u32::try_from(colours.pieces.len()).unwrap_or(u32::MAX));
    }
    colours.pieces.shrink_to_fit();
    colours
}

/// Adds a piece to those of a line, which begin at `first`.
fn push(pieces: &mut Vec<Piece>, first: usize, class: u8, end: usize) {
    let end = u16::try_from(end).unwrap_or(u16::MAX);
    match pieces[first..].last() {
        Some(last) if last.end >= end => {}
        None if end == 0 => {}
        Some(last) if last.class == class => {
            if let Some(last) = pieces.last_mut() {
                last.end = end;
            }
        }
        _ => pieces.push(Piece { end, class }),
    }
}

fn class_of(stack: &ScopeStack, grammars: &Grammars) -> u8 {
    let class = |scope: &Scope| {
        grammars.classes.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, class)| *class)
    };
    stack.as_slice().iter().rev().find_map(class).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn lines_get_colours_and_keep_their_text() {
        let highlighter = Highlighter::default();
        let lines = ["fn main() { // start", "", "    let name = \"välue\";", "}"];
        let coloured = highlighter.lines("src/main.rs", &lines, soon());
        for (number, line) in lines.iter().enumerate() {
            let text: String = coloured.line(number, line).map(|(_, text)| text).collect();
            assert_eq!(text, *line);
        }
        assert!(coloured.line(0, lines[0]).any(|(class, text)| class == Some('c') && text.contains("start")));
        assert!(coloured.line(2, lines[2]).any(|(class, text)| class == Some('s') && text.contains("välue")));
        let again = highlighter.lines("src/main.rs", &lines, Instant::now());
        assert!(Arc::ptr_eq(&coloured, &again), "remembered");
    }

    #[test]
    fn without_time_or_grammar_lines_are_plain() {
        let highlighter = Highlighter::default();
        let late = highlighter.lines("a.rs", &["let a = 1;"], Instant::now());
        assert_eq!(late.line(0, "let a = 1;").collect::<Vec<_>>(), [(None, "let a = 1;")]);
        let unknown = highlighter.lines("a.unknown-kind", &["x"], soon());
        assert_eq!(unknown.line(0, "x").collect::<Vec<_>>(), [(None, "x")]);
        // The next look has the colours that the first had no time for.
        let later = highlighter.lines("a.rs", &["let a = 1;"], soon());
        assert!(later.line(0, "let a = 1;").count() > 1);
    }

    #[test]
    fn what_waits_is_bounded_and_the_newest_is_first() {
        let mut work = Work::default();
        let syntax = syntax_of("a.rs").expect("a grammar");
        let long = "x".repeat(MOST_WAITING / 3);
        for number in 0..5_u8 {
            work.ask([number; 32], syntax, &[&long]);
        }
        assert_eq!(work.waiting.iter().map(|(key, ..)| key[0]).collect::<Vec<_>>(), [2, 3, 4]);
        work.ask([2; 32], syntax, &[&long]);
        assert_eq!(work.waiting.back().map(|(key, ..)| key[0]), Some(2));
        assert!(work.bytes <= MOST_WAITING);
    }
}
