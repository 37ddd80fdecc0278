//! Runs: a task, its cards, what was done for each, and the proof that vib itself produced. (AG2) One page: `docs/run.md`.
//!
//! Truth is one append-only log per run ([`log::RunLog`]); everything else is folded from it ([`fold::Run`]). Whoever works on a run works in
//! lanes and holds the run's lock; looking needs neither. Start reading at [`model::RunEvent`].

mod cleaned;
mod error;
pub mod fold;
mod hear;
mod list;
pub mod log;
pub mod model;

pub use error::RunError;
pub use fold::Run;
pub use list::{Place, RunLine, RunList, is_running, list, place, request_stop, show};
