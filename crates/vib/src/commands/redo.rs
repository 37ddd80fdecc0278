//! `vib redo`

use std::path::PathBuf;

use engine::undo::{Options, Target};
use engine::{Error, Result};

use super::undo::{Consent, Take, go_back};
use crate::answer::Answer;
use crate::cli::Session;

/// Walk forward again: take the last undo back
///
/// As often as you walked back. What was done since stays; where the same lines were changed since, that place is shown and left, unless you
/// choose otherwise. With a PATH outside every project: the last undo of that file.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file outside this project whose undo is taken back
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    take: Take,
    #[command(flatten)]
    consent: Consent,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine_for(&args.paths)?;
    let paths = if engine.project().is_loose() { args.paths.clone() } else { Vec::new() };
    if paths.is_empty() && !args.paths.is_empty() {
        let is_here = engine.context().cwd().starts_with(engine.project().root());
        if is_here {
            return Err(Error::Usage(
                "`vib redo` walks the whole project forward; name no file of it".to_owned(),
            ));
        }
    }
    let mut options = Options { paths, ..Options::default() };
    args.take.choose(&mut options);
    go_back(&engine, &Target::Redo, options, &args.consent, session)
}
