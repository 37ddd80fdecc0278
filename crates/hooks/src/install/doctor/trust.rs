//! Some clients run no hook that the person did not trust, and do not say so.

use std::path::Path;

use super::{Check, State};
use crate::Client;
use crate::install::World;
use crate::install::table::Setup;
use crate::install::world::Scope;

/// What can be said about trust without asking the client.
pub(super) fn check(world: &World, setup: &Setup, scope: Scope, file: &Path, hooks: usize) -> Option<Check> {
    match setup.client {
        Client::Codex => codex(world, setup, scope, file, hooks),
        Client::Copilot if scope != Scope::User => Some(Check {
            state: State::Note,
            detail: "Copilot runs a project's hooks only in a folder that you trust".to_owned(),
            fix: Some(
                "say yes when Copilot asks about the folder, or start it with `--trust-folder`".to_owned(),
            ),
        }),
        _ => None,
    }
}

/// Codex keeps both kinds of trust in its `config.toml`: the folder's, and one line for each hook.
fn codex(world: &World, setup: &Setup, scope: Scope, file: &Path, hooks: usize) -> Option<Check> {
    let config = world.folder(setup, Scope::User).ok()?.join("config.toml");
    let text = std::fs::read_to_string(config).unwrap_or_default();
    let table: toml::Table = text.parse().unwrap_or_default();
    let prefix = format!("{}:", file.display());
    let trusted = table
        .get("hooks")
        .and_then(|hooks| hooks.get("state")?.as_table())
        .map(|state| state.keys().filter(|key| key.starts_with(&prefix)).count())
        .unwrap_or(0);
    let root = world.root.display().to_string();
    let level = table.get("projects").and_then(|projects| projects.get(&root)?.get("trust_level")?.as_str());
    let fix =
        "start `codex` in this folder, trust the folder, then type `/hooks` and approve vib's".to_owned();
    let detail = if scope != Scope::User && level != Some("trusted") {
        "Codex does not trust this folder yet, so it runs none of its hooks, without saying so".to_owned()
    } else if trusted == 0 {
        "Codex runs none of these hooks before you approved them, without saying so".to_owned()
    } else if trusted < hooks {
        format!("Codex knows {trusted} of {hooks} hooks; it runs only those that you approved")
    } else {
        return Some(Check { state: State::Ok, detail: "approved in Codex".to_owned(), fix: None });
    };
    Some(Check { state: State::Problem, detail, fix: Some(fix) })
}
