//! What a file would be after an edit that has not happened yet.

use project::RelPath;
use store::ContentHash;

use crate::Engine;

/// Files longer than this are not computed.
const LONGEST: u64 = 4 << 20;

/// How an edit changes its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The whole new content.
    Whole(String),
    /// Replacements, one after the other.
    Replace(Vec<Replacement>),
    /// Not told in a form that we compute.
    Unknown,
}

/// Text that takes the place of other text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// What is there.
    pub old: String,
    /// What comes instead.
    pub new: String,
    /// Everywhere, not only once.
    pub all: bool,
}

/// The content after the edit; `None` if the edit would fail or cannot be computed.
pub fn would_become(engine: &Engine, path: &RelPath, change: &Change) -> Option<Vec<u8>> {
    match change {
        Change::Whole(content) => Some(content.clone().into_bytes()),
        Change::Replace(replacements) => {
            let file = path.to_path(engine.project().root());
            let facts = std::fs::symlink_metadata(&file).ok()?;
            if !facts.is_file() || facts.len() > LONGEST {
                return None;
            }
            let mut text = String::from_utf8(std::fs::read(&file).ok()?).ok()?;
            for one in replacements {
                if one.old.is_empty() || !text.contains(&one.old) {
                    return None;
                }
                text = if one.all {
                    text.replace(&one.old, &one.new)
                } else {
                    text.replacen(&one.old, &one.new, 1)
                };
            }
            Some(text.into_bytes())
        }
        Change::Unknown => None,
    }
}

/// A short name for content: enough to see that it is the same again.
pub(super) fn mark(content: &[u8]) -> u64 {
    let hash = ContentHash::of(content);
    hash.as_bytes()[..8].iter().fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
}

/// The mark of what is in a file now.
pub(super) fn mark_of_file(engine: &Engine, path: &RelPath) -> Option<u64> {
    let file = path.to_path(engine.project().root());
    let facts = std::fs::symlink_metadata(&file).ok()?;
    if !facts.is_file() || facts.len() > LONGEST {
        return None;
    }
    Some(mark(&std::fs::read(&file).ok()?))
}
