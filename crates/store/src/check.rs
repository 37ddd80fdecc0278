//! Is everything that was saved still there and whole?

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use project::RelPath;

use crate::db::Database;
use crate::hash::ContentHash;
use crate::pack::PackReader;
use crate::progress::{Phase, Progress};
use crate::{Result, Store, TreeLock, versions};

/// The problem code of content that was found lost and reported by a repair.
const LOST: &str = "lost";

/// Damaged or missing content, and who needs it.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Damage {
    /// The content.
    pub hash: ContentHash,
    /// What was found.
    pub detail: String,
    /// The files that had this content.
    pub paths: Vec<String>,
    /// The checkpoints that need it.
    pub checkpoints: Vec<String>,
}

/// What a check found.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct CheckReport {
    /// Pieces of content that were verified.
    pub contents: u64,
    /// Their length, decompressed.
    pub bytes: u64,
    /// Checkpoints that are kept.
    pub checkpoints: u64,
    /// Content that is damaged or missing.
    pub damaged: Vec<Damage>,
    /// What is wrong with the index itself.
    pub index_errors: Vec<String>,
    /// Files in kept checkpoints whose content an earlier repair has already reported as lost.
    pub known_lost: u64,
    /// What a repair did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairReport>,
}

impl CheckReport {
    /// Nothing is wrong that was not known.
    pub fn is_clean(&self) -> bool {
        self.damaged.is_empty() && self.index_errors.is_empty()
    }
}

/// What a repair did.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct RepairReport {
    /// Content that was found on the disk and stored again.
    pub healed: u64,
    /// Content that is gone for good.
    pub lost: Vec<Damage>,
    /// Checkpoints or content that had vanished; now that it is said, nobody is warned any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoints_lost: Option<crate::Lost>,
    /// The index was damaged and came from its backup copy, or was made new.
    pub index_rebuilt: Option<String>,
}

impl Store<'_> {
    /// Verifies every piece of content and the index. Changes nothing.
    pub fn check(&self, progress: &dyn Progress) -> Result<CheckReport> {
        let mut report = CheckReport { index_errors: self.index_errors()?, ..CheckReport::default() };
        let contents: Vec<(ContentHash, u64)> = {
            let mut statement =
                self.db.reader().prepare("SELECT hash, size FROM blob ORDER BY pack, offset")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<rusqlite::Result<_>>()?
        };
        report.contents = contents.len() as u64;
        report.bytes = contents.iter().map(|(_, size)| size).sum();
        report.checkpoints = self.db.reader().query_row(
            "SELECT count(*) FROM checkpoint WHERE expired_ms IS NULL",
            [],
            |row| row.get(0),
        )?;
        progress.begin(Phase::Checking, Some(report.contents));
        let mut bad: BTreeMap<ContentHash, String> =
            self.verify_all(&contents, progress)?.into_iter().collect();
        self.add_missing(&contents, &mut bad)?;
        let known = self.known_lost()?;
        for (hash, detail) in bad {
            let damage = self.damage(hash, detail)?;
            // What only expired checkpoints needed is no loss.
            if damage.checkpoints.is_empty() {
                continue;
            }
            if damage.paths.iter().all(|path| known.contains(path)) {
                report.known_lost += damage.paths.len() as u64;
            } else {
                report.damaged.push(damage);
            }
        }
        Ok(report)
    }

    /// Checks, then stores again what the project still has, and records what is lost, so that it is known.
    pub fn repair(&mut self, lock: &TreeLock, progress: &dyn Progress) -> Result<CheckReport> {
        let mut report = self.check(progress)?;
        let mut repair = RepairReport { checkpoints_lost: self.lost()?, ..RepairReport::default() };
        if !report.damaged.is_empty() {
            self.db.write(true, |transaction| {
                for damage in &report.damaged {
                    transaction.execute("DELETE FROM blob WHERE hash = ?1", [damage.hash])?;
                }
                Ok(())
            })?;
            // Without the index every file is read again, and content that is missing is stored again.
            let _ = std::fs::remove_file(self.index_file());
            let mut request = crate::SnapshotRequest::new(crate::CheckpointKind::Safety);
            request.message = Some("before and during a repair of the store".to_owned());
            self.snapshot_tree(lock, &request, &[], progress)?;
            let after = self.check(progress)?;
            let still: HashSet<ContentHash> = after.damaged.iter().map(|damage| damage.hash).collect();
            repair.healed =
                report.damaged.iter().filter(|damage| !still.contains(&damage.hash)).count() as u64;
            self.record_lost(&after.damaged)?;
            repair.lost = after.damaged;
            report.damaged.retain(|damage| still.contains(&damage.hash));
        }
        if !report.index_errors.is_empty() {
            self.db.reader().execute_batch("REINDEX")?;
            report.index_errors = self.index_errors()?;
        }
        if repair.checkpoints_lost.is_some() {
            self.settle_packs()?;
            self.accept_losses()?;
        }
        report.repair = Some(repair);
        Ok(report)
    }

    /// Packs that are gone, or shorter than they were, are known as such from now on.
    fn settle_packs(&mut self) -> Result<()> {
        let folder = self.folder().to_path_buf();
        self.db.write(true, |transaction| {
            let packs: Vec<i64> = transaction
                .prepare("SELECT id FROM pack")?
                .query_map([], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            for pack in packs {
                match std::fs::metadata(crate::pack::pack_file(&folder, pack)) {
                    Ok(file) => transaction.execute(
                        "UPDATE pack SET length = ?2, synced = min(synced, ?2), closed = 1 WHERE id = ?1 AND length > ?2",
                        (pack, file.len()),
                    )?,
                    Err(_) => transaction.execute("DELETE FROM pack WHERE id = ?1", [pack])?,
                };
            }
            Ok(())
        })
    }

    fn index_errors(&self) -> Result<Vec<String>> {
        let mut statement = self.db.reader().prepare("PRAGMA integrity_check(20)")?;
        let rows: Vec<String> =
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let mut errors: Vec<String> = rows.into_iter().filter(|row| row != "ok").collect();
        let overlaps: i64 = self.db.reader().query_row(
            "SELECT count(*) FROM
                 (SELECT last, lead(first) OVER (PARTITION BY path ORDER BY first) AS next FROM version)
             WHERE next IS NOT NULL AND (last IS NULL OR last > next)",
            [],
            |row| row.get(0),
        )?;
        if overlaps > 0 {
            errors.push(format!("{overlaps} versions of files overlap"));
        }
        Ok(errors)
    }

    /// Reads everything, on all cores.
    fn verify_all(
        &self,
        contents: &[(ContentHash, u64)],
        progress: &dyn Progress,
    ) -> Result<Vec<(ContentHash, String)>> {
        const BATCH: usize = 64;
        let next = AtomicUsize::new(0);
        let bad = Mutex::new(Vec::new());
        let folder = self.folder();
        let work = || -> Result<()> {
            let connection = Database::open_reader(folder)?;
            let reader = PackReader::new(&connection, folder.to_path_buf());
            loop {
                let start = next.fetch_add(BATCH, Ordering::Relaxed);
                let Some(batch) =
                    contents.get(start..(start + BATCH).min(contents.len())).filter(|b| !b.is_empty())
                else {
                    return Ok(());
                };
                for (hash, _) in batch {
                    if let Err(error) = reader.verify_deep(hash) {
                        bad.lock().unwrap_or_else(PoisonError::into_inner).push((*hash, error.to_string()));
                    }
                }
                progress.advance(batch.len() as u64);
            }
        };
        let mut result = Ok(());
        std::thread::scope(|scope| {
            let other = scope.spawn(work);
            result = work();
            if let Ok(Err(error)) = other.join() {
                result = Err(error);
            }
        });
        result?;
        Ok(bad.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Content that a version or a step names and the index does not know.
    fn add_missing(
        &self,
        contents: &[(ContentHash, u64)],
        bad: &mut BTreeMap<ContentHash, String>,
    ) -> Result<()> {
        let known: HashSet<ContentHash> = contents.iter().map(|(hash, _)| *hash).collect();
        let mut statement = self.db.reader().prepare(&crate::gc::named_content())?;
        let named: Vec<ContentHash> =
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        for hash in named.into_iter().filter(|hash| !known.contains(hash)) {
            bad.insert(hash, format!("the saved content {} is not there", &hash.to_hex()[..12]));
        }
        Ok(())
    }

    /// Who needs this content.
    fn damage(&self, hash: ContentHash, detail: String) -> Result<Damage> {
        let reader = self.db.reader();
        let mut statement = reader.prepare_cached("SELECT path, first, last FROM version WHERE hash = ?1")?;
        let mut uses: Vec<(i64, i64, Option<i64>)> = statement
            .query_map([hash], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<rusqlite::Result<_>>()?;
        if uses.is_empty() {
            // A chunk: whoever needs the file it is part of.
            for list in self.files_with_chunk(&hash)? {
                let mut more =
                    reader.prepare_cached("SELECT path, first, last FROM version WHERE hash = ?1")?;
                let rows = more.query_map([list], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                uses.extend(rows.collect::<rusqlite::Result<Vec<_>>>()?);
                uses.extend(self.steps_that_name(&list)?);
            }
        }
        uses.extend(self.steps_that_name(&hash)?);
        let (mut paths, mut checkpoints) = (BTreeSet::new(), BTreeSet::new());
        for (path, first, last) in uses {
            let mut statement = reader.prepare_cached(
                "SELECT id FROM checkpoint WHERE seq >= ?1 AND seq < ?2 AND expired_ms IS NULL ORDER BY seq",
            )?;
            let ids =
                statement.query_map((first, last.unwrap_or(i64::MAX)), |row| row.get::<_, String>(0))?;
            let ids: Vec<String> = ids.collect::<rusqlite::Result<_>>()?;
            if !ids.is_empty() {
                let text = versions::path_text(reader, path)?;
                paths.insert(RelPath::new(&text).map_or_else(|_| "?".to_owned(), |path| path.to_string()));
                checkpoints.extend(ids);
            }
        }
        Ok(Damage {
            hash,
            detail,
            paths: paths.into_iter().collect(),
            checkpoints: checkpoints.into_iter().collect(),
        })
    }

    /// The changes that name this content, as uses by the one checkpoint that found each.
    fn steps_that_name(&self, hash: &ContentHash) -> Result<Vec<(i64, i64, Option<i64>)>> {
        let mut statement = self
            .db
            .reader()
            .prepare_cached("SELECT path, seq, seq + 1 FROM change WHERE was_hash = ?1 OR is_hash = ?1")?;
        let rows = statement.query_map([hash], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn files_with_chunk(&self, chunk: &ContentHash) -> Result<Vec<ContentHash>> {
        let mut statement = self.db.reader().prepare_cached("SELECT hash FROM blob WHERE encoding = 2")?;
        let lists: Vec<ContentHash> =
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let reader = self.reader();
        Ok(lists
            .into_iter()
            .filter(|list| reader.chunks_of(list).is_ok_and(|chunks| chunks.contains(chunk)))
            .collect())
    }

    /// Writes down what is lost, at the checkpoints that lost it.
    fn record_lost(&mut self, lost: &[Damage]) -> Result<()> {
        self.db.write(true, |transaction| {
            for damage in lost {
                for id in &damage.checkpoints {
                    let seq: i64 =
                        transaction.query_row("SELECT seq FROM checkpoint WHERE id = ?1", [id], |row| row.get(0))?;
                    for path in &damage.paths {
                        transaction.execute(
                            "INSERT OR REPLACE INTO problem (seq, path, code, detail) VALUES (?1, ?2, ?3, ?4)",
                            (seq, path.as_bytes(), LOST, "its saved content was found damaged and cannot be restored"),
                        )?;
                    }
                }
            }
            Ok(())
        })
    }

    fn known_lost(&self) -> Result<HashSet<String>> {
        let mut statement = self.db.reader().prepare("SELECT DISTINCT path FROM problem WHERE code = ?1")?;
        let rows = statement.query_map([LOST], |row| row.get::<_, Vec<u8>>(0))?;
        let paths: Vec<Vec<u8>> = rows.collect::<rusqlite::Result<_>>()?;
        Ok(paths.iter().map(|path| String::from_utf8_lossy(path).into_owned()).collect())
    }
}
