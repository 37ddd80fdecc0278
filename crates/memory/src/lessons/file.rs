//! `LESSONS.md` on the disk: never through a link, one writer at a time, the old file or the new one and nothing between.

use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use project::platform::{self, DirHandle, FileKind};
use project::{FileLock, Readers, Replacement};

use super::{Document, Error, Result};

/// The name of the file, in the project's root.
pub const FILE_NAME: &str = "LESSONS.md";

/// More than this is not read: nobody wrote it by hand.
const LONGEST: u64 = 1 << 20;
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the lessons of a project are.
#[derive(Debug, Clone)]
pub struct Place {
    root: PathBuf,
    lock: PathBuf,
}

impl Place {
    /// The project's root, and a file to take turns by (its folder must exist or be makeable).
    pub fn new(root: &Path, lock: PathBuf) -> Self {
        Self { root: root.to_owned(), lock }
    }

    /// Reads the file; one that is not there is an empty one.
    pub fn read(&self) -> Result<Document> {
        let folder = DirHandle::open_root(&self.root).map_err(reading)?;
        Ok(read(&folder)?.map_or_else(Document::default, |bytes| Document::parse(&bytes)))
    }

    /// Changes the file; nothing is written if the change fails or changes nothing.
    pub fn change<T>(&self, change: impl FnOnce(&Document) -> Result<(Document, T)>) -> Result<T> {
        if let Some(folder) = self.lock.parent().filter(|folder| !folder.exists()) {
            platform::make_private_dir(folder).map_err(writing)?;
        }
        let _lock =
            FileLock::wait_for(&self.lock, PATIENCE).map_err(writing)?.ok_or(Error::Busy(PATIENCE))?;
        let folder = DirHandle::open_root(&self.root).map_err(reading)?;
        let old = read(&folder)?;
        let document = old.as_deref().map_or_else(Document::default, Document::parse);
        let (after, value) = change(&document)?;
        if old.as_deref() != Some(after.text().as_bytes()) {
            // An editor takes no lock: what was saved since we looked is not written over.
            if read(&folder)? != old {
                return Err(Error::Changed);
            }
            write(&folder, after.text().as_bytes()).map_err(writing)?;
        }
        Ok(value)
    }
}

fn reading(error: std::io::Error) -> Error {
    Error::Io { what: "read", error }
}

fn writing(error: std::io::Error) -> Error {
    Error::Io { what: "written", error }
}

fn read(folder: &DirHandle) -> Result<Option<Vec<u8>>> {
    let stat = match folder.stat(FILE_NAME.as_bytes()) {
        Ok(stat) => stat,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(reading(error)),
    };
    match stat.kind {
        FileKind::File if stat.size > LONGEST => return Err(Error::NotAFile("larger than a megabyte")),
        FileKind::File => {}
        FileKind::Symlink => return Err(Error::NotAFile("a link")),
        _ => return Err(Error::NotAFile("no file")),
    }
    let mut bytes = Vec::new();
    let file = folder.open_file(FILE_NAME.as_bytes()).map_err(reading)?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(reading)?;
    Ok(Some(bytes))
}

fn write(folder: &DirHandle, bytes: &[u8]) -> std::io::Result<()> {
    let mode = folder.stat(FILE_NAME.as_bytes()).map_or(0o644, |stat| stat.mode);
    let mut new = Replacement::inside(folder.open_dir(b"")?, FILE_NAME.as_bytes(), Readers::Owner)?;
    new.file().write_all(bytes)?;
    platform::set_file_mode(new.file(), mode)?;
    new.file().sync_all()?;
    new.put()
}
