//! What vib itself finds out about what was done in a lane. Everything is bound to the hash of the files it was found on.

use ::gates::CheckStanding;
use risk::{GuardAnswer, Study};
use serde::Serialize;
use store::Progress;

use super::compare::Finding;
use super::model::{CheckEvidence, FileChange, RunEvent};
use super::state;
use crate::changes::{self, Against};
use crate::diff::{self, DiffOptions};
use crate::secret_values::SecretValues;
use crate::verification::{self, CheckOutcome, VerifyQuery};
use crate::{Engine, Result, guard, lane};

/// What the rules of the guard call a test that checks less.
const WEAKENED: [&str; 4] = ["test-deleted", "test-skipped", "test-weakened", "test-focused"];
/// So much of what a check said is kept.
const TAIL: usize = 4_000;

/// What was found.
#[derive(Debug, Clone, Serialize)]
pub struct LaneEvidence {
    /// The checkpoint of the lane on which everything was found.
    pub checkpoint: String,
    /// The hash of its files.
    pub tree: String,
    /// What changed since `before`.
    pub files: Vec<FileChange>,
    /// The checks, held against the state that the lane began with.
    pub checks: Vec<CheckEvidence>,
    /// Checks that nobody allowed yet.
    pub not_allowed: Vec<String>,
    /// What the guard found, without the tests below.
    pub findings: Vec<Finding>,
    /// Tests that went or check less, and checks that pass only because what they run was changed: rule and place.
    pub weakened: Vec<String>,
}

impl LaneEvidence {
    /// The event that says so.
    pub fn checked(&self, card: &str, attempt: &str) -> RunEvent {
        RunEvent::Checked {
            card: card.to_owned(),
            attempt: attempt.to_owned(),
            tree: self.tree.clone(),
            checks: self.checks.clone(),
            findings: self.findings.iter().map(Finding::to_text).collect(),
            weakened: self.weakened.clone(),
        }
    }
}

/// Looks at a lane as it is. `before`: the lane's checkpoint before the first change of the attempt. Nothing of the lane is changed.
pub fn collect(
    engine: &Engine,
    lane: &str,
    before: &str,
    query: &VerifyQuery,
    stop: &dyn Fn() -> bool,
    progress: &dyn Progress,
) -> Result<LaneEvidence> {
    let now = state::save(engine, lane, "evidence", progress)?;
    let of_lane = lane::find(engine, lane)?.engine(engine.context())?;
    let (checks, not_allowed, changed_checks) = {
        let opened = of_lane.store(progress)?;
        let present = state::view_of(&opened.store, lane, &now.checkpoint)?;
        let began = lane::states::first(&of_lane, lane)?;
        let base = opened.store.recorded_state_at(began.seq);
        let states = (&present, &base);
        let (checks, not_allowed) = verification::on_states(&of_lane, &opened.store, query, states, stop)?;
        let changed = verification::changed_checks(&of_lane, &opened.store, query, states, &checks, stop)?;
        (checks, not_allowed, changed)
    };
    let against = Against::Checkpoints { from: Some(before.to_owned()), to: Some(now.checkpoint.clone()) };
    let changed = changes::collect(&of_lane, &against, &[], changes::MOST_FILES, progress)?;
    let violations = guard::violations(&of_lane, &changed.files, &Study::all(&changed.files), false)?;
    let mut findings = Vec::new();
    let mut weakened: Vec<String> = changed_checks.iter().map(verification::ChangedCheck::to_text).collect();
    for violation in violations {
        let place = match (&violation.path, violation.line) {
            (Some(path), Some(line)) => format!(" {path}:{line}"),
            (Some(path), None) => format!(" {path}"),
            _ => String::new(),
        };
        let code = format!("{}{place}", violation.rule);
        if WEAKENED.contains(&violation.rule) {
            weakened.push(code);
        } else {
            findings.push(Finding { code, stop: violation.level == GuardAnswer::Stop });
        }
    }
    Ok(LaneEvidence {
        files: files_between(&of_lane, before, &now.checkpoint, progress)?,
        checkpoint: now.checkpoint,
        tree: now.tree,
        checks: hidden(&of_lane, checks.iter().map(told).collect())?,
        not_allowed,
        findings,
        weakened,
    })
}

/// What checks said, without what stands in files that usually hold secrets.
fn hidden(of_lane: &Engine, mut checks: Vec<CheckEvidence>) -> Result<Vec<CheckEvidence>> {
    let values = SecretValues::of(of_lane)?;
    for check in &mut checks {
        check.tail = values.hide(&check.tail);
    }
    Ok(checks)
}

/// What changed between two states of a lane, file by file.
pub fn files_between(
    of_lane: &Engine,
    before: &str,
    after: &str,
    progress: &dyn Progress,
) -> Result<Vec<FileChange>> {
    if before == after {
        return Ok(Vec::new());
    }
    let options = DiffOptions {
        from: Some(before.to_owned()),
        to: Some(after.to_owned()),
        stat_only: true,
        ..DiffOptions::default()
    };
    let report = diff::diff(of_lane, &options, progress)?;
    let change = |file: &diff::FileDiff| FileChange {
        path: file.path.to_string(),
        added: file.added.unwrap_or(0),
        removed: file.removed.unwrap_or(0),
    };
    Ok(report.files.iter().map(change).collect())
}

/// A check, as the log has it.
pub fn told(check: &CheckOutcome) -> CheckEvidence {
    let status = match check.standing {
        CheckStanding::Passes => "passed",
        CheckStanding::Regression | CheckStanding::Fails => "failed",
        CheckStanding::OldFailure => "still_fails",
        CheckStanding::Flaky => "flaky",
        CheckStanding::NoAnswer if check.attempts == 0 => "not_run",
        CheckStanding::NoAnswer => "timed_out",
    };
    let now = check.now.as_ref();
    let output = now.map(|part| part.output.as_str()).unwrap_or_default();
    CheckEvidence {
        command: check.command.clone(),
        status: status.to_owned(),
        exit: now.and_then(|part| part.exit),
        milliseconds: now.map_or(0, |part| part.milliseconds),
        tail: tail(output, TAIL).to_owned(),
    }
}

/// The end of a text, from the beginning of a character on.
pub(super) fn tail(text: &str, most: usize) -> &str {
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
