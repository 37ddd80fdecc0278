//! `vib show`

use engine::Result;
use engine::diff::Detail;

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
    let detail = if args.stat { Detail::Counts } else { Detail::Text };
    let report = engine::show::show(&engine, &args.id, detail, &session.progress)?;
    let stat = args.stat;
    Ok(Answer::new(&session.printer, &report, |report, theme| render::show(report, stat, theme)))
}
