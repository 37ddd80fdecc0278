//! The rows that say which content a path had from which checkpoint on. See [`crate::db`] for the idea.

use rusqlite::{Connection, OptionalExtension, Row, Transaction};

use crate::Result;
use crate::entry::{Entry, EntryKind};

const ENTRY_COLUMNS: &str = "kind, mode, size, hash, sensitive";

fn entry_from(row: &Row<'_>, at: usize) -> rusqlite::Result<Entry> {
    Ok(Entry {
        kind: EntryKind::from_code(row.get(at)?).unwrap_or(EntryKind::File),
        mode: row.get(at + 1)?,
        size: row.get(at + 2)?,
        hash: row.get(at + 3)?,
        sensitive: row.get(at + 4)?,
    })
}

/// The number of a path, made if there is none yet.
pub(crate) fn path_id(transaction: &Transaction<'_>, path: &[u8]) -> Result<i64> {
    if let Some(id) = find_path(transaction, path)? {
        return Ok(id);
    }
    new_path(transaction, path)
}

/// The number of a path that has none yet.
pub(crate) fn new_path(transaction: &Transaction<'_>, path: &[u8]) -> Result<i64> {
    transaction
        .prepare_cached("INSERT INTO path (hash, path) VALUES (?1, ?2)")?
        .execute((path_hash(path), path))?;
    Ok(transaction.last_insert_rowid())
}

/// The number of a path, if it has one.
pub(crate) fn find_path(connection: &Connection, path: &[u8]) -> Result<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT id FROM path WHERE hash = ?1 AND path = ?2")?;
    Ok(statement.query_row((path_hash(path), path), |row| row.get(0)).optional()?)
}

/// True if the whole tree was looked at before. Until then a file that nobody named has not come: it was never looked at.
pub(crate) fn was_walked(connection: &Connection) -> Result<bool> {
    Ok(connection.prepare_cached("SELECT 1 FROM checkpoint WHERE whole_tree LIMIT 1")?.exists([])?)
}

/// Paths are found by a short hash: an index over the paths themselves would be as large as the paths. There is one row
/// for each path because there is one writer, who looks before adding.
fn path_hash(path: &[u8]) -> i64 {
    xxhash_rust::xxh3::xxh3_64(path).cast_signed()
}

/// The text of a path.
pub(crate) fn path_text(connection: &Connection, id: i64) -> Result<Vec<u8>> {
    Ok(connection.prepare_cached("SELECT path FROM path WHERE id = ?1")?.query_row([id], |row| row.get(0))?)
}

/// Records that `path` is `now` as of checkpoint `seq`. Returns what it was, if that is different.
pub(crate) fn record(
    transaction: &Transaction<'_>,
    seq: i64,
    path: i64,
    now: Option<&Entry>,
) -> Result<Option<Option<Entry>>> {
    let newest: Option<(i64, Entry)> = transaction
        .prepare_cached(&format!(
            "SELECT first, {ENTRY_COLUMNS}, last FROM version WHERE path = ?1 ORDER BY first DESC LIMIT 1"
        ))?
        .query_row([path], |row| Ok((row.get(0)?, entry_from(row, 1)?, row.get::<_, Option<i64>>(6)?)))
        .optional()?
        .filter(|(_, _, last)| last.is_none())
        .map(|(first, entry, _)| (first, entry));
    match (&newest, now) {
        (None, None) => return Ok(None),
        (Some((_, was)), Some(now)) if was == now => return Ok(None),
        _ => {}
    }
    if let Some((first, _)) = newest {
        transaction
            .prepare_cached("UPDATE version SET last = ?3 WHERE path = ?1 AND first = ?2")?
            .execute((path, first, seq))?;
    }
    if let Some(now) = now {
        insert(transaction, seq, path, now)?;
    }
    Ok(Some(newest.map(|(_, entry)| entry)))
}

/// Adds a version without looking for an older one: for the first checkpoint.
pub(crate) fn insert(transaction: &Transaction<'_>, seq: i64, path: i64, entry: &Entry) -> Result<()> {
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO version (path, first, kind, mode, size, hash, sensitive)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute((path, seq, entry.kind.code(), entry.mode, entry.size, entry.hash, entry.sensitive))?;
    Ok(())
}

/// What a path was at a checkpoint.
pub(crate) fn at(connection: &Connection, seq: i64, path: i64) -> Result<Option<Entry>> {
    // The newest version that began by then; it counts if it had not ended.
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {ENTRY_COLUMNS}, last FROM version WHERE path = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1"
    ))?;
    let found = statement
        .query_row((path, seq), |row| Ok((entry_from(row, 0)?, row.get::<_, Option<i64>>(5)?)))
        .optional()?;
    Ok(found.filter(|(_, last)| last.is_none_or(|last| last > seq)).map(|(entry, _)| entry))
}

/// What a path was right before a checkpoint, also if the one that saw it was let go since.
pub(crate) fn before(connection: &Connection, seq: i64, path: i64) -> Result<Option<Entry>> {
    let found: Option<Option<Entry>> = connection
        .prepare_cached(
            "SELECT was_kind, was_mode, was_size, was_hash, was_sensitive FROM change WHERE path = ?1 AND seq = ?2 LIMIT 1",
        )?
        .query_row((path, seq), |row| {
            let there = row.get::<_, Option<u8>>(0)?.is_some();
            there.then(|| entry_from(row, 0)).transpose()
        })
        .optional()?;
    found.map_or_else(|| at(connection, seq - 1, path), Ok)
}

/// The numbers of the paths that were recorded as different after `from`, up to and including `to`.
pub(crate) fn changed_between(connection: &Connection, from: i64, to: i64) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(
        "SELECT path FROM version WHERE first > ?1 AND first <= ?2
         UNION SELECT path FROM version WHERE last > ?1 AND last <= ?2",
    )?;
    Ok(statement.query_map((from, to), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// The numbers of the checkpoints after `from` that found a path different, in order.
pub(crate) fn borders(connection: &Connection, path: i64, from: i64) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(
        "SELECT first FROM version WHERE path = ?1 AND first > ?2
         UNION SELECT last FROM version WHERE path = ?1 AND last > ?2 ORDER BY 1",
    )?;
    Ok(statement.query_map((path, from), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Every version that the ledger tells of, path by path, also those that no kept checkpoint has: the path, from which look on, and until
/// which.
pub(crate) fn each_told(
    connection: &Connection,
    mut each: impl FnMut(i64, i64, Option<i64>, Entry),
) -> Result<()> {
    let mut statement = connection.prepare(
        "SELECT path, seq, was_kind, was_mode, was_size, was_hash, was_sensitive, is_kind, is_mode, is_size, is_hash, is_sensitive
         FROM change ORDER BY path, seq",
    )?;
    let mut rows = statement.query([])?;
    let mut open: Option<(i64, i64, Option<Entry>)> = None;
    while let Some(row) = rows.next()? {
        let (path, seq): (i64, i64) = (row.get(0)?, row.get(1)?);
        let entry = |at: usize| -> rusqlite::Result<Option<Entry>> {
            row.get::<_, Option<u8>>(at)?.is_some().then(|| entry_from(row, at)).transpose()
        };
        match open.take() {
            Some((same, first, now)) if same == path => {
                if first < seq
                    && let Some(now) = now
                {
                    each(path, first, Some(seq), now);
                }
            }
            other => {
                if let Some((path, first, Some(now))) = other {
                    each(path, first, None, now);
                }
                if let Some(was) = entry(2)? {
                    each(path, i64::MIN, Some(seq), was);
                }
            }
        }
        open = Some((path, seq, entry(7)?));
    }
    if let Some((path, first, Some(now))) = open {
        each(path, first, None, now);
    }
    Ok(())
}

/// Every version there is, path by path, each in its order.
pub(crate) fn each(
    connection: &Connection,
    mut each: impl FnMut(i64, i64, Option<i64>, Entry) -> Result<()>,
) -> Result<()> {
    let mut statement = connection
        .prepare(&format!("SELECT path, first, last, {ENTRY_COLUMNS} FROM version ORDER BY path, first"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        each(row.get(0)?, row.get(1)?, row.get(2)?, entry_from(row, 3)?)?;
    }
    Ok(())
}

/// The first look of which anything is kept.
pub(crate) fn oldest(connection: &Connection) -> Result<Option<i64>> {
    Ok(connection.prepare_cached("SELECT min(first) FROM version")?.query_row([], |row| row.get(0))?)
}

/// Every path and what it was at a checkpoint, in order of path.
pub(crate) fn all_at(
    connection: &Connection,
    seq: i64,
    mut each: impl FnMut(Vec<u8>, Entry) -> Result<()>,
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT p.path, v.kind, v.mode, v.size, v.hash, v.sensitive FROM path p JOIN version v ON v.path = p.id
         WHERE v.first <= ?1 AND (v.last IS NULL OR v.last > ?1) ORDER BY p.path",
    )?;
    let mut rows = statement.query([seq])?;
    while let Some(row) = rows.next()? {
        each(row.get(0)?, entry_from(row, 1)?)?;
    }
    Ok(())
}
