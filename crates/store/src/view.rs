//! [`View`]: the state of the tree at a moment, as far as it is known, without a list of all its files.
//!
//! A checkpoint of the whole tree is exactly a moment. A checkpoint of a single file knows one file for certain and
//! nothing about the rest, so the moment it stands for is pieced together carefully: take the *next* look at the whole
//! tree (or the tree as it is now, if there was none), and put back, of all files saved by name since, the first saved
//! state. So going back to "before this edit" takes back that edit and all later ones, and leaves alone a file whose
//! time of change nobody recorded.

use std::collections::{BTreeMap, BTreeSet};

use project::RelPath;

use crate::checkpoint::{self, AFTER_TRIGGER, Checkpoint, CheckpointKind};
use crate::entry::Entry;
use crate::hash::ContentHash;
use crate::progress::Progress;
use crate::timeline::{Difference, push_difference};
use crate::walk::outcome::Change;
use crate::{Result, Store, versions};

/// A moment.
#[derive(Debug, Clone)]
pub struct View {
    base: i64,
    overrides: BTreeMap<Vec<u8>, Option<Entry>>,
}

/// The tree as it is on the disk now, compared with what was last saved.
#[derive(Debug, Clone)]
pub struct WorkingTree {
    /// The moment "now".
    pub view: View,
    /// What was looked at.
    pub counts: crate::ScanCounts,
    /// What could not be looked at.
    pub problems: Vec<crate::Problem>,
    /// What was saved, is there, and is not looked at any more because ignore rules leave it out since the last save.
    pub left_out: Vec<RelPath>,
}

impl View {
    /// What is recorded at a checkpoint, by its number.
    pub(crate) fn recorded(seq: i64) -> Self {
        Self { base: seq, overrides: BTreeMap::new() }
    }

    /// The number of the checkpoint that it begins with.
    pub(crate) fn base_seq(&self) -> i64 {
        self.base
    }

    /// True if this path was looked at by name.
    pub(crate) fn names(&self, path: &[u8]) -> bool {
        self.overrides.contains_key(path)
    }
}

impl WorkingTree {
    /// True if what is at this path now is not in the newest checkpoint.
    pub fn is_unsaved(&self, path: &RelPath) -> bool {
        self.view.overrides.get(path.as_bytes()).is_some_and(Option::is_some)
    }

    /// The paths that are not as the newest checkpoint has them.
    pub(crate) fn changed_paths(&self) -> impl Iterator<Item = &[u8]> {
        self.view.overrides.keys().map(Vec::as_slice)
    }
}

impl View {
    /// The same moment, but for these paths.
    #[must_use]
    pub fn with(mut self, paths: impl IntoIterator<Item = (Vec<u8>, Option<Entry>)>) -> Self {
        self.overrides.extend(paths);
        self
    }

    /// The paths that are not as the newest checkpoint has them.
    pub(crate) fn unsaved_paths(&self) -> impl Iterator<Item = &[u8]> {
        self.overrides.keys().map(Vec::as_slice)
    }
}

impl Store<'_> {
    /// Looks at the disk without saving anything.
    pub fn working_tree(&self, progress: &dyn Progress) -> Result<WorkingTree> {
        let base = self.head()?;
        let (_, look) = self.look_only(progress)?;
        let overrides = self.different(base, look.changes)?;
        let left_out = look.left_out.iter().filter_map(|path| RelPath::new(path).ok()).collect();
        Ok(WorkingTree {
            view: View { base, overrides },
            counts: look.counts,
            problems: look.problems,
            left_out,
        })
    }

    /// The same where only these paths, and what is recorded in them, are of interest: nothing else is read.
    pub fn working_paths(&self, only: &[RelPath]) -> Result<WorkingTree> {
        let base = self.head()?;
        let recorded = View { base, overrides: BTreeMap::new() };
        let mut paths: BTreeSet<RelPath> = only.iter().cloned().collect();
        for folder in only {
            paths.extend(self.paths_in(&recorded, folder)?);
        }
        let now = self.on_disk(paths.iter())?;
        let changes = paths.iter().zip(now).map(|(path, now)| Change { path: path.as_bytes().to_vec(), now });
        let counts = crate::ScanCounts { files: paths.len() as u64, ..Default::default() };
        let overrides = self.different(base, changes.collect())?;
        Ok(WorkingTree { view: View { base, overrides }, counts, problems: Vec::new(), left_out: Vec::new() })
    }

    /// What is not as the newest checkpoint has it. The stat index may be older than that and name more.
    fn different(&self, base: i64, changes: Vec<Change>) -> Result<BTreeMap<Vec<u8>, Option<Entry>>> {
        let _moment = self.db.one_moment()?;
        let recorded = View { base, overrides: BTreeMap::new() };
        let mut out = BTreeMap::new();
        let reader = self.db.reader();
        let was_walked = versions::was_walked(reader)?;
        for change in changes {
            // Only single files were saved so far: of the others nobody can say that they are new.
            if !was_walked && base > 0 && versions::find_path(reader, &change.path)?.is_none() {
                continue;
            }
            if self.entry_in(&recorded, &change.path)? != change.now {
                out.insert(change.path, change.now);
            }
        }
        Ok(out)
    }

    /// As [`Self::working_tree`], and every file that was seen, in order of path, with the hash of its content. What did not
    /// change since the last look is not read.
    pub fn working_tree_and_files(
        &self,
        progress: &dyn Progress,
    ) -> Result<(WorkingTree, Vec<(RelPath, Entry)>)> {
        let base = self.head()?;
        let (index, look) = self.look_only(progress)?;
        let mut files = Vec::new();
        look.each_file(&index, |folder, name, entry| {
            if let Ok(path) = RelPath::join(folder, name) {
                files.push((path, entry));
            }
        });
        files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let overrides = self.different(base, look.changes)?;
        let left_out = look.left_out.iter().filter_map(|path| RelPath::new(path).ok()).collect();
        let working = WorkingTree {
            view: View { base, overrides },
            counts: look.counts,
            problems: look.problems,
            left_out,
        };
        Ok((working, files))
    }

    /// The moment of a checkpoint. `now` is used when nothing later has looked at the whole tree.
    pub fn view(&self, checkpoint: &Checkpoint, now: &View) -> Result<View> {
        if checkpoint.whole_tree {
            return Ok(View { base: checkpoint.seq, overrides: BTreeMap::new() });
        }
        let reader = self.db.reader();
        let mut statement = reader.prepare_cached(
            "SELECT min(seq) FROM checkpoint WHERE seq > ?1 AND whole_tree AND expired_ms IS NULL",
        )?;
        let next: Option<i64> = statement.query_row([checkpoint.seq], |row| row.get(0))?;
        let mut view = match next {
            Some(seq) => View { base: seq, overrides: BTreeMap::new() },
            None => now.clone(),
        };
        // `min(seq)` picks, for each path, its first observation.
        let mut statement = reader.prepare_cached(
            "SELECT o.path, min(o.seq), c.cause FROM observed o JOIN checkpoint c ON c.seq = o.seq
             WHERE o.seq >= ?1 AND o.seq < ?2 AND c.expired_ms IS NULL GROUP BY o.path",
        )?;
        let observed: Vec<(i64, i64, Option<String>)> = statement
            .query_map((checkpoint.seq, next.unwrap_or(i64::MAX)), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?
            .collect::<rusqlite::Result<_>>()?;
        for (path, seq, cause) in observed {
            // The look after a later step shows what that step made; the look before it had found the path as it was known.
            let made_later = seq > checkpoint.seq && cause.as_deref() == Some(AFTER_TRIGGER);
            let entry = if made_later {
                versions::before(reader, seq, path)?
            } else {
                versions::at(reader, seq, path)?
            };
            view.overrides.insert(versions::path_text(reader, path)?, entry);
        }
        Ok(view)
    }

    /// The newest state that is recorded, whatever kind of checkpoint recorded it.
    pub fn recorded_state(&self) -> Result<View> {
        Ok(View { base: self.head()?, overrides: BTreeMap::new() })
    }

    /// What is different from `before` to `after`, in order of path. With paths given, only those and what is in them.
    pub fn compare(&self, before: &View, after: &View, only: &[RelPath]) -> Result<Vec<Difference>> {
        let _moment = self.db.one_moment()?;
        let reader = self.db.reader();
        let mut paths: BTreeSet<Vec<u8>> =
            before.overrides.keys().chain(after.overrides.keys()).cloned().collect();
        let (low, high) = (before.base.min(after.base), before.base.max(after.base));
        if low != high {
            for id in versions::changed_between(reader, low, high)? {
                paths.insert(versions::path_text(reader, id)?);
            }
        }
        let mut out = Vec::new();
        for path in paths {
            let wanted = only.is_empty()
                || RelPath::new(&path).is_ok_and(|path| only.iter().any(|folder| path.is_in(folder)));
            if wanted {
                let (was, is) = (self.entry_in(before, &path)?, self.entry_in(after, &path)?);
                push_difference(&mut out, &path, was, is);
            }
        }
        Ok(out)
    }

    /// Every path of a moment, in order.
    pub(crate) fn entries_of(&self, view: &View) -> Result<Vec<(Vec<u8>, Entry)>> {
        let mut all: BTreeMap<Vec<u8>, Entry> = BTreeMap::new();
        versions::all_at(self.db.reader(), view.base, |path, entry| {
            all.insert(path, entry);
            Ok(())
        })?;
        for (path, entry) in &view.overrides {
            match entry {
                Some(entry) => all.insert(path.clone(), *entry),
                None => all.remove(path),
            };
        }
        all.retain(|path, _| RelPath::new(path).is_ok());
        Ok(all.into_iter().collect())
    }

    /// One hash of everything in a moment: two moments with the same files, modes and contents have the same.
    pub fn tree_hash(&self, view: &View) -> Result<ContentHash> {
        let mut hasher = crate::hash::Hasher::default();
        for (path, entry) in self.entries_of(view)? {
            hasher.update(&(path.len() as u64).to_le_bytes());
            hasher.update(&path);
            hasher.update(&[entry.kind.code()]);
            hasher.update(&entry.mode.to_le_bytes());
            hasher.update(entry.hash.as_bytes());
        }
        Ok(hasher.finish())
    }

    /// What a path was at a moment.
    pub fn entry_in(&self, view: &View, path: &[u8]) -> Result<Option<Entry>> {
        if let Some(entry) = view.overrides.get(path) {
            return Ok(*entry);
        }
        let reader = self.db.reader();
        match versions::find_path(reader, path)? {
            Some(id) => versions::at(reader, view.base, id),
            None => Ok(None),
        }
    }

    /// What a path was recorded as at a checkpoint, by its number.
    pub(crate) fn recorded_at(&self, seq: i64, path: &[u8]) -> Result<Option<Entry>> {
        self.entry_in(&View { base: seq, overrides: BTreeMap::new() }, path)
    }

    /// The newest checkpoints that `undo` may offer, newest first: safety checkpoints are not among them,
    /// but for those made before a patch.
    pub fn undo_candidates(&self, limit: usize) -> Result<Vec<Checkpoint>> {
        let mut statement = self.db.reader().prepare_cached(&format!(
            "SELECT {} FROM checkpoint c WHERE c.expired_ms IS NULL AND (c.kind <> ?2 OR c.cause = ?3) ORDER BY c.seq DESC LIMIT ?1",
            checkpoint::COLUMNS
        ))?;
        let rows = statement.query_map(
            (
                i64::try_from(limit).unwrap_or(-1),
                CheckpointKind::Safety.code(),
                crate::restore::PATCH_TRIGGER,
            ),
            checkpoint::from_row,
        )?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
