//! What a person opened: for this project, always or for the next fenced command only.

use std::path::{Path, PathBuf};

use person::ByPerson;
use project::platform::make_private_dir;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Result, Surroundings, folder, places};

/// The format of the file.
const VERSION: u32 = 1;

/// For how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HowLong {
    /// For the next fenced command.
    Once,
    /// Until it is taken back.
    Always,
}

/// One place that a person opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowed {
    /// Where.
    pub path: PathBuf,
    /// For how long.
    pub how_long: HowLong,
}

/// The list of one project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    #[serde(default)]
    version: u32,
    /// Whose list it is.
    #[serde(default)]
    root: PathBuf,
    /// The places.
    #[serde(default)]
    pub allowed: Vec<Allowed>,
}

impl List {
    pub(crate) fn places(&self) -> impl Iterator<Item = &Path> {
        self.allowed.iter().map(|one| one.path.as_path())
    }
}

/// The list of a project. One that is lost, damaged or of a newer vib opens nothing.
pub fn read(state: &Path, root: &Path) -> List {
    let list =
        std::fs::read(file(state, root)).ok().and_then(|bytes| serde_json::from_slice::<List>(&bytes).ok());
    list.filter(|list| list.version == VERSION && list.root == root).unwrap_or_default()
}

/// Opens a place. Only a person may.
pub fn add(
    around: &Surroundings,
    root: &Path,
    path: &Path,
    how_long: HowLong,
    _by: ByPerson,
) -> Result<List> {
    let real = places::to_allow(around, path)?;
    let mut list = read(&around.state, root);
    list.allowed.retain(|one| one.path != real);
    list.allowed.push(Allowed { path: real, how_long });
    write(&around.state, root, &mut list)?;
    Ok(list)
}

/// Closes a place again; true if it was open.
pub fn remove(around: &Surroundings, root: &Path, path: &Path) -> Result<bool> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut list = read(&around.state, root);
    let before = list.allowed.len();
    list.allowed.retain(|one| one.path != real && one.path != path);
    let was_open = list.allowed.len() < before;
    if was_open {
        write(&around.state, root, &mut list)?;
    }
    Ok(was_open)
}

/// A fenced command begins: what was opened once is closed behind it.
pub fn use_up(state: &Path, root: &Path) -> Result<()> {
    let mut list = read(state, root);
    let before = list.allowed.len();
    list.allowed.retain(|one| one.how_long == HowLong::Always);
    if list.allowed.len() < before {
        write(state, root, &mut list)?;
    }
    Ok(())
}

fn write(state: &Path, root: &Path, list: &mut List) -> Result<()> {
    (list.version, list.root) = (VERSION, root.to_path_buf());
    let file = file(state, root);
    if let Some(folder) = file.parent() {
        make_private_dir(state)?;
        make_private_dir(&crate::folder(state))?;
        make_private_dir(folder)?;
    }
    let bytes = serde_json::to_vec_pretty(list).unwrap_or_default();
    Ok(project::write_private(&file, &bytes)?)
}

fn file(state: &Path, root: &Path) -> PathBuf {
    folder(state).join("allowed").join(format!("{}.json", key(root.to_string_lossy().as_bytes())))
}

/// A short name for something long.
pub(crate) fn key(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_list_or_one_of_a_newer_vib_opens_nothing() {
        let tmp = tempfile::tempdir().unwrap();
        let (state, root) = (tmp.path().join("state"), tmp.path().join("project"));
        let one = |how_long| Allowed { path: tmp.path().join("notes"), how_long };
        let mut list = List { allowed: vec![one(HowLong::Once), one(HowLong::Always)], ..List::default() };
        write(&state, &root, &mut list).unwrap();
        assert_eq!(read(&state, &root).allowed.len(), 2);
        use_up(&state, &root).unwrap();
        assert_eq!(read(&state, &root).allowed, [one(HowLong::Always)]);
        let file = file(&state, &root);
        for text in ["", "{", "[]", r#"{"version": 2, "root": "/x", "allowed": []}"#] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(read(&state, &root), List::default(), "{text}");
        }
    }
}
