//! Everything that is tried of the memory from outside, in one program: each program more would be linked with everything again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails where it stands, and so does what several share"
)]

mod lessons;
mod log;
mod said;
mod work;
