//! Everything that is tried of the store from outside, in one program: each program more would be linked with everything again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails where it stands, and so does what several share"
)]

mod binding;
mod floors;
mod ignored;
mod ledger;
mod materialise;
mod migration;
mod model;
mod retention;
mod story;
mod waiting;
mod witness;
mod world;
