//! Everything that is tried of the judge of commands from outside, in one program: each program more would be linked with everything again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails where it stands, and so does what several share"
)]

mod corpus;
mod looks;
mod properties;
mod there;
mod unread_code;
