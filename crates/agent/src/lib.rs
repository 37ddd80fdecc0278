//! The one loop: plan → action → evidence → next. A model drives; what it may do is a handful of typed actions that are checked before they are
//! done, carried out in a lane, and written down before and after. (AG1, AG3, AG5)
//!
//! What this promises:
//! - What is no valid action is named and never executed ([`actions`]).
//! - Nothing outside the lane is written; nothing inside it is written but through `engine::patch`, or by a command behind the fence.
//! - Every action has its beginning and its end in the run's log. Whoever is killed goes on where they were: an action without its end is
//!   looked up or shown, never repeated by itself ([`conversation`]).
//! - A card that says that it is done is believed only after vib ran the checks itself ([`actions::test`]).
//! - The person's git is left alone; who asked for a branch of the run's own gets one, beside everything of theirs ([`branch`]).
//! - Another agent is one more way to carry a card out; several are compared by proof ([`best_of`]).
//!
//! Start reading at [`work`], then [`card`], then [`conversation`].

pub mod actions;
pub mod asks;
pub mod best_of;
pub mod branch;
pub mod card;
mod circles;
pub mod conversation;
pub mod demo;
mod error;
pub mod journal;
mod lanes;
pub mod notes;
mod perform;
mod prompt;
mod purse;
mod refusal;
pub mod role;
pub mod script;
mod standing;
pub mod work;

pub use error::{Error, Result};
pub use refusal::ActionRefusal;
