//! Everything that differs between operating systems: folder handles, file identity, links, modes, locks on the disk,
//! case, well-known folders.
//!
//! [`DirHandle`] is how vib touches a user's tree. All its operations take a *name* inside one opened folder and follow
//! no symbolic link, so a link planted between a check and a write cannot lead out of the project.
//!
//! `unix` is written for Linux and macOS (descriptor-relative calls). `portable` uses only the standard library, with
//! the same surface; it is what a Windows build uses, and its tests run everywhere.

mod folders;
mod group;
#[cfg(any(not(unix), test))]
#[cfg_attr(unix, expect(dead_code, reason = "on Unix only its tests use it"))]
mod portable;
mod process;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use portable::*;
#[cfg(unix)]
pub use unix::*;

pub use folders::{config_folder, memory_folder, state_folder};
pub use group::{end_group, end_in_folder, end_marked, in_own_group, in_own_session, working_in};
pub use process::{
    FIRST_SPACE, Process, cgroup_of, environment_of, hides_processes, opened_terminals, parent_of, process,
    process_space, process_start, program_of,
};

/// What kind of thing a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A symbolic link (never followed).
    Symlink,
    /// A folder.
    Dir,
    /// A pipe, socket or device: reported, never saved or written.
    Special,
}

/// What the file system says about a name, without reading its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStat {
    /// The kind.
    pub kind: FileKind,
    /// Permission bits (`0o7777`).
    pub mode: u32,
    /// Length in bytes.
    pub size: u64,
    /// Time of the last content change, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Time of the last change of any kind; a program cannot set it. Zero where the system has none.
    pub ctime_ns: i64,
    /// The file's number on its device. Zero where the system has none.
    pub ino: u64,
    /// The device.
    pub dev: u64,
}

/// True if `bytes` names a place with a drive or a share in front, on the systems that have them.
pub fn is_absolute_bytes(bytes: &[u8]) -> bool {
    cfg!(windows) && (bytes.contains(&b'\\') || bytes.get(1) == Some(&b':'))
}

/// True for names that this system cannot hold or gives a special meaning.
pub fn is_forbidden_name(name: &[u8]) -> bool {
    if !cfg!(windows) {
        return false;
    }
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name);
    let device = [&b"con"[..], b"prn", b"aux", b"nul"].iter().any(|word| stem.eq_ignore_ascii_case(word))
        || (stem.len() == 4
            && (stem[..3].eq_ignore_ascii_case(b"com") || stem[..3].eq_ignore_ascii_case(b"lpt"))
            && stem[3].is_ascii_digit());
    device
        || name.ends_with(b".")
        || name.ends_with(b" ")
        || name.iter().any(|byte| b"<>:\"\\|?*".contains(byte))
}
