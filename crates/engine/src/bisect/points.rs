//! The states that are searched: one for each look that found a change and is still kept.

use store::{RequestNumber, StepFilter, StepNumber, Store};

use crate::{Error, Result};

/// A saved state, and the steps that led to it from the one before.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// The checkpoint.
    pub(super) seq: i64,
    /// The steps whose changes are in it and not in the one before. More than one where they ran at the same time, or where the states
    /// between them are not kept any more.
    pub(super) steps: Vec<StepNumber>,
    /// States between the one before and this one that are not kept any more.
    pub(super) let_go: usize,
}

/// The good state and everything after it up to the bad one.
pub(super) fn points(store: &Store<'_>, good: i64, bad: i64) -> Result<Vec<Point>> {
    let mut out = vec![Point { seq: good, steps: Vec::new(), let_go: 0 }];
    let mut let_go = 0;
    let mut steps: Vec<StepNumber> = Vec::new();
    let changes: Vec<_> = store.changes_since(good)?.into_iter().filter(|change| change.seq <= bad).collect();
    for (at, change) in changes.iter().enumerate() {
        if !steps.contains(&change.step) {
            steps.push(change.step);
        }
        let ends = changes.get(at + 1).is_none_or(|next| next.seq != change.seq);
        if ends && !change.expired {
            let (steps, let_go) = (std::mem::take(&mut steps), std::mem::take(&mut let_go));
            out.push(Point { seq: change.seq, steps, let_go });
        } else if ends {
            let_go += 1;
        }
    }
    // What was found last may be in states that are let go; the bad state itself is kept.
    if !steps.is_empty() {
        // The last of these is the bad state itself.
        out.push(Point { seq: bad, steps, let_go: let_go.saturating_sub(1) });
    }
    Ok(out)
}

/// The state that a typed step, request or checkpoint means: after it. `newest`: of states that are let go, the next kept one after it, else
/// before.
pub(crate) fn state_of(store: &Store<'_>, typed: &str, newest: bool) -> Result<i64> {
    let kept = store.nearest_kept(meant(store, typed)?, newest)?;
    kept.ok_or_else(|| Error::NotInHistory(format!("kept state near `{typed}`")))
}

/// The state that is meant, kept or not.
pub(super) fn meant(store: &Store<'_>, typed: &str) -> Result<i64> {
    Ok(match (StepNumber::parse(typed), RequestNumber::parse(typed)) {
        (Some(number), _) => {
            let step = store.step(number)?.ok_or_else(|| Error::NotInHistory(format!("step `{number}`")))?;
            step.after.unwrap_or(step.before)
        }
        (None, Some(number)) => {
            let unknown = || Error::NotInHistory(format!("request `{number}`"));
            let filter = StepFilter { request: Some(number), ..StepFilter::default() };
            let steps = store.steps(&filter)?;
            let last = steps.iter().map(|step| step.after.unwrap_or(step.before)).max();
            let began = store.request(number)?.ok_or_else(unknown)?.before;
            last.or(began).ok_or_else(unknown)?
        }
        (None, None) => store.resolve(typed)?.seq,
    })
}
