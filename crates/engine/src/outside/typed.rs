//! Paths that a person typed: which store they are about, and how they are shown.

use std::path::{Path, PathBuf};

use project::{Context, Project};
use store::{Progress, RequestNumber, Silent, Stats, StepFilter, StepNumber};

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

/// A path as a word of a command line: quoted where a shell would read it as something else. (B2)
pub fn word(path: &str) -> String {
    let is_plain = |character: char| {
        character.is_alphanumeric()
            || matches!(character, '/' | '.' | '_' | '-' | '+' | ',' | '@' | '%' | ':' | '~')
    };
    // A `~` is read by vib itself; behind the first letter it is a letter like any other.
    if !path.is_empty() && !path.starts_with('-') && path.chars().all(is_plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', "'\\''"))
}

/// Another store than that of the project around the current folder: its numbers and ids mean nothing without a path in it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct OtherStore {
    /// The folder of the project; none: files that lie in no project.
    pub project: Option<String>,
    /// A path in it, as a person would type it from anywhere.
    pub path: String,
}

/// Says so if this store is not the one that a command without a path would be about. `path`: one in it.
pub(crate) fn other_store(engine: &Engine, path: &Path) -> Option<OtherStore> {
    let (context, project) = (engine.context(), engine.project());
    if !project.is_loose() && context.cwd().starts_with(project.root()) {
        return None;
    }
    let path = shown(context, &real_path(&context.cwd().join(expanded(context, path)), false));
    let folder = shown(context, project.root());
    Some(OtherStore { project: (!project.is_loose()).then_some(folder), path })
}

/// The loose files, if steps changed every one of these paths there.
fn loose_with_all(context: &Context, typed: &[PathBuf]) -> Option<Engine> {
    context.state().ok()?.join("loose").symlink_metadata().ok()?;
    let top = context.cwd().join(typed.first()?).ancestors().last()?.to_path_buf();
    let engine = loose_files(context, &top).ok()?;
    if let Ok(paths) = engine.paths(typed) {
        super::steps::close_begun(&engine, &paths, &Silent).ok();
    }
    typed.iter().all(|path| has_changes(&engine, path)).then_some(engine)
}

/// True if the history of this store has a change of the path, or of something in it.
fn has_changes(engine: &Engine, typed: &Path) -> bool {
    let typed = [expanded(engine.context(), typed)];
    let Ok(opened) = engine.store(&Silent) else { return false };
    let Ok(paths) = engine.known_paths(&opened.store, &typed) else { return false };
    let filter = StepFilter { path: paths.first(), limit: 1, ..StepFilter::default() };
    !paths.is_empty() && opened.store.steps(&filter).is_ok_and(|steps| !steps.is_empty())
}

/// A project of its own inside this one that has changes of all these paths; `moments` are ids that have to be known there, too. What was saved
/// of them in the project around it is meant otherwise. (B2)
fn nested_with_all(
    context: &Context,
    root: Option<&Path>,
    typed: &[PathBuf],
    paths: &[PathBuf],
    moments: &[&str],
) -> Option<Engine> {
    let root = root?;
    let own = project::own_project_of(root, paths.first()?)?;
    if paths.iter().any(|path| project::own_project_of(root, path).as_ref() != Some(&own)) {
        return None;
    }
    let there = Engine::open_from(context.beside(context.cwd()).ok()?, &own).ok()?;
    let knows = |moment: &&str| {
        let is_number = StepNumber::parse(moment).is_some() || RequestNumber::parse(moment).is_some();
        is_number || there.store(&Silent).is_ok_and(|opened| opened.store.resolve(moment).is_ok())
    };
    let is_meant = moments.iter().all(knows) && typed.iter().all(|path| has_changes(&there, path));
    is_meant.then_some(there)
}

/// The store that the typed paths are about, where it is not that of the project around the current folder: another project, one inside this
/// one, or the loose files. None: they are in this project, or there are none. `moments`: ids of checkpoints that were typed with them.
pub fn engine_for(context: &Context, typed: &[PathBuf], moments: &[&str]) -> Result<Option<Engine>> {
    if typed.is_empty() {
        return Ok(None);
    }
    // A folder that vib does not know is no project yet: what is saved of it is among the loose files.
    let (root, unknown) = match project::find_root(context) {
        Ok((root, _, Some(_))) => (Some(root), None),
        Ok((root, _, None)) => (None, Some(root)),
        Err(_) => (None, None),
    };
    let real = |path: &PathBuf| real_path(&context.cwd().join(expanded(context, path)), false);
    let paths: Vec<PathBuf> = typed.iter().map(real).collect();
    let here = || context.beside(context.cwd()).map_err(|error| Error::from(project::Error::from(error)));
    if let Some(nested) = nested_with_all(context, root.as_deref(), typed, &paths, moments) {
        return Ok(Some(nested));
    }
    let project = match common_keeper(context, root.as_deref(), &paths)? {
        Keeper::Loose(top) => {
            let is_new = unknown.is_some_and(|root| paths.iter().all(|path| path.starts_with(&root)));
            return match loose_with_all(context, typed) {
                // The project says that it is outside, which is true: nothing of it is saved.
                None if is_new || root.is_some() => Ok(None),
                None => loose_files(context, &top).map(Some),
                some => Ok(some),
            };
        }
        // What was typed is meant from here.
        Keeper::Project(root) => Some(Engine::open_from(here()?, &root)?),
        Keeper::Inside | Keeper::Nobody => None,
    };
    // Something may have been saved before this became a project.
    let Some(loose) = loose_with_all(context, typed) else { return Ok(project) };
    let known = match &project {
        Some(project) => typed.iter().any(|path| has_changes(project, path)),
        None => {
            Engine::open(here()?).is_ok_and(|project| typed.iter().any(|path| has_changes(&project, path)))
        }
    };
    Ok(if known { project } else { Some(loose) })
}

/// The one who keeps all of these.
fn common_keeper(context: &Context, root: Option<&Path>, paths: &[PathBuf]) -> Result<Keeper> {
    let mut found: Option<Keeper> = None;
    for path in paths {
        // What is never saved is asked for in the one store that could have it, which says so.
        let keeper = match (keeper_of(context, root, path), path.ancestors().last()) {
            (Keeper::Nobody, Some(top)) => Keeper::Loose(top.to_path_buf()),
            (keeper, _) => keeper,
        };
        if found.as_ref().is_some_and(|other| *other != keeper) {
            return Err(Error::Usage(
                "these files lie in different projects, or some in none; name those of each in a command of their own"
                    .to_owned(),
            ));
        }
        found = Some(keeper);
    }
    Ok(found.unwrap_or(Keeper::Inside))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_printed_path_is_one_word_of_a_command_line_b2() {
        for (path, typed) in [
            ("~/notes.txt", "~/notes.txt"),
            ("/srv/app-1/src/a_b.rs", "/srv/app-1/src/a_b.rs"),
            ("~/my notes.txt", "'~/my notes.txt'"),
            ("/a/it's.txt", "'/a/it'\\''s.txt'"),
            ("/a/$x;(y)&z", "'/a/$x;(y)&z'"),
            ("-rf", "'-rf'"),
            ("/집/파일", "/집/파일"),
        ] {
            assert_eq!(word(path), typed);
        }
    }
}
