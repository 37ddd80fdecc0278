//! Everything that is tried of the engine from outside, in one program: each program more would be linked with everything again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails where it stands, and so does what several share"
)]

mod approvals;
mod audit;
mod bisect;
mod interleavings;
mod patch;
mod remembering;
mod usage;
mod why;
