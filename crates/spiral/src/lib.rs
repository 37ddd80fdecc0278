//! The spiral breaker: sees that an agent is going round in circles, and says which call or file must rest.
//!
//! A [`Tracker`] is told what the hooks see, one [`Step`] at a time, and is asked before every call and every edit. It is a plain value:
//! no I/O, no clock; whoever keeps it between two hook calls serialises it. It stays small however long a session gets.
//!
//! What counts as an attempt, as progress and as a spiral is in `docs/spiral.md`. Start reading at [`Tracker::observe`].

mod blame;
mod calls;
mod check;
mod failures;
mod file;
mod identity;
mod limits;
mod normalise;
mod places;
mod rule;
mod step;
#[cfg(test)]
mod tests;
mod tracker;
mod what_failed;
mod wishes;

pub use check::{Trade, is_check, named_outputs, passes_for_sure, trade};
pub use identity::{CheckId, DEFAULT_MEMBERS, checks_in};
pub use limits::{Limits, Rounds};
pub use normalise::{hash, normalise_error, signature, speaks_of_failure, speaks_of_success};
pub use places::{Sketch, changed_lines};
pub use rule::{Choice, Rule, Spiral};
pub use step::{Content, Outcome, Sample, Step, Syntax, Tool, sample_of_lines};
pub use tracker::Tracker;
pub use what_failed::what_failed;
