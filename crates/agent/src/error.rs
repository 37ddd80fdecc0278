//! What ends the work on a run as a whole. What is wrong with one action is a [`ActionRefusal`](crate::ActionRefusal).

/// The result of working on a run.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with a stable code, a message and a next step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// From the engine or below.
    #[error(transparent)]
    Engine(#[from] engine::Error),
    /// There is nothing to do.
    #[error("there is no task")]
    NoTask,
    /// Nobody can carry it out.
    #[error("{0}")]
    NoExecutor(String),
    /// An agent could not be started.
    #[error("{message}")]
    NotStarted {
        /// Stable code.
        code: &'static str,
        /// What happened.
        message: String,
        /// What to do next.
        next: String,
    },
    /// The run waits for nothing, or for something else.
    #[error("{0}")]
    NotWaiting(String),
    /// Notes or the log could not be written.
    #[error("the run could not be written down: {0}")]
    NotWritten(#[from] std::io::Error),
    /// The work was cut off on purpose: a test plays a kill.
    #[error("cut off")]
    CutOff,
}

impl Error {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Engine(error) => error.code(),
            Self::NoTask => "no_task",
            Self::NoExecutor(_) => "no_provider",
            Self::NotStarted { code, .. } => code,
            Self::NotWaiting(_) => "not_waiting",
            Self::NotWritten(_) => "not_written",
            Self::CutOff => "cut_off",
        }
    }

    /// What to do next.
    pub fn next(&self) -> String {
        match self {
            Self::Engine(error) => error.next(),
            Self::NoTask => "say what is to be done: `vib run \"Add a test for the cart\"`".to_owned(),
            Self::NoExecutor(_) => {
                "`vib providers explain` says how a model is named; `--with claude-code` lets another agent do it".to_owned()
            }
            Self::NotStarted { next, .. } => next.clone(),
            Self::NotWaiting(_) => "`vib run show RUN` says how it stands".to_owned(),
            Self::NotWritten(_) => "look whether the disk is full, then `vib run resume RUN`".to_owned(),
            Self::CutOff => "`vib run resume RUN` goes on".to_owned(),
        }
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Self::Engine(error.into())
    }
}
