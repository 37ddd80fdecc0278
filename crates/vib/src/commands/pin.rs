//! `vib pin` and `vib unpin`

use engine::Result;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Keep a checkpoint for ever
#[derive(Debug, clap::Args)]
pub(crate) struct PinArgs {
    /// The checkpoint
    id: String,
}

/// Let a pinned checkpoint expire like the others
#[derive(Debug, clap::Args)]
pub(crate) struct UnpinArgs {
    /// The checkpoint
    id: String,
}

pub(crate) fn pin(args: &PinArgs, session: &mut Session) -> Result<Answer> {
    set(&args.id, true, session)
}

pub(crate) fn unpin(args: &UnpinArgs, session: &mut Session) -> Result<Answer> {
    set(&args.id, false, session)
}

fn set(id: &str, pinned: bool, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let checkpoint = engine::pin::set(&engine, id, pinned, &session.progress)?;
    Ok(Answer::new(&session.printer, &checkpoint, render::pinned))
}
