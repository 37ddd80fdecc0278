//! Taking such a folder away again.

use std::path::Path;

use project::platform::{DirHandle, FileKind};

use crate::Result;

/// Removes a folder with everything in it. Follows no link, and opens up folders that let nobody write. A folder that is not there is no error.
pub fn remove_folder(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(_) => {}
    }
    let root = DirHandle::open_root(folder)?;
    open_up(&root);
    drop(root);
    match fs_err::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => Ok(other?),
    }
}

fn open_up(dir: &DirHandle) {
    let mut folders = Vec::new();
    let listed = dir.list(&mut Vec::new(), |name, kind| {
        if kind.is_none_or(|kind| kind == FileKind::Dir) {
            folders.push(name.to_vec());
        }
    });
    if listed.is_err() {
        return;
    }
    for name in folders {
        if dir.stat(&name).is_ok_and(|stat| stat.kind == FileKind::Dir)
            && dir.set_dir_mode(&name, 0o700).is_ok()
            && let Ok(inner) = dir.open_dir(&name)
        {
            open_up(&inner);
        }
    }
}
