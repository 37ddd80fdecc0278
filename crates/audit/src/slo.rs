//! The five rules that may never break, judged over a window.

use serde::Serialize;

use crate::read::{self, Damage};
use crate::row::{Event, Intent, Outcome, Parameters, Row, Stored, timestamp};
use crate::sample;
use crate::{AuditLog, Result};

/// What the aggregator says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing happened that should not, and there is evidence.
    Pass,
    /// It happened.
    Fail,
    /// There is no evidence, or not enough.
    NeedsReview,
    /// The rows are not whole, so they prove nothing.
    Rejected,
}

/// One rule over the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Slo {
    /// Stable id.
    pub slo_id: &'static str,
    /// What must not happen.
    pub about: &'static str,
    /// How often it happened.
    pub occurrences: u64,
    /// Rows that are evidence.
    pub sample_count: u64,
    /// Rows that should be evidence and say too little.
    pub unproven: u64,
    /// The verdict.
    pub result: Verdict,
}

/// All rules over the window.
#[derive(Debug, Serialize)]
pub struct SloReport {
    /// First moment of the window.
    pub window_start: String,
    /// Last moment of the window.
    pub window_end: String,
    /// Rows in the window.
    pub rows: u64,
    /// The verdict on all of them: the worst.
    pub result: Verdict,
    /// The five rules.
    pub slos: Vec<Slo>,
    /// Why the window is rejected, and where.
    pub damage: Vec<Damage>,
}

/// Judges the last `days` days; `None`: as many as the settings say. Outputs that wait for a second look get it first.
pub(crate) fn slo(audit: &AuditLog<'_>, days: Option<u64>) -> Result<SloReport> {
    sample::rescan(audit, sample::IN_A_COMMAND)?;
    let days = days.unwrap_or_else(|| audit.project.config().number("audit.window_days"));
    let end_ms = audit.context.now_ms();
    let start_ms = end_ms.saturating_sub(i64::try_from(days).unwrap_or(i64::MAX).saturating_mul(86_400_000));
    let log = read::read(audit)?;
    let window = log.since(start_ms);
    // What is damaged behind the last row before the window may have been inside it.
    let before = log.rows.len() - window.len();
    let boundary = before.checked_sub(1).map_or(0, |last| log.rows[last].0 + 1);
    let is_inside =
        |damage: &&Damage| damage.line() >= boundary || matches!(damage, Damage::Truncated { .. });
    let damage: Vec<Damage> = log.damage.iter().filter(is_inside).cloned().collect();
    let rows: Vec<&Stored> = window.iter().map(|(_, row)| row).collect();
    let mut slos = judge(&rows);
    if !damage.is_empty() {
        // A breach stays a breach; everything else is not proven by rows that are not whole.
        for slo in slos.iter_mut().filter(|slo| slo.result != Verdict::Fail) {
            slo.result = Verdict::Rejected;
        }
    }
    let result = [Verdict::Fail, Verdict::Rejected, Verdict::NeedsReview]
        .into_iter()
        .find(|verdict| slos.iter().any(|slo| slo.result == *verdict))
        .unwrap_or(Verdict::Pass);
    Ok(SloReport {
        window_start: timestamp(start_ms),
        window_end: timestamp(end_ms),
        rows: rows.len() as u64,
        result,
        slos,
        damage,
    })
}

/// What one row says about one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Evidence {
    None,
    Kept,
    Broken,
    Unproven,
}

type Test = fn(&Row) -> Evidence;

const RULES: [(&str, &str, Test); 5] = [
    ("sandwich_enforcement", "files were restored without a safety checkpoint", sandwich),
    ("memory_as_instruction", "an action ran with parameters parsed out of memory text", instruction),
    ("unredacted_mcp_leak", "text left without passing the redaction gate", leak),
    ("drift_on_confirmed_intent", "a file the person had confirmed was labelled as drift", drift),
    ("stale_intent_as_current", "a stale intent was shown as if it were fresh", stale),
];

/// Judges rows by each of the five rules.
pub(crate) fn judge(rows: &[&Stored]) -> Vec<Slo> {
    RULES
        .iter()
        .map(|(slo_id, about, test)| {
            let count = |wanted: Evidence| rows.iter().filter(|row| test(&row.row) == wanted).count() as u64;
            let (kept, occurrences) = (count(Evidence::Kept), count(Evidence::Broken));
            let unproven = count(Evidence::Unproven)
                + if *slo_id == "unredacted_mcp_leak" { second_looks_missing(rows) } else { 0 };
            let sample_count = kept + occurrences;
            let result = match (occurrences, sample_count, unproven) {
                (1.., ..) => Verdict::Fail,
                (_, 1.., 0) => Verdict::Pass,
                _ => Verdict::NeedsReview,
            };
            Slo { slo_id, about, occurrences, sample_count, unproven, result }
        })
        .collect()
}

/// A refusal shows that the gate works.
fn was_refused(row: &Row) -> bool {
    matches!(row.result, Outcome::Denied | Outcome::Busy)
}

fn sandwich(row: &Row) -> Evidence {
    if row.event != Event::RecoveryApply {
        return Evidence::None;
    }
    let untouched = matches!(row.result, Outcome::Aborted | Outcome::Failed) && row.paths_count.total == 0;
    match row.result {
        _ if was_refused(row) || untouched || row.sandwich_checkpoint_id.is_some() => Evidence::Kept,
        Outcome::Unknown => Evidence::Unproven,
        _ => Evidence::Broken,
    }
}

fn instruction(row: &Row) -> Evidence {
    let acts = matches!(
        row.event,
        Event::RecoveryApply
            | Event::CheckpointCreate
            | Event::HandoffExport
            | Event::MemoryWrite
            | Event::LessonWrite
            | Event::PatchApply
    );
    match row.parameters {
        _ if !acts => Evidence::None,
        Some(Parameters::Typed) => Evidence::Kept,
        Some(Parameters::FreeText) if was_refused(row) => Evidence::Kept,
        Some(Parameters::FreeText) => Evidence::Broken,
        None | Some(Parameters::Unknown) if was_refused(row) => Evidence::Kept,
        None | Some(Parameters::Unknown) => Evidence::Unproven,
    }
}

fn shows_memory(row: &Row) -> bool {
    matches!(
        row.event,
        Event::MemorySummaryRead
            | Event::MemoryFullRead
            | Event::MemoryRecall
            | Event::ProjectRead
            | Event::RecoveryPreview
            | Event::HandoffExport
    )
}

fn leak(row: &Row) -> Evidence {
    if let Some(rescan) = row.rescan {
        let found = rescan.secret_hits + rescan.privacy_hits;
        return if found > 0 { Evidence::Broken } else { Evidence::Kept };
    }
    match row.result {
        _ if !shows_memory(row) => Evidence::None,
        _ if was_refused(row) || row.redaction.is_some() => Evidence::Kept,
        // Nothing left when it was stopped or went wrong before the end.
        Outcome::Aborted | Outcome::Failed => Evidence::Kept,
        Outcome::Unknown => Evidence::Unproven,
        _ => Evidence::Broken,
    }
}

/// Outputs that were kept and not looked at again yet; and a sampler that never keeps any.
fn second_looks_missing(rows: &[&Stored]) -> u64 {
    let looked: std::collections::HashSet<u64> =
        rows.iter().filter_map(|row| row.row.rescan).map(|rescan| rescan.of).collect();
    let waiting =
        rows.iter().filter(|row| row.sampled && !looked.contains(&row.sequence_number)).count() as u64;
    let shown =
        rows.iter().filter(|row| shows_memory(&row.row) && row.row.result == Outcome::Success).count() as u64;
    let any = rows.iter().any(|row| row.sampled);
    // One in a hundred is kept: that none of so many was kept by chance happens once in 20,000 windows.
    waiting + u64::from(shown >= 10 * sample::ONE_IN && !any)
}

fn drift(row: &Row) -> Evidence {
    match row.drift_on_confirmed {
        Some(0) => Evidence::Kept,
        Some(_) => Evidence::Broken,
        None if row.event == Event::RecoveryPreview && row.result == Outcome::Success => Evidence::Unproven,
        None => Evidence::None,
    }
}

fn stale(row: &Row) -> Evidence {
    let shows = matches!(
        row.event,
        Event::HandoffExport | Event::RecoveryPreview | Event::MemorySummaryRead | Event::MemoryFullRead
    );
    match row.intent {
        Some(Intent::StaleShownAsFresh) if !was_refused(row) => Evidence::Broken,
        Some(Intent::Unknown) => Evidence::Unproven,
        Some(_) => Evidence::Kept,
        None if shows && row.result == Outcome::Success => Evidence::Unproven,
        None => Evidence::None,
    }
}
