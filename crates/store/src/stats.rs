//! How large the store is, and what is in it.

use crate::checkpoint::CheckpointKind;
use crate::{Result, Store};

/// So many of those that went are named.
const GONE_SHOWN: usize = 10;

/// Numbers about the store.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct Stats {
    /// The folder.
    pub folder: String,
    /// Checkpoints kept, by kind.
    pub turns: u64,
    /// Made by hand.
    pub manual: u64,
    /// Made before restores.
    pub safety: u64,
    /// Made at commits.
    pub commits: u64,
    /// Kept for ever.
    pub pinned: u64,
    /// Asked for by agents; counted above as well.
    pub by_agents: u64,
    /// Steps that are told of.
    pub steps: u64,
    /// Different pieces of content.
    pub contents: u64,
    /// Their length, decompressed.
    pub content_bytes: u64,
    /// Their length as stored.
    pub stored_bytes: u64,
    /// All files of the store.
    pub bytes_on_disk: u64,
    /// The index alone.
    pub index_bytes: u64,
    /// Pack files.
    pub packs: u64,
    /// Paths that any checkpoint knows.
    pub paths: u64,
    /// Versions of paths.
    pub versions: u64,
    /// Deleted files whose last copies went, because the store was too large or a setting says so.
    pub gone: crate::GoneReport,
}

impl Store<'_> {
    /// Counts everything.
    pub fn stats(&self) -> Result<Stats> {
        let reader = self.db.reader();
        let number = |sql: &str| reader.query_row(sql, [], |row| row.get::<_, u64>(0));
        Ok(Stats {
            folder: self.folder().display().to_string(),
            turns: self.count(CheckpointKind::Turn)?,
            manual: self.count(CheckpointKind::Manual)?,
            safety: self.count(CheckpointKind::Safety)?,
            commits: self.count(CheckpointKind::Commit)?,
            pinned: number("SELECT count(*) FROM checkpoint WHERE pinned AND expired_ms IS NULL")?,
            by_agents: number("SELECT count(*) FROM checkpoint WHERE by_agent AND expired_ms IS NULL")?,
            steps: number("SELECT count(*) FROM step")?,
            contents: number("SELECT count(*) FROM blob")?,
            content_bytes: number("SELECT ifnull(sum(size), 0) FROM blob WHERE encoding <> 2")?,
            stored_bytes: number("SELECT ifnull(sum(stored), 0) FROM blob")?,
            bytes_on_disk: self.bytes_on_disk(),
            index_bytes: std::fs::metadata(crate::db::file_in(self.folder()))
                .map_or(0, |metadata| metadata.len()),
            packs: number("SELECT count(*) FROM pack")?,
            paths: number("SELECT count(*) FROM path")?,
            versions: number("SELECT count(*) FROM version")?,
            gone: self.gone(GONE_SHOWN)?,
        })
    }
}
