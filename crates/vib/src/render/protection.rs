//! Is this project protected, and by whom?

use hooks::install::gone::Gone;
use hooks::protection::{ClientProtection, Entries, Protection, Standing, Verdict};

use super::words::{ago, date, harmless};
use crate::theme::{Theme, paint};

/// The verdict, and what the person has to know about it: a line or a few.
pub(crate) fn protection(report: &Protection, theme: &Theme) -> String {
    let mut out = format!("{}\n", verdict(report, theme));
    // Nothing of what could be mended matters while the person wants it so.
    if report.switched_off_since_ms.is_some() {
        return out;
    }
    for client in &report.clients {
        if let Some(line) = trouble(client) {
            out.push_str(&format!("  {} {}\n", paint(theme.warning, "!"), harmless(&line)));
        }
    }
    out
}

/// Hooks that were taken away behind vib's back: a line each, beside whatever was asked.
pub(crate) fn gone(gone: &[Gone], theme: &Theme) -> String {
    let line = |words: &String| format!("{} {}\n", paint(theme.warning, "warning:"), harmless(words));
    hooks::install::gone::lines(gone).iter().map(line).collect()
}

/// The verdict in one line.
pub(crate) fn verdict(report: &Protection, theme: &Theme) -> String {
    let names = |standing| {
        let titles: Vec<&str> = report.standing(standing).map(|client| client.title).collect();
        titles.join(", ")
    };
    if let Some(since) = report.switched_off_since_ms {
        return format!(
            "{} by you, since {}: no agent's step is saved or judged here; `vib init --on` switches vib on",
            paint(theme.warning, "Switched off:"),
            date(since)
        );
    }
    match report.verdict {
        Verdict::Hooks => {
            let mut works: Vec<&ClientProtection> = report.standing(Standing::Works).collect();
            works.sort_by_key(|client| std::cmp::Reverse(client.last_call.as_ref().map(|call| call.at_ms)));
            let calls: Vec<String> = works.iter().map(|client| called(client, report.now_ms)).collect();
            format!("{} {}", paint(theme.added, "Protected by hooks:"), calls.join("; "))
        }
        Verdict::NeverCalled => format!(
            "{} hooks are in place for {}, but no agent has called vib here yet",
            paint(theme.warning, "Not called yet:"),
            names(Standing::NeverCalled)
        ),
        Verdict::SwitchedOff => format!(
            "{} hooks are installed for {}, but they do not run. Saved by hand only until then",
            paint(theme.error, "Switched off:"),
            names(Standing::Broken)
        ),
        Verdict::ByHand => format!(
            "{} no agent calls vib here. `vib init` connects your agents",
            paint(theme.warning, "Saved by hand only:")
        ),
    }
}

/// `Claude Code last called vib here 3 minutes ago`.
pub(crate) fn called(client: &ClientProtection, now_ms: i64) -> String {
    match &client.last_call {
        Some(call) => format!("{} last called vib here {}", client.title, ago(call.at_ms, now_ms)),
        None => format!("{} never called vib here", client.title),
    }
}

/// What is wrong with one client, and what to do about it.
fn trouble(client: &ClientProtection) -> Option<String> {
    if let Some(gone) = client.gone.first() {
        return Some(gone.words());
    }
    let next = client.next.as_deref().unwrap_or_default();
    if client.standing == Standing::Broken
        && let Some(first) = client.hindrances.iter().find(|one| !one.disproved)
    {
        return Some(format!("{}; to change that: {next}", first.words(client.client)));
    }
    let broken =
        client.places.iter().find(|place| !matches!(place.entries, Entries::Current | Entries::Outdated))?;
    let what = match broken.entries {
        Entries::NoProgram => "the program that they call is not there".to_owned(),
        _ => format!("there is none for {}", broken.missing.join(", ")),
    };
    Some(format!(
        "{}'s hooks in {}: {what}; `{}` writes them anew",
        client.title,
        broken.file,
        broken.command(client.client)
    ))
}
