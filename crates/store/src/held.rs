//! What would be lost if it were overwritten now? Asked when a look could not be entered, so without any lock. (S8)

use std::collections::BTreeSet;

use project::{Context, Project, RelPath};

use crate::db::{Database, file_in};
use crate::{EntryKind, Progress, Result, Store};

impl<'p> Store<'p> {
    /// Opens the store only to look something up: nothing that waits is entered, so nobody is waited for. `None`: nothing was ever saved.
    pub fn for_looking(context: &'p Context, project: &'p Project) -> Result<Option<Self>> {
        let folder = project.state();
        if !file_in(folder).exists() {
            return Ok(None);
        }
        let db = Database::open(folder)?;
        Ok(Some(Self::with(context, project, db)))
    }

    /// Those of these paths that lie on the disk otherwise than the newest checkpoint has them; what is not there cannot be lost. A folder
    /// stands for everything in it that a look at the whole tree sees. `whole`: everything that such a look sees.
    pub fn not_held(
        &self,
        paths: &[RelPath],
        whole: bool,
        progress: &dyn Progress,
    ) -> Result<BTreeSet<RelPath>> {
        let recorded = self.recorded_state()?;
        let mut missing = BTreeSet::new();
        let mut folders = Vec::new();
        for (path, now) in paths.iter().zip(self.on_disk(paths.iter())?) {
            match now {
                Some(entry) if entry.kind == EntryKind::Dir => folders.push(path),
                Some(entry) if self.entry_in(&recorded, path.as_bytes())? != Some(entry) => {
                    missing.insert(path.clone());
                }
                Some(_) => {}
                // It may be there all the same: a pipe, or a file that cannot be read.
                None if path.to_path(self.project.root()).symlink_metadata().is_ok() => {
                    missing.insert(path.clone());
                }
                None => {}
            }
        }
        if whole || !folders.is_empty() {
            let now = self.working_tree(progress)?;
            let different = now.view.unsaved_paths().filter_map(|path| RelPath::new(path).ok());
            let is_there = |path: &RelPath| path.to_path(self.project.root()).symlink_metadata().is_ok();
            let is_meant = |path: &RelPath| whole || folders.iter().any(|folder| path.is_in(folder));
            missing.extend(different.filter(|path| is_meant(path) && is_there(path)));
        }
        Ok(missing)
    }
}
