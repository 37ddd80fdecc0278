//! Carrying a plan out: lock → validate → safety checkpoint → compare → restore → result. (RC6, RC7, RC9)

use std::collections::HashSet;

use ::change::{Carried, Shown, Yes};
use project::RelPath;
use serde::Serialize;
use store::{Account, Checkpoint, Difference, Entry, EntryKind, Plan, Progress, RestoreReport, Way};

use super::gates::{Gate, is_broken};
use super::plan::{self, Kept, State};
use super::{events, git};
use crate::audit::{self, Outcome, Parameters, PathsCount, Row};
use crate::undo::{self, Confirmation};
use crate::{Engine, Error, Notice, Result, change, memory};

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
    // A plan is looked up by its id and holds checked paths: nothing here is read out of a text.
    row.parameters = Some(if is_broken(Gate::Typed) { Parameters::FreeText } else { Parameters::Typed });
    let (mut kept, shown) = match opened(engine, plan_id) {
        Ok(found) => found,
        Err(error) => {
            // Somebody at work is told before anything about the plan is.
            row.confirmed_via = Some(audit::confirmed_via(confirmed_via));
            row.result =
                if matches!(error, Error::RecoveryBusy(_)) { Outcome::Busy } else { Outcome::Denied };
            audit::record(engine, &row)?;
            return Err(error);
        }
    };
    row.recovery_level = Some(kept.level);
    row.paths_count =
        PathsCount { in_zone: kept.in_zone, drift: kept.drift, total: shown.plan.changes.len() as u64 };
    let yes = Yes::to(&shown, confirmed_via).again(second_yes);
    let mut begun = false;
    let mut begins = |safety: &Checkpoint| {
        // Whoever dies from here on leaves a journal, and this, from which the way back is found.
        kept.state = State::Begun { safety: safety.id.to_string(), time_ms: engine.context().now_ms() };
        begun = true;
        kept.save(engine)
    };
    let done = change::apply(engine, &shown, &yes, Some(row), None, &mut begins, progress);
    if done.is_err() && begun {
        kept.state = State::Open;
        kept.save(engine)?;
    }
    let changed = done?;
    let Carried { result, safety, plan, confirmed_twice } = changed.carried;
    kept.state = State::Done { safety: safety.id.to_string(), time_ms: engine.context().now_ms() };
    kept.save(engine)?;
    let folders: HashSet<&RelPath> =
        plan.changes.iter().filter(|change| is_folder(change)).map(|change| &change.path).collect();
    let files = |paths: &[RelPath]| paths.iter().filter(|path| !folders.contains(path)).count();
    let (files_back, files_removed) = (files(&result.restored), files(&result.removed));
    let mut notices = changed.notices;
    if !kept.own_entries.is_empty() {
        notices.push(Notice::OwnEntriesKept { paths: kept.own_entries });
    }
    let mut applied = Applied {
        plan: kept.id,
        level: kept.level,
        files_back,
        files_removed,
        result,
        safety,
        confirmed_twice,
        checks: checks(engine),
        git: git::look(engine.project().root()),
        confirmed_via,
        notices,
    };
    if let Err(error) = remember(engine, &applied) {
        applied.notices.push(Notice::NotRecorded { message: error.to_string() });
    }
    Ok(applied)
}

/// The plan that was shown, as it was shown.
fn opened(engine: &Engine, plan_id: &str) -> Result<(Kept, Shown)> {
    if let Some(busy) = super::in_progress(engine)? {
        return Err(Error::RecoveryBusy(busy));
    }
    let kept = plan::open(engine, plan_id)?;
    let to_do = kept.unpack()?;
    let account = account(engine, &kept, &to_do)?;
    let contents = kept.all_contents();
    let (title, name) = (kept.title.clone(), kept.id.clone());
    let shown = Shown { plan: to_do, account, contents, title, name, all_or_nothing: false };
    Ok((kept, shown))
}

/// What the history says of it: a recovery takes back what the steps since its checkpoint did to its files.
fn account(engine: &Engine, kept: &Kept, plan: &Plan) -> Result<Account> {
    let opened = engine.store(&store::Silent)?;
    let only: Vec<RelPath> = plan.paths();
    let target = opened.store.resolve(&plan.target).ok();
    let undoes = match target {
        Some(target) => undo::steps_after(&opened.store, target.seq, &only)?,
        None => Vec::new(),
    };
    let tool = if kept.title.contains("returning") { "return" } else { "recover" };
    Ok(Account {
        // The checkpoint is "before" it; the step is the thing itself.
        what: Some(kept.title.strip_prefix("before ").unwrap_or(&kept.title).to_owned()),
        undoes,
        undoes_unsaved: true,
        only,
        way: Way::Back,
        ..Account::of(tool)
    })
}

fn is_folder(change: &Difference) -> bool {
    let folder = |entry: Option<Entry>| entry.is_none_or(|entry| entry.kind == EntryKind::Dir);
    folder(change.before) && folder(change.after)
}

/// Checks that are worth running now: those that were recorded, else those that the project itself has.
fn checks(engine: &Engine) -> Vec<String> {
    let mut gate = engine.gate();
    let recorded = memory::show(engine).map(|report| report.memory.verification).unwrap_or_default();
    let mut checks: Vec<String> =
        recorded.iter().map(|check| gate.clean(&check.command).into_string()).collect();
    if checks.is_empty() {
        let known = risk::checks::detect(engine.project().root());
        checks.extend(known.iter().map(risk::ProjectCheck::line));
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
