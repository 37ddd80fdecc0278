//! Putting new files into place, many at a time: complete copies beside the old files, then one rename each.

use std::io::{self, Write};

use project::platform::{self, DirHandle, FileStat};

use super::apply::Work;
use crate::entry::EntryKind;
use crate::pack::{PackReader, Places};
use crate::timeline::Difference;
use crate::walk::scan::same_file;
use crate::{Error, Result, parallel};

/// From so many files on, it is worth starting threads.
const PARALLEL_FROM: usize = 64;

impl Work<'_> {
    /// Writes many new files on all cores, a few in this thread. The results are in the order of the wishes.
    pub(super) fn write_all_beside(&self, wanted: &[(Vec<u8>, &Difference)], flush: bool) -> Vec<Result<()>> {
        if wanted.len() < PARALLEL_FROM {
            let write = |(name, change): &(Vec<u8>, &Difference)| {
                write_beside(self.root, &self.reader, change, name, flush)
            };
            return wanted.iter().map(write).collect();
        }
        // Without the places every file is written in this thread below: slower, and as safe.
        let places = self.places_of(wanted).unwrap_or_default();
        let (root, folder) = (self.root, self.store.folder());
        let written = parallel::map(
            wanted,
            || PackReader::of_places(&places, folder.to_path_buf()),
            |reader, (name, change)| write_beside(root, reader, change, name, flush),
        );
        // Large files are in many records, and cleaning up may have moved a record: the index knows them all.
        let again = |(result, (name, change)): (Option<Result<()>>, &(Vec<u8>, &Difference))| match result {
            Some(Err(Error::DamagedContent { .. })) => write_beside(root, &self.reader, change, name, flush),
            Some(result) => result,
            None => Err(Error::Io(io::Error::other("a thread died"))),
        };
        written.into_iter().zip(wanted).map(again).collect()
    }

    fn places_of(&self, wanted: &[(Vec<u8>, &Difference)]) -> Result<Places> {
        let _moment = self.store.db.one_moment()?;
        self.reader.places(wanted.iter().filter_map(|(_, change)| change.after).map(|entry| entry.hash))
    }

    /// Moves, on all cores, the new files over those that the file system itself says are as the safety checkpoint found
    /// them. `false`: not moved, look more closely.
    pub(super) fn move_unchanged(&self, ready: &[(Vec<u8>, &Difference)]) -> Vec<bool> {
        if ready.len() < PARALLEL_FROM {
            return vec![false; ready.len()];
        }
        let Some((index, look)) = &self.safety.seen else {
            return vec![false; ready.len()];
        };
        let expected = ready.iter().map(|(_, change)| match look.find(index, change.path.as_bytes()) {
            Some((stat, Some(_))) => Some(stat),
            _ => None,
        });
        let wanted: Vec<(&[u8], &Difference, Option<FileStat>)> =
            ready.iter().zip(expected).map(|((name, change), seen)| (&**name, *change, seen)).collect();
        let root = self.root;
        let moved = parallel::map(
            &wanted,
            || (),
            |(), (temporary, change, expected)| {
                let (folder, name) = change.path.split();
                let Ok(dir) = root.open_dir(folder) else { return false };
                let as_saved = match (dir.stat(name), expected) {
                    (Ok(stat), Some(expected)) => same_file(expected, &stat),
                    (Err(error), None) => error.kind() == io::ErrorKind::NotFound,
                    _ => false,
                };
                as_saved && dir.rename(temporary, name).is_ok()
            },
        );
        // A thread that died moved some of them; the closer look finds those done.
        moved.into_iter().map(|moved| moved == Some(true)).collect()
    }
}

/// Writes one complete new file or link beside the old one.
fn write_beside(
    root: &DirHandle,
    reader: &PackReader<'_>,
    change: &Difference,
    temporary: &[u8],
    flush: bool,
) -> Result<()> {
    let Some(after) = change.after else { return Ok(()) };
    let dir = open_or_make(root, change.path.split().0)?;
    if after.kind == EntryKind::Symlink {
        let target = reader.read(&after.hash)?;
        return Ok(dir.make_symlink(&target, temporary)?);
    }
    let mut file = dir.create_new(temporary)?;
    let written = (|| {
        reader.copy_to(&after.hash, &mut file)?;
        file.flush()?;
        platform::set_file_mode(&file, after.mode)?;
        if flush {
            file.sync_all()?;
        }
        Ok(())
    })();
    if written.is_err() {
        let _ = dir.remove_file(temporary);
    }
    written
}

/// Opens a folder, making it and those above it if they are missing. Follows no link.
pub(super) fn open_or_make(root: &DirHandle, folder: &[u8]) -> io::Result<DirHandle> {
    match root.open_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other,
    }
    let (above, name) = match folder.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&folder[..at], &folder[at + 1..]),
        None => (&b""[..], folder),
    };
    let parent = open_or_make(root, above)?;
    match parent.make_dir(name, 0o755) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => root.open_dir(folder),
    }
}
