//! The same surface as `unix` with nothing but the standard library: what a Windows build uses.
//!
//! Without descriptor-relative calls a link can only be looked for before each step, not excluded by the system, so
//! every operation checks every part of its way again. A port that wants the full guarantee replaces this file.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::{FileKind, FileStat};

/// A folder of the user's tree, by its path.
#[derive(Debug)]
pub struct DirHandle {
    root: PathBuf,
    below: PathBuf,
}

impl DirHandle {
    /// Opens a folder by its path on the machine.
    pub fn open_root(path: &Path) -> io::Result<Self> {
        if !std::fs::metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { root: path.to_path_buf(), below: PathBuf::new() })
    }

    /// Opens a folder below this one, following no link at any step.
    pub fn open_dir(&self, relative: &[u8]) -> io::Result<Self> {
        let opened = Self { root: self.root.clone(), below: self.below.join(bytes_to_path(relative)) };
        opened.checked()?;
        Ok(opened)
    }

    /// The path of this folder, after looking at every part of the way again.
    fn checked(&self) -> io::Result<PathBuf> {
        let mut path = self.root.clone();
        for part in self.below.components() {
            if !matches!(part, std::path::Component::Normal(_)) {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidInput,
                    "a folder path must be plain and relative",
                ));
            }
            path.push(part);
            if !std::fs::symlink_metadata(&path)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        Ok(path)
    }

    fn at(&self, name: &[u8]) -> io::Result<PathBuf> {
        Ok(self.checked()?.join(bytes_to_path(name)))
    }

    /// Calls `each` with every name in the folder, and with its kind where listing alone tells.
    pub fn list(
        &self,
        _buffer: &mut Vec<u8>,
        mut each: impl FnMut(&[u8], Option<FileKind>),
    ) -> io::Result<()> {
        for entry in std::fs::read_dir(self.checked()?)? {
            each(&path_to_bytes(Path::new(&entry?.file_name())), None);
        }
        Ok(())
    }

    /// What a name is. Does not follow a link.
    pub fn stat(&self, name: &[u8]) -> io::Result<FileStat> {
        Ok(convert(&std::fs::symlink_metadata(self.at(name)?)?))
    }

    /// What this folder itself is.
    pub fn stat_self(&self) -> io::Result<FileStat> {
        Ok(convert(&std::fs::symlink_metadata(self.checked()?)?))
    }

    /// Opens a regular file for reading.
    pub fn open_file(&self, name: &[u8]) -> io::Result<File> {
        let path = self.at(name)?;
        if !std::fs::symlink_metadata(&path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        File::open(path)
    }

    /// The text of a symbolic link.
    pub fn read_link(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        Ok(path_to_bytes(&std::fs::read_link(self.at(name)?)?))
    }

    /// Creates a file that must not exist yet.
    pub fn create_new(&self, name: &[u8]) -> io::Result<File> {
        std::fs::OpenOptions::new().write(true).create_new(true).open(self.at(name)?)
    }

    /// The same: there is one kind of new file here.
    pub fn create_new_shared(&self, name: &[u8]) -> io::Result<File> {
        self.create_new(name)
    }

    /// Creates a symbolic link that must not exist yet.
    pub fn make_symlink(&self, target: &[u8], name: &[u8]) -> io::Result<()> {
        let (target, link) = (bytes_to_path(target), self.at(name)?);
        #[cfg(windows)]
        {
            let meant = link.parent().map(|parent| parent.join(&target));
            if meant.is_some_and(|path| path.is_dir()) {
                std::os::windows::fs::symlink_dir(target, link)
            } else {
                std::os::windows::fs::symlink_file(target, link)
            }
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, link)
    }

    /// Creates a folder.
    pub fn make_dir(&self, name: &[u8], _mode: u32) -> io::Result<()> {
        std::fs::create_dir(self.at(name)?)
    }

    /// Sets the permission bits of a folder; without modes there is nothing to set.
    pub fn set_dir_mode(&self, _name: &[u8], _mode: u32) -> io::Result<()> {
        Ok(())
    }

    /// Moves a name of this folder onto another name of this folder.
    pub fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        std::fs::rename(self.at(from)?, self.at(to)?)
    }

    /// Removes a file or link.
    pub fn remove_file(&self, name: &[u8]) -> io::Result<()> {
        std::fs::remove_file(self.at(name)?)
    }

    /// Removes an empty folder.
    pub fn remove_dir(&self, name: &[u8]) -> io::Result<()> {
        std::fs::remove_dir(self.at(name)?)
    }

    /// Makes the names in this folder durable; Windows does so with the rename itself.
    pub fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// Whole-file-system sync: not to be had.
    pub fn sync_file_system(&self) -> io::Result<bool> {
        Ok(false)
    }
}

/// What an open file is.
pub fn file_stat(file: &File) -> io::Result<FileStat> {
    Ok(convert(&file.metadata()?))
}

/// Sets the permission bits of an open file; without modes only "read only" can be set.
pub fn set_file_mode(file: &File, mode: u32) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(mode & 0o200 == 0);
    file.set_permissions(permissions)
}

/// Asks the system to begin writing a file to the disk: it does so by itself.
pub fn begin_flush(_file: &File) {}

/// Creates a folder and its parents; the user's state folder is private by where it is.
pub fn make_private_dir(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

/// Opens a file for reading and appending, creating it if needed.
pub fn open_private_append(path: &Path) -> io::Result<File> {
    std::fs::OpenOptions::new().read(true).append(true).create(true).open(path)
}

/// Opens a file that is there for writing over it.
pub fn open_to_write_over(path: &Path) -> io::Result<File> {
    std::fs::OpenOptions::new().write(true).open(path)
}

/// A name for this start of the machine: none here.
pub fn boot_id() -> Option<String> {
    None
}

/// True if `folder` treats `A` and `a` as one name.
pub fn ignores_case(_folder: &Path) -> bool {
    cfg!(any(windows, target_os = "macos"))
}

/// The name of this machine: only the environment knows it here.
pub fn host_name() -> Option<String> {
    None
}

/// True if a process with this number may be running; unknown here, so yes.
pub fn process_is_alive(_pid: u32) -> bool {
    true
}

/// Bytes that can still be written: unknown here.
pub fn free_space(_path: &Path) -> Option<u64> {
    None
}

/// The bytes of a path, `/`-separated.
pub fn path_to_bytes(path: &Path) -> Vec<u8> {
    let mut bytes = path.as_os_str().as_encoded_bytes().to_vec();
    if cfg!(windows) {
        for byte in &mut bytes {
            if *byte == b'\\' {
                *byte = b'/';
            }
        }
    }
    bytes
}

/// The path of some bytes.
pub fn bytes_to_path(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
    }
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

fn convert(metadata: &Metadata) -> FileStat {
    let kind = if metadata.is_symlink() {
        FileKind::Symlink
    } else if metadata.is_dir() {
        FileKind::Dir
    } else if metadata.is_file() {
        FileKind::File
    } else {
        FileKind::Special
    };
    let mtime_ns = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .map_or(0, |time| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX));
    let mode = match (metadata.is_dir(), metadata.permissions().readonly()) {
        (true, _) => 0o755,
        (false, true) => 0o444,
        (false, false) => 0o644,
    };
    FileStat { kind, mode, size: metadata.len(), mtime_ns, ctime_ns: 0, ino: 0, dev: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn writes_reads_and_lists() {
        let tmp = tempfile::tempdir().unwrap();
        let root = DirHandle::open_root(tmp.path()).unwrap();
        root.make_dir(b"d", 0o755).unwrap();
        let dir = root.open_dir(b"d").unwrap();
        dir.create_new(b"t").unwrap().write_all(b"hello").unwrap();
        dir.rename(b"t", b"f").unwrap();
        let mut text = String::new();
        dir.open_file(b"f").unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "hello");
        let mut names = Vec::new();
        dir.list(&mut Vec::new(), |name, _| names.push(name.to_vec())).unwrap();
        assert_eq!(names, [b"f".to_vec()]);
        assert_eq!(dir.stat(b"f").unwrap().size, 5);
        dir.remove_file(b"f").unwrap();
        root.remove_dir(b"d").unwrap();
        assert!(root.stat(b"d").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_on_the_way_is_refused() {
        let tmp = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), tmp.path().join("link")).unwrap();
        let root = DirHandle::open_root(tmp.path()).unwrap();
        assert!(root.open_dir(b"link").is_err());
        let planted = DirHandle { root: tmp.path().to_path_buf(), below: PathBuf::from("link") };
        assert!(planted.create_new(b"x").is_err());
    }
}
