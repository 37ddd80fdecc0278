//! Reading two states of a path, each content once, and no more than anybody would wait for.

use std::collections::HashMap;
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
/// Secrets are not looked for in longer texts.
const SCANNED: usize = 128 << 10;

/// What was read of one content.
pub(super) struct Read {
    bytes: Vec<u8>,
    names: Option<Names>,
    labels: Vec<String>,
    secrets: u64,
}

/// Reads and remembers.
pub(super) struct Contents<'a> {
    engine: &'a Engine,
    store: &'a Store<'a>,
    known: HashMap<ContentHash, Option<Rc<Read>>>,
    left: u64,
}

impl<'a> Contents<'a> {
    pub(super) fn new(engine: &'a Engine, store: &'a Store<'a>) -> Self {
        Self { engine, store, known: HashMap::new(), left: MOST_BYTES }
    }

    /// What is different between two states. Without `read`, only what the entries themselves tell.
    pub(super) fn compare(
        &mut self,
        path: &RelPath,
        before: Option<Entry>,
        after: Option<Entry>,
        read: bool,
    ) -> Facts {
        let (was, is) = if read { (self.read(path, before), self.read(path, after)) } else { (None, None) };
        let path = path.to_string();
        let mut facts = recovery::compare(&path, &side(before, was.as_deref()), &side(after, is.as_deref()));
        facts.keep_lost =
            was.zip(is).is_some_and(|(was, is)| ::patch::keep_region_lost(&was.bytes, &is.bytes).is_some());
        facts
    }

    /// Words that people see in a content that was read: of buttons, titles, fields.
    pub(super) fn labels(&self, entry: Option<Entry>) -> &[String] {
        let read = entry.and_then(|entry| self.known.get(&entry.hash)).and_then(Option::as_ref);
        read.map_or(&[], |read| &read.labels)
    }

    fn read(&mut self, path: &RelPath, entry: Option<Entry>) -> Option<Rc<Read>> {
        let entry = entry.filter(|entry| entry.kind != EntryKind::Dir && entry.size <= LONGEST)?;
        if let Some(known) = self.known.get(&entry.hash) {
            return known.clone();
        }
        if self.left < entry.size {
            return None;
        }
        self.left -= entry.size;
        let read =
            content_of(self.engine.project().root(), self.store, path, Some(entry)).ok().map(|bytes| {
                let text = path.to_string();
                let is_text = entry.kind == EntryKind::File && !bytes[..bytes.len().min(8000)].contains(&0);
                // What usually holds secrets is expected to.
                let scanned = is_text && !entry.sensitive && bytes.len() <= SCANNED;
                let secrets =
                    if scanned { Scanner::shared().scan(&bytes, Some(&text)).len() as u64 } else { 0 };
                let (names, labels) = if is_text { outline(&text, &bytes).unzip() } else { (None, None) };
                Rc::new(Read { bytes, names, labels: labels.unwrap_or_default(), secrets })
            });
        self.known.insert(entry.hash, read.clone());
        read
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
        names: read.and_then(|read| read.names.as_ref()),
        secrets: read.map_or(0, |read| read.secrets),
    }
}
