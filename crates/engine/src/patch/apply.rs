//! Writing what a preview showed: all of it or nothing.

use ::change::{Shown, Yes};
use store::{Account, Progress};

use super::{PatchReport, Preview};
use crate::audit::{self, Outcome, Parameters, Row};
use crate::events::{self, Event};
use crate::may::Actor;
use crate::undo::Confirmation;
use crate::{Engine, Error, Notice, Result, change};

/// As [`apply`], with a row in the audit log, for surfaces that write none of their own.
pub fn apply_recorded(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    tool: &str,
    progress: &dyn Progress,
) -> Result<PatchReport> {
    let row = Row::new(audit::Event::PatchApply, tool, Outcome::Failed);
    write(engine, preview, confirmed_via, Some(row), progress)
}

/// Saves the present state, then writes all files of the preview. If one of them cannot be written, those that were are put
/// back.
pub fn apply(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    progress: &dyn Progress,
) -> Result<PatchReport> {
    write(engine, preview, confirmed_via, None, progress)
}

fn write(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    row: Option<Row>,
    progress: &dyn Progress,
) -> Result<PatchReport> {
    let mut report = preview.report.clone();
    if let Err(error) = refuse(preview, confirmed_via) {
        if let Some(mut row) = row {
            row.result = Outcome::Denied;
            row.confirmed_via = Some(audit::confirmed_via(confirmed_via));
            row.parameters = Some(Parameters::Typed);
            audit::record(engine, &row)?;
        }
        return Err(error);
    }
    let title = describe(&preview.report);
    let shown = Shown {
        plan: engine.store(progress)?.store.plan_of_writes(&preview.writes)?,
        account: Account {
            what: Some(title.trim_start_matches("before ").to_owned()),
            ..Account::of("patch")
        },
        contents: preview.writes.iter().filter_map(|write| Some(write.after.as_ref()?.0.clone())).collect(),
        title,
        name: "patch".to_owned(),
        all_or_nothing: true,
    };
    let yes = Yes::to(&shown, confirmed_via);
    let changed = match change::apply(engine, &shown, &yes, row, None, &mut |_| Ok(()), progress) {
        Ok(changed) => changed,
        // A patch was computed for the files as they were: there is no second yes to another state.
        Err(Error::ChangedAfterPreview { paths, .. }) => {
            let first = paths.first().cloned().unwrap_or_default();
            return Err(store::Error::ChangedSincePreview { count: paths.len(), first }.into());
        }
        Err(error) => {
            if matches!(error, Error::PatchPartly { .. }) {
                let failed =
                    Event::patch("PATCH_DIFF_FAILED", &report, &preview.options, Some(confirmed_via));
                events::note(engine, &failed);
            }
            return Err(error);
        }
    };
    for notice in &changed.notices {
        if let Notice::NotRecorded { message } = notice {
            report
                .warnings
                .push(format!("the audit log could not be written, so there is no proof of this: {message}"));
        }
    }
    report.applied = true;
    report.snapshot_id = Some(changed.carried.safety.id.to_string());
    report.evidence.elapsed_ms = u64::try_from(preview.started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let event = Event::patch("PATCH_DIFF_APPLIED", &report, &preview.options, Some(confirmed_via));
    report.warnings.extend(events::note(engine, &event));
    Ok(report)
}

fn refuse(preview: &Preview, confirmed_via: Confirmation) -> Result<()> {
    if !preview.is_applicable() {
        let (code, message, next) = preview.report.first_refusal().unwrap_or_default();
        return Err(Error::PatchRefused { code, message, next });
    }
    // A grant and a flag stand for ordinary files; what is guarded needs somebody who read its name. (S13)
    let by_nobody = confirmed_via.is_unseen();
    if preview.actor != Actor::Person
        && by_nobody
        && let Some(first) = preview.guarded().next()
    {
        return Err(Error::PatchRefused {
            code: "needs_person",
            message: format!("`{}` {}: only a person can say yes to that", first.path, first.message),
            next: "a person applies it in a terminal with `vib patch`, which shows it and asks".to_owned(),
        });
    }
    if preview.writes.is_empty() {
        return Err(Error::PatchRefused {
            code: "patch_changes_nothing",
            message: "the files already look like the result, so there is nothing to write".to_owned(),
            next: "nothing has to be done".to_owned(),
        });
    }
    Ok(())
}

/// What the safety checkpoint is called in the history.
fn describe(report: &PatchReport) -> String {
    match &report.changes[..] {
        [only] => format!("before a patch of {}", only.path),
        changes => format!("before a patch of {} files", changes.len()),
    }
}
