//! `vib lock`

use clap::Subcommand;
use engine::Result;
use engine::person::{Act, lock};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{person, render};

/// A passphrase for what only a person may do
///
/// Going back, approving, granting, settings: vib refuses those when an agent runs it. With a passphrase it also asks for that,
/// at the terminal, each time. It is kept as a hash on this machine; it is never an argument and never in a log.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Is a passphrase set, and what to do if it is forgotten
    Status,
    /// Set a passphrase, or another one
    Set,
    /// Take the passphrase away
    Remove,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let context = session.context()?;
    let report = match &args.command {
        None | Some(Command::Status) => lock::status(&context)?,
        Some(Command::Set) => {
            let by = person::required(&context, Act::Lock)?;
            let ask = |question: &str| person::passphrase(question).map_err(|_| engine::Error::NeedsTerminal);
            let new = ask("New passphrase: ")?;
            let again = ask("The same again: ")?;
            lock::set(&context, by, &new, &again)?
        }
        Some(Command::Remove) => lock::remove(&context, person::required(&context, Act::Lock)?)?,
    };
    Ok(Answer::new(&session.printer, &report, render::lock))
}
