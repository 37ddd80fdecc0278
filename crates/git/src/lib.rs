//! Git, read without trusting the repository: its folder, its log of `HEAD` and of the stash, its index and its objects.
//!
//! What this crate promises:
//! - There is one answer to "where is git's data for this folder?": [`Folder::of`].
//! - What stands in git's own files is read from there: no process, no lock, and never more than a bounded part of a file.
//! - What only the `git` program knows is asked through [`reader`]; nothing in a repository's settings starts a program then. (S15)
//!
//! What a `.git` *means* for a project around it (work tree, submodule, clone) is the project's question: [`project::git_mark`].

mod blobs;
mod error;
mod folder;
mod own_branch;
mod program;
mod raw;
mod reflog;
mod tracked;

pub use blobs::read_blobs;
pub use error::{Error, Result};
pub use folder::Folder;
pub use own_branch::{Held, OwnBranch};
pub use program::{ask, check, failed, output, reader, start, writer};
pub use raw::{RawChange, raw_changes};
pub use reflog::Move;
pub use tracked::{LONGEST_INDEX, Tracked};
