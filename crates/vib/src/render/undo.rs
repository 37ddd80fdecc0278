//! Going back: before and after.

use change::reverse::{Conflict, LaterWork, NotByLines, Why};
use engine::entries::{Entry, EntryKind};
use engine::outside::word;
use engine::undo::{Back, Preview, UndoReport};

use super::diff::{plan_list, totals};
use super::patch_text::one_file;
use super::words::{harmless, line, notices};
use crate::theme::{Theme, paint};

/// What would change.
pub(crate) fn preview(preview: &Preview, patch: bool, dry_run: bool, theme: &Theme) -> String {
    let mut out = notices(&preview.notices, theme);
    if let Some(project) = preview.of.as_ref().and_then(|of| of.project.as_deref()) {
        let project = paint(theme.strong, harmless(project));
        out.push_str(&format!("{}\n", theme.say("undo-in-project", &[("project", project.into())])));
    }
    let what = about(&preview.back, preview.now_ms, theme);
    out.push_str(&format!("{}\n", theme.say("undo-would-change", &[("what", what.into())])));
    if patch {
        for file in &preview.changes.files {
            out.push_str(&one_file(file, theme));
        }
    } else {
        out.push_str(&plan_list(&preview.changes, theme));
    }
    out.push_str(&totals(&preview.changes, theme));
    if !preview.unsaved.is_empty() {
        let said = theme.count("undo-saved-first", preview.unsaved.len());
        out.push_str(&format!("{} {said}\n", theme.note()));
    }
    out.push_str(&left(&preview.conflicts, preview.outside, theme));
    if dry_run {
        out.push_str(&(theme.word("undo-dry-run") + "\n"));
    }
    out
}

/// What was done.
pub(crate) fn undone(report: &UndoReport, theme: &Theme) -> String {
    let result = &report.result;
    let mut out = notices(&report.notices, theme);
    let mut parts = Vec::new();
    if !result.restored.is_empty() {
        parts.push(theme.count("undo-brought-back", result.restored.len()));
    }
    if !result.removed.is_empty() {
        parts.push(theme.count("undo-removed", result.removed.len()));
    }
    if parts.is_empty() {
        parts.push(theme.word("undo-nothing-changed"));
    }
    let done = theme.word(if report.is_complete() { "undo-done" } else { "undo-partly" });
    let what = match &report.back {
        Back::Checkpoint { checkpoint } => {
            theme.say("undo-back-at", &[("id", paint(theme.id, &checkpoint.id).into())])
        }
        Back::Steps { .. } => theme.word("undo-taken-back"),
        Back::Redo { .. } => theme.word("undo-forward"),
    };
    let values = [
        ("done", paint(theme.strong, done).into()),
        ("what", what.into()),
        ("parts", parts.join(&theme.word("common-comma")).into()),
    ];
    out.push_str(&format!("{}\n", theme.say("undo-result", &values)));
    out.push_str(&left(&report.conflicts, report.outside, theme));
    if !report.is_complete() {
        out.push_str(&format!("{} {}\n", theme.warn(), theme.word("undo-left-as-is")));
        for kept in result.kept.iter().take(20) {
            let path = shown(&kept.path, report.outside);
            out.push_str(&format!("  {path}  {}\n", paint(theme.dim, harmless(&kept.detail))));
        }
        if result.kept.len() > 20 {
            out.push_str(&format!("  {}\n", theme.count("common-and-more", result.kept.len() - 20)));
        }
    }
    // What lies in another store is named in every command about it.
    let path = report.of.as_ref().map(|of| format!(" {}", word(&harmless(&of.path)))).unwrap_or_default();
    let id = match &report.back {
        Back::Redo { .. } => "undo-way-back-undo",
        _ => "undo-way-back-redo",
    };
    let values = [
        ("id", paint(theme.id, &report.safety.id).into()),
        ("id-plain", report.safety.id.to_string().into()),
        ("path", path.into()),
    ];
    out.push_str(&format!("{}\n", theme.say(id, &values)));
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
            let values = [
                ("id", paint(theme.id, &checkpoint.id).into()),
                ("label", label.into()),
                ("when", theme.ago(checkpoint.created_ms, now_ms).into()),
            ];
            theme.say("undo-to-checkpoint", &values)
        }
        Back::Redo { step, what } => {
            let what = what.as_deref().map(|what| format!(" ({})", harmless(what))).unwrap_or_default();
            let values = [("step", paint(theme.id, step).into()), ("what", what.into())];
            theme.say("undo-redo-step", &values)
        }
        Back::Steps { entries, unsaved } => {
            let mut parts: Vec<String> =
                entries.iter().map(|entry| one_entry(entry, now_ms, theme)).collect();
            let by_hand = entries.first().is_some_and(|entry| entry.kind == EntryKind::ByHand);
            if *unsaved && !by_hand {
                parts.insert(0, theme.word("undo-since-look"));
            }
            match &parts[..] {
                [one] => theme.say("undo-taking-one", &[("what", one.as_str().into())]),
                many => format!("{}\n  {}\n", theme.word("undo-taking-many"), many.join("\n  ")),
            }
        }
    }
}

fn one_entry(entry: &Entry, now_ms: i64, theme: &Theme) -> String {
    let when = theme.ago(entry.time_ms(), now_ms);
    let steps = theme.count("common-steps", entry.steps.len());
    let words = line(&entry.words(), theme, 40);
    match (&entry.request, entry.kind, &entry.steps[..]) {
        (_, EntryKind::ByHand, _) => theme.say("undo-by-hand", &[("when", when.into())]),
        (Some(_), _, [step]) => {
            let what = step.what.clone().or_else(|| step.tool.clone());
            let what = what.unwrap_or_else(|| theme.word("undo-a-step"));
            let values = [
                ("number", paint(theme.id, step.number).into()),
                ("what", line(&what, theme, 40).into()),
                ("words", words.into()),
                ("when", when.into()),
            ];
            theme.say("undo-step", &values)
        }
        (Some(request), ..) => {
            let client = request.client.clone().unwrap_or_else(|| theme.word("common-an-agent"));
            let values = [
                ("number", paint(theme.id, request.number).into()),
                ("words", words.into()),
                ("client", client.into()),
                ("steps", steps.into()),
                ("when", when.into()),
            ];
            theme.say("undo-request", &values)
        }
        _ => theme
            .say("undo-entry", &[("words", words.into()), ("steps", steps.into()), ("when", when.into())]),
    }
}

/// What was changed again since, may be somebody else's, or is not kept, and stays: each for its own reason. (M5)
fn left(conflicts: &[Conflict], outside: bool, theme: &Theme) -> String {
    let left: Vec<&Conflict> = conflicts.iter().filter(|conflict| !conflict.taken).collect();
    let of = |kind: Stays| -> Vec<&Conflict> {
        left.iter().copied().filter(|conflict| Stays::of(&conflict.why) == kind).collect()
    };
    let mut out = String::new();
    for kind in [Stays::Changed, Stays::Doubtful, Stays::NotKept] {
        let conflicts = of(kind);
        if conflicts.is_empty() {
            continue;
        }
        out.push_str(&format!("{} {}\n", theme.note(), theme.count(kind.message(), conflicts.len())));
        for conflict in conflicts.iter().take(LISTED) {
            // A choice is named as it is typed.
            let name = match kind {
                Stays::NotKept => shown(&conflict.path, outside),
                _ => word(&harmless(&conflict.key)),
            };
            out.push_str(&format!("  {name}  {}\n", paint(theme.dim, why(&conflict.why, theme))));
        }
        if conflicts.len() > LISTED {
            out.push_str(&format!("  {}\n", theme.count("common-and-more", conflicts.len() - LISTED)));
        }
    }
    out
}

/// Why something stays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stays {
    Changed,
    Doubtful,
    NotKept,
}

impl Stays {
    fn of(why: &Why) -> Self {
        match why {
            Why::Shared { .. } => Self::Doubtful,
            Why::NotKept => Self::NotKept,
            _ => Self::Changed,
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::Changed => "undo-stays-changed",
            Self::Doubtful => "undo-stays-doubtful",
            Self::NotKept => "undo-stays-not-kept",
        }
    }
}

/// So many conflicts are named.
const LISTED: usize = 10;
/// So many lines of one are shown.
const LINES_SHOWN: usize = 20;

fn lines(text: &str) -> u64 {
    text.lines().count().max(1) as u64
}

fn why(why: &Why, theme: &Theme) -> String {
    match why {
        Why::Lines { line, since, wrote, now, back } => {
            let count = |text: &str| theme.say("common-lines", &[("count", lines(text).into())]);
            let id = match since {
                LaterWork::Changed => "undo-why-changed",
                LaterWork::Gone => "undo-why-gone",
                LaterWork::Beside => "undo-why-beside",
                LaterWork::PutIn => "undo-why-put-in",
            };
            let values = [
                ("line", line.to_string().into()),
                ("count", lines(wrote).into()),
                ("now", count(now).into()),
                ("took", count(back).into()),
            ];
            theme.say(id, &values)
        }
        Why::MadeAndChangedSince { places } if places.is_empty() => theme.word("undo-why-made"),
        Why::MadeAndChangedSince { places } => {
            let at: Vec<String> = places.iter().take(5).map(|(line, _)| line.to_string()).collect();
            let more = if places.len() > at.len() { ", …" } else { "" };
            theme.say("undo-why-made-at", &[("lines", format!("{}{more}", at.join(", ")).into())])
        }
        Why::RemovedAndMadeAgain => theme.word("undo-why-made-again"),
        Why::WholeFile { because: NotByLines::Binary } => theme.word("undo-why-binary"),
        Why::WholeFile { because: NotByLines::TooLong } => theme.word("undo-why-too-long"),
        Why::WholeFile { because: NotByLines::NoFile } => theme.word("undo-why-no-file"),
        Why::Shared { steps, by_hand } => {
            let name = |step: &store::StepNumber| {
                let id = if by_hand.contains(step) { "undo-by-hand-step" } else { "undo-by-step" };
                theme.say(id, &[("step", step.to_string().into())])
            };
            let steps: Vec<String> = steps.iter().map(name).collect();
            theme.say("undo-why-shared", &[("steps", steps.join(&theme.word("undo-or")).into())])
        }
        Why::NotKept => theme.word("undo-why-not-kept"),
    }
}

/// One place that was changed again since, for a person to choose.
pub(crate) fn conflict(conflict: &Conflict, theme: &Theme) -> String {
    let mut out = format!(
        "{}: {}\n",
        paint(theme.strong, harmless(&conflict.path.to_string())),
        why(&conflict.why, theme)
    );
    let mut show = |mark: &str, text: &str, style: anstyle::Style| {
        for row in text.lines().take(LINES_SHOWN) {
            out.push_str(&format!("{}\n", paint(style, format!("{mark}{}", harmless(row)))));
        }
        let more = text.lines().count().saturating_sub(LINES_SHOWN);
        if more > 0 {
            out.push_str(&paint(theme.dim, format!("  {}\n", theme.count("undo-more-lines", more))));
        }
    };
    match &conflict.why {
        Why::Lines { now, back, .. } => {
            show("-", now, theme.removed);
            show("+", back, theme.added);
        }
        Why::MadeAndChangedSince { places } => {
            places.iter().take(5).for_each(|(_, text)| show("-", text, theme.removed));
        }
        _ => {}
    }
    out
}
