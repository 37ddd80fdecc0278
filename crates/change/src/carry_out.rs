//! Doing what was shown: lock → yes → safety checkpoint → compare → write → put back if it cannot be finished.

use std::time::{Duration, Instant};

use project::{Context, Project};
use store::{
    Account, Checkpoint, ContentHash, Difference, Plan, Progress, RestoreReport, Store, TreeLock, Way,
};

use crate::lock;
use crate::shown::{Shown, Yes};
use crate::{Error, Result};

/// How long to wait for somebody who saves or cleans; another change is not waited for at all.
const PATIENCE: Duration = Duration::from_secs(5);

/// Who wants to know how far a change has come.
pub struct Limits<'a> {
    /// The safety checkpoint, as soon as the present state is saved, also when the rest fails.
    pub safety: Option<String>,
    /// Called when everything is saved and writing begins: whoever dies from here on leaves a journal.
    pub begins: &'a mut dyn FnMut(&Checkpoint) -> Result<()>,
}

/// What was done.
#[derive(Debug)]
pub struct Carried {
    /// What the store did.
    pub result: RestoreReport,
    /// The state before.
    pub safety: Checkpoint,
    /// What was really done: the plan, with what a second yes took over.
    pub plan: Plan,
    /// Files that had changed after the preview and were replaced after a second yes.
    pub confirmed_twice: Vec<String>,
}

/// Does what was shown, after a yes to exactly that.
pub fn carry_out(
    context: &Context,
    project: &Project,
    store: &mut Store<'_>,
    shown: &Shown,
    yes: &Yes,
    limits: &mut Limits<'_>,
    progress: &dyn Progress,
) -> Result<Carried> {
    let files = shown.plan.changes.len();
    let _told = tracing::info_span!(target: "vib::change", "carry_out", files).entered();
    let started = Instant::now();
    let limit = Duration::from_secs(project.config().number("recovery.lock_timeout_seconds").max(1));
    let overdue = || started.elapsed() > limit;
    // The lock comes before everything else, so that nothing about the change can let somebody past it.
    let _lock = lock::take(context, project, &shown.name, shown.plan.changes.len())?;
    if !yes.is_to(shown) {
        return Err(Error::NotWhatWasShown);
    }
    let tree = store.lock_tree_for(&shown.title, PATIENCE.min(limit))?;
    store.save_contents(&tree, shown.contents.iter().map(Vec::as_slice))?;
    let safety = store.safety_checkpoint(&tree, &shown.plan, shown.title.clone(), progress)?;
    let checkpoint = safety.checkpoint().clone();
    limits.safety = Some(checkpoint.id.to_string());
    let timed_out =
        |put_back| Error::TimedOut { seconds: limit.as_secs(), put_back, safety: checkpoint.id.to_string() };
    let mut plan = shown.plan.clone();
    let changed = store.changed_since_preview(&plan, &safety)?;
    let confirmed_twice = second_look(&changed, yes.second())?;
    take_over(&mut plan, &changed);
    if overdue() {
        return Err(timed_out(true));
    }
    (limits.begins)(&checkpoint)?;
    let result = store.restore_unless(&plan, safety, &shown.account, &overdue, progress)?;
    if result.stopped {
        let put_back = put_back(store, &tree, &plan, &result, "a change that took too long", progress)?;
        return Err(timed_out(put_back));
    }
    if shown.all_or_nothing
        && let Some(kept) = result.kept.first()
    {
        let first = format!("`{}`: {}", kept.path, kept.detail);
        let put_back =
            put_back(store, &tree, &plan, &result, "a change that could not be finished", progress)?;
        return Err(Error::Partly { first, put_back, safety: checkpoint.id.to_string() });
    }
    Ok(Carried { result, safety: checkpoint, plan, confirmed_twice })
}

/// Takes back what was written so far, with a safety checkpoint that says `why`. Says whether everything is as it was.
fn put_back(
    store: &mut Store<'_>,
    lock: &TreeLock,
    plan: &Plan,
    result: &RestoreReport,
    why: &str,
    progress: &dyn Progress,
) -> Result<bool> {
    let done: Vec<_> = result.restored.iter().chain(&result.removed).cloned().collect();
    if done.is_empty() {
        return Ok(true);
    }
    let back = plan.reversed(&done);
    let safety = store.safety_checkpoint(lock, &back, why.to_owned(), progress)?;
    let redoes = result.step.into_iter().collect();
    let account = Account { redoes, way: Way::Forward, ..Account::of("put back") };
    Ok(store.restore(&back, safety, &account, progress)?.kept.is_empty())
}

/// Files that are not as the preview showed them block everything, unless the person has seen exactly that and said yes again.
fn second_look(changed: &[Difference], second_yes: Option<&str>) -> Result<Vec<String>> {
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let paths: Vec<String> = changed.iter().map(|change| change.path.to_string()).collect();
    let code = code_of(changed);
    if second_yes == Some(code.as_str()) {
        return Ok(paths);
    }
    Err(Error::ChangedAfterPreview { paths, code })
}

/// Stands for these files as they are now.
fn code_of(changed: &[Difference]) -> String {
    let now: Vec<_> = changed.iter().map(|change| (&change.path, &change.after)).collect();
    ContentHash::of(&serde_json::to_vec(&now).unwrap_or_default()).to_hex()[..8].to_owned()
}

fn take_over(plan: &mut Plan, changed: &[Difference]) {
    for difference in changed {
        if let Some(change) = plan.changes.iter_mut().find(|change| change.path == difference.path) {
            change.before = difference.after;
        }
    }
    plan.changes.retain(|change| match (&change.before, &change.after) {
        (Some(before), Some(after)) => !before.same_on_disk(after),
        (None, None) => false,
        _ => true,
    });
}
