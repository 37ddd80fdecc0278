//! Writing what a preview showed: all of it or nothing.

use store::Progress;

use super::{PatchReport, Preview};
use crate::audit::{self, Outcome, Parameters, Row};
use crate::events::{self, Event};
use crate::put_back::put_back;
use crate::undo::Confirmation;
use crate::{Engine, Error, Result};

/// As [`apply`], with a row in the audit log, for surfaces that write none of their own. What was written is written: a log that cannot
/// be written is said, and undoes nothing.
pub fn apply_recorded(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    tool: &str,
    progress: &dyn Progress,
) -> Result<PatchReport> {
    let mut done = apply(engine, preview, confirmed_via, progress);
    let outcome = match &done {
        Ok(_) => Outcome::Success,
        Err(Error::Store(store::Error::Busy(_))) => Outcome::Busy,
        Err(error) if error.exit_code() == 1 => Outcome::Denied,
        Err(_) => Outcome::Failed,
    };
    let mut row = Row::new(audit::Event::PatchApply, tool, outcome);
    row.parameters = Some(Parameters::Typed);
    row.confirmed_via = Some(confirmed_via.into());
    row.paths_count.total = preview.report.changes.len() as u64;
    if let Ok(report) = &done {
        row.sandwich_checkpoint_id.clone_from(&report.snapshot_id);
    }
    if let (Err(error), Ok(report)) = (audit::record(engine, &row), &mut done) {
        report
            .warnings
            .push(format!("the audit log could not be written, so there is no proof of this: {error}"));
    }
    done
}

/// Saves the present state, then writes all files of the preview. If one of them cannot be written, those that were are put
/// back.
pub fn apply(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    progress: &dyn Progress,
) -> Result<PatchReport> {
    let mut report = preview.report.clone();
    if !preview.is_applicable() {
        let (code, message, next) = report.first_refusal().unwrap_or_default();
        return Err(Error::PatchRefused { code, message, next });
    }
    if preview.writes.is_empty() {
        return Err(Error::PatchRefused {
            code: "patch_changes_nothing",
            message: "the files already look like the result, so there is nothing to write".to_owned(),
            next: "nothing has to be done".to_owned(),
        });
    }
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let lock = store.lock_tree("applying a patch")?;
    let plan = store.plan_writes(&lock, &preview.writes)?;
    let message = describe(&preview.report);
    let safety = store.safety_checkpoint(&lock, &plan, message, progress)?;
    let checkpoint = safety.checkpoint().clone();
    let result = store.restore(&plan, safety, progress)?;
    if let Some(kept) = result.kept.first() {
        let first = format!("`{}`: {}", kept.path, kept.detail);
        let restored =
            put_back(store, &lock, &plan, &result, "a patch that could not be finished", progress)?;
        events::note(
            engine,
            &Event::patch("PATCH_DIFF_FAILED", &report, &preview.options, Some(confirmed_via)),
        );
        return Err(Error::PatchPartly { first, restored, safety: checkpoint.id.to_string() });
    }
    report.applied = true;
    report.snapshot_id = Some(checkpoint.id.to_string());
    report.evidence.elapsed_ms = u64::try_from(preview.started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let event = Event::patch("PATCH_DIFF_APPLIED", &report, &preview.options, Some(confirmed_via));
    report.warnings.extend(events::note(engine, &event));
    Ok(report)
}

/// What the safety checkpoint is called in the history.
fn describe(report: &PatchReport) -> String {
    match &report.changes[..] {
        [only] => format!("before a patch of {}", only.path),
        changes => format!("before a patch of {} files", changes.len()),
    }
}
