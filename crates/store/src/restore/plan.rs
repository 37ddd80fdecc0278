//! [`Plan`]: what a restore would do, computed and not done.

use std::collections::HashMap;

use project::{RelPath, platform};

use crate::checkpoint::Checkpoint;
use crate::timeline::Difference;
use crate::view::View;
use crate::{Error, Result, Store};

/// What a restore would change: for each path what is there now (`before`) and what would be there (`after`).
#[derive(Debug, Clone, serde::Serialize)]
pub struct Plan {
    /// The id of the checkpoint to go back to.
    pub target: String,
    /// Every path that would change, in order.
    pub changes: Vec<Difference>,
}

impl Plan {
    /// The paths, for the safety checkpoint to cover.
    pub fn paths(&self) -> Vec<RelPath> {
        self.changes.iter().map(|change| change.path.clone()).collect()
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
        let ignores_case = platform::ignores_case(self.project.root());
        refuse_case_collisions(&changes, ignores_case)?;
        Ok(Plan { target: target.id.to_string(), changes })
    }
}

/// On a disk that ignores case, two names of the plan may be one file.
fn refuse_case_collisions(changes: &[Difference], ignores_case: bool) -> Result<()> {
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
