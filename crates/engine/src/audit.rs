//! The audit log: proof, kept on this machine, that the safety gates were used (AU1–AU5).
//!
//! Whatever reads or exports memory, previews or applies a recovery calls [`record`] (or [`record_output`], if text left) with a
//! [`Row`]: what was done, by which tool, how it was confirmed, how it ended, and counts. Never a path, a text, a diff or output;
//! every label passes the redaction gate before it is written.
//!
//! - [`record`] gives each row the next `sequence_number`, without gaps, however many processes write.
//! - [`slo()`] decides over a window whether the five rules that may never break were kept. A denial is a pass, a leak is a
//!   breach, what cannot be proven needs review, and a window whose rows are not whole is rejected.
//! - [`metrics()`] measures how useful vib is; [`show`] lists rows.
//! - One output in a hundred is kept until [`rescan`] has looked at it again with fresh eyes.
//!
//! Start reading at [`Row`], then `log`, `read` and `slo`.

mod log;
mod metrics;
mod read;
mod retention;
mod row;
mod sample;
mod slo;

use serde::Serialize;

use crate::{Engine, Result};

pub use metrics::{Metric, MetricsReport, TriggerWeek, metrics, trigger_week};
pub use read::Damage;
pub use row::{
    ConfirmedVia, DriftFeedback, Event, Intent, Outcome, Parameters, PathsCount, Redaction, Rescan, Row,
    Stored, Trigger, TriggerAction,
};
pub use sample::{RescanReport, rescan};
pub use slo::{Slo, SloReport, Verdict, slo};

/// A row that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Recorded {
    /// Its number.
    pub sequence_number: u64,
    /// Labels that were withheld because the gate objected.
    pub withheld: u64,
    /// A torn last line that an earlier, interrupted write had left was taken away.
    pub repaired: bool,
    /// The text that left was kept to be looked at again.
    pub sampled: bool,
}

/// Writes a row.
pub fn record(engine: &Engine, row: &Row) -> Result<Recorded> {
    written(engine, log::append(engine, row, None)?)
}

/// Writes a row about text that left this machine or this project. One text in a hundred is kept, until [`rescan`].
pub fn record_output(engine: &Engine, row: &Row, emitted: &str) -> Result<Recorded> {
    let chosen = engine.context().random_u64().is_multiple_of(sample::ONE_IN);
    written(engine, log::append(engine, row, chosen.then_some(emitted))?)
}

/// The same, and the text is kept in any case: for output that deserves a second look.
pub fn record_output_for_review(engine: &Engine, row: &Row, emitted: &str) -> Result<Recorded> {
    written(engine, log::append(engine, row, Some(emitted))?)
}

/// There is no daemon: now and then a row also pays for a second look, with a small budget.
fn written(engine: &Engine, recorded: Recorded) -> Result<Recorded> {
    if recorded.sequence_number.is_multiple_of(64) {
        rescan(engine, sample::BESIDE_A_ROW)?;
    }
    Ok(recorded)
}

/// The newest rows and the state of the log.
#[derive(Debug, Serialize)]
pub struct ShowReport {
    /// The newest rows, oldest first.
    pub rows: Vec<Stored>,
    /// Rows in the log.
    pub total: u64,
    /// Rows that were cut and live on as counts.
    pub summarised: u64,
    /// Where the log is not whole.
    pub damage: Vec<Damage>,
    /// Outputs waiting to be looked at again.
    pub samples_pending: u64,
}

/// Lists the newest `limit` rows; 0: all.
pub fn show(engine: &Engine, limit: usize) -> Result<ShowReport> {
    rescan(engine, sample::IN_A_COMMAND)?;
    let log = read::read(engine)?;
    let total = log.rows.len();
    let skip = if limit == 0 { 0 } else { total.saturating_sub(limit) };
    Ok(ShowReport {
        total: total as u64,
        summarised: log.summary.rows,
        damage: log.damage,
        samples_pending: sample::pending(engine).len() as u64,
        rows: log.rows.into_iter().skip(skip).map(|(_, row)| row).collect(),
    })
}
