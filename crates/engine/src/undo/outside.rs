//! What steps changed outside the project: it is no part of going back here, and is never passed over in silence. (T8)

use project::RelPath;
use store::{Step, StepFilter, Store};

use super::{Back, Target};
use crate::entries::Entry;
use crate::{Engine, Error, Notice, Result};

const MOST_STEPS: usize = 400;
const MOST_FILES: usize = 20;

/// What the steps that are taken back changed outside, as far as it still stands.
pub(super) fn notice(
    engine: &Engine,
    store: &Store<'_>,
    back: &Back,
    only: &[RelPath],
) -> Result<Option<Notice>> {
    let Back::Steps { entries, .. } = back else { return Ok(None) };
    if !only.is_empty() {
        return Ok(None);
    }
    let mut steps = Vec::new();
    for number in entries.iter().flat_map(Entry::numbers) {
        steps.extend(store.step(number)?);
    }
    // Those of a request that changed nothing here are in none of its entries.
    for request in entries.iter().filter_map(|entry| entry.request.as_ref()) {
        steps.extend(store.steps(&of_request(request.number))?);
    }
    let paths = standing(engine, steps);
    Ok((!paths.is_empty()).then_some(Notice::FilesOutside { paths }))
}

/// Nothing is left to take back here; what the same steps did outside may still be.
pub(super) fn explained(
    engine: &Engine,
    store: &Store<'_>,
    target: &Target,
    only: &[RelPath],
    why: String,
) -> Result<String> {
    if engine.project().is_loose() {
        let named: Vec<String> = only.iter().map(|path| format!("`{}`", engine.name_of(path))).collect();
        return Ok(format!(
            "no change of {} by an agent is saved, or all of it is taken back",
            named.join(", ")
        ));
    }
    if !only.is_empty() {
        return Ok(why);
    }
    let steps = match target {
        Target::Step(number) => store.step(*number)?.into_iter().collect(),
        Target::Request(number) => store.steps(&of_request(*number))?,
        _ => newest(store)?,
    };
    Ok(match &standing(engine, steps)[..] {
        [] => why,
        [first, ..] => {
            format!(
                "{why}; outside this project `{first}` was changed, and `vib undo {}` takes that back",
                crate::outside::word(first)
            )
        }
    })
}

/// The last request may have worked outside only: to take back the one before it in its place would be the wrong work.
pub(super) fn refuse_to_skip(
    engine: &Engine,
    store: &Store<'_>,
    target: &Target,
    back: &Back,
    only: &[RelPath],
) -> Result<()> {
    let (Target::Last(1), Back::Steps { entries, .. }) = (target, back) else { return Ok(()) };
    let Some(entry) = entries.first().filter(|_| only.is_empty()) else { return Ok(()) };
    let Some(last) = entry.numbers().into_iter().max() else { return Ok(()) };
    let own = entry.request.as_ref().map(|request| request.number);
    let later = newest(store)?.into_iter().filter(|step| step.number > last && step.request != own).collect();
    match &standing(engine, later)[..] {
        [] => Ok(()),
        [first, ..] => Err(Error::NothingToUndo(format!(
            "the last request changed only files outside this project: `vib undo {}` takes that back, `vib undo {}` what was \
             done here before it",
            crate::outside::word(first),
            own.map_or_else(|| last.to_string(), |request| request.to_string())
        ))),
    }
}

pub(super) fn of_request(number: store::RequestNumber) -> StepFilter<'static> {
    StepFilter { request: Some(number), limit: MOST_STEPS, ..StepFilter::default() }
}

fn newest(store: &Store<'_>) -> Result<Vec<Step>> {
    Ok(store.steps(&StepFilter { limit: MOST_STEPS, ..StepFilter::default() })?)
}

/// Files outside that these steps changed and that still stand so, the newest step's first.
fn standing(engine: &Engine, steps: Vec<Step>) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for path in steps.into_iter().flat_map(|step| step.elsewhere.outside) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths.truncate(MOST_FILES);
    crate::outside::still_changed(engine.context(), &paths)
}
