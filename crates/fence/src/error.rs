//! Why there is no fence, or why a place stays outside it.

use std::path::PathBuf;

/// A result of the fence.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// This system has no fence that vib can put up.
    #[error("there is no fence here: {0}")]
    None(String),
    /// The kernel did not take it.
    #[error("the fence could not be put up: {0}")]
    NotUp(String),
    /// There would be more rules than a command should have to wait for.
    #[error("the fence would need {rules} rules, and {most} are the most")]
    TooMany {
        /// So many.
        rules: usize,
        /// The most.
        most: usize,
    },
    /// A place that nobody opens.
    #[error("`{}` stays closed: it holds {what}", path.display())]
    Guarded {
        /// The place.
        path: PathBuf,
        /// What would be in reach with it.
        what: &'static str,
    },
    /// A place that is not there.
    #[error("`{}` is not there", path.display())]
    Missing {
        /// The place.
        path: PathBuf,
    },
    /// Vib itself was called from behind the fence.
    #[error("this vib runs behind its own fence, which keeps its records closed: {0}")]
    Behind(String),
    /// A command that cannot be started.
    #[error("`{program}` could not be started: {why}")]
    NotStarted {
        /// The program.
        program: String,
        /// Why.
        why: std::io::Error,
    },
    /// A file of the fence's own.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The state folder is not known.
    #[error(transparent)]
    Project(#[from] project::Error),
}

impl Error {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::None(_) => "no_fence",
            Self::NotUp(_) => "fence_not_up",
            Self::TooMany { .. } => "fence_too_many_rules",
            Self::Guarded { .. } => "fence_guarded",
            Self::Missing { .. } => "fence_place_missing",
            Self::Behind(_) => "behind_fence",
            Self::NotStarted { .. } => "fence_not_started",
            Self::Io(_) => "fence_io",
            Self::Project(error) => error.code(),
        }
    }

    /// What to do.
    pub fn next(&self) -> String {
        match self {
            Self::None(_) => "commands are judged by their text alone, as without the fence".to_owned(),
            Self::NotUp(_) => {
                "`vib fence probe` says what this kernel does; `vib config set guard.fence off` \
                               runs commands without a fence"
                    .to_owned()
            }
            Self::TooMany { .. } => {
                "hide fewer places (`guard.fence_hide`), or allow fewer (`vib fence list`)".to_owned()
            }
            Self::Guarded { .. } => "allow a folder inside it that holds nothing else".to_owned(),
            Self::Missing { .. } => "make it first, or allow the folder that it will be in".to_owned(),
            Self::Behind(_) => {
                "call vib in a call of its own, not together with a command that runs other code".to_owned()
            }
            Self::NotStarted { .. } => "check its name and whether it may be run".to_owned(),
            Self::Io(error) => project::io_next(error),
            Self::Project(error) => error.next(),
        }
    }
}
