//! Everything that is tried of the loop from outside, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails where it stands, and so does what several share"
)]

mod actions;
mod kills;
mod random;
mod stories;
mod tasks;
mod world;
