//! `vib show`

use engine::Result;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// One checkpoint: when, why, and what was different from before
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The checkpoint (the first letters of its id are enough)
    id: String,
    /// Only the list of files, no lines
    #[arg(long)]
    stat: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let report = engine::show::show(&engine, &args.id, !args.stat, &session.progress)?;
    let stat = args.stat;
    Ok(Answer::new(&session.printer, &report, |report, theme| render::show(report, stat, theme)))
}
