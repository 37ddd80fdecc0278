//! One program for all integration tests of this crate.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod budget;
mod chaos;
mod faults;
mod scripted;
mod stories;
mod streams;
