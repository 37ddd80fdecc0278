//! GIT: commits on the run's own branch, where a person asked for one. Never in their index or on their branch.

use crate::branch::Branch;
use crate::conversation::{Desk, Talk};
use crate::{ActionRefusal, Result};

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

/// Does it, or says why not.
pub(crate) fn git(
    desk: &mut Desk<'_, '_>,
    talk: &Talk<'_>,
    n: u64,
    wish: &Git,
) -> Result<std::result::Result<String, ActionRefusal>> {
    let next = "go on without GIT; DONE ends the card";
    let (Some(branch), Some(card)) = (Branch::known(desk.engine, desk.lane, desk.journal)?, talk.card) else {
        return Ok(Err(ActionRefusal::new(
            "not_available",
            "this run has no branch of its own: its work is kept in a lane, and a person lands it",
            next,
        )));
    };
    Ok(match wish {
        Git::Branch => Ok(format!("`{}`; each card is committed there when it is done", branch.name())),
        Git::Commit { message } => {
            let began = desk.journal.began_ms(n);
            let made = branch.commit_now(desk.journal, (card, talk.base), message, began)?;
            made.map_err(|why| ActionRefusal::new("not_committed", why, next))
        }
        Git::Revert { .. } => Err(ActionRefusal::new(
            "not_available",
            "a card that is done is taken back by the person: `vib run revert`",
            "change the files back with EDIT_DIFF if this card needs it",
        )),
    })
}
