//! `vib demo`

use engine::Result;

use crate::answer::Answer;
use crate::cli::Session;

/// See the whole story: an agent breaks a small project, vib brings it back
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, _session: &mut Session) -> Result<Answer> {
    Ok(Answer::raw(Vec::new()))
}
