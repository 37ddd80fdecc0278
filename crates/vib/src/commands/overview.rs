//! `vib` alone: where do we stand, and what is the one thing to do next?

use engine::Result;
use serde::Serialize;

use super::status;
use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// Where we stand; nothing about a project where there is none.
#[derive(Debug, Serialize)]
pub(crate) struct Overview {
    /// The project; none: vib does not know this folder.
    pub(crate) project: Option<status::Report>,
    /// The one command to run next.
    pub(crate) next: &'static str,
}

pub(crate) fn run(session: &mut Session) -> Result<Answer> {
    session.tells_of_hooks = true;
    let context = session.context()?;
    // Looking makes no project out of a folder.
    let is_known = project::find_root(&context).is_ok_and(|(_, _, id)| id.is_some());
    session.context = Some(context);
    let overview = if is_known {
        let engine = session.engine()?;
        let report = status::report(&engine, session)?;
        let next = next(&report);
        Overview { project: Some(report), next }
    } else {
        Overview { project: None, next: "vib init" }
    };
    Ok(Answer::new(&session.printer, &overview, render::overview))
}

/// The one command: protection first, then what is not saved, then a look at what happened.
fn next(report: &status::Report) -> &'static str {
    use hooks::protection::Verdict;
    let protection = &report.protection;
    match protection.verdict {
        Verdict::ByHand if protection.gone().next().is_none() => "vib init",
        Verdict::SwitchedOff => "vib doctor",
        _ if protection.gone().next().is_some() => "vib doctor",
        _ if report.status.newest.is_none() || !report.status.changes.files.is_empty() => "vib checkpoint",
        _ => "vib history",
    }
}
