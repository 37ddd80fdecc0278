//! Going back: before and after.

use change::reverse::{Conflict, Why};
use engine::entries::{Entry, EntryKind};
use engine::undo::{Back, Preview, UndoReport};

use super::diff::{plan_list, totals};
use super::patch_text::one_file;
use super::words::{ago, count, harmless, line, notices};
use crate::theme::{Theme, paint};

/// What would change.
pub(crate) fn preview(preview: &Preview, patch: bool, dry_run: bool, theme: &Theme) -> String {
    let mut out = notices(&preview.notices, theme);
    out.push_str(&format!("{} would change:\n", about(&preview.back, preview.now_ms, theme)));
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
    out.push_str(&left(&preview.conflicts, preview.outside, theme));
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
    let what = match &report.back {
        Back::Checkpoint { checkpoint } => format!("back at {}", paint(theme.id, &checkpoint.id)),
        Back::Steps { .. } => "taken back".to_owned(),
        Back::Redo { .. } => "forward again".to_owned(),
    };
    out.push_str(&format!("{}: {what}, {}.\n", paint(theme.strong, done), parts.join(", ")));
    out.push_str(&left(&report.conflicts, report.outside, theme));
    if !report.is_complete() {
        out.push_str(&format!("{} left as they are:\n", paint(theme.warning, "warning:")));
        for kept in result.kept.iter().take(20) {
            let path = shown(&kept.path, report.outside);
            out.push_str(&format!("  {path}  {}\n", paint(theme.dim, harmless(&kept.detail))));
        }
        if result.kept.len() > 20 {
            out.push_str(&format!("  and {} more\n", result.kept.len() - 20));
        }
    }
    // A file that lies in no project is named in every command about it.
    let first = result.restored.iter().chain(&result.removed).next().filter(|_| report.outside);
    let path = first.map(|path| format!(" {}", shown(path, true))).unwrap_or_default();
    out.push_str(&format!(
        "The state before is saved as {}. {} returns to it.\n",
        paint(theme.id, &report.safety.id),
        match &report.back {
            Back::Redo { .. } => format!("`vib undo{path}` (or `vib undo {}{path}`)", report.safety.id),
            _ => format!("`vib redo{path}` (or `vib undo {}{path}`)", report.safety.id),
        }
    ));
    out
}

/// A path for people: of what lies in no project, from the top of the file system.
fn shown(path: &project::RelPath, outside: bool) -> String {
    let path = harmless(&path.to_string());
    if outside { format!("/{path}") } else { path.to_string() }
}

/// What is taken back, or gone back to.
fn about(back: &Back, now_ms: i64, theme: &Theme) -> String {
    match back {
        Back::Checkpoint { checkpoint } => {
            let label = checkpoint.message.as_deref().or(checkpoint.origin.prompt.as_deref());
            let label = label.map(|text| format!(" “{}”", line(text, theme, 40))).unwrap_or_default();
            let when = ago(checkpoint.created_ms, now_ms);
            format!("Going back to {}{label}, saved {when},", paint(theme.id, &checkpoint.id))
        }
        Back::Redo { step, what } => {
            let what = what.as_deref().map(|what| format!(" ({})", harmless(what))).unwrap_or_default();
            format!("Walking forward again, which takes {} back{what},", paint(theme.id, step))
        }
        Back::Steps { entries, unsaved } => {
            let mut parts: Vec<String> =
                entries.iter().map(|entry| one_entry(entry, now_ms, theme)).collect();
            let by_hand = entries.first().is_some_and(|entry| entry.kind == EntryKind::ByHand);
            if *unsaved && !by_hand {
                parts.insert(0, "what changed since the last look".to_owned());
            }
            match &parts[..] {
                [one] => format!("Taking back {one}"),
                many => format!("Taking back\n  {}\n", many.join("\n  ")),
            }
        }
    }
}

fn one_entry(entry: &Entry, now_ms: i64, theme: &Theme) -> String {
    let when = ago(entry.time_ms(), now_ms);
    let steps = count(entry.steps.len() as u64, "step");
    match (&entry.request, entry.kind, &entry.steps[..]) {
        (_, EntryKind::ByHand, _) => format!("what was done by hand or by another program, {when},"),
        (Some(_), _, [step]) => {
            let what = step.what.as_deref().or(step.tool.as_deref()).unwrap_or("a step");
            let words = line(&entry.words(), theme, 40);
            format!("step {} ({}) of “{words}”, {when},", paint(theme.id, step.number), line(what, theme, 40))
        }
        (Some(request), ..) => {
            let client = request.client.as_deref().unwrap_or("an agent");
            let words = line(&entry.words(), theme, 40);
            format!("request {} “{words}” of {client} ({steps}, {when})", paint(theme.id, request.number))
        }
        _ => format!("{} ({steps}, {when})", line(&entry.words(), theme, 40)),
    }
}

/// What was changed again since, and stays.
fn left(conflicts: &[Conflict], outside: bool, theme: &Theme) -> String {
    let left: Vec<&Conflict> = conflicts.iter().filter(|conflict| !conflict.taken).collect();
    if left.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "{} {} changed again since, and that stays as it is (`--take-conflicts` takes it back too):\n",
        paint(theme.warning, "note:"),
        count(left.len() as u64, "place")
    );
    for conflict in left.iter().take(10) {
        out.push_str(&format!(
            "  {}  {}\n",
            shown(&conflict.path, outside),
            paint(theme.dim, why(&conflict.why))
        ));
    }
    if left.len() > 10 {
        out.push_str(&format!("  and {} more\n", left.len() - 10));
    }
    out
}

fn why(why: &Why) -> String {
    match why {
        Why::Lines { line, now, .. } => {
            format!("line {line}: {} changed since", count(now.lines().count().max(1) as u64, "line"))
        }
        Why::MadeAndChangedSince => "made by it, and changed since".to_owned(),
        Why::RemovedAndMadeAgain => "removed by it, and made again since".to_owned(),
        Why::WholeFile => "not text, and changed since".to_owned(),
        Why::Shared { steps } => {
            let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
            format!("made by one of {}; nobody knows which", steps.join(", "))
        }
        Why::NotKept => "what it was before is no longer kept".to_owned(),
    }
}

/// One place that was changed again since, for a person to choose.
pub(crate) fn conflict(conflict: &Conflict, theme: &Theme) -> String {
    let mut out =
        format!("{}: {}\n", paint(theme.strong, harmless(&conflict.path.to_string())), why(&conflict.why));
    if let Why::Lines { now, back, .. } = &conflict.why {
        for (mark, text, style) in [("-", now, theme.removed), ("+", back, theme.added)] {
            for row in text.lines().take(20) {
                out.push_str(&format!("{}\n", paint(style, format!("{mark}{}", harmless(row)))));
            }
        }
    }
    out
}
