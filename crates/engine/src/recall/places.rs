//! Where the indexes are, and what they are made of: one per scope.

use std::path::PathBuf;
use std::time::Duration;

use ::memory::log::Scope;
use ::memory::recall::feed::{self, Fed, Source};
use store::Progress;

use super::clean::Cleaner;
use super::join;
use crate::{Engine, Result, memory};

/// So many new events are read on the fly, which costs as much as all the rest; more are folded in first.
const MOST_TAIL: usize = 32;
/// What a person may wait, once, for an index that is far behind.
const PATIENCE: Duration = Duration::from_secs(30);

const SCOPES: [Scope; 3] = [Scope::Session, Scope::Project, Scope::Global];

/// The index of a scope: beside the project's memory, or, for what belongs to the person, in vib's own folder.
fn folder(engine: &Engine, scope: Scope) -> PathBuf {
    let state = engine.project().state();
    match scope {
        Scope::Session => state.join("memory/index/sessions"),
        Scope::Project => state.join("memory/index/project"),
        Scope::Global => {
            let all = state.parent().and_then(|projects| projects.parent()).unwrap_or(state);
            all.join("memory/index/global")
        }
    }
}

fn sources(engine: &Engine, scope: Scope) -> Result<Vec<Source>> {
    let name = |path: &std::path::Path| {
        let inner = path.strip_prefix(engine.project().state()).unwrap_or(path);
        inner.to_string_lossy().replace('\\', "/")
    };
    match memory::logs(engine, Some(scope)) {
        Ok(logs) => Ok(logs
            .iter()
            .map(|(_, log)| Source { name: name(log.path()), path: log.path().to_path_buf() })
            .collect()),
        // Who has no place for it has nothing in it.
        Err(crate::Error::NoGlobalMemory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Opens what is asked for, up to date.
pub(super) fn open(engine: &Engine, scope: Option<Scope>, progress: &dyn Progress) -> Result<Fed> {
    let cleaner = Cleaner::new(engine, progress);
    let mut all: Option<Fed> = None;
    for this in SCOPES.into_iter().filter(|this| scope.is_none_or(|scope| scope == *this)) {
        let (sources, folder) = (sources(engine, this)?, folder(engine, this));
        if scope.is_none() && !sources.iter().any(|source| source.path.exists()) && !folder.exists() {
            continue;
        }
        let fed = feed::open(&folder, &sources, MOST_TAIL, PATIENCE, &|document| cleaner.clean(document))?;
        all = Some(match all {
            Some(before) => join(before, fed),
            None => fed,
        });
    }
    match all {
        Some(fed) => Ok(fed),
        None => Ok(Fed { index: ::memory::recall::Index::of(&[])?, tail: 0, left: 0, rebuilt: false }),
    }
}

/// Folds what is new into the indexes, for about so long. Whoever is at it already goes on alone.
pub fn upkeep(engine: &Engine, patience: Duration, progress: &dyn Progress) -> Result<()> {
    let cleaner = Cleaner::new(engine, progress);
    for scope in SCOPES {
        let sources = sources(engine, scope)?;
        if sources.iter().any(|source| source.path.exists()) {
            feed::upkeep(&folder(engine, scope), &sources, patience, &|document| cleaner.clean(document))?;
        }
    }
    Ok(())
}

/// Throws the indexes away and makes them anew. How many memories there are.
pub fn rebuild(engine: &Engine, progress: &dyn Progress) -> Result<usize> {
    let cleaner = Cleaner::new(engine, progress);
    let mut memories = 0;
    for scope in SCOPES {
        let (sources, folder) = (sources(engine, scope)?, folder(engine, scope));
        if folder.exists() || sources.iter().any(|source| source.path.exists()) {
            memories += feed::rebuild(&folder, &sources, &|document| cleaner.clean(document))?;
        }
    }
    Ok(memories)
}
