//! Who works on a card: each role has its own tools, its own limit and a context of its own. (AG3)

use crate::actions::Name;

/// A role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Divides the task into cards.
    Planner,
    /// Looks around and says what it found.
    Researcher,
    /// Does the work.
    Executor,
    /// Looks at the change with fresh eyes: never at how it came about.
    Reviewer,
}

impl Role {
    /// The word for it, in logs and notes.
    pub fn word(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::Researcher => "researcher",
            Self::Executor => "executor",
            Self::Reviewer => "reviewer",
        }
    }

    /// What it may do.
    pub fn actions(self) -> &'static [Name] {
        match self {
            Self::Planner => &[Name::Read, Name::Grep, Name::Plan, Name::Ask],
            Self::Researcher => &[Name::Read, Name::Grep, Name::Done],
            Self::Executor => &[
                Name::Read,
                Name::Grep,
                Name::EditDiff,
                Name::Test,
                Name::Bash,
                Name::Git,
                Name::Ask,
                Name::Done,
            ],
            Self::Reviewer => &[Name::Read, Name::Grep, Name::Meta],
        }
    }

    /// Most answers of the model; none: as the run says.
    pub fn most_steps(self) -> Option<usize> {
        match self {
            Self::Planner | Self::Researcher => Some(15),
            Self::Reviewer => Some(8),
            Self::Executor => None,
        }
    }
}
