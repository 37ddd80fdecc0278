//! `vib init`

use engine::Result;
use engine::init::{InitOptions, init};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Start protecting this project: an id, a place for checkpoints, a first checkpoint
///
/// Other commands work without it and create what they need. Nothing is staged, committed or changed in your files;
/// `.vibelign/` gets a `.gitignore` of its own.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Do not ask anything (for scripts)
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Make the current folder the project, whatever lies above it
    #[arg(long)]
    here: bool,
    /// Join this folder to checkpoints that are already stored under this project id (after cloning again elsewhere)
    #[arg(long, value_name = "ID", conflicts_with = "here")]
    adopt: Option<String>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let options = InitOptions { here: args.here, adopt: args.adopt.clone() };
    let context = session.context()?;
    let (_, report) = init(context, &options, &session.progress)?;
    Ok(Answer::new(&session.printer, &report, render::init))
}
