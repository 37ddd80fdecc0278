//! What went for good: the last copies of deleted files that retention had to let go. Written down, so that it can be said.

use rusqlite::Transaction;

use crate::{Result, Store};

/// So many are remembered, the newest ones.
const REMEMBERED: i64 = 10_000;

/// A file that was deleted and whose last copy retention let go.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Gone {
    /// Its path.
    pub path: String,
    /// Its length.
    pub size: u64,
    /// When it went, milliseconds since 1970.
    pub gone_ms: i64,
}

/// All that went.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct GoneReport {
    /// How many files.
    pub files: u64,
    /// Their length together.
    pub bytes: u64,
    /// The newest of them.
    pub newest: Vec<Gone>,
}

impl Store<'_> {
    /// The deleted files whose last copies went, the newest `limit` by name.
    pub fn gone(&self, limit: usize) -> Result<GoneReport> {
        let reader = self.db.reader();
        let (files, bytes) = reader
            .prepare_cached("SELECT count(*), ifnull(sum(size), 0) FROM gone")?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut statement = reader
            .prepare_cached("SELECT path, size, gone_ms FROM gone ORDER BY gone_ms DESC, path LIMIT ?1")?;
        let rows = statement.query_map([i64::try_from(limit).unwrap_or(-1)], |row| {
            let path: Vec<u8> = row.get(0)?;
            let path = project::RelPath::new(&path)
                .map_or_else(|_| String::from_utf8_lossy(&path).into_owned(), |path| path.to_string());
            Ok(Gone { path, size: row.get(1)?, gone_ms: row.get(2)? })
        })?;
        Ok(GoneReport { files, bytes, newest: rows.collect::<rusqlite::Result<_>>()? })
    }
}

/// Writes down which of the contents in the table `unneeded`, which are about to go, were the last of a deleted file.
pub(crate) fn record(transaction: &Transaction<'_>, now: i64) -> Result<()> {
    let some = transaction.execute(
        "INSERT OR REPLACE INTO gone (path, hash, size, gone_ms)
         SELECT p.path, c.was_hash, c.was_size, ?1 FROM change c JOIN temp.unneeded u ON u.hash = c.was_hash
         JOIN path p ON p.id = c.path
         WHERE c.is_kind IS NULL AND c.was_kind = 1 AND c.was_size > 0
           AND NOT EXISTS (SELECT 1 FROM change l WHERE l.path = c.path AND l.seq > c.seq)
           AND NOT EXISTS (SELECT 1 FROM version v WHERE v.path = c.path AND v.last IS NULL)",
        [now],
    )?;
    if some > 0 {
        transaction.execute(
            "DELETE FROM gone WHERE (path, hash) IN
                 (SELECT path, hash FROM gone ORDER BY gone_ms DESC LIMIT -1 OFFSET ?1)",
            [REMEMBERED],
        )?;
    }
    Ok(())
}

/// Forgets what is there again.
pub(crate) fn forget_returned(transaction: &Transaction<'_>) -> Result<()> {
    transaction.execute("DELETE FROM gone WHERE hash IN (SELECT hash FROM blob)", [])?;
    Ok(())
}
