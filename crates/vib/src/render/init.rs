//! `vib init`: what was done, and what is true now.

use install::{Connected, Connection, Protection};

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
        let said = theme.say("setup-not-found", &[("clients", missing.join(", ").into())]);
        out.push_str(&format!("  {said}\n"));
    }
    let kept = theme.say("setup-kept-in", &[("folder", harmless(&project.store).into())]);
    let next = theme.word(match report.protection {
        Protection::Hooks => "setup-next-hooks",
        Protection::ByHand | Protection::Off => "setup-next",
    });
    out.push_str(&format!("{kept}\n{next}\n"));
    out
}

/// The one sentence that must be true.
fn headline(report: &Report, root: &str, theme: &Theme) -> String {
    let connected = || report.connections.iter().filter(|c| c.state == Connected::Connected);
    match report.protection {
        Protection::Off => {
            format!("{}: {root}\n", paint(theme.warning, off(report.switched_off_since_ms, theme)))
        }
        Protection::ByHand => {
            let head = paint(theme.warning, theme.word("setup-saved-by-hand"));
            theme.say("setup-by-hand", &[("head", head.into()), ("root", root.into())]) + "\n"
        }
        Protection::Hooks if connected().all(|connection| !connection.needs.is_empty()) => {
            format!("{}: {root}\n", paint(theme.warning, theme.word("setup-needs-first")))
        }
        Protection::Hooks => {
            theme.say("setup-protected", &[("root", paint(theme.strong, root).into())]) + "\n"
        }
    }
}

fn line(report: &Report, connection: &Connection, theme: &Theme) -> String {
    let title = format!("{:<12}", connection.title);
    match connection.state {
        Connected::Connected => {
            let whose: Vec<&str> = connection.scopes.iter().rev().map(|scope| scope.whose()).collect();
            let word = theme.word(match report.protection {
                Protection::Off => "setup-connected-off",
                _ => "setup-connected",
            });
            let mut out = format!("  {title} {} ({})\n", paint(theme.added, word), whose.join("; "));
            for need in &connection.needs {
                out.push_str(&format!(
                    "  {:<12} {} {need}\n",
                    "",
                    paint(theme.warning, theme.word("setup-needs-you"))
                ));
            }
            out
        }
        Connected::Declined => format!("  {title} {}\n", theme.word("setup-declined")),
        Connected::NotConnected => format!("  {title} {}\n", theme.word("setup-not-connected")),
        Connected::Failed => {
            format!("  {title} {}\n", paint(theme.error, theme.word("setup-failed")))
        }
        Connected::NotFound => String::new(),
    }
}

fn off(since_ms: Option<i64>, theme: &Theme) -> String {
    match since_ms {
        Some(ms) => theme.say("setup-off-since", &[("since", date(ms).into())]),
        None => theme.word("setup-off"),
    }
}

/// `vib init --off`, `vib init --on`
pub(crate) fn switch(report: &Switch, theme: &Theme) -> String {
    let root = harmless(&report.root);
    match report.switched_off_since_ms {
        Some(since) => format!(
            "{}: {root}\n{}\n",
            paint(theme.warning, off(Some(since), theme)),
            theme.word("setup-off-means")
        ),
        None => {
            let id = if report.already { "setup-was-on" } else { "setup-on-again" };
            theme.say(id, &[("root", root.into())]) + "\n"
        }
    }
}
