//! What can be wrong with a run.

/// An error about a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Nothing has this name.
    #[error("there is no run `{0}`")]
    Unknown(String),
    /// What was typed names no run, card or attempt.
    #[error("`{0}` names no run, card or attempt")]
    BadName(String),
    /// The run has no such card.
    #[error("the run `{run}` has no card `{card}`")]
    NoCard {
        /// The run.
        run: String,
        /// The card.
        card: String,
    },
    /// The card has no such attempt.
    #[error("the card `{card}` of `{run}` has no attempt `{attempt}`")]
    NoAttempt {
        /// The run.
        run: String,
        /// The card.
        card: String,
        /// The attempt.
        attempt: String,
    },
    /// Somebody works on it.
    #[error("somebody is at work on the run `{run}` (process {pid}, {doing})")]
    Busy {
        /// The run.
        run: String,
        /// The process.
        pid: u32,
        /// What it does.
        doing: String,
        /// Since when, milliseconds since 1970; 0: it is not known.
        since_ms: i64,
    },
    /// Nobody works on it, so nobody can be stopped.
    #[error("nobody is at work on the run `{0}`, and it has ended")]
    NotRunning(String),
    /// A card without changes, commands, checks or a reason is not done.
    #[error(
        "the card `{card}` of `{run}` has no changes, commands or checks, and no reason was given: it cannot be done"
    )]
    NoEvidence {
        /// The run.
        run: String,
        /// The card.
        card: String,
    },
    /// The log cannot be read or written.
    #[error("the log of the run `{run}` cannot be used: {source}")]
    Log {
        /// The run.
        run: String,
        /// Why.
        source: std::io::Error,
    },
}

impl RunError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "no_such_run",
            Self::BadName(_) => "bad_run_name",
            Self::NoCard { .. } => "no_such_card",
            Self::NoAttempt { .. } => "no_such_attempt",
            Self::Busy { .. } => "run_busy",
            Self::NotRunning(_) => "run_not_running",
            Self::NoEvidence { .. } => "no_evidence",
            Self::Log { .. } => "run_log",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Unknown(_) => "`vib run list` shows the runs there are".to_owned(),
            Self::BadName(_) => {
                "name a run (`run3`), a card (`run3/c1`) or an attempt (`run3/c1/a2`)".to_owned()
            }
            Self::NoCard { run, .. } | Self::NoAttempt { run, .. } => {
                format!("`vib run show {run}` shows its cards and attempts")
            }
            Self::Busy { run, .. } => {
                format!("wait until it is done, or end it with `vib run stop {run}`")
            }
            Self::NotRunning(run) => format!("`vib run show {run}` shows how it ended"),
            Self::NoEvidence { .. } => {
                "change something, run a check, or say why there is nothing to do".to_owned()
            }
            Self::Log { .. } => {
                "see that the state folder can be written and the disk is not full; nothing was lost"
                    .to_owned()
            }
        }
    }

    /// Exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::BadName(_) => 2,
            Self::Log { .. } => 3,
            _ => 1,
        }
    }
}
