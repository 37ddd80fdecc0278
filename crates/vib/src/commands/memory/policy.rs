//! `vib memory policy`

use engine::{Result, knowledge, learning};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Does it help what agents are told? And how recall weighs: what it learned from which memories were of use, and taking that back
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List what was learned, why, and what was taken back
    Log,
    /// Take back what was learned; the built-in weights, or what was learned before, count again
    Revert {
        /// The number of the policy, or its id
        id: String,
    },
}

pub(super) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let Some(command) = &args.command else {
        return Ok(Answer::new(&session.printer, &knowledge::help(&engine)?, |help, _| {
            format!("{}\n", help.sentence)
        }));
    };
    match command {
        Command::Log => Ok(Answer::new(&session.printer, &learning::log(&engine)?, render::policies)),
        Command::Revert { id } => {
            let report = learning::revert(&engine, id)?;
            Ok(Answer::new(&session.printer, &report, render::policy_reverted))
        }
    }
}
