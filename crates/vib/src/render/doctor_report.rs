//! The file of `vib doctor --report`, and what is said of it.

use std::collections::BTreeMap;
use std::fmt::Write;

use hooks::calls::CallNote;

use super::words::harmless;
use crate::commands::doctor_report::{Facts, Written};
use crate::theme::Theme;

/// So many of the newest calls are listed one by one; all are counted.
const LISTED: usize = 40;

/// The text of the file, in English and Markdown, before the gate.
pub(crate) fn doctor_report(facts: &Facts<'_>) -> String {
    let mut out = format!("# vib {}\n\n{}\n\n## What `vib doctor` says\n\n", facts.version, facts.machine);
    for line in super::doctor(facts.found, &Theme::plain()).lines() {
        let _ = writeln!(out, "    {line}");
    }
    out.push_str("\n## Settings that somebody made\n\n");
    if facts.settings.is_empty() {
        out.push_str("none\n");
    }
    for (name, value) in &facts.settings {
        let _ = writeln!(out, "- `{name}` = {}", harmless(value));
    }
    let _ = writeln!(out, "\n## The last {} calls of hooks\n", facts.calls.len());
    out.push_str(&sums(&facts.calls));
    out.push_str(&newest(&facts.calls, facts.now_ms));
    out
}

/// What `vib doctor --report FILE` answers.
pub(crate) fn report_written(written: &Written, theme: &Theme) -> String {
    let file = written.file.as_deref().unwrap_or_default();
    let values = [
        ("file", harmless(file).into()),
        ("secrets", written.secrets.into()),
        ("private", written.private.into()),
    ];
    theme.say("setup-report-written", &values) + "\n"
}

/// By client and event: how many, how they were answered, how long they took.
fn sums(calls: &[CallNote]) -> String {
    let mut by_event: BTreeMap<(&str, &str), Vec<&CallNote>> = BTreeMap::new();
    for call in calls {
        by_event.entry((&call.client, &call.event)).or_default().push(call);
    }
    if by_event.is_empty() {
        return "none\n".to_owned();
    }
    let mut out = "| client | event | calls | answers | median ms | slowest ms | failed |\n| --- | --- | --- | --- | --- | --- | --- |\n".to_owned();
    for ((client, event), calls) in by_event {
        let mut times: Vec<u64> = calls.iter().map(|call| call.ms).collect();
        times.sort_unstable();
        let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
        for call in &calls {
            *answers.entry(&call.answer).or_default() += 1;
        }
        let answers: Vec<String> = answers.iter().map(|(word, count)| format!("{count} {word}")).collect();
        let failed = calls.iter().filter(|call| call.failed_at.is_some()).count();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {failed} |",
            harmless(client),
            harmless(event),
            calls.len(),
            harmless(&answers.join(", ")),
            times.get(times.len() / 2).copied().unwrap_or_default(),
            times.last().copied().unwrap_or_default(),
        );
    }
    out
}

fn newest(calls: &[CallNote], now_ms: i64) -> String {
    let shown = &calls[calls.len().saturating_sub(LISTED)..];
    if shown.is_empty() {
        return String::new();
    }
    let mut out = format!("\nThe newest {}, the last one at the end:\n\n", shown.len());
    for call in shown {
        let seconds = now_ms.saturating_sub(call.at_ms) / 1000;
        let tool = call.tool.as_deref().map(|tool| format!(" {tool}")).unwrap_or_default();
        let failed =
            call.failed_at.as_deref().map(|place| format!(", failed at {place}")).unwrap_or_default();
        let line = format!(
            "{seconds} s ago: {} {}{tool}: {}, {} ms, vib {}{failed}",
            call.client, call.event, call.answer, call.ms, call.version
        );
        let _ = writeln!(out, "- {}", harmless(&line));
    }
    out
}
