//! Each checkpoint keeps the ignore rules it was made with: the ignore files are in it like any other file, the rest stands in a row of
//! its own that many checkpoints share.

use std::collections::{BTreeSet, HashSet};

use project::RelPath;
use project::platform::{DirHandle, FileKind};
use rusqlite::{OptionalExtension, Transaction};

use crate::checkpoint::Checkpoint;
use crate::hash::ContentHash;
use crate::snapshot::exists;
use crate::timeline::Difference;
use crate::view::{View, WorkingTree};
use crate::walk::index::StatIndex;
use crate::walk::outcome::{Change, Look};
use crate::walk::past::{PastRules, is_among};
use crate::walk::rules::{IGNORE_FILES, RuleText, Rules, read_small};
use crate::{EntryKind, Result, Store, versions};

/// More files than these are the work of tools: they fall out when a rule leaves them out.
const MOST_KEPT: usize = 2_000;

/// The rules that a checkpoint is made with.
#[derive(Debug)]
pub(crate) enum MadeWith {
    /// The same as the newest checkpoint.
    AsBefore,
    /// These.
    These(RuleText),
}

impl MadeWith {
    /// True if a path may be seen, or not seen any more, because the rules are others now.
    pub(crate) fn may_shift(&self, changes: &[Change]) -> bool {
        matches!(self, Self::These(_)) || changes.iter().any(is_ignore_file)
    }

    /// The number of the row, made if there is none.
    pub(crate) fn number(&self, transaction: &Transaction<'_>, newest: i64) -> Result<Option<i64>> {
        let Self::These(text) = self else {
            return Ok(transaction
                .prepare_cached("SELECT ignore_rules FROM checkpoint WHERE seq = ?1")?
                .query_row([newest], |row| row.get(0))
                .optional()?
                .flatten());
        };
        let Ok(bytes) = serde_json::to_vec(text) else { return Ok(None) };
        let hash = ContentHash::of(&bytes);
        transaction
            .prepare_cached("INSERT OR IGNORE INTO ignore_rules (hash, rules) VALUES (?1, ?2)")?
            .execute((hash, &bytes))?;
        Ok(transaction
            .prepare_cached("SELECT number FROM ignore_rules WHERE hash = ?1")?
            .query_row([hash], |row| row.get(0))?)
    }
}

impl Store<'_> {
    /// Which of these paths no walk sees and the newest checkpoint does not hold, also if an older one did: rules that came since may
    /// have left them out.
    pub(crate) fn first_sights(
        &self,
        root: &DirHandle,
        rules: &Rules,
        named: &[RelPath],
        ends_step: bool,
    ) -> Result<HashSet<Vec<u8>>> {
        let mut out = HashSet::new();
        for path in named {
            let reader = self.db.reader();
            let known = match versions::find_path(reader, path.as_bytes())? {
                // What a step names was looked at when it began; before that, what is left out and was let go is seen anew.
                Some(id) => ends_step || versions::at(reader, i64::MAX, id)?.is_some(),
                None => false,
            };
            // Of files that lie in no project, no walk sees any.
            if !known
                && (self.project.is_loose()
                    || crate::walk::is_left_out(root, rules, path)
                    || is_among(&self.not_yet_at(i64::MAX)?, path.as_bytes()))
            {
                out.insert(path.as_bytes().to_vec());
            }
        }
        Ok(out)
    }

    /// The rules that this look follows, if they may be others than those of the newest checkpoint.
    pub(crate) fn made_with(
        &self,
        root: &DirHandle,
        index: &StatIndex,
        look: &Look,
        rules: &Rules,
    ) -> Result<MadeWith> {
        let same = index.fingerprint == rules.fingerprint() && !look.unsaved_rules_may_differ(index);
        let known = self
            .db
            .reader()
            .prepare_cached(
                "SELECT 1 FROM checkpoint WHERE seq = (SELECT max(seq) FROM checkpoint) AND ignore_rules IS NOT NULL",
            )?
            .exists([])?;
        if same && known {
            return Ok(MadeWith::AsBefore);
        }
        let mut text = rules.text().clone();
        for path in look.unsaved_rules(index) {
            let Ok(path) = RelPath::new(&path) else { continue };
            let (folder, name) = path.split();
            let found = root.open_dir(folder).ok().and_then(|dir| read_small(&dir, name));
            if let (Some(found), Ok(path)) = (found, std::str::from_utf8(path.as_bytes())) {
                text.unsaved.push((path.to_owned(), String::from_utf8_lossy(&found).into_owned()));
            }
        }
        Ok(MadeWith::These(text))
    }

    /// Rules changed: what they left out until now was not made now, and what they leave out from now on was not removed.
    pub(crate) fn add_shifted_by_rules(
        &self,
        root: &DirHandle,
        started_at: i64,
        changes: &[Change],
        no_changes: &mut HashSet<Vec<u8>>,
    ) -> Result<()> {
        let then = self.rules_at(started_at)?;
        let reader = self.db.reader();
        for change in changes {
            let shifted = match &change.now {
                None => exists(root, &change.path),
                Some(now) => {
                    let was_there = match versions::find_path(reader, &change.path)? {
                        Some(id) => versions::at(reader, started_at, id)?.is_some(),
                        None => false,
                    };
                    !was_there && then.left_out(&change.path, now.kind == EntryKind::Dir, now.size)?
                }
            };
            if shifted {
                no_changes.insert(change.path.clone());
            }
        }
        Ok(())
    }

    /// What was saved and is there stays saved, as if by name, when rules that came since leave it out: an ignore file that an agent
    /// writes must not take work out of the way back. A whole folder of what tools make falls out as before, and so does everything when
    /// a person saves by hand under the new rules. (M1)
    pub(crate) fn keep_what_is_there(
        root: &DirHandle,
        changes: &mut Vec<Change>,
        observed: &mut Vec<RelPath>,
    ) {
        // A folder comes back with what is in it.
        let is_kept = |change: &Change| change.now.is_none() && is_file_there(root, &change.path);
        if changes.iter().filter(|change| is_kept(change)).count() > MOST_KEPT {
            return;
        }
        changes.retain(|change| {
            let kept = is_kept(change).then(|| RelPath::new(&change.path).ok()).flatten();
            let stays = kept.is_none();
            observed.extend(kept);
            stays
        });
    }

    /// What a walk saved and none sees any more, because ignore rules leave it out since: only what is named of it is saved.
    pub fn left_out_since(&self, working: &WorkingTree) -> Result<Vec<RelPath>> {
        if self.project.is_loose() {
            return Ok(Vec::new());
        }
        let root = self.root_handle()?;
        let rules = self.rules(&root);
        let reader = self.db.reader();
        let mut statement = reader.prepare_cached(
            "SELECT p.path FROM path p WHERE p.id IN (SELECT DISTINCT path FROM observed)
                 AND EXISTS (SELECT 1 FROM version v JOIN checkpoint c ON c.seq = v.first
                             WHERE v.path = p.id AND c.whole_tree AND v.kind = ?1)",
        )?;
        let paths: Vec<Vec<u8>> = statement
            .query_map([EntryKind::File.code()], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let named = paths.iter().filter_map(|path| RelPath::new(path).ok());
        let all: BTreeSet<RelPath> = named.chain(working.left_out.iter().cloned()).collect();
        Ok(all
            .into_iter()
            .filter(|path| !IGNORE_FILES.contains(&path.split().1) && is_file_there(&root, path.as_bytes()))
            .filter(|path| crate::walk::is_left_out(&root, &rules, path))
            .collect())
    }

    /// The rules that held at a checkpoint. Where none were written down (an earlier vib made it), the settings of now stand in; the
    /// ignore files are those of then in any case.
    pub(crate) fn rules_at(&self, seq: i64) -> Result<PastRules<'_>> {
        let written: Option<Vec<u8>> = self
            .db
            .reader()
            .prepare_cached(
                "SELECT r.rules FROM checkpoint c JOIN ignore_rules r ON r.number = c.ignore_rules WHERE c.seq = ?1",
            )?
            .query_row([seq], |row| row.get(0))
            .optional()?;
        let text = written.and_then(|bytes| serde_json::from_slice::<RuleText>(&bytes).ok());
        let rules = match text {
            Some(text) => Rules::of_text(text),
            None => self.rules(&self.root_handle()?),
        };
        Ok(PastRules::new(self, seq, rules, self.not_yet_at(seq)?))
    }

    /// What the last look at the whole tree had no time for, as of a checkpoint: it was there, and nobody saw it. (S8)
    pub(crate) fn not_yet_at(&self, seq: i64) -> Result<Vec<Vec<u8>>> {
        let reader = self.db.reader();
        let mut statement = reader.prepare_cached(
            "SELECT path FROM problem WHERE code = ?2
                 AND seq = (SELECT max(seq) FROM checkpoint WHERE whole_tree AND seq <= ?1)",
        )?;
        let rows = statement.query_map((seq, crate::walk::hurry::NOT_YET), |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Takes out of a plan what would remove something that the target did not see because it was ignored then. What the target
    /// names itself it knows.
    pub(crate) fn spare_what_was_ignored(
        &self,
        target: &Checkpoint,
        wanted: &View,
        changes: &mut Vec<Difference>,
    ) -> Result<()> {
        if changes.iter().all(|change| change.after.is_some()) {
            return Ok(());
        }
        let then = self.rules_at(target.seq)?;
        let mut failed = None;
        changes.retain(|change| {
            let (Some(before), None) = (&change.before, &change.after) else { return true };
            if wanted.names(change.path.as_bytes()) {
                return true;
            }
            match then.left_out(change.path.as_bytes(), before.kind == EntryKind::Dir, before.size) {
                Ok(left_out) => !left_out,
                Err(error) => {
                    failed = Some(error);
                    false
                }
            }
        });
        failed.map_or(Ok(()), Err)
    }
}

/// True if there is something at this path, and it is no folder.
fn is_file_there(root: &DirHandle, path: &[u8]) -> bool {
    let Ok(path) = RelPath::new(path) else { return false };
    let (folder, name) = path.split();
    let found = root.open_dir(folder).and_then(|dir| dir.stat(name));
    found.is_ok_and(|stat| stat.kind != FileKind::Dir)
}

/// True if a rule may have come or gone with it.
fn is_ignore_file(change: &Change) -> bool {
    let name = change.path.rsplit(|&byte| byte == b'/').next().unwrap_or(&change.path);
    IGNORE_FILES.contains(&name)
}
