//! Getting records into pack files, and pack files onto the disk.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use project::platform;
use rusqlite::{OptionalExtension, Transaction};

use super::sink::{BlobRow, Output};
use crate::Result;

/// A shared pack is closed when it is longer than this; cleaning up works pack by pack.
const SHARED_PACK_LIMIT: u64 = 64 << 20;

/// The file of a pack.
pub(crate) fn pack_file(folder: &Path, pack: i64) -> PathBuf {
    folder.join("packs").join(format!("{pack:06}.pack"))
}

/// A new pack file that has no number yet. Named so that cleaning up recognises it when its maker died.
pub(crate) fn create_own_pack(folder: &Path) -> Result<(PathBuf, File)> {
    let packs = folder.join("packs");
    platform::make_private_dir(&packs)?;
    let path = packs.join(format!("new-{}.pack", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let file = platform::open_private_append(&path)?;
    Ok((path, file))
}

/// Puts a sink's output where it stays and enters the records. Part of the commit: the caller is the one writer.
pub(crate) fn place(
    transaction: &Transaction<'_>,
    folder: &Path,
    output: Output,
    rows: &mut [BlobRow],
    boot: Option<&str>,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let (pack, base) = match output {
        Output::Memory(bytes) => append_to_open_pack(transaction, folder, &bytes, boot)?,
        Output::OwnPack { path, file, length } => {
            let pack = insert_pack(transaction, length, boot, true)?;
            fs_err::rename(&path, pack_file(folder, pack))?;
            // A later safety checkpoint has to wait until this is on the disk: the sooner it begins, the better.
            platform::begin_flush(&file);
            (pack, 0)
        }
    };
    // In the order of the key: the table is built page after page.
    rows.sort_unstable_by_key(|row| row.hash);
    let mut insert = transaction.prepare_cached(
        "INSERT INTO blob (hash, pack, offset, stored, size, encoding) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (hash) DO NOTHING",
    )?;
    for row in rows.iter() {
        insert.execute((row.hash, pack, base + row.offset, row.stored, row.size, row.encoding.code()))?;
    }
    Ok(())
}

/// Appends bytes to the shared pack; returns the pack and where they begin. The caller is the one writer.
fn append_to_open_pack(
    transaction: &Transaction<'_>,
    folder: &Path,
    bytes: &[u8],
    boot: Option<&str>,
) -> Result<(i64, u64)> {
    let open: Option<(i64, u64)> = transaction
        .prepare_cached("SELECT id, length FROM pack WHERE closed = 0 ORDER BY id DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let is_whole = |(pack, length): &(i64, u64)| {
        std::fs::metadata(pack_file(folder, *pack)).map_or(0, |file| file.len()) >= *length
    };
    let pack = match open {
        Some(open) if is_whole(&open) => open.0,
        _ => {
            // One that was cut short is left as it is: appending to it would hide that.
            transaction.prepare_cached("UPDATE pack SET closed = 1 WHERE closed = 0")?.execute([])?;
            platform::make_private_dir(&folder.join("packs"))?;
            insert_pack(transaction, 0, boot, false)?
        }
    };
    let mut file = platform::open_private_append(&pack_file(folder, pack))?;
    // The end of the file, not the length we remember: a writer that died may have left bytes behind.
    let start = file.seek(SeekFrom::End(0))?;
    if let Err(error) = file.write_all(bytes) {
        // Nothing refers to the partial record; give the space back if the disk lets us.
        let _ = file.set_len(start);
        return Err(error.into());
    }
    let length = start + bytes.len() as u64;
    transaction
        .prepare_cached("UPDATE pack SET length = ?2, boot = ?3, closed = ?4 WHERE id = ?1")?
        .execute((pack, length, boot, length >= SHARED_PACK_LIMIT))?;
    Ok((pack, start))
}

pub(crate) fn insert_pack(
    transaction: &Transaction<'_>,
    length: u64,
    boot: Option<&str>,
    closed: bool,
) -> Result<i64> {
    transaction
        .prepare_cached("INSERT INTO pack (length, synced, boot, closed) VALUES (?1, 0, ?2, ?3)")?
        .execute((length, boot, closed))?;
    Ok(transaction.last_insert_rowid())
}

/// Flushes every pack that has bytes which may not be on the disk yet. Needed before a durable commit, because that
/// commit may refer to content that an earlier, hastier one wrote.
pub(crate) fn sync_unsynced(transaction: &Transaction<'_>, folder: &Path) -> Result<()> {
    let mut statement = transaction.prepare_cached("SELECT id, length FROM pack WHERE synced < length")?;
    let waiting: Vec<(i64, u64)> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    if waiting.is_empty() {
        return Ok(());
    }
    for (pack, length) in waiting {
        match fs_err::File::open(pack_file(folder, pack)) {
            Ok(file) => file.sync_all()?,
            // Somebody removed it. That is told elsewhere, and no reason to save nothing more.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error.into()),
        }
        transaction.prepare_cached("UPDATE pack SET synced = ?2 WHERE id = ?1")?.execute((pack, length))?;
    }
    // The names of new packs.
    fs_err::File::open(folder.join("packs"))?.sync_all()?;
    Ok(())
}
