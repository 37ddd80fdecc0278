//! `vib why`

use std::path::PathBuf;

use engine::Result;
use engine::why::{WhyQuery, why};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Whose line is this: which request and agent wrote it, or you
///
/// For each line the step that wrote it, with its request, agent and time; a person's own hand; or what was there before vib, and then the
/// commit of git. Lines that were moved, renamed, reformatted or brought back by an undo stay with their first writer.
///
/// `vib why src/cart.js:12` asks about one line, `vib why src/cart.js:12-20` about some.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file, and which lines of it
    #[arg(value_name = "FILE[:LINE[-LINE]]")]
    file: String,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let cwd = session.context.as_ref().map(|context| context.cwd().to_path_buf()).unwrap_or_default();
    let mut query = WhyQuery::typed(&cwd, &args.file);
    let engine = session.engine_for(&[PathBuf::from(&query.file)])?;
    query.file = engine::outside::expanded(engine.context(), &query.file);
    let report = why(&engine, &query, &session.progress)?;
    Ok(Answer::new(&session.printer, &report, render::why).long())
}
