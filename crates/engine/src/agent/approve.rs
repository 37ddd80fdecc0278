//! A yes in the person's place: what is known of the step it is about, and the row that says so. (G1)

use project::RelPath;
use redact::Clean;
use store::{Claims, NewStep, Progress, StepNumber};

use super::begun::Mark;
use super::ledger::{Call, find_running, new_step};
use super::session::{SessionFile, Who};
use crate::{Engine, Result};

/// A call that has begun, as the ledger knows it.
#[derive(Debug, Clone)]
pub struct BegunCall {
    /// Its step.
    pub step: StepNumber,
    /// The person was asked about it.
    pub asked: bool,
    /// What was saved before it; nothing if a part was left out.
    covered: Option<Claims>,
}

impl BegunCall {
    /// These paths were saved before the call.
    pub fn covers(&self, paths: &[RelPath]) -> bool {
        match &self.covered {
            Some(Claims::Anywhere) => true,
            Some(Claims::Named(saved)) => paths.iter().all(|path| saved.contains(path)),
            None => false,
        }
    }
}

/// The call that a client asks about, if its beginning was seen. Requests carry no id, so it is known by what it is: another command
/// of the same tool is not it.
pub fn begun_call(
    engine: &Engine,
    who: &Who,
    call: &Call,
    progress: &dyn Progress,
) -> Result<Option<BegunCall>> {
    let state = SessionFile::of(engine, who).read();
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let Some(step) = find_running(store, who, &state, call)? else { return Ok(None) };
    let same =
        store.step(step)?.is_some_and(|row| row.what.as_deref() == call.what.as_ref().map(Clean::as_str));
    if !same {
        return Ok(None);
    }
    let asked = state.asked.iter().any(|(number, _)| *number == step.0);
    let is_whole = !state.not_covered.contains(&step.0);
    let covered = if is_whole { Some(store.claims_of(step)?) } else { None };
    Ok(Some(BegunCall { step, asked, covered }))
}

/// Writes the yes down, before it is given. A call that only looks has no step yet: it begins with the yes.
pub fn approved(
    engine: &Engine,
    who: &Who,
    call: &Call,
    begun: Option<StepNumber>,
    reason: &Clean,
    progress: &dyn Progress,
) -> Result<()> {
    let mut opened = engine.store(progress)?;
    let store = &mut opened.store;
    let step = match begun {
        Some(step) => step,
        None => {
            let state = SessionFile::of(engine, who).read();
            if let Some(mark) = Mark::of(engine.project(), who, call) {
                mark.set();
            }
            store.begin_step(&NewStep { claims: Claims::Named(Vec::new()), ..new_step(who, &state, call) })?
        }
    };
    Ok(store.approve_step(step, reason.as_str())?)
}
