//! Who wrote which line: worked out from the ledger and the versions it names.
//!
//! [`LineWalk`] goes through the versions of a file from the first to the last and hands every line its writer on: what is equal
//! stays, what only got other blanks stays, what was moved (in the file, to another file with the same step, under another name) stays. What
//! is new belongs to the step. Going back with vib, or to a content that the file had before, gives lines back to their first writers. Where
//! two steps may have made a change, its lines say both.
//!
//! When contents are let go, `record` keeps the writers of the versions that stay, so that the answer does not change. It is
//! written by `gc` and never in a hook.

mod blanks;
mod blocks;
mod carry;
mod copied;
mod late;
mod maybe_typed;
mod moved;
pub(crate) mod origin;
pub(crate) mod record;
mod rewritten;
pub(crate) mod text;
mod typed;
mod walk;

use project::RelPath;

use crate::ledger::StepNumber;

pub use record::WriterFacts;
pub use walk::LineWalk;

/// Longer contents have no lines here.
pub const MOST_BYTES: usize = 4 << 20;

/// Who wrote a line, as far as the ledger tells.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Writer {
    /// It was there when vib first saw the file.
    Before,
    /// It came while vib did not look at the file: it was ignored then, or what is known of that time is gone.
    Unseen,
    /// It is on the disk and not saved yet.
    Unsaved,
    /// This step; or one of these, which ran at the same time or between two states of which only the ends are kept.
    Steps(Vec<StepNumber>),
    /// Written by one, and another changed its blanks where they may mean something: an indent of Python, `"a b"` to `"ab"`.
    Reblanked {
        /// Who wrote it.
        wrote: Box<Writer>,
        /// Who changed the blanks last.
        by: Vec<StepNumber>,
    },
}

impl Writer {
    /// Who wrote the line, whoever changed its blanks.
    pub fn wrote(&self) -> &Self {
        match self {
            Self::Reblanked { wrote, .. } => wrote.wrote(),
            other => other,
        }
    }
}

/// Why a file has no lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoLines {
    /// It is not text.
    Binary,
    /// It is too long.
    TooLong,
}

/// The writers of a file's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenLines {
    /// The writers, each once.
    pub writers: Vec<Writer>,
    /// For each line, which of them.
    pub lines: Vec<usize>,
    /// It has no lines; then [`Self::last`] is all there is to say.
    pub no_lines: Option<NoLines>,
    /// Who changed the file last.
    pub last: Option<Writer>,
    /// The names the file had before, the newest first.
    pub earlier_names: Vec<RelPath>,
}
