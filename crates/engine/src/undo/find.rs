//! Which steps are meant.

use std::collections::HashSet;

use project::RelPath;
use store::{RequestNumber, Step, StepChange, StepFilter, StepNumber, Store, WorkingTree};

use super::Target;
use crate::entries::{Entry, EntryKind, entries, is_apart};
use crate::{Engine, Error, Result, own_entries};

/// What is taken back.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Its entries of the history, the newest first; empty for what is not in the history yet.
    pub(super) entries: Vec<Entry>,
    /// The changes.
    pub(super) changes: Vec<StepChange>,
    /// Paths that changed since the last look, and that are taken back to it.
    pub(super) unsaved: Vec<RelPath>,
}

/// Looks the target up in the history.
pub(super) fn find(
    engine: &Engine,
    store: &Store<'_>,
    target: &Target,
    working: &WorkingTree,
    only: &[RelPath],
    passed: &HashSet<(StepNumber, RelPath)>,
) -> Result<Found> {
    let finding = Finding { engine, store, only, passed };
    match target {
        Target::Last(0) => Err(Error::Usage("the number must be 1 or more".to_owned())),
        Target::Last(count) => finding.last(*count, working),
        Target::LastStep => finding.last_step(working),
        Target::Step(number) => {
            let step = store.step(*number)?.ok_or_else(|| Error::NotInHistory(format!("step `{number}`")))?;
            finding.of_steps(vec![step])
        }
        Target::Request(number) => finding.request(*number),
        Target::Session(typed) => {
            let session = crate::names::session(store, typed)?;
            finding.newest(
                &|step| step.session.as_deref() == Some(&session),
                1,
                &format!("session `{session}`"),
            )
        }
        Target::Agent(agent) => {
            let agent = crate::names::agent(store, agent)?;
            finding.newest(&|step| is_of(step, &agent), 1, &agent)
        }
        Target::SessionRequests { session, count } => finding.session_requests(session, *count),
        Target::Checkpoint(_) | Target::Redo => Err(Error::Usage("this is no step".to_owned())),
    }
}

/// The last step that changed one function of a file.
pub(super) fn of_function(
    engine: &Engine,
    store: &Store<'_>,
    path: &RelPath,
    function: &str,
) -> Result<Found> {
    let only = [path.clone()];
    let finding = Finding { engine, store, only: &only, passed: &HashSet::new() };
    let text = |entry: Option<store::Entry>| -> Option<Vec<u8>> {
        let content = store.content(&entry?.hash).ok()?;
        let lines = crate::map::lines_in(path, &content, function)?;
        let all: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
        Some(all.get(lines)?.concat())
    };
    let mut ever = false;
    for change in store.changes_of_path(path)?.into_iter().rev() {
        let (before, after) = (text(change.before), text(change.after));
        ever = ever || before.is_some() || after.is_some();
        if change.undone_by.is_some() || before == after || store.is_going_back(change.step)? {
            continue;
        }
        let step = store.step(change.step)?;
        let mut found = finding.of_steps(step.into_iter().collect())?;
        found.changes.retain(|one| one.seq == change.seq);
        return Ok(found);
    }
    if !ever {
        let why = format!("nothing that is called `{function}` was ever seen in `{path}`");
        return Err(Error::NothingToUndo(why));
    }
    Err(Error::NothingToUndo(format!(
        "`{function}` in `{path}` was not changed since vib knows this project"
    )))
}

fn is_of(step: &Step, agent: &str) -> bool {
    [&step.client, &step.agent, &step.agent_type].into_iter().flatten().any(|name| name == agent)
}

pub(super) struct Finding<'a> {
    pub(super) engine: &'a Engine,
    pub(super) store: &'a Store<'a>,
    pub(super) only: &'a [RelPath],
    /// What was left before, or stands no more.
    pub(super) passed: &'a HashSet<(StepNumber, RelPath)>,
}

impl Finding<'_> {
    /// The changes of a step that still stand and that are asked for.
    fn changes(&self, number: StepNumber) -> Result<Vec<StepChange>> {
        let mut changes = self.store.changes_of(number)?;
        changes.retain(|change| {
            change.undone_by.is_none()
                && (self.passed.is_empty() || !self.passed.contains(&(number, change.path.clone())))
                && (self.only.is_empty() || self.only.iter().any(|folder| change.path.is_in(folder)))
        });
        if self.engine.project().is_loose() && changes.iter().any(|change| change.after.is_some()) {
            // Nobody watches loose files. What somebody wrote into one is their work; only what went comes back.
            let step = self.store.step(number)?;
            if step.is_some_and(|step| step.actor == store::Actor::ByHand) {
                changes.retain(|change| change.after.is_none());
            }
        }
        Ok(changes)
    }

    /// It changed something that still stands, and it is no going back itself.
    pub(super) fn counts(&self, step: &Step) -> Result<bool> {
        if step.files == 0 || self.store.is_going_back(step.number)? {
            return Ok(false);
        }
        let mut changes = self.changes(step.number)?;
        if step.actor == store::Actor::ByHand {
            // What may as well be an agent's is asked about with the agent's request.
            changes.retain(|change| change.shared.is_empty());
        }
        Ok(changes.iter().any(|change| self.is_work(&change.path, change.before, change.after)))
    }

    /// Somebody's work: not a lesson about it, and not vib's own entries.
    fn is_work(&self, path: &RelPath, was: Option<store::Entry>, is: Option<store::Entry>) -> bool {
        // The way back begins with what is.
        let back = store::Difference { path: path.clone(), before: is, after: was };
        !super::lessons_stay(&back, self.only)
            && !own_entries::differ_only_in_ours(self.engine, self.store, &back)
    }

    fn last(&self, count: usize, working: &WorkingTree) -> Result<Found> {
        let unsaved = self.unsaved(working)?;
        let wanted = StepFilter { changing: true, ..StepFilter::default() };
        // What is not saved yet belongs to what was done by hand last, if nothing else came after that.
        let (mut found, _) = entries(self.store, &wanted, count, |step| self.counts(step))?;
        let newest = found
            .first()
            .filter(|entry| entry.kind == EntryKind::ByHand)
            .and_then(|entry| entry.steps.first());
        let by_hand_first = match newest {
            Some(step) => !is_apart(self.store, step, None)? && !self.vib_changed_since(step.number)?,
            None => false,
        };
        if !unsaved.is_empty() && !by_hand_first {
            found.truncate(count - 1);
        }
        let known = found.len() + usize::from(!unsaved.is_empty() && !by_hand_first);
        if known < count {
            return Err(Error::NothingToUndo(match known {
                0 => {
                    "nothing was changed since vib knows this project, or all of it is taken back".to_owned()
                }
                1 => "there is only one change to take back".to_owned(),
                some => format!("there are only {some} changes to take back"),
            }));
        }
        self.with(found, unsaved)
    }

    /// The newest change is one of vib's own, and came after this step.
    fn vib_changed_since(&self, number: StepNumber) -> Result<bool> {
        let newest = StepFilter { changing: true, limit: 1, ..StepFilter::default() };
        let newest = self.store.steps(&newest)?;
        Ok(newest.first().is_some_and(|step| step.actor == store::Actor::Vib && step.number > number))
    }

    fn last_step(&self, working: &WorkingTree) -> Result<Found> {
        let unsaved = self.unsaved(working)?;
        if !unsaved.is_empty() {
            return self.with(Vec::new(), unsaved);
        }
        self.newest(&|_| true, 1, "this project").map(|mut found| {
            if let Some(entry) = found.entries.first_mut() {
                entry.steps.truncate(1);
                let newest = entry.steps.first().map(|step| step.number);
                found.changes.retain(|change| Some(change.step) == newest);
            }
            found
        })
    }

    /// The newest entries of which a step fits; only the steps that fit.
    fn newest(&self, fits: &dyn Fn(&Step) -> bool, count: usize, name: &str) -> Result<Found> {
        let wanted = StepFilter { changing: true, ..StepFilter::default() };
        let (found, _) = entries(self.store, &wanted, count, |step| Ok(fits(step) && self.counts(step)?))?;
        if found.len() < count {
            return Err(Error::NothingToUndo(format!("no change of {name} is left to take back")));
        }
        self.with(found, Vec::new())
    }

    fn request(&self, number: RequestNumber) -> Result<Found> {
        if self.store.request(number)?.is_none() {
            return Err(Error::NotInHistory(format!("request `{number}`")));
        }
        let filter = StepFilter { request: Some(number), changing: true, ..StepFilter::default() };
        let (found, _) = entries(self.store, &filter, 0, |step| self.counts(step))?;
        if found.is_empty() {
            return Err(Error::NothingToUndo(format!(
                "request `{number}` changed nothing that still stands"
            )));
        }
        self.with(found, Vec::new())
    }

    /// The last requests of this session that changed something; in a session that changed nothing, the last of the project.
    fn session_requests(&self, session: &str, count: usize) -> Result<Found> {
        let own: Vec<RequestNumber> =
            self.store.requests(Some(session), 0)?.iter().map(|request| request.number).collect();
        let of_own = |step: &Step| step.request.is_some_and(|request| own.contains(&request));
        match self.newest(&of_own, count, "this chat") {
            Err(Error::NothingToUndo(_)) if !self.ever_changed(&of_own)? => {
                self.newest(&|step| step.request.is_some(), count, "any chat")
            }
            other => other,
        }
    }

    fn ever_changed(&self, fits: &dyn Fn(&Step) -> bool) -> Result<bool> {
        let wanted = StepFilter { changing: true, ..StepFilter::default() };
        Ok(!entries(self.store, &wanted, 1, |step| Ok(fits(step)))?.0.is_empty())
    }

    fn of_steps(&self, steps: Vec<Step>) -> Result<Found> {
        let Some(first) = steps.first() else { return Ok(Found::default()) };
        let kind = match first.actor {
            store::Actor::Agent if first.request.is_some() => EntryKind::Request,
            store::Actor::Agent => EntryKind::Session,
            store::Actor::ByHand => EntryKind::ByHand,
            store::Actor::Vib => EntryKind::Vib,
        };
        let request = first.request.map(|number| self.store.request(number)).transpose()?.flatten();
        let number = first.number;
        let found = self.with(vec![Entry { kind, request, steps }], Vec::new())?;
        if found.changes.is_empty() {
            return Err(Error::NothingToUndo(format!("step `{number}` changed nothing that still stands")));
        }
        Ok(found)
    }

    /// Paths that are not as the last look saw them.
    pub(super) fn unsaved(&self, working: &WorkingTree) -> Result<Vec<RelPath>> {
        if self.store.change_counter()? == 0 {
            // Nothing was ever looked at: then nothing has changed, and there is nothing to go back to.
            return Ok(Vec::new());
        }
        let recorded = self.store.recorded_state()?;
        let mut changes = self.store.compare(&recorded, &working.view, self.only)?;
        changes.retain(|change| self.is_work(&change.path, change.before, change.after));
        if self.engine.project().is_loose() {
            // Of loose files only what is gone comes back; what somebody wrote into one since is their work.
            changes.retain(|change| change.after.is_none());
        }
        Ok(changes.into_iter().map(|change| change.path).collect())
    }

    fn with(&self, entries: Vec<Entry>, unsaved: Vec<RelPath>) -> Result<Found> {
        let mut changes = Vec::new();
        for number in entries.iter().flat_map(Entry::numbers) {
            changes.extend(self.changes(number)?);
        }
        Ok(Found { entries, changes, unsaved })
    }
}
