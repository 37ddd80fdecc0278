//! `vib memory promote`

use clap::ValueEnum as _;
use engine::{Engine, Result, learning};

use super::Whom;
use crate::answer::Answer;
use crate::printer::Printer;
use crate::render;

/// Let what proved itself in sessions count in the project, or what proved itself in the project everywhere
///
/// A command that worked or failed again and again becomes a memory of the wider scope, if every gate says yes: seen often enough, in
/// several sessions, not contradicted, not old, without secrets. What you said yourself is never moved.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The memory, by its id or the beginning of it (`vib memory recall` shows ids)
    id: String,
    /// Where it should count; without it, one step up from where it is
    #[arg(long, value_name = "SCOPE", value_parser = |word: &str| Whom::from_str(word, false))]
    to: Option<Whom>,
}

pub(super) fn run(args: &Args, engine: &Engine, printer: &Printer) -> Result<Answer> {
    let report = learning::promote(engine, &args.id, args.to.map(Into::into))?;
    let exit = u8::from(!report.promoted && !report.known_before);
    Ok(Answer::new(printer, &report, render::promoted).with_exit(exit))
}
