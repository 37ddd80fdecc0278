//! Whose each change of the window is, and what the person had asked for: facts of the ledger, guessed only where it is silent.

use std::collections::HashMap;

use project::RelPath;
use recovery::{Actor, Step};
use store::{Checkpoint, CheckpointKind, Claims, Ending, Passage, Request, StepFilter, StepNumber, Store};

use crate::Result;
use crate::story::is_command;

/// The last edit targets that make the zone.
const EDIT_TARGETS: usize = 200;
/// Steps of a session that are looked through for them.
const MOST_EDITS: usize = 400;

/// The ledger of the window.
pub(super) struct Owners {
    /// The step that a look found to have changed a path: by the look and the path.
    found: HashMap<(i64, RelPath), StepNumber>,
    steps: HashMap<StepNumber, Told>,
    /// The newest call that never said that it ended: what nobody has seen yet is most likely its work.
    open: Option<StepNumber>,
}

/// A step, in the words of a diagnosis.
struct Told {
    step: store::Step,
    actor: Option<Actor>,
    request: Option<Request>,
}

impl Owners {
    /// Reads the ledger since a checkpoint.
    pub(super) fn since(store: &Store<'_>, seq: i64) -> Result<Self> {
        let mut owners = Self { found: HashMap::new(), steps: HashMap::new(), open: None };
        for change in store.changes_since(seq)? {
            // Where two may have made it, the first stands for both.
            owners.found.entry((change.seq, change.path)).or_insert(change.step);
            owners.read(store, change.step)?;
        }
        let newest = StepFilter { limit: 1, ..StepFilter::default() };
        if let Some(step) = store.steps(&newest)?.pop()
            && matches!(step.ending, Ending::Running | Ending::CutOff)
            && step.before >= seq
        {
            owners.open = Some(step.number);
            owners.read(store, step.number)?;
        }
        Ok(owners)
    }

    fn read(&mut self, store: &Store<'_>, number: StepNumber) -> Result<()> {
        if self.steps.contains_key(&number) {
            return Ok(());
        }
        let Some(step) = store.step(number)? else { return Ok(()) };
        let request = step.request.map(|number| store.request(number)).transpose()?.flatten();
        let actor = actor(store, &step)?;
        self.steps.insert(number, Told { step, actor, request });
        Ok(())
    }

    /// The step that made a change, if the ledger knows it.
    pub(super) fn of(&self, passage: &Passage) -> Option<StepNumber> {
        match passage.first_seen {
            Some(seq) => self.found.get(&(seq, passage.path.clone())).copied(),
            None => self.open,
        }
    }

    /// The newest look before a step began; `looks`: those of the window, the oldest first.
    pub(super) fn began_with(&self, owner: StepNumber, looks: &[&Checkpoint]) -> Option<i64> {
        let before = self.steps.get(&owner)?.step.before;
        let at = looks.partition_point(|look| look.seq <= before);
        Some(looks.get(at.checked_sub(1)?)?.seq)
    }

    /// What is known of a step. `look`: the last one before it, whose state it changed.
    pub(super) fn tell(&self, owner: Option<StepNumber>, look: &Checkpoint) -> Step {
        let Some(told) = owner.and_then(|number| self.steps.get(&number)) else { return unowned(look) };
        let (step, request) = (&told.step, &told.request);
        let actor = match (told.actor, unowned(look)) {
            (Some(actor), _) => actor,
            // Somebody saved by command before a step and never told its end: then it is what that look announced.
            (None, announced) if matches!(announced.actor, Actor::Edit | Actor::Command) => return announced,
            // What was done by hand between two turns was a person; in the middle of one it may have been any program.
            (None, announced) if matches!(announced.actor, Actor::Person | Actor::Restore) => Actor::Person,
            (None, _) => Actor::Unknown,
        };
        Step {
            seq: look.seq,
            checkpoint: look.id.to_string(),
            time_ms: step.started_ms,
            actor,
            tool: step.tool.clone(),
            command: step.what.clone().filter(|_| actor != Actor::Edit && is_command(step)),
            session: request.as_ref().map(|request| request.session.clone()).or_else(|| step.session.clone()),
            turn: request.as_ref().map(|request| request.turn.clone()),
            prompt: request.as_ref().and_then(|request| request.prompt.clone()),
        }
    }
}

/// Who did a step; none: by hand, and only the moment tells by whose.
fn actor(store: &Store<'_>, step: &store::Step) -> Result<Option<Actor>> {
    Ok(match step.actor {
        store::Actor::ByHand => None,
        store::Actor::Vib if step.tool.as_deref() == Some("patch") => Some(Actor::Edit),
        store::Actor::Vib => Some(Actor::Restore),
        store::Actor::Agent if is_edit(store, step)? => Some(Actor::Edit),
        store::Actor::Agent => Some(Actor::Command),
    })
}

/// An edit tool names its files and runs nothing.
fn is_edit(store: &Store<'_>, step: &store::Step) -> Result<bool> {
    // A patch is an edit, also where the client tells it with an exit code as it tells commands.
    let is_patch = step.tool.as_deref().is_some_and(|tool| tool.contains("patch"));
    Ok((is_patch || !is_command(step)) && matches!(store.claims_of(step.number)?, Claims::Named(_)))
}

/// What a look alone tells about what came after it.
pub(super) fn unowned(look: &Checkpoint) -> Step {
    let origin = &look.origin;
    let actor = match (look.kind, origin.trigger.as_deref()) {
        (CheckpointKind::Safety, Some("patch")) => Actor::Edit,
        (CheckpointKind::Safety, _) => Actor::Restore,
        (CheckpointKind::Turn, Some("stop")) => Actor::Person,
        // It ended with this look: what came later is not its own.
        (CheckpointKind::Turn, Some("after")) => Actor::Unknown,
        (CheckpointKind::Turn, _) if origin.tool.is_some() && look.whole_tree => Actor::Command,
        (CheckpointKind::Turn, _) if origin.tool.is_some() => Actor::Edit,
        _ => Actor::Unknown,
    };
    Step {
        seq: look.seq,
        checkpoint: look.id.to_string(),
        time_ms: look.created_ms,
        actor,
        tool: origin.tool.clone(),
        command: None,
        session: origin.session.clone(),
        turn: origin.turn.clone(),
        prompt: origin.prompt.clone(),
    }
}

/// The last files that the edit tool of the newest session named, newest first. `looks`: those of the window, for sessions that are
/// saved by command and whose steps nobody tells.
pub(super) fn edit_targets(store: &Store<'_>, looks: &[&Checkpoint]) -> Result<Vec<String>> {
    let told = edit_targets_of_steps(store)?;
    if told.is_empty() { edit_targets_of_looks(store, looks) } else { Ok(told) }
}

fn edit_targets_of_looks(store: &Store<'_>, looks: &[&Checkpoint]) -> Result<Vec<String>> {
    let session = looks.iter().rev().find_map(|look| look.origin.session.as_deref());
    let mut targets: Vec<String> = Vec::new();
    for look in looks.iter().rev() {
        if unowned(look).actor != Actor::Edit || look.origin.session.as_deref() != session {
            continue;
        }
        if is_full(&mut targets, store.named_in(look)?.iter().map(|(path, _)| path)) {
            break;
        }
    }
    Ok(targets)
}

fn edit_targets_of_steps(store: &Store<'_>) -> Result<Vec<String>> {
    let mut targets: Vec<String> = Vec::new();
    let mut session: Option<String> = None;
    for step in store.steps(&StepFilter { limit: MOST_EDITS, ..StepFilter::default() })? {
        if step.session.is_none()
            || session.as_ref().is_some_and(|session| step.session.as_ref() != Some(session))
        {
            continue;
        }
        session.clone_from(&step.session);
        if step.actor != store::Actor::Agent || is_command(&step) {
            continue;
        }
        let Claims::Named(paths) = store.claims_of(step.number)? else { continue };
        if is_full(&mut targets, &paths) {
            break;
        }
    }
    Ok(targets)
}

/// Adds what is not there yet; true if there are enough.
fn is_full<'p>(targets: &mut Vec<String>, paths: impl IntoIterator<Item = &'p RelPath>) -> bool {
    for path in paths.into_iter().map(ToString::to_string) {
        if !targets.contains(&path) {
            targets.push(path);
        }
    }
    targets.truncate(EDIT_TARGETS);
    targets.len() == EDIT_TARGETS
}
