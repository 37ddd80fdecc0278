//! The index of checkpoints: one SQLite file in WAL mode.
//!
//! **How a tree is kept.** There is no list of files per checkpoint. Each *version* of a path is one row that says from
//! which checkpoint on it was seen (`first`) and at which one it was seen to be gone or different (`last`, empty while
//! it is current). A checkpoint of 100,000 files in which one changed adds one row and closes one. The state at a
//! checkpoint `s` is the set of rows with `first <= s < last`; what changed between two checkpoints is found through the
//! indexes on `first` and `last`, in time proportional to the change.
//!
//! **Who writes.** Every writer holds `write.lock` (a waiting lock of the operating system) around its transaction, so
//! SQLite's own busy answer never reaches a person. Ordinary saves commit without waiting for the disk, as git does; after
//! a power cut the newest may be missing, never damaged. Safety and pinned ones do not return before everything they need
//! is on the disk.

use std::cell::RefCell;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use project::FileLock;
use project::platform::DirHandle;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use serde::{Deserialize, Serialize};

use crate::schema::{self, SCHEMA_VERSION};
use crate::{Error, Result};

/// The write-ahead log is folded into the database, and cut, when it is longer than this. SQLite's own rule does not fit
/// programs that live for milliseconds: each of them forgets how far the one before had folded, so the log would be folded
/// again and again and never begin anew.
const WAL_CUT_BYTES: u64 = 512 * 1024;

/// Writers wait for each other at `write.lock`; what is left to wait for takes milliseconds.
const BUSY_PATIENCE: Duration = Duration::from_secs(20);

/// The open index.
#[derive(Debug)]
pub(crate) struct Database {
    connection: Connection,
    folder: PathBuf,
    written: RefCell<Option<Written>>,
}

/// How the index lies on the disk: another after every change of it, also when an older copy is put in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IndexMark {
    index: [i64; 4],
    log: [i64; 4],
}

impl IndexMark {
    /// That of the index in this folder; none where it cannot be seen.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let folder = DirHandle::open_root(folder).ok()?;
        let index = folder.stat(b"store.db").ok()?;
        let log = folder.stat(b"store.db-wal").ok()?;
        // Opening the log as the system's administrator touches its ctime. Its last frame holds the sum of all before it.
        let mut sum = [0; 16];
        if let Some(at) = log.size.checked_sub(FRAME) {
            let mut file = folder.open_file(b"store.db-wal").ok()?;
            file.seek(SeekFrom::Start(at + FRAME_SUM)).ok()?;
            file.read_exact(&mut sum).ok()?;
        }
        let sum =
            i64::from_le_bytes(*sum.first_chunk()?) ^ i64::from_le_bytes(*sum.last_chunk()?).rotate_left(1);
        Some(Self {
            index: [index.ino.cast_signed(), index.size.cast_signed(), index.mtime_ns, index.ctime_ns],
            log: [log.ino.cast_signed(), log.size.cast_signed(), log.mtime_ns, sum],
        })
    }
}

/// A frame of the log: a head and a page.
const FRAME: u64 = 24 + 4096;
/// Where in the head of a frame its salts and the sum are.
const FRAME_SUM: u64 = 8;

/// How the index lay there before the first and after the last write of this process, if nobody else wrote in between.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) before: IndexMark,
    pub(crate) after: IndexMark,
}

impl Database {
    /// Opens the index in `folder`, creating it if there is none. Content that lies there without an index is damage, and no reason to
    /// begin anew without a word.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        Self::open_or_begin(folder, false)
    }

    /// As [`Self::open`], but begins anew beside content that has lost its index: for a repair, which says so.
    pub(crate) fn open_or_begin(folder: &Path, anew: bool) -> Result<Self> {
        let file = file_in(folder);
        let exists = file.exists();
        let database = match Self::connect(folder, &file, !exists, anew) {
            Err(Error::Database(error)) => return Err(explain_open_error(folder, &file, &error)),
            other => other?,
        };
        Ok(database)
    }

    fn connect(folder: &Path, file: &Path, create: bool, anew: bool) -> Result<Self> {
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if create {
            flags |= OpenFlags::SQLITE_OPEN_CREATE;
        }
        // Creating must happen once: the lock keeps two first commands apart.
        let _creating = if create { Some(FileLock::wait(&folder.join("write.lock"))?) } else { None };
        let lost = |detail: &str| {
            let detail = format!("{detail}, but saved content is there");
            Err(Error::DamagedIndex { file: file.to_path_buf(), detail })
        };
        if create && !anew && !file.exists() && holds_content(folder) {
            return lost("it is not there");
        }
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(project::patience(BUSY_PATIENCE))?;
        // Whoever closes last would otherwise fold the log into the database, with two disk flushes, on every command.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // Without this promise SQLite plans a statement anew for every bound value, which takes longer than running it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found > SCHEMA_VERSION {
            return Err(Error::NewerSchema { found, known: SCHEMA_VERSION });
        }
        // An index has its tables before the first content is written.
        if found == 0 && !create && !anew && holds_content(folder) {
            return lost("it is empty");
        }
        connection.execute_batch(
            "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -16000;
             PRAGMA temp_store = MEMORY;",
        )?;
        let mut database = Self { connection, folder: folder.to_path_buf(), written: RefCell::default() };
        match found {
            0 => database.create_schema(create)?,
            SCHEMA_VERSION => {}
            _ => database.migrate()?,
        }
        Ok(database)
    }

    fn create_schema(&mut self, locked: bool) -> Result<()> {
        // A file without a schema and not made by us just now: a creation that was cut off, or is under way.
        let _lock = if locked { None } else { Some(self.lock_writers()?) };
        let found: i64 = self.connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found != 0 {
            return Ok(());
        }
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        schema::create(&transaction)?;
        transaction.commit()?;
        Ok(())
    }

    /// Brings an index of an earlier vib up to date, in one transaction: whoever dies in it leaves the old one. Its copy from before
    /// stays beside it.
    fn migrate(&mut self) -> Result<()> {
        let _lock = self.lock_writers()?;
        let found: i64 = self.connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found >= SCHEMA_VERSION {
            return Ok(());
        }
        self.fold_all();
        let kept = self.folder.join(format!("store.db.v{found}"));
        if !kept.exists() {
            let beside = self.folder.join(format!("store.db.v{found}.new"));
            fs_err::copy(file_in(&self.folder), &beside)?;
            fs_err::rename(&beside, &kept)?;
        }
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        schema::migrate(&transaction, found)?;
        transaction.commit()?;
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        Ok(())
    }

    /// The connection, for reading.
    pub(crate) fn reader(&self) -> &Connection {
        &self.connection
    }

    /// One moment of the index for many look-ups. Each look-up for itself would take and give back SQLite's locks.
    /// `None` inside a transaction, which is such a moment already.
    pub(crate) fn one_moment(&self) -> Result<Option<Transaction<'_>>> {
        let free = self.connection.is_autocommit();
        Ok(free.then(|| self.connection.unchecked_transaction()).transpose()?)
    }

    /// Waits for its turn as the one writer.
    pub(crate) fn lock_writers(&self) -> Result<FileLock> {
        FileLock::wait(&self.folder.join("write.lock")).map_err(|error| read_only_or(error, &self.folder))
    }

    /// Runs `work` as the one writer, in one transaction. `durable`: does not return before it is on the disk.
    pub(crate) fn write<T>(
        &mut self,
        durable: bool,
        work: impl FnOnce(&Transaction<'_>) -> Result<T>,
    ) -> Result<T> {
        let _lock = self.lock_writers()?;
        let before = IndexMark::of(&self.folder);
        self.connection.pragma_update(None, "synchronous", if durable { "FULL" } else { "NORMAL" })?;
        let folder = self.folder.clone();
        let run = || -> Result<T> {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        let value = run().map_err(|error| match error {
            Error::Database(inner) if inner.sqlite_error_code() == Some(rusqlite::ErrorCode::ReadOnly) => {
                Error::ReadOnly(folder)
            }
            other => other,
        })?;
        self.cut_long_log();
        self.note_write(before);
        Ok(value)
    }

    /// Under the writers' lock.
    fn note_write(&self, before: Option<IndexMark>) {
        let mut written = self.written.borrow_mut();
        let began = match (written.take(), before) {
            (None, before) => before,
            (Some(earlier), Some(before)) if earlier.after == before => Some(earlier.before),
            // Somebody else wrote since.
            (Some(_), before) => before,
        };
        let marks = began.zip(IndexMark::of(&self.folder));
        *written = marks.map(|(before, after)| Written { before, after });
    }

    /// What this process wrote so far lies between these two.
    pub(crate) fn written(&self) -> Option<Written> {
        self.written.borrow().clone()
    }

    /// Failing to cut the log costs nothing but disk space, so it is no error: the next writer tries again.
    fn cut_long_log(&self) {
        let length = std::fs::metadata(self.folder.join("store.db-wal")).map_or(0, |metadata| metadata.len());
        if length > WAL_CUT_BYTES {
            // Nobody waits for a reader here: the next writer tries again.
            let _ = self.connection.busy_timeout(Duration::ZERO);
            self.fold_all();
            let _ = self.connection.busy_timeout(project::patience(BUSY_PATIENCE));
        }
    }

    /// Folds the whole log, for size reports and backups. The caller holds the writers' lock.
    pub(crate) fn fold_all(&self) {
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }

    /// A second connection for reading, for use by another thread.
    pub(crate) fn open_reader(folder: &Path) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file_in(folder), flags)?;
        connection.busy_timeout(project::patience(BUSY_PATIENCE))?;
        Ok(connection)
    }
}

/// True if a pack has something in it.
fn holds_content(folder: &Path) -> bool {
    std::fs::read_dir(folder.join("packs")).is_ok_and(|packs| {
        packs.flatten().any(|pack| {
            let name = pack.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".pack"));
            number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
                && pack.metadata().is_ok_and(|metadata| metadata.len() > 0)
        })
    })
}

/// The index file.
pub(crate) fn file_in(folder: &Path) -> PathBuf {
    folder.join("store.db")
}

fn explain_open_error(folder: &Path, file: &Path, error: &rusqlite::Error) -> Error {
    use rusqlite::ErrorCode;
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            Error::DamagedIndex { file: file.to_path_buf(), detail: error.to_string() }
        }
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            Error::ReadOnly(folder.to_path_buf())
        }
        _ => Error::DamagedIndex { file: file.to_path_buf(), detail: error.to_string() },
    }
}

pub(crate) fn read_only_or(error: std::io::Error, folder: &Path) -> Error {
    match error.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            Error::ReadOnly(folder.to_path_buf())
        }
        _ => Error::Io(error),
    }
}
