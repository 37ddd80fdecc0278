//! What the history tells of files outside.

use std::path::{Path, PathBuf};

use project::{Context, RelPath};
use serde::Serialize;
use store::{Account, Silent, Step, StepNumber, Store, View};

use super::typed::engine_for;
use crate::{Engine, Result, agent};

/// Each path as it was before the last step that changed it and still stands; what no step changed is as it is.
pub(crate) fn before_last_steps(store: &Store<'_>, now: &View, only: &[RelPath]) -> Result<View> {
    let mut paths = only.to_vec();
    for folder in only {
        paths.extend(store.paths_in(&store.recorded_state()?, folder)?);
    }
    let mut before = Vec::new();
    for path in paths {
        let changes = store.changes_of_path(&path)?;
        for change in changes.iter().rev().filter(|change| change.undone_by.is_none()) {
            if !store.is_going_back(change.step)? {
                before.push((path.as_bytes().to_vec(), change.before));
                break;
            }
        }
    }
    Ok(now.clone().with(before))
}

/// Of these files outside a project, those of which a change still stands, as a person would type them.
pub(crate) fn still_changed(context: &Context, paths: &[String]) -> Vec<String> {
    let stands = |path: &&String| stands(context, path, None);
    paths.iter().filter(stands).map(|path| super::shown(context, Path::new(path))).collect()
}

/// A change of this file stands in the store that keeps it; one of this call's, where that is told. In doubt it does.
fn stands(context: &Context, path: &str, call: Option<(&str, &str)>) -> bool {
    let path = PathBuf::from(path);
    let Ok(Some(there)) = engine_for(context, std::slice::from_ref(&path), &[]) else { return true };
    let (Ok(opened), Ok(inside)) = (there.store(&Silent), there.paths(&[path])) else { return true };
    let Some(inside) = inside.first() else { return true };
    let Ok(changes) = opened.store.changes_of_path(inside) else { return true };
    let is_meant = |number: StepNumber| {
        let Some((session, id)) = call else { return true };
        let step = opened.store.step(number).ok().flatten();
        step.is_some_and(|step| {
            step.session.as_deref() == Some(session) && step.call_id.as_deref() == Some(id)
        })
    };
    changes.iter().any(|change| {
        change.undone_by.is_none()
            && !opened.store.is_going_back(change.step).unwrap_or(false)
            && is_meant(change.step)
    })
}

/// Everything that a step changed in other stores is taken back there.
pub(crate) fn is_taken_back_elsewhere(context: &Context, step: &Step) -> bool {
    let call = step.session.as_deref().zip(step.call_id.as_deref());
    !step.elsewhere.outside.iter().any(|path| stands(context, path, call))
}

/// Files of a step that lie in a project of its own inside this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InProject {
    /// The folder of that project.
    pub project: String,
    /// The files, as a person would type them from anywhere.
    pub paths: Vec<String>,
}

/// What a step changed in projects inside this one; `step` names its files in full.
pub(crate) fn in_projects(engine: &Engine, step: &Step) -> Vec<InProject> {
    let (context, root) = (engine.context(), engine.project().root());
    let mut found: Vec<InProject> = Vec::new();
    for path in step.elsewhere.outside.iter().map(Path::new) {
        let Some(own) = project::own_project_of(root, path) else { continue };
        let (project, path) = (super::shown(context, &own), super::shown(context, path));
        match found.iter_mut().find(|one| one.project == project) {
            Some(one) => one.paths.push(path),
            None => found.push(InProject { project, paths: vec![path] }),
        }
    }
    found
}

/// Files that agents of other projects had changed here were put back: those agents have to read them again.
pub(crate) fn tell_origins(engine: &Engine, account: &Account, paths: &[String]) -> Result<()> {
    let steps: Vec<StepNumber> = account.undoes.iter().chain(&account.redoes).copied().collect();
    let mut origins = Vec::new();
    {
        let opened = engine.store(&Silent)?;
        for number in steps {
            if let Some(from) = opened.store.step(number)?.and_then(|step| step.elsewhere.from)
                && !origins.contains(&from)
            {
                origins.push(from);
            }
        }
    }
    let root = engine.project().root();
    let paths: Vec<String> = paths.iter().map(|path| root.join(path).display().to_string()).collect();
    for origin in origins {
        // A project that is gone has nobody at work.
        let Ok(there) = engine.context().beside(Path::new(&origin)) else { continue };
        if let Ok(there) = Engine::open_from(there, Path::new(&origin)) {
            agent::files_put_back(&there, &paths, account, None)?;
        }
    }
    Ok(())
}
