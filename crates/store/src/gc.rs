//! Freeing content that no kept checkpoint needs.
//!
//! In order, each step complete in itself, so that a kill at any point leaves a whole store: checkpoints expire (a
//! transaction), unneeded content leaves the index (a transaction), packs with much dead space are copied to new ones
//! without holding up other writers, the index is switched over (a transaction), and only then old files are removed.

use std::collections::HashSet;
use std::io::Write;
use std::time::{Duration, Instant};

use project::platform;
use rusqlite::Transaction;

use crate::hash::ContentHash;
use crate::ledger::{self, KEPT_CHANGES};
use crate::pack::{self, PackReader, format};
use crate::progress::{Phase, Progress};
use crate::retention::gone;
use crate::{Result, Store, TreeLock};

/// A pack is copied when less than this part of it is needed.
const WORTH_KEEPING: f64 = 0.6;

/// So many checkpoints expire when cleaning is done in passing; the next time goes on.
const EXPIRED_IN_PASSING: usize = 256;

/// The index is copied by itself every so many checkpoints, and when the copy is a day old.
const BACKUP_EVERY: i64 = 1_024;
const BACKUP_AGE: Duration = Duration::from_secs(24 * 3600);

/// What cleaning up did.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct GcReport {
    /// Checkpoints that expired.
    pub expired: usize,
    /// Pieces of content that no checkpoint needed any more.
    pub contents_removed: u64,
    /// Deleted files whose last copies went.
    pub gone: u64,
    /// Bytes given back to the disk.
    pub bytes_freed: u64,
    /// Bytes the store uses now.
    pub bytes_used: u64,
    /// False: time was up; the next run goes on.
    pub complete: bool,
    /// The store is still larger than `retention.max_store_size`: what is left may not go by itself.
    pub over_limit: bool,
}

impl Store<'_> {
    /// Cleans up. `budget`: stop after about this long.
    pub fn gc(
        &mut self,
        _lock: &TreeLock,
        budget: Option<Duration>,
        progress: &dyn Progress,
    ) -> Result<GcReport> {
        let until = budget.map(|budget| Instant::now() + budget);
        let before = self.bytes_on_disk();
        let gone_before = self.gone(0)?.files;
        let limit = budget.map(|_| EXPIRED_IN_PASSING);
        let mut report = GcReport { expired: self.expire_all(limit)?, complete: true, ..GcReport::default() };
        // Who wrote which line is written down while the contents that tell it are there.
        if !self.keep_line_writers(until)? {
            report.complete = false;
            report.bytes_used = self.bytes_on_disk();
            return Ok(report);
        }
        report.contents_removed += self.drop_unneeded()?;
        self.shrink_to_limit(&mut report)?;
        report.gone = self.gone(0)?.files.saturating_sub(gone_before);
        self.forget_old_steps()?;
        report.complete = self.rewrite_packs(until, progress)?;
        self.remove_strays()?;
        if report.complete {
            self.tidy_database(budget.is_none())?;
        }
        report.bytes_used = self.bytes_on_disk();
        report.bytes_freed = before.saturating_sub(report.bytes_used);
        Ok(report)
    }

    /// The limit on the whole store: what is worth least goes, a few at a time, until it fits.
    fn shrink_to_limit(&mut self, report: &mut GcReport) -> Result<()> {
        let limit = self.project.config().number("retention.max_store_size");
        if limit == 0 {
            return Ok(());
        }
        let own = crate::lane::own_bytes_condition(self.db.reader())?;
        loop {
            let needed: u64 = self.db.reader().query_row(
                &format!(
                    "SELECT ifnull(sum(stored), 0) + ((SELECT page_count FROM pragma_page_count())
                         - (SELECT freelist_count FROM pragma_freelist_count())) * 4096 FROM blob WHERE {own}"
                ),
                [],
                |row| row.get(0),
            )?;
            if needed <= limit {
                return Ok(());
            }
            let expendable = self.expendable()?;
            if expendable.is_empty() {
                report.over_limit = true;
                return Ok(());
            }
            self.expire_these(&expendable)?;
            report.expired += expendable.len();
            self.keep_line_writers(None)?;
            report.contents_removed += self.drop_unneeded()?;
        }
    }

    /// What was told of steps goes when their content went long ago.
    fn forget_old_steps(&mut self) -> Result<()> {
        let Some(until) = crate::retention::told_until(self.project.config(), self.context.now_ms()) else {
            return Ok(());
        };
        self.db.write(false, |transaction| {
            if ledger::forget_steps(transaction, until)? > 0 {
                transaction.execute(UNNAMED_PATHS, [])?;
            }
            Ok(())
        })
    }

    /// Takes content out of the index that no version refers to, and no change that a kept checkpoint found.
    fn drop_unneeded(&mut self) -> Result<u64> {
        let folder = self.folder().to_path_buf();
        if self.has_unfinished_restore()? {
            // What a patch was about to write is in no checkpoint yet, and whoever finishes it needs it.
            return Ok(0);
        }
        let now = self.context.now_ms();
        self.db.write(false, |transaction| {
            let Some(chunks) = needed_chunks(transaction, &folder)? else {
                // A list of chunks is damaged: which chunks are needed is not known, so all stay.
                return Ok(0);
            };
            transaction.execute_batch(&format!(
                "CREATE TEMP TABLE IF NOT EXISTS unneeded (hash BLOB PRIMARY KEY) WITHOUT ROWID;
                 DELETE FROM temp.unneeded;
                 INSERT INTO temp.unneeded SELECT hash FROM blob WHERE hash NOT IN ({})",
                named_content()
            ))?;
            let mut keep = transaction.prepare("DELETE FROM temp.unneeded WHERE hash = ?1")?;
            for hash in &chunks {
                keep.execute([hash])?;
            }
            gone::record(transaction, now)?;
            let removed =
                transaction.execute("DELETE FROM blob WHERE hash IN (SELECT hash FROM temp.unneeded)", [])?;
            if removed > 0 {
                transaction.execute(UNNAMED_PATHS, [])?;
            }
            gone::forget_returned(transaction)?;
            crate::lines::record::forget(transaction)?;
            let removed = u64::try_from(removed).unwrap_or(0);
            Ok(removed)
        })
    }

    /// Copies the needed part of wasteful packs and removes the packs. `false`: time was up.
    fn rewrite_packs(&mut self, until: Option<Instant>, progress: &dyn Progress) -> Result<bool> {
        let packs: Vec<(i64, u64, u64)> = {
            let mut statement = self.db.reader().prepare(
                "SELECT p.id, p.length, (SELECT ifnull(sum(b.stored + 56), 0) FROM blob b WHERE b.pack = p.id)
                 FROM pack p ORDER BY p.id",
            )?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect::<rusqlite::Result<_>>()?
        };
        let wasteful: Vec<i64> = packs
            .into_iter()
            .filter(|(_, length, needed)| (*needed as f64) < *length as f64 * WORTH_KEEPING)
            .map(|(pack, ..)| pack)
            .collect();
        progress.begin(Phase::Cleaning, Some(wasteful.len() as u64));
        for pack in wasteful {
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(false);
            }
            self.rewrite_pack(pack)?;
            progress.advance(1);
        }
        Ok(true)
    }

    fn rewrite_pack(&mut self, old: i64) -> Result<()> {
        let folder = self.folder().to_path_buf();
        // Nobody appends to it from here on, so what is in it now is all there will be.
        self.db.write(false, |transaction| {
            transaction.execute("UPDATE pack SET closed = 1 WHERE id = ?1", [old])?;
            Ok(())
        })?;
        let needed: Vec<(ContentHash, u64)> = {
            let mut statement =
                self.db.reader().prepare("SELECT hash, offset FROM blob WHERE pack = ?1 ORDER BY offset")?;
            let rows = statement.query_map([old], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<rusqlite::Result<_>>()?
        };
        let mut moved: Vec<(ContentHash, u64)> = Vec::with_capacity(needed.len());
        let mut left_behind = false;
        let new_file = if needed.is_empty() {
            None
        } else {
            let (path, file) = pack::create_own_pack(&folder)?;
            let mut out = std::io::BufWriter::with_capacity(1 << 20, file);
            let mut length = 0;
            let reader = PackReader::new(self.db.reader(), folder.clone());
            for (hash, _) in &needed {
                let record = reader.raw_record(hash).and_then(|record| {
                    format::checked_content(&record, hash)?;
                    Ok(record)
                });
                match record {
                    Ok(record) => {
                        out.write_all(&record)?;
                        moved.push((*hash, length));
                        length += record.len() as u64;
                    }
                    // Damaged: it stays where it is, for `vib store check` to report.
                    Err(_) => left_behind = true,
                }
            }
            let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.sync_all()?;
            Some((path, length))
        };
        self.db.write(true, |transaction| {
            if let Some((path, length)) = &new_file {
                let new = pack::insert_pack(transaction, *length, None, true)?;
                fs_err::rename(path, pack::pack_file(&folder, new))?;
                transaction.execute("UPDATE pack SET synced = length WHERE id = ?1", [new])?;
                let mut update =
                    transaction.prepare("UPDATE blob SET pack = ?2, offset = ?3 WHERE hash = ?1")?;
                for (hash, offset) in &moved {
                    update.execute((hash, new, offset))?;
                }
                fs_err::File::open(folder.join("packs"))?.sync_all()?;
            }
            if !left_behind {
                transaction.execute("DELETE FROM pack WHERE id = ?1", [old])?;
            }
            Ok(())
        })?;
        if !left_behind {
            // A reader that still wants the old place finds the file gone and looks the new one up.
            let _ = std::fs::remove_file(pack::pack_file(&folder, old));
        }
        Ok(())
    }

    /// Files that a killed process left: packs that nothing names.
    fn remove_strays(&mut self) -> Result<()> {
        let packs = self.folder().join("packs");
        let Ok(entries) = std::fs::read_dir(&packs) else {
            return Ok(());
        };
        let names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        self.db.write(false, |transaction| {
            for name in names {
                let stem = name.strip_suffix(".pack").unwrap_or(&name);
                let stray = match stem.strip_prefix("new-") {
                    Some(pid) => pid
                        .parse::<u32>()
                        .is_ok_and(|pid| pid == std::process::id() || !platform::process_is_alive(pid)),
                    None => match stem.parse::<i64>() {
                        Ok(number) => !transaction
                            .prepare_cached("SELECT 1 FROM pack WHERE id = ?1")?
                            .exists([number])?,
                        Err(_) => false,
                    },
                };
                if stray {
                    let _ = std::fs::remove_file(packs.join(&name));
                }
            }
            Ok(())
        })
    }

    /// Gives free pages back when there are many, and keeps a copy of the index for the day it is damaged: whenever a
    /// person cleans up, and by itself once in a while.
    fn tidy_database(&mut self, asked_for: bool) -> Result<()> {
        let _writers = self.db.lock_writers()?;
        self.db.fold_all();
        let reader = self.db.reader();
        let pragma = |name: &str| reader.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        if pragma("freelist_count")? * 4 > pragma("page_count")? {
            reader.execute_batch("VACUUM")?;
            self.db.fold_all();
        }
        let copy_is_old = || {
            let made =
                std::fs::metadata(self.folder().join("store.db.backup")).and_then(|copy| copy.modified());
            made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > BACKUP_AGE))
        };
        if asked_for || copy_is_old() || self.head()? % BACKUP_EVERY == 0 {
            self.backup_index()?;
        }
        Ok(())
    }

    /// Copies the index beside itself. The caller holds the writers' lock.
    pub(crate) fn backup_index(&self) -> Result<()> {
        let copy = self.folder().join("store.db.backup");
        let temporary = self.folder().join("store.db.backup.new");
        let _ = std::fs::remove_file(&temporary);
        self.db.reader().execute("VACUUM INTO ?1", [temporary.to_string_lossy()])?;
        fs_err::File::open(&temporary)?.sync_all()?;
        fs_err::rename(&temporary, &copy)?;
        Ok(())
    }

    /// Bytes that all files of the store take.
    pub fn bytes_on_disk(&self) -> u64 {
        let length = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let of_folder = |path: &std::path::Path| -> u64 {
            std::fs::read_dir(path).map_or(0, |entries| {
                entries
                    .flatten()
                    .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
                    .map(|entry| length(&entry.path()))
                    .sum()
            })
        };
        of_folder(self.folder()) + of_folder(&self.folder().join("packs"))
    }
}

/// All content that is needed: what versions name, and what the changes name that kept checkpoints found.
pub(crate) fn named_content() -> String {
    format!(
        "SELECT hash FROM version WHERE kind <> 3
         UNION SELECT was_hash FROM {KEPT_CHANGES} AND was_kind <> 3 UNION SELECT is_hash FROM {KEPT_CHANGES} AND is_kind <> 3"
    )
}

/// Takes paths away that nothing names any more.
const UNNAMED_PATHS: &str = "DELETE FROM path WHERE id NOT IN (SELECT path FROM version)
     AND id NOT IN (SELECT path FROM observed) AND id NOT IN (SELECT path FROM change) AND id NOT IN (SELECT path FROM lines)";

/// The chunks of all large files that are needed; `None` if a list cannot be read.
fn needed_chunks(
    transaction: &Transaction<'_>,
    folder: &std::path::Path,
) -> Result<Option<HashSet<ContentHash>>> {
    let mut statement = transaction
        .prepare(&format!("SELECT hash FROM blob WHERE encoding = ?1 AND hash IN ({})", named_content()))?;
    let lists: Vec<ContentHash> = statement
        .query_map([format::Encoding::Chunks.code()], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let reader = PackReader::new(transaction, folder.to_path_buf());
    let mut chunks = HashSet::new();
    for list in lists {
        match reader.chunks_of(&list) {
            Ok(more) => chunks.extend(more),
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(chunks))
}
