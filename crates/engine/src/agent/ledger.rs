//! Every tool call is a step of the ledger: it begins with a look at what it may write and ends with another. (H1, H2)
//!
//! What names its files, or is known to write only certain ones, is looked at there; what may write anywhere has the whole tree
//! looked at; what only looks is one row, written when it has ended.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use project::{RelPath, own_project_of};
use redact::Clean;
use store::{
    Actor, Claims, Ending, Moment, NewStep, Outcome, Problem, Progress, Saved, SnapshotRequest, StepNumber,
    Store,
};

use super::announce::{Announcement, told};
use super::begun::Mark;
use super::save::{look_at_tree, origin};
use super::session::{SessionFile, SessionState, Who};
use super::sources::Sources;
use crate::{Engine, Result};

/// What triggers the look after a step.
pub(crate) const AFTER: &str = "after";
/// What triggers the look before it.
const BEFORE: &str = "tool";

/// More files than this are not named one by one to those who ask what a step changed.
const MOST_TOLD: u64 = 50;
/// Files that are named of a step that changed very many in another store.
const MOST_NAMED: usize = 20;

/// Questions that are remembered until the session goes on.
const MOST_ASKED: usize = 32;

/// A tool call, as the ledger keeps it.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// The client's id of the call.
    pub id: Option<String>,
    /// The command line, or what is edited, in short.
    pub what: Option<Clean>,
    /// The client makes one call after the other: whatever this agent began before has ended by now.
    pub alone: bool,
    /// Nothing is left that could object to it once it has begun.
    pub settled: bool,
    /// What it says about what it will do.
    pub announced: Announcement,
    /// What a command may copy from.
    pub sources: Sources,
}

/// A step that has begun.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Begun {
    /// Which; none if there was nothing to look at, or if it waits to be entered because everything it writes is saved as it is.
    pub step: Option<StepNumber>,
    /// What was left out of the look before it, because there was no time for it. (S8)
    pub not_yet: Vec<String>,
    /// What of it could not be saved, for any reason.
    pub unsaved: Vec<Problem>,
}

/// What a call may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Nothing in the project.
    Nowhere,
    /// These paths and nothing else.
    Named(Vec<RelPath>),
    /// Anything.
    Anywhere,
}

impl Reach {
    /// It only looks.
    fn is_nothing(&self) -> bool {
        match self {
            Self::Nowhere => true,
            Self::Named(paths) => paths.is_empty(),
            Self::Anywhere => false,
        }
    }
}

/// A step that has ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ended {
    /// Which; none if it only looked: its row waits until the store is opened.
    pub step: Option<StepNumber>,
    /// It had begun with a look, so it might have written.
    pub might_write: bool,
    /// The look at the whole tree found something different, or did not; none: only some paths were looked at.
    pub tree_changed: Option<bool>,
    /// What it changed, unless that is very much.
    pub changed: Vec<RelPath>,
    /// What it changed in projects of their own inside this one, as absolute paths; of very many, some.
    pub in_nested: Vec<String>,
}

/// Begins a step: saves what it may write as it is now. `nested`: projects of their own inside this one that it works in; what it
/// does there is a step there, so that going back here never touches it.
pub fn begin(
    engine: &Engine,
    who: &Who,
    call: &Call,
    reach: &Reach,
    nested: &[(Engine, Reach)],
    progress: &dyn Progress,
) -> Result<Begun> {
    let state = SessionFile::of(engine, who).read();
    let mut not_yet = Vec::new();
    let from = engine.project().root().display().to_string();
    for (there, reach) in nested {
        not_yet.extend(begin_in(there, who, &state, call, reach, Some(&from), progress)?.not_yet);
    }
    let mut begun = begin_in(engine, who, &state, call, reach, None, progress)?;
    begun.not_yet.append(&mut not_yet);
    if let Some(step) = begun.step.filter(|_| !begun.not_yet.is_empty()) {
        SessionFile::of(engine, who).update(|state| {
            state.not_covered.push(step.0);
            let extra = state.not_covered.len().saturating_sub(MOST_ASKED);
            state.not_covered.drain(..extra);
        })?;
    }
    Ok(begun)
}

/// The same in one store. `from`: the folder of the project that the agent works in, if this is another.
pub(crate) fn begin_in(
    engine: &Engine,
    who: &Who,
    state: &SessionState,
    call: &Call,
    reach: &Reach,
    from: Option<&str>,
    progress: &dyn Progress,
) -> Result<Begun> {
    if reach.is_nothing() {
        return Ok(Begun::default());
    }
    if let Some(mark) = Mark::of(engine.project(), who, call) {
        mark.set();
    }
    if let Reach::Named(paths) = reach
        && call.settled
        && from.is_none()
        && state.asked.is_empty()
    {
        let told = told(engine, call, reach);
        let step = NewStep { claims: Claims::Named(paths.clone()), told, ..new_step(who, state, call) };
        if store::note_begin(engine.context(), engine.project(), &step, paths, call.alone)? {
            return Ok(Begun::default());
        }
    }
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let request = request(who, state, call, BEFORE);
    let from = from.map(str::to_owned);
    let told = told(engine, call, reach);
    let before =
        |claims| Moment::Before(Box::new(NewStep { claims, told, from, ..new_step(who, state, call) }));
    let saved = match reach {
        Reach::Nowhere => return Ok(Begun::default()),
        Reach::Named(paths) => {
            let mut paths = with_new_folders(engine, paths);
            let request = SnapshotRequest { moment: before(Claims::Named(paths.clone())), ..request };
            if call.sources.others {
                look_at_tree(store, &request, &[], progress)?
            } else {
                // What a person typed into a file that is copied now is theirs, also in the copy.
                paths.extend(
                    call.sources
                        .files
                        .iter()
                        .filter(|path| !paths.contains(path))
                        .cloned()
                        .collect::<Vec<_>>(),
                );
                store.snapshot_paths(&request, &paths)?
            }
        }
        Reach::Anywhere => {
            let request = SnapshotRequest { moment: before(Claims::Anywhere), ..request };
            let saved = look_at_tree(store, &request, &[], progress)?;
            tell_breaker(engine, who, saved.files_changed > 0)?;
            saved
        }
    };
    if call.alone
        && let Some(step) = saved.step
    {
        refuse_earlier(engine, who, state, store, step)?;
        store.cut_off_earlier(&who.session, agent_of(who, state), step)?;
    }
    let late = saved.problems.iter().filter(|problem| problem.code == store::NOT_YET);
    let not_yet = late.map(|problem| problem.path.clone()).collect();
    Ok(Begun { step: saved.step, not_yet, unsaved: saved.problems })
}

/// Ends a step: what is different now from how it began is its own. `reach` is asked only when nobody saw it begin.
pub fn end(
    engine: &Engine,
    who: &Who,
    call: &Call,
    outcome: &Outcome,
    reach: impl FnOnce() -> Reach,
    nested: Vec<(Engine, Reach)>,
    progress: &dyn Progress,
) -> Result<Ended> {
    let state = SessionFile::of(engine, who).read();
    let mut in_nested = Vec::new();
    for (there, reach) in nested {
        let ended = end_in(&there, who, &state, call, outcome, || reach, false, progress)?;
        in_nested.extend(changed_there(&there, &ended, progress)?);
    }
    // What it changed there is told in this project's history too: then it is no mere look here. (B2)
    let ended = end_in(engine, who, &state, call, outcome, reach, !in_nested.is_empty(), progress)?;
    Ok(Ended { in_nested, ..ended })
}

/// What a step changed in another store, as absolute paths; of very many, some.
pub(crate) fn changed_there(there: &Engine, ended: &Ended, progress: &dyn Progress) -> Result<Vec<String>> {
    let mut changed = ended.changed.clone();
    if let Some(step) = ended.step.filter(|_| changed.is_empty()) {
        // Nothing, or very many: some are named all the same.
        let some = there.store(progress)?.store.changes_of(step)?.into_iter().take(MOST_NAMED);
        changed.extend(some.map(|change| change.path));
    }
    let root = there.project().root();
    Ok(changed.iter().map(|path| path.to_path(root).display().to_string()).collect())
}

/// Ends a step in a store in which it has begun; nothing where it has not.
pub(crate) fn end_begun(
    engine: &Engine,
    who: &Who,
    state: &SessionState,
    call: &Call,
    outcome: &Outcome,
    progress: &dyn Progress,
) -> Result<Option<Ended>> {
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let Some(step) = find_running(store, who, state, call)? else { return Ok(None) };
    if let Some(mark) = Mark::of(engine.project(), who, call) {
        mark.clear();
    }
    let claims = store.claims_of(step)?;
    end_with(engine, store, who, state, (step, claims), call, outcome, progress).map(Some)
}

#[expect(clippy::too_many_arguments, reason = "what a step is, and how it ended")]
fn end_in(
    engine: &Engine,
    who: &Who,
    state: &SessionState,
    call: &Call,
    outcome: &Outcome,
    reach: impl FnOnce() -> Reach,
    worked_elsewhere: bool,
    progress: &dyn Progress,
) -> Result<Ended> {
    let mark = Mark::of(engine.project(), who, call);
    let reach = LazyCell::new(reach);
    let never_begun = mark.as_ref().is_some_and(|mark| !mark.is_set());
    if never_begun && !worked_elsewhere && reach.is_nothing() {
        let step = new_step(who, state, call);
        store::note_look(engine.context(), engine.project().state(), &step, outcome)?;
        return Ok(Ended::default());
    }
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let running = find_running(store, who, state, call)?;
    if let Some(mark) = mark {
        mark.clear();
    }
    let begun = match running {
        Some(step) => (step, store.claims_of(step)?),
        None => {
            let claims = match &*reach {
                reach if reach.is_nothing() => return noted(store, who, state, call, outcome),
                Reach::Named(paths) => Claims::Named(paths.clone()),
                Reach::Nowhere | Reach::Anywhere => Claims::Anywhere,
            };
            let mut told = told(engine, call, &reach);
            if claims == Claims::Anywhere {
                // Nobody looked before it: what is different may be older.
                told.trade = store::Trade::Reports;
            }
            let step = NewStep { claims: claims.clone(), told, ..new_step(who, state, call) };
            (store.begin_step(&step)?, claims)
        }
    };
    end_with(engine, store, who, state, begun, call, outcome, progress)
}

/// The look after a step that has begun.
#[expect(clippy::too_many_arguments, reason = "what a step is, and how it ended")]
fn end_with(
    engine: &Engine,
    store: &mut Store<'_>,
    who: &Who,
    state: &SessionState,
    (step, claims): (StepNumber, Claims),
    call: &Call,
    outcome: &Outcome,
    progress: &dyn Progress,
) -> Result<Ended> {
    if claims == Claims::Named(Vec::new()) {
        store.end_step(step, outcome)?;
        return Ok(Ended { step: Some(step), ..Ended::default() });
    }
    let mut request = request(who, state, call, AFTER);
    request.moment = Moment::After(step, outcome.clone());
    let looked: Result<(Saved, bool)> = match &claims {
        Claims::Named(paths) => {
            store.snapshot_paths(&request, paths).map(|saved| (saved, false)).map_err(Into::into)
        }
        Claims::Anywhere => {
            let also: Vec<RelPath> =
                state.saved_first.iter().filter_map(|path| RelPath::new(path.as_bytes()).ok()).collect();
            let looked = look_at_tree(store, &request, &also, progress);
            if !also.is_empty() {
                SessionFile::of(engine, who).update(|state| state.saved_first.clear())?;
            }
            looked.map(|saved| (saved, true))
        }
    };
    let (saved, whole_tree) = match looked {
        Ok(looked) => looked,
        Err(error) => {
            // How it ended is known all the same; what it changed is found by the next look.
            store.end_step(step, outcome)?;
            return Err(error);
        }
    };
    let changed = if (1..=MOST_TOLD).contains(&saved.files_changed) {
        store.changes_of(step)?.into_iter().map(|change| change.path).collect()
    } else {
        Vec::new()
    };
    let tree_changed = whole_tree.then_some(saved.files_changed > 0);
    Ok(Ended { step: Some(step), might_write: true, tree_changed, changed, ..Ended::default() })
}

/// A call that does not run: stopped by vib, with the reason.
pub fn stopped(
    engine: &Engine,
    who: &Who,
    call: &Call,
    begun: Option<StepNumber>,
    reason: &Clean,
    progress: &dyn Progress,
) -> Result<()> {
    let outcome = Outcome { reason: Some(reason.as_str().to_owned()), ..Outcome::of(Ending::Stopped) };
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    if let Some(step) = begun {
        return Ok(store.end_step(step, &outcome)?);
    }
    let state = SessionFile::of(engine, who).read();
    store.note_step(&new_step(who, &state, call), &outcome)?;
    Ok(())
}

/// A call that the person is asked about. Whether it runs is theirs to say: until then it has begun.
pub fn asked(
    engine: &Engine,
    who: &Who,
    call: &Call,
    begun: Option<StepNumber>,
    reason: &Clean,
    progress: &dyn Progress,
) -> Result<()> {
    let file = SessionFile::of(engine, who);
    let step = match begun {
        Some(step) => {
            engine.store(progress)?.store.note_waiting(step)?;
            step
        }
        None => {
            let state = file.read();
            if let Some(mark) = Mark::of(engine.project(), who, call) {
                mark.set();
            }
            let step = NewStep { claims: Claims::Named(Vec::new()), ..new_step(who, &state, call) };
            engine.store(progress)?.store.begin_step(&step)?
        }
    };
    file.update(|state| {
        state.asked.push((step.0, reason.as_str().to_owned()));
        let extra = state.asked.len().saturating_sub(MOST_ASKED);
        state.asked.drain(..extra);
    })
}

/// The client asks the person whether a call may run that has begun: what changes meanwhile need not be its work. (M1)
pub fn waits(engine: &Engine, who: &Who, call: &Call, progress: &dyn Progress) -> Result<()> {
    let state = SessionFile::of(engine, who).read();
    let mut opened = engine.store(progress)?;
    match find_running(&mut opened.store, who, &state, call)? {
        Some(step) => Ok(opened.store.note_waiting(step)?),
        None => Ok(()),
    }
}

/// The person speaks, or the turn is over: what they were asked about and what never said that it ended was not allowed. Before the look at
/// the tree, or what they typed meanwhile would count as the work of what they refused.
pub(super) fn refuse_asked(engine: &Engine, who: &Who, store: &mut Store<'_>) -> Result<()> {
    let file = SessionFile::of(engine, who);
    if who.agent.is_some() || file.read().asked.is_empty() {
        return Ok(());
    }
    for (number, reason) in file.update(|state| std::mem::take(&mut state.asked))? {
        let step = store.step(StepNumber(number))?;
        if step.is_some_and(|step| step.ending == Ending::Running && step.files == 0) {
            let outcome = Outcome { reason: Some(reason), ..Outcome::of(Ending::Refused) };
            store.end_step(StepNumber(number), &outcome)?;
        }
    }
    Ok(())
}

/// An agent that does one thing after the other has begun `next`: what the person was asked about before it, and what never said that
/// it ended, was not allowed.
fn refuse_earlier(
    engine: &Engine,
    who: &Who,
    state: &SessionState,
    store: &mut Store<'_>,
    next: StepNumber,
) -> Result<()> {
    let mut refused = Vec::new();
    for (number, reason) in state.asked.iter().filter(|(number, _)| *number < next.0) {
        let step = store.step(StepNumber(*number))?;
        let is_own = |step: &store::Step| step.agent.as_deref() == agent_of(who, state);
        if step.is_some_and(|step| is_own(&step) && step.ending == Ending::Running && step.files == 0) {
            let outcome = Outcome { reason: Some(reason.clone()), ..Outcome::of(Ending::Refused) };
            store.end_step(StepNumber(*number), &outcome)?;
            refused.push(*number);
        }
    }
    if refused.is_empty() {
        return Ok(());
    }
    SessionFile::of(engine, who).update(|state| state.asked.retain(|(number, _)| !refused.contains(number)))
}

/// A session goes on or is over: what it had begun and never ended was cut off.
pub(super) fn cut_off(engine: &Engine, who: &Who, store: &mut Store<'_>) -> Result<()> {
    if who.agent.is_some() {
        return Ok(());
    }
    refuse_asked(engine, who, store)?;
    store.cut_off_steps(&who.session)?;
    Ok(())
}

/// The step of a call that has begun, if it has.
pub fn running(
    engine: &Engine,
    who: &Who,
    call: &Call,
    progress: &dyn Progress,
) -> Result<Option<StepNumber>> {
    let state = SessionFile::of(engine, who).read();
    let mut opened = engine.store(progress)?;
    find_running(&mut opened.store, who, &state, call)
}

pub(super) fn find_running(
    store: &mut Store<'_>,
    who: &Who,
    state: &SessionState,
    call: &Call,
) -> Result<Option<StepNumber>> {
    let (agent, id) = (agent_of(who, state), call.id.as_deref());
    let what = call.what.as_ref().map(Clean::as_str);
    Ok(store.running_step(&who.session, agent, id, &call.tool, what)?)
}

/// The paths that an edit names, inside the project. What is outside is not ours to save.
pub fn named(engine: &Engine, typed: &[PathBuf]) -> Reach {
    let (root, cwd) = (engine.project().root(), engine.context().cwd());
    let (mut paths, mut known): (Vec<RelPath>, BTreeSet<RelPath>) = Default::default();
    // Whoever writes through a link writes the file behind it.
    let behind = |path: &PathBuf| path.is_symlink().then(|| path.canonicalize().ok()).flatten();
    let full = typed.iter().map(|path| cwd.join(path));
    for path in full.flat_map(|path| [behind(&path), Some(path)]).flatten() {
        if let Ok(Some(path)) = RelPath::from_user(root, cwd, &path)
            && !known.contains(&path)
            && own_project_of(root, &path.to_path(root)).is_none()
        {
            known.insert(path.clone());
            paths.push(path);
        }
    }
    Reach::Named(paths)
}

/// The projects of their own inside this one in which these places lie, with the places in each.
pub fn nested(engine: &Engine, places: &[PathBuf]) -> Vec<(Engine, Vec<PathBuf>)> {
    let root = engine.project().root();
    let mut found: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for place in places {
        if let Some(own) = own_project_of(root, place) {
            found.entry(own).or_default().push(place.clone());
        }
    }
    let open = |own: &PathBuf| {
        let there = engine.context().beside(own).ok()?;
        Engine::open_from(there, own).ok()
    };
    found.into_iter().filter_map(|(own, places)| Some((open(&own)?, places))).collect()
}

fn noted(
    store: &mut Store<'_>,
    who: &Who,
    state: &SessionState,
    call: &Call,
    outcome: &Outcome,
) -> Result<Ended> {
    let step = store.note_step(&new_step(who, state, call), outcome)?;
    Ok(Ended { step: Some(step), ..Ended::default() })
}

/// What is different when a step begins is no work of the step before, which was looked at when it ended: a person or another program
/// changed it, and it says nothing about the agent's attempts.
fn tell_breaker(engine: &Engine, who: &Who, changed: bool) -> Result<()> {
    SessionFile::of(engine, who).update(|state| state.spiral.looked(changed, false))
}

/// A sub-agent, by the client's id of it. One with a session of its own is named by that.
fn agent_of<'a>(who: &'a Who, state: &SessionState) -> Option<&'a str> {
    match &who.agent {
        Some(agent) => Some(agent),
        None if state.is_sub_agent() => Some(&who.session),
        None => None,
    }
}

pub(super) fn new_step(who: &Who, state: &SessionState, call: &Call) -> NewStep {
    NewStep {
        client: Some(who.client.clone()),
        session: Some(who.session.clone()),
        agent: agent_of(who, state).map(str::to_owned),
        agent_type: who.agent_type.clone().or_else(|| state.agent_type.clone()),
        serves: state.serves(who),
        tool: Some(call.tool.clone()),
        call_id: call.id.clone(),
        what: call.what.as_ref().map(|what| what.as_str().to_owned()),
        sources: call.sources.files.clone(),
        ..NewStep::of(Actor::Agent)
    }
}

fn request(who: &Who, state: &SessionState, call: &Call, trigger: &'static str) -> SnapshotRequest {
    let mut request = origin(who, state, trigger);
    request.origin.tool = Some(call.tool.clone());
    request.origin.call_id.clone_from(&call.id);
    request
}

/// The paths, and the folders around them that are not there yet: who makes a file in a new folder makes the folder. Not so where
/// nothing is saved but what is named.
fn with_new_folders(engine: &Engine, paths: &[RelPath]) -> Vec<RelPath> {
    let project = engine.project();
    let is_new = |path: &RelPath| {
        let full = path.to_path(project.root());
        full.symlink_metadata().is_err()
            && (project.is_loose() || store::is_saved(project.root(), project.config(), &full) != Some(false))
    };
    let named: BTreeSet<&RelPath> = paths.iter().collect();
    let mut all = with_folders(paths);
    all.retain(|path| named.contains(path) || is_new(path));
    all
}

/// The paths, and all folders around them.
fn with_folders(paths: &[RelPath]) -> Vec<RelPath> {
    let mut all = paths.to_vec();
    let mut known: BTreeSet<RelPath> = paths.iter().cloned().collect();
    for path in paths {
        let bytes = path.as_bytes();
        for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            if let Ok(folder) = RelPath::new(&bytes[..at])
                && known.insert(folder.clone())
            {
                all.push(folder);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_around_a_path_come_once_each() {
        let path = |text: &str| RelPath::new(text.as_bytes()).unwrap();
        let all = with_folders(&[path("a/b/c.rs"), path("a/d.rs"), path("e")]);
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["a/b/c.rs", "a/d.rs", "e", "a", "a/b"]);
    }
}
