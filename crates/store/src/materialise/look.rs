//! What did a program change of the state while it ran in the folder?

use std::collections::BTreeMap;

use project::platform::{DirHandle, FileKind};

use super::{Materialised, Placed};
use crate::entry::EntryKind;
use crate::walk::content::{self, ReadTools, Reading};
use crate::{Result, parallel};

/// What was written so shortly before the program began is read again: its times may be those of a later change.
const RACY_NS: i64 = 20_000_000;

impl Materialised {
    /// Looks which paths of the state are not as they were written. The next move writes them again. Says how many there are. Costs one
    /// look at each file's times; what is in the folder beside the state is not looked at.
    pub fn mend(&mut self) -> Result<usize> {
        let mut folders: BTreeMap<&[u8], Vec<(&[u8], &Placed)>> = BTreeMap::new();
        for (path, placed) in &self.placed {
            let at = path.iter().rposition(|&byte| byte == b'/');
            let (folder, name) = at.map_or((&b""[..], &path[..]), |at| (&path[..at], &path[at + 1..]));
            folders.entry(folder).or_default().push((name, placed));
        }
        let folders: Vec<_> = folders.into_iter().collect();
        let (root, settled) = (&self.root, self.settled_ns);
        let changed = parallel::map(&folders, ReadTools::new, |tools, (folder, names)| {
            changed_in(root, folder, names, settled, tools)
        });
        let mut unsure = Vec::new();
        for ((folder, names), changed) in folders.iter().zip(changed) {
            // Where a thread died nothing is known.
            let all = || names.iter().map(|(name, _)| name.to_vec()).collect();
            for name in changed.unwrap_or_else(all) {
                unsure.push(if folder.is_empty() { name } else { [folder, &b"/"[..], &name].concat() });
            }
        }
        let count = unsure.len();
        self.unsure.extend(unsure);
        Ok(count)
    }
}

fn changed_in(
    root: &DirHandle,
    folder: &[u8],
    names: &[(&[u8], &Placed)],
    settled: i64,
    tools: &mut ReadTools<'_>,
) -> Vec<Vec<u8>> {
    let Ok(dir) = root.open_dir(folder) else {
        return names.iter().map(|(name, _)| name.to_vec()).collect();
    };
    let mut changed = |name: &[u8], placed: &Placed| {
        let Ok(stat) = dir.stat(name) else { return true };
        if placed.entry.kind == EntryKind::Dir {
            return stat.kind != FileKind::Dir || stat.mode != placed.entry.mode;
        }
        if stat != placed.stat {
            return true;
        }
        let is_racy = stat.ctime_ns == 0 || stat.ctime_ns.saturating_add(RACY_NS) >= settled;
        if !is_racy || stat.kind != FileKind::File {
            return false;
        }
        let read = content::read_entry(&dir, name, &stat, None, tools);
        !matches!(read, Ok(Reading::Read { hash, .. }) if hash == placed.entry.hash)
    };
    names.iter().filter(|(name, placed)| changed(name, placed)).map(|(name, _)| name.to_vec()).collect()
}
