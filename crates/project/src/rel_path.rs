//! [`RelPath`]: a path inside the project, proven so by its constructor.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use crate::platform;

/// Names that are never part of a checkpoint and never written by vib, at any depth: the user's git data and vib's own
/// folder. Compared without case, because some file systems ignore it.
const RESERVED: [&[u8]; 2] = [b".git", b".vibelign"];

/// Temporary files that a restore leaves when it is killed; they are cleaned up, never saved.
const TEMPORARY_PREFIX: &[u8] = b".vib-tmp-";

/// True for names that vib neither saves nor writes.
pub fn is_reserved_name(name: &[u8]) -> bool {
    RESERVED.iter().any(|reserved| name.eq_ignore_ascii_case(reserved)) || name.starts_with(TEMPORARY_PREFIX)
}

/// A path inside the project: relative, `/`-separated, any bytes but NUL; no `.`, `..`, empty or reserved part.
///
/// The constructor proves the text. That no *symbolic link* on the way leads out is proven when the path is used:
/// every file operation goes through [`platform::DirHandle`], which refuses to follow one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(Box<[u8]>);

/// Why a path was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RelPathError {
    /// Outside the root: absolute elsewhere, or `..` over the top.
    #[error("`{0}` is outside the project")]
    Outside(String),
    /// Names git's or vib's own data.
    #[error("`{0}` belongs to git or to vib itself, and vib never touches it")]
    Reserved(String),
    /// Not a path at all: empty, a NUL byte, an empty part.
    #[error("`{0}` is not a usable file name")]
    Malformed(String),
}

impl RelPathError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Outside(_) => "path_outside_project",
            Self::Reserved(_) => "path_reserved",
            Self::Malformed(_) => "path_malformed",
        }
    }

    /// What to do next.
    pub fn next(&self) -> &'static str {
        match self {
            Self::Outside(_) => {
                "name a file inside the project folder; outside it, vib knows only what agents changed there"
            }
            Self::Reserved(_) => "name a file of your project; git's own data is left alone",
            Self::Malformed(_) => "check the spelling of the file name",
        }
    }
}

impl RelPath {
    /// Takes stored or received bytes. Refuses everything that is not already in plain relative form.
    pub fn new(bytes: &[u8]) -> Result<Self, RelPathError> {
        let shown = || show(bytes);
        if bytes.is_empty() || bytes.contains(&0) {
            return Err(RelPathError::Malformed(shown()));
        }
        if bytes[0] == b'/' || platform::is_absolute_bytes(bytes) {
            return Err(RelPathError::Outside(shown()));
        }
        for part in bytes.split(|&byte| byte == b'/') {
            match part {
                b"" | b"." => return Err(RelPathError::Malformed(shown())),
                b".." => return Err(RelPathError::Outside(shown())),
                _ if is_reserved_name(part) => return Err(RelPathError::Reserved(shown())),
                _ if platform::is_forbidden_name(part) => return Err(RelPathError::Malformed(shown())),
                _ => {}
            }
        }
        Ok(Self(bytes.into()))
    }

    /// Takes what a person typed: relative to `cwd`, or absolute inside `root`; `.` and `..` are resolved as text.
    /// Returns `None` for the root itself.
    pub fn from_user(root: &Path, cwd: &Path, typed: &Path) -> Result<Option<Self>, RelPathError> {
        let outside = || RelPathError::Outside(typed.display().to_string());
        let mut full = PathBuf::new();
        for component in cwd.join(typed).components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    if !full.pop() {
                        return Err(outside());
                    }
                }
                other => full.push(other),
            }
        }
        let inside = match full.strip_prefix(root) {
            Ok(inside) => inside.to_path_buf(),
            // The root is known in its resolved form; what was typed may go through a link to it. Only the folder part
            // is resolved: the last part may itself be a link, and then it is the link that is meant.
            Err(_) => {
                let (Some(parent), Some(name)) = (full.parent(), full.file_name()) else {
                    return Err(outside());
                };
                let parent = parent.canonicalize().map_err(|_| outside())?;
                parent.join(name).strip_prefix(root).map_err(|_| outside())?.to_path_buf()
            }
        };
        if inside.as_os_str().is_empty() {
            return Ok(None);
        }
        Self::new(&platform::path_to_bytes(&inside)).map(Some)
    }

    /// Puts together a folder of the project (empty for the root) and a name read from the disk.
    pub fn join(folder: &[u8], name: &[u8]) -> Result<Self, RelPathError> {
        if folder.is_empty() {
            return Self::new(name);
        }
        let mut bytes = Vec::with_capacity(folder.len() + 1 + name.len());
        bytes.extend_from_slice(folder);
        bytes.push(b'/');
        bytes.extend_from_slice(name);
        Self::new(&bytes)
    }

    /// The bytes, `/`-separated.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The folder part (empty for the root) and the name.
    pub fn split(&self) -> (&[u8], &[u8]) {
        split_bytes(&self.0)
    }

    /// The last part.
    pub fn name(&self) -> &[u8] {
        self.split().1
    }

    /// The path on this machine, below `root`.
    pub fn to_path(&self, root: &Path) -> PathBuf {
        root.join(platform::bytes_to_path(&self.0))
    }

    /// True if `self` is `folder` or lies below it.
    pub fn is_in(&self, folder: &Self) -> bool {
        self.0.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }
}

/// Splits at the last `/`: folder (empty for none) and name.
pub(crate) fn split_bytes(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (b"", bytes),
    }
}

/// Readable form of any bytes: UTF-8 as it is, other bytes and control characters as `\xNN`.
pub(crate) fn show(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() {
                let mut buffer = [0; 4];
                for byte in character.encode_utf8(&mut buffer).bytes() {
                    out.push_str(&format!("\\x{byte:02x}"));
                }
            } else {
                out.push(character);
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out
}

impl fmt::Display for RelPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&show(&self.0))
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "RelPath({self})")
    }
}

impl serde::Serialize for RelPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_everything_that_could_leave_the_root_cp8() {
        for (bytes, code) in [
            (&b"/etc/passwd"[..], "path_outside_project"),
            (b"../x", "path_outside_project"),
            (b"a/../../x", "path_outside_project"),
            (b"a/./b", "path_malformed"),
            (b"a//b", "path_malformed"),
            (b"a/", "path_malformed"),
            (b"", "path_malformed"),
            (b"a\0b", "path_malformed"),
            (b".git/config", "path_reserved"),
            (b"sub/.GIT/hooks/pre-commit", "path_reserved"),
            (b".vibelign/id", "path_reserved"),
            (b".vib-tmp-1", "path_reserved"),
        ] {
            assert_eq!(RelPath::new(bytes).unwrap_err().code(), code, "{}", show(bytes));
        }
    }

    #[test]
    fn names_that_only_resemble_reserved_ones_are_fine() {
        for name in [&b".gitignore"[..], b".github/x", b"a/.gitmodules", b"..a", b"a..", b"\xff\xfe", b"a b"]
        {
            assert!(RelPath::new(name).is_ok(), "{}", show(name));
        }
    }

    #[test]
    fn typed_paths_are_resolved_against_the_current_folder() {
        let root = Path::new("/p");
        let at = |cwd: &str, typed: &str| RelPath::from_user(root, Path::new(cwd), Path::new(typed));
        assert_eq!(at("/p/src", "a.rs").unwrap().unwrap().as_bytes(), b"src/a.rs");
        assert_eq!(at("/p/src", "../b").unwrap().unwrap().as_bytes(), b"b");
        assert_eq!(at("/p/src", "/p/c").unwrap().unwrap().as_bytes(), b"c");
        assert_eq!(at("/p/src", "..").unwrap(), None);
        assert_eq!(at("/p", "../q").unwrap_err().code(), "path_outside_project");
        assert_eq!(at("/p", "/pq").unwrap_err().code(), "path_outside_project");
    }

    #[test]
    fn folder_membership_goes_by_whole_parts() {
        let path = |text: &[u8]| RelPath::new(text).unwrap();
        assert!(path(b"src/a").is_in(&path(b"src")));
        assert!(path(b"src").is_in(&path(b"src")));
        assert!(!path(b"src2/a").is_in(&path(b"src")));
    }

    proptest! {
        #[test]
        fn an_accepted_path_never_climbs(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(path) = RelPath::new(&bytes) {
                let joined = path.to_path(Path::new("/root/project"));
                prop_assert!(joined.starts_with("/root/project"));
                prop_assert!(joined.components().all(|part| !matches!(part, Component::ParentDir | Component::CurDir)));
                prop_assert_eq!(path.as_bytes(), &bytes[..]);
            }
        }
    }
}
