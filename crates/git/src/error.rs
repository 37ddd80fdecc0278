//! Why git could not be asked.

use std::path::PathBuf;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The `git` program is needed and not there.
    #[error("the `git` program was not found")]
    Missing,
    /// There is no repository here.
    #[error("`{}` is not in a git repository", .0.display())]
    NotARepository(PathBuf),
    /// The `git` program could not do it.
    #[error("git could not be read: {0}")]
    Failed(String),
}

/// The result of asking git.
pub type Result<T, E = Error> = std::result::Result<T, E>;
