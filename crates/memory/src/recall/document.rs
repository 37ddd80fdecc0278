//! A memory, as recall sees it.

use words::tokens;

use super::format::{Kind, term, word_number};
use super::sketch::Sketch;

/// One memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The id of the event it comes from. Of two documents with the same id an answer names the one that fits better; only a
    /// rebuild forgets the other.
    pub id: String,
    /// What is remembered.
    pub text: String,
    /// The files it is about, relative to the project, with `/`.
    pub paths: Vec<String>,
    /// When it happened, in milliseconds since 1970.
    pub time_ms: i64,
    /// Which project or area it belongs to.
    pub scope: String,
    /// The session it was part of.
    pub session: Option<String>,
    /// What sort of memory it is (`decision`, `observation`, …); budgets are per class.
    pub class: String,
    /// From 0 (noise) to 1 (vital); 0.5 says nothing.
    pub importance: f32,
    /// Who may read it: names of clients; empty means everybody.
    pub readers: Vec<String>,
    /// When it stops to count, in milliseconds since 1970.
    pub until_ms: Option<i64>,
    /// What else the caller wants back with a hit; recall does not look at it.
    pub note: String,
}

/// What of a document goes into the index: its terms with a number each, sorted, its length in words, and its sketch.
pub(super) struct Terms {
    /// Hash and number: for words, how often in how long a text; for paths, how many the document has.
    pub numbers: Vec<(u64, u8)>,
    /// The length in words.
    pub length: u16,
    /// What tells whether another text has nearly the same words.
    pub sketch: Sketch,
}

impl Document {
    pub(super) fn terms(&self) -> Terms {
        let words = tokens(&self.text);
        let length = u16::try_from(words.iter().filter(|word| word.counts).count()).unwrap_or(u16::MAX);
        let mut hashes: Vec<u64> = words.iter().map(|word| term(Kind::Word, &word.text)).collect();
        hashes.sort_unstable();
        let sketch = Sketch::of(&hashes);
        let mut numbers: Vec<(u64, u8)> = Vec::with_capacity(hashes.len() + 4);
        for same in hashes.chunk_by(|one, other| one == other) {
            let times = u32::try_from(same.len()).unwrap_or(u32::MAX);
            numbers.extend(same.first().map(|hash| (*hash, word_number(times, length))));
        }
        let paths = u8::try_from(self.paths.len()).unwrap_or(u8::MAX);
        for path in &self.paths {
            numbers.extend(path_terms(path).into_iter().map(|(hash, _)| (hash, paths)));
        }
        if let Some(session) = &self.session {
            numbers.push((term(Kind::Session, session), word_number(1, length)));
        }
        numbers.push((term(Kind::Id, &self.id), 0));
        numbers.sort_unstable();
        numbers.dedup_by_key(|(hash, _)| *hash);
        Terms { numbers, length, sketch }
    }
}

/// How near a term of a path is to the path itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Near {
    /// The file.
    File,
    /// Its name, in whatever folder.
    Name,
    /// Its folder.
    Folder,
}

/// The terms that a path is found by: the file, its name (it may have moved), and the folder around it.
pub(super) fn path_terms(path: &str) -> [(u64, Near); 3] {
    [
        (term(Kind::File, path), Near::File),
        (term(Kind::Name, name(path)), Near::Name),
        (term(Kind::Folder, folder(path)), Near::Folder),
    ]
}

/// The folder a path lies in; nothing for the top.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name of a file without its folders.
pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
