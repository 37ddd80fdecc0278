//! `vib stop`

use engine::Result;
use engine::gates;
use engine::gates::acceptance::{self, Criterion};
use engine::person::Act;
use serde::Serialize;

use crate::answer::Answer;
use crate::cli::Session;
use crate::{person, render};

/// Let an agent end that says it is done, with something open
///
/// With `stop.mode = block` an agent that says it is done while a check fails or its own list is open has to go on, at most twice. `vib stop pass` says that
/// it is fine as it is; so does `vib ok` in the chat.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// It is fine as it is: for what is left of this turn and for the next one (only a person may)
    Pass {
        /// Only this session; else every one that vib knows here
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
    /// What was agreed on, and what shows it; with numbers: you say that these are so (only a person may)
    Accept {
        /// Numbers of the list
        #[arg(value_name = "NUMBER")]
        numbers: Vec<usize>,
        /// Take it back
        #[arg(long, requires = "numbers")]
        undo: bool,
    },
}

/// What `vib stop accept` says.
#[derive(Debug, Serialize)]
pub(crate) struct AcceptReport {
    /// What was agreed on.
    pub(crate) criteria: Vec<Criterion>,
    /// `stop.gates` names `acceptance`.
    pub(crate) counts: bool,
}

/// What `vib stop pass` says.
#[derive(Debug, Serialize)]
pub(crate) struct PassReport {
    /// Sessions that may end.
    pub(crate) sessions: usize,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    match &args.command {
        Command::Pass { session: only } => {
            let by = person::required(engine.context(), Act::PassGates)?;
            let report = PassReport { sessions: gates::pass_by(&engine, only.as_deref(), by)? };
            Ok(Answer::new(&session.printer, &report, render::stop_passed))
        }
        Command::Accept { numbers, undo } => {
            let criteria = if numbers.is_empty() {
                acceptance::list(&engine)
            } else {
                let by = person::required(engine.context(), Act::PassGates)?;
                acceptance::tick(&engine, numbers, *undo, by)?
            };
            let counts = engine.project().config().list("stop.gates").iter().any(|gate| gate == "acceptance");
            Ok(Answer::new(&session.printer, &AcceptReport { criteria, counts }, render::stop_accepted))
        }
    }
}
