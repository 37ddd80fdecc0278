//! [`Entry`]: what a checkpoint knows about one path.

use project::platform::FileKind;

use crate::hash::ContentHash;

/// What kind of thing is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A symbolic link; its content is the text of the link.
    Symlink,
    /// A folder, so that empty ones and their modes come back.
    Dir,
}

impl EntryKind {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::File => 1,
            Self::Symlink => 2,
            Self::Dir => 3,
        }
    }

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::File,
            2 => Self::Symlink,
            3 => Self::Dir,
            _ => return None,
        })
    }

    pub(crate) fn of(kind: FileKind) -> Option<Self> {
        Some(match kind {
            FileKind::File => Self::File,
            FileKind::Symlink => Self::Symlink,
            FileKind::Dir => Self::Dir,
            FileKind::Special => return None,
        })
    }
}

/// One path's state in a checkpoint. A path that did not exist has no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    /// File, link or folder.
    pub kind: EntryKind,
    /// Permission bits; always 0 for a link, which has none of its own.
    pub mode: u32,
    /// Length of the content.
    pub size: u64,
    /// The content; all zero for a folder.
    pub hash: ContentHash,
    /// Never shown in a diff, never exported.
    pub sensitive: bool,
}

impl Entry {
    pub(crate) fn folder(mode: u32) -> Self {
        Self { kind: EntryKind::Dir, mode, size: 0, hash: ContentHash::from_bytes([0; 32]), sensitive: false }
    }

    /// True if a restore would have nothing to do between the two.
    pub fn same_on_disk(&self, other: &Self) -> bool {
        self.kind == other.kind && self.mode == other.mode && self.hash == other.hash
    }
}
