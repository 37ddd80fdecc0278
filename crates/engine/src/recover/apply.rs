//! Carrying a plan out: lock → validate → safety checkpoint → compare → restore → result. (RC6, RC7, RC9)

use std::collections::HashSet;
use std::time::{Duration, Instant};

use project::RelPath;
use serde::Serialize;
use store::{Checkpoint, ContentHash, Difference, Entry, EntryKind, Plan, Progress, RestoreReport};

use super::gates::{Gate, is_broken};
use super::plan::{self, State};
use super::{events, git, lock};
use crate::audit::{self, Outcome, Parameters, PathsCount, Row};
use crate::put_back::put_back;
use crate::undo::Confirmation;
use crate::{Engine, Error, Notice, Result, guard, memory};

/// How long to wait for somebody who saves or cleans; another recovery is not waited for at all.
const PATIENCE: Duration = Duration::from_secs(5);

/// What was done.
#[derive(Debug, Serialize)]
pub struct Applied {
    /// The plan that was carried out.
    pub plan: String,
    /// The level of the recovery.
    pub level: u8,
    /// Files and links that came back, folders not counted.
    pub files_back: usize,
    /// Files and links that were removed.
    pub files_removed: usize,
    /// What the store did.
    pub result: RestoreReport,
    /// The state before: `vib recover --return` goes back to it.
    pub safety: Checkpoint,
    /// Files that had changed after the preview and were replaced after a second yes.
    pub confirmed_twice: Vec<String>,
    /// Checks that are worth running now.
    pub checks: Vec<String>,
    /// Git shows these files as changed now, or has something unfinished.
    pub git: recovery::Git,
    /// How the yes was given.
    pub confirmed_via: Confirmation,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

impl Applied {
    /// Everything that was promised was done.
    pub fn is_complete(&self) -> bool {
        self.result.kept.is_empty()
    }
}

/// Carries out a plan that a person said yes to. `second_yes` is the code that [`Error::ChangedAfterPreview`] gave for the
/// files that changed since.
pub fn apply(
    engine: &Engine,
    plan_id: &str,
    confirmed_via: Confirmation,
    second_yes: Option<&str>,
    tool: &str,
    progress: &dyn Progress,
) -> Result<Applied> {
    let row = Row::new(audit::Event::RecoveryApply, tool, Outcome::Failed);
    apply_for(engine, plan_id, confirmed_via, second_yes, row, progress)
}

/// The same for another surface: `row` says who asked, and by which grant.
pub fn apply_for(
    engine: &Engine,
    plan_id: &str,
    confirmed_via: Confirmation,
    second_yes: Option<&str>,
    mut row: Row,
    progress: &dyn Progress,
) -> Result<Applied> {
    row.event = audit::Event::RecoveryApply;
    row.confirmed_via = Some(confirmed_via.into());
    // A plan is looked up by its id and holds checked paths: nothing here is read out of a text.
    row.parameters = Some(if is_broken(Gate::Typed) { Parameters::FreeText } else { Parameters::Typed });
    let done = carry_out(engine, plan_id, confirmed_via, second_yes, &mut row, progress);
    row.result = match &done {
        Ok(_) => Outcome::Success,
        Err(Error::RecoveryBusy(_) | Error::Store(store::Error::Busy(_))) => Outcome::Busy,
        Err(Error::RecoveryTimedOut { .. }) => Outcome::Aborted,
        Err(error) if error.exit_code() == 1 => Outcome::Denied,
        Err(_) => Outcome::Failed,
    };
    let recorded = audit::record(engine, &row);
    let mut applied = done?;
    if let Err(error) = recorded {
        // What was restored is restored: a log that cannot be written is said, not hidden, and undoes nothing.
        applied.notices.push(Notice::NotRecorded { message: error.to_string() });
    }
    if let Err(error) = remember(engine, &applied) {
        applied.notices.push(Notice::NotRecorded { message: error.to_string() });
    }
    Ok(applied)
}

fn carry_out(
    engine: &Engine,
    plan_id: &str,
    confirmed_via: Confirmation,
    second_yes: Option<&str>,
    row: &mut Row,
    progress: &dyn Progress,
) -> Result<Applied> {
    let started = Instant::now();
    let limit = Duration::from_secs(engine.project().config().number("recovery.lock_timeout_seconds").max(1));
    let overdue = || started.elapsed() > limit;
    // The lock comes before everything else, so that nothing about the plan can let somebody past it.
    let paths = plan::plan_info(engine, plan_id).map_or(0, |info| info.paths);
    let _lock = lock::take(engine, plan_id, paths)?;
    let mut kept = plan::open(engine, plan_id)?;
    let mut to_do = kept.unpack()?;
    row.recovery_level = Some(kept.level);
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let tree = store.lock_tree_for("a recovery", PATIENCE.min(limit))?;
    store.save_contents(&tree, kept.contents.iter().map(String::as_bytes))?;
    let safety = store.safety_checkpoint(&tree, &to_do, kept.title.clone(), progress)?;
    let checkpoint = safety.checkpoint().clone();
    row.sandwich_checkpoint_id = Some(checkpoint.id.to_string()).filter(|_| !is_broken(Gate::Safety));
    row.paths_count =
        PathsCount { in_zone: kept.in_zone, drift: kept.drift, total: to_do.changes.len() as u64 };
    let changed = store.changed_since_preview(&to_do, &safety)?;
    let confirmed_twice = second_look(&changed, second_yes)?;
    take_over(&mut to_do, &changed);
    if overdue() {
        return Err(Error::RecoveryTimedOut {
            seconds: limit.as_secs(),
            put_back: true,
            safety: checkpoint.id.to_string(),
        });
    }
    // Whoever dies from here on leaves a journal, and this, from which the way back is found.
    kept.state = State::Begun { safety: checkpoint.id.to_string(), time_ms: engine.context().now_ms() };
    kept.save(engine)?;
    let restored = store.restore_unless(&to_do, safety, &overdue, progress);
    if !matches!(&restored, Ok(result) if !result.stopped) {
        kept.state = State::Open;
        kept.save(engine)?;
    }
    let result = restored?;
    if result.stopped {
        let why = "a recovery that took too long";
        let put_back = put_back(store, &tree, &to_do, &result, why, progress)?;
        return Err(Error::RecoveryTimedOut {
            seconds: limit.as_secs(),
            put_back,
            safety: checkpoint.id.to_string(),
        });
    }
    kept.state = State::Done { safety: checkpoint.id.to_string(), time_ms: engine.context().now_ms() };
    kept.save(engine)?;
    let folders: HashSet<&RelPath> =
        to_do.changes.iter().filter(|change| is_folder(change)).map(|change| &change.path).collect();
    let files = |paths: &[RelPath]| paths.iter().filter(|path| !folders.contains(path)).count();
    let (files_back, files_removed) = (files(&result.restored), files(&result.removed));
    let mut notices = opened.notices;
    if !kept.own_entries.is_empty() {
        notices.push(Notice::OwnEntriesKept { paths: kept.own_entries });
    }
    Ok(Applied {
        plan: kept.id,
        level: kept.level,
        files_back,
        files_removed,
        result,
        safety: checkpoint,
        confirmed_twice,
        checks: checks(engine),
        git: git::look(engine.project().root()),
        confirmed_via,
        notices,
    })
}

fn is_folder(change: &Difference) -> bool {
    let folder = |entry: Option<Entry>| entry.is_none_or(|entry| entry.kind == EntryKind::Dir);
    folder(change.before) && folder(change.after)
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

/// Checks that are worth running now: those that were recorded, else those that the project itself has.
fn checks(engine: &Engine) -> Vec<String> {
    let mut gate = engine.gate();
    let recorded = memory::show(engine).map(|report| report.memory.verification).unwrap_or_default();
    let mut checks: Vec<String> =
        recorded.iter().map(|check| gate.clean(&check.command).into_string()).collect();
    if checks.is_empty() {
        let known = guard::project_checks(engine.project().root());
        checks.extend(known.iter().map(|check| check.command.join(" ")));
    }
    checks.sort_unstable();
    checks.dedup();
    checks
}

/// What was checked before no longer counts, and what was taken back was taken back.
fn remember(engine: &Engine, applied: &Applied) -> Result<()> {
    let result = &applied.result;
    let paths: Vec<String> = result.restored.iter().chain(&result.removed).map(ToString::to_string).collect();
    events::recovered(engine, applied.safety.id.as_str(), &paths)
}
