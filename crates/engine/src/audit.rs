//! The audit log of the project that an [`Engine`] speaks for: proof that the safety gates were used. All of it is in the crate `audit`.

use ::audit::{AgentEdit, AuditLog};
pub use ::audit::{
    ConfirmedVia, Damage, DriftFeedback, Event, Intent, Metric, MetricsReport, Outcome, Parameters,
    PathsCount, Recorded, Redaction, Rescan, RescanReport, Row, ShowReport, Slo, SloReport, Stored, Trigger,
    TriggerAction, TriggerWeek, Verdict,
};

use crate::undo::Confirmation;
use crate::{Engine, Result, redaction};

impl Engine {
    fn audit_log(&self) -> AuditLog<'_> {
        AuditLog { context: self.context(), project: self.project(), private: redaction::private_in }
    }
}

/// Writes a row.
pub fn record(engine: &Engine, row: &Row) -> Result<Recorded> {
    Ok(engine.audit_log().record(row)?)
}

/// Writes a row about text that left this machine or this project. One text in a hundred is kept for a second look.
pub fn record_output(engine: &Engine, row: &Row, emitted: &str) -> Result<Recorded> {
    Ok(engine.audit_log().record_output(row, emitted)?)
}

/// The same, and the text is kept in any case: for output that deserves a second look.
pub fn record_output_for_review(engine: &Engine, row: &Row, emitted: &str) -> Result<Recorded> {
    Ok(engine.audit_log().record_output_for_review(row, emitted)?)
}

/// Lists the newest `limit` rows; 0: all.
pub fn show(engine: &Engine, limit: usize) -> Result<ShowReport> {
    Ok(engine.audit_log().show(limit)?)
}

/// Judges the last `days` days; `None`: as many as the settings say. Outputs that wait for a second look get it first.
pub fn slo(engine: &Engine, days: Option<u64>) -> Result<SloReport> {
    Ok(engine.audit_log().slo(days)?)
}

/// Measures the last `days` days; `None`: as many as the settings say.
pub fn metrics(engine: &Engine, days: Option<u64>) -> Result<MetricsReport> {
    // What agents change with their own tools is in the memory log, not in this one.
    let seen = crate::memory::project_log(engine).read()?.events;
    let of_agents =
        seen.into_iter().filter(|event| event.kind == ::memory::work::EDIT && event.agent.is_some());
    let edits: Vec<AgentEdit> = of_agents
        .filter_map(|event| Some(AgentEdit { time_ms: event.time_ms, session: event.task? }))
        .collect();
    Ok(engine.audit_log().metrics(days, &edits)?)
}

/// Counts what became of the suggestions of the last 7 days.
pub fn trigger_week(engine: &Engine) -> Result<TriggerWeek> {
    Ok(engine.audit_log().trigger_week()?)
}

/// How a yes is written down.
pub(crate) fn confirmed_via(confirmation: Confirmation) -> ConfirmedVia {
    match confirmation {
        Confirmation::Terminal(_) | Confirmation::Approved => ConfirmedVia::Terminal,
        Confirmation::Yes(_) | Confirmation::Flag => ConfirmedVia::Flag,
        Confirmation::Chat => ConfirmedVia::ChatCode,
        Confirmation::Mcp => ConfirmedVia::Mcp,
        Confirmation::Web => ConfirmedVia::Web,
        Confirmation::Grant => ConfirmedVia::Grant,
        Confirmation::Agent => ConfirmedVia::Agent,
    }
}
