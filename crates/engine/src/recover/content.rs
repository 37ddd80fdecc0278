//! Reading two states of a path, each content once, and no more than anybody would wait for.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use project::RelPath;
use recovery::{Facts, Names, Side};
use redact::Scanner;
use store::{ContentHash, Entry, EntryKind, Store};

use crate::Engine;
use crate::diff::content_of;

/// Longer files are not read.
const LONGEST: u64 = 512 << 10;
/// All together.
const MOST_BYTES: u64 = 24 << 20;
/// And what is only counted.
const MOST_COUNTED: u64 = 96 << 20;
/// So much of what was read is kept in memory; what is needed again after that is read again.
const MOST_HELD: usize = 2 << 20;
/// And so many contents.
const MOST_CONTENTS: usize = 64;
/// Secrets are not looked for in longer texts.
const SCANNED: usize = 128 << 10;

/// What was learned from one content.
struct Learned {
    names: Option<Names>,
    labels: Vec<String>,
    secrets: u64,
}

/// One content, and what was learned from it.
struct Read {
    bytes: Rc<Vec<u8>>,
    learned: Rc<Learned>,
}

/// Reads and remembers.
pub(super) struct Contents<'a> {
    engine: &'a Engine,
    store: &'a Store<'a>,
    known: HashMap<ContentHash, Option<Rc<Learned>>>,
    /// The contents that were read last.
    held: VecDeque<(ContentHash, Rc<Vec<u8>>)>,
    left: u64,
    left_to_count: u64,
}

/// How closely two states are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Everything: grammar, secrets, labels.
    All,
    /// The lines, so that what is lost can be counted.
    Lines,
    /// Only what the entries themselves tell.
    Nothing,
}

impl<'a> Contents<'a> {
    pub(super) fn new(engine: &'a Engine, store: &'a Store<'a>) -> Self {
        Self {
            engine,
            store,
            known: HashMap::new(),
            held: VecDeque::new(),
            left: MOST_BYTES,
            left_to_count: MOST_COUNTED,
        }
    }

    /// What is different between two states.
    pub(super) fn compare(
        &mut self,
        path: &RelPath,
        before: Option<Entry>,
        after: Option<Entry>,
        how: Reading,
    ) -> Facts {
        let (was, is) = match how {
            Reading::All => (self.read(path, before), self.read(path, after)),
            Reading::Lines => (self.count(path, before), self.count(path, after)),
            Reading::Nothing => (None, None),
        };
        let path = path.to_string();
        let mut facts = recovery::compare(&path, &side(before, was.as_ref()), &side(after, is.as_ref()));
        if how == Reading::All
            && let (Some(was), Some(is)) = (was.as_ref(), is.as_ref())
        {
            recovery::look_closer(&path, &was.bytes, &is.bytes, &mut facts);
        } else if let (Reading::All, Some(was), None) = (how, was.as_ref(), after) {
            recovery::look_closer(&path, &was.bytes, &[], &mut facts);
        } else if let (Reading::All, None, Some(is)) = (how, before, is.as_ref()) {
            recovery::look_closer(&path, &[], &is.bytes, &mut facts);
        }
        facts.keep_lost =
            was.zip(is).is_some_and(|(was, is)| ::patch::keep_region_lost(&was.bytes, &is.bytes).is_some());
        facts
    }

    /// Only the bytes, for counting.
    fn count(&mut self, path: &RelPath, entry: Option<Entry>) -> Option<Read> {
        let entry = entry.filter(|entry| entry.kind != EntryKind::Dir && entry.size <= LONGEST)?;
        if self.left_to_count < entry.size {
            return None;
        }
        self.left_to_count -= entry.size;
        let bytes = Rc::new(content_of(self.engine.project().root(), self.store, path, Some(entry)).ok()?);
        let learned = Rc::new(Learned { names: None, labels: Vec::new(), secrets: 0 });
        Some(Read { bytes, learned })
    }

    /// A content as text, if it was or can be read.
    pub(super) fn text(&mut self, path: &RelPath, entry: Option<Entry>) -> Option<Rc<Vec<u8>>> {
        let entry = entry.filter(|entry| entry.kind == EntryKind::File && entry.size <= LONGEST)?;
        self.bytes(path, entry)
    }

    /// Words that people see in a content that was read: of buttons, titles, fields.
    pub(super) fn labels(&self, entry: Option<Entry>) -> &[String] {
        let read = entry.and_then(|entry| self.known.get(&entry.hash)).and_then(Option::as_ref);
        read.map_or(&[], |read| &read.labels)
    }

    fn read(&mut self, path: &RelPath, entry: Option<Entry>) -> Option<Read> {
        let entry = entry.filter(|entry| entry.kind != EntryKind::Dir && entry.size <= LONGEST)?;
        if let Some(known) = self.known.get(&entry.hash) {
            let learned = known.clone()?;
            return Some(Read { bytes: self.bytes(path, entry)?, learned });
        }
        if self.left < entry.size {
            return None;
        }
        self.left -= entry.size;
        let bytes = self.bytes(path, entry);
        let learned = bytes.as_ref().map(|bytes| {
            let text = path.to_string();
            let is_text = entry.kind == EntryKind::File && !words::is_binary(bytes);
            // What usually holds secrets is expected to.
            let scanned = is_text && !entry.sensitive && bytes.len() <= SCANNED;
            let secrets =
                if scanned { Scanner::shared().scan(&**bytes, Some(&text)).len() as u64 } else { 0 };
            let (names, labels) = if is_text { outline(&text, bytes).unzip() } else { (None, None) };
            Rc::new(Learned { names, labels: labels.unwrap_or_default(), secrets })
        });
        self.known.insert(entry.hash, learned.clone());
        Some(Read { bytes: bytes?, learned: learned? })
    }

    /// A content: held, or read.
    fn bytes(&mut self, path: &RelPath, entry: Entry) -> Option<Rc<Vec<u8>>> {
        if let Some((_, held)) = self.held.iter().find(|(hash, _)| *hash == entry.hash) {
            return Some(Rc::clone(held));
        }
        let bytes = Rc::new(content_of(self.engine.project().root(), self.store, path, Some(entry)).ok()?);
        self.held.push_back((entry.hash, Rc::clone(&bytes)));
        let sum =
            |held: &VecDeque<(_, Rc<Vec<u8>>)>| held.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        while self.held.len() > MOST_CONTENTS || sum(&self.held) > MOST_HELD {
            self.held.pop_front();
        }
        Some(bytes)
    }
}

/// What the grammars know about a text; nothing where there is no grammar for it.
fn outline(path: &str, bytes: &[u8]) -> Option<(Names, Vec<String>)> {
    let (language, outline) = map::outline_of_path(path.as_bytes(), bytes);
    if language.is_none() || outline.unread.is_some() {
        return None;
    }
    let named = |symbol: &&map::Symbol| symbol.test.is_none();
    let names = Names {
        defined: outline.symbols.iter().filter(named).map(|symbol| symbol.own_name().to_owned()).collect(),
        shapes: outline
            .symbols
            .iter()
            .filter(named)
            .map(|symbol| (symbol.own_name().to_owned(), symbol.shape))
            .collect(),
        broken: outline.syntax_error.is_some(),
    };
    Some((names, outline.ui_labels))
}

fn side<'r>(entry: Option<Entry>, read: Option<&'r Read>) -> Side<'r> {
    let Some(entry) = entry else { return Side::default() };
    let kind = match entry.kind {
        EntryKind::File => "file",
        EntryKind::Symlink => "symlink",
        EntryKind::Dir => "dir",
    };
    Side {
        exists: true,
        kind,
        mode: entry.mode,
        size: entry.size,
        content: read.map(|read| read.bytes.as_slice()),
        names: read.and_then(|read| read.learned.names.as_ref()),
        secrets: read.map_or(0, |read| read.learned.secrets),
    }
}
