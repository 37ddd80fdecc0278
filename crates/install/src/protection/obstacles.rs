//! What keeps a client from running hooks that stand in its settings: read where the client reads it, as the client reads it.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clients::switches::{Switch, hooks_off};
use clients::table::{Setup, Shape};
use clients::trust;
use clients::unread::{Unread, unread_reason};
use serde::Serialize;

use super::Place;
use crate::Client;
use crate::evidence::LastCall;
use crate::{Scope, World};

/// Something that keeps the hooks of one place from running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hindrance {
    /// Whose settings the hooks are in.
    pub scope: Scope,
    /// What it is.
    #[serde(flatten)]
    pub obstacle: Obstacle,
    /// The client called all the same, after it was so.
    pub disproved: bool,
    /// Since when it can be so, at the earliest.
    #[serde(skip)]
    pub(crate) since: Option<SystemTime>,
}

/// What can keep a client from running hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "obstacle", rename_all = "snake_case")]
pub enum Obstacle {
    /// The client does not read the file.
    Unread {
        /// The file, as a person reads it.
        file: String,
        /// Why.
        #[serde(flatten)]
        why: Unread,
    },
    /// A setting switches hooks off.
    SwitchedOff {
        /// The file, as a person reads it.
        file: String,
        /// The setting.
        #[serde(flatten)]
        switch: Switch,
    },
    /// The client does not trust this folder, so it does not run what is in it.
    FolderNotTrusted,
    /// The person has not approved the hooks in the client.
    NotApproved {
        /// So many are.
        approved: usize,
        /// Of so many.
        of: usize,
    },
    /// The person switched hooks off in the client.
    Disabled {
        /// So many.
        disabled: usize,
        /// Of so many.
        of: usize,
    },
    /// The hooks were changed after they were approved, and no call came since.
    ChangedSinceApproval,
}

/// A file that a client reads: its text, and when it was changed.
struct Read {
    shown: String,
    text: String,
    changed: Option<SystemTime>,
}

fn read(world: &World, file: &Path) -> Option<Read> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(Read { shown: world.shown(file), text, changed: changed(file) })
}

fn changed(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|facts| facts.modified()).ok()
}

/// What keeps the hooks of this place from running.
pub(super) fn of(world: &World, setup: &Setup, place: &Place, call: Option<&LastCall>) -> Vec<Hindrance> {
    let mut found = Vec::new();
    let mut add = |obstacle, since| {
        found.push(Hindrance { scope: place.scope, obstacle, disproved: false, since });
    };
    if setup.shape != Shape::Plugin
        && let Some(file) = read(world, &place.path)
        && let Some(why) = unread_reason(setup.client, &file.text)
    {
        add(Obstacle::Unread { file: file.shown, why }, file.changed);
    }
    let lines: Vec<&str> = place.lines.iter().map(String::as_str).collect();
    for file in settings_files(world, setup, place).into_iter().filter_map(|file| read(world, &file)) {
        // A file that the client does not read switches nothing off.
        let is_read = setup.client == Client::Codex || unread_reason(setup.client, &file.text).is_none();
        if is_read && let Some(switch) = hooks_off(setup.client, &file.text, &lines) {
            add(Obstacle::SwitchedOff { file: file.shown, switch }, file.changed);
        }
    }
    match setup.client {
        Client::Codex => {
            if let Some((obstacle, since)) = codex(world, setup, place, call) {
                add(obstacle, since);
            }
        }
        Client::Copilot if place.scope != Scope::User => {
            let config = user_file(world, setup, "config.json").and_then(|file| read(world, &file));
            let (text, since) = config.map(|file| (file.text, file.changed)).unwrap_or_default();
            if !trust::copilot(&text, &world.root) {
                add(Obstacle::FolderNotTrusted, since);
            }
        }
        Client::Gemini if place.scope != Scope::User => {
            let folders = user_file(world, setup, "trustedFolders.json").and_then(|file| read(world, &file));
            if let Some(file) = folders
                && trust::gemini(&file.text, &world.root) == Some(false)
            {
                add(Obstacle::FolderNotTrusted, file.changed);
            }
        }
        _ => {}
    }
    found
}

/// The files in which this client looks for a setting that switches hooks off.
fn settings_files(world: &World, setup: &Setup, place: &Place) -> Vec<PathBuf> {
    let in_project = |names: &[&str]| -> Vec<PathBuf> {
        names.iter().map(|name| world.root.join(setup.project_folder).join(name)).collect()
    };
    let own = |names: &[&str]| -> Vec<PathBuf> {
        names.iter().filter_map(|name| user_file(world, setup, name)).collect()
    };
    let mut files = match setup.client {
        Client::ClaudeCode => {
            [own(&["settings.json"]), in_project(&["settings.json", "settings.local.json"])].concat()
        }
        Client::Gemini => [own(&["settings.json"]), in_project(&["settings.json"])].concat(),
        Client::Codex => [own(&["config.toml"]), in_project(&["config.toml"])].concat(),
        // Here a file with hooks has a switch of its own.
        Client::Copilot => [own(&["settings.json", "config.json"]), vec![place.path.clone()]].concat(),
        Client::OpenCode | Client::Cursor | Client::Acp => Vec::new(),
    };
    // In the home folder a project's files are the person's own.
    let mut seen = Vec::new();
    files.retain(|file| {
        let new = !seen.contains(file);
        seen.push(file.clone());
        new
    });
    files
}

fn user_file(world: &World, setup: &Setup, name: &str) -> Option<PathBuf> {
    Some(world.folder(setup, Scope::User).ok()?.join(name))
}

/// Codex trusts the folder first, then each hook as it was at that time. Its hash of a hook is its own affair: what is said here
/// comes from the rows it keeps, the times of the files, and the calls.
fn codex(
    world: &World,
    setup: &Setup,
    place: &Place,
    call: Option<&LastCall>,
) -> Option<(Obstacle, Option<SystemTime>)> {
    let config = user_file(world, setup, "config.toml").and_then(|file| read(world, &file));
    let (text, approved_at) = config.map(|file| (file.text, file.changed)).unwrap_or_default();
    let events = setup.events.iter().map(|event| event.name);
    let of = setup.events.len() - place.missing.len();
    let trust = trust::codex(&text, &world.root, &place.path, events);
    if place.scope != Scope::User && trust.folder != Some(true) {
        return Some((Obstacle::FolderNotTrusted, approved_at));
    }
    if trust.approved < of {
        return Some((Obstacle::NotApproved { approved: trust.approved, of }, approved_at));
    }
    if trust.disabled > 0 {
        return Some((Obstacle::Disabled { disabled: trust.disabled, of }, approved_at));
    }
    let written = changed(&place.path);
    let called = call.map(|call| call.noted);
    (written > approved_at && written > called).then_some((Obstacle::ChangedSinceApproval, written))
}
