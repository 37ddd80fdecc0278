//! `vib` alone, in about ten lines.

use super::protection::{called, protection};
use super::words::{ago, count, harmless, line};
use crate::commands::overview::Overview;
use crate::theme::{Theme, paint};

/// `vib`
pub(crate) fn overview(report: &Overview, theme: &Theme) -> String {
    let Some(project) = &report.project else {
        if !report.hooks_in_place.is_empty() {
            return format!(
                "Nothing is saved in this folder yet. Hooks are in place for {}: the first request saves it.\n\
                 \n  vib checkpoint  saves it now\
                 \n  vib doctor      says whether your agents will really call vib\
                 \n  vib --help      all commands\n",
                report.hooks_in_place.join(", ")
            );
        }
        return "vib does not know this folder yet. It saves what AI agents change, and takes you back.\n\
                \n  vib init    in your project's folder: connects your agents and saves a first checkpoint\
                \n  vib demo    the whole story in a throw-away folder\
                \n  vib --help  all commands\n"
            .to_owned();
    };
    let (status, now) = (&project.status, project.status.now_ms);
    let mut out = format!("{}\n", paint(theme.strong, harmless(&status.root)));
    let lost = status.notices.iter().filter(|notice| matches!(notice, engine::Notice::CheckpointsLost(_)));
    out.push_str(&super::words::notices(&lost.cloned().collect::<Vec<_>>(), theme));
    out.push_str(&protection(&project.protection, theme));
    for call in project.protection.last_calls().into_iter().skip(1) {
        if let Some(client) = project.protection.of(call.client) {
            out.push_str(&paint(theme.dim, format!("  {}\n", called(client, now))));
        }
    }
    match &status.newest {
        None => out.push_str("No checkpoint yet\n"),
        Some(newest) => {
            let message = newest
                .message
                .as_deref()
                .map(|text| format!(" “{}”", line(text, theme, 50)))
                .unwrap_or_default();
            let (id, when) = (paint(theme.id, &newest.id), ago(newest.created_ms, now));
            out.push_str(&format!("Newest checkpoint {id}{message}, {when}\n"));
        }
    }
    let changed = status.changes.files.len() as u64;
    match changed {
        0 => out.push_str("Nothing has changed since then\n"),
        some => out.push_str(&format!("{} changed since then\n", count(some, "file"))),
    }
    out.push_str(&format!("{} `{}`{}\n", paint(theme.strong, "Next:"), report.next, about(report.next)));
    out.push_str(&paint(theme.dim, "`vib --help` lists all commands\n"));
    out
}

fn about(command: &str) -> &'static str {
    match command {
        "vib store check --repair" => " says what is lost, and brings back what can be",
        "vib init" => " connects your agents",
        "vib init --on" => " switches vib on again in this project",
        "vib doctor" => " says what is wrong with the hooks, and how to mend it",
        "vib checkpoint" => " saves the project as it is now",
        _ => " shows what happened, and where you can go back to",
    }
}
