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
mod editors;
pub(crate) mod hurry;
pub(crate) mod index;
pub(crate) mod outcome;
pub(crate) mod past;
mod patterns;
pub(crate) mod rules;
pub(crate) mod saved;
pub(crate) mod scan;

use project::RelPath;
use project::platform::DirHandle;

use rules::{RuleNode, Rules};

/// Why something in the tree is not in a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The path, readable.
    pub path: String,
    /// Stable code: `unreadable`, `changing`, `special`, `too_large`, `bad_name`, `lost`, `not_yet`.
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

/// True if the walk would pass this path by: an ignore file says so, or it lies in a folder that a tool makes again.
pub(crate) fn is_left_out(root: &DirHandle, rules: &Rules, path: &RelPath) -> bool {
    let bytes = path.as_bytes();
    let mut node = RuleNode::root();
    let mut from = 0;
    while let Some(length) = bytes[from..].iter().position(|&byte| byte == b'/') {
        let folder = &bytes[..from + length];
        if rules.is_cache(root, folder) || node.ignores(root, rules, folder, true) {
            return true;
        }
        let marked = root.open_dir(folder).is_ok_and(|dir| {
            let mut names: Vec<Vec<u8>> = Vec::new();
            let listed = dir.list(&mut Vec::new(), |name, _| names.push(name.to_vec()));
            rules::is_own_project(&dir)
                || listed.is_ok()
                    && rules.is_marked_cache(root, &dir, folder, names.iter().map(Vec::as_slice))
        });
        if marked {
            return true;
        }
        node = RuleNode::child(&node, folder);
        from += length + 1;
    }
    node.ignores(root, rules, bytes, false) || rules.is_left_by_editor(root, bytes)
}
