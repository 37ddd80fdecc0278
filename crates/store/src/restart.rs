//! After the machine itself went down: content that was written but never flushed may be missing.
//!
//! Automatic checkpoints do not wait for the disk. Each pack remembers up to where it was flushed and during which start
//! of the machine the rest was written. If the machine has been restarted since, that rest is verified once, record by
//! record; what is damaged is taken out of the index of content, so that it is stored again when it is seen again.

use project::platform;

use crate::pack::PackReader;
use crate::{ContentHash, Result, Store};

impl Store<'_> {
    pub(crate) fn settle_after_restart(&mut self) -> Result<()> {
        let Some(boot) = platform::boot_id() else {
            return Ok(());
        };
        let doubtful: Vec<(i64, u64)> = {
            let mut statement = self.db.reader().prepare_cached(
                "SELECT id, synced FROM pack WHERE synced < length AND boot IS NOT NULL AND boot <> ?1",
            )?;
            statement
                .query_map([&boot], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?
        };
        if doubtful.is_empty() {
            return Ok(());
        }
        let mut lost: Vec<ContentHash> = Vec::new();
        {
            let reader = PackReader::new(self.db.reader(), self.folder().to_path_buf());
            for (pack, synced) in &doubtful {
                let mut statement = self
                    .db
                    .reader()
                    .prepare_cached("SELECT hash FROM blob WHERE pack = ?1 AND offset >= ?2")?;
                let hashes: Vec<ContentHash> = statement
                    .query_map((pack, synced), |row| row.get(0))?
                    .collect::<rusqlite::Result<_>>()?;
                lost.extend(hashes.into_iter().filter(|hash| reader.verify(hash).is_err()));
            }
        }
        let folder = self.folder().to_path_buf();
        self.db.write(true, |transaction| {
            for hash in &lost {
                transaction.execute("DELETE FROM blob WHERE hash = ?1", [hash])?;
            }
            for (pack, _) in &doubtful {
                let there =
                    std::fs::metadata(crate::pack::pack_file(&folder, *pack)).map_or(0, |file| file.len());
                transaction.execute(
                    "UPDATE pack SET length = min(length, ?2), synced = min(length, ?2) WHERE id = ?1",
                    (pack, there),
                )?;
            }
            Ok(())
        })?;
        if !lost.is_empty() {
            // The index would say "unchanged, already stored" for files whose content is gone.
            let _ = std::fs::remove_file(self.index_file());
        }
        Ok(())
    }
}
