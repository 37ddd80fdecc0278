//! How far a key got: only in a file, in a commit, or on a remote. What was committed stays in the history, what was pushed is known to
//! whoever may read there: such a key has to be revoked, whatever is done to the file. (R15)

use std::path::{Path, PathBuf};

use super::git;
use super::text::{self, Found};
use crate::Result;

/// Of more findings than this nobody is told how far each got.
const MOST: usize = 400;

/// How far a key got.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case", tag = "state", content = "where")]
pub enum Exposure {
    /// In the file only.
    NotCommitted,
    /// In a commit of this repository.
    Committed,
    /// In a commit that a remote has, as far as git knows here.
    Pushed(String),
}

/// Says of each finding how far it got. Where there is no git, nothing is said.
pub(super) fn fill(root: &Path, found: &mut [Found]) {
    let count = found.len().min(MOST);
    let found = &mut found[..count];
    if found.is_empty() || git::check(root).is_err() {
        return;
    }
    let remotes = git::remote_refs(root).unwrap_or_default();
    let (by_commit, by_file): (Vec<_>, Vec<_>) = found.iter_mut().partition(|found| found.commit.is_some());
    for found in by_commit {
        let commit = found.commit.clone().unwrap_or_default();
        let pushed = git::remote_with(root, &commit).unwrap_or_default();
        found.exposure = Some(pushed.map_or(Exposure::Committed, Exposure::Pushed));
    }
    let mut names: Vec<(String, String)> = Vec::new();
    for path in by_file.iter().map(|found| found.path.replace('\\', "/")) {
        if names.iter().any(|(_, known)| *known == path) {
            continue;
        }
        for place in std::iter::once("HEAD").chain(remotes.iter().map(String::as_str)) {
            names.push((format!("{place}:./{path}"), path.clone()));
        }
    }
    let mut seen: Vec<(String, Vec<Found>)> = Vec::new();
    let read = git::each_named(root, &names, |name, path, content| {
        let place = name.split(':').next().unwrap_or_default().to_owned();
        seen.push((place, text::look(path, content, 1)));
    });
    if read.is_err() {
        return;
    }
    for found in by_file {
        let path = found.path.replace('\\', "/");
        let mut state = Exposure::NotCommitted;
        for (place, there) in &seen {
            if there.iter().any(|known| known.path == path && known.same_secret(found)) {
                let here = match place.strip_prefix("refs/remotes/") {
                    Some(remote) => Exposure::Pushed(remote.to_owned()),
                    None => Exposure::Committed,
                };
                state = state.max(here);
            }
        }
        found.exposure = Some(state);
    }
}

/// The live-looking keys in these files, each with how far it got: for whoever shows a broken project to a person. Paths are from
/// `root`; files that cannot be read are left out.
pub fn keys_in(root: &Path, paths: &[PathBuf]) -> Result<Vec<Found>> {
    let mut found: Vec<Found> = Vec::new();
    for path in paths {
        let Some(content) = crate::agent::small_file(&root.join(path)) else { continue };
        let shown = path.display().to_string();
        found.extend(text::look(&shown, &content, 1).into_iter().filter(|found| found.live));
    }
    fill(root, &mut found);
    Ok(found)
}
