//! Runs: a task, its cards, what was done for each, and the proof that vib itself produced. (AG2)
//!
//! Truth is one append-only log per run; everything else is folded from it. Start reading at [`model::RunEvent`].

pub mod model;
