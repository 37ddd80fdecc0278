//! The audit log: rows, verdicts, measures.

use engine::audit::{Damage, Metric, MetricsReport, ShowReport, SloReport, Stored, Verdict};

use super::words::{count, grouped, harmless};
use crate::theme::{Theme, paint};

/// `vib audit show`
pub(crate) fn audit_show(report: &ShowReport, theme: &Theme) -> String {
    let mut out = String::new();
    for row in &report.rows {
        out.push_str(&one_row(row, theme));
    }
    if report.total == 0 {
        out.push_str("The audit log is empty: nothing was recovered, exported or read yet.\n");
    } else {
        let cut = match report.summarised {
            0 => String::new(),
            some => format!("; {} older ones live on as counts", grouped(some)),
        };
        out.push_str(&format!("{} in the log{cut}.\n", count(report.total, "row")));
    }
    if report.samples_pending > 0 {
        out.push_str(&format!("{} waiting for a second look.\n", count(report.samples_pending, "output")));
    }
    out.push_str(&damage(&report.damage, theme));
    out
}

fn one_row(stored: &Stored, theme: &Theme) -> String {
    let row = &stored.row;
    let word = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let mut words = Vec::new();
    if let Some(via) = row.confirmed_via {
        words.push(format!("confirmed via {}", word(serde_json::json!(via))));
    }
    if let Some(id) = &row.sandwich_checkpoint_id {
        words.push(format!("safety checkpoint {id}"));
    }
    if row.paths_count.total > 0 {
        words.push(count(row.paths_count.total, "path"));
    }
    if let Some(redaction) = row.redaction {
        words.push(format!(
            "{} and {} redacted",
            count(redaction.secret_hits, "secret"),
            count(redaction.privacy_hits, "private detail")
        ));
    }
    if let Some(rescan) = row.rescan {
        words.push(format!(
            "row {} looked at again, {} found",
            rescan.of,
            rescan.secret_hits + rescan.privacy_hits
        ));
    }
    format!(
        "{}  {}  {} {}  {}  {}\n",
        paint(theme.id, format!("{:>6}", stored.sequence_number)),
        paint(theme.dim, harmless(&stored.timestamp)),
        word(serde_json::json!(row.event)),
        word(serde_json::json!(row.result)),
        harmless(&row.tool),
        harmless(&words.join(", ")),
    )
    .replace("  \n", "\n")
}

fn damage(damage: &[Damage], theme: &Theme) -> String {
    let mut out = String::new();
    if damage.is_empty() {
        return out;
    }
    out.push_str(&format!("{} the log is not whole:\n", paint(theme.error, "warning:")));
    for one in damage.iter().take(20) {
        out.push_str(&format!("  {}\n", harmless(&one.to_string())));
    }
    if damage.len() > 20 {
        out.push_str(&format!("  and {} more (see `--json`)\n", damage.len() - 20));
    }
    out
}

/// `vib audit slo`
pub(crate) fn audit_slo(report: &SloReport, theme: &Theme) -> String {
    let mut out = format!(
        "{} from {} to {}\n",
        count(report.rows, "row"),
        harmless(&report.window_start),
        harmless(&report.window_end)
    );
    for slo in &report.slos {
        let mut why = format!("{}, {}", times(slo.occurrences), count(slo.sample_count, "sample"));
        if slo.unproven > 0 {
            why.push_str(&format!(", {} unproven", grouped(slo.unproven)));
        }
        out.push_str(&format!("  {}  {:<26} {why}\n", verdict(slo.result, theme), slo.slo_id));
        if slo.result == Verdict::Fail {
            out.push_str(&format!("                {}\n", slo.about));
        }
    }
    out.push_str(&damage(&report.damage, theme));
    let (words, next) = match report.result {
        Verdict::Pass => ("Proven: none of the five rules was broken in this window.", ""),
        Verdict::Fail => (
            "A rule was broken in this window.",
            "stop and find out why before anything is released; `vib audit show -n 0` lists the rows",
        ),
        Verdict::NeedsReview => (
            "Not proven: some rules have no evidence, or not enough, in this window.",
            "use what they are about, or choose a longer window with `--days`",
        ),
        Verdict::Rejected => (
            "Rejected: rows are missing or damaged, so this window proves nothing.",
            "find out what changed the log; a window that begins after the damage can be proven again",
        ),
    };
    out.push_str(&format!("{words}\n"));
    if !next.is_empty() {
        out.push_str(&format!("{} {next}\n", paint(theme.strong, "next:")));
    }
    out
}

fn times(number: u64) -> String {
    match number {
        0 => "never happened".to_owned(),
        1 => "happened once".to_owned(),
        some => format!("happened {} times", grouped(some)),
    }
}

fn verdict(verdict: Verdict, theme: &Theme) -> String {
    let (style, word) = match verdict {
        Verdict::Pass => (theme.added, "pass"),
        Verdict::Fail => (theme.error, "FAIL"),
        Verdict::NeedsReview => (theme.warning, "needs review"),
        Verdict::Rejected => (theme.error, "rejected"),
    };
    paint(style, format!("{word:<12}"))
}

/// `vib audit metrics`
pub(crate) fn audit_metrics(report: &MetricsReport, theme: &Theme) -> String {
    let mut out = format!("From {} to {}\n", harmless(&report.window_start), harmless(&report.window_end));
    for metric in &report.metrics {
        let (style, mark) = match metric.met {
            Some(true) => (theme.added, "met"),
            Some(false) => (theme.warning, "missed"),
            None => (theme.dim, "no verdict"),
        };
        out.push_str(&format!(
            "  {}  {:<25} {}: {} (target: {})\n",
            paint(style, format!("{mark:<10}")),
            metric.id,
            metric.about,
            value(metric),
            metric.target
        ));
    }
    if !report.recovery_levels.is_empty() {
        let levels: Vec<String> =
            report.recovery_levels.iter().map(|(level, count)| format!("level {level}: {count}")).collect();
        out.push_str(&format!("  recoveries by level: {}\n", levels.join(", ")));
    }
    out.push_str("These figures never leave this machine.\n");
    out
}

fn value(metric: &Metric) -> String {
    let Some(value) = metric.value else { return "nothing to measure yet".to_owned() };
    match metric.unit {
        "share" => format!("{:.0} % of {}", value * 100.0, grouped(metric.samples)),
        "minutes" => format!("{value:.1} minutes in {}", count(metric.samples, "hand-off")),
        _ => format!("{value:.0}"),
    }
}
