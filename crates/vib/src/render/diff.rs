//! Differences: the list of files, and the lines.

use engine::baseline::{Baseline, Since};
use engine::diff::{DiffReport, FileDiff, FileStatus};
use engine::show::{OldFile, ShowReport};
use store::EntryKind;
use texts::{Language, Texts};

use super::overview::moment;
use super::patch_text::one_file;
use super::verdict::verdict;
use super::words::{ago, count, date, harmless, line, notices, problems, size};
use crate::commands::status::Report;
use crate::theme::{Theme, paint};

/// Files shown before the list is cut.
const MOST_FILES: usize = 200;

/// What is said besides the difference itself, and instead of one.
pub(crate) fn about(report: &DiffReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    if report.files.is_empty() {
        out.push_str(&format!("No difference between {} and {}.\n", name(&report.from), name(&report.to)));
    }
    out
}

/// `vib diff`
pub(crate) fn diff(report: &DiffReport, stat: bool, theme: &Theme) -> String {
    let mut out = about(report, theme);
    if report.files.is_empty() {
        return out;
    }
    if !stat {
        for file in &report.files {
            out.push_str(&one_file(file, theme));
        }
    } else {
        out.push_str(&file_list(report, theme));
    }
    out.push_str(&totals(report, theme));
    out
}

/// `vib show`
pub(crate) fn show(report: &ShowReport, stat: bool, theme: &Theme) -> String {
    let mut out = shown(report, theme);
    if stat {
        out.push_str(&file_list(&report.changes, theme));
    } else {
        for file in &report.changes.files {
            out.push_str(&one_file(file, theme));
        }
    }
    out
}

/// The first checkpoint "adds" the whole project: listing is enough.
pub(crate) fn lists_only(report: &ShowReport) -> bool {
    report.changes.files.len() > MOST_FILES
}

/// What a checkpoint is, without what was different.
pub(crate) fn shown(report: &ShowReport, theme: &Theme) -> String {
    let checkpoint = &report.checkpoint;
    let mut out = notices(&report.notices, theme);
    let pinned = if checkpoint.pinned { ", pinned" } else { "" };
    out.push_str(&format!(
        "Checkpoint {} ({}{pinned})\n",
        paint(theme.id, &checkpoint.id),
        checkpoint.kind.as_str()
    ));
    let mut row = |label: &str, text: String| out.push_str(&format!("  {label:<9}{text}\n"));
    row("saved", format!("{} ({})", date(checkpoint.created_ms), ago(checkpoint.created_ms, report.now_ms)));
    row(
        "scope",
        if checkpoint.whole_tree { "the whole project".to_owned() } else { "single files".to_owned() },
    );
    let origin = &checkpoint.origin;
    for (label, value) in [
        ("message", &checkpoint.message),
        ("prompt", &origin.prompt),
        ("agent", &origin.agent),
        ("session", &origin.session),
        ("request", &origin.turn),
        ("from request", &origin.parent_turn),
        ("tool", &origin.tool),
        ("call", &origin.call_id),
        ("trigger", &origin.trigger),
    ] {
        if let Some(value) = value {
            row(label, line(value, theme, 11));
        }
    }
    for file in &report.named {
        let state = if file.existed { size(file.size) } else { "was not there yet".to_owned() };
        row("file", format!("{}  {}", harmless(&file.path), paint(theme.dim, state)));
    }
    out.push_str(&problems(&report.problems, theme));
    if report.changes.files.is_empty() {
        out.push_str("Nothing was different from the checkpoint before.\n");
        return out;
    }
    let totals = totals(&report.changes, theme);
    out.push_str(&format!("Different from the checkpoint before, {}:\n", totals.trim_end()));
    out
}

/// `vib show ID FILE` on a terminal.
pub(crate) fn old_file(file: &OldFile) -> String {
    if file.binary {
        let (path, length) = (harmless(&file.path), size(file.size));
        return format!(
            "`{path}` is no text ({length}). `vib show {} FILE > old` writes it to a file.\n",
            file.moment
        );
    }
    let mut out = String::new();
    for line in String::from_utf8_lossy(&file.content).lines() {
        out.push_str(&format!("{}\n", harmless(line)));
    }
    out
}

/// `vib status`
pub(crate) fn status(report: &Report, theme: &Theme) -> String {
    let Report { status: report, protection } = report;
    let mut out = notices(&report.notices, theme);
    out.push_str(&format!("Project {}\n", paint(theme.strong, harmless(&report.root))));
    out.push_str(&super::protection::protection(protection, theme));
    match &report.newest {
        None => {
            out.push_str("No checkpoint yet. `vib checkpoint` saves the project as it is now.\n");
        }
        Some(newest) => {
            let message =
                newest.message.as_deref().map(|m| format!(" “{}”", line(m, theme, 50))).unwrap_or_default();
            out.push_str(&format!(
                "Last checkpoint {}{message}, {}; {} kept ({})\n",
                paint(theme.id, &newest.id),
                ago(newest.created_ms, report.now_ms),
                count(report.checkpoints, "checkpoint"),
                size(report.store_bytes)
            ));
            let is_newest = |since: &Baseline| since.checkpoint.id == newest.id;
            let then = match &report.since {
                Some(since) if !is_newest(since) || matches!(since.since, Since::Request { .. }) => {
                    moment(since, report.now_ms, theme)
                }
                _ => "then".to_owned(),
            };
            if report.changes.files.is_empty() {
                out.push_str(&format!("Nothing has changed since {then}.\n"));
            } else {
                let saved = match report.unsaved {
                    0 => ", all of it saved".to_owned(),
                    some if some >= report.changes.files.len() as u64 => " and not saved yet".to_owned(),
                    some => format!(", {} not saved yet", count(some, "path")),
                };
                out.push_str(&format!("Changed since {then}{saved}:\n"));
                out.push_str(&file_list(&report.changes, theme));
                out.push_str(&totals(&report.changes, theme));
                out.push_str("`vib diff` shows the lines, `vib checkpoint` saves, `vib undo` goes back.\n");
            }
        }
    }
    if report.newest.is_some() || !report.verdict.reasons.is_empty() {
        out.push_str(&verdict(&report.verdict, &Texts::new(Language::En), theme));
    }
    if report.counts.ignored > 0 {
        let left_out = count(report.counts.ignored, "name");
        out.push_str(&paint(
            theme.dim,
            format!(
                "{} looked at; {left_out} left out by ignore rules\n",
                count(report.counts.files, "file")
            ),
        ));
    }
    out.push_str(&problems(&report.problems, theme));
    if let Some(one) = report.suggestions.first() {
        out.push_str(&format!("Suggestion: {} (`{}`)\n", one.text, one.command));
    }
    out
}

/// A list of files with what happened to each.
pub(crate) fn file_list(report: &DiffReport, theme: &Theme) -> String {
    list_with(report, ["new", "gone", "changed", "renamed", "mode", "kind"], theme)
}

/// A list of files with what would happen to each.
pub(crate) fn plan_list(report: &DiffReport, theme: &Theme) -> String {
    list_with(report, ["bring back", "remove", "change back", "rename", "set mode", "replace"], theme)
}

fn list_with(report: &DiffReport, words: [&str; 6], theme: &Theme) -> String {
    let width = words.iter().map(|word| word.len()).max().unwrap_or(0) + 1;
    let mut out = String::new();
    for file in report.files.iter().take(MOST_FILES) {
        let (word, style) = match file.status {
            FileStatus::Added => (words[0], theme.added),
            FileStatus::Removed => (words[1], theme.removed),
            FileStatus::Modified => (words[2], theme.warning),
            FileStatus::Renamed => (words[3], theme.warning),
            FileStatus::ModeChanged => (words[4], theme.warning),
            FileStatus::TypeChanged => (words[5], theme.warning),
        };
        out.push_str(&format!(
            "  {} {}{}\n",
            paint(style, format!("{word:<width$}")),
            title(file),
            details(file, theme)
        ));
    }
    if report.files.len() > MOST_FILES {
        out.push_str(&format!("  and {} more\n", report.files.len() - MOST_FILES));
    }
    out
}

fn title(file: &FileDiff) -> String {
    let slash = if file.kind == EntryKind::Dir { "/" } else { "" };
    match &file.old_path {
        Some(old) => format!("{} → {}{slash}", harmless(old), harmless(&file.path)),
        None => format!("{}{slash}", harmless(&file.path)),
    }
}

fn details(file: &FileDiff, theme: &Theme) -> String {
    let mut parts = Vec::new();
    if let (Some(added), Some(removed)) = (file.added, file.removed) {
        let mut lines = Vec::new();
        if added > 0 {
            lines.push(paint(theme.added, format!("+{added}")));
        }
        if removed > 0 {
            lines.push(paint(theme.removed, format!("-{removed}")));
        }
        if !lines.is_empty() {
            parts.push(lines.join(" "));
        }
    }
    if file.binary {
        parts.push(format!("binary, {} → {}", size(file.old_size), size(file.new_size)));
    }
    if let (Some(old), Some(new)) = (file.old_mode, file.new_mode) {
        parts.push(format!("mode {old:o} → {new:o}"));
    }
    if file.kind == EntryKind::Symlink {
        parts.push("link".to_owned());
    }
    if file.sensitive {
        parts.push("sensitive".to_owned());
    }
    if parts.is_empty() { String::new() } else { format!("  {}", parts.join(", ")) }
}

pub(crate) fn totals(report: &DiffReport, theme: &Theme) -> String {
    let files = count(report.files.len() as u64, "file");
    if report.added + report.removed == 0 {
        return format!("{files}\n");
    }
    let more = match report.not_counted {
        0 => String::new(),
        some => format!(" (lines of {} not counted)", count(some, "more file")),
    };
    format!(
        "{files}, {} added, {} removed{more}\n",
        paint(theme.added, count(report.added, "line")),
        paint(theme.removed, count(report.removed, "line"))
    )
}

fn name(moment: &str) -> String {
    match moment {
        "now" => "what you have now".to_owned(),
        "last saved" => "the last checkpoint".to_owned(),
        id => format!("`{id}`"),
    }
}
