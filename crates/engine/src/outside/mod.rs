//! What a step does outside its project. (T8, S12)
//!
//! An agent reaches over: into another project of vib's, into a folder beside, into the home. What lies in another project is a step
//! there, like any other of its history. Everything else is saved into one store of loose files (a [`project::Project`] whose root is the top
//! of the file system and of which nothing is ever walked), so that ledger, undo, redo, retention and checks are those of every store.
//!
//! [`Outside`] says what of a step lies where; [`begin`] saves it and begins the step there, [`end`] looks again; [`soften`] makes the judge's
//! answer milder once everything that would be lost is among it; [`engine_for`] finds the store for a path that a person typed.

mod gather;
mod place;
mod plan;
mod soften;
mod steps;
mod story;
mod typed;

pub use plan::{Obstacle, Outside};
pub use soften::soften;
pub use steps::{OutsideStep, begin, end, note, settle};
pub use story::InProject;
pub use typed::{OtherStore, engine_for, expanded, loose_files, shown, stats, word};

pub(crate) use story::{
    before_last_steps, in_projects, is_taken_back_elsewhere, still_changed, tell_origins,
};

pub(crate) use place::real_path;
pub(crate) use typed::other_store;
