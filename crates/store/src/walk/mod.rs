//! Looking at the user's tree: what is there, and what changed since the last look.
//!
//! Three steps, each parallel where it helps:
//! 1. [`scan`] walks the folders and compares the file system's data with the [`index`] of the last look. A folder that
//!    has not changed is not listed again: its names are known. A file whose size, times, number and mode are as before
//!    is not read again.
//! 2. [`content`] reads what is new or different, hashes it, and hands it to the store's sink.
//! 3. [`outcome`] turns both into a list of changes and the index for the next look.
//!
//! The index is only a cache. If it is missing, damaged or older than the store, more is read, nothing is missed.

pub(crate) mod content;
pub(crate) mod index;
pub(crate) mod outcome;
mod patterns;
pub(crate) mod rules;
pub(crate) mod saved;
pub(crate) mod scan;

use project::RelPath;

/// Why something in the tree is not in a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The path, readable.
    pub path: String,
    /// Stable code: `unreadable`, `changing`, `special`, `too_large`, `bad_name`, `lost`.
    pub code: &'static str,
    /// What happened, in words.
    pub detail: String,
}

impl Problem {
    pub(crate) fn new(path: &[u8], code: &'static str, detail: impl Into<String>) -> Self {
        let shown =
            RelPath::new(path).map_or_else(|_| String::from_utf8_lossy(path).into_owned(), |p| p.to_string());
        Self { path: shown, code, detail: detail.into() }
    }
}

/// Counts of one look at the tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ScanCounts {
    /// Files and links.
    pub files: u64,
    /// Folders.
    pub folders: u64,
    /// Names left out because an ignore rule says so (a folder counts once).
    pub ignored: u64,
    /// Files whose content was read.
    pub read: u64,
}
