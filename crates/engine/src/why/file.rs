//! The file as it is on the disk, reached without following a link: a link in the way leads to somebody else's lines.

use std::io::Read;
use std::path::Path;

use project::RelPath;
use project::platform::{DirHandle, FileKind};
use store::lines::MOST_BYTES;

/// What is at a path.
pub(crate) enum There {
    /// Nothing, or nothing that could be reached inside the project.
    Gone,
    /// A folder.
    Folder,
    /// A link, a pipe.
    Other,
    /// More than anybody asks about line by line.
    TooLong,
    /// A file.
    File(Vec<u8>),
}

/// Looks.
pub(crate) fn look(root: &Path, path: &RelPath) -> There {
    let (folder, name) = path.split();
    let Ok(dir) = DirHandle::open_root(root).and_then(|root| root.open_dir(folder)) else {
        return There::Gone;
    };
    let Ok(stat) = dir.stat(name) else { return There::Gone };
    match stat.kind {
        FileKind::Dir => There::Folder,
        FileKind::Symlink | FileKind::Special => There::Other,
        FileKind::File if stat.size > MOST_BYTES as u64 => There::TooLong,
        FileKind::File => {
            let mut bytes = Vec::new();
            let read =
                dir.open_file(name).and_then(|file| file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes));
            match read {
                Ok(_) if bytes.len() <= MOST_BYTES => There::File(bytes),
                Ok(_) => There::TooLong,
                Err(_) => There::Gone,
            }
        }
    }
}
