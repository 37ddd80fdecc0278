//! What a file would be after an edit that has not happened yet.

use std::path::Path;

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
    /// A patch in the form that agents write; it may be about other files too.
    Patch(String),
    /// A cell of a notebook gets another text, comes or goes.
    Cell {
        /// The cell's own name, or `cell-3`; of one that comes the one before it, if there is one.
        id: String,
        /// Its new text.
        source: String,
        /// What becomes of it.
        edit: CellEdit,
    },
    /// Not told in a form that we compute.
    Unknown,
}

/// What becomes of a cell of a notebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellEdit {
    /// It gets another text.
    Replaced,
    /// It comes, and is of this kind: `code`, `markdown`.
    Inserted(String),
    /// It goes.
    Removed,
}

impl Change {
    /// How many lines it puts in, as far as it says.
    pub fn lines(&self) -> u64 {
        let count = |text: &str| text.lines().count() as u64;
        match self {
            Self::Whole(text) | Self::Cell { source: text, .. } => count(text),
            Self::Replace(all) => all.iter().map(|one| count(&one.new)).sum(),
            Self::Patch(text) => text.lines().filter(|line| line.starts_with('+')).count() as u64,
            Self::Unknown => 0,
        }
    }

    /// What it puts in, as far as it says; the beginning of a long one.
    pub fn text(&self) -> String {
        const LONGEST: usize = 4_000;
        let all = match self {
            Self::Whole(text) | Self::Cell { source: text, .. } => text.clone(),
            Self::Replace(all) => all.iter().map(|one| one.new.as_str()).collect::<Vec<_>>().join("\n"),
            Self::Patch(text) => {
                text.lines().filter_map(|line| line.strip_prefix('+')).collect::<Vec<_>>().join("\n")
            }
            Self::Unknown => String::new(),
        };
        all.chars().take(LONGEST).collect()
    }

    /// How many lines it takes out, as far as it says.
    pub fn lines_taken(&self) -> u64 {
        match self {
            Self::Replace(all) => all.iter().map(|one| one.old.lines().count() as u64).sum(),
            Self::Patch(text) => text.lines().filter(|line| line.starts_with('-')).count() as u64,
            Self::Whole(_) | Self::Cell { .. } | Self::Unknown => 0,
        }
    }

    /// It takes the place of something that has to be there.
    pub(super) fn puts_in_place_of_something(&self) -> bool {
        match self {
            Self::Replace(all) => all.iter().all(|one| !one.old.is_empty()),
            Self::Patch(text) => !text.contains("*** Delete File: ") && !text.contains("*** Move to: "),
            Self::Whole(_) | Self::Cell { .. } | Self::Unknown => false,
        }
    }
}

/// A patch takes this file away: deletes it, or moves it to another name.
pub(super) fn takes_away(change: &Change, is_this: &dyn Fn(&Path) -> bool) -> bool {
    let Change::Patch(text) = change else { return false };
    let mut updated = None;
    text.lines().any(|line| {
        if let Some(name) = line.strip_prefix("*** Update File: ") {
            updated = Some(name);
        }
        let deleted = line.strip_prefix("*** Delete File: ");
        let moved = line.strip_prefix("*** Move to: ").and(updated);
        deleted.or(moved).is_some_and(|name| is_this(Path::new(name.trim())))
    })
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
    let before = if matches!(change, Change::Whole(_)) { None } else { read(engine, path) };
    would_become_from(engine, path, change, before.as_deref())
}

/// The same for a file that was read already.
pub(super) fn would_become_from(
    engine: &Engine,
    path: &RelPath,
    change: &Change,
    before: Option<&[u8]>,
) -> Option<Vec<u8>> {
    let (root, cwd) = (engine.project().root(), engine.context().cwd());
    let is_this = |typed: &Path| RelPath::from_user(root, cwd, typed).ok().flatten().as_ref() == Some(path);
    let moved = moved_from(change, &is_this).filter(|_| before.is_none());
    let moved = moved.and_then(|name| RelPath::from_user(root, cwd, Path::new(name)).ok().flatten());
    let moved = moved.and_then(|source| read(engine, &source));
    after_change(before.or(moved.as_deref()), change, &is_this)
}

/// The file to which a patch gives this name.
pub(super) fn moved_from<'c>(change: &'c Change, is_this: &dyn Fn(&Path) -> bool) -> Option<&'c str> {
    let Change::Patch(text) = change else { return None };
    let mut updated = None;
    text.lines().find_map(|line| {
        if let Some(name) = line.strip_prefix("*** Update File: ") {
            updated = Some(name.trim());
        }
        let to = line.strip_prefix("*** Move to: ")?;
        updated.filter(|_| is_this(Path::new(to.trim())))
    })
}

/// The same for content that was read already. `is_this`: whether a name in a patch means this file.
pub(crate) fn after_change(
    before: Option<&[u8]>,
    change: &Change,
    is_this: &dyn Fn(&Path) -> bool,
) -> Option<Vec<u8>> {
    match change {
        Change::Whole(content) => Some(content.clone().into_bytes()),
        Change::Replace(replacements) => {
            let mut text = String::from_utf8(before?.to_vec()).ok()?;
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
        Change::Patch(text) => {
            let patch = ::patch::parse(text.as_bytes()).ok()?;
            let names = |name: &[u8]| is_this(&project::platform::bytes_to_path(name));
            let file = patch.files.iter().find(|file| file.target_path().is_some_and(names))?;
            let original = match file.action {
                ::patch::FileAction::Create => Vec::new(),
                ::patch::FileAction::Delete => return None,
                _ => before?.to_vec(),
            };
            ::patch::apply(file, &original, &::patch::Options::default()).content
        }
        Change::Cell { .. } | Change::Unknown => None,
    }
}

/// The content of a file, if it is one and not too long.
pub(super) fn read(engine: &Engine, path: &RelPath) -> Option<Vec<u8>> {
    let file = path.to_path(engine.project().root());
    if std::fs::symlink_metadata(&file).ok()?.is_symlink() {
        return None;
    }
    small_file(&file)
}

/// The same for a path anywhere, with links followed.
pub(crate) fn small_file(file: &Path) -> Option<Vec<u8>> {
    let facts = std::fs::metadata(file).ok()?;
    if !facts.is_file() || facts.len() > LONGEST {
        return None;
    }
    std::fs::read(file).ok()
}

/// A short name for content: enough to see that it is the same again.
pub(super) fn mark(content: &[u8]) -> u64 {
    let hash = ContentHash::of(content);
    hash.as_bytes()[..8].iter().fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
}
