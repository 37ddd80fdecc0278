//! Linux and macOS: every operation is relative to an open folder.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};

use super::{FileKind, FileStat};

/// An open folder of the user's tree.
#[derive(Debug)]
pub struct DirHandle(OwnedFd);

const OPEN_DIR: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl DirHandle {
    /// Opens a folder by its path on the machine. Links on the way are followed: the root is the person's choice.
    pub fn open_root(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(rustix::fs::openat(CWD, path, flags, Mode::empty())?))
    }

    /// Opens a folder below this one, following no link at any step. An empty path opens this folder again.
    pub fn open_dir(&self, relative: &[u8]) -> io::Result<Self> {
        if relative.is_empty() {
            return Ok(Self(rustix::fs::openat(&self.0, ".", OPEN_DIR, Mode::empty())?));
        }
        open_beneath(&self.0, relative).map(Self).map_err(link_in_the_way)
    }

    /// Calls `each` with every name in the folder (not `.` and `..`), in no order, and with its kind where listing alone
    /// tells. `buffer` is scratch space.
    pub fn list(
        &self,
        buffer: &mut Vec<u8>,
        mut each: impl FnMut(&[u8], Option<FileKind>),
    ) -> io::Result<()> {
        list_names(&self.0, buffer, &mut each)
    }

    /// What a name is. Does not follow a link.
    pub fn stat(&self, name: &[u8]) -> io::Result<FileStat> {
        let stat = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(convert(&stat))
    }

    /// What this folder itself is.
    pub fn stat_self(&self) -> io::Result<FileStat> {
        Ok(convert(&rustix::fs::fstat(&self.0)?))
    }

    /// Opens a regular file for reading. Neither follows a link ([`io::ErrorKind::NotADirectory`]) nor blocks on a pipe.
    pub fn open_file(&self, name: &[u8]) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let opened = rustix::fs::openat(&self.0, name, flags, Mode::empty());
        Ok(File::from(opened.map_err(|error| link_in_the_way(error.into()))?))
    }

    /// The text of a symbolic link.
    pub fn read_link(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        Ok(rustix::fs::readlinkat(&self.0, name, Vec::new())?.into_bytes())
    }

    /// Creates a file that must not exist yet, readable by its owner only until [`set_file_mode`] says otherwise.
    pub fn create_new(&self, name: &[u8]) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR)?))
    }

    /// The same, readable by whom the person's umask lets.
    pub fn create_new_shared(&self, name: &[u8]) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?))
    }

    /// Creates a symbolic link that must not exist yet.
    pub fn make_symlink(&self, target: &[u8], name: &[u8]) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(target, &self.0, name)?)
    }

    /// Creates a folder.
    pub fn make_dir(&self, name: &[u8], mode: u32) -> io::Result<()> {
        rustix::fs::mkdirat(&self.0, name, Mode::from_raw_mode(mode as rustix::fs::RawMode))?;
        // The process's umask may have taken bits away.
        self.set_dir_mode(name, mode)
    }

    /// Sets the permission bits of a folder in this folder.
    pub fn set_dir_mode(&self, name: &[u8], mode: u32) -> io::Result<()> {
        let dir = rustix::fs::openat(&self.0, name, OPEN_DIR, Mode::empty())?;
        Ok(rustix::fs::fchmod(&dir, Mode::from_raw_mode(mode as rustix::fs::RawMode))?)
    }

    /// Moves a name of this folder onto another name of this folder, replacing what is there.
    pub fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
    }

    /// Removes a file or link.
    pub fn remove_file(&self, name: &[u8]) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Removes an empty folder.
    pub fn remove_dir(&self, name: &[u8]) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Makes the names in this folder durable.
    pub fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.0)?)
    }

    /// Makes everything written to this file system durable in one call, where the system can. `Ok(false)`: it cannot.
    pub fn sync_file_system(&self) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            rustix::fs::syncfs(&self.0)?;
            Ok(true)
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        Ok(false)
    }
}

/// What an open file is.
pub fn file_stat(file: &File) -> io::Result<FileStat> {
    Ok(convert(&rustix::fs::fstat(file)?))
}

/// Sets the permission bits of an open file.
pub fn set_file_mode(file: &File, mode: u32) -> io::Result<()> {
    Ok(rustix::fs::fchmod(file, Mode::from_raw_mode(mode as rustix::fs::RawMode))?)
}

/// Asks the system to begin writing a file to the disk, without waiting for it.
pub fn begin_flush(file: &File) {
    // On Linux "not needed any more" starts writing what is not on the disk yet; only what is already there is dropped.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = file;
}

/// Creates a folder and its parents; the last one is readable by its owner only.
pub fn make_private_dir(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    if let Ok(metadata) = std::fs::symlink_metadata(path)
        && metadata.is_dir()
    {
        if metadata.permissions().mode() & 0o077 != 0 {
            fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
        }
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(path).map_err(|error| {
        io::Error::new(error.kind(), format!("failed to create `{}`: {error}", path.display()))
    })
}

/// Opens a file for reading and appending that only its owner can read, creating it if needed.
pub fn open_private_append(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path).map_err(|error| {
        io::Error::new(error.kind(), format!("failed to open `{}`: {error}", path.display()))
    })
}

/// Opens a file that is there for writing over it; a link is not followed.
pub fn open_to_write_over(path: &Path) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    Ok(rustix::fs::open(path, flags, rustix::fs::Mode::empty())?.into())
}

/// A name for this start of the machine; changes when it restarts. `None` where the system has none.
pub fn boot_id() -> Option<String> {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}

/// True if `folder` treats `A` and `a` as one name.
pub fn ignores_case(folder: &Path) -> bool {
    // Asking for certain costs a write; whether the folder's own name answers in the other case is nearly as good.
    let Some(name) = folder.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return false;
    };
    let swapped: String = name
        .chars()
        .map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect();
    if swapped == name {
        return false;
    }
    let other = folder.with_file_name(swapped);
    match (std::fs::symlink_metadata(folder), std::fs::symlink_metadata(other)) {
        (Ok(a), Ok(b)) => {
            use std::os::unix::fs::MetadataExt;
            a.ino() == b.ino() && a.dev() == b.dev()
        }
        _ => false,
    }
}

/// The name of this machine.
pub fn host_name() -> Option<String> {
    rustix::system::uname().nodename().to_str().ok().map(str::to_owned)
}

/// True if a process with this number is running.
pub fn process_is_alive(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else {
        return false;
    };
    !matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

/// Bytes that can still be written to the file system that holds `path`.
pub fn free_space(path: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(path).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// The bytes of a path.
pub fn path_to_bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

/// The path of some bytes.
pub fn bytes_to_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// "Too many links" is what the system says when it may not follow one. To us the name is simply no folder or file.
fn link_in_the_way(error: io::Error) -> io::Error {
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        return io::Error::new(io::ErrorKind::NotADirectory, "there is a symbolic link in the way");
    }
    error
}

/// One system call where there is `openat2`; else one per part.
#[cfg(target_os = "linux")]
fn open_beneath(root: &OwnedFd, relative: &[u8]) -> io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;
    use std::sync::atomic::{AtomicBool, Ordering};
    static MISSING: AtomicBool = AtomicBool::new(false);
    if !MISSING.load(Ordering::Relaxed) {
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match rustix::fs::openat2(root, relative, OPEN_DIR, Mode::empty(), resolve) {
            // Some sandboxes answer EPERM for calls they do not know; the step-by-step way then decides.
            Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => MISSING.store(true, Ordering::Relaxed),
            Err(rustix::io::Errno::AGAIN) => {}
            other => return Ok(other?),
        }
    }
    open_step_by_step(root, relative)
}

#[cfg(not(target_os = "linux"))]
fn open_beneath(root: &OwnedFd, relative: &[u8]) -> io::Result<OwnedFd> {
    open_step_by_step(root, relative)
}

fn open_step_by_step(root: &OwnedFd, relative: &[u8]) -> io::Result<OwnedFd> {
    let mut current: Option<OwnedFd> = None;
    for part in relative.split(|&byte| byte == b'/') {
        if part.is_empty() || part == b"." || part == b".." {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a folder path must be plain and relative",
            ));
        }
        current = Some(rustix::fs::openat(current.as_ref().unwrap_or(root), part, OPEN_DIR, Mode::empty())?);
    }
    current.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "an empty folder path"))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn list_names(
    dir: &OwnedFd,
    buffer: &mut Vec<u8>,
    each: &mut dyn FnMut(&[u8], Option<FileKind>),
) -> io::Result<()> {
    // `RawDir` reads straight into our buffer: no allocation per name, no second descriptor.
    if buffer.capacity() < 32 * 1024 {
        buffer.reserve(32 * 1024);
    }
    let mut entries = rustix::fs::RawDir::new(dir, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            each(name, kind_of(entry.file_type()));
        }
    }
    Ok(())
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn list_names(
    dir: &OwnedFd,
    _buffer: &mut Vec<u8>,
    each: &mut dyn FnMut(&[u8], Option<FileKind>),
) -> io::Result<()> {
    for entry in rustix::fs::Dir::read_from(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            each(name, kind_of(entry.file_type()));
        }
    }
    Ok(())
}

fn kind_of(file_type: FileType) -> Option<FileKind> {
    Some(match file_type {
        FileType::RegularFile => FileKind::File,
        FileType::Symlink => FileKind::Symlink,
        FileType::Directory => FileKind::Dir,
        FileType::Unknown => return None,
        _ => FileKind::Special,
    })
}

/// The numbers have other widths on other systems: `st_mode` is 16 bits and `st_dev` signed on macOS.
#[cfg_attr(
    any(target_os = "linux", target_os = "android"),
    expect(clippy::unnecessary_cast, clippy::useless_conversion, reason = "needed on macOS")
)]
fn convert(stat: &rustix::fs::Stat) -> FileStat {
    let kind = kind_of(FileType::from_raw_mode(stat.st_mode)).unwrap_or(FileKind::Special);
    FileStat {
        kind,
        mode: u32::from(stat.st_mode) & 0o7777,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        mtime_ns: nanoseconds(stat.st_mtime, stat.st_mtime_nsec as i64),
        ctime_ns: nanoseconds(stat.st_ctime, stat.st_ctime_nsec as i64),
        ino: stat.st_ino,
        dev: stat.st_dev as u64,
    }
}

fn nanoseconds(seconds: i64, nanoseconds: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_on_the_way_is_never_followed_cp8() {
        let tmp = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), tmp.path().join("link")).unwrap();
        std::fs::create_dir(outside.path().join("deep")).unwrap();
        let root = DirHandle::open_root(tmp.path()).unwrap();
        assert!(root.open_dir(b"link").is_err());
        assert!(root.open_dir(b"link/deep").is_err());
        assert!(open_step_by_step(&root.0, b"link/deep").is_err());
        assert!(open_step_by_step(&root.0, b"../x").is_err());
    }

    #[test]
    fn opening_a_pipe_does_not_block() {
        let tmp = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo").arg(tmp.path().join("pipe")).status().unwrap();
        assert!(made.success());
        let root = DirHandle::open_root(tmp.path()).unwrap();
        assert_eq!(root.stat(b"pipe").unwrap().kind, FileKind::Special);
        let file = root.open_file(b"pipe").unwrap();
        assert_eq!(file_stat(&file).unwrap().kind, FileKind::Special);
    }

    #[test]
    fn private_folders_are_closed_to_others_cp7() {
        use std::os::unix::fs::PermissionsExt;
        let tmp = tempfile::tempdir().unwrap();
        let path = tmp.path().join("a/b");
        std::fs::create_dir_all(&path).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        make_private_dir(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
