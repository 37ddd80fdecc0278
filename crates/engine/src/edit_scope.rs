//! Which files are safe to edit for the request that is worked on: its own, and those that are not to be touched or are somebody else's open
//! work. What an agent asks before it edits; it decides nothing, the guard does.

use ::memory::log::Provenance;
use project::RelPath;
use serde::Serialize;

use crate::agent::sessions;
use crate::memory::show;
use crate::{Engine, Result, protect};

/// Files of each list.
const MOST: usize = 60;
/// Who was heard of within this time may come back to its files.
const OPEN_MS: i64 = 12 * 3_600_000;
/// A larger file is not read for keep regions.
const LARGEST: u64 = 1 << 20;

/// A file, and why it is on the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScopedFile {
    /// The path, relative to the project.
    pub path: String,
    /// Why.
    pub why: String,
}

/// What an agent may edit for a request, and what it should leave.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EditScope {
    /// The request, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Files that belong to it. Empty: nobody said, and nothing was edited for it yet.
    pub zone: Vec<ScopedFile>,
    /// Files and folders that agents may not edit.
    pub protected: Vec<String>,
    /// Files of the zone with lines that have to stay (`VIBE-KEEP`).
    pub keep_regions: Vec<String>,
    /// Files that another session has changed and not committed.
    pub others: Vec<ScopedFile>,
}

/// The scope for the newest session of this client.
pub fn edit_scope(engine: &Engine, client: &str) -> Result<EditScope> {
    let now_ms = engine.context().now_ms();
    let all = sessions(engine.project());
    let own = all.iter().find(|state| state.client == client && state.parent_turn.is_none());
    let request = own.and_then(|state| state.task.clone().or_else(|| state.prompt.clone()));
    let mut scope = EditScope { request, ..EditScope::default() };
    for file in show(engine)?.memory.relevant_files.iter().rev().filter(|file| !file.from_previous_intent) {
        if file.source == Provenance::Explicit {
            add(&mut scope.zone, &file.path, "named by the person");
        }
    }
    for path in scope.request.clone().iter().flat_map(|request| crate::knowledge::named_in(engine, request)) {
        add(&mut scope.zone, &path, "named in the request");
    }
    for path in own.iter().flat_map(|state| state.noted.last_edits()) {
        add(&mut scope.zone, path, "edited for this request");
    }
    scope.protected = protect::list(engine)?.iter().take(MOST).map(ToString::to_string).collect();
    scope.keep_regions = scope
        .zone
        .iter()
        .filter(|file| has_keep_region(engine, &file.path))
        .map(|file| file.path.clone())
        .collect();
    let is_own = |session: &str| own.is_some_and(|own| own.session == session);
    for state in all.iter().filter(|state| !is_own(&state.session) && now_ms - state.seen_ms < OPEN_MS) {
        for path in state.noted.uncommitted() {
            add(&mut scope.others, path, &format!("changed by {}, not committed", state.client));
        }
    }
    Ok(scope)
}

fn add(list: &mut Vec<ScopedFile>, path: &str, why: &str) {
    if list.len() < MOST && !list.iter().any(|known| known.path == path) {
        list.push(ScopedFile { path: path.to_owned(), why: why.to_owned() });
    }
}

fn has_keep_region(engine: &Engine, path: &str) -> bool {
    let Ok(inside) = RelPath::new(path.as_bytes()) else { return false };
    let file = inside.to_path(engine.project().root());
    // A link is not followed: what it leads to is no file of the project.
    let is_small = file.symlink_metadata().is_ok_and(|facts| facts.is_file() && facts.len() <= LARGEST);
    is_small && std::fs::read(&file).is_ok_and(|bytes| ::patch::has_keep_regions(&bytes))
}
