//! `vib verify`

use std::ffi::OsString;
use std::path::PathBuf;

use engine::Result;
use engine::memory;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Run a check, and remember how it ended
///
/// `vib verify -- npm test` runs `npm test`, shows what it says, and ends with its exit code. The result is remembered together
/// with the content of the files it is about: when one of them changes, it no longer counts.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The files it is about; else those that were edited since it last passed
    #[arg(long, value_name = "PATH", num_args = 1..)]
    scope: Vec<PathBuf>,
    /// The command and its words
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let scope = engine.known_names(&args.scope)?;
    session.progress.finish();
    let report = memory::verify(&engine, "cli", &args.command, &scope, session.printer.json())?;
    let exit = report.exit;
    Ok(Answer::new(&session.printer, &report, render::verified).with_exit(exit))
}
