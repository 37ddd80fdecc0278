//! Memory that stays true: one append-only log, and everything else derived from it.

pub mod recall;
