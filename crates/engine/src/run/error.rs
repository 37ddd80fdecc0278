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
    #[error("somebody is at work on the run `{run}` (process {pid}{})", since(*.since_ms))]
    Busy {
        /// The run.
        run: String,
        /// The process.
        pid: u32,
        /// Since when, milliseconds since 1970; 0: it is not known.
        since_ms: i64,
    },
    /// Nobody works on it, so nobody can be stopped.
    #[error("nobody is at work on the run `{0}`, and it has ended")]
    NotRunning(String),
    /// It asked nothing, or something else since.
    #[error("the run `{0}` does not wait for this answer")]
    NotWaiting(String),
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
    /// Nothing of the run waits for a yes.
    #[error("nothing of the run `{0}` waits to be applied")]
    NothingWaits(String),
    /// The card has nothing yet that could be applied or taken back.
    #[error("the card `{0}` has nothing yet that could be applied or taken back")]
    NotReady(String),
    /// Several attempts, and nobody chose.
    #[error("the card `{card}` has {attempts} attempts, and none is recommended")]
    Choose {
        /// Run and card.
        card: String,
        /// How many.
        attempts: usize,
    },
    /// Its changes are in the project already.
    #[error("the changes of `{0}` are in the project already")]
    Landed(String),
    /// What the card did cannot simply be carried over: the same places were changed otherwise.
    #[error("`{card}` cannot simply {}: {}", if *.revert { "be taken back" } else { "be applied" }, places.join("; "))]
    Overlaps {
        /// Run and card.
        card: String,
        /// The places, and who changed them.
        places: Vec<String>,
        /// It was to be taken back, not applied.
        revert: bool,
        /// The command that works.
        next: String,
    },
    /// All that the cards changed was changed otherwise since.
    #[error("nothing of `{name}` can simply {}: all of its {files} files were changed otherwise since", if *.revert { "be taken back" } else { "be applied" })]
    OnlyConflicts {
        /// Run and card.
        name: String,
        /// How many files.
        files: usize,
        /// It was to be taken back, not applied.
        revert: bool,
    },
    /// A check that passes in the project fails with what the cards did.
    #[error("with what `{name}` did, `{check}` fails, and it passes without")]
    ChecksFail {
        /// Run and card.
        name: String,
        /// The first such check.
        check: String,
    },
    /// A check passes with what the cards did only because the check was changed.
    #[error("with what `{name}` did, `{check}` passes only because the check itself was changed")]
    CheckChanged {
        /// Run and card.
        name: String,
        /// The first such check.
        check: String,
    },
    /// Several cards share a lane, so that one of them cannot be dropped alone.
    #[error("the lane `{lane}` holds {} together, so `{card}` cannot be dropped alone", others.join(", "))]
    SharedLane {
        /// Run and card.
        card: String,
        /// The run.
        run: String,
        /// The lane.
        lane: String,
        /// The cards in it.
        others: Vec<String>,
    },
    /// Nothing is left to drop.
    #[error("everything of `{0}` was dropped already, or never had a lane")]
    NothingToDrop(String),
    /// The state that is needed is not kept any more.
    #[error("the state `{state}` of the lane `{lane}` is not kept any more")]
    StateGone {
        /// The lane.
        lane: String,
        /// The checkpoint.
        state: String,
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

/// The moment, in the words of a message.
fn since(ms: i64) -> String {
    match jiff::Timestamp::from_millisecond(ms) {
        Ok(time) if ms > 0 => format!(", since {}", time.strftime("%Y-%m-%d %H:%M:%S UTC")),
        _ => String::new(),
    }
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
            Self::NotWaiting(_) => "run_not_waiting",
            Self::NoEvidence { .. } => "no_evidence",
            Self::NothingWaits(_) => "nothing_waits",
            Self::NotReady(_) => "card_not_ready",
            Self::Choose { .. } => "choose_attempt",
            Self::Landed(_) => "already_applied",
            Self::Overlaps { .. } => "overlaps",
            Self::OnlyConflicts { .. } => "only_conflicts",
            Self::ChecksFail { .. } => "checks_fail",
            Self::CheckChanged { .. } => "check_changed",
            Self::SharedLane { .. } => "shared_lane",
            Self::NothingToDrop(_) => "nothing_to_drop",
            Self::StateGone { .. } => "run_state_gone",
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
            Self::NotWaiting(run) => format!("`vib run show {run}` shows what it waits for, if anything"),
            Self::NoEvidence { .. } => {
                "change something, run a check, or say why there is nothing to do".to_owned()
            }
            Self::NothingWaits(run) => format!("`vib run show {run}` shows how each card stands"),
            Self::NotReady(card) => {
                let run = card.split('/').next().unwrap_or_default();
                format!("`vib run show {run}` shows how it stands; `vib run resume {run}` goes on with it")
            }
            Self::Choose { card, .. } => {
                format!("look with `vib run show {card}`, then name one: `vib run apply {card}/a1`")
            }
            Self::Landed(card) => format!("`vib run revert {card}` takes them back"),
            Self::Overlaps { next, .. } => next.clone(),
            Self::OnlyConflicts { name, revert, .. } => {
                let word = if *revert { "revert" } else { "apply" };
                format!(
                    "`vib run {word} {name}` names the places and what to do about them; `vib history` shows who changed them"
                )
            }
            Self::ChecksFail { name, .. } | Self::CheckChanged { name, .. } => format!(
                "look with `vib run show {name}`; apply it all the same with `vib run apply {name} --no-check`, or put it away with `vib run drop`"
            ),
            Self::SharedLane { card, run, .. } => {
                format!(
                    "take back what it did with `vib run revert {card}`, or drop the whole run with `vib run drop {run}`"
                )
            }
            Self::NothingToDrop(_) => "`vib lane list --all` shows every lane that was dropped".to_owned(),
            Self::StateGone { lane, .. } => {
                format!(
                    "`vib lane diff {lane}` shows what is still known; `vib store stats` says what is kept for how long"
                )
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
            Self::Log { .. } | Self::StateGone { .. } => 3,
            _ => 1,
        }
    }
}
