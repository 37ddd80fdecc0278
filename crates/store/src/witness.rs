//! A small record outside the store: how many checkpoints are kept and which is the newest. If the store does not know that one any
//! more, it was erased, emptied or rolled back by somebody, and everybody has to hear of it. (S6)
//!
//! Written after every new checkpoint, in some 20 µs, without waiting for the disk. While something is lost it is not written, so that the next save
//! does not hide the loss; a repair accepts what is there and begins a new record.

use project::platform;
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};

use crate::checkpoint::Checkpoint;
use crate::{Result, Store, pack};

const SCHEMA_VERSION: u32 = 1;

/// A record has always this length, so that one written over another leaves nothing of it.
const RECORD_LENGTH: usize = 240;

/// After a power cut the newest checkpoints may be missing: those of so many milliseconds.
const UNFLUSHED_MS: i64 = 10 * 60_000;

/// What is written down.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Record {
    schema_version: u32,
    /// Checkpoints that were kept.
    kept: u64,
    /// The id of the newest.
    newest: String,
    /// When it was made.
    newest_ms: i64,
    /// During which start of the machine.
    boot: Option<String>,
}

/// What the store has lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// What is missing.
    pub what: Missing,
    /// Checkpoints that were kept when last seen.
    pub kept: u64,
    /// The newest of them.
    pub newest: String,
    /// When it was made, milliseconds since 1970.
    pub newest_ms: i64,
    /// Checkpoints that are left.
    pub left: u64,
}

/// What is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Checkpoints that vib made and never let go.
    Checkpoints,
    /// Files with saved content are gone or cut short.
    Content,
}

impl Store<'_> {
    /// What the store has lost since it was last written to, if anything. Costs a few look-ups: meant for the beginning of every command.
    pub fn lost(&self) -> Result<Option<Lost>> {
        let record = self.record();
        let what = if self.newest_is_missing(record.as_ref())? {
            Missing::Checkpoints
        } else if self.content_is_missing()? {
            Missing::Content
        } else {
            return Ok(None);
        };
        let record = match record {
            Some(record) => record,
            None => match self.newest_checkpoint()? {
                Some(newest) => self.record_of(&newest)?,
                None => return Ok(None),
            },
        };
        let left = self.kept_count()?;
        Ok(Some(Lost { what, kept: record.kept, newest: record.newest, newest_ms: record.newest_ms, left }))
    }

    /// Notes a new checkpoint outside the store. Failing to do so costs nothing but the proof, so it is no error.
    pub(crate) fn note_outside(&self, newest: &Checkpoint) {
        let old = self.record();
        // Asked once: whoever opened a store that had lost something does not cover it up.
        let covers_up =
            *self.lost_before.get_or_init(|| self.newest_is_missing(old.as_ref()).unwrap_or(true));
        if covers_up {
            return;
        }
        let record = match old {
            // Counting takes longer than everything else here, so it is done with looks at the whole tree.
            Some(old) if !newest.whole_tree => Ok(Record { kept: old.kept + 1, ..Record::at(newest) }),
            _ => self.record_of(newest),
        };
        if let Ok(record) = record {
            self.write_record(&record);
        }
    }

    /// Takes what is there for what should be there: the person has heard what is lost.
    pub(crate) fn accept_losses(&self) -> Result<()> {
        match self.newest_checkpoint()? {
            Some(newest) => self.write_record(&self.record_of(&newest)?),
            None => {
                let _ = std::fs::remove_file(self.project.kept_record());
            }
        }
        Ok(())
    }

    fn record(&self) -> Option<Record> {
        let text = std::fs::read_to_string(self.project.kept_record()).ok()?;
        let (checksum, json) = text.split_once(' ')?;
        // Read while it is written, it may be half of each: then it says nothing.
        if checksum != format!("{:016x}", xxhash_rust::xxh3::xxh3_64(json.as_bytes())) {
            return None;
        }
        serde_json::from_str::<Record>(json).ok().filter(|record| record.schema_version == SCHEMA_VERSION)
    }

    /// Writes in place: to replace the file by another one makes some file systems wait for the disk, a millisecond for every save.
    fn write_record(&self, record: &Record) {
        let Ok(json) = serde_json::to_string(record) else { return };
        let json = format!("{json:<RECORD_LENGTH$}\n");
        let text = format!("{:016x} {json}", xxhash_rust::xxh3::xxh3_64(json.as_bytes()));
        let file = std::fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(self.project.kept_record());
        if let Ok(mut file) = file {
            let _ = std::io::Write::write_all(&mut file, text.as_bytes());
        }
    }

    fn record_of(&self, newest: &Checkpoint) -> Result<Record> {
        Ok(Record { kept: self.kept_count()?, ..Record::at(newest) })
    }

    fn kept_count(&self) -> Result<u64> {
        let mut statement =
            self.db.reader().prepare_cached("SELECT count(*) FROM checkpoint WHERE expired_ms IS NULL")?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    fn newest_checkpoint(&self) -> Result<Option<Checkpoint>> {
        self.checkpoint(self.head()?)
    }

    fn newest_is_missing(&self, record: Option<&Record>) -> Result<bool> {
        let Some(record) = record else { return Ok(false) };
        let reader = self.db.reader();
        let known = reader
            .prepare_cached("SELECT 1 FROM checkpoint WHERE id = ?1 AND created_ms = ?2")?
            .exists((&record.newest, record.newest_ms))?;
        if known {
            return Ok(false);
        }
        let newest_ms: Option<i64> = reader
            .prepare_cached("SELECT created_ms FROM checkpoint ORDER BY seq DESC LIMIT 1")?
            .query_row([], |row| row.get(0))
            .optional()?;
        let restarted = record.boot.is_some() && record.boot != platform::boot_id();
        let recent = newest_ms.is_some_and(|newest_ms| record.newest_ms - newest_ms <= UNFLUSHED_MS);
        Ok(!(restarted && recent))
    }

    /// True if a pack is gone or shorter than what was written to it.
    fn content_is_missing(&self) -> Result<bool> {
        let reader = self.db.reader();
        let packs: Vec<i64> = reader
            .prepare_cached("SELECT id FROM pack WHERE length > 0")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for pack in packs {
            // Cleaning up takes packs away while others look: what is short is looked up once more.
            if self.is_cut_short(pack)? && self.is_cut_short(pack)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_cut_short(&self, pack: i64) -> Result<bool> {
        let there = std::fs::metadata(pack::pack_file(self.folder(), pack)).map_or(0, |file| file.len());
        let known: Option<(u64, u64, Option<String>)> = self
            .db
            .reader()
            .prepare_cached("SELECT length, synced, boot FROM pack WHERE id = ?1")?
            .query_row([pack], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?;
        let Some((length, synced, boot)) = known else { return Ok(false) };
        // What was not flushed when the machine went down may be missing; that is settled at the next look.
        let restarted = || boot.is_some() && boot != platform::boot_id();
        Ok(there < length && (there < synced || !restarted()))
    }
}

impl Record {
    fn at(newest: &Checkpoint) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            kept: 0,
            newest: newest.id.to_string(),
            newest_ms: newest.created_ms,
            boot: platform::boot_id(),
        }
    }
}
