//! What the doctor found.

use install::Detected;
use install::doctor::{ClientReport, State};
use install::protection::{ClientProtection, Standing, Verdict};

use super::protection::{called, verdict};
use super::words::harmless;
use crate::commands::doctor::DoctorReport;
use crate::theme::{Theme, paint};
use unicode_width::UnicodeWidthStr;

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
        let fix = theme.word("setup-no-client-fix");
        out.push_str(&line(State::Note, &theme.word("setup-no-client"), Some(&fix), theme));
    }
    out.push_str(&format!("{}.\n", verdict(&report.protection, theme)));
    let end = match (report.problems, report.protection.verdict) {
        (0, Verdict::Hooks) => theme.word("setup-all-works"),
        (0, _) => theme.word("setup-none-broken"),
        (some, _) => theme.count("setup-to-mend", some),
    };
    out.push_str(&(end + "\n"));
    out
}

/// Only a call that really came shows that a client runs its hooks.
fn evidence(client: &ClientProtection, now_ms: i64, theme: &Theme) -> String {
    let words = called(client, now_ms, theme);
    match client.standing {
        Standing::Works => {
            line(State::Ok, &theme.say("setup-works", &[("words", words.into())]), None, theme)
        }
        Standing::NeverCalled => {
            let words = match &client.last_call {
                Some(_) => theme.say("setup-not-since", &[("words", words.into())]),
                None => words,
            };
            let fix = theme.say("setup-try", &[("client", client.title.into())]);
            line(State::Note, &words, Some(&fix), theme)
        }
        _ => line(State::Note, &words, None, theme),
    }
}

fn one(client: &ClientReport, theme: &Theme) -> String {
    let version = client.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let place = match &client.found {
        Some(Detected::Program(path)) => format!("  {}", path.display()),
        Some(Detected::UserFolder(path) | Detected::ProjectFile(path)) => {
            let path = path.display().to_string();
            format!("  {}", theme.say("setup-no-program", &[("path", path.into())]))
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
        State::Ok => ("setup-ok", theme.added),
        State::Note => ("setup-note", theme.warning),
        State::Problem => ("setup-problem", theme.error),
    };
    let word = theme.word(word);
    let room = " ".repeat(8usize.saturating_sub(word.width()));
    let fix =
        fix.map(|fix| format!("           {}\n", theme.say("setup-fix", &[("fix", harmless(fix).into())])));
    format!("  {} {}\n{}", paint(style, format!("{word}{room}")), harmless(detail), fix.unwrap_or_default())
}
