//! Why files were not changed.

use crate::lock::Busy;

/// The result of a change.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What stopped a change. Nothing is half done: either nothing was touched, or it says what was put back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The project, or a file of vib's own.
    #[error(transparent)]
    Project(#[from] project::Error),
    /// Another change is being carried out.
    #[error("another change is being carried out")]
    Busy(Busy),
    /// The yes was given to something else than what is to be done.
    #[error("the yes was given to something else than this")]
    NotWhatWasShown,
    /// It took too long and was stopped.
    #[error("it took longer than {seconds} seconds and was stopped")]
    TimedOut {
        /// The limit.
        seconds: u64,
        /// Everything is as it was before.
        put_back: bool,
        /// The safety checkpoint.
        safety: String,
    },
    /// Files changed after they were shown.
    #[error("{} changed after the preview", .paths.join(", "))]
    ChangedAfterPreview {
        /// The files.
        paths: Vec<String>,
        /// Stands for the files as they are now: the second yes.
        code: String,
    },
    /// All or nothing was wanted, and not all could be done.
    #[error("not everything could be written: {first}")]
    Partly {
        /// The first that could not.
        first: String,
        /// Everything is as it was before.
        put_back: bool,
        /// The safety checkpoint.
        safety: String,
    },
}
