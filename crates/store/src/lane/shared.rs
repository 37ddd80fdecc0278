//! Content of another store: its packs get a second name in the folder of this one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use project::platform;
use rusqlite::{Connection, Transaction};

use crate::hash::ContentHash;
use crate::pack::{self, PackReader};
use crate::{Result, Store};

/// Under this name the index says which packs came from another store.
const SHARED: &str = "shared_packs";

/// The bytes of these packs are somebody else's: they do not count against the limit of this store.
pub(crate) fn own_bytes_condition(connection: &Connection) -> Result<String> {
    let shared = shared_packs(connection)?;
    let list: Vec<String> = shared.iter().map(ToString::to_string).collect();
    Ok(format!("pack NOT IN ({})", list.join(", ")))
}

fn shared_packs(connection: &Connection) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached("SELECT value FROM about WHERE name = ?1")?;
    let text: Option<String> = statement.query_map([SHARED], |row| row.get(0))?.next().transpose()?;
    Ok(text.unwrap_or_default().split(',').filter_map(|number| number.parse().ok()).collect())
}

/// Where a record lies, and how.
#[derive(Debug, Clone, Copy)]
struct Row {
    pack: i64,
    offset: u64,
    stored: u32,
    size: u64,
    encoding: u8,
}

/// How a list of chunks is marked.
const CHUNKS: u8 = 2;

/// Records of another store that this one is going to have as well.
#[derive(Debug, Default)]
pub(super) struct Shared {
    rows: BTreeMap<ContentHash, Row>,
    /// Packs that hold them: length, how much of it is on the disk, during which start of the machine it was written.
    packs: BTreeMap<i64, (u64, u64, Option<String>)>,
}

impl Shared {
    /// Finds the records of this content. Whoever asks holds the tree lock of `from`, so that cleaning up moves none of them.
    pub(super) fn find(from: &Store<'_>, wanted: &HashSet<ContentHash>) -> Result<Self> {
        let mut out = Self::default();
        let reader = from.db.reader();
        let _moment = from.db.one_moment()?;
        let mut lists = Vec::new();
        let mut take = |hash: ContentHash, row: Row, out: &mut Self| {
            if row.encoding == CHUNKS {
                lists.push(hash);
            }
            out.rows.insert(hash, row);
        };
        let all: u64 = reader.query_row("SELECT count(*) FROM blob", [], |row| row.get(0))?;
        let columns = "hash, pack, offset, stored, size, encoding";
        if wanted.len() as u64 * 4 > all {
            // To read the table from end to end is quicker than so many single questions.
            let mut statement = reader.prepare(&format!("SELECT {columns} FROM blob"))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let hash: ContentHash = row.get(0)?;
                if wanted.contains(&hash) {
                    take(hash, read(row)?, &mut out);
                }
            }
        } else {
            let mut statement = reader.prepare(&format!("SELECT {columns} FROM blob WHERE hash = ?1"))?;
            for hash in wanted {
                let mut rows = statement.query([hash])?;
                if let Some(row) = rows.next()? {
                    take(*hash, read(row)?, &mut out);
                }
            }
        }
        out.add_chunks(from, &lists)?;
        for hash in wanted {
            if !out.rows.contains_key(hash) {
                // Says whether it is damage or was let go.
                from.content(hash)?;
            }
        }
        let mut statement = reader.prepare("SELECT length, synced, boot FROM pack WHERE id = ?1")?;
        for row in out.rows.values() {
            if let std::collections::btree_map::Entry::Vacant(place) = out.packs.entry(row.pack) {
                place.insert(
                    statement.query_row([row.pack], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?,
                );
            }
        }
        Ok(out)
    }

    /// A large file is a list, and the list's chunks.
    fn add_chunks(&mut self, from: &Store<'_>, lists: &[ContentHash]) -> Result<()> {
        let reader: PackReader<'_> = from.reader();
        let connection = from.db.reader();
        let mut statement = connection
            .prepare("SELECT hash, pack, offset, stored, size, encoding FROM blob WHERE hash = ?1")?;
        for list in lists {
            for chunk in reader.chunks_of(list)? {
                let row = statement
                    .query_row([chunk], |row| read(row).map_err(|_| rusqlite::Error::QueryReturnedNoRows))?;
                self.rows.insert(chunk, row);
            }
        }
        Ok(())
    }

    /// Gives the packs a second name in `folder`, and enters the records.
    pub(super) fn enter(&self, transaction: &Transaction<'_>, from: &Path, folder: &Path) -> Result<()> {
        platform::make_private_dir(&folder.join("packs"))?;
        let mut numbers: HashMap<i64, i64> = HashMap::new();
        for (pack, (length, synced, boot)) in &self.packs {
            let number = pack::insert_pack(transaction, *length, boot.as_deref(), true)?;
            transaction
                .prepare_cached("UPDATE pack SET synced = ?2 WHERE id = ?1")?
                .execute((number, synced))?;
            second_name(&pack::pack_file(from, *pack), &pack::pack_file(folder, number))?;
            numbers.insert(*pack, number);
        }
        let mut insert = transaction.prepare_cached(
            "INSERT INTO blob (hash, pack, offset, stored, size, encoding) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (hash) DO NOTHING",
        )?;
        for (hash, row) in &self.rows {
            let Some(pack) = numbers.get(&row.pack) else { continue };
            insert.execute((hash, pack, row.offset, row.stored, row.size, row.encoding))?;
        }
        let mut all = shared_packs(transaction)?;
        all.extend(numbers.values());
        all.sort_unstable();
        let list: Vec<String> = all.iter().map(ToString::to_string).collect();
        transaction
            .prepare_cached("INSERT OR REPLACE INTO about (name, value) VALUES (?1, ?2)")?
            .execute((SHARED, list.join(",")))?;
        Ok(())
    }
}

fn read(row: &rusqlite::Row<'_>) -> Result<Row> {
    Ok(Row {
        pack: row.get(1)?,
        offset: row.get(2)?,
        stored: row.get(3)?,
        size: row.get(4)?,
        encoding: row.get(5)?,
    })
}

/// A second name for a file, or, where the disk has no such thing, a copy.
fn second_name(from: &Path, to: &Path) -> Result<()> {
    let _ = std::fs::remove_file(to);
    if std::fs::hard_link(from, to).is_err() {
        fs_err::copy(from, to)?;
    }
    Ok(())
}
