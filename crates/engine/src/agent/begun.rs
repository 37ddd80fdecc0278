//! Which calls have begun a step, as far as that is known without opening the store.
//!
//! A mark is an empty file, made before the step begins and taken away after it has ended. A call without one, which only looks, was never
//! seen to begin: then its end needs no question to the index. A mark that is left over (a client that died) costs that question.

use std::path::PathBuf;

use project::{Project, platform};
use sha2::{Digest, Sha256};

use super::ledger::Call;
use super::session::Who;

/// Marks of calls that were not heard of for so long go.
const KEPT: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

/// The mark of one call.
#[derive(Debug)]
pub(crate) struct Mark {
    own: PathBuf,
    /// That of a call of the same agent which was told without an id: this one may be meant.
    without_id: PathBuf,
}

impl Mark {
    /// `None` where calls cannot be told apart: they have no id, and several may be under way at once.
    pub(crate) fn of(project: &Project, who: &Who, call: &Call) -> Option<Self> {
        if call.id.is_none() && !call.alone {
            return None;
        }
        let own = file(project, who, call.id.as_deref());
        Some(Self { own, without_id: file(project, who, None) })
    }

    /// From now on this call may have a step. Whoever cannot write here writes no step either.
    pub(crate) fn set(&self) {
        let made = platform::open_private_append(&self.own);
        if made.is_err()
            && let Some(folder) = self.own.parent()
            && platform::make_private_dir(folder).is_ok()
        {
            let _ = platform::open_private_append(&self.own);
        }
    }

    /// It may have one.
    pub(crate) fn is_set(&self) -> bool {
        // In doubt it is: the index knows.
        [&self.own, &self.without_id].into_iter().any(|file| !matches!(file.try_exists(), Ok(false)))
    }

    /// Its step has ended.
    pub(crate) fn clear(&self) {
        if std::fs::remove_file(&self.own).is_err() {
            let _ = std::fs::remove_file(&self.without_id);
        }
    }
}

/// Takes away the marks of calls that will never end.
pub(super) fn forget_old(project: &Project) {
    let Ok(entries) = std::fs::read_dir(folder(project)) else { return };
    for entry in entries.flatten() {
        let age = entry.metadata().and_then(|facts| facts.modified()).map(|time| time.elapsed());
        if matches!(age, Ok(Ok(age)) if age > KEPT) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn file(project: &Project, who: &Who, id: Option<&str>) -> PathBuf {
    let mut hash = Sha256::new();
    for part in [Some(who.client.as_str()), Some(&who.session), who.agent.as_deref(), id] {
        hash.update(part.unwrap_or_default());
        hash.update([0]);
    }
    let name: String = hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    folder(project).join(name)
}

fn folder(project: &Project) -> PathBuf {
    project.state().join("begun")
}
