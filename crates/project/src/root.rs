//! Which folder is the project?

use std::path::{Path, PathBuf};

use crate::{Context, Error, ProjectId, Result, identity};

/// What made a folder the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootKind {
    /// It has vib's folder with an id.
    Initialised,
    /// vib has seen this folder before; its own folder in it is gone.
    Remembered,
    /// It is the top of a git work tree.
    Git,
    /// Nothing marked it: the current folder.
    CurrentFolder,
}

/// Finds the root from the current folder upwards: the nearest folder that vib knows, else the nearest git work tree,
/// else the current folder. Runs no git and reads no git data.
pub fn find_root(context: &Context) -> Result<(PathBuf, RootKind, Option<ProjectId>)> {
    let state = context.state()?;
    for folder in context.cwd().ancestors() {
        if let Some(id) = identity::read_id_file(folder)? {
            return Ok((folder.to_path_buf(), RootKind::Initialised, Some(id)));
        }
        if let Some(id) = identity::remembered_id(state, folder) {
            return Ok((folder.to_path_buf(), RootKind::Remembered, Some(id)));
        }
    }
    let git_top = context.cwd().ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
    let (root, kind) = match git_top {
        Some(folder) => (folder, RootKind::Git),
        None => (context.cwd(), RootKind::CurrentFolder),
    };
    refuse_too_wide(context, root)?;
    Ok((root.to_path_buf(), kind, None))
}

/// A project that nobody asked for explicitly must not be the whole disk or the whole home folder.
fn refuse_too_wide(context: &Context, root: &Path) -> Result<()> {
    let what = if root.parent().is_none() {
        "the top of the file system"
    } else if context.home().is_some_and(|home| home.canonicalize().is_ok_and(|home| home == root)) {
        "your home folder"
    } else {
        return Ok(());
    };
    Err(Error::RootTooWide { root: root.to_path_buf(), what })
}
