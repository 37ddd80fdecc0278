//! Putting single paths into the folder. It is ours alone, so whatever is in the way goes; but no link is ever followed.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use project::platform::{self, DirHandle, FileKind, FileStat};

use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;
use crate::pack::PackReader;
use crate::progress::Progress;
use crate::{Error, Result, Store, parallel};

/// From so many files on, it is worth starting threads.
const PARALLEL_FROM: usize = 64;

/// When files of the project were changed: one that is written with the same content gets the same time, so that build tools do again only
/// what they must.
pub(super) type Times = HashMap<Vec<u8>, (ContentHash, i64)>;

/// How paths are put into the copy: where links by full path lead, and which times files have.
pub(super) struct Manner<'l> {
    pub(super) project: &'l Path,
    pub(super) copy: &'l Path,
    pub(super) times: &'l Times,
}

impl Manner<'_> {
    /// The time that a file with this content has.
    fn time(&self, path: &[u8], entry: &Entry) -> Option<SystemTime> {
        let (_, time) = self.times.get(path).filter(|(hash, _)| *hash == entry.hash)?;
        UNIX_EPOCH.checked_add(Duration::from_nanos(u64::try_from(*time).ok()?))
    }

    /// The target of a link as it is written into the copy: what leads into the project by its full path would let a program that runs
    /// in the copy write into the project.
    fn target(&self, target: Vec<u8>) -> Vec<u8> {
        let path = platform::bytes_to_path(&target);
        match path.strip_prefix(self.project) {
            Ok(inside) => platform::path_to_bytes(&self.copy.join(inside)),
            Err(_) => target,
        }
    }
}

/// Nanoseconds since 1970.
pub(super) fn now_ns() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}

/// Takes a path away, whatever it is. A folder goes only when it is empty: what a program left in it stays, unless a file has to be there.
pub(super) fn remove(root: &DirHandle, path: &[u8]) -> Result<()> {
    let (folder, name) = split(path);
    let dir = match root.open_dir(folder) {
        Ok(dir) => dir,
        Err(error) if is_gone(&error) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let removed = match dir.stat(name) {
        Ok(stat) if stat.kind == FileKind::Dir => dir.remove_dir(name),
        Ok(_) => dir.remove_file(name),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if is_gone(&error) || error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            // The folder around it lets nobody write.
            let dir = open(root, folder)?;
            let is_dir = dir.stat(name)?.kind == FileKind::Dir;
            Ok(if is_dir { dir.remove_dir(name) } else { dir.remove_file(name) }?)
        }
        other => Ok(other?),
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Makes a folder that can be written into, with everything above it.
pub(super) fn folder(root: &DirHandle, path: &[u8], mode: u32) -> Result<()> {
    let (above, name) = split(path);
    let dir = open(root, above)?;
    match dir.stat(name) {
        Ok(stat) if stat.kind == FileKind::Dir => Ok(dir.set_dir_mode(name, mode | 0o700)?),
        Ok(_) => {
            dir.remove_file(name)?;
            Ok(dir.make_dir(name, mode | 0o700)?)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(dir.make_dir(name, mode | 0o700)?),
        Err(error) => Err(error.into()),
    }
}

/// The mode it shall have in the end.
pub(super) fn folder_mode(root: &DirHandle, path: &[u8], mode: u32) -> Result<FileStat> {
    let (above, name) = split(path);
    let dir = root.open_dir(above)?;
    if dir.stat(name)?.mode != mode {
        dir.set_dir_mode(name, mode)?;
    }
    Ok(dir.stat(name)?)
}

/// Opens a folder to write into, making it and those above it. A file or link in its place goes; one that lets nobody write is opened up, and the mode
/// that it has to have is set again by whoever placed it.
fn open(root: &DirHandle, path: &[u8]) -> Result<DirHandle> {
    match root.open_dir(path) {
        Ok(dir) => {
            if path.is_empty() || dir.stat_self()?.mode & 0o300 == 0o300 {
                return Ok(dir);
            }
        }
        Err(error) if is_gone(&error) => {}
        Err(error) => return Err(error.into()),
    }
    let (above, name) = split(path);
    let parent = open(root, above)?;
    match parent.stat(name) {
        Ok(stat) if stat.kind == FileKind::Dir => parent.set_dir_mode(name, stat.mode | 0o700)?,
        Ok(_) => {
            parent.remove_file(name)?;
            parent.make_dir(name, 0o755)?;
        }
        Err(_) => match parent.make_dir(name, 0o755) {
            // Another thread was quicker.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other?,
        },
    }
    Ok(root.open_dir(path)?)
}

/// Writes files and links, many on all cores. What the file system says about each comes back in their order.
pub(super) fn files(
    store: &Store<'_>,
    root: &DirHandle,
    manner: &Manner<'_>,
    wanted: &[(&[u8], Entry)],
    progress: &dyn Progress,
) -> Result<Vec<FileStat>> {
    if wanted.len() < PARALLEL_FROM {
        let mut writer = Writer::new(store.reader());
        return wanted.iter().map(|(path, entry)| writer.file(store, root, manner, path, entry)).collect();
    }
    let places = {
        let _moment = store.db.one_moment()?;
        store.reader().places(wanted.iter().map(|(_, entry)| entry.hash))?
    };
    let folder = store.folder();
    let written = parallel::map(
        wanted,
        || Writer::new(PackReader::of_places(&places, folder.to_path_buf())),
        |writer, (path, entry)| {
            let done = writer.put(root, manner, path, entry);
            progress.advance(1);
            done
        },
    );
    // Large files are in many records, and cleaning up may have moved a record: the index knows them all.
    let mut second = Writer::new(store.reader());
    let again = |(result, (path, entry)): (Option<Result<FileStat>>, &(&[u8], Entry))| match result {
        Some(Ok(stat)) => Ok(stat),
        _ => second.file(store, root, manner, path, entry),
    };
    written.into_iter().zip(wanted).map(again).collect()
}

/// What one thread writes with: neighbours share a folder, which stays open.
struct Writer<'r> {
    reader: PackReader<'r>,
    folder: Option<(Vec<u8>, DirHandle)>,
}

impl<'r> Writer<'r> {
    fn new(reader: PackReader<'r>) -> Self {
        Self { reader, folder: None }
    }

    fn file(
        &mut self,
        store: &Store<'_>,
        root: &DirHandle,
        manner: &Manner<'_>,
        path: &[u8],
        entry: &Entry,
    ) -> Result<FileStat> {
        match self.put(root, manner, path, entry) {
            Err(Error::DamagedContent { .. }) => {
                // Says whether it is damage or was let go.
                store.content(&entry.hash)?;
                self.put(root, manner, path, entry)
            }
            other => other,
        }
    }

    fn put(&mut self, root: &DirHandle, manner: &Manner<'_>, path: &[u8], entry: &Entry) -> Result<FileStat> {
        let (folder, name) = split(path);
        let dir = match &self.folder {
            Some((open, dir)) if open == folder => dir,
            _ => &self.folder.insert((folder.to_vec(), open(root, folder)?)).1,
        };
        if entry.kind == EntryKind::Symlink {
            clear(dir, name)?;
            dir.make_symlink(&manner.target(self.reader.read(&entry.hash)?), name)?;
            return Ok(dir.stat(name)?);
        }
        let mut file = match dir.create_new(name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                clear(dir, name)?;
                dir.create_new(name)?
            }
            other => other?,
        };
        let written = (|| {
            self.reader.copy_to(&entry.hash, &mut file)?;
            file.flush()?;
            platform::set_file_mode(&file, entry.mode)?;
            if let Some(time) = manner.time(path, entry) {
                // A file system that keeps no such time costs a build and nothing else.
                let _ = file.set_modified(time);
            }
            Ok(platform::file_stat(&file)?)
        })();
        if written.is_err() {
            let _ = dir.remove_file(name);
        }
        written
    }
}

/// Takes away what is at a name, with everything in it.
fn clear(dir: &DirHandle, name: &[u8]) -> Result<()> {
    match dir.stat(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
        Ok(stat) if stat.kind != FileKind::Dir => Ok(dir.remove_file(name)?),
        Ok(stat) => {
            dir.set_dir_mode(name, stat.mode | 0o700)?;
            let inner = dir.open_dir(name)?;
            let mut names = Vec::new();
            inner.list(&mut Vec::new(), |name, _| names.push(name.to_vec()))?;
            names.iter().try_for_each(|name| clear(&inner, name))?;
            Ok(dir.remove_dir(name)?)
        }
    }
}
