//! Going back, in the trusted shape: [`preview`] shows, a person says yes, [`apply`] saves the present state and restores.
//!
//! [`Preview`] can only be made by looking; [`apply`] takes it back together with a [`Confirmation`], which says how the
//! yes was given.

use std::path::PathBuf;

use memory::lessons::FILE_NAME;
use project::RelPath;
use store::{Checkpoint, CheckpointKind, Difference, Plan, Progress, RestoreReport, Store, View};

use crate::audit::{self, ConfirmedVia, Event, Outcome, Parameters, Row};
use crate::diff::{self, Detail, DiffReport};
use crate::own_entries::{self, Own};
use crate::{Engine, Error, Notice, Result};

/// How far back `undo 5` looks for states that are different.
const MOST_CANDIDATES: usize = 5_000;

/// Where to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// So many steps back, where a step is a checkpoint that differs from the one after it.
    Steps(usize),
    /// This checkpoint.
    Id(String),
    /// The state before the last restore.
    BeforeLastRestore,
}

/// How a person said yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// They typed it after seeing the preview.
    Terminal,
    /// They passed `--yes`.
    Flag,
    /// They sent the code of the preview as a prompt.
    Chat,
    /// In a form that an MCP client showed them.
    Mcp,
    /// With `vib approve` at a terminal, for another surface.
    Approved,
    /// On the web page.
    Web,
    /// Before, with a grant in force.
    Grant,
}

impl From<Confirmation> for ConfirmedVia {
    fn from(confirmation: Confirmation) -> Self {
        match confirmation {
            Confirmation::Terminal => Self::Terminal,
            Confirmation::Flag => Self::Flag,
            Confirmation::Chat => Self::ChatCode,
            Confirmation::Mcp => Self::Mcp,
            Confirmation::Approved => Self::Terminal,
            Confirmation::Web => Self::Web,
            Confirmation::Grant => Self::Grant,
        }
    }
}

/// What going back would do.
#[derive(Debug, serde::Serialize)]
pub struct Preview {
    /// The checkpoint to go back to.
    pub target: Checkpoint,
    /// From the present state to the one after going back.
    pub changes: DiffReport,
    /// Files that are not saved yet or only partly, and whose present state would be replaced. They are saved first.
    pub unsaved: Vec<String>,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
    #[serde(skip)]
    plan: Plan,
    #[serde(skip)]
    own: Own,
}

/// What going back did.
#[derive(Debug, serde::Serialize)]
pub struct UndoReport {
    /// The checkpoint gone back to.
    pub target: Checkpoint,
    /// The safety checkpoint: `vib undo` with this id takes it all back.
    pub safety: Checkpoint,
    /// Enough letters of it.
    pub safety_short_id: String,
    /// What was done.
    pub result: RestoreReport,
    /// How the yes was given.
    pub confirmed_via: Confirmation,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

impl UndoReport {
    /// Everything that was promised was done.
    pub fn is_complete(&self) -> bool {
        self.result.kept.is_empty()
    }
}

impl Preview {
    /// A name for exactly these changes: a later preview with the same name would do the same.
    pub fn digest(&self) -> String {
        // A plan of ours can always be written down; if not, no later preview will look the same.
        let text = serde_json::to_vec(&self.plan).unwrap_or_default();
        store::ContentHash::of(&text).to_hex()
    }
}

/// Finds the target and shows what would change. Changes nothing.
pub fn preview(
    engine: &Engine,
    target: &Target,
    paths: &[PathBuf],
    detail: Detail,
    progress: &dyn Progress,
) -> Result<Preview> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let only = engine.known_paths(store, paths)?;
    let working = store.working_tree(progress)?;
    let target = find_target(engine, store, target, &working.view, &only)?;
    let mut plan = store.plan(&target, &working.view, &only)?;
    plan.changes.retain(|change| !lessons_stay(change, &only));
    let own = own_entries::keep(engine, store, &mut plan);
    if plan.is_empty() {
        refuse_unknown_paths(store, &target, &working.view, &only)?;
        if !own.notices.is_empty() {
            let why =
                "only vib's own entries in your tools' settings are different, and they stay as they are";
            return Err(Error::NothingToUndo(why.to_owned()));
        }
        return Err(Error::NothingToUndo(format!("your files are already as they were in `{}`", target.id)));
    }
    let changes = diff::describe(engine, store, &plan.changes, "now", target.id.as_str(), detail)?;
    let unsaved = plan
        .changes
        .iter()
        .filter(|change| working.is_unsaved(&change.path))
        .map(|change| change.path.to_string())
        .collect();
    let now_ms = engine.context().now_ms();
    let mut notices = opened.notices;
    notices.extend(own.notices.iter().cloned());
    Ok(Preview { target, changes, unsaved, now_ms, notices, plan, own })
}

/// Saves the present state, then does what the preview showed.
pub fn apply(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    progress: &dyn Progress,
) -> Result<UndoReport> {
    apply_for(
        engine,
        preview,
        confirmed_via,
        Row::new(Event::RecoveryApply, "cli", Outcome::Failed),
        progress,
    )
}

/// The same for another surface: `row` says who asked, and by which grant.
pub fn apply_for(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    mut row: Row,
    progress: &dyn Progress,
) -> Result<UndoReport> {
    row.event = Event::RecoveryApply;
    row.confirmed_via = Some(confirmed_via.into());
    row.parameters = Some(Parameters::Typed);
    let done = restore(engine, preview, confirmed_via, &mut row, progress);
    row.result = match &done {
        Ok(_) => Outcome::Success,
        Err(Error::Store(store::Error::Busy(_))) => Outcome::Busy,
        Err(error) if error.exit_code() == 1 => Outcome::Denied,
        Err(_) => Outcome::Failed,
    };
    let recorded = audit::record(engine, &row);
    let mut report = done?;
    if let Err(error) = recorded {
        // What was restored is restored: a log that cannot be written is said, not hidden, and undoes nothing.
        report.notices.push(Notice::NotRecorded { message: error.to_string() });
    }
    let via = match confirmed_via {
        Confirmation::Terminal | Confirmation::Flag => "cli",
        Confirmation::Chat => "chat",
        Confirmation::Mcp | Confirmation::Approved | Confirmation::Grant => "mcp",
        Confirmation::Web => "web",
    };
    let paths: Vec<String> = preview.plan.changes.iter().map(|change| change.path.to_string()).collect();
    if let Err(error) = crate::memory::observe::rolled_back(engine, via, preview.target.id.as_str(), &paths) {
        report.notices.push(Notice::NotRecorded { message: error.to_string() });
    }
    Ok(report)
}

fn restore(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    row: &mut Row,
    progress: &dyn Progress,
) -> Result<UndoReport> {
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let lock = store.lock_tree(&format!("going back to {}", preview.target.id))?;
    store.save_contents(&lock, preview.own.contents.iter().map(Vec::as_slice))?;
    let message = format!("before going back to {}", preview.target.id);
    let safety = store.safety_checkpoint(&lock, &preview.plan, message, progress)?;
    let checkpoint = safety.checkpoint().clone();
    row.sandwich_checkpoint_id = Some(checkpoint.id.to_string());
    row.paths_count.total = preview.plan.changes.len() as u64;
    let result = store.restore(&preview.plan, safety, progress)?;
    let length = store.prefix_length(&checkpoint.id)?;
    Ok(UndoReport {
        target: preview.target.clone(),
        safety_short_id: checkpoint.id.as_str()[..length].to_owned(),
        safety: checkpoint,
        result,
        confirmed_via,
        notices: preview.own.notices.clone(),
    })
}

/// Lessons are about what is taken back, and stay when it is: `LESSONS.md` is only changed back if it is named. One that is
/// gone comes back like any file.
fn lessons_stay(change: &Difference, only: &[RelPath]) -> bool {
    change.before.is_some() && change.path.as_bytes() == FILE_NAME.as_bytes() && !only.contains(&change.path)
}

/// Nothing that anybody did lies between two moments.
fn is_no_step(engine: &Engine, store: &Store<'_>, changes: &[Difference], only: &[RelPath]) -> bool {
    changes
        .iter()
        .all(|change| lessons_stay(change, only) || own_entries::differ_only_in_ours(engine, store, change))
}

fn find_target(
    engine: &Engine,
    store: &Store<'_>,
    target: &Target,
    now: &View,
    only: &[RelPath],
) -> Result<Checkpoint> {
    match target {
        Target::Id(id) => Ok(store.resolve(id)?),
        Target::BeforeLastRestore => {
            let operation = store.last_restore()?.ok_or(Error::NothingToRedo)?;
            store
                .checkpoint(operation.safety_seq)?
                .filter(|checkpoint| checkpoint.kind == CheckpointKind::Safety)
                .ok_or(Error::NothingToRedo)
        }
        Target::Steps(0) => Err(Error::Usage("the number of steps must be 1 or more".to_owned())),
        Target::Steps(steps) => steps_back(engine, store, *steps, now, only),
    }
}

/// Counts checkpoints whose state differs from the state one step later.
fn steps_back(
    engine: &Engine,
    store: &Store<'_>,
    steps: usize,
    now: &View,
    only: &[RelPath],
) -> Result<Checkpoint> {
    let mut later = now.clone();
    let mut counted = 0;
    let mut candidates = store.undo_candidates(MOST_CANDIDATES)?;
    if let Some(position) = position(engine, store, &candidates, now)? {
        candidates.retain(|candidate| candidate.seq <= position);
    }
    for candidate in candidates {
        let view = store.view(&candidate, now)?;
        if is_no_step(engine, store, &store.compare(&later, &view, only)?, only) {
            continue;
        }
        counted += 1;
        if counted == steps {
            return Ok(candidate);
        }
        later = view;
    }
    Err(Error::NothingToUndo(match counted {
        0 => "no checkpoint differs from what you have now".to_owned(),
        1 => "there is only one earlier state".to_owned(),
        some => format!("there are only {some} earlier states"),
    }))
}

/// Where the last restore left us, if nothing was saved since: the next undo goes on from there, instead of jumping
/// forward to what was just left.
fn position(
    engine: &Engine,
    store: &Store<'_>,
    candidates: &[Checkpoint],
    now: &View,
) -> Result<Option<i64>> {
    let Some(last) = store.last_restore()? else {
        return Ok(None);
    };
    if candidates.first().is_some_and(|newest| newest.seq > last.safety_seq) {
        return Ok(None);
    }
    match store.resolve(&last.target) {
        Ok(target) if target.kind != CheckpointKind::Safety => return Ok(Some(target.seq)),
        _ => {}
    }
    // An undo was taken back: the place is the newest checkpoint that is like what we have.
    for candidate in candidates {
        let changes = store.compare(now, &store.view(candidate, now)?, &[])?;
        if is_no_step(engine, store, &changes, &[]) {
            return Ok(Some(candidate.seq));
        }
    }
    Ok(None)
}

fn refuse_unknown_paths(store: &Store<'_>, target: &Checkpoint, now: &View, only: &[RelPath]) -> Result<()> {
    let wanted = store.view(target, now)?;
    for path in only {
        let known = store.entry_in(&wanted, path.as_bytes())?.is_some()
            || store.entry_in(now, path.as_bytes())?.is_some();
        if !known {
            return Err(Error::PathUnknown { path: path.to_string(), id: target.id.to_string() });
        }
    }
    Ok(())
}
