//! [`Photo`]: everything about a tree that a restore must bring back.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Names (as bytes), kinds, contents, modes and links of a tree, without vib's and git's own folders.
#[derive(Clone, PartialEq, Eq)]
pub struct Photo(BTreeMap<Vec<u8>, Thing>);

#[derive(Clone, PartialEq, Eq)]
enum Thing {
    File { content: Vec<u8>, mode: u32 },
    Link(Vec<u8>),
    Folder { mode: u32 },
    Other,
}

impl Photo {
    /// Takes one.
    pub fn of(root: &Path) -> Self {
        let mut things = BTreeMap::new();
        collect(root, root, &mut things);
        Self(things)
    }

    /// How many names.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Fails the test with the names that are different.
    #[track_caller]
    pub fn assert_same(&self, other: &Self) {
        let names: std::collections::BTreeSet<_> = self.0.keys().chain(other.0.keys()).collect();
        let different: Vec<String> = names
            .into_iter()
            .filter(|name| self.0.get(*name) != other.0.get(*name))
            .map(|name| {
                let describe = |photo: &Self| photo.0.get(name).map_or("nothing".to_owned(), Thing::describe);
                format!("{}: {} / {}", String::from_utf8_lossy(name), describe(self), describe(other))
            })
            .collect();
        assert!(different.is_empty(), "{} names differ:\n{}", different.len(), different.join("\n"));
    }
}

impl Thing {
    fn describe(&self) -> String {
        match self {
            Self::File { content, mode } => {
                let start = String::from_utf8_lossy(&content[..content.len().min(30)]).into_owned();
                format!("file {mode:o}, {} bytes {start:?}", content.len())
            }
            Self::Link(target) => format!("link to {}", String::from_utf8_lossy(target)),
            Self::Folder { mode } => format!("folder {mode:o}"),
            Self::Other => "something else".to_owned(),
        }
    }
}

fn collect(root: &Path, folder: &Path, things: &mut BTreeMap<Vec<u8>, Thing>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name();
        if name == ".vibelign" || name == ".git" {
            continue;
        }
        let path = entry.path();
        let metadata = path.symlink_metadata().expect("metadata");
        let mode = metadata.permissions().mode() & 0o7777;
        let relative = path.strip_prefix(root).expect("below the root").as_os_str().as_bytes().to_vec();
        let thing = if metadata.is_symlink() {
            Thing::Link(std::fs::read_link(&path).expect("a link").as_os_str().as_bytes().to_vec())
        } else if metadata.is_dir() {
            collect(root, &path, things);
            Thing::Folder { mode }
        } else if metadata.is_file() {
            Thing::File { content: std::fs::read(&path).unwrap_or_default(), mode }
        } else {
            Thing::Other
        };
        things.insert(relative, thing);
    }
}
