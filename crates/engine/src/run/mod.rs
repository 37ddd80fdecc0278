//! Runs: a task, its cards, what was done for each, and the proof that vib itself produced. (AG2) One page: `docs/run.md`.
//!
//! Truth is one append-only log per run ([`log::RunLog`]); everything else is folded from it ([`fold::Run`]). Whoever works on a run works in
//! lanes and holds the run's lock; looking needs neither. What cards did is carried to the project, or taken back, by one three-way merge
//! after another (`moves`), in the trusted shape. Start reading at [`model::RunEvent`].

mod answer;
mod apply;
pub mod artifacts;
pub mod board;
mod cleaned;
pub mod compare;
mod drop;
mod error;
pub mod evidence;
pub mod fold;
mod hear;
mod list;
pub mod log;
pub mod model;
mod moves;
mod preview;
mod replay;
mod revert;
mod state;
mod undone;
pub mod words;

pub use answer::{answer, kept_answer};
pub use apply::{apply, preview_apply};
pub use drop::{RunDropped, drop_run};
pub use error::RunError;
pub use fold::Run;
pub use list::{Place, RunLine, RunList, is_running, list, place, request_stop, show};
pub use moves::CardConflict;
pub use preview::{CardName, CardOptions, CardPreview, CardsDone};
pub use replay::{CardReplayed, Outcome, ReplayOptions, Replayed, fresh_lane, replay};
pub use revert::{preview_revert, revert};
pub use state::{LaneState, save};
pub use undone::{UNDONE, UNDONE_PARTLY, Undone};
