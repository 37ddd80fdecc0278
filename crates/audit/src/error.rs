//! Why the log could not be written or read.

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Other processes kept the audit log locked.
    #[error("the audit log is in use by another vib")]
    Busy,
    /// From the ground.
    #[error(transparent)]
    Project(#[from] project::Error),
}

/// The result of asking the log.
pub type Result<T, E = Error> = std::result::Result<T, E>;
