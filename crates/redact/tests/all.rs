//! Everything that is tried of the scanner and the gate from outside, in one program: each program more would be linked with everything again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails where it stands, and so does what several share"
)]

mod cases;
mod classes;
mod dense;
mod gate;
mod growth;
mod kinds;
mod rules;
