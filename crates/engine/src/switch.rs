//! A project in which the person wants no hooks: `vib init --off`.
//!
//! Kept in the state folder, never in the project: a repository that somebody cloned must not be able to switch vib off.

use std::path::PathBuf;

use project::Project;
use serde::{Deserialize, Serialize};

use crate::person::ByPerson;
use crate::{Engine, Result, private_file};

const FILE: &str = "switched_off.json";
const SCHEMA_VERSION: u32 = 1;

/// Since when the hooks do nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchedOff {
    #[serde(default)]
    schema_version: u32,
    /// Milliseconds since 1970.
    pub since_ms: i64,
}

fn file(engine: &Engine) -> PathBuf {
    engine.project().shared_state().join(FILE)
}

/// Since when the hooks of this project are switched off; none: they are on.
pub fn off_since(project: &Project) -> Option<SwitchedOff> {
    serde_json::from_slice(&std::fs::read(project.shared_state().join(FILE)).ok()?).ok()
}

/// Whether the hooks are switched off here. A file that cannot be read switches nothing off.
pub fn switched_off(engine: &Engine) -> Option<SwitchedOff> {
    off_since(engine.project())
}

/// Switches the hooks of every client off in this project. Twice is once: the first time counts.
pub fn switch_off(engine: &Engine, _by: ByPerson) -> Result<SwitchedOff> {
    if let Some(already) = switched_off(engine) {
        return Ok(already);
    }
    let off = SwitchedOff { schema_version: SCHEMA_VERSION, since_ms: engine.context().now_ms() };
    let bytes = serde_json::to_vec(&off).map_err(std::io::Error::other).map_err(project::Error::from)?;
    private_file::write(&file(engine), &bytes).map_err(project::Error::from)?;
    Ok(off)
}

/// Switches them on again; false if they were on.
pub fn switch_on(engine: &Engine) -> Result<bool> {
    match std::fs::remove_file(file(engine)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(project::Error::from(error).into()),
    }
}
