//! Is it done? What an agent says at the end of a turn is held against what is known: facts in, findings out; no files, no clock.
//!
//! - [`completion()`] says whether a message claims that the work is finished, in English, Korean, Japanese and Chinese. What is in doubt is no
//!   claim: a gate that stops a question is worse than one that misses a claim.
//! - [`stop::decide`] holds a claim against checks, the agent's own list and reviews, and never says no more often than it is allowed to.
//! - [`compare`] tells a failure that came with the work from one that was there before it, and from a check that answers now so, now so.
//! - [`failing_lines`] finds in what a check said the lines that name what failed.
//! - [`review_facts`] finds what in a piece of work somebody who did not do it would ask about.
//! - [`delegation`] counts work that a conductor does itself; [`may_be_answered`] says which questions a stored answer may never answer.

mod compare;
mod completion;
pub mod delegation;
mod failures;
mod questions;
mod review;
pub mod stop;
mod tasks;

pub use compare::{CheckAttempt, CheckStanding, compare};
pub use completion::{
    Completion, completion, is_about_a_repair, says_that_checks_pass, says_that_tests_pass, tells_a_failure,
};
pub use failures::{failing_lines, failure_name};
pub use questions::may_be_answered;
pub use review::{FactKind, ReviewFact, ReviewedFile, review_facts};
pub use tasks::{TaskItem, TaskState};
