//! The first checkpoint of a lane: the state that its folder was filled with, entered without looking at the folder again.

use std::collections::{BTreeMap, HashSet};

use project::platform::{DirHandle, FileKind, FileStat};
use rusqlite::{OptionalExtension, Transaction};

use super::shared::Shared;
use crate::checkpoint::{Checkpoint, CheckpointKind};
use crate::entry::EntryKind;
use crate::hash::ContentHash;
use crate::materialise::{Materialised, Placed};
use crate::snapshot::insert_checkpoint;
use crate::view::View;
use crate::walk::index::{DIR_RACY, ENTRY_RACY, ENTRY_SENSITIVE, IndexEntry, IndexWriter};
use crate::walk::scan;
use crate::{Error, Result, SnapshotRequest, Store, versions};

/// What the first checkpoint of a lane is caused by.
const LANE_TRIGGER: &str = "lane";

impl Store<'_> {
    /// Fills the store of a new lane: `copy` was written from this store, and the folder of `lane`'s project is its folder. The content is
    /// shared, not copied. `title` is what the history of the lane says about its beginning.
    pub fn begin_lane(&self, lane: &mut Store<'_>, copy: &Materialised, title: &str) -> Result<Checkpoint> {
        if lane.head()? != 0 {
            return Err(Error::TargetExists(lane.folder().to_path_buf()));
        }
        let lock = self.lock_tree("making a lane")?;
        let wanted: HashSet<ContentHash> = copy.contents().collect();
        let shared = Shared::find(self, &wanted)?;
        let rules = self.ignore_rules_of(copy.view())?;
        let by_name = self.only_saved_by_name(copy)?;
        let (context, folder) = (lane.context, lane.folder().to_path_buf());
        let mut request = SnapshotRequest::new(CheckpointKind::Manual);
        request.message = Some(title.to_owned());
        request.pinned = true;
        request.origin.trigger = Some(LANE_TRIGGER.to_owned());
        let created_ms = context.now_ms();
        let seq = lane.db.write(false, |transaction| {
            shared.enter(transaction, self.folder(), &folder)?;
            let rules = rules.map(|rules| enter_rules(transaction, &rules)).transpose()?;
            let (seq, _) = insert_checkpoint(transaction, context, (&request, true), rules, created_ms, 0)?;
            let mut files = 0_u64;
            for (path, placed) in copy.placed() {
                let id = versions::new_path(transaction, path)?;
                versions::insert(transaction, seq, id, &placed.entry)?;
                if by_name.contains(path) {
                    transaction
                        .prepare_cached("INSERT OR IGNORE INTO observed (seq, path) VALUES (?1, ?2)")?
                        .execute((seq, id))?;
                }
                files += 1;
            }
            transaction.execute("UPDATE checkpoint SET files_changed = ?2 WHERE seq = ?1", (seq, files))?;
            Ok(seq)
        })?;
        drop(lock);
        lane.publish_index(copy, &by_name, seq)?;
        let checkpoint = lane.checkpoint(seq)?.ok_or_else(|| Error::NotACheckpoint(title.to_owned()))?;
        lane.note_outside(&checkpoint);
        Ok(checkpoint)
    }

    /// The rules that the state was saved with.
    pub(super) fn ignore_rules_of(&self, view: &View) -> Result<Option<Vec<u8>>> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT r.rules FROM checkpoint c JOIN ignore_rules r ON r.number = c.ignore_rules WHERE c.seq = ?1",
        )?;
        Ok(statement.query_row([view.base_seq()], |row| row.get(0)).optional()?)
    }

    /// What somebody saved by name and no walk sees: in the lane no walk sees it, either.
    pub(super) fn only_saved_by_name(&self, copy: &Materialised) -> Result<HashSet<Vec<u8>>> {
        let mut statement = self
            .db
            .reader()
            .prepare_cached("SELECT p.path FROM path p WHERE p.id IN (SELECT DISTINCT path FROM observed)")?;
        let named: Vec<Vec<u8>> =
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        if named.is_empty() {
            return Ok(HashSet::new());
        }
        let index = self.load_index()?;
        let walked = |path: &[u8]| {
            let (folder, name) = split(path);
            index.find(folder).is_some_and(|(_, dir)| dir.entries().any(|entry| entry.name == name))
        };
        Ok(named.into_iter().filter(|path| copy.has(path) && !walked(path)).collect())
    }

    /// What the file system says about everything that was written is what the next look begins with: it lists every folder and reads
    /// nothing. `by_name`: what no walk sees.
    pub(super) fn publish_index(
        &self,
        copy: &Materialised,
        by_name: &HashSet<Vec<u8>>,
        seq: i64,
    ) -> Result<()> {
        let root = DirHandle::open_root(copy.folder())?;
        let now = scan::now_ns();
        let mut folders: BTreeMap<&[u8], (FileStat, Named<'_>)> = BTreeMap::new();
        folders.insert(b"", (root.stat_self()?, Vec::new()));
        for (path, placed) in copy.placed() {
            if placed.entry.kind == EntryKind::Dir {
                folders.entry(path.as_slice()).or_insert((placed.stat, Vec::new()));
            }
        }
        for (path, placed) in copy.placed().filter(|(path, _)| !by_name.contains(*path)) {
            let (folder, name) = split(path);
            if let Some((_, names)) = folders.get_mut(folder) {
                names.push((name, placed));
            }
        }
        let mut writer = IndexWriter::new(folders.len() * 512);
        for (path, (stat, mut names)) in folders {
            names.sort_unstable_by(|one, other| one.0.cmp(other.0));
            let entries: Vec<IndexEntry<'_>> =
                names.iter().map(|(name, placed)| entry_of(name, placed, now)).collect();
            writer.dir(path, &stat, DIR_RACY, entries.into_iter());
        }
        if let Some(binding) = self.binding(seq)? {
            let rules = self.rules(&root);
            writer.publish(&self.index_file(), seq, rules.fingerprint(), binding)?;
        }
        Ok(())
    }
}

/// What lies in one folder, by name.
type Named<'p> = Vec<(&'p [u8], &'p Placed)>;

fn entry_of<'n>(name: &'n [u8], placed: &Placed, now: i64) -> IndexEntry<'n> {
    let is_dir = placed.stat.kind == FileKind::Dir;
    let racy = if !is_dir && scan::is_racy(&placed.stat, now) { ENTRY_RACY } else { 0 };
    let sensitive = if placed.entry.sensitive { ENTRY_SENSITIVE } else { 0 };
    IndexEntry { name, stat: placed.stat, flags: racy | sensitive, hash: placed.entry.hash }
}

fn enter_rules(transaction: &Transaction<'_>, rules: &[u8]) -> Result<i64> {
    let hash = ContentHash::of(rules);
    transaction
        .prepare_cached("INSERT OR IGNORE INTO ignore_rules (hash, rules) VALUES (?1, ?2)")?
        .execute((hash, rules))?;
    let mut statement = transaction.prepare_cached("SELECT number FROM ignore_rules WHERE hash = ?1")?;
    Ok(statement.query_row([hash], |row| row.get(0))?)
}

pub(super) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}
