//! Is this project protected, and by whom?

use install::gone::Gone;
use install::protection::{ClientProtection, Entries, Protection, Standing, Verdict};

use super::words::{date, harmless};
use crate::theme::{Theme, paint};

/// The verdict, and what the person has to know about it: a line or a few.
pub(crate) fn protection(report: &Protection, theme: &Theme) -> String {
    let mut out = format!("{}\n", verdict(report, theme));
    // Nothing of what could be mended matters while the person wants it so.
    if report.switched_off_since_ms.is_some() {
        return out;
    }
    for client in &report.clients {
        if let Some(line) = trouble(client, theme) {
            out.push_str(&format!("  {} {}\n", paint(theme.warning, "!"), harmless(&line)));
        }
    }
    out
}

/// Hooks that were taken away behind vib's back: a line each, beside whatever was asked.
pub(crate) fn gone(gone: &[Gone], theme: &Theme) -> String {
    let line = |words: &String| format!("{} {}\n", theme.warn(), harmless(words));
    install::gone::lines(gone).iter().map(line).collect()
}

/// The verdict in one line.
pub(crate) fn verdict(report: &Protection, theme: &Theme) -> String {
    let names = |standing| {
        let titles: Vec<&str> = report.standing(standing).map(|client| client.title).collect();
        titles.join(", ")
    };
    if let Some(since) = report.switched_off_since_ms {
        let head = paint(theme.warning, theme.word("protection-off"));
        return theme.say("protection-off-by-you", &[("head", head.into()), ("since", date(since).into())]);
    }
    let said = |id: &str, head: String, clients: String| {
        theme.say(id, &[("head", head.into()), ("clients", clients.into())])
    };
    match report.verdict {
        Verdict::Hooks => {
            let mut works: Vec<&ClientProtection> = report.standing(Standing::Works).collect();
            works.sort_by_key(|client| std::cmp::Reverse(client.last_call.as_ref().map(|call| call.at_ms)));
            let calls: Vec<String> =
                works.iter().map(|client| called(client, report.now_ms, theme)).collect();
            format!("{} {}", paint(theme.added, theme.word("protection-hooks")), calls.join("; "))
        }
        Verdict::NeverCalled => said(
            "protection-never-called",
            paint(theme.warning, theme.word("protection-not-called")),
            names(Standing::NeverCalled),
        ),
        Verdict::SwitchedOff => said(
            "protection-broken",
            paint(theme.error, theme.word("protection-off")),
            names(Standing::Broken),
        ),
        Verdict::ByHand => {
            let head = paint(theme.warning, theme.word("protection-by-hand"));
            theme.say("protection-no-agent", &[("head", head.into())])
        }
    }
}

/// `Claude Code last called vib here 3 minutes ago`.
pub(crate) fn called(client: &ClientProtection, now_ms: i64, theme: &Theme) -> String {
    match &client.last_call {
        Some(call) => theme.say(
            "protection-called",
            &[("client", client.title.into()), ("when", theme.ago(call.at_ms, now_ms).into())],
        ),
        None => theme.say("protection-never", &[("client", client.title.into())]),
    }
}

/// What is wrong with one client, and what to do about it.
fn trouble(client: &ClientProtection, theme: &Theme) -> Option<String> {
    if let Some(gone) = client.gone.first() {
        return Some(gone.words());
    }
    let next = client.next.as_deref().unwrap_or_default();
    if client.standing == Standing::Broken
        && let Some(first) = client.hindrances.iter().find(|one| !one.disproved)
    {
        let what = first.words(client.client).to_string();
        return Some(theme.say("protection-mend", &[("what", what.into()), ("next", next.into())]));
    }
    let broken =
        client.places.iter().find(|place| !matches!(place.entries, Entries::Current | Entries::Outdated))?;
    let what = match broken.entries {
        Entries::NoProgram => theme.word("protection-no-program"),
        _ => theme.say("protection-missing", &[("events", broken.missing.join(", ").into())]),
    };
    let values = [
        ("client", client.title.into()),
        ("file", broken.file.to_string().into()),
        ("what", what.into()),
        ("command", broken.command(client.client).to_string().into()),
    ];
    Some(theme.say("protection-entries", &values))
}
