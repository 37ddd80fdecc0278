//! `vib spiral`

use engine::Result;
use engine::agent;
use engine::person::Act;

use crate::answer::Answer;
use crate::cli::Session;
use crate::{person, render};

/// Agents that ran in circles: which files rest, and letting the agent go on
///
/// When an agent changes a file back and forth, or the same error comes back after every change, vib holds the next edit
/// of that file back and asks you. `resume` is your answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show which files rest, and why
    Status,
    /// Let the agent edit again
    Resume {
        /// Only this file, as `vib spiral status` names it
        file: Option<String>,
    },
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let report = match &args.command {
        None | Some(Command::Status) => agent::spiral_status(&engine),
        Some(Command::Resume { file }) => {
            let by = person::required(engine.context(), Act::Resume)?;
            agent::spiral_resume_by(&engine, file.as_deref(), by)?
        }
    };
    Ok(Answer::new(&session.printer, &report, render::spiral))
}
