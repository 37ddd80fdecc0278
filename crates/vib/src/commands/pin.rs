//! `vib pin` and `vib unpin`

use engine::person::Act;
use engine::{Result, pin};

use crate::answer::Answer;
use crate::cli::Session;
use crate::{person, render};

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
    let engine = session.engine()?;
    let checkpoint = pin::pin(&engine, &args.id, &session.progress)?;
    Ok(Answer::new(&session.printer, &checkpoint, render::pinned))
}

pub(crate) fn unpin(args: &UnpinArgs, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let by = person::required(engine.context(), Act::Unpin)?;
    let checkpoint = pin::unpin(&engine, &args.id, by, &session.progress)?;
    Ok(Answer::new(&session.printer, &checkpoint, render::pinned))
}
