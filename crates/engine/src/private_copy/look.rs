//! "Your folder was not touched" is looked at and not believed: the folder is compared before and after. (B7)

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use store::{Progress, Store, View};

use crate::Result;

/// Files of dependency folders that are compared.
const MOST_FILES: usize = 400_000;
/// So many are named.
const NAMED: usize = 20;

/// How the project folder looks: what differs from one saved state, and dependency folders file by file.
#[derive(Debug)]
pub(crate) struct Look {
    /// Both looks are held against the same state, whatever is saved in between.
    against: View,
    differing: BTreeMap<String, String>,
    dependencies: BTreeMap<PathBuf, (u64, i64)>,
}

impl Look {
    /// Against what was saved last.
    pub(crate) fn at(store: &Store<'_>, progress: &dyn Progress) -> Result<Self> {
        Self::against(store, store.recorded_state()?, progress)
    }

    /// Once more, against the same state and in the same folders.
    pub(super) fn again(&self, store: &Store<'_>, folders: &[PathBuf]) -> Result<Self> {
        let mut out = Self::against(store, self.against.clone(), &store::Silent)?;
        out.look_into(folders);
        Ok(out)
    }

    fn against(store: &Store<'_>, against: View, progress: &dyn Progress) -> Result<Self> {
        let now = store.working_tree(progress)?;
        let differing = store
            .compare(&against, &now.view, &[])?
            .into_iter()
            .map(|difference| (difference.path.to_string(), format!("{:?}", difference.after)))
            .collect();
        Ok(Self { against, differing, dependencies: BTreeMap::new() })
    }

    /// Everything is as it was saved last.
    pub(crate) fn is_as_saved(&self) -> bool {
        self.differing.is_empty()
    }

    /// These folders as well, file by file: no saved state holds them.
    pub(super) fn look_into(&mut self, folders: &[PathBuf]) {
        let mut folders = folders.to_vec();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                if self.dependencies.len() >= MOST_FILES {
                    return;
                }
                let Ok(stat) = entry.metadata() else { continue };
                if stat.is_dir() {
                    folders.push(entry.path());
                } else {
                    let time =
                        stat.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
                    let time = time.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or_default();
                    self.dependencies.insert(entry.path(), (stat.len(), time));
                }
            }
        }
    }

    /// What is not as it was, a few of it by name, from the project folder on.
    pub(super) fn changed_since(&self, before: &Self, root: &Path) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let names = self.differing.keys().chain(before.differing.keys());
        out.extend(names.filter(|name| self.differing.get(*name) != before.differing.get(*name)).cloned());
        let files = self.dependencies.keys().chain(before.dependencies.keys());
        out.extend(
            files
                .filter(|file| self.dependencies.get(*file) != before.dependencies.get(*file))
                .map(|file| file.strip_prefix(root).unwrap_or(file).display().to_string()),
        );
        out.sort();
        out.dedup();
        out.truncate(NAMED);
        out
    }
}
