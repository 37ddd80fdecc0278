//! A memory, as recall sees it.

use super::format::{Kind, term};
use super::tokens::tokens;

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
}

/// What of a document goes into the index: its terms with a number each, sorted, and its length in words.
pub(super) struct Terms {
    /// Hash and number: for words, how often; for paths, how many paths the document has.
    pub counts: Vec<(u64, u32)>,
    /// The length in words.
    pub length: u32,
}

impl Document {
    pub(super) fn terms(&self) -> Terms {
        let words = tokens(&self.text);
        let length = u32::try_from(words.iter().filter(|word| word.counts).count()).unwrap_or(u32::MAX);
        let mut hashes: Vec<u64> = words.iter().map(|word| term(Kind::Word, &word.text)).collect();
        hashes.sort_unstable();
        let mut counts: Vec<(u64, u32)> = Vec::with_capacity(hashes.len() + 4);
        for hash in hashes {
            match counts.last_mut() {
                Some((last, count)) if *last == hash => *count += 1,
                _ => counts.push((hash, 1)),
            }
        }
        let paths = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        for path in &self.paths {
            counts.push((term(Kind::File, path), paths));
            counts.push((term(Kind::Folder, folder(path)), paths));
        }
        if let Some(session) = &self.session {
            counts.push((term(Kind::Session, session), 1));
        }
        counts.sort_unstable();
        counts.dedup_by_key(|(hash, _)| *hash);
        Terms { counts, length }
    }
}

/// The folder a path lies in; nothing for the top.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
