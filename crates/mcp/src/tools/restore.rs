//! What `recovery_apply` and `rollback_to_checkpoint` share: nobody else at work, a plan, a yes to exactly that plan, and the engine's
//! own way of restoring, which saves the present state first.

use std::collections::BTreeSet;
use std::time::Duration;

use engine::Error;
use engine::audit::Outcome;
use engine::grants::Capability;
use engine::may;
use engine::recover::{self, Applied, PlanInfo, PlannedChange};
use project::{LockHolder, RelPath};
use serde_json::{Value, json};
use store::{Checkpoint, Silent};

use crate::answer::iso;
use crate::call::{Call, Denial, Done, Provenance, Stop};
use crate::schema::{self, Schema};

/// Nobody waits in line: an operation in progress is named, with the moment when it has to be over. Asked before any permission is
/// looked at, so that a new grant is no way around it.
pub fn refuse_if_busy(call: &Call<'_>) -> Result<(), Stop> {
    if let Some(busy) = recover::in_progress(call.engine)? {
        return Err(busy_with(&busy));
    }
    let opened = call.engine.store(&Silent)?;
    match opened.store.lock_tree_for("looking whether anything is in progress", Duration::from_millis(200)) {
        Ok(_free) => Ok(()),
        Err(store::Error::Busy(holder)) => Err(busy_tree(call, holder.as_ref())),
        Err(error) => Err(Error::from(error).into()),
    }
}

fn busy_with(busy: &recover::Busy) -> Stop {
    Stop::Busy {
        operation_id: busy.operation.clone(),
        doing: "a recovery".to_owned(),
        eta_seconds: busy.eta_seconds,
    }
}

fn busy_tree(call: &Call<'_>, holder: Option<&LockHolder>) -> Stop {
    let longest = call.engine.project().config().number("recovery.lock_timeout_seconds");
    let now_ms = call.engine.context().now_ms();
    let since = holder.map_or(now_ms, |holder| holder.since_ms);
    let passed = u64::try_from(now_ms.saturating_sub(since) / 1000).unwrap_or(0);
    Stop::Busy {
        operation_id: holder.map_or_else(|| "unknown".to_owned(), |h| format!("{}-{}", h.pid, h.since_ms)),
        doing: holder.map_or_else(|| "work on the project's files".to_owned(), |holder| holder.doing.clone()),
        eta_seconds: longest.saturating_sub(passed).max(1),
    }
}

/// Exactly these files: what the plan of a preview would change has to be what is asked for now.
pub fn refuse_other_paths(plan: &PlanInfo, paths: &[RelPath]) -> Result<(), Stop> {
    let asked: BTreeSet<String> = paths.iter().map(ToString::to_string).collect();
    let files = || plan.changes.iter().filter(|change| !change.is_folder).map(|change| &change.path);
    let all: BTreeSet<&String> = plan.changes.iter().map(|change| &change.path).collect();
    if files().all(|path| asked.contains(path)) && asked.iter().all(|path| all.contains(path)) {
        return Ok(());
    }
    Err(Stop::Denied(Denial {
        code: "paths_differ_from_preview",
        message: "these are not the files that the preview showed".to_owned(),
        next: "call `recovery_preview` again for these files, show it to the person, then restore exactly what it shows".to_owned(),
        command: None,
    }))
}

/// Asks, then restores. The engine saves the present state first and writes the audit row.
pub fn apply(
    call: &mut Call<'_>,
    plan: &PlanInfo,
    second_yes: Option<&str>,
    title: String,
) -> Result<Done, Stop> {
    let via = call.confirm(
        Capability::RecoveryApply,
        title,
        lines(call, plan, second_yes),
        &plan.digest,
        plan.paths,
    )?;
    call.recorded = true;
    let row = call.row.clone();
    match recover::apply_for(call.engine, &plan.id, via.into(), second_yes, row, &Silent) {
        Ok(done) => Ok(result(call, plan, &done)),
        Err(Error::RecoveryBusy(busy)) => Err(busy_with(&busy)),
        Err(Error::Store(store::Error::Busy(holder))) => Err(busy_tree(call, holder.as_ref())),
        Err(Error::ChangedAfterPreview { paths, code }) => Err(Stop::Denied(Denial {
            code: "changed_after_preview",
            message: format!(
                "{} changed after the preview; nothing was restored. Review before restoring",
                paths.join(", ")
            ),
            next: format!(
                "tell the person; if they still want it, call again with `second_yes`: `{code}`, and they are asked once more; \
                 or make a new preview"
            ),
            command: None,
        })),
        Err(error) => Err(error.into()),
    }
}

/// One line per file, for the person who is asked; those that they protected come first, because forms are cut. (S13)
fn lines(call: &Call<'_>, plan: &PlanInfo, second_yes: Option<&str>) -> Vec<String> {
    let paths: Vec<RelPath> =
        plan.changes.iter().filter_map(|change| RelPath::new(change.path.as_bytes()).ok()).collect();
    let protected: BTreeSet<String> =
        may::protected_among(call.engine, &paths).iter().map(ToString::to_string).collect();
    let line = |change: &PlannedChange| {
        let what = match (change.is_there, change.comes) {
            (true, true) => "goes back to how it was",
            (true, false) => "was not there then, and is removed",
            (false, _) => "comes back",
        };
        let mark = if protected.contains(&change.path) { "PROTECTED: " } else { "" };
        format!("{mark}{} ({what})", change.path)
    };
    let mut changes: Vec<&PlannedChange> = plan.changes.iter().filter(|change| !change.is_folder).collect();
    changes.sort_by_key(|change| !protected.contains(&change.path));
    let mut lines: Vec<String> = changes.into_iter().map(line).collect();
    if second_yes.is_some() {
        lines.insert(
            0,
            "Some of these files changed after the preview was shown; they are replaced too.".to_owned(),
        );
    }
    lines.push("The present state is saved first, so that this can be taken back.".to_owned());
    lines
}

fn result(call: &mut Call<'_>, plan: &PlanInfo, done: &Applied) -> Done {
    call.row.result = Outcome::Success;
    let kept: Vec<Value> =
        done.result.kept.iter().map(|kept| json!({"path": kept.path, "why": kept.detail})).collect();
    let names = |paths: &[RelPath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut check_next =
        vec!["earlier test results no longer count: run the project's checks again".to_owned()];
    check_next.extend(done.checks.iter().take(5).cloned());
    let notices: Vec<Value> =
        done.notices.iter().filter_map(|notice| serde_json::to_value(notice).ok()).collect();
    let data = json!({
        "checkpoint_id": plan.target,
        "safety_checkpoint_id": done.safety.id,
        "level": done.level,
        "restored": names(&done.result.restored),
        "removed": names(&done.result.removed),
        "not_restored": kept,
        "complete": done.is_complete(),
        "to_take_it_back": "vib recover --return",
        "check_next": check_next,
        "notices": notices,
    });
    Done { data, provenance: vec![from_checkpoint(&done.safety)], ..Done::default() }
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
        let covered = |path: &RelPath| named.iter().any(|(saved, _)| path.is_in(saved));
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
        schema::count("level", "3: some files, 4: everything").required(),
        schema::texts("restored", "files that are as they were").required(),
        schema::texts("removed", "files that were not there then, and are gone").required(),
        schema::list("not_restored", kept, "files that were left alone").required(),
        schema::flag("complete", "everything that was promised was done").required(),
        schema::text("to_take_it_back", "the command that brings the state before back").required(),
        schema::texts("check_next", "what to check now").required(),
        schema::list("notices", schema::report("something to know"), "things to know").required(),
    ])
}
