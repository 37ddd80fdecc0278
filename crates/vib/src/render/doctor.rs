//! What the doctor found.

use hooks::install::Detected;
use hooks::install::doctor::{ClientReport, State};
use hooks::protection::{ClientProtection, Standing, Verdict};

use super::protection::{called, verdict};
use super::words::{count, harmless};
use crate::commands::doctor::DoctorReport;
use crate::theme::{Theme, paint};

/// `vib doctor`
pub(crate) fn doctor(report: &DoctorReport, theme: &Theme) -> String {
    let mut out = String::new();
    for finding in &report.ground {
        let state = match (finding.ok, finding.problem) {
            (true, _) => State::Ok,
            (false, true) => State::Problem,
            (false, false) => State::Note,
        };
        let detail = format!("{}: {}", finding.what, finding.detail);
        out.push_str(&line(state, &detail, finding.fix.as_deref(), theme));
    }
    for client in &report.clients {
        out.push_str(&one(client, theme));
        if report.protection.switched_off_since_ms.is_none()
            && let Some(protection) = report.protection.of(client.client)
        {
            out.push_str(&evidence(protection, report.protection.now_ms, theme));
        }
    }
    if report.clients.is_empty() {
        let fix = "`vib init --client NAME` installs hooks for one anyway";
        out.push_str(&line(State::Note, "no agent client was found on this machine", Some(fix), theme));
    }
    out.push_str(&format!("{}.\n", verdict(&report.protection, theme)));
    match (report.problems, report.protection.verdict) {
        (0, Verdict::Hooks) => out.push_str("Everything that was looked at works.\n"),
        (0, _) => out.push_str("Nothing that was looked at is broken.\n"),
        (some, _) => out.push_str(&format!("{} to mend.\n", count(some as u64, "thing"))),
    }
    out
}

/// Only a call that really came shows that a client runs its hooks.
fn evidence(client: &ClientProtection, now_ms: i64, theme: &Theme) -> String {
    let words = called(client, now_ms);
    match client.standing {
        Standing::Works => line(State::Ok, &format!("works: {words}"), None, theme),
        Standing::NeverCalled => {
            let since =
                if client.last_call.is_some() { ", but not since the hooks were installed" } else { "" };
            let fix = format!("{}, ask it something, then run `vib doctor` again", start(client));
            line(State::Note, &format!("{words}{since}"), Some(&fix), theme)
        }
        _ => line(State::Note, &words, None, theme),
    }
}

fn start(client: &ClientProtection) -> String {
    format!("start {} in this project", client.title)
}

fn one(client: &ClientReport, theme: &Theme) -> String {
    let version = client.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let place = match &client.found {
        Some(Detected::Program(path)) => format!("  {}", path.display()),
        Some(Detected::UserFolder(path) | Detected::ProjectFile(path)) => {
            format!("  (no program on PATH; found {})", path.display())
        }
        None => String::new(),
    };
    let mut out = format!(
        "\n{}{}\n",
        paint(theme.strong, format!("{}{version}", client.title)),
        paint(theme.dim, harmless(&place))
    );
    for check in &client.checks {
        out.push_str(&line(check.state, &check.detail, check.fix.as_deref(), theme));
    }
    out
}

fn line(state: State, detail: &str, fix: Option<&str>, theme: &Theme) -> String {
    let (word, style) = match state {
        State::Ok => ("ok", theme.added),
        State::Note => ("note", theme.warning),
        State::Problem => ("problem", theme.error),
    };
    let fix = fix.map(|fix| format!("           fix: {}\n", harmless(fix))).unwrap_or_default();
    format!("  {} {}\n{fix}", paint(style, format!("{word:<8}")), harmless(detail))
}
