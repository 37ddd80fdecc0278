//! The one writer of files that take the place of others. (S9)
//!
//! Whoever can put names into a folder (a repository that was cloned, an agent) must not be able to say where vib's bytes go: the new
//! file gets a name that nobody can know, must not be there yet, is never reached through a link, and everything happens in one folder
//! that stays open. A reader sees the old file or the new one, whole.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::platform::{self, DirHandle};

/// Tries for a name that is not taken; with 64 random bits one is enough.
const TRIES: usize = 8;

/// Who may read the new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Only its owner.
    Owner,
    /// Whom the person's umask lets, like any new file.
    Umask,
}

/// A file that is being written and not in its place yet. Dropped before [`Replacement::put`], it leaves nothing behind.
#[derive(Debug)]
pub struct Replacement {
    folder: DirHandle,
    temporary: Option<Vec<u8>>,
    name: Vec<u8>,
    file: File,
}

impl Replacement {
    /// Begins the new content of `path`. Links on the way to its folder are followed; what is called like the file itself is replaced.
    pub fn of(path: &Path, readers: Readers) -> io::Result<Self> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(named(&io::Error::from(io::ErrorKind::InvalidInput), path));
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let folder = DirHandle::open_root(folder).map_err(|error| named(&error, folder))?;
        Self::inside(folder, &platform::path_to_bytes(Path::new(name)), readers)
            .map_err(|error| named(&error, path))
    }

    /// The same in a folder that is open already.
    pub fn inside(folder: DirHandle, name: &[u8], readers: Readers) -> io::Result<Self> {
        for _ in 0..TRIES {
            let temporary = temporary_name(name)?;
            let file = match readers {
                Readers::Owner => folder.create_new(&temporary),
                Readers::Umask => folder.create_new_shared(&temporary),
            };
            match file {
                Ok(file) => {
                    return Ok(Self { folder, temporary: Some(temporary), name: name.to_vec(), file });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }

    /// The open file, to write into.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Puts it in place of the old one.
    pub fn put(mut self) -> io::Result<()> {
        if let Some(temporary) = &self.temporary {
            self.folder.rename(temporary, &self.name)?;
            self.temporary = None;
        }
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = self.folder.remove_file(temporary);
        }
    }
}

fn temporary_name(name: &[u8]) -> io::Result<Vec<u8>> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|_| io::Error::other("the system gives no random numbers"))?;
    let mut temporary = b".".to_vec();
    // A name may be as long as the system allows, and ours is longer.
    temporary.extend_from_slice(&name[..name.len().min(200)]);
    temporary.extend_from_slice(format!(".{:016x}.tmp", u64::from_le_bytes(random)).as_bytes());
    Ok(temporary)
}

fn named(error: &io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("failed to write `{}`: {error}", path.display()))
}

/// Replaces a small file of ours by rename: a reader sees the old one or the new one, whole.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, Readers::Umask, true)
}

/// The same for what can be computed again: nobody waits for the disk. Readers still see the old file or the new one; only after
/// a power cut it may be neither.
pub fn write_view(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, Readers::Umask, false)
}

/// Writes over a small file that is only a cache, in place: a second name that is put in its place makes some systems (ext4) bring
/// the content to the disk at once, which costs forty times as much. What was longer before is filled up with spaces, so the file is never
/// cut. The caller holds a lock; who reads without it may see half of each and must be able to tell, and so must who comes after a power
/// cut.
pub fn write_over(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Ok(mut file) = crate::platform::open_to_write_over(path) else { return write_view(path, bytes) };
    let there = file.metadata()?;
    let before = usize::try_from(there.len()).unwrap_or(usize::MAX);
    if !there.is_file() || before > bytes.len().saturating_mul(4).max(FILLED_UP) {
        return write_view(path, bytes);
    }
    let mut filled = bytes.to_vec();
    filled.resize(before.max(bytes.len()), b' ');
    file.write_all(&filled).map_err(|error| named(&error, path))
}

/// A file that was longer than this, and much longer than what is written now, is made anew.
const FILLED_UP: usize = 16 << 10;

/// Replaces a file that only its owner may read; nobody else can, not even for a moment.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, Readers::Owner, true)
}

fn write(path: &Path, bytes: &[u8], readers: Readers, wait_for_disk: bool) -> io::Result<()> {
    let new = Replacement::of(path, readers)?;
    fill(new, bytes, wait_for_disk).map_err(|error| named(&error, path))
}

/// Fills the new file and puts it in its place.
pub(crate) fn fill(mut new: Replacement, bytes: &[u8], wait_for_disk: bool) -> io::Result<()> {
    new.file().write_all(bytes)?;
    if wait_for_disk {
        new.file().sync_all()?;
    }
    new.put()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_what_is_there_and_leaves_nothing_beside_it_s9() {
        let tmp = tempfile::tempdir().unwrap();
        let path = tmp.path().join("note");
        for text in ["one", "two"] {
            write_atomic(&path, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        drop(Replacement::of(&path, Readers::Owner).unwrap());
        assert_eq!(std::fs::read_dir(tmp.path()).unwrap().count(), 1);
        let error = write_atomic(&tmp.path().join("no/such"), b"").unwrap_err();
        assert!(error.to_string().contains("no"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_its_place_is_replaced_and_not_followed_s9() {
        let tmp = tempfile::tempdir().unwrap();
        let letter = tmp.path().join("letter");
        std::fs::write(&letter, "mine").unwrap();
        let path = tmp.path().join("note");
        std::os::unix::fs::symlink(&letter, &path).unwrap();
        write_private(&path, b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&letter).unwrap(), "mine");
        assert!(!path.symlink_metadata().unwrap().is_symlink());
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
