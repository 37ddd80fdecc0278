//! Files that agents may not edit, because a person said so. (GD5)
//!
//! The list is in the state folder, out of an agent's way. It is read in the path of a hook: one small file.

use std::path::PathBuf;
use std::time::Duration;

use project::{FileLock, RelPath};
use serde::{Deserialize, Serialize};

use crate::person::ByPerson;
use crate::{Engine, Error, Result};

const VERSION: u32 = 1;
const PATIENCE: Duration = Duration::from_secs(5);

/// What is protected.
#[derive(Debug, Serialize)]
pub struct ProtectReport {
    /// Every protected file and folder, in order.
    pub protected: Vec<RelPath>,
    /// Those that this command added.
    pub added: Vec<RelPath>,
    /// Those that this command took off the list.
    pub removed: Vec<RelPath>,
    /// Those on the list that are not there now.
    pub missing: Vec<RelPath>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    version: u32,
    paths: Vec<String>,
}

fn file(engine: &Engine) -> PathBuf {
    engine.project().shared_state().join("protected.json")
}

/// Every protected file and folder: those of the person, and those of the team's `vibelign.toml`.
pub fn list(engine: &Engine) -> Result<Vec<RelPath>> {
    let mut all = own(engine)?;
    all.extend(of_team(engine));
    all.sort();
    all.dedup();
    Ok(all)
}

/// What the team wants protected. A path that cannot be one is left out: it protects nothing wherever it stands.
fn of_team(engine: &Engine) -> impl Iterator<Item = RelPath> {
    let paths = engine.project().config().protected().iter();
    paths.filter_map(|path| RelPath::new(path.trim_end_matches('/').as_bytes()).ok())
}

/// What the person said.
fn own(engine: &Engine) -> Result<Vec<RelPath>> {
    let file = file(engine);
    let text = match std::fs::read(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::ProtectedUnreadable { file, detail: error.to_string() }),
    };
    let unreadable = |detail: String| Error::ProtectedUnreadable { file: file.clone(), detail };
    let stored: Stored = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
    if stored.version > VERSION {
        return Err(unreadable(format!(
            "it has version {}, and this vib knows version {VERSION}",
            stored.version
        )));
    }
    stored
        .paths
        .iter()
        .map(|path| RelPath::new(path.as_bytes()).map_err(|error| unreadable(error.to_string())))
        .collect()
}

/// True if a file is on the list, or in a folder that is.
pub fn is_protected(engine: &Engine, path: &RelPath) -> Result<bool> {
    Ok(list(engine)?.iter().any(|folder| path.is_in(folder)))
}

/// What is protected now.
pub fn show(engine: &Engine) -> Result<ProtectReport> {
    Ok(report(engine, list(engine)?, Vec::new(), Vec::new()))
}

/// Protects files and folders; with `new`, also those that are not there yet.
pub fn add(engine: &Engine, typed: &[PathBuf], new: bool) -> Result<ProtectReport> {
    let paths = named(engine, typed)?;
    for path in &paths {
        if !new && !engine.is_present(path) {
            return Err(engine.no_such_file(path));
        }
        // The list is kept as text.
        if std::str::from_utf8(path.as_bytes()).is_err() {
            return Err(Error::Usage(format!("`{path}` is not UTF-8 text: protect the folder it is in")));
        }
    }
    change(engine, |all| {
        let added: Vec<RelPath> = paths.iter().filter(|path| !all.contains(path)).cloned().collect();
        all.extend(added.iter().cloned());
        Ok((added, Vec::new()))
    })
}

/// Takes files and folders off the list.
pub fn remove(engine: &Engine, typed: &[PathBuf], _by: ByPerson) -> Result<ProtectReport> {
    let paths = named(engine, typed)?;
    if let Some(shared) = of_team(engine).find(|shared| paths.contains(shared)) {
        let file = project::config::team::FILE;
        return Err(Error::Usage(format!(
            "`{shared}` is protected by the team's `{file}`: take it out there"
        )));
    }
    change(engine, |all| {
        if let Some(unknown) = paths.iter().find(|path| !all.contains(path)) {
            return Err(Error::NotProtected(unknown.to_string()));
        }
        all.retain(|path| !paths.contains(path));
        Ok((Vec::new(), paths.clone()))
    })
}

fn named(engine: &Engine, typed: &[PathBuf]) -> Result<Vec<RelPath>> {
    let paths = engine.paths(typed)?;
    if paths.len() < typed.len() || paths.is_empty() {
        return Err(Error::Usage(
            "name the files to protect; the whole project cannot be protected".to_owned(),
        ));
    }
    Ok(paths)
}

type Done = (Vec<RelPath>, Vec<RelPath>);

fn change(engine: &Engine, with: impl FnOnce(&mut Vec<RelPath>) -> Result<Done>) -> Result<ProtectReport> {
    let file = file(engine);
    project::platform::make_private_dir(engine.project().state()).map_err(project::Error::from)?;
    let lock = FileLock::wait_for(&file.with_extension("lock"), PATIENCE).map_err(project::Error::from)?;
    if lock.is_none() {
        return Err(Error::Store(store::Error::Busy(None)));
    }
    let mut all = own(engine)?;
    let (added, removed) = with(&mut all)?;
    all.sort();
    all.dedup();
    let stored = Stored { version: VERSION, paths: all.iter().map(text).collect() };
    let bytes = serde_json::to_vec_pretty(&stored).unwrap_or_default();
    project::write_atomic(&file, &bytes).map_err(project::Error::from)?;
    Ok(report(engine, list(engine)?, added, removed))
}

fn text(path: &RelPath) -> String {
    String::from_utf8_lossy(path.as_bytes()).into_owned()
}

fn report(
    engine: &Engine,
    protected: Vec<RelPath>,
    added: Vec<RelPath>,
    removed: Vec<RelPath>,
) -> ProtectReport {
    let root = engine.project().root();
    let missing = protected
        .iter()
        .filter(|path| std::fs::symlink_metadata(path.to_path(root)).is_err())
        .cloned()
        .collect();
    ProtectReport { protected, added, removed, missing }
}
