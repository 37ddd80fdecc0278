//! With which folders vib was set up: a variable in a client's environment can lead it to others, and then its checkpoints, settings and
//! protected files are not those of the person. The hook says so at the start of every session, and the doctor. (S4)
//!
//! A small file at a place that no variable moves but the home folder's own.

use std::path::PathBuf;

use clients::portable::RECORDED;
use serde::{Deserialize, Serialize};

use super::World;

const VERSION: u32 = 1;
const NAME: &str = "set-up.json";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SetUp {
    version: u32,
    state: PathBuf,
    config: Option<PathBuf>,
}

fn file(world: &World) -> Option<PathBuf> {
    Some(world.home.as_ref()?.join(RECORDED).parent()?.parent()?.join(NAME))
}

fn read(world: &World) -> Option<SetUp> {
    let found: SetUp = serde_json::from_slice(&std::fs::read(file(world)?).ok()?).ok()?;
    (found.version == VERSION).then_some(found)
}

/// Remembers the folders of this run. An agent that sets vib up does not move what a person set up.
pub(super) fn remember(world: &World) {
    let now = SetUp { version: VERSION, state: world.state.clone(), config: world.config.clone() };
    let before = read(world);
    if before.as_ref() == Some(&now) || (before.is_some() && world.by_agent) {
        return;
    }
    let (Some(file), Ok(bytes)) = (file(world), serde_json::to_vec(&now)) else { return };
    if let Some(folder) = file.parent()
        && !folder.is_dir()
        && project::platform::make_private_dir(folder).is_err()
    {
        return;
    }
    let _ = project::write_private(&file, &bytes);
}

/// Forgets them, with the last of vib's hooks.
pub(super) fn forget(world: &World) {
    if let Some(file) = file(world) {
        let _ = std::fs::remove_file(file);
    }
}

/// What of vib's is elsewhere than where it was set up: each in words, and what to do about it.
pub fn moved(world: &World) -> Vec<(String, String)> {
    let Some(set_up) = read(world) else { return Vec::new() };
    let mut found = Vec::new();
    let mut add = |what: &str, variable: &str, then: &PathBuf, now: &PathBuf| {
        let detail = format!(
            "{what} are taken from `{}` here, but vib was set up with `{}`: something sets `{variable}` for this client",
            world.shown(now),
            world.shown(then)
        );
        let fix = format!(
            "take `{variable}` away, or run `vib init` in a terminal of your own if you moved them yourself"
        );
        found.push((detail, fix));
    };
    if set_up.state != world.state {
        add("checkpoints and permissions", "VIBELIGN_STATE", &set_up.state, &world.state);
    }
    if let (Some(then), Some(now)) = (&set_up.config, &world.config)
        && then != now
    {
        add("settings and rules", "VIBELIGN_CONFIG", then, now);
    }
    found
}
