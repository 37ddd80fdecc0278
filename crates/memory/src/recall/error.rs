//! What can go wrong with the recall index, in words a person can act on.

use std::path::PathBuf;

/// The result of a recall operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with a stable code, a message that says what happened to what, and a next step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file operation failed; the message names the file.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A file of the index does not hold what was written.
    #[error("the memory index file `{}` is damaged: {detail}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What was found.
        detail: &'static str,
    },
    /// Written by a newer vib.
    #[error("the memory index `{}` was written by a newer vib (format {found}; this one knows {known})", file.display())]
    Newer {
        /// The file.
        file: PathBuf,
        /// The format found.
        found: u32,
        /// The newest format this program knows.
        known: u32,
    },
    /// Another process is folding new memories in.
    #[error("another vib is updating the memory index `{}`", .0.display())]
    Busy(PathBuf),
    /// More than the format can hold.
    #[error("the memory index would become too large: {0}")]
    TooLarge(&'static str),
}

impl Error {
    /// A name for programs that never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(_) => "recall_io",
            Self::Damaged { .. } => "recall_index_damaged",
            Self::Newer { .. } => "recall_index_newer",
            Self::Busy(_) => "recall_index_busy",
            Self::TooLarge(_) => "recall_index_too_large",
        }
    }

    /// What to do now.
    pub fn next(&self) -> &'static str {
        match self {
            Self::Io(_) => {
                "Check that the folder exists, that you may write to it and that the disk has room."
            }
            Self::Damaged { .. } => {
                "Nothing is lost: the index is made from the memory log. Run `vib memory rebuild`."
            }
            Self::Newer { .. } => "Update vib, or run `vib memory rebuild` to make the index anew.",
            Self::Busy(_) => "Nothing to do: the other process finishes the work.",
            Self::TooLarge(_) => "Archive old memories, then run `vib memory rebuild`.",
        }
    }

    /// Whether deleting the index and building it again from the log helps.
    pub fn is_rebuildable(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Newer { .. })
    }
}
