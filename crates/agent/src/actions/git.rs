//! GIT: not there yet. A run works in lanes; its branch would be made from them, never in the person's index or on their branch.

use crate::ActionRefusal;

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Git {
    /// One commit.
    Commit {
        /// What it says.
        message: String,
    },
    /// Take a card's commit back.
    Revert {
        /// The card.
        card: String,
    },
    /// Make the run's branch.
    Branch,
}

/// Says that it is not there.
pub fn git(_wish: &Git) -> ActionRefusal {
    ActionRefusal::new(
        "not_available",
        "this run has no branch of its own: its work is kept in a lane, and a person lands it",
        "go on without GIT; DONE ends the card",
    )
}
