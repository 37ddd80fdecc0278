//! `vib init`: what was done, and what is true now.

use hooks::install::{Connected, Connection, Protection};

use super::words::{date, harmless};
use super::{checkpoint, hooks_done};
use crate::commands::init::{Report, Switch};
use crate::theme::{Theme, paint};

/// First what became of the clients, then how the project stands.
pub(crate) fn init(report: &Report, theme: &Theme) -> String {
    let mut out = report.hooks.as_ref().map(|hooks| hooks_done(hooks, theme)).unwrap_or_default();
    let Some(project) = &report.project else { return out };
    if let Some(first) = &project.checkpoint {
        out.push_str(&checkpoint(first, theme));
    }
    out.push_str(&headline(report, &harmless(&project.root), theme));
    for connection in &report.connections {
        out.push_str(&line(report, connection, theme));
    }
    let missing: Vec<&str> =
        report.connections.iter().filter(|c| c.state == Connected::NotFound).map(|c| c.title).collect();
    if !missing.is_empty() {
        out.push_str(&format!("  not found here: {}\n", missing.join(", ")));
    }
    out.push_str(&format!("Checkpoints are kept in {}\n", harmless(&project.store)));
    out.push_str("Next: `vib status` shows what changed, `vib checkpoint` saves, `vib undo` goes back");
    out.push_str(match report.protection {
        Protection::Hooks => "; `vib doctor` checks the hooks.\n",
        Protection::ByHand | Protection::Off => ".\n",
    });
    out
}

/// The one sentence that must be true.
fn headline(report: &Report, root: &str, theme: &Theme) -> String {
    let connected = || report.connections.iter().filter(|c| c.state == Connected::Connected);
    match report.protection {
        Protection::Off => format!("{}: {root}\n", paint(theme.warning, off(report.switched_off_since_ms))),
        Protection::ByHand => format!(
            "{}: no agent calls vib here. `vib checkpoint` saves, `vib init --client NAME` connects an agent: {root}\n",
            paint(theme.warning, "Saved by hand only")
        ),
        Protection::Hooks if connected().all(|connection| !connection.needs.is_empty()) => format!(
            "{}: {root}\n",
            paint(
                theme.warning,
                "The hooks are in place, but no agent runs them before you did what is named below"
            )
        ),
        Protection::Hooks => format!(
            "Protected from the next session of your agents on (restart those that run now): {}\n",
            paint(theme.strong, root)
        ),
    }
}

fn line(report: &Report, connection: &Connection, theme: &Theme) -> String {
    let title = format!("{:<12}", connection.title);
    match connection.state {
        Connected::Connected => {
            let whose: Vec<&str> = connection.scopes.iter().rev().map(|scope| scope.whose()).collect();
            let word = if report.protection == Protection::Off {
                "connected, but switched off here"
            } else {
                "connected"
            };
            let mut out = format!("  {title} {} ({})\n", paint(theme.added, word), whose.join("; "));
            for need in &connection.needs {
                out.push_str(&format!("  {:<12} {} {need}\n", "", paint(theme.warning, "needs you:")));
            }
            out
        }
        Connected::Declined => format!("  {title} found, not connected: you said no\n"),
        Connected::NotConnected => format!("  {title} found, not connected\n"),
        Connected::Failed => format!("  {title} {}\n", paint(theme.error, "could not be connected")),
        Connected::NotFound => String::new(),
    }
}

fn off(since_ms: Option<i64>) -> String {
    let since = since_ms.map(|ms| format!(" since {}", date(ms))).unwrap_or_default();
    format!("vib is switched off in this project{since}; `vib init --on` switches it on")
}

/// `vib init --off`, `vib init --on`
pub(crate) fn switch(report: &Switch, theme: &Theme) -> String {
    let root = harmless(&report.root);
    match report.switched_off_since_ms {
        Some(since) => format!(
            "{}: {root}\nNo agent's step is saved or judged here; what was saved stays.\n",
            paint(theme.warning, off(Some(since)))
        ),
        None if report.already => format!("vib was not switched off in this project: {root}\n"),
        None => format!("vib is switched on again in this project: {root}\n"),
    }
}
