//! [`AuditLog`]: the log of one project, and what can be asked of it.

use std::time::Duration;

use project::{Context, Project};
use redact::PrivacyContext;
use serde::Serialize;

use crate::{AgentEdit, Damage, MetricsReport, RescanReport, Result, Row, SloReport, Stored, TriggerWeek};
use crate::{log, metrics, read, sample, slo};

/// The log of one project.
#[derive(Debug, Clone, Copy)]
pub struct AuditLog<'a> {
    /// The world.
    pub context: &'a Context,
    /// Whose log it is.
    pub project: &'a Project,
    /// What is private here besides secrets: asked only where something from outside is looked at.
    pub private: fn(&Context, &Project) -> PrivacyContext,
}

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

impl AuditLog<'_> {
    /// Writes a row.
    pub fn record(&self, row: &Row) -> Result<Recorded> {
        self.written(log::append(self, row, None)?)
    }

    /// Writes a row about text that left this machine or this project. One text in a hundred is kept, until [`Self::rescan`].
    pub fn record_output(&self, row: &Row, emitted: &str) -> Result<Recorded> {
        let chosen = self.context.random_u64().is_multiple_of(sample::ONE_IN);
        self.written(log::append(self, row, chosen.then_some(emitted))?)
    }

    /// The same, and the text is kept in any case: for output that deserves a second look.
    pub fn record_output_for_review(&self, row: &Row, emitted: &str) -> Result<Recorded> {
        self.written(log::append(self, row, Some(emitted))?)
    }

    /// There is no daemon: now and then a row also pays for a second look, with a small budget.
    fn written(&self, recorded: Recorded) -> Result<Recorded> {
        if recorded.sequence_number.is_multiple_of(64) {
            self.rescan(sample::BESIDE_A_ROW)?;
        }
        Ok(recorded)
    }

    /// Lists the newest `limit` rows; 0: all.
    pub fn show(&self, limit: usize) -> Result<ShowReport> {
        self.rescan(sample::IN_A_COMMAND)?;
        let log = read::read(self)?;
        let total = log.rows.len();
        let skip = if limit == 0 { 0 } else { total.saturating_sub(limit) };
        Ok(ShowReport {
            total: total as u64,
            summarised: log.summary.rows,
            damage: log.damage,
            samples_pending: sample::pending(self).len() as u64,
            rows: log.rows.into_iter().skip(skip).map(|(_, row)| row).collect(),
        })
    }

    /// Judges the last `days` days; `None`: as many as the settings say. Outputs that wait for a second look get it first.
    pub fn slo(&self, days: Option<u64>) -> Result<SloReport> {
        slo::slo(self, days)
    }

    /// Measures the last `days` days; `None`: as many as the settings say. `edits` are those of agents, in order of time.
    pub fn metrics(&self, days: Option<u64>, edits: &[AgentEdit]) -> Result<MetricsReport> {
        metrics::metrics(self, days, edits)
    }

    /// Counts what became of the suggestions of the last 7 days.
    pub fn trigger_week(&self) -> Result<TriggerWeek> {
        metrics::trigger_week(self)
    }

    /// Looks again at outputs that wait, oldest first, for about as long as `budget` says. Each gets a row with what was found.
    pub fn rescan(&self, budget: Duration) -> Result<RescanReport> {
        sample::rescan(self, budget)
    }
}
