//! The page on the disk: never through a link, the old file or the new one and nothing between, and never over something that
//! vib did not write unless somebody said yes.

use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use project::platform::{self, DirHandle, FileKind};
use project::{Readers, Replacement};

/// The name of the page, in the project's root.
pub const FILE_NAME: &str = "PROJECT_CONTEXT.md";

/// More than this is not read: it is no page of ours.
const LONGEST: u64 = 4 << 20;
const MARK: &str = "<!-- vib:handoff 1 digest:";

/// What can go wrong with the page's file.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file system said no.
    #[error("`{}` cannot be written: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Something else has that name.
    #[error("`{}` is {what}, so it is not written", path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// Somebody wrote there in between.
    #[error("`{}` was changed by somebody else just now", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl WriteError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "handoff_io",
            Self::NotAFile { .. } => "handoff_not_a_file",
            Self::Changed { .. } => "handoff_changed",
        }
    }

    /// What the person can do next.
    pub fn next(&self) -> String {
        match self {
            Self::Io { .. } => {
                "see that the folder exists and can be written, or name another file with `--out`"
            }
            Self::NotAFile { .. } => "name another file with `--out`, or move that one away",
            Self::Changed { .. } => "run the command again",
        }
        .to_owned()
    }

    /// True if it is a refusal, not a failure.
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Io { .. })
    }
}

/// Whose file it is that has the name already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Existing {
    /// Nobody's: there is none.
    None,
    /// Vib's own, as vib wrote it.
    Ours,
    /// Vib's own, changed by hand since.
    Edited,
    /// Somebody else's.
    Foreign,
}

/// A folder and a name in it.
#[derive(Debug, Clone)]
pub struct Place {
    /// The folder.
    pub folder: PathBuf,
    /// The name.
    pub name: String,
}

impl Place {
    /// The page of a project.
    pub fn of_project(root: &Path) -> Self {
        Self { folder: root.to_path_buf(), name: FILE_NAME.to_owned() }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

/// The page with its last line, by which vib knows it again.
pub fn stamp(text: &str) -> String {
    let text = text.trim_end();
    format!("{text}\n\n{MARK}{} -->\n", digest(text))
}

/// Whose file this is.
pub fn existing(bytes: Option<&[u8]>) -> Existing {
    let Some(bytes) = bytes else {
        return Existing::None;
    };
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Existing::Foreign;
    };
    let Some((body, mark)) = text.rsplit_once(MARK) else {
        return Existing::Foreign;
    };
    let written = mark.trim_end().strip_suffix(" -->").unwrap_or_default();
    if written == digest(body.trim_end()) { Existing::Ours } else { Existing::Edited }
}

fn digest(text: &str) -> String {
    // Line ends may be changed by git or an editor; that is no change by hand.
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.replace("\r\n", "\n").as_bytes()))
}

/// What has that name now.
pub fn read_at(place: &Place) -> Result<Option<Vec<u8>>, WriteError> {
    let io = |error| WriteError::Io { path: place.path(), error };
    let folder = DirHandle::open_root(&place.folder).map_err(io)?;
    read(&folder, place)
}

fn read(folder: &DirHandle, place: &Place) -> Result<Option<Vec<u8>>, WriteError> {
    let io = |error| WriteError::Io { path: place.path(), error };
    let not = |what| WriteError::NotAFile { path: place.path(), what };
    let stat = match folder.stat(place.name.as_bytes()) {
        Ok(stat) => stat,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io(error)),
    };
    match stat.kind {
        FileKind::File if stat.size > LONGEST => return Err(not("larger than any page of vib's")),
        FileKind::File => {}
        FileKind::Symlink => return Err(not("a link")),
        FileKind::Dir => return Err(not("a folder")),
        FileKind::Special => return Err(not("no plain file")),
    }
    let mut bytes = Vec::new();
    let file = folder.open_file(place.name.as_bytes()).map_err(io)?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(io)?;
    Ok(Some(bytes))
}

/// Writes the page, if what is there is still what the person was asked about.
pub fn write_at(place: &Place, bytes: &[u8], seen: Option<&[u8]>) -> Result<(), WriteError> {
    let io = |error| WriteError::Io { path: place.path(), error };
    let folder = DirHandle::open_root(&place.folder).map_err(io)?;
    if read(&folder, place)?.as_deref() != seen {
        return Err(WriteError::Changed { path: place.path() });
    }
    let name = place.name.as_bytes();
    let mode = folder.stat(name).map_or(0o644, |stat| stat.mode);
    let mut new = Replacement::inside(folder, name, Readers::Owner).map_err(io)?;
    let written = new
        .file()
        .write_all(bytes)
        .and_then(|()| platform::set_file_mode(new.file(), mode))
        .and_then(|()| new.file().sync_all());
    written.and_then(|()| new.put()).map_err(io)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_whose_file_it_is() {
        let page = stamp("# Shop\n\nall well\n");
        assert_eq!(existing(None), Existing::None);
        assert_eq!(existing(Some(page.as_bytes())), Existing::Ours);
        assert_eq!(existing(Some(page.replace('\n', "\r\n").as_bytes())), Existing::Ours);
        assert_eq!(existing(Some(page.replace("well", "bad").as_bytes())), Existing::Edited);
        assert_eq!(existing(Some(b"# by hand\n")), Existing::Foreign);
        assert_eq!(existing(Some(b"\xff\xfe")), Existing::Foreign);
    }

    #[test]
    fn nothing_is_written_over_what_nobody_was_asked_about() {
        let base = tempfile::tempdir().unwrap();
        let place = Place::of_project(base.path());
        write_at(&place, b"one", None).unwrap();
        assert_eq!(read_at(&place).unwrap().as_deref(), Some(&b"one"[..]));
        assert_eq!(write_at(&place, b"two", None).unwrap_err().code(), "handoff_changed");
        write_at(&place, b"two", Some(b"one")).unwrap();
        assert_eq!(std::fs::read(base.path().join(FILE_NAME)).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_refused() {
        let base = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/hostname", base.path().join(FILE_NAME)).unwrap();
        let error = read_at(&Place::of_project(base.path())).unwrap_err();
        assert_eq!(error.code(), "handoff_not_a_file");
    }
}
