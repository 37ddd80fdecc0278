//! `vib redo`

use engine::Result;
use engine::undo::{Options, Target};

use super::undo::{Consent, go_back};
use crate::answer::Answer;
use crate::cli::Session;

/// Walk forward again: take the last undo back
///
/// As often as you walked back, until something new happens.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    consent: Consent,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    go_back(&engine, &Target::Redo, Options::default(), &args.consent, session)
}
