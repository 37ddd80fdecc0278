//! Patches: before, after, and why not.

use engine::patch::{Change, ChangeKind, Decision, Level, Outcome, PatchReport, Refusal};

use super::patch_text::whole;
use super::words::{count, harmless};
use crate::theme::{Theme, paint};

/// Refused hunks that are shown for each file.
const MOST_SHOWN: usize = 10;

/// What a patch would do.
pub(crate) fn patch_preview(report: &PatchReport, dry_run: bool, theme: &Theme) -> String {
    let mut out = String::from("This patch would change:\n");
    for change in &report.changes {
        // What cannot be shown line by line is at least named.
        if change.diff.is_empty() {
            out.push_str(&heading(change, theme));
        }
        out.push_str(&whole(&change.diff, theme));
        for decision in &change.hunks {
            out.push_str(&note(decision, theme));
        }
    }
    out.push_str(&guarded(report, theme));
    out.push_str(&warnings(report, theme));
    if dry_run {
        out.push_str("Nothing was changed. Run it again without `--dry-run` to apply it.\n");
    }
    out
}

/// What a patch did.
pub(crate) fn patch_applied(report: &PatchReport, theme: &Theme) -> String {
    let hunks: usize = report.changes.iter().map(|change| change.applied_hunks).sum();
    let mut out = format!(
        "{}: {} in {}.\n",
        paint(theme.strong, "Applied"),
        count(hunks as u64, "hunk"),
        count(report.changes.len() as u64, "file")
    );
    if let Some(id) = &report.snapshot_id {
        out.push_str(&format!(
            "The state before is saved as {}. `vib undo {id}` returns to it.\n",
            paint(theme.id, id)
        ));
    }
    out
}

/// One file by name.
pub(crate) fn patch_to_file(report: &PatchReport, theme: &Theme) -> String {
    let mut out = String::new();
    for change in &report.changes {
        for decision in &change.hunks {
            out.push_str(&note(decision, theme));
        }
    }
    out.push_str(&warnings(report, theme));
    out
}

/// Why a patch was refused, with what is needed to write a better one.
pub(crate) fn patch_refused(report: &PatchReport, theme: &Theme) -> String {
    let mut out = format!("{}: nothing was changed.\n", paint(theme.error, "Refused"));
    for change in report.changes.iter().filter(|change| !change.is_fine()) {
        out.push_str(&heading(change, theme));
        if let Some(refusal) = &change.refusal {
            out.push_str(&format!(
                "  {} {}\n",
                paint(theme.warning, refusal.code),
                harmless(&refusal.message)
            ));
            out.push_str(&format!("  {} {}\n", paint(theme.strong, "next:"), refusal.next));
        }
        let refusals: Vec<(&Decision, &Refusal)> =
            change.hunks.iter().filter_map(|decision| Some((decision, decision.refusal()?))).collect();
        for (decision, refusal) in refusals.iter().take(MOST_SHOWN) {
            out.push_str(&refused(decision, refusal, theme));
        }
        if refusals.len() > MOST_SHOWN {
            let more = (refusals.len() - MOST_SHOWN) as u64;
            out.push_str(&format!("  and {}; `--json` lists them all\n", count(more, "more hunk")));
        }
    }
    let fine = report.changes.iter().filter(|change| change.is_fine()).count();
    if fine > 0 {
        out.push_str(&format!(
            "{} would fit, but a patch is applied as a whole.\n",
            count(fine as u64, "other file")
        ));
    }
    out.push_str(&warnings(report, theme));
    out
}

fn heading(change: &Change, theme: &Theme) -> String {
    let what = match change.kind {
        ChangeKind::Modify => "change",
        ChangeKind::Create => "new",
        ChangeKind::Delete => "delete",
        ChangeKind::Rename => "rename",
        ChangeKind::Copy => "copy",
    };
    let path = if change.path.is_empty() { "(no file named)" } else { &change.path };
    let from = change.old_path.as_ref().map(|old| format!("{} → ", harmless(old))).unwrap_or_default();
    format!("{what:<7} {from}{}\n", paint(theme.strong, harmless(path)))
}

/// A line about a hunk that was not found byte for byte where its header says.
fn note(decision: &Decision, theme: &Theme) -> String {
    match &decision.outcome {
        Outcome::Placed { level, line, offset, confidence, repairs } => {
            let moved = offset.is_some_and(|offset| offset != 0);
            if *level == Level::Exact && !moved && repairs.is_empty() {
                return String::new();
            }
            let mut notes: Vec<String> = repairs.iter().map(|repair| harmless(repair)).collect();
            if let Some(offset) = offset.filter(|offset| *offset != 0) {
                notes.push(format!("{} from the header's number", count(offset.unsigned_abs(), "line")));
            }
            let text = format!(
                "  hunk {} at line {line}, confidence {confidence:.2}: {}",
                decision.hunk,
                notes.join("; ")
            );
            format!("{}\n", paint(theme.dim, text))
        }
        Outcome::Duplicate { of } => {
            format!(
                "{}\n",
                paint(theme.dim, format!("  hunk {} is the same as hunk {of}: done once", decision.hunk))
            )
        }
        Outcome::Refused(_) => String::new(),
    }
}

fn refused(decision: &Decision, refusal: &Refusal, theme: &Theme) -> String {
    let mut out = format!(
        "  hunk {} (line {} of the patch): {}\n",
        decision.hunk,
        decision.patch_line,
        harmless(&refusal.message)
    );
    if let Some(nearest) = &refusal.nearest {
        out.push_str(&format!("  {}\n", paint(theme.dim, "nearest in the file:")));
        for (at, line) in nearest.lines.iter().enumerate() {
            let number = nearest.first_line + at;
            let mark = if nearest.differs_at == Some(number) { ">" } else { " " };
            out.push_str(&format!("  {mark}{number:>5}  {}\n", harmless(line)));
        }
    }
    out.push_str(&format!("  {} {}\n", paint(theme.strong, "next:"), refusal.next));
    out
}

/// What a person says yes to by name.
fn guarded(report: &PatchReport, theme: &Theme) -> String {
    let all = report.changes.iter().flat_map(|change| &change.guarded);
    all.map(|one| {
        let place = paint(theme.strong, harmless(&one.path));
        format!("{} {place} {}\n", paint(theme.warning, "guarded:"), one.message)
    })
    .collect()
}

fn warnings(report: &PatchReport, theme: &Theme) -> String {
    report
        .warnings
        .iter()
        .map(|warning| format!("{} {}\n", paint(theme.warning, "warning:"), harmless(warning)))
        .collect()
}
