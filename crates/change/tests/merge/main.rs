//! The merge against its laws, and against `git merge-file`.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails where it stands")]

mod cases;
mod git;
mod laws;
