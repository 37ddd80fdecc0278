//! A step outside its project begins and ends there, with looks of its own.
//!
//! Which stores a call began in is remembered in the session's file until it ends, so that a call that stays inside opens no other store.

use std::path::{Path, PathBuf};
use std::time::Duration;

use project::RelPath;
use redact::Clean;
use serde::{Deserialize, Serialize};
use store::{
    CheckpointKind, Claims, Ending, Moment, Outcome, Progress, SnapshotRequest, StepFilter, StepNumber, Store,
};

use super::typed::loose_files;
use super::{Obstacle, Outside};
use crate::agent::begun::Mark;
use crate::agent::{Announcement, Call, SessionFile, Sources, Who, ledger};
use crate::{Engine, Result};

/// Calls of one session that are remembered until they end.
const MOST_OPEN: usize = 64;

/// The newest steps of the loose files that are looked through for one that never ended.
const MOST_LOOKED_THROUGH: usize = 512;

/// Every so many steps a little cleaning is done.
const CLEAN_EVERY: i64 = 32;
const CLEAN_BUDGET: Duration = Duration::from_millis(100);
const CLEAN_PATIENCE: Duration = Duration::from_millis(20);

/// A call that has begun in other stores too.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OutsideStep {
    /// The client's id of the call.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// What it is, in short.
    pub what: Option<String>,
    /// The sub-agent.
    pub agent: Option<String>,
    /// The roots of the stores; that of the loose files is the top of the file system.
    pub roots: Vec<PathBuf>,
}

impl OutsideStep {
    fn of(who: &Who, call: &Call, roots: Vec<PathBuf>) -> Self {
        let what = call.what.as_ref().map(|what| what.as_str().to_owned());
        Self { id: call.id.clone(), tool: call.tool.clone(), what, agent: who.agent.clone(), roots }
    }

    fn is(&self, other: &Self) -> bool {
        match (&self.id, &other.id) {
            (Some(one), Some(other)) => one == other,
            _ => self.tool == other.tool && self.what == other.what && self.agent == other.agent,
        }
    }
}

/// Saves what a call may write outside as it is now, and begins the step there. Says what could not be saved.
pub fn begin(
    engine: &Engine,
    who: &Who,
    call: &Call,
    outside: &Outside,
    progress: &dyn Progress,
) -> Result<Option<Obstacle>> {
    if outside.places.is_empty() {
        return Ok(None);
    }
    // What it does outside is told in this project's history too, so its end is no mere look here.
    if let Some(mark) = Mark::of(engine.project(), who, call) {
        mark.set();
    }
    let file = SessionFile::of(engine, who);
    let state = file.read();
    let from = engine.project().root().display().to_string();
    let mut obstacle = None;
    let mut roots = Vec::new();
    for (there, reach) in &outside.places {
        let begun = ledger::begin_in(there, who, &state, call, reach, Some(&from), progress)?;
        let root = there.project().root();
        if let Some(problem) = begun.unsaved.first() {
            let path = super::shown(engine.context(), &root.join(&problem.path));
            let why = format!("cannot be saved first ({})", problem.detail);
            obstacle.get_or_insert(Obstacle { path: PathBuf::from(path), why });
        }
        roots.push(root.to_path_buf());
    }
    file.update(|state| {
        state.outside.push(OutsideStep::of(who, call, roots));
        let extra = state.outside.len().saturating_sub(MOST_OPEN);
        state.outside.drain(..extra);
    })?;
    Ok(obstacle)
}

/// The call has ended: what is different outside now is its own. Says what, as absolute paths; nothing if it never began there.
pub fn end(
    engine: &Engine,
    who: &Who,
    call: &Call,
    outcome: &Outcome,
    progress: &dyn Progress,
) -> Result<Option<Vec<String>>> {
    let file = SessionFile::of(engine, who);
    let wanted = OutsideStep::of(who, call, Vec::new());
    if !file.read().outside.iter().any(|one| one.is(&wanted)) {
        return Ok(None);
    }
    let open = file.update(|state| {
        let at = state.outside.iter().position(|one| one.is(&wanted));
        at.map(|at| state.outside.remove(at))
    })?;
    let Some(open) = open else { return Ok(None) };
    let mut changed = Vec::new();
    for root in &open.roots {
        changed.extend(end_at(engine, who, call, outcome, root, progress)?);
    }
    Ok(Some(changed))
}

fn end_at(
    engine: &Engine,
    who: &Who,
    call: &Call,
    outcome: &Outcome,
    root: &Path,
    progress: &dyn Progress,
) -> Result<Vec<String>> {
    let state = SessionFile::of(engine, who).read();
    let there = if root.parent().is_none() {
        loose_files(engine.context(), root)?
    } else {
        let context = engine.context().beside(root).map_err(project::Error::from)?;
        Engine::open_from(context, root)?
    };
    let Some(ended) = ledger::end_begun(&there, who, &state, call, outcome, progress)? else {
        return Ok(Vec::new());
    };
    let changed = ledger::changed_there(&there, &ended, progress)?;
    if ended.step.is_some_and(|step| step.0 % CLEAN_EVERY == 0) {
        clean(&mut there.store(progress)?.store, progress)?;
    }
    Ok(changed)
}

/// Nobody ends a session in the store of loose files, so it is cleaned on the way, a little now and then.
fn clean(store: &mut Store<'_>, progress: &dyn Progress) -> Result<()> {
    // Whoever has the tree now needs it more.
    if let Ok(lock) = store.lock_tree_for("cleaning up", CLEAN_PATIENCE) {
        store.gc(&lock, Some(CLEAN_BUDGET), progress)?;
    }
    Ok(())
}

/// Notes in the project's own history what a step of it changed outside.
pub fn note(engine: &Engine, step: StepNumber, changed: &[String], progress: &dyn Progress) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    Ok(engine.store(progress)?.store.note_outside_files(step, changed)?)
}

/// The person speaks, or the turn is over: what never said that it ended was cut off, or did not run at all.
pub fn settle(engine: &Engine, who: &Who, progress: &dyn Progress) -> Result<()> {
    if who.agent.is_some() {
        return Ok(());
    }
    let file = SessionFile::of(engine, who);
    if file.read().outside.is_empty() {
        return Ok(());
    }
    let mut gate = engine.gate();
    for open in file.update(|state| std::mem::take(&mut state.outside))? {
        let what: Option<Clean> = open.what.as_deref().map(|what| gate.clean(what));
        let call = Call {
            tool: open.tool,
            id: open.id,
            what,
            alone: false,
            settled: false,
            announced: Announcement::default(),
            sources: Sources::default(),
        };
        let who = Who { agent: open.agent, ..who.clone() };
        for root in &open.roots {
            end_at(engine, &who, &call, &Outcome::of(Ending::CutOff), root, progress)?;
        }
    }
    Ok(())
}

/// A person asks for these loose files: steps that began with one of them and never said that they ended are looked at now, or what they
/// changed would be nowhere in the history.
pub(super) fn close_begun(loose: &Engine, paths: &[RelPath], progress: &dyn Progress) -> Result<()> {
    let mut opened = loose.store(progress)?;
    let store = &mut opened.store;
    let begun = store.steps(&StepFilter { limit: MOST_LOOKED_THROUGH, ..StepFilter::default() })?;
    for step in begun.into_iter().filter(|step| step.ending == Ending::Running) {
        let Claims::Named(claimed) = store.claims_of(step.number)? else { continue };
        let is_meant = |one: &RelPath| paths.iter().any(|path| one.is_in(path) || path.is_in(one));
        if !claimed.iter().any(is_meant) {
            continue;
        }
        let mut request = SnapshotRequest::new(CheckpointKind::Turn);
        request.origin.session.clone_from(&step.session);
        request.origin.trigger = Some(ledger::AFTER.to_owned());
        request.moment = Moment::After(step.number, Outcome::of(Ending::CutOff));
        store.snapshot_paths(&request, &claimed)?;
    }
    Ok(())
}
