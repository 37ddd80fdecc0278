//! What is remembered.

use engine::memory::{CheckResult, MemoryReport, Remembered, Scope, Source};

use super::words::ago;
use crate::theme::{Theme, paint};

/// `vib memory show`
pub(crate) fn memory(report: &MemoryReport, theme: &Theme) -> String {
    let memory = &report.memory;
    let mut out = String::new();
    let stale =
        |stale: bool| if stale { paint(theme.warning, "  stale: is this still so?") } else { String::new() };
    let when = |time: i64, by: &str| paint(theme.dim, format!("  ({}, {by})", ago(time, report.now_ms)));
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            out.push_str(&format!("{}\n", paint(theme.strong, title)));
            lines.iter().for_each(|line| out.push_str(&format!("  {line}\n")));
        }
    };
    let field = |field: &engine::memory::Field| {
        format!("{}{}{}", field.text, when(field.last_updated, &field.updated_by), stale(field.stale))
    };
    section("Goal", memory.active_intent.iter().map(field).collect());
    section("Next", memory.next_action.iter().map(field).collect());
    let items = |items: &[engine::memory::Item]| {
        items
            .iter()
            .map(|item| format!("{}{}", item.text, when(item.last_updated, &item.updated_by)))
            .collect()
    };
    section("Decided", items(&memory.decisions));
    section("Watch out", items(&memory.risks));
    let checks = memory.verification.iter().map(|check| {
        let (style, word) = match check.result {
            CheckResult::Passed => (theme.added, "passed"),
            CheckResult::Failed => (theme.error, "failed"),
            CheckResult::Skipped => (theme.warning, "skipped"),
            CheckResult::Unknown => (theme.dim, "unknown"),
        };
        let note = match (&check.stale, check.scope_unknown) {
            (Some(why), _) => paint(theme.warning, format!("  no longer valid: {why}")),
            (None, true) => paint(theme.dim, "  (which files it is about is not known)"),
            (None, false) => String::new(),
        };
        format!("`{}` {}{}{note}", check.command, paint(style, word), when(check.time, &check.updated_by))
    });
    section("Checked", checks.collect());
    let files = memory.relevant_files.iter().map(|file| {
        let note = file.note.as_deref().map(|note| format!(": {note}")).unwrap_or_default();
        let before = if file.from_previous_intent {
            paint(theme.dim, "  (for the goal before)")
        } else {
            String::new()
        };
        let seen = if file.source == Source::Explicit { "" } else { "  (seen, not said)" };
        format!("{}{note}{before}{}", file.path, paint(theme.dim, seen))
    });
    section("Files that matter", files.collect());
    section("Decided for all projects", items(&report.general.decisions));
    section("Watch out in all projects", items(&report.general.risks));
    let conflicts = memory.conflicts.iter().map(|conflict| {
        format!(
            "{}: “{}” ({}) or “{}” ({})?",
            conflict.field,
            conflict.first.text,
            conflict.first.updated_by,
            conflict.second.text,
            conflict.second.updated_by
        )
    });
    section("Two tools disagree; say which", conflicts.collect());
    section(
        "What vib knows (`vib memory keep|pin|change|drop ID`)",
        report.known.iter().map(|one| super::knows::line(one, report.now_ms, theme)).collect(),
    );
    if out.is_empty() {
        out.push_str("Nothing is remembered yet. `vib memory intent TEXT` says what you are working on.\n");
    }
    if !report.bad_lines.is_empty() {
        let lines: Vec<String> = report.bad_lines.iter().map(ToString::to_string).collect();
        out.push_str(&format!(
            "{} lines {} of the memory log cannot be read; they are left as they are.\n",
            paint(theme.warning, "warning:"),
            lines.join(", ")
        ));
    }
    out
}

/// `vib memory intent` and the like
pub(crate) fn remembered(report: &Remembered, theme: &Theme) -> String {
    let whom = if report.scope == Scope::Global { " for all projects" } else { "" };
    let mut out = format!("Remembered{whom}: {}.\n", report.kind.replace('_', " "));
    if report.redacted {
        out.push_str(&format!(
            "{} secrets or private details were taken out first.\n",
            paint(theme.warning, "note:")
        ));
    }
    if let Some(file) = &report.repaired {
        out.push_str(&format!(
            "{} an earlier entry was cut off by a crash; what was left of it is in `{file}`.\n",
            paint(theme.warning, "note:")
        ));
    }
    out
}
