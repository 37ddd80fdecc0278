//! Going back: before and after.

use engine::undo::{Preview, UndoReport};

use super::diff::{one_file, plan_list, totals};
use super::words::{ago, count, harmless, line, notices};
use crate::theme::{Theme, paint};

/// What would change.
pub(crate) fn preview(preview: &Preview, patch: bool, dry_run: bool, theme: &Theme) -> String {
    let mut out = notices(&preview.notices, theme);
    let target = &preview.target;
    let label = target.message.as_deref().or(target.origin.prompt.as_deref());
    let label = label.map(|text| format!(" “{}”", line(text, theme, 40))).unwrap_or_default();
    out.push_str(&format!(
        "Going back to {}{label}, saved {}, would change:\n",
        paint(theme.id, &target.id),
        ago(target.created_ms, preview.now_ms)
    ));
    if patch {
        for file in &preview.changes.files {
            out.push_str(&one_file(file, theme));
        }
    } else {
        out.push_str(&plan_list(&preview.changes, theme));
    }
    out.push_str(&totals(&preview.changes, theme));
    if !preview.unsaved.is_empty() {
        let files = count(preview.unsaved.len() as u64, "file");
        out.push_str(&format!(
            "{} {files} of these changed since the last checkpoint; vib saves them first.\n",
            paint(theme.warning, "note:")
        ));
    }
    if dry_run {
        out.push_str("Nothing was changed. Run it again without `--dry-run` to go back.\n");
    }
    out
}

/// What was done.
pub(crate) fn undone(report: &UndoReport, theme: &Theme) -> String {
    let result = &report.result;
    let mut out = notices(&report.notices, theme);
    let mut parts = Vec::new();
    if !result.restored.is_empty() {
        parts.push(format!("{} brought back", count(result.restored.len() as u64, "path")));
    }
    if !result.removed.is_empty() {
        parts.push(format!("{} removed", count(result.removed.len() as u64, "path")));
    }
    if parts.is_empty() {
        parts.push("nothing could be changed".to_owned());
    }
    let done = if report.is_complete() { "Done" } else { "Partly done" };
    out.push_str(&format!(
        "{}: back at {}, {}.\n",
        paint(theme.strong, done),
        paint(theme.id, &report.target.id),
        parts.join(", ")
    ));
    if !report.is_complete() {
        out.push_str(&format!("{} left as they are:\n", paint(theme.warning, "warning:")));
        for kept in result.kept.iter().take(20) {
            let path = harmless(&kept.path.to_string());
            out.push_str(&format!("  {path}  {}\n", paint(theme.dim, harmless(&kept.detail))));
        }
        if result.kept.len() > 20 {
            out.push_str(&format!("  and {} more\n", result.kept.len() - 20));
        }
    }
    out.push_str(&format!(
        "The state before is saved as {}. `vib redo` (or `vib undo {}`) returns to it.\n",
        paint(theme.id, &report.safety.id),
        report.safety.id
    ));
    out
}
