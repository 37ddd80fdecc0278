//! A lane: a workspace made from a saved state, with a history of its own.
//!
//! A lane is a project like any other, so everything that holds for a project's store holds for it: locks, looks, steps, retention,
//! repair. What it does not do is keep its first state a second time. Its index is filled with one checkpoint, the state it began with
//! ([`seed`]), and the packs that hold that content are *linked* into its folder ([`shared`]): records are only ever appended and a pack is
//! never changed where it lies, so two names of one file serve two stores. Either may clean up, be repaired or go away without asking the
//! other; what both need is on the disk once, and what only one needs goes when that one lets it go.
//!
//! That is why there is no column for the lane in every table: eight lanes write into eight indexes and never wait for each other, a
//! damaged index is that of one lane, and history, undo and checks inside a lane are those of any project.

mod seed;
mod shared;
mod warm;

pub(crate) use shared::own_bytes_condition;
