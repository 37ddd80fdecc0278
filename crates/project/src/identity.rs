//! Who a project is: an id that survives moving, deleting and re-cloning its folder.
//!
//! The id lies in `<project>/.vibelign/id`, so it moves with the folder. The state folder remembers which folder had
//! which id (`roots/`, one small file per folder), so it is found again when the folder was wiped, and remembers where
//! each id was last seen (`projects/<id>/root`), so that a *copy* of a project gets an id of its own.

use std::fmt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::platform::{self, DirHandle, make_private_dir};
use crate::replace::{self, Readers, Replacement, write_atomic};
use crate::{Context, Error, FileLock, Result};

/// Vib's folder inside a project.
pub(crate) const FOLDER: &str = ".vibelign";

/// The id of a project: 20 characters `0-9a-f`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub struct ProjectId(String);

impl ProjectId {
    /// Takes an id as stored or typed.
    pub fn parse(text: &str) -> Option<Self> {
        let valid =
            text.len() == 20 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        valid.then(|| Self(text.to_owned()))
    }

    fn random(context: &Context) -> Self {
        let digits = format!("{:016x}{:016x}", context.random_u64(), context.random_u64());
        Self(digits[..20].to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The id in a folder's `.vibelign/id`. A damaged file is an error: guessing could mix two projects up.
pub(crate) fn read_id_file(folder: &Path) -> Result<Option<ProjectId>> {
    let file = folder.join(FOLDER).join("id");
    match std::fs::read_to_string(&file) {
        Ok(text) => ProjectId::parse(text.trim()).map(Some).ok_or(Error::BadProjectId { file }),
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Err(Error::BadProjectId { file }),
        // Not there, or not ours to read: the folder above may know.
        Err(_) => Ok(None),
    }
}

/// The id that a folder had when it was last seen.
pub(crate) fn remembered_id(state: &Path, folder: &Path) -> Option<ProjectId> {
    let text = std::fs::read_to_string(root_file(state, folder)).ok()?;
    let mut lines = text.lines();
    let id = ProjectId::parse(lines.next()?)?;
    (lines.next()? == folder.to_string_lossy()).then_some(id)
}

/// Where the state of a project lies.
pub(crate) fn state_folder(state: &Path, id: &ProjectId) -> PathBuf {
    state.join("projects").join(id.as_str())
}

/// Who the store of single files below this top of a file system is, and where it lies; made if it is not there.
pub(crate) fn of_loose_files(state: &Path, top: &Path) -> Result<(ProjectId, PathBuf)> {
    // On systems with drives each has a top of its own: `C:\` or, with links resolved, `\\?\C:\`.
    let drive = platform::path_to_bytes(top).into_iter().find(u8::is_ascii_alphabetic);
    let drive = drive.map(|letter| char::from(letter.to_ascii_lowercase()));
    let folder = state.join("loose");
    let own = folder.join(drive.map_or_else(|| "files".to_owned(), |drive| drive.to_string()));
    for folder in [state, &state.join("roots"), &folder, &own] {
        make_private_dir(folder)?;
    }
    // No random id is like these.
    let number = drive.map_or(0, u32::from);
    Ok((ProjectId(format!("{number:020x}")), own))
}

/// A project that has state on this machine.
#[derive(Debug, Clone, serde::Serialize)]
pub struct StoredProject {
    /// Its id.
    pub id: String,
    /// The folder it was last seen in.
    pub root: String,
    /// That folder is still there.
    pub exists: bool,
}

/// Every project with state on this machine, by the folder it was last seen in.
pub fn stored_projects(context: &Context) -> Result<Vec<StoredProject>> {
    let Ok(entries) = std::fs::read_dir(context.state()?.join("projects")) else { return Ok(Vec::new()) };
    let mut projects: Vec<StoredProject> = entries
        .flatten()
        .filter_map(|entry| {
            let id = ProjectId::parse(entry.file_name().to_str()?)?;
            let root = std::fs::read_to_string(entry.path().join("root")).unwrap_or_default();
            let root = root.trim_end_matches('\n').to_owned();
            Some(StoredProject { id: id.to_string(), exists: Path::new(&root).is_dir(), root })
        })
        .collect();
    projects.sort_by(|a, b| (&a.root, &a.id).cmp(&(&b.root, &b.id)));
    Ok(projects)
}

/// Settles the id of `root` and records it on both sides. `known` is what [`crate::find_root`] found.
pub(crate) fn settle(context: &Context, root: &Path, known: Option<ProjectId>) -> Result<ProjectId> {
    let state = context.state()?;
    if let Some(id) = known.filter(|id| !is_copy(state, root, id)) {
        record(state, root, &id)?;
        return Ok(id);
    }
    // Two first commands at once must not make two projects: whoever comes second takes over what the first one wrote.
    make_private_dir(state)?;
    let _lock = FileLock::wait(&state.join("roots.lock"))?;
    let made_meanwhile = read_id_file(root)?.or_else(|| remembered_id(state, root));
    let id = match made_meanwhile.filter(|id| !is_copy(state, root, id)) {
        Some(id) => id,
        None => new_id(context)?,
    };
    record(state, root, &id)?;
    Ok(id)
}

/// An id for a project that is about to be made: one that nothing has.
pub fn new_id(context: &Context) -> Result<ProjectId> {
    let state = context.state()?;
    loop {
        let id = ProjectId::random(context);
        if state_folder(state, &id).symlink_metadata().is_err() {
            return Ok(id);
        }
    }
}

/// Makes `root` the folder of an id that is already stored: for a project that was cloned again elsewhere.
pub(crate) fn adopt(state: &Path, root: &Path, id: &ProjectId) -> Result<()> {
    if !state_folder(state, id).is_dir() {
        return Err(Error::UnknownProject { id: id.to_string() });
    }
    record(state, root, id)
}

/// True if another folder that still exists carries the same id: then `root` was copied from it.
fn is_copy(state: &Path, root: &Path, id: &ProjectId) -> bool {
    let Ok(last) = std::fs::read_to_string(state_folder(state, id).join("root")) else {
        return false;
    };
    let last = Path::new(last.trim_end_matches('\n'));
    last != root
        && last.canonicalize().is_ok_and(|path| path != root)
        && matches!(read_id_file(last), Ok(Some(other)) if other == *id)
}

fn record(state: &Path, root: &Path, id: &ProjectId) -> Result<()> {
    // The usual run finds everything in place and writes nothing.
    let own = state_folder(state, id);
    let shown = root.to_string_lossy();
    if remembered_id(state, root).as_ref() == Some(id)
        && std::fs::read(own.join("root")).is_ok_and(|text| text == format!("{shown}\n").as_bytes())
        && matches!(read_id_file(root), Ok(Some(found)) if found == *id)
    {
        return Ok(());
    }
    make_private_dir(state)?;
    make_private_dir(&state.join("roots"))?;
    make_private_dir(&state.join("projects"))?;
    make_private_dir(&own)?;
    write_if_other(&own.join("root"), &format!("{shown}\n"))?;
    write_if_other(&root_file(state, root), &format!("{id}\n{shown}\n"))?;
    // The project's own folder is a convenience: a read-only project can still be saved.
    if let Err(error) = write_project_folder(root, id) {
        match error.kind() {
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {}
            _ => return Err(error.into()),
        }
    }
    Ok(())
}

fn write_project_folder(root: &Path, id: &ProjectId) -> std::io::Result<()> {
    let folder = root.join(FOLDER);
    if folder.symlink_metadata().is_ok_and(|metadata| !metadata.is_dir()) {
        let message = format!("`{}` is in the way: it should be a folder", folder.display());
        return Err(std::io::Error::new(std::io::ErrorKind::NotADirectory, message));
    }
    fs_err::create_dir_all(&folder)?;
    write_in_project(root, "id", &format!("{id}\n"))?;
    // Nothing of ours may land in the user's git by accident.
    write_in_project(root, ".gitignore", "*\n")
}

/// A repository may hold anything under our names, links too: only a file of the folder itself is written. (S9)
fn write_in_project(root: &Path, name: &str, text: &str) -> std::io::Result<()> {
    let folder = DirHandle::open_root(root)?.open_dir(FOLDER.as_bytes())?;
    let is_the_same = |mut file: std::fs::File| {
        let mut old = Vec::new();
        file.metadata().is_ok_and(|facts| facts.is_file())
            && std::io::Read::read_to_end(&mut std::io::Read::take(&mut file, 4096), &mut old).is_ok()
            && old == text.as_bytes()
    };
    if folder.open_file(name.as_bytes()).is_ok_and(is_the_same) {
        return Ok(());
    }
    replace::fill(Replacement::inside(folder, name.as_bytes(), Readers::Umask)?, text.as_bytes(), true)
}

/// Writes by rename, and only if the content differs: the usual run touches nothing.
pub(crate) fn write_if_other(path: &Path, text: &str) -> std::io::Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    write_atomic(path, text.as_bytes())
}

fn root_file(state: &Path, folder: &Path) -> PathBuf {
    let digest = Sha256::digest(platform::path_to_bytes(folder));
    let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    state.join("roots").join(name)
}
