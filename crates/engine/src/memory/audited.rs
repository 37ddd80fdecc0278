//! Rows in the audit log about memory: that it was read, written or handed on. Counts only.

use ::memory::work::WorkMemory;
use redact::Counts;

use crate::Engine;
use crate::audit::{self, Event, Intent, Outcome, Parameters, Row};

/// Something was written. What happened has happened: a row that cannot be written is seen by `vib audit slo`, which finds the
/// gap, and stops nobody.
pub(super) fn note_write(engine: &Engine, by: &str, counts: Counts, paths: usize, result: Outcome) {
    let mut row = Row::new(Event::MemoryWrite, by, result).redacted(counts);
    row.parameters = Some(Parameters::Typed);
    row.paths_count.total = paths as u64;
    let _ = audit::record(engine, &row);
}

/// Memory was read by a person or told to a model.
pub(super) fn note_read(
    engine: &Engine,
    event: Event,
    by: &str,
    counts: Counts,
    memory: &WorkMemory,
    text: &str,
) {
    let mut row = Row::new(event, by, Outcome::Success).redacted(counts);
    row.intent = Some(intent_of(memory));
    let _ = audit::record_output(engine, &row, text);
}

/// How the goal is shown: whoever shows it says when it is stale.
pub(super) fn intent_of(memory: &WorkMemory) -> Intent {
    match &memory.active_intent {
        None => Intent::Absent,
        Some(intent) if intent.stale => Intent::StaleLabelled,
        Some(_) => Intent::Fresh,
    }
}
