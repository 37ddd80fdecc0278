//! Back to the state before the last recovery: exactly the files that it changed. (RC8)

use std::collections::HashSet;

use store::{Checkpoint, Difference, Plan, Progress, Purpose, Store, WorkingTree};

use super::plan::{self, Kept, State, VALID_MS};
use super::preview::{Keep, Preview};
use crate::diff::{self, Detail};
use crate::{Engine, Error, Result, may, own_entries};

/// Shows the way back and keeps it as a plan. Changes no file.
pub fn returning(engine: &Engine, detail: Detail, progress: &dyn Progress) -> Result<Preview> {
    returning_with(engine, detail, Keep::Yes, progress)
}

/// Shows the way back, and keeps it as a plan if that is wanted. Changes no file.
pub fn returning_with(
    engine: &Engine,
    detail: Detail,
    keep: Keep<'_>,
    progress: &dyn Progress,
) -> Result<Preview> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let working = store.working_tree(progress)?;
    let (last, target, changes) = last(engine, store, &working)?;
    let mut back = Plan { target: target.id.to_string(), purpose: Purpose::Restore, changes };
    let own = own_entries::keep(engine, store, &mut back);
    if back.is_empty() {
        return Err(Error::NothingToReturn);
    }
    let report = diff::describe(engine, store, &back.changes, "now", target.id.as_str(), detail)?;
    let mut kept = Kept::new(engine, 3, "before returning from a recovery".to_owned(), &back, &own)?;
    kept.in_zone = last.in_zone;
    kept.drift = last.drift;
    let digest = plan::digest(&back);
    if keep.wants(&digest) {
        kept.save(engine)?;
    } else {
        kept.id.clear();
    }
    let mut notices = opened.notices;
    notices.extend(own.notices);
    notices.extend(may::protected_notice(engine, &back));
    let unsaved = back.changes.iter().filter(|change| working.is_unsaved(&change.path));
    Ok(Preview {
        plan: kept.id.clone(),
        expires_ms: kept.created_ms + VALID_MS,
        level: 3,
        lines_lost: report.removed,
        not_counted: super::preview::not_counted(&report, &back),
        files_lost: back.changes.iter().filter(|change| change.before.is_some()).count() as u64,
        unsaved: unsaved.map(|change| change.path.to_string()).collect(),
        changes: report,
        checkpoints: vec![target],
        groups: Vec::new(),
        brought_back_goes: Vec::new(),
        goes: Vec::new(),
        stays_beside: Vec::new(),
        mends: Vec::new(),
        drift: Vec::new(),
        risk: recovery::Risk::Low,
        digest,
        now_ms: engine.context().now_ms(),
        notices,
    })
}

/// There is something to return to. Only looks: keeps no plan.
pub fn can_return(engine: &Engine, progress: &dyn Progress) -> Result<bool> {
    let opened = engine.store(progress)?;
    let working = opened.store.working_tree(progress)?;
    let (_, target, changes) = match last(engine, &opened.store, &working) {
        Ok(found) => found,
        Err(Error::NothingToReturn) => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut back = Plan { target: target.id.to_string(), purpose: Purpose::Restore, changes };
    own_entries::keep(engine, &opened.store, &mut back);
    Ok(!back.is_empty())
}

/// The last recovery that left something to take back. One that was begun and died before it touched a file left nothing.
fn last(
    engine: &Engine,
    store: &Store<'_>,
    working: &WorkingTree,
) -> Result<(Kept, Checkpoint, Vec<Difference>)> {
    for (kept, safety) in plan::done(engine) {
        let target = store.resolve(&safety)?;
        let done = kept.unpack()?;
        let paths: HashSet<&[u8]> = done.changes.iter().map(|change| change.path.as_bytes()).collect();
        let mut changes = store.plan(&target, &working.view, &[])?.changes;
        changes.retain(|change| paths.contains(change.path.as_bytes()));
        if !changes.is_empty() {
            return Ok((kept, target, changes));
        }
        if matches!(kept.state, State::Done { .. }) {
            break;
        }
    }
    Err(Error::NothingToReturn)
}
