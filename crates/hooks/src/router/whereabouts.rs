//! Who really speaks, and which project it is about.

use std::path::PathBuf;

use engine::{Engine, Error};
use project::{Context, RootKind, find_root};

use super::World;
use crate::{Client, HookEvent};

/// Which client really speaks: Copilot and Cursor also run the hooks of Claude Code's settings.
pub(super) fn dialect(client: Client, world: &World) -> Client {
    match client {
        Client::ClaudeCode if world.in_copilot => Client::Copilot,
        Client::ClaudeCode if world.in_cursor => Client::Cursor,
        other => other,
    }
}

/// A client that has hooks of its own from us calls those too: once is enough.
pub(super) fn is_connected_itself(context: &Context, world: &World, client: Client) -> bool {
    let (project, home) = match client {
        Client::Copilot => (".github/hooks/vib.json", ".copilot/hooks/vib.json"),
        _ => (".cursor/hooks.json", ".cursor/hooks.json"),
    };
    let folder = world.project_dir.clone().unwrap_or_else(|| context.cwd().to_path_buf());
    let ours = |file: PathBuf| std::fs::read_to_string(file).is_ok_and(|text| text.contains(" hook "));
    ours(folder.join(project)) || context.home().is_some_and(|home_folder| ours(home_folder.join(home)))
}

/// The folder of the payload, inside the project that the client names.
pub(super) fn open(context: &Context, world: &World, event: &HookEvent) -> Result<Engine, Error> {
    let folder = event.cwd.clone().filter(|folder| folder.is_dir());
    let folder = match (&world.project_dir, folder) {
        // Agents wander off (`cd /tmp`): the project stays where the client was started.
        (Some(project), Some(folder)) if !folder.starts_with(project) => Some(project.clone()),
        (_, Some(folder)) => Some(folder),
        (project, None) => project.clone(),
    };
    let folder = folder.as_deref().unwrap_or_else(|| context.cwd());
    let there = context.beside(folder).map_err(project::Error::from)?;
    // A folder that nothing marks as a project is one only where the client does not name a better one.
    if let Some(named) = &world.project_dir
        && find_root(&there).is_ok_and(|(_, kind, _)| kind == RootKind::CurrentFolder)
    {
        return Engine::open(context.beside(named).map_err(project::Error::from)?);
    }
    Engine::open(there)
}
