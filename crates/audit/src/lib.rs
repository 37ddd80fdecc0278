//! The audit log: proof, kept on this machine, that the safety gates were used (AU1–AU5).
//!
//! Whatever reads or exports memory, previews or applies a recovery calls [`AuditLog::record`] (or [`AuditLog::record_output`], if text
//! left) with a [`Row`]: what was done, by which tool, how it was confirmed, how it ended, and counts. Never a path, a text, a diff or
//! output; every label passes the redaction gate before it is written.
//!
//! - [`AuditLog::record`] gives each row the next `sequence_number`, without gaps, however many processes write.
//! - [`AuditLog::slo`] decides over a window whether the five rules that may never break were kept. A denial is a pass, a leak is a
//!   breach, what cannot be proven needs review, and a window whose rows are not whole is rejected.
//! - [`AuditLog::metrics`] measures how useful vib is; [`AuditLog::show`] lists rows.
//! - One output in a hundred is kept until [`AuditLog::rescan`] has looked at it again with fresh eyes.
//!
//! Start reading at [`Row`], then `log`, `read` and `slo`.

mod audit_log;
mod error;
mod log;
mod metrics;
mod read;
mod retention;
mod row;
mod sample;
mod slo;

pub use audit_log::{AuditLog, Recorded, ShowReport};
pub use error::{Error, Result};
pub use metrics::{AgentEdit, Metric, MetricsReport, TriggerWeek};
pub use read::Damage;
pub use row::{
    ConfirmedVia, DriftFeedback, Event, Intent, Outcome, Parameters, PathsCount, Redaction, Rescan, Row,
    Stored, Trigger, TriggerAction,
};
pub use sample::RescanReport;
pub use slo::{Slo, SloReport, Verdict};
