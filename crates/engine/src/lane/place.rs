//! Where lanes lie, and which folder a new one gets.
//!
//! Beside the state folder and not in it: agents may not write into vib's own files, and in a lane they are to write. A folder has a number
//! and not the lane's name, because it outlives the lane: the next one gets it with everything that was built there, at the same path.

use std::path::PathBuf;

use project::platform;

use super::Lane;
use crate::{Engine, Error, Result};

/// The folder of all lanes of a project.
pub(super) fn of_project(engine: &Engine) -> Result<PathBuf> {
    let project = engine.project();
    let chosen = project.config().word("lane.folder");
    let base = if chosen.is_empty() {
        let state = engine.context().state()?;
        let name = state.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        state.with_file_name(format!("{name}-lanes"))
    } else {
        crate::outside::expanded(engine.context(), std::path::Path::new(chosen))
    };
    if base.starts_with(project.root()) {
        return Err(Error::Usage(format!(
            "`lane.folder` is `{}`, inside the project itself: the project would save its own lanes",
            base.display()
        )));
    }
    let name = project.root().file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| "project".to_owned());
    Ok(base.join(format!("{name}-{}", &project.id().as_str()[..6])))
}

/// A folder that no lane has. It is made, readable by its owner only.
pub(super) fn free(engine: &Engine, lanes: &[Lane]) -> Result<PathBuf> {
    let all = of_project(engine)?;
    let io = |error: std::io::Error| Error::Store(error.into());
    if let Some(base) = all.parent() {
        platform::make_private_dir(base).map_err(io)?;
    }
    platform::make_private_dir(&all).map_err(io)?;
    let all = all.canonicalize().map_err(io)?;
    let mut number = 1_u32;
    loop {
        let folder = all.join(number.to_string());
        let is_taken = lanes.iter().any(|lane| !lane.record.folder_given_up && lane.folder() == folder);
        if !is_taken && folder.symlink_metadata().is_err() {
            return Ok(folder);
        }
        number += 1;
    }
}

/// A name as a person may choose it.
pub(super) fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=40).contains(&name.len())
        && name.bytes().all(fits)
        && name.as_bytes()[0].is_ascii_alphanumeric()
        && name != "now"
}

/// `lane-1`, `lane-2`, …: the first that nobody has or had.
pub(super) fn next_name(lanes: &[Lane]) -> String {
    let mut number = 1_u32;
    loop {
        let name = format!("lane-{number}");
        if !lanes.iter().any(|lane| lane.name() == name) {
            return name;
        }
        number += 1;
    }
}
