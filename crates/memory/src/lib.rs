//! Memory that stays true: one append-only log, and everything else derived from it.
//!
//! What this crate promises:
//! - [`log::Log`] is the only truth. Every fact is appended once, in one write, under a lock; no writer can lose another
//!   writer's fact. A last line that a crash tore is set aside and reported.
//! - Event kinds and fields that this version does not know survive.
//!
//! Start reading at [`log`].

pub mod handoff;
pub mod learn;
pub mod lessons;
pub mod log;
pub mod qa;
pub mod recall;
pub mod said;
pub mod work;
