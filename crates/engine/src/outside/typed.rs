//! Paths that a person typed: which store they are about, and how they are shown.

use std::path::{Path, PathBuf};

use project::{Context, Project};
use store::{Progress, Stats};

use super::place::{Keeper, keeper_of, real_path};
use crate::{Engine, Error, Result};

/// The store of single files that lie in no project, for the file system that `place` is on.
pub fn loose_files(context: &Context, place: &Path) -> Result<Engine> {
    let there = context.beside(context.cwd()).map_err(project::Error::from)?;
    let project = Project::loose(&there, place)?;
    Ok(Engine::with(there, project))
}

/// The numbers of the store of loose files, if anything was ever saved in it; makes none.
pub fn stats(context: &Context, progress: &dyn Progress) -> Option<Stats> {
    let there = context.state().ok()?.join("loose");
    // On systems with drives the one of the current folder speaks for all.
    there.symlink_metadata().ok()?;
    let engine = loose_files(context, context.cwd()).ok()?;
    if !engine.project().state().join("store.db").exists() {
        return None;
    }
    crate::storage::stats(&engine, progress).ok()
}

/// `~` and `~/…` where the shell left them as they are.
pub fn expanded(context: &Context, typed: &Path) -> PathBuf {
    match (typed.strip_prefix("~"), context.home()) {
        (Ok(inside), Some(home)) => home.join(inside),
        _ => typed.to_path_buf(),
    }
}

/// A path for people: what lies in the home begins with `~`.
pub fn shown(context: &Context, path: &Path) -> String {
    let home = context.home().map(|home| real_path(home, true));
    match home.as_deref().and_then(|home| path.strip_prefix(home).ok()) {
        Some(inside) if !inside.as_os_str().is_empty() => format!("~/{}", inside.display()),
        _ => path.display().to_string(),
    }
}

/// The store that the typed paths are about, where it is not that of the project around the current folder: another project, or the
/// loose files. None: they are in this project, or there are none.
pub fn engine_for(context: &Context, typed: &[PathBuf]) -> Result<Option<Engine>> {
    if typed.is_empty() {
        return Ok(None);
    }
    let root = project::find_root(context).map(|(root, ..)| root).ok();
    let mut found: Option<Keeper> = None;
    for path in typed {
        let path = real_path(&context.cwd().join(expanded(context, path)), false);
        let keeper = keeper_of(context, root.as_deref(), &path);
        // What is never saved is asked for in the one store that could have it, which says so.
        let keeper = match (keeper, path.ancestors().last()) {
            (Keeper::Nobody, Some(top)) => Keeper::Loose(top.to_path_buf()),
            (keeper, _) => keeper,
        };
        match &found {
            Some(other) if *other != keeper => {
                return Err(Error::Usage(
                    "these files lie in different projects, or some in none; name those of each in a command of their own"
                        .to_owned(),
                ));
            }
            _ => found = Some(keeper),
        }
    }
    match found {
        Some(Keeper::Project(root)) => {
            // What was typed is meant from here.
            let here = context.beside(context.cwd()).map_err(project::Error::from)?;
            Engine::open_from(here, &root).map(Some)
        }
        Some(Keeper::Loose(top)) => loose_files(context, &top).map(Some),
        _ => Ok(None),
    }
}
