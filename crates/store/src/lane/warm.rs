//! A folder that a lane left behind becomes the folder of the next one: only what is different is written, so what was built there stays.

use std::collections::{BTreeMap, HashMap};

use project::platform::{DirHandle, FileStat};

use super::seed::split;
use crate::entry::Entry;
use crate::hash::ContentHash;
use crate::materialise::{Materialised, Moved, Placed};
use crate::view::View;
use crate::walk::scan::join;
use crate::{Progress, Result, Store};

impl Store<'_> {
    /// Takes the folder of `old`'s project, which is as `old` recorded it last, to a state of this store.
    pub fn take_over(
        &self,
        view: &View,
        old: &Store<'_>,
        progress: &dyn Progress,
    ) -> Result<(Materialised, Moved)> {
        let folder = old.project.root();
        let root = DirHandle::open_root(folder)?;
        let stats = old.known_stats()?;
        let mut wanted: Vec<(Vec<u8>, Option<Entry>)> = Vec::new();
        let mut placed: BTreeMap<Vec<u8>, Placed> = BTreeMap::new();
        let mut there: HashMap<Vec<u8>, Entry> =
            old.entries_of(&old.recorded_state()?)?.into_iter().collect();
        for (path, entry) in self.entries_of(view)? {
            match there.remove(&path).filter(|is| is.same_on_disk(&entry)) {
                Some(_) => {
                    let stat = stats.get(&path).filter(|(hash, _)| *hash == entry.hash);
                    let stat = match stat {
                        Some((_, stat)) => *stat,
                        None => unknown(&root, &path)?,
                    };
                    placed.insert(path, Placed { entry, stat });
                }
                None => wanted.push((path, Some(entry))),
            }
        }
        wanted.extend(there.into_keys().map(|path| (path, None)));
        wanted.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        Materialised::taken_over(self, view, folder, root, placed, &wanted, progress)
    }

    /// What the file system said about everything that is recorded, when it was last looked at.
    fn known_stats(&self) -> Result<HashMap<Vec<u8>, (ContentHash, FileStat)>> {
        let index = self.load_index()?;
        let mut out = HashMap::new();
        for dir in (0..index.len()).filter_map(|ordinal| index.dir(ordinal)) {
            for entry in dir.entries().filter(|entry| entry.saved().is_some()) {
                out.insert(join(dir.path, entry.name), (entry.hash, entry.stat));
            }
            out.insert(dir.path.to_vec(), (Entry::folder(dir.stat.mode).hash, dir.stat));
        }
        Ok(out)
    }
}

/// What nobody looked at by its times: with such a stat it is read again at the next look.
fn unknown(root: &DirHandle, path: &[u8]) -> Result<FileStat> {
    let (folder, name) = split(path);
    let stat = root.open_dir(folder)?.stat(name)?;
    Ok(FileStat { ctime_ns: 0, ..stat })
}
