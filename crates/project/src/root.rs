//! Which folder is the project?

use std::path::{Path, PathBuf};

use crate::nested::{GitMark, git_mark};
use crate::{Context, Error, ProjectId, Result, identity, too_wide};

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
    /// It is no project: single files that lie in none, named from the top of the file system. See [`crate::Project::loose`].
    Loose,
}

/// Finds the root from the current folder upwards: the nearest folder that vib knows or that is the top of a git work tree, else
/// the current folder. A submodule is a part of what is around it. Runs no git. Folders that can be no project are passed over,
/// whatever marks lie in them.
pub fn find_root(context: &Context) -> Result<(PathBuf, RootKind, Option<ProjectId>)> {
    find_root_from(context, context.cwd())
}

/// The same from another folder: an agent wanders, its session stays where it was started.
pub fn find_root_from(context: &Context, start: &Path) -> Result<(PathBuf, RootKind, Option<ProjectId>)> {
    let state = context.state()?;
    refuse_never_a_project(context, start)?;
    let mut git_top = None;
    for folder in start.ancestors().filter(|folder| too_wide::never_a_project(context, folder).is_none()) {
        if let Some(id) = identity::read_id_file(folder)? {
            return Ok((folder.to_path_buf(), RootKind::Initialised, Some(id)));
        }
        if let Some(id) = identity::remembered_id(state, folder) {
            return Ok((folder.to_path_buf(), RootKind::Remembered, Some(id)));
        }
        match git_mark(folder) {
            None => {}
            // Settings that somebody keeps in git at home make no project of everything below; a known one may be above.
            Some(_) if too_wide::is_home(context, folder) => {
                git_top.get_or_insert(folder);
            }
            Some(GitMark::Submodule) => {
                git_top.get_or_insert(folder);
            }
            Some(GitMark::Repository | GitMark::WorkTree) => {
                git_top = Some(folder);
                break;
            }
        }
    }
    let (root, kind) = match git_top {
        Some(folder) => (folder, RootKind::Git),
        None => (start, RootKind::CurrentFolder),
    };
    // The home folder is a project only where somebody asked for exactly that.
    if too_wide::is_home(context, root) {
        return Err(Error::RootTooWide {
            root: root.to_path_buf(),
            what: "your home folder",
            may_insist: true,
        });
    }
    Ok((root.to_path_buf(), kind, None))
}

/// A folder that holds everything, or everybody's things, is no project, even if somebody insists.
pub(crate) fn refuse_never_a_project(context: &Context, folder: &Path) -> Result<()> {
    match too_wide::never_a_project(context, folder) {
        Some(what) => Err(Error::RootTooWide { root: folder.to_path_buf(), what, may_insist: false }),
        None => Ok(()),
    }
}

/// The project of vib's that a path lies in, wherever the current folder is: the nearest folder above it that vib knows. A repository
/// that vib has never seen is none, and neither is the path itself.
pub fn known_project_of(context: &Context, path: &Path) -> Option<PathBuf> {
    let state = context.state().ok()?;
    let is_known = |folder: &&Path| {
        too_wide::never_a_project(context, folder).is_none()
            && (identity::remembered_id(state, folder).is_some()
                || matches!(identity::read_id_file(folder), Ok(Some(_))))
    };
    path.ancestors().skip(1).find(is_known).map(Path::to_path_buf)
}
