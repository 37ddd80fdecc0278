//! The project's checks, on what it would be after landing: in a private copy, before anything of the project changes.

use serde::Serialize;
use store::{Store, View};

use ::gates::CheckStanding;

use crate::verification::{self, ChangedCheck, CheckOutcome, VerifyQuery};
use crate::{Engine, Result};

/// How the checks stand on the merged result.
#[derive(Debug, Clone, Serialize)]
pub struct LandChecks {
    /// Each of them, held against the project as it is.
    pub checks: Vec<CheckOutcome>,
    /// Checks that nobody allowed vib to run yet.
    pub not_allowed: Vec<String>,
    /// Checks that pass only because what they run was changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<ChangedCheck>,
}

impl LandChecks {
    /// The first one that passes without the lane and fails with it.
    pub fn broken(&self) -> Option<&CheckOutcome> {
        self.checks
            .iter()
            .find(|check| matches!(check.standing, CheckStanding::Regression | CheckStanding::Fails))
    }
}

/// Runs them on `merged`, and what fails also on `now`.
pub(crate) fn run(
    engine: &Engine,
    store: &Store<'_>,
    (merged, now): (&View, &View),
    query: &VerifyQuery,
    stop: &dyn Fn() -> bool,
) -> Result<LandChecks> {
    let (checks, not_allowed) = verification::on_states(engine, store, query, (merged, now), stop)?;
    let changed = verification::changed_checks(engine, store, query, (merged, now), &checks, stop)?;
    Ok(LandChecks { checks, not_allowed, changed })
}
