//! Keeps the log small: rows older than 90 days, or beyond 10 MB, live on as counts.
//!
//! Only whole rows from the beginning go, and never one inside the window over which the rules are proven. The summary is written
//! before the log is replaced: whoever dies in between leaves rows that are in both, and the reader counts them once.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;

use project::platform;
use serde::{Deserialize, Serialize};

use crate::log::{LOG, Log};
use crate::row::Stored;
use crate::slo;
use crate::{AuditLog, Result};

const SUMMARY: &str = "memory_audit_summary.json";
const KEEP_DAYS: i64 = 90;
const KEEP_BYTES: u64 = 10 << 20;

/// A cut goes a little further than it must, so that not every row needs one.
const AFTER_CUT: u64 = KEEP_BYTES / 10 * 8;

/// How often the age of the first row is looked at.
const EVERY: u64 = 256;

/// What is left of rows that were cut: counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) version: u32,
    /// The highest number that was cut.
    pub(crate) last_sequence: u64,
    /// Rows that were cut.
    pub(crate) rows: u64,
    /// Lines that were cut and could not be read.
    pub(crate) unreadable: u64,
    /// The time of the first and of the last of them.
    pub(crate) first: Option<String>,
    pub(crate) last: Option<String>,
    /// By event and result: `recovery_apply/success`.
    pub(crate) events: BTreeMap<String, u64>,
    /// By rule: occurrences and samples.
    pub(crate) slos: BTreeMap<String, SloCount>,
    /// What the gate took out, all together.
    pub(crate) secret_hits: u64,
    pub(crate) privacy_hits: u64,
    pub(crate) summarized_fields: u64,
    /// By what became of a suggestion.
    pub(crate) triggers: BTreeMap<String, u64>,
    /// By level.
    pub(crate) recovery_levels: BTreeMap<u8, u64>,
    pub(crate) drift_correct: u64,
    pub(crate) drift_incorrect: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SloCount {
    pub(crate) occurrences: u64,
    pub(crate) samples: u64,
}

pub(crate) fn read_summary(folder: &Path) -> Summary {
    let text = std::fs::read(folder.join(SUMMARY)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

pub(crate) fn last_summarised(folder: &Path) -> u64 {
    if folder.join(SUMMARY).exists() { read_summary(folder).last_sequence } else { 0 }
}

pub(crate) fn is_due(sequence_number: u64, size: u64) -> bool {
    sequence_number.is_multiple_of(if size > KEEP_BYTES { EVERY / 16 } else { EVERY })
}

/// Cuts what may go. Only under the lock.
pub(crate) fn cut(audit: &AuditLog<'_>, log: &mut Log) -> Result<()> {
    let io = |error: io::Error| crate::Error::from(project::Error::from(error));
    let folder = audit.project.state();
    let text = std::fs::read(folder.join(LOG)).map_err(io)?;
    let day = 86_400_000;
    let now = audit.context.now_ms();
    let window = audit.project.config().number("audit.window_days");
    let window_start = now.saturating_sub(i64::try_from(window).unwrap_or(i64::MAX).saturating_mul(day));
    let mut summary = read_summary(folder);
    let mut rows: Vec<Stored> = Vec::new();
    let mut at = 0;
    let mut unreadable = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let row = serde_json::from_slice::<Stored>(line).ok();
        let time = row.as_ref().and_then(Stored::time_ms);
        let too_old = time.is_some_and(|time| time < now.saturating_sub(KEEP_DAYS * day));
        let too_much = text.len() as u64 > KEEP_BYTES && (text.len() - at) as u64 > AFTER_CUT;
        let in_window = time.is_some_and(|time| time >= window_start);
        if in_window || !(too_old || too_much) {
            break;
        }
        match row {
            Some(row) => rows.push(row),
            None => unreadable += 1,
        }
        at += line.len();
    }
    if at == 0 {
        return Ok(());
    }
    // A row that an interrupted cut already counted is not counted again.
    let own = crate::log::project_hash(audit.project);
    let mut counted = HashSet::new();
    rows.retain(|row| {
        row.sequence_number > summary.last_sequence
            && row.project_root_hash == own
            && counted.insert(row.sequence_number)
    });
    add(&mut summary, &rows, unreadable);
    let json = serde_json::to_vec_pretty(&summary).unwrap_or_default();
    project::write_atomic(&folder.join(SUMMARY), &json).map_err(io)?;
    let rest = &text[at..];
    project::write_atomic(&folder.join(LOG), rest).map_err(io)?;
    log.file = platform::open_private_append(&folder.join(LOG)).map_err(io)?;
    log.size = rest.len() as u64;
    Ok(())
}

fn add(summary: &mut Summary, rows: &[Stored], unreadable: u64) {
    summary.version = 1;
    summary.unreadable += unreadable;
    summary.rows += rows.len() as u64;
    for slo in slo::judge(&rows.iter().collect::<Vec<_>>()) {
        let count = summary.slos.entry(slo.slo_id.to_owned()).or_default();
        count.occurrences += slo.occurrences;
        count.samples += slo.sample_count;
    }
    for stored in rows {
        let row = &stored.row;
        summary.last_sequence = summary.last_sequence.max(stored.sequence_number);
        summary.first.get_or_insert_with(|| stored.timestamp.clone());
        summary.last = Some(stored.timestamp.clone());
        *summary.events.entry(format!("{}/{}", word(&row.event), word(&row.result))).or_default() += 1;
        if let Some(redaction) = row.redaction {
            summary.secret_hits += redaction.secret_hits;
            summary.privacy_hits += redaction.privacy_hits;
            summary.summarized_fields += redaction.summarized_fields;
        }
        if let Some(trigger) = &row.trigger {
            *summary.triggers.entry(word(&trigger.action)).or_default() += 1;
        }
        if let Some(level) = row.recovery_level {
            *summary.recovery_levels.entry(level).or_default() += 1;
        }
        if let Some(feedback) = row.drift_feedback {
            summary.drift_correct += feedback.correct;
            summary.drift_incorrect += feedback.incorrect;
        }
    }
}

/// The word a value is written with.
pub(crate) fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
