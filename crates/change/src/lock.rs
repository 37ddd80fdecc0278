//! One change at a time. Nobody waits: whoever comes second is told who is at work and for how long. (RC7)

use project::{Context, FileLock, LockHolder, Project, platform};
use serde::Serialize;

use crate::{Error, Result};

/// Who is at work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Busy {
    /// The operation that is going on.
    pub operation: String,
    /// Seconds until it should be done, as far as can be told; never more than the time limit.
    pub eta_seconds: u64,
    /// The process.
    pub pid: u32,
}

/// The right to change the project's files. It ends with its holder: the system lets go of it when the process dies, and nobody else
/// can, because it belongs to the open file.
#[derive(Debug)]
pub struct ChangeLock {
    _file: FileLock,
}

/// What one change of so many paths takes, seen generously.
fn expected_seconds(paths: usize) -> u64 {
    2 + paths as u64 / 1_500
}

/// Whoever is at work now.
pub fn in_progress(context: &Context, project: &Project) -> Result<Option<Busy>> {
    match take(context, project, "looking", 0) {
        Ok(_free) => Ok(None),
        Err(Error::Busy(busy)) => Ok(Some(busy)),
        Err(error) => Err(error),
    }
}

/// Takes the lock if it is free now.
pub fn take(context: &Context, project: &Project, operation: &str, paths: usize) -> Result<ChangeLock> {
    let state = project.state();
    platform::make_private_dir(state).map_err(project::Error::from)?;
    // The name that the first version used: an older vib and this one must not change files at the same time.
    let path = state.join("recovery.lock");
    let limit = project.config().number("recovery.lock_timeout_seconds");
    let now_ms = context.now_ms();
    let Some(mut file) = FileLock::try_now(&path).map_err(project::Error::from)? else {
        return Err(Error::Busy(busy(FileLock::holder(&path), now_ms, limit)));
    };
    let seconds = expected_seconds(paths).min(limit.max(1));
    // The holder's words are split at the first space when they are read.
    let operation = operation.replace(' ', "_");
    let holder =
        LockHolder { pid: std::process::id(), doing: format!("{operation} {seconds}"), since_ms: now_ms };
    // The signature only improves a message.
    let _ = file.sign(&holder);
    Ok(ChangeLock { _file: file })
}

fn busy(holder: Option<LockHolder>, now_ms: i64, limit: u64) -> Busy {
    let Some(holder) = holder else {
        return Busy { operation: "unknown".to_owned(), eta_seconds: limit, pid: 0 };
    };
    let (operation, seconds) = holder.doing.split_once(' ').unwrap_or((holder.doing.as_str(), ""));
    let seconds: u64 = seconds.parse().unwrap_or(limit);
    let gone = u64::try_from(now_ms.saturating_sub(holder.since_ms) / 1000).unwrap_or(0);
    // Longer than expected: it may still take until the limit.
    let left = if gone < seconds { seconds - gone } else { limit.saturating_sub(gone) };
    Busy { operation: operation.to_owned(), eta_seconds: left.clamp(1, limit.max(1)), pid: holder.pid }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_comes_second_is_told_the_operation_and_the_time_rc7() {
        let holder = LockHolder { pid: 9, doing: "0a1b 20".to_owned(), since_ms: 5_000 };
        let told = busy(Some(holder.clone()), 10_000, 60);
        assert_eq!((told.operation.as_str(), told.eta_seconds), ("0a1b", 15));
        assert_eq!(busy(Some(holder), 45_000, 60).eta_seconds, 20);
        assert_eq!(busy(None, 0, 60).eta_seconds, 60);
    }
}
