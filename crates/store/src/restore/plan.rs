//! [`Plan`]: what a restore would do, computed and not done.

use std::collections::HashMap;

use project::{RelPath, platform};

use crate::checkpoint::Checkpoint;
use crate::timeline::Difference;
use crate::view::View;
use crate::{Error, Result, Store};

/// What a plan is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Going back to a checkpoint.
    #[default]
    Restore,
    /// Writing what a patch says.
    Patch,
}

/// What stands in the journal for the target of a patch; no checkpoint has such an id.
pub(crate) const PATCH_TARGET: &str = "(patch)";

impl Purpose {
    /// The word that a safety checkpoint is marked with.
    pub(crate) fn trigger(self) -> &'static str {
        match self {
            Self::Restore => "restore",
            Self::Patch => PATCH_TRIGGER,
        }
    }

    pub(crate) fn target(self) -> &'static str {
        match self {
            Self::Restore => "",
            Self::Patch => PATCH_TARGET,
        }
    }

    pub(crate) fn of_target(target: &str) -> Self {
        if target == PATCH_TARGET { Self::Patch } else { Self::Restore }
    }
}

/// The mark of a safety checkpoint made before a patch: unlike other safety checkpoints, `undo` offers it.
pub(crate) const PATCH_TRIGGER: &str = "patch";

/// What a restore would change: for each path what is there now (`before`) and what would be there (`after`).
#[derive(Debug, Clone, serde::Serialize)]
pub struct Plan {
    /// The id of the checkpoint to go back to.
    pub target: String,
    /// What it is for.
    pub purpose: Purpose,
    /// Every path that would change, in order.
    pub changes: Vec<Difference>,
}

impl Plan {
    /// The paths, for the safety checkpoint to cover.
    pub fn paths(&self) -> Vec<RelPath> {
        self.changes.iter().map(|change| change.path.clone()).collect()
    }

    /// The plan that takes back what was done at these paths.
    pub fn reversed(&self, only: &[RelPath]) -> Self {
        let changes = self.changes.iter().filter(|change| only.contains(&change.path)).map(|change| {
            Difference { path: change.path.clone(), before: change.after, after: change.before }
        });
        Self { target: self.target.clone(), purpose: self.purpose, changes: changes.collect() }
    }

    /// Nothing would change.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

impl Store<'_> {
    /// Plans to bring `only` (or everything) from the state `now` back to a checkpoint.
    pub fn plan(&self, target: &Checkpoint, now: &View, only: &[RelPath]) -> Result<Plan> {
        let wanted = self.view(target, now)?;
        let mut changes = self.compare(now, &wanted, only)?;
        // What belongs to a project inside this one is brought back there, unless somebody names it here.
        let root = self.project.root();
        changes.retain(|change| {
            let own = project::own_project_of(root, &change.path.to_path(root));
            own.is_none_or(|own| only.iter().any(|path| path.to_path(root).starts_with(&own)))
        });
        // An ignored file is no part of "now", but it may lie where a file has to go: the preview must show it.
        let unknown = |change: &&Difference| change.before.is_none();
        let here = self.on_disk(changes.iter().filter(unknown).map(|change| &change.path))?;
        for (change, here) in changes.iter_mut().filter(|change| change.before.is_none()).zip(here) {
            change.before = here;
        }
        changes.retain(|change| match (&change.before, &change.after) {
            (Some(before), Some(after)) => !before.same_on_disk(after),
            _ => true,
        });
        self.spare_what_was_ignored(target, &wanted, &mut changes)?;
        let ignores_case = platform::ignores_case(self.project.root());
        refuse_case_collisions(&changes, ignores_case)?;
        Ok(Plan { target: target.id.to_string(), purpose: Purpose::Restore, changes })
    }
}

/// On a disk that ignores case, two names of the plan may be one file.
pub(super) fn refuse_case_collisions(changes: &[Difference], ignores_case: bool) -> Result<()> {
    if !ignores_case {
        return Ok(());
    }
    let mut seen: HashMap<String, &RelPath> = HashMap::new();
    for change in changes.iter().filter(|change| change.after.is_some()) {
        let folded = change.path.to_string().to_lowercase();
        if let Some(other) = seen.insert(folded, &change.path) {
            return Err(Error::CaseCollision(other.to_string(), change.path.to_string()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Entry;

    #[test]
    fn names_that_differ_only_in_case_are_refused_where_the_disk_ignores_case_cp8() {
        let change = |path: &[u8]| Difference {
            path: RelPath::new(path).unwrap(),
            before: None,
            after: Some(Entry::folder(0o755)),
        };
        let changes = [change(b"src/Main.rs"), change(b"src/main.rs")];
        assert_eq!(refuse_case_collisions(&changes, true).unwrap_err().code(), "case_collision");
        assert!(refuse_case_collisions(&changes, false).is_ok());
    }
}
