//! `vib scan`

use engine::Result;

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Make or update the map of the project: what each file is for, and who needs whom
///
/// Only files that changed since the last time are read. Nothing in the project is changed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let report = engine::map::scan(&engine, &session.progress)?;
    Ok(Answer::new(&session.printer, &report, render::scan).long())
}
