//! What `recovery_apply` and `rollback_to_checkpoint` share: nobody else at work, a plan, a yes to exactly that plan, and the engine's
//! own way of restoring, which saves the present state first.

use std::time::Duration;

use engine::Error;
use engine::audit::Outcome;
use engine::diff::Detail;
use engine::grants::Capability;
use engine::undo::{self, Preview, Target, UndoReport};
use project::{LockHolder, RelPath};
use serde_json::{Value, json};
use store::{Checkpoint, Silent};

use crate::answer::iso;
use crate::call::{Call, Denial, Done, Provenance, Stop};
use crate::schema::{self, Schema};

/// Nobody waits in line: an operation in progress is named, with the moment when it has to be over. Asked before any permission is
/// looked at, so that a new grant is no way around it.
pub fn refuse_if_busy(call: &Call<'_>) -> Result<(), Stop> {
    let opened = call.engine.store(&Silent)?;
    match opened.store.lock_tree_for("looking whether anything is in progress", Duration::ZERO) {
        Ok(_free) => Ok(()),
        Err(store::Error::Busy(holder)) => Err(busy(call, holder.as_ref())),
        Err(error) => Err(Error::from(error).into()),
    }
}

fn busy(call: &Call<'_>, holder: Option<&LockHolder>) -> Stop {
    let longest = call.engine.project().config().number("recovery.lock_timeout_seconds");
    let now_ms = call.engine.context().now_ms();
    let since = holder.map_or(now_ms, |holder| holder.since_ms);
    let passed = u64::try_from(now_ms.saturating_sub(since) / 1000).unwrap_or(0);
    Stop::Busy {
        operation_id: holder.map_or_else(|| "unknown".to_owned(), |h| format!("{}-{}", h.pid, h.since_ms)),
        doing: holder.map_or_else(|| "work on the project's files".to_owned(), |holder| holder.doing.clone()),
        eta_seconds: longest.saturating_sub(passed),
    }
}

/// What going back to this checkpoint would do; all files if none are named.
pub fn plan(
    call: &mut Call<'_>,
    checkpoint: String,
    paths: &[RelPath],
    detail: Detail,
) -> Result<Preview, Stop> {
    let full = call.full(paths);
    Ok(undo::preview(call.engine, &Target::Id(checkpoint), &full, detail, &Silent)?)
}

/// Asks, then restores. The engine saves the present state first and writes the audit row.
pub fn apply(call: &mut Call<'_>, preview: &Preview, title: String) -> Result<Done, Stop> {
    let lines = lines(preview);
    let count = preview.changes.files.len();
    let via = call.confirm(Capability::RecoveryApply, title, lines, &preview.digest(), count)?;
    call.recorded = true;
    let row = call.row.clone();
    match undo::apply_for(call.engine, preview, via.into(), row, &Silent) {
        Ok(report) => Ok(result(call, &report)),
        Err(Error::Store(store::Error::Busy(holder))) => Err(busy(call, holder.as_ref())),
        Err(error) => Err(error.into()),
    }
}

/// One line per file, for the person who is asked.
fn lines(preview: &Preview) -> Vec<String> {
    let line = |file: &engine::diff::FileDiff| {
        let status = serde_json::to_value(file.status).ok();
        let status = status.as_ref().and_then(Value::as_str).unwrap_or("changed").replace('_', " ");
        let unsaved = if preview.unsaved.contains(&file.path) { ", newest state not saved yet" } else { "" };
        match (file.added, file.removed) {
            (Some(added), Some(removed)) => format!("{} ({status}, +{added} -{removed}{unsaved})", file.path),
            _ => format!("{} ({status}{unsaved})", file.path),
        }
    };
    let mut lines: Vec<String> = preview.changes.files.iter().map(line).collect();
    lines.push("The present state is saved first, so that this can be taken back.".to_owned());
    lines
}

fn result(call: &mut Call<'_>, report: &UndoReport) -> Done {
    call.row.result = Outcome::Success;
    let kept: Vec<Value> =
        report.result.kept.iter().map(|kept| json!({"path": kept.path, "why": kept.detail})).collect();
    let names = |paths: &[RelPath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
    let notices: Vec<Value> =
        report.notices.iter().filter_map(|notice| serde_json::to_value(notice).ok()).collect();
    let data = json!({
        "checkpoint_id": report.target.id,
        "safety_checkpoint_id": report.safety.id,
        "restored": names(&report.result.restored),
        "removed": names(&report.result.removed),
        "not_restored": kept,
        "complete": report.is_complete(),
        "to_take_it_back": format!("vib undo {}", report.safety_short_id),
        "check_next": ["run the project's tests or build: earlier results no longer count", "vib guard"],
        "notices": notices,
    });
    Done { data, provenance: vec![from_checkpoint(&report.target)], ..Done::default() }
}

/// Says which checkpoint an answer is about.
pub fn from_checkpoint(checkpoint: &Checkpoint) -> Provenance {
    Provenance {
        source: "checkpoints",
        updated_by: checkpoint.origin.agent.clone().unwrap_or_else(|| "vib".to_owned()),
        last_updated: checkpoint.created_ms,
    }
}

/// A checkpoint that the caller made as a safety net: it must be one of this project, hold these files, and be newer than any change
/// to them. vib makes one of its own all the same.
pub fn verify_sandwich(
    call: &mut Call<'_>,
    id: &str,
    paths: &[RelPath],
    changed_is_meant: bool,
) -> Result<Checkpoint, Stop> {
    let opened = call.engine.store(&Silent)?;
    let store = &opened.store;
    let checkpoint = store.resolve(id).map_err(Error::from)?;
    let now = store.working_tree(&Silent).map_err(Error::from)?.view;
    if !checkpoint.whole_tree {
        let named = store.named_in(&checkpoint).map_err(Error::from)?;
        let covered = |path: &RelPath| named.iter().any(|(saved, _)| path.is_in(saved) || saved == path);
        if let Some(missing) = paths.iter().find(|path| !covered(path)) {
            return Err(Stop::Denied(Denial {
                code: "sandwich_does_not_cover",
                message: format!("the safety checkpoint `{}` does not hold `{missing}`", checkpoint.id),
                next: "call `checkpoint_create` and use its id".to_owned(),
                command: None,
            }));
        }
    }
    let saved = store.view(&checkpoint, &now).map_err(Error::from)?;
    let later = store.compare(&saved, &now, paths).map_err(Error::from)?;
    if let Some(first) = later.first().filter(|_| !changed_is_meant) {
        return Err(Stop::Denied(Denial {
            code: "changed_after_safety_save",
            message: format!(
                "`{}`{} changed after the safety save of {}: review before restoring",
                first.path,
                if later.len() > 1 { format!(" and {} more", later.len() - 1) } else { String::new() },
                iso(checkpoint.created_ms)
            ),
            next: "tell the person; if they still want it, call `checkpoint_create` again, or call with \
                   `include_changed`: true, and they are asked once more"
                .to_owned(),
            command: None,
        }));
    }
    Ok(checkpoint)
}

/// The schema of what a restore did.
pub fn result_schema() -> Schema {
    let kept = schema::object(vec![
        schema::text("path", "the file").required(),
        schema::text("why", "why it was left alone").required(),
    ]);
    schema::object(vec![
        schema::text("checkpoint_id", "the state gone back to").required(),
        schema::text("safety_checkpoint_id", "the state before, saved").required(),
        schema::texts("restored", "files that are as they were").required(),
        schema::texts("removed", "files that were not there then, and are gone").required(),
        schema::list("not_restored", kept, "files that were left alone").required(),
        schema::flag("complete", "everything that was promised was done").required(),
        schema::text("to_take_it_back", "the command that brings the state before back").required(),
        schema::texts("check_next", "what to check now").required(),
        schema::list("notices", schema::report("something to know"), "things to know").required(),
    ])
}
