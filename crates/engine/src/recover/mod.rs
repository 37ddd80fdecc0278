//! "It broke": what happened, two or three ways back, and carrying one out, in the trusted shape. (RC1–RC11)
//!
//! 1. [`diagnose`] looks, and writes nothing ([`tell`] does so for another program, and leaves a row): signals (`gather`) → `recovery::diagnose` → `recovery::recommend`.
//! 2. [`preview`] computes exactly what one way would do, shows it, and keeps it as a plan with an id for a short while
//!    ([`preview_with`]: only if somebody means to act on it).
//! 3. [`apply`] takes a plan that a person said yes to: recovery lock → validate → safety checkpoint → compare with what the
//!    preview showed → restore → result. What changed in between is not touched without a second yes.
//! 4. [`returning`] is the preview of the way back from the last recovery.
//!
//! What a person said about drift labels is in [`feedback`].

mod apply;
mod brought;
mod content;
mod events;
pub mod feedback;
pub(crate) mod gates;
mod gather;
mod git;
mod known;
mod mender;
mod needs;
mod owners;
mod pick;
mod plan;
mod preview;
mod proof;
mod report;
mod returning;
mod runs;
mod typing;
mod undone;
mod union;
mod words;

pub use apply::{Applied, apply, apply_for};
pub use change::Busy;
pub use pick::{Choosable, ChoosablePlace, Pick};
pub use plan::{PlanInfo, PlannedChange, plan_info};
pub use preview::{Choice, Keep, Preview, choosable, preview, preview_with};
pub use report::{Query, Report, diagnose, tell};
pub use returning::{can_return, returning, returning_with};

/// Whoever changes files of the project now.
pub fn in_progress(engine: &crate::Engine) -> crate::Result<Option<Busy>> {
    Ok(change::in_progress(engine.context(), engine.project())?)
}

pub use words::{Surface, git_states_in_words, one_line, sign_in_words, understood_in_words, whose_in_words};

#[cfg(test)]
mod tests;
