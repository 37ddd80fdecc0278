//! `vib show`

use std::path::PathBuf;

use engine::diff::Detail;
use engine::{Error, Result};
use store::{RequestNumber, StepNumber};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;
use crate::theme::Theme;

/// One step, request or checkpoint in detail, or one old file
///
/// `vib show s41` shows a step, `vib show r12` a request with all its steps. `vib show ID FILE > old` writes the file as it was, to the byte. On a terminal it is shown so that nothing in it can drive the terminal.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The step, the request, or the checkpoint (the first letters of its id are enough)
    #[arg(value_name = "STEP|REQUEST|ID")]
    id: Option<String>,
    /// Show this file as it was in the checkpoint or after the step, and nothing else
    #[arg(conflicts_with = "stat")]
    file: Option<PathBuf>,
    /// Only the list of files, no lines
    #[arg(long)]
    stat: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let Some(id) = &args.id else {
        return Err(Error::Usage(
            "say which step, request or checkpoint: `vib show ID`; `vib history` lists them".to_owned(),
        ));
    };
    let named: Vec<PathBuf> = args.file.iter().cloned().collect();
    let engine = session.engine_for_moments(&named, std::slice::from_ref(id))?;
    let file = args.file.as_ref().map(|file| engine::outside::expanded(engine.context(), file));
    let (step, request) = (StepNumber::parse(id), RequestNumber::parse(id));
    if let Some(file) = &file {
        let old = match step {
            None if let Some(request) = request => {
                engine::show::file_after_request(&engine, request, file, &session.progress)?
            }
            Some(step) => engine::show::file_after_step(&engine, step, file, &session.progress)?,
            None => engine::show::old_file(&engine, id, file, &session.progress)?,
        };
        if session.printer.exact() {
            return Ok(Answer::raw(old.content));
        }
        return Ok(Answer::new(&session.printer, &old, render::old_file).long());
    }
    let detail = if args.stat { Detail::Counts } else { Detail::Text };
    let done = match (step, request) {
        (Some(step), _) => Some(engine::show::step(&engine, step, detail, &session.progress)?),
        (_, Some(request)) => Some(engine::show::request(&engine, request, detail, &session.progress)?),
        _ => None,
    };
    if let Some(report) = done {
        if session.printer.exact() && !args.stat {
            let mut bytes = render::done(&report, &Theme::plain()).into_bytes();
            bytes.extend(render::patch(&report.changes));
            return Ok(Answer::raw(bytes));
        }
        return Ok(Answer::new(&session.printer, &report, |report, theme| {
            render::show_done(report, args.stat, theme)
        })
        .long());
    }
    let report = engine::show::show(&engine, id, detail, &session.progress)?;
    if session.printer.exact() && !args.stat && !render::lists_only(&report) {
        let mut bytes = render::shown(&report, &Theme::plain()).into_bytes();
        bytes.extend(render::patch(&report.changes));
        return Ok(Answer::raw(bytes));
    }
    Ok(Answer::new(&session.printer, &report, |report, theme| render::show(report, args.stat, theme)).long())
}
