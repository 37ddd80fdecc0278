//! What a look at the tree means: the changes since the last look, and the index for the next one.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use project::platform::FileStat;

use super::content::Reading;
use super::index::{
    DIR_SKIPPED, ENTRY_RACY, ENTRY_UNSAVED, ENTRY_WATCHED, IndexEntry, IndexWriter, StatIndex,
};
use super::scan::{DIR_IGNORED, Scan, SeenDir, SeenEntry, join};
use super::{Problem, ScanCounts};
use crate::entry::Entry;
use crate::hash::ContentHash;

/// A path and what is there now (`None`: nothing).
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) path: Vec<u8>,
    pub(crate) now: Option<Entry>,
}

/// Everything one look found out.
pub(crate) struct Look {
    /// Against the index; the store compares once more with what it has.
    pub(crate) changes: Vec<Change>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) counts: ScanCounts,
    /// What was saved, is there, and is not seen any more because rules leave it out; known only where somebody looks without saving.
    pub(crate) left_out: Vec<Vec<u8>>,
    /// `None`: the index is still right.
    pub(crate) new_index: Option<IndexWriter>,
    dirs: Vec<SeenDir>,
    by_path: OnceCell<HashMap<Vec<u8>, usize>>,
    last_folder: RefCell<Option<(Vec<u8>, SeenNames)>>,
}

/// What was seen in one folder, by name.
type SeenNames = HashMap<Vec<u8>, (FileStat, Option<Entry>)>;

impl Look {
    /// A look at nothing.
    pub(crate) fn at_nothing() -> Self {
        Self {
            changes: Vec::new(),
            problems: Vec::new(),
            counts: ScanCounts::default(),
            left_out: Vec::new(),
            new_index: None,
            dirs: Vec::new(),
            by_path: OnceCell::new(),
            last_folder: RefCell::new(None),
        }
    }

    fn dir(&self, index: &StatIndex, folder: &[u8]) -> Option<&SeenDir> {
        let by_path = self.by_path.get_or_init(|| {
            let path_of = |dir: &SeenDir| match dir {
                SeenDir::Same(ordinal) => {
                    index.dir(*ordinal).map(|dir| dir.path.to_vec()).unwrap_or_default()
                }
                SeenDir::Other { path, .. } => path.clone(),
            };
            self.dirs.iter().enumerate().map(|(at, dir)| (path_of(dir), at)).collect()
        });
        self.dirs.get(*by_path.get(folder)?)
    }

    /// What was seen at a path; `None` if the look did not see it (it is not there, or it is left out).
    pub(crate) fn find(&self, index: &StatIndex, path: &[u8]) -> Option<(FileStat, Option<Entry>)> {
        let (folder, name) = match path.iter().rposition(|&byte| byte == b'/') {
            Some(at) => (&path[..at], &path[at + 1..]),
            None => (&b""[..], path),
        };
        // Questions come folder by folder: the names of the last one are kept ready.
        let mut last = self.last_folder.borrow_mut();
        if last.as_ref().is_none_or(|(asked, _)| asked != folder) {
            let names = match self.dir(index, folder)? {
                SeenDir::Same(ordinal) => {
                    let dir = index.dir(*ordinal)?;
                    dir.entries().map(|entry| (entry.name.to_vec(), (entry.stat, entry.saved()))).collect()
                }
                SeenDir::Other { entries, .. } => {
                    let seen =
                        |entry: &SeenEntry| (entry.name.to_vec(), (entry.stat, as_index(entry).saved()));
                    entries.iter().map(seen).collect()
                }
            };
            *last = Some((folder.to_vec(), names));
        }
        last.as_ref().and_then(|(_, names)| names.get(name).copied())
    }

    /// True if an ignore file that is not saved itself came, went or changed, as far as that can be.
    pub(crate) fn unsaved_rules_may_differ(&self, index: &StatIndex) -> bool {
        let watched = |flags: u8| flags & ENTRY_WATCHED != 0;
        self.dirs.iter().any(|dir| match dir {
            SeenDir::Same(_) => false,
            SeenDir::Other { path, entries, .. } => {
                let before = index.find(path).map(|(_, dir)| dir);
                entries.iter().any(|entry| watched(entry.flags))
                    || before
                        .iter()
                        .flat_map(super::index::IndexDir::entries)
                        .any(|entry| watched(entry.flags))
            }
        })
    }

    /// The ignore files that are not saved themselves.
    pub(crate) fn unsaved_rules(&self, index: &StatIndex) -> Vec<Vec<u8>> {
        let watched = |flags: u8| flags & ENTRY_WATCHED != 0;
        let mut out = Vec::new();
        for dir in &self.dirs {
            match dir {
                SeenDir::Same(ordinal) => {
                    let Some(dir) = index.dir(*ordinal) else { continue };
                    let entries = dir.entries().filter(|entry| watched(entry.flags));
                    out.extend(entries.map(|entry| join(dir.path, entry.name)));
                }
                SeenDir::Other { path, entries, .. } => {
                    let entries = entries.iter().filter(|entry| watched(entry.flags));
                    out.extend(entries.map(|entry| join(path, &entry.name)));
                }
            }
        }
        out.sort_unstable();
        out
    }

    /// Every file and link that was seen and can be saved.
    pub(crate) fn each_file(&self, index: &StatIndex, mut each: impl FnMut(&[u8], &[u8], Entry)) {
        for dir in &self.dirs {
            match dir {
                SeenDir::Same(ordinal) => {
                    let Some(dir) = index.dir(*ordinal) else { continue };
                    for entry in dir.entries() {
                        if let Some(saved) = entry.saved() {
                            each(dir.path, entry.name, saved);
                        }
                    }
                }
                SeenDir::Other { path, entries, .. } => {
                    for entry in entries {
                        if let Some(saved) = as_index(entry).saved() {
                            each(path, &entry.name, saved);
                        }
                    }
                }
            }
        }
    }

    /// The folder itself, if it is part of the tree.
    pub(crate) fn find_folder(&self, index: &StatIndex, path: &[u8]) -> Option<Entry> {
        let (flags, mode) = match self.dir(index, path)? {
            SeenDir::Same(ordinal) => index.dir(*ordinal).map(|dir| (dir.flags, dir.stat.mode))?,
            SeenDir::Other { flags, stat, .. } => (*flags, stat.mode),
        };
        (flags & (DIR_SKIPPED | DIR_IGNORED) == 0).then(|| Entry::folder(mode))
    }
}

/// Puts scan and readings together.
pub(crate) fn conclude(index: &StatIndex, mut scan: Scan, readings: Vec<((usize, usize), Reading)>) -> Look {
    scan.counts.read = readings.len() as u64;
    let mut gone: Vec<(usize, usize)> = Vec::new();
    for ((at, entry_at), reading) in readings {
        let SeenDir::Other { path, entries, .. } = &mut scan.dirs[at] else {
            continue;
        };
        let entry = &mut entries[entry_at];
        match reading {
            Reading::Read { stat, hash, racy } => {
                entry.stat = stat;
                entry.hash = Some(hash);
                entry.flags &= !(ENTRY_RACY | ENTRY_UNSAVED);
                entry.flags |= if racy { ENTRY_RACY } else { 0 };
            }
            Reading::Gone => gone.push((at, entry_at)),
            Reading::Failed { .. } => {
                scan.problems.extend(reading.problem(&join(path, &entry.name)));
                entry.flags |= ENTRY_UNSAVED;
            }
        }
    }
    gone.sort_unstable();
    for (at, entry_at) in gone.into_iter().rev() {
        if let SeenDir::Other { entries, .. } = &mut scan.dirs[at] {
            entries.remove(entry_at);
        }
    }
    let mut changes = Vec::new();
    let mut anything_new = scan.dirs.is_empty();
    for dir in &scan.dirs {
        if let SeenDir::Other { path, stat, flags, entries } = dir {
            anything_new = true;
            if !scan.left_alone.contains(path) {
                dir_changes(index, path, stat, *flags, entries, &mut changes);
            }
        }
    }
    let mut kept_unseen = Vec::new();
    for (ordinal, _) in scan.visited.iter().enumerate().filter(|(_, visited)| !**visited) {
        let Some(dir) = index.dir(ordinal) else { continue };
        if scan.unreadable.iter().any(|top| is_below(dir.path, top)) {
            kept_unseen.push(ordinal);
            continue;
        }
        anything_new = true;
        if scan.left_alone.iter().any(|top| is_below(dir.path, top)) {
            continue;
        }
        let entries = dir.entries().filter(|entry| is_recorded(entry));
        changes.extend(entries.map(|entry| Change { path: join(dir.path, entry.name), now: None }));
        if !dir.path.is_empty() {
            changes.push(Change { path: dir.path.to_vec(), now: None });
        }
    }
    // A folder that could not be opened was visited, but is not among the folders seen.
    for top in &scan.unreadable {
        if let Some((ordinal, _)) = index.find(top)
            && !kept_unseen.contains(&ordinal)
        {
            kept_unseen.push(ordinal);
        }
    }
    // A folder that became a file is gone as one and there as the other: what is there counts.
    changes.sort_unstable_by(|a, b| (&a.path, a.now.is_none()).cmp(&(&b.path, b.now.is_none())));
    changes.dedup_by(|later, earlier| later.path == earlier.path);

    let new_index = anything_new.then(|| {
        let mut writer = IndexWriter::new(scan.dirs.len() * 512);
        for dir in &scan.dirs {
            match dir {
                SeenDir::Same(ordinal) => {
                    if let Some(dir) = index.dir(*ordinal) {
                        writer.copy(dir.raw);
                    }
                }
                SeenDir::Other { path, stat, flags, entries } => {
                    writer.dir(path, stat, *flags, entries.iter().map(as_index));
                }
            }
        }
        for ordinal in &kept_unseen {
            if let Some(dir) = index.dir(*ordinal) {
                writer.copy(dir.raw);
            }
        }
        writer
    });
    scan.problems.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    scan.problems.dedup_by(|a, b| a.path == b.path);
    let by_path = OnceCell::new();
    Look {
        left_out: Vec::new(),
        changes,
        problems: scan.problems,
        counts: scan.counts,
        new_index,
        dirs: scan.dirs,
        by_path,
        last_folder: RefCell::default(),
    }
}

/// The changes within one folder that was looked at anew.
fn dir_changes(
    index: &StatIndex,
    path: &[u8],
    stat: &FileStat,
    flags: u8,
    entries: &[SeenEntry],
    changes: &mut Vec<Change>,
) {
    let base = index.find(path).map(|(_, dir)| dir);
    let in_tree = |flags: u8| flags & (DIR_SKIPPED | DIR_IGNORED) == 0;
    if !path.is_empty() {
        let was = base.as_ref().filter(|dir| in_tree(dir.flags)).map(|dir| dir.stat.mode);
        let is = in_tree(flags).then_some(stat.mode);
        if was != is {
            changes.push(Change { path: path.to_vec(), now: is.map(Entry::folder) });
        }
    }
    let old: HashMap<&[u8], IndexEntry<'_>> =
        base.iter().flat_map(super::index::IndexDir::entries).map(|entry| (entry.name, entry)).collect();
    for entry in entries {
        let was = old.get(&*entry.name).and_then(IndexEntry::saved);
        let is = as_index(entry).saved();
        // What is known but could not be read now stays as it was saved.
        if is.is_some() && was != is {
            changes.push(Change { path: join(path, &entry.name), now: is });
        }
    }
    let names: std::collections::HashSet<&[u8]> =
        entries.iter().filter(|entry| entry.flags & ENTRY_WATCHED == 0).map(|entry| &*entry.name).collect();
    for entry in old.values().filter(|entry| is_recorded(entry) && !names.contains(entry.name)) {
        changes.push(Change { path: join(path, entry.name), now: None });
    }
}

/// True for files and links that may be in the store; folders report themselves.
fn is_recorded(entry: &IndexEntry<'_>) -> bool {
    entry.flags & ENTRY_WATCHED == 0
        && !matches!(entry.stat.kind, project::platform::FileKind::Dir | project::platform::FileKind::Special)
}

fn as_index(entry: &SeenEntry) -> IndexEntry<'_> {
    let unread = entry.hash.is_none();
    IndexEntry {
        name: &entry.name,
        stat: entry.stat,
        flags: entry.flags | if unread { ENTRY_UNSAVED } else { 0 },
        hash: entry.hash.unwrap_or(ContentHash::from_bytes([0; 32])),
    }
}

fn is_below(path: &[u8], top: &[u8]) -> bool {
    path.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest[0] == b'/' || top.is_empty())
}
