//! What vib knows, and what an agent would be told.

use engine::knowledge::{Known, KnownReport, Preview, Standing};

use super::words::ago;
use crate::theme::{Theme, paint};

/// `vib memory keep` and the like
pub(crate) fn known(report: &KnownReport, theme: &Theme) -> String {
    if report.known.is_empty() {
        return "vib knows nothing that you said in a chat, and no fix.\n".to_owned();
    }
    let mut out = format!("{}\n", paint(theme.strong, "What vib knows"));
    report.known.iter().for_each(|one| out.push_str(&format!("  {}\n", line(one, report.now_ms, theme))));
    out
}

/// One thing on one line: what it says, how it stands, where it comes from, when it was of use, and its id.
pub(super) fn line(one: &Known, now_ms: i64, theme: &Theme) -> String {
    let stands = match (one.resting, one.standing) {
        (true, _) => "resting: not told any more",
        (false, Some(Standing::Proposed)) => "proposed",
        (false, Some(Standing::Used)) => "proved itself",
        (false, Some(Standing::Kept)) => "kept",
        (false, Some(Standing::Pinned)) => "pinned",
        (false, None) => "seen",
    };
    let used = one
        .last_use_ms
        .map_or_else(|| "never of use yet".to_owned(), |at| format!("last of use {}", ago(at, now_ms)));
    let used = if one.kind == "said" { format!("; {used}") } else { String::new() };
    let about = format!("({stands}; {}; {}{used})", ago(one.time_ms, now_ms), one.evidence);
    format!(
        "{}  {}  {}",
        one.text,
        paint(theme.dim, about),
        paint(theme.id, engine::knowledge::short_id(&one.id))
    )
}

/// `vib memory preview`
pub(crate) fn told_preview(report: &Preview, theme: &Theme) -> String {
    let mut out = String::new();
    let mut part = |title: String, lines: &[String]| {
        out.push_str(&format!("{}\n", paint(theme.strong, title)));
        match lines {
            [] => out.push_str("  nothing\n"),
            lines => lines
                .iter()
                .flat_map(|text| text.lines())
                .for_each(|line| out.push_str(&format!("  {line}\n"))),
        }
    };
    part(
        format!("At the beginning of a session of {} (about {} tokens)", report.client, report.start_tokens),
        &report.at_start,
    );
    if !report.prompt.is_empty() {
        part(
            format!("With \u{201c}{}\u{201d} (about {} tokens)", report.prompt, report.prompt_tokens),
            &report.with_prompt,
        );
    }
    out
}
