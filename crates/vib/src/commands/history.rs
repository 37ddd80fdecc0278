//! `vib history`

use engine::Result;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// The checkpoints, newest first, under the prompts that led to them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Safety checkpoints too (made before each undo)
    #[arg(short, long)]
    all: bool,
    /// How many at the most (0: all)
    #[arg(short = 'n', long, value_name = "N", default_value_t = 30)]
    limit: usize,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let report = engine::history::history(&engine, args.all, args.limit, &session.progress)?;
    Ok(Answer::new(&session.printer, &report, render::history))
}
