//! Checks, reviews, hand-offs, suggestions, imports: what memory did.

use engine::memory::{
    AskReport, CheckReport, CheckResult, CompactReport, ExportReport, HandoffDraft, HandoffReport,
    ImportReport, RebuildReport, Review, TriggersReport,
};

use engine::audit::TriggerWeek;

use super::words::{ago, count, grouped, size};
use crate::theme::{Theme, paint};

/// `vib verify`
pub(crate) fn verified(report: &CheckReport, theme: &Theme) -> String {
    let (style, word) = match report.result {
        CheckResult::Passed => (theme.added, "passed"),
        CheckResult::Failed => (theme.error, "failed"),
        CheckResult::Skipped | CheckResult::Unknown => (theme.warning, "could not be started"),
    };
    let mut out = format!("Remembered: `{}` {}", report.command, paint(style, word));
    if let Some(why) = &report.not_started {
        out.push_str(&format!(" ({why})"));
    }
    let about = match report.scope.len() {
        0 => "which files it is about is not known".to_owned(),
        some => format!("it counts until one of {} changes", count(some as u64, "file")),
    };
    out.push_str(&format!("; {about}.\n"));
    if report.scope_left_out > 0 {
        out.push_str(&format!("{} more are not followed.\n", count(report.scope_left_out as u64, "file")));
    }
    out
}

/// `vib memory review`
pub(crate) fn review(review: &Review, theme: &Theme) -> String {
    let memory = &review.memory;
    let mut out = String::new();
    let stale =
        |stale: bool| if stale { paint(theme.warning, "  stale: is this still so?") } else { String::new() };
    let field = |field: &engine::memory::Field| {
        format!(
            "{}  {}{}",
            field.text,
            paint(theme.dim, ago(field.last_updated, review.now_ms)),
            stale(field.stale)
        )
    };
    let proposed = |one: &engine::memory::Proposed| {
        format!("{} {}  {}", paint(theme.warning, "proposed:"), one.text, paint(theme.dim, &one.because))
    };
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            out.push_str(&format!("{}\n", paint(theme.strong, title)));
            lines.iter().for_each(|line| out.push_str(&format!("  {line}\n")));
        }
    };
    let goal = memory.active_intent.iter().map(field).chain(review.proposed_intent.iter().map(proposed));
    section("Goal", goal.collect());
    let next = memory.next_action.iter().map(field).chain(review.proposed_next.iter().map(proposed));
    section("Next", next.collect());
    let decided = memory
        .decisions
        .iter()
        .rev()
        .take(10)
        .map(|item| format!("{}  {}", item.text, paint(theme.dim, &item.id)));
    section("Decided lately", decided.collect());
    let risks = memory
        .risks
        .iter()
        .rev()
        .take(5)
        .map(|item| format!("{}  {}", item.text, paint(theme.dim, &item.id)));
    section("Watch out", risks.collect());
    section("Checks that no longer count", review.stale_checks.clone());
    let edited = review.edited.iter().take(15).map(|path| {
        let drift = review.drift_candidates.contains(path);
        let note = if drift {
            paint(theme.warning, "  drift candidate: outside the files that matter")
        } else {
            String::new()
        };
        format!("{path}{note}")
    });
    section("Edited since the last commit", edited.collect());
    let before =
        memory.relevant_files.iter().filter(|file| file.from_previous_intent).map(|file| file.path.clone());
    section("Files that mattered for the goal before", before.collect());
    let ideas = review.suggestions.iter().map(|one| format!("{} (`{}`)", one.text, one.command));
    section("Suggestions", ideas.collect());
    if out.is_empty() {
        out.push_str("Nothing is remembered yet. `vib memory intent TEXT` says what you are working on.\n");
    }
    if !review.recorded.is_empty() {
        out.push_str(&format!("Recorded: {}.\n", count(review.recorded.len() as u64, "change")));
    }
    out
}

/// The page before it is written.
pub(crate) fn handoff_draft(draft: &HandoffDraft, theme: &Theme) -> String {
    let mut out = draft.text.clone();
    out.push_str(&paint(theme.dim, format!("({} of {} tokens)\n", draft.tokens, draft.budget)));
    for stale in &draft.stale_checks {
        out.push_str(&format!("{} no longer valid: {stale}\n", paint(theme.warning, "check:")));
    }
    out
}

/// `vib transfer --handoff`
pub(crate) fn handed_off(report: &HandoffReport, theme: &Theme) -> String {
    let mut out = format!("Written: `{}` (about {} tokens).\n", report.file, report.tokens);
    if let Some(id) = &report.saved_before {
        out.push_str(&format!("What was there before is in checkpoint {}.\n", paint(theme.id, id)));
    }
    if !report.next_confirmed {
        out.push_str(&format!(
            "{} nobody has confirmed a next step; `vib memory next TEXT` does.\n",
            paint(theme.warning, "note:")
        ));
    }
    out
}

/// `vib memory triggers`
pub(crate) fn triggers(report: &TriggersReport, theme: &Theme) -> String {
    let mut out = String::new();
    if let Some(id) = report.answered {
        out.push_str(&format!("Noted: {}.\n", id.name()));
    }
    if let Some(command) = &report.run {
        out.push_str(&format!("Now run `{command}`.\n"));
    }
    for one in &report.due {
        out.push_str(&format!("{}  {} (`{}`)\n", paint(theme.id, one.id.name()), one.text, one.command));
    }
    if out.is_empty() {
        out.push_str("Nothing to suggest.\n");
    }
    out.push_str(&last_week(&report.last_week, theme));
    out
}

/// How suggestions fared; nothing where there was none.
fn last_week(week: &TriggerWeek, theme: &Theme) -> String {
    let Some(rate) = week.ignored_rate else { return String::new() };
    let all = week.accepted + week.dismissed + week.snoozed + week.ignored;
    let counts = format!(
        "Last 7 days: {}; {} followed, {} refused, {} put off, {} ignored ({:.0} %).",
        count(all, "suggestion"),
        week.accepted,
        week.dismissed,
        week.snoozed,
        week.ignored,
        rate * 100.0
    );
    let conclusion = if week.too_many_ignored {
        paint(theme.warning, " More than 30 % are ignored: they come too often.")
    } else if all < week.fewest {
        format!(" Fewer than {} say nothing yet.", week.fewest)
    } else {
        String::new()
    };
    format!("{}{conclusion}\n", paint(theme.dim, counts))
}

/// `vib memory ask`
pub(crate) fn asked(report: &AskReport, theme: &Theme) -> String {
    let Some(answer) = &report.answer else {
        return "Not known: nobody has answered this question yet. `vib memory answer QUESTION ANSWER` does.\n".to_owned();
    };
    let until = answer.expires.map(|_| ", with an end").unwrap_or_default();
    let from = format!(
        "answered {} through {}{until}, to “{}”; {} % sure that it is the same question",
        ago(answer.last_updated, report.now_ms),
        answer.updated_by,
        answer.question,
        (answer.confidence * 100.0).round()
    );
    format!("{}\n{}\n", answer.text, paint(theme.dim, from))
}

/// `vib memory import`
pub(crate) fn imported(report: &ImportReport, theme: &Theme) -> String {
    let mut out = format!(
        "Imported {} of {}; {} were known before.\n",
        grouped(report.added as u64),
        count(report.found as u64, "fact"),
        grouped(report.known_before as u64)
    );
    if report.redacted {
        out.push_str(&format!(
            "{} secrets or private details were taken out first.\n",
            paint(theme.warning, "note:")
        ));
    }
    for part in report.skipped.iter().take(20) {
        out.push_str(&format!("{} not understood, left out: {part}\n", paint(theme.warning, "note:")));
    }
    out
}

/// `vib memory export --raw`
pub(crate) fn exported(report: &ExportReport, theme: &Theme) -> String {
    let file = report.file.as_deref().unwrap_or("-");
    let events = count(report.events as u64, "event");
    format!(
        "{events} in `{file}`.\n{} it may hold secrets: do not hand it on.\n",
        paint(theme.warning, "note:")
    )
}

/// `vib memory compact`
pub(crate) fn compacted(report: &CompactReport, _theme: &Theme) -> String {
    if report.archived == 0 {
        return format!(
            "Nothing to do: {} in {}.\n",
            count(report.kept as u64, "event"),
            size(report.bytes_after)
        );
    }
    format!(
        "{} went into the archive; {} stay ({} instead of {}).\n",
        count(report.archived as u64, "event"),
        report.kept,
        size(report.bytes_after),
        size(report.bytes_before)
    )
}

/// `vib memory rebuild`
pub(crate) fn rebuilt(report: &RebuildReport, theme: &Theme) -> String {
    let would = if report.dry_run { "would be " } else { "" };
    let mut out = format!("{} read.\n", count(report.events as u64, "event"));
    if report.migrated > 0 {
        out.push_str(&format!("{} of an older format {would}taken over.\n", report.migrated));
    }
    for view in &report.views {
        let same = if view.same { "it was the same before" } else { "it was missing or different before" };
        out.push_str(&format!("{} {would}rebuilt; {same}.\n", view.name));
    }
    if let Some(indexed) = report.indexed {
        out.push_str(&format!(
            "The index for `vib memory recall` rebuilt: {}.\n",
            count(indexed as u64, "memory")
        ));
    }
    let warning = paint(theme.warning, "warning:");
    if report.newer > 0 {
        out.push_str(&format!(
            "{warning} {} were written by a newer vib; this one only reads the log.\n",
            count(report.newer as u64, "event")
        ));
    }
    if !report.bad_lines.is_empty() || !report.not_migrated.is_empty() {
        let lines: Vec<String> =
            report.bad_lines.iter().chain(&report.not_migrated).map(ToString::to_string).collect();
        out.push_str(&format!(
            "{warning} lines {} cannot be read; they are left as they are.\n",
            lines.join(", ")
        ));
    }
    out
}
