//! One program for all integration tests of this crate.

mod budget;
mod faults;
mod scripted;
mod stories;
mod streams;
