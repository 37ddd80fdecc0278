//! When the index itself is damaged: put its backup copy in place and read the packs to find newer content.

use std::path::Path;

use project::{Context, Project};
use rusqlite::Connection;

use crate::db::{self, Database};
use crate::pack::{self, format};
use crate::{Error, Result, Store};

/// How much of a pack is read at a time while looking for records.
const STEP: usize = 1 << 20;

/// Copies of the index, the best one first.
const COPIES: [&str; 4] = ["store.db.backup", "store.db.v3", "store.db.v2", "store.db.v1"];

/// Puts a copy of the index in its place. `false`: it is no good, and nothing is there.
fn put_in_place(folder: &Path, copy: &Path) -> bool {
    let good = copy.is_file()
        && fs_err::copy(copy, db::file_in(folder)).is_ok()
        && Database::open(folder).is_ok_and(|database| quick_check(database.reader()).is_ok());
    if !good {
        for side in ["store.db", "store.db-wal", "store.db-shm"] {
            let _ = std::fs::remove_file(folder.join(side));
        }
    }
    good
}

impl<'p> Store<'p> {
    /// Opens the store; if its index is damaged, sets the damaged file aside and rebuilds what can be rebuilt. Says in
    /// words what it did, if it did anything.
    pub fn open_or_rebuild(context: &'p Context, project: &'p Project) -> Result<(Self, Option<String>)> {
        let folder = project.state();
        let damage = match Self::open(context, project) {
            Ok(store) => match quick_check(store.db.reader()) {
                Ok(()) => return Ok((store, None)),
                Err(detail) => detail,
            },
            Err(Error::DamagedIndex { detail, .. }) => detail,
            Err(error) => return Err(error),
        };
        let aside = folder.join(format!("store.db.damaged-{}", context.now_ms()));
        let was_there = db::file_in(folder).exists();
        if was_there {
            fs_err::rename(db::file_in(folder), &aside)?;
        }
        for side in ["store.db-wal", "store.db-shm"] {
            let _ = std::fs::rename(folder.join(side), aside.with_extension(side.replace('.', "-")));
        }
        let from_backup = COPIES.into_iter().find(|copy| put_in_place(folder, &folder.join(copy)));
        let mut store = Self::open_or_begin(context, project, true)?;
        let found = store.find_content_in_packs()?;
        let _ = std::fs::remove_file(store.index_file());
        let what = match from_backup {
            Some("store.db.backup") => {
                "the checkpoints up to the last clean-up came back from the backup copy of the index"
            }
            Some(_) => {
                "the checkpoints from before vib was updated came back from the copy that was made then"
            }
            None => {
                "there was no backup copy of the index, so the list of checkpoints is lost; a new one begins"
            }
        };
        let kept = if was_there {
            format!("The damaged file is kept as `{}`; ", aside.display())
        } else {
            String::new()
        };
        Ok((
            store,
            Some(format!(
                "the index was damaged ({damage}); {what}. {kept}{found} pieces of content were found in the packs"
            )),
        ))
    }

    /// Reads all packs and enters every whole record that the index does not know.
    fn find_content_in_packs(&mut self) -> Result<u64> {
        let packs = self.folder().join("packs");
        let Ok(entries) = std::fs::read_dir(&packs) else {
            return Ok(0);
        };
        let mut numbers: Vec<i64> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".pack")?.parse().ok())
            .collect();
        numbers.sort_unstable();
        let folder = self.folder().to_path_buf();
        self.db.write(true, |transaction| {
            let mut found = 0;
            // A copy may be from before packs were cleaned: what it says about those that are gone is found anew.
            let known: Vec<i64> = transaction
                .prepare("SELECT id FROM pack")?
                .query_map([], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            for number in known.into_iter().filter(|number| !numbers.contains(number)) {
                transaction.execute("DELETE FROM blob WHERE pack = ?1", [number])?;
                transaction.execute("DELETE FROM pack WHERE id = ?1", [number])?;
            }
            for number in numbers {
                let file = pack::pack_file(&folder, number);
                let length = fs_err::metadata(&file)?.len();
                transaction.execute(
                    "INSERT INTO pack (id, length, synced, closed) VALUES (?1, ?2, ?2, 1)
                     ON CONFLICT (id) DO UPDATE SET length = ?2, closed = 1",
                    (number, length),
                )?;
                for (offset, header) in records(&file)? {
                    found += transaction
                        .prepare_cached(
                            "INSERT INTO blob (hash, pack, offset, stored, size, encoding)
                             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (hash) DO NOTHING",
                        )?
                        .execute((
                            header.hash,
                            number,
                            offset,
                            header.stored,
                            header.size,
                            header.encoding.code(),
                        ))? as u64;
                }
            }
            Ok(found)
        })
    }
}

fn quick_check(connection: &Connection) -> std::result::Result<(), String> {
    let answer = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match answer {
        Ok(answer) if answer == "ok" => Ok(()),
        Ok(answer) => Err(answer),
        Err(error) => Err(error.to_string()),
    }
}

/// The whole records of a pack, wherever they begin: after bytes that are no record, the next beginning is looked for.
fn records(file: &Path) -> Result<Vec<(u64, format::Header)>> {
    use std::io::{Read, Seek, SeekFrom};
    let mut pack = fs_err::File::open(file)?;
    let length = pack.metadata()?.len();
    let mut out = Vec::new();
    let mut at = 0;
    while at + (format::HEADER + format::TRAILER) as u64 <= length {
        pack.seek(SeekFrom::Start(at))?;
        let mut head = [0; format::HEADER];
        pack.read_exact(&mut head)?;
        if let Some(header) = format::read_header(&head) {
            let whole = format::HEADER + header.stored as usize + format::TRAILER;
            if at + whole as u64 <= length {
                let mut record = vec![0; whole];
                pack.seek(SeekFrom::Start(at))?;
                pack.read_exact(&mut record)?;
                if format::checked_content(&record, &header.hash).is_ok() {
                    out.push((at, header));
                    at += whole as u64;
                    continue;
                }
            }
        }
        // Look for the next beginning.
        let mut window = vec![0; STEP];
        pack.seek(SeekFrom::Start(at + 1))?;
        let read = pack.read(&mut window)?;
        match window[..read].windows(4).position(|bytes| bytes == format::MAGIC) {
            Some(next) => at += 1 + next as u64,
            None if read < 4 => break,
            None => at += read as u64 - 3,
        }
    }
    Ok(out)
}
