//! Files that are known to be saved as they are, without opening the index.
//!
//! An agent edits one file again and again, and nobody touches it in between. Then the look before an edit finds what an earlier look
//! saved, and opening the index to be told so is most of what the edit costs. So every look writes down what it saw, and how the
//! index lay on the disk when it was done. As long as the index lies there like that, nothing was recorded since; and as long as a file
//! has that content and mode, the index holds it as its newest version. Any doubt means: open the index and look.

use std::path::Path;

use project::platform::{DirHandle, FileKind, FileStat};
use project::{Project, RelPath};
use serde::{Deserialize, Serialize};

use crate::db::IndexMark;
use crate::entry::EntryKind;
use crate::hash::ContentHash;
use crate::walk::outcome::Change;

const FILE: &str = "saved.lately";
const VERSION: u32 = 1;
/// As many files as an agent goes back and forth between.
const MOST_FILES: usize = 16;
/// After a walk that found more, the next look at each file asks the index.
pub(crate) const MOST_CHANGES: usize = 64;
/// Comparing a longer file costs more than asking the index.
const LONGEST: u64 = 256 << 10;

#[derive(Debug, Serialize, Deserialize)]
struct Lately {
    version: u32,
    index: IndexMark,
    /// The newest last.
    files: Vec<Known>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Known {
    path: String,
    mode: u32,
    size: u64,
    hash: String,
}

/// Writes down what was just looked at and entered into the index. `before` and `after`: how the index lay there around that. Failing costs
/// nothing but time.
pub(crate) fn remember(folder: &Path, before: &IndexMark, after: IndexMark, seen: &[Change]) {
    let known = read(folder).filter(|known| known.index == *before);
    let mut files = known.map(|known| known.files).unwrap_or_default();
    for change in seen {
        let Ok(path) = std::str::from_utf8(&change.path) else { continue };
        files.retain(|known| known.path != path);
        if let Some(entry) = &change.now
            && entry.kind == EntryKind::File
            && entry.size <= LONGEST
        {
            let hash = entry.hash.to_hex();
            files.push(Known { path: path.to_owned(), mode: entry.mode, size: entry.size, hash });
        }
    }
    files.drain(..files.len().saturating_sub(MOST_FILES));
    let lately = Lately { version: VERSION, index: after, files };
    if let Ok(bytes) = serde_json::to_vec(&lately) {
        let _ = project::write_over(&folder.join(FILE), &bytes);
    }
}

/// True if the index holds each of these files, as it is now, as its newest version.
pub(crate) fn are_saved(project: &Project, paths: &[RelPath]) -> bool {
    let folder = project.state();
    let Some(lately) = read(folder) else { return false };
    if project.is_loose() || IndexMark::of(folder).as_ref() != Some(&lately.index) {
        return false;
    }
    let Ok(root) = DirHandle::open_root(project.root()) else { return false };
    let is_as_known = |path: &RelPath| {
        let known = lately.files.iter().find(|known| known.path.as_bytes() == path.as_bytes());
        known.is_some_and(|known| is_as(&root, path, known))
    };
    !paths.is_empty() && paths.iter().all(is_as_known)
}

fn is_as(root: &DirHandle, path: &RelPath, known: &Known) -> bool {
    let (folder, name) = path.split();
    let Ok(folder) = root.open_dir(folder) else { return false };
    let looks_like =
        |stat: &FileStat| stat.kind == FileKind::File && stat.mode == known.mode && stat.size == known.size;
    let Ok(stat) = folder.stat(name) else { return false };
    if !looks_like(&stat) {
        return false;
    }
    let mut content = Vec::new();
    let read =
        folder.open_file(name).and_then(|mut file| std::io::Read::read_to_end(&mut file, &mut content));
    read.is_ok() && ContentHash::of(&content).to_hex() == known.hash
}

fn read(folder: &Path) -> Option<Lately> {
    let lately: Lately = serde_json::from_slice(&std::fs::read(folder.join(FILE)).ok()?).ok()?;
    (lately.version == VERSION).then_some(lately)
}
