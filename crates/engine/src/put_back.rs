//! A change of several files that could not be finished is taken back.

use store::{Plan, Progress, RestoreReport, Store, TreeLock};

use crate::Result;

/// Takes back what was written so far, with a safety checkpoint that says `why`. Says whether everything is as it was.
pub(crate) fn put_back(
    store: &mut Store<'_>,
    lock: &TreeLock,
    plan: &Plan,
    result: &RestoreReport,
    why: &str,
    progress: &dyn Progress,
) -> Result<bool> {
    let done: Vec<_> = result.restored.iter().chain(&result.removed).cloned().collect();
    if done.is_empty() {
        return Ok(true);
    }
    let back = plan.reversed(&done);
    let safety = store.safety_checkpoint(lock, &back, why.to_owned(), progress)?;
    Ok(store.restore(&back, safety, progress)?.kept.is_empty())
}
