//! Which clients call vib here, and what each still needs: read from their settings, whatever was done just now.

use serde::Serialize;

use super::world::Scope;
use super::{Outcome, Status, World, is_executable, plugin};
use crate::Client;
use crate::protection::{self, obstacles::Obstacle};
use clients::entries::HooksFile;
use clients::table::{Setup, Shape, setup};

/// How this project is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// The hooks of at least one client are in place.
    Hooks,
    /// No agent calls vib: what is saved, a person saves.
    ByHand,
    /// The person switched vib off in this project.
    Off,
}

/// How it stands with a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Connected {
    /// Its settings hold vib's hooks, and the program is there.
    Connected,
    /// The person said no.
    Declined,
    /// It is on this machine, and nothing was installed.
    NotConnected,
    /// It could not be done.
    Failed,
    /// It is not on this machine.
    NotFound,
}

/// One client.
#[derive(Debug, Serialize)]
pub struct Connection {
    /// The client.
    pub client: Client,
    /// Its name as its makers write it.
    pub title: &'static str,
    /// How it stands.
    pub state: Connected,
    /// Whose settings hold vib's hooks.
    pub scopes: Vec<Scope>,
    /// What the person still has to do before it calls vib.
    pub needs: Vec<String>,
}

/// Every client that vib knows.
pub fn connections(world: &World, outcomes: &[Outcome]) -> Vec<Connection> {
    let looked = protection::look(world, None, 0);
    let one = |client: Client| {
        let outcome = outcomes.iter().find(|outcome| outcome.client == client);
        let scopes: Vec<Scope> =
            Scope::ALL.into_iter().filter(|scope| calls_vib(world, setup(client), *scope)).collect();
        let state = match outcome.map(|outcome| outcome.status) {
            _ if !scopes.is_empty() => Connected::Connected,
            Some(Status::Declined) => Connected::Declined,
            Some(Status::Failed) => Connected::Failed,
            _ if world.detect(client).is_some() => Connected::NotConnected,
            _ => Connected::NotFound,
        };
        let is_new = outcome.is_some_and(|outcome| outcome.status == Status::Installed);
        let mut needs: Vec<String> = Vec::new();
        if !scopes.is_empty() {
            needs.extend(self::needs(world, setup(client), &scopes, is_new).iter().map(ToString::to_string));
            needs.extend(switched_off(&looked, client));
        }
        Connection { client, title: client.title(), state, scopes, needs }
    };
    Client::ALL.into_iter().map(one).collect()
}

/// What in the client's own settings keeps it from running any hook.
fn switched_off(looked: &protection::Protection, client: Client) -> Vec<String> {
    let hindrances = looked.of(client).map(|one| one.hindrances.as_slice()).unwrap_or_default();
    hindrances
        .iter()
        .filter(|one| matches!(one.obstacle, Obstacle::Unread { .. } | Obstacle::SwitchedOff { .. }))
        .map(|one| format!("{}; {}", one.words(client), one.fix(client)))
        .collect()
}

impl Protection {
    /// What the connections amount to.
    pub fn of(connections: &[Connection]) -> Self {
        let connected = |connection: &Connection| connection.state == Connected::Connected;
        if connections.iter().any(connected) { Self::Hooks } else { Self::ByHand }
    }
}

/// The settings hold a hook for every event, and the program behind it can be started.
pub(super) fn calls_vib(world: &World, setup: &Setup, scope: Scope) -> bool {
    let Ok(file) = world.file(setup, scope) else { return false };
    let Ok(text) = std::fs::read_to_string(&file) else { return false };
    let programs = match setup.shape {
        Shape::Plugin => plugin::program(&text).into_iter().collect(),
        Shape::Groups { .. } | Shape::Flat { .. } => {
            let hooks = HooksFile { setup, file: &file, program: &world.program, scope };
            let found = hooks.find(&text).unwrap_or_default();
            let has = |name: &str| found.iter().any(|found| found.event == name);
            if !setup.events.iter().all(|event| has(event.name)) {
                return false;
            }
            found.into_iter().map(|found| found.program).collect::<Vec<_>>()
        }
    };
    !programs.is_empty() && programs.iter().all(|program| is_executable(&world.resolve(program)))
}

fn needs(world: &World, setup: &Setup, scopes: &[Scope], is_new: bool) -> Vec<&'static str> {
    let mut needs = Vec::new();
    if is_new || !is_approved(world, setup, scopes) {
        needs.extend(setup.needs);
    }
    if !scopes.contains(&Scope::User) {
        needs.extend(setup.needs_in_project);
    }
    needs
}

/// Codex writes down each hook that the person approved; whether it changed since, only Codex can tell.
fn is_approved(world: &World, setup: &Setup, scopes: &[Scope]) -> bool {
    let config = world.folder(setup, Scope::User).map(|folder| folder.join("config.toml"));
    let text = config.ok().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let table: toml::Table = text.parse().unwrap_or_default();
    let Some(state) = table.get("hooks").and_then(|hooks| hooks.get("state")?.as_table()) else {
        return false;
    };
    scopes.iter().filter_map(|scope| world.file(setup, *scope).ok()).any(|file| {
        let prefix = format!("{}:", file.display());
        state.keys().filter(|key| key.starts_with(&prefix)).count() >= setup.events.len()
    })
}
