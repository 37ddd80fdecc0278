//! Why a text could not be read as edits.

/// A text that holds no usable edit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// There is nothing that looks like an edit.
    #[error("the text holds no edit: no diff, no `*** Begin Patch`, no search/replace block")]
    NoEdits,
    /// Too much text.
    #[error("the patch is {bytes} bytes long, and {most} is the most that is read")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// A block was begun and not ended.
    #[error("the {what} that begins at line {line} of the patch is not finished: `{missing}` is missing")]
    Unfinished {
        /// What kind of block.
        what: &'static str,
        /// Line of the text, from 1.
        line: usize,
        /// The line that should be there.
        missing: &'static str,
    },
    /// A block names no file.
    #[error("the {what} at line {line} of the patch names no file")]
    NoPath {
        /// What kind of block.
        what: &'static str,
        /// Line of the text, from 1.
        line: usize,
    },
}

impl ParseError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoEdits => "patch_empty",
            Self::TooLong { .. } => "patch_too_long",
            Self::Unfinished { .. } => "patch_unfinished",
            Self::NoPath { .. } => "patch_no_path",
        }
    }

    /// What to do next.
    pub fn next(&self) -> String {
        match self {
            Self::NoEdits => {
                "send a unified diff: `--- a/FILE`, `+++ b/FILE`, then `@@` and the lines".to_owned()
            }
            Self::TooLong { .. } => {
                "split it into several patches, or replace the file as a whole".to_owned()
            }
            Self::Unfinished { .. } => {
                "the answer was probably cut off: ask for it again, complete".to_owned()
            }
            Self::NoPath { .. } => "write the file's path on the line before the block".to_owned(),
        }
    }
}
