//! Differences: the list of files, and the lines.

use engine::baseline::{Baseline, Since};
use engine::diff::{DiffReport, FileDiff, FileStatus};
use engine::show::{OldFile, ShowReport};
use store::{CheckpointKind, EntryKind};

use super::overview::moment;
use super::patch_text::one_file;
use super::verdict::verdict;
use super::words::{date, harmless, line, notices, problems, size};
use crate::commands::status::Report;
use crate::theme::{Theme, paint};
use unicode_width::UnicodeWidthStr;

/// Files shown before the list is cut.
const MOST_FILES: usize = 200;

/// What is said besides the difference itself, and instead of one.
pub(crate) fn about(report: &DiffReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    if report.files.is_empty() {
        let values = [("from", name(&report.from, theme).into()), ("to", name(&report.to, theme).into())];
        out.push_str(&format!("{}\n", theme.say("changes-none", &values)));
    }
    out
}

/// What a patch leaves out, for the person beside it. (M2)
pub(crate) fn left_out(report: &DiffReport, theme: &Theme) -> String {
    let left: Vec<String> =
        report.files.iter().filter(|file| file.is_left_out()).map(|file| harmless(&file.path)).collect();
    if left.is_empty() {
        return String::new();
    }
    format!("{} {}\n", theme.note(), theme.say("changes-left-out", &[("files", left.join(", ").into())]))
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
        out.push_str(&every_file(report, theme));
    }
    out.push_str(&totals(report, theme));
    out
}

/// `vib show`
pub(crate) fn show(report: &ShowReport, stat: bool, theme: &Theme) -> String {
    let mut out = shown(report, theme);
    if stat {
        out.push_str(&every_file(&report.changes, theme));
    } else if lists_only(report) {
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
    let kind = match checkpoint.kind {
        CheckpointKind::Manual => "changes-manual",
        CheckpointKind::Turn => "changes-turn",
        CheckpointKind::Commit => "changes-commit",
        CheckpointKind::Safety => "changes-safety",
    };
    let pinned = if checkpoint.pinned { theme.word("changes-pinned") } else { String::new() };
    let values = [
        ("id", paint(theme.id, &checkpoint.id).into()),
        ("kind", theme.word(kind).into()),
        ("pinned", pinned.into()),
    ];
    out.push_str(&format!("{}\n", theme.say("changes-shown", &values)));
    let mut row = |label: &str, text: String| {
        let label = theme.word(label);
        let room = " ".repeat(9usize.saturating_sub(label.width()));
        out.push_str(&format!("  {label}{room}{text}\n"));
    };
    let when = theme.ago(checkpoint.created_ms, report.now_ms);
    row("changes-row-saved", format!("{} ({when})", date(checkpoint.created_ms)));
    row(
        "changes-row-scope",
        theme.word(if checkpoint.whole_tree { "changes-whole-project" } else { "changes-single-files" }),
    );
    let origin = &checkpoint.origin;
    for (label, value) in [
        ("changes-row-message", &checkpoint.message),
        ("changes-row-prompt", &origin.prompt),
        ("changes-row-agent", &origin.agent),
        ("changes-row-session", &origin.session),
        ("changes-row-request", &origin.turn),
        ("changes-row-from-request", &origin.parent_turn),
        ("changes-row-tool", &origin.tool),
        ("changes-row-call", &origin.call_id),
        ("changes-row-trigger", &origin.trigger),
    ] {
        if let Some(value) = value {
            row(label, line(value, theme, 11));
        }
    }
    for file in &report.named {
        let state = if file.existed { size(file.size) } else { theme.word("changes-not-there-yet") };
        row("changes-row-file", format!("{}  {}", harmless(&file.path), paint(theme.dim, state)));
    }
    out.push_str(&problems(&report.problems, theme));
    if report.changes.files.is_empty() {
        out.push_str(&(theme.word("changes-same-as-before") + "\n"));
        return out;
    }
    let totals = totals(&report.changes, theme);
    let values = [("totals", totals.trim_end().into())];
    out.push_str(&format!("{}\n", theme.say("changes-from-before", &values)));
    out
}

/// `vib show ID FILE` on a terminal.
pub(crate) fn old_file(file: &OldFile, theme: &Theme) -> String {
    if file.binary {
        let values = [
            ("path", harmless(&file.path).into()),
            ("size", size(file.size).into()),
            ("moment", file.moment.to_string().into()),
        ];
        return theme.say("changes-no-text", &values) + "\n";
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
    let root = paint(theme.strong, harmless(&report.root));
    out.push_str(&format!("{}\n", theme.say("changes-project", &[("root", root.into())])));
    out.push_str(&super::protection::protection(protection, theme));
    match &report.newest {
        None => {
            out.push_str(&(theme.word("changes-no-checkpoint") + "\n"));
        }
        Some(newest) => {
            let message =
                newest.message.as_deref().map(|m| format!(" “{}”", line(m, theme, 50))).unwrap_or_default();
            let values = [
                ("id", paint(theme.id, &newest.id).into()),
                ("message", message.into()),
                ("when", theme.ago(newest.created_ms, report.now_ms).into()),
                ("count", report.checkpoints.into()),
                ("size", size(report.store_bytes).into()),
            ];
            out.push_str(&format!("{}\n", theme.say("changes-newest", &values)));
            let is_newest = |since: &Baseline| since.checkpoint.id == newest.id;
            let then = match &report.since {
                Some(since) if !is_newest(since) || matches!(since.since, Since::Request { .. }) => {
                    moment(since, report.now_ms, theme)
                }
                _ => theme.word("changes-then"),
            };
            let id = match report.unsaved {
                _ if report.changes.files.is_empty() => "changes-unchanged",
                0 => "changes-changed-saved",
                some if some >= report.changes.files.len() as u64 => "changes-changed-unsaved",
                _ => "changes-changed-partly",
            };
            let values = [("then", then.into()), ("count", report.unsaved.into())];
            out.push_str(&format!("{}\n", theme.say(id, &values)));
            if !report.changes.files.is_empty() {
                out.push_str(&file_list(&report.changes, theme));
                out.push_str(&totals(&report.changes, theme));
                out.push_str(&(theme.word("changes-commands") + "\n"));
            }
        }
    }
    if report.newest.is_some() || !report.verdict.reasons.is_empty() {
        out.push_str(&verdict(&report.verdict, &theme.texts, theme));
    }
    if report.counts.ignored > 0 {
        let values = [
            ("files", theme.say("common-files", &[("count", report.counts.files.into())]).into()),
            ("names", theme.say("common-names", &[("count", report.counts.ignored.into())]).into()),
        ];
        out.push_str(&paint(theme.dim, theme.say("changes-looked-at", &values) + "\n"));
    }
    out.push_str(&problems(&report.problems, theme));
    if let Some(one) = report.suggestions.first() {
        let values = [("text", one.text.clone().into()), ("command", one.command.clone().into())];
        out.push_str(&format!("{}\n", theme.say("changes-suggestion", &values)));
    }
    out
}

/// What happened to a file, in the order of `list_up_to`.
const HAPPENED: [&str; 6] =
    ["changes-new", "changes-gone", "changes-changed", "changes-renamed", "changes-mode", "changes-kind"];
/// What would happen to it.
const PLANNED: [&str; 6] = [
    "changes-bring-back",
    "changes-remove",
    "changes-change-back",
    "changes-rename",
    "changes-set-mode",
    "changes-replace",
];

/// A list of files with what happened to each.
pub(crate) fn file_list(report: &DiffReport, theme: &Theme) -> String {
    list_up_to(report, HAPPENED, MOST_FILES, theme)
}

/// The same for somebody who asked for the list: however long it is.
pub(crate) fn every_file(report: &DiffReport, theme: &Theme) -> String {
    list_up_to(report, HAPPENED, usize::MAX, theme)
}

/// A list of files with what would happen to each.
pub(crate) fn plan_list(report: &DiffReport, theme: &Theme) -> String {
    list_up_to(report, PLANNED, MOST_FILES, theme)
}

fn list_up_to(report: &DiffReport, words: [&str; 6], most: usize, theme: &Theme) -> String {
    let words = words.map(|id| theme.word(id));
    let width = words.iter().map(|word| word.width()).max().unwrap_or(0) + 1;
    let mut out = String::new();
    for file in report.files.iter().take(most) {
        let (word, style) = match file.status {
            FileStatus::Added => (&words[0], theme.added),
            FileStatus::Removed => (&words[1], theme.removed),
            FileStatus::Modified => (&words[2], theme.warning),
            FileStatus::Renamed => (&words[3], theme.warning),
            FileStatus::ModeChanged => (&words[4], theme.warning),
            FileStatus::TypeChanged => (&words[5], theme.warning),
        };
        let room = " ".repeat(width - word.width());
        out.push_str(&format!(
            "  {} {}{}\n",
            paint(style, format!("{word}{room}")),
            title(file),
            details(file, theme)
        ));
    }
    if report.files.len() > most {
        out.push_str(&format!("  {}\n", theme.count("common-and-more", report.files.len() - most)));
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
        let values = [("old", size(file.old_size).into()), ("new", size(file.new_size).into())];
        parts.push(theme.say("changes-binary", &values));
    }
    if let (Some(old), Some(new)) = (file.old_mode, file.new_mode) {
        let values = [("old", format!("{old:o}").into()), ("new", format!("{new:o}").into())];
        parts.push(theme.say("changes-modes", &values));
    }
    if file.kind == EntryKind::Symlink {
        parts.push(theme.word("changes-link"));
    }
    if file.sensitive {
        parts.push(theme.word("changes-sensitive"));
    }
    if parts.is_empty() { String::new() } else { format!("  {}", parts.join(", ")) }
}

pub(crate) fn totals(report: &DiffReport, theme: &Theme) -> String {
    // In order of path: the parts of one file follow each other.
    let in_parts = report.files.windows(2).filter(|pair| pair[0].path == pair[1].path).count();
    let files = theme.count("common-files", report.files.len() - in_parts);
    if report.added + report.removed == 0 {
        return format!("{files}\n");
    }
    let more = match report.not_counted {
        0 => String::new(),
        some => theme.say("changes-not-counted", &[("count", some.into())]),
    };
    let lines = |count: u64| theme.say("common-lines", &[("count", count.into())]);
    let values = [
        ("files", files.into()),
        ("added", paint(theme.added, lines(report.added)).into()),
        ("removed", paint(theme.removed, lines(report.removed)).into()),
        ("more", more.into()),
    ];
    theme.say("changes-totals", &values) + "\n"
}

fn name(moment: &str, theme: &Theme) -> String {
    match moment {
        "now" => theme.word("changes-now"),
        "last saved" => theme.word("changes-last-saved"),
        id => format!("`{id}`"),
    }
}
