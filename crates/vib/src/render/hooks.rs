//! Hooks in the clients: what would be done, what was done.

use install::{Action, Outcome, Status};

use super::words::{count, harmless};
use crate::commands::init::HooksReport;
use crate::theme::{Theme, paint};

/// What would be changed, file by file.
pub(crate) fn hooks_plan<'o>(outcomes: impl Iterator<Item = &'o Outcome>, theme: &Theme) -> String {
    outcomes.filter(|outcome| outcome.status == Status::Pending).map(|outcome| plan(outcome, theme)).collect()
}

fn plan(outcome: &Outcome, theme: &Theme) -> String {
    let mut out = format!("{}\n", paint(theme.strong, outcome.title));
    for file in &outcome.files {
        let link =
            file.link_to.as_ref().map(|to| format!(" (a link to {})", harmless(to))).unwrap_or_default();
        out.push_str(&format!("  {} {}{link}\n", file.change, harmless(&file.path)));
        let (sign, style) = match file.change {
            "delete" => ("-", theme.removed),
            "restore" => ("~", theme.warning),
            _ => ("+", theme.added),
        };
        for word in &file.words {
            out.push_str(&format!("    {}\n", paint(style, format!("{sign} {}", harmless(word)))));
        }
    }
    out
}

/// What became of it.
pub(crate) fn hooks_done(report: &HooksReport, theme: &Theme) -> String {
    let mut out = String::new();
    let titles = |status: Status| -> Vec<&str> {
        report
            .clients
            .iter()
            .filter(|outcome| outcome.status == status)
            .map(|outcome| outcome.title)
            .collect()
    };
    let whose = report.scope.map_or("all settings", |scope| scope.whose());
    for (status, before, after) in [
        (Status::Installed, "Hooks installed for ", format!(" ({whose}).")),
        (Status::Current, "Hooks are in place for ", format!(" ({whose}).")),
        (Status::Removed, "Hooks taken out of ", format!(" ({whose}).")),
        (Status::Declined, "Nothing was changed for ", ".".to_owned()),
        (Status::Skipped, "Left out: ", ".".to_owned()),
    ] {
        let titles = titles(status);
        if !titles.is_empty() {
            out.push_str(&format!("{before}{}{after}\n", titles.join(", ")));
        }
    }
    out.push_str(&pending(report, theme));
    if report.action == Action::Remove
        && report.clients.iter().all(|outcome| outcome.status == Status::Absent)
    {
        let place = report.scope.map_or("any settings", |scope| scope.whose());
        out.push_str(&format!("There are no hooks of vib in {place}.\n"));
    }
    if report.action == Action::Install && report.clients.is_empty() && report.watched {
        out.push_str(
            "No agent client was found here; `vib init --client NAME` installs hooks for one anyway.\n",
        );
    }
    for outcome in &report.clients {
        for note in &outcome.notes {
            let label = paint(theme.warning, format!("{}:", outcome.title));
            out.push_str(&format!("{label} {}\n", harmless(note)));
        }
        if let Some(error) = &outcome.error {
            out.push_str(&format!(
                "{} {}\n  {}\n",
                paint(theme.error, format!("{}: not done:", outcome.title)),
                harmless(&error.message),
                harmless(&error.next)
            ));
        }
    }
    if let Some(note) = &report.program_note
        && report.action == Action::Install
    {
        out.push_str(&format!("{} {}\n", paint(theme.warning, "vib:"), harmless(note)));
    }
    out
}

/// Found, and nobody said yes.
fn pending(report: &HooksReport, theme: &Theme) -> String {
    let pending: Vec<&Outcome> =
        report.clients.iter().filter(|outcome| outcome.status == Status::Pending).collect();
    if pending.is_empty() {
        return String::new();
    }
    let mut out = hooks_plan(pending.iter().copied(), theme);
    let what = if report.action == Action::Install { "installed for" } else { "taken out of" };
    out.push_str(&format!(
        "Nothing was {what} {} yet: `{}` makes these changes.\n",
        count(pending.len() as u64, "client"),
        report.again
    ));
    out
}
