//! The typed actions: what a model may ask for. One tool per action, each with its fields and their limits.
//!
//! [`parse`] makes an [`RunAction`] or says what is wrong; the other files carry actions out. Nothing is executed that did not come through
//! [`parse::one`].

pub mod ask;
pub mod bash;
pub mod edit;
pub mod git;
pub mod grep;
pub mod parse;
pub mod read;
pub mod test;
pub mod tools;

use engine::run::model::{CardRisk, PlannedCard};

/// The name of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Name {
    /// The cards.
    Plan,
    /// Lines of a file.
    Read,
    /// A search.
    Grep,
    /// A change of files.
    EditDiff,
    /// A command.
    Bash,
    /// The project's checks.
    Test,
    /// A commit on the run's own branch.
    Git,
    /// A reviewer's word.
    Meta,
    /// A question.
    Ask,
    /// It is done.
    Done,
}

impl Name {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Plan,
        Self::Read,
        Self::Grep,
        Self::EditDiff,
        Self::Bash,
        Self::Test,
        Self::Git,
        Self::Meta,
        Self::Ask,
        Self::Done,
    ];

    /// As the model writes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Plan => "PLAN",
            Self::Read => "READ",
            Self::Grep => "GREP",
            Self::EditDiff => "EDIT_DIFF",
            Self::Bash => "BASH",
            Self::Test => "TEST",
            Self::Git => "GIT",
            Self::Meta => "META",
            Self::Ask => "ASK",
            Self::Done => "DONE",
        }
    }

    /// The action of this name, in exactly this spelling.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.word() == word)
    }

    /// It can be done twice without anything being different.
    pub fn only_looks(self) -> bool {
        matches!(self, Self::Read | Self::Grep | Self::Plan | Self::Meta | Self::Ask | Self::Done)
    }
}

/// An action that was checked.
#[derive(Debug, Clone, PartialEq)]
pub enum RunAction {
    /// The cards.
    Plan(Vec<PlannedCard>),
    /// Lines of a file.
    Read(read::Read),
    /// A search.
    Grep(grep::Grep),
    /// A change of files.
    EditDiff(edit::EditDiff),
    /// A command.
    Bash(bash::Bash),
    /// The project's checks.
    Test,
    /// Something with git.
    Git(git::Git),
    /// A reviewer's word.
    Meta {
        /// How risky.
        risk: CardRisk,
        /// Why.
        note: String,
        /// What was taken for granted.
        assumptions: Vec<String>,
    },
    /// A question.
    Ask {
        /// The question.
        question: String,
        /// What can be answered.
        options: Vec<String>,
    },
    /// It is done.
    Done {
        /// What was done.
        summary: String,
    },
}

impl RunAction {
    /// Its name.
    pub fn name(&self) -> Name {
        match self {
            Self::Plan(_) => Name::Plan,
            Self::Read(_) => Name::Read,
            Self::Grep(_) => Name::Grep,
            Self::EditDiff(_) => Name::EditDiff,
            Self::Bash(_) => Name::Bash,
            Self::Test => Name::Test,
            Self::Git(_) => Name::Git,
            Self::Meta { .. } => Name::Meta,
            Self::Ask { .. } => Name::Ask,
            Self::Done { .. } => Name::Done,
        }
    }
}

/// The longest text that goes back to the model at once.
pub const MOST_TOLD: usize = 64 << 10;

/// The end of a text, at most so many bytes of it.
pub(crate) fn tail(text: &str, most: usize) -> &str {
    let mut from = text.len().saturating_sub(most);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// The beginning of a text, at most so many bytes of it.
pub(crate) fn head(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
