//! `vib status`

use engine::Result;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// What changed since the last checkpoint, and what is saved
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let report = engine::status::status(&engine, &session.progress)?;
    Ok(Answer::new(&session.printer, &report, render::status))
}
