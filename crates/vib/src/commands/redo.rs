//! `vib redo`

use engine::Result;
use engine::undo::Target;

use super::undo::{Consent, go_back};
use crate::answer::Answer;
use crate::cli::Session;

/// Take the last undo back: return to the state before it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    consent: Consent,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    go_back(&engine, &Target::BeforeLastRestore, &[], &args.consent, session)
}
