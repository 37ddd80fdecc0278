//! `vib` alone: where do we stand, and what is the one thing to do next?

use engine::Result;
use engine::baseline::Since;
use engine::verdict::Risk;
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
    /// Clients whose hooks are in place here all the same: they begin with the first request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) hooks_in_place: Vec<&'static str>,
    /// The one command to run next.
    pub(crate) next: &'static str,
}

pub(crate) fn run(session: &mut Session) -> Result<Answer> {
    session.tells_of_hooks = true;
    let context = session.context()?;
    // Looking makes no project out of a folder.
    let root = project::find_root(&context);
    let is_known = root.as_ref().is_ok_and(|(_, _, id)| id.is_some());
    let hooks_in_place = match root {
        Ok((root, _, None)) => in_place(&context, root),
        _ => Vec::new(),
    };
    session.context = Some(context);
    let overview = if is_known {
        let engine = session.engine()?;
        let report = status::report(&engine, session)?;
        let next = next(&report);
        Overview { project: Some(report), hooks_in_place, next }
    } else {
        let next = if hooks_in_place.is_empty() { "vib init" } else { "vib checkpoint" };
        Overview { project: None, hooks_in_place, next }
    };
    Ok(Answer::new(&session.printer, &overview, render::overview))
}

/// The clients that would call vib from here, though it does not know the folder: with hooks in the person's own settings.
fn in_place(context: &project::Context, root: std::path::PathBuf) -> Vec<&'static str> {
    use install::protection::{self, Standing};
    let Ok(world) = super::init::world(context, root) else { return Vec::new() };
    let report = protection::look(&world, None, context.now_ms());
    report.standing(Standing::NeverCalled).map(|client| client.title).collect()
}

/// The one command: what is lost first, then what is broken, then protection, then what is not saved, then a look at what happened.
fn next(report: &status::Report) -> &'static str {
    use install::protection::Verdict;
    let protection = &report.protection;
    if report.status.notices.iter().any(|notice| matches!(notice, engine::Notice::CheckpointsLost(_))) {
        return "vib store check --repair";
    }
    let (verdict, since) = (&report.status.verdict, &report.status.since);
    if verdict.risk == Risk::High || verdict.is_something_lost() {
        let last = report.status.last_request.as_ref().map(|request| request.number);
        let by_the_last_request = matches!(
            since.as_ref().map(|since| &since.since),
            Some(Since::Request { request }) if Some(request.number) == last
        );
        return match verdict.is_something_lost() {
            // The last thing that happened is what took it away.
            true if by_the_last_request => "vib undo",
            true => "vib recover",
            // To save it would call it safe.
            false => "vib explain",
        };
    }
    if protection.switched_off_since_ms.is_some() {
        return "vib init --on";
    }
    match protection.verdict {
        Verdict::ByHand if protection.gone().next().is_none() => "vib init",
        Verdict::SwitchedOff => "vib doctor",
        _ if protection.gone().next().is_some() => "vib doctor",
        _ if report.status.newest.is_none() || !report.status.changes.files.is_empty() => "vib checkpoint",
        _ => "vib history",
    }
}
