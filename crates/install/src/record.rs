//! What was there before: kept in the state folder, so that a removal gives it back byte for byte.
//!
//! `<state>/install/<key>/record.json` and, if there was a file, `original` beside it. Written before the client's file
//! is, private like everything in the state folder: settings files hold keys at times.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::world::Scope;
use super::{Result, World};
use crate::Client;

const VERSION: u32 = 1;

/// What vib knows about one file that it changed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Record {
    version: u32,
    /// The client's name.
    pub client: String,
    /// Whose settings.
    pub scope: Scope,
    /// The file as it was named.
    pub path: PathBuf,
    /// The hash of what vib wrote.
    pub written: String,
    /// Folders that vib made for it, the outermost first.
    pub folders: Vec<PathBuf>,
    /// What was there before; kept in a file of its own.
    #[serde(skip)]
    pub original: Option<Vec<u8>>,
    existed: bool,
}

impl Record {
    /// A record of `written` taking the place of `original`.
    pub fn new(
        client: Client,
        scope: Scope,
        path: &Path,
        written: &[u8],
        original: Option<Vec<u8>>,
        folders: Vec<PathBuf>,
    ) -> Self {
        Self {
            version: VERSION,
            client: client.name().to_owned(),
            scope,
            path: path.to_path_buf(),
            written: hash(written),
            folders,
            existed: original.is_some(),
            original,
        }
    }

    /// True if the file is as vib left it.
    pub fn is_untouched(&self, current: &[u8]) -> bool {
        self.written == hash(current)
    }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The folder of all records.
pub fn folder(world: &World) -> PathBuf {
    world.state.join("install")
}

fn place(world: &World, path: &Path) -> PathBuf {
    let key = hash(&project::platform::path_to_bytes(path));
    folder(world).join(&key[..24])
}

/// The record of a file. One that cannot be read counts as none: then our entries are taken out one by one.
pub fn load(world: &World, path: &Path) -> Option<Record> {
    let place = place(world, path);
    let mut record: Record = serde_json::from_slice(&std::fs::read(place.join("record.json")).ok()?).ok()?;
    if record.path != path || record.version != VERSION {
        return None;
    }
    record.scope = scope_of(world, &record);
    if record.existed {
        record.original = Some(std::fs::read(place.join("original")).ok()?);
    }
    Some(record)
}

/// Whose settings. What earlier versions called a project's are the shared ones of today.
fn scope_of(world: &World, record: &Record) -> Scope {
    let is_private = |client: Client| {
        world.file(clients::table::setup(client), Scope::Project).is_ok_and(|file| file == record.path)
    };
    match record.scope {
        Scope::Project if !record.client.parse().is_ok_and(is_private) => Scope::Team,
        scope => scope,
    }
}

/// True if vib changed any file that it did not give back yet.
pub fn are_there_any(world: &World) -> bool {
    let Ok(entries) = std::fs::read_dir(folder(world)) else { return false };
    entries.flatten().any(|entry| entry.path().join("record.json").is_file())
}

/// When the record of a file was written: with the last installation that changed something there.
pub fn saved_at(world: &World, path: &Path) -> Option<std::time::SystemTime> {
    place(world, path).join("record.json").metadata().and_then(|facts| facts.modified()).ok()
}

/// Writes a record down.
pub fn save(world: &World, record: &Record) -> Result<()> {
    let place = place(world, &record.path);
    project::platform::make_private_dir(&world.state)?;
    project::platform::make_private_dir(&folder(world))?;
    project::platform::make_private_dir(&place)?;
    if let Some(original) = &record.original {
        write_private(&place.join("original"), original)?;
    }
    let text = serde_json::to_vec_pretty(record).map_err(std::io::Error::other)?;
    write_private(&place.join("record.json"), &text)
}

/// Forgets a file.
pub fn forget(world: &World, path: &Path) -> Result<()> {
    match fs_err::remove_dir_all(place(world, path)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn write_private(path: &Path, bytes: &[u8]) -> Result<()> {
    Ok(project::write_private(path, bytes)?)
}
