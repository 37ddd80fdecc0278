//! Is this project protected, and by what? One value for every surface: `vib`, `vib status`, `vib doctor`, `vib init`, the page, MCP.
//!
//! Three things are put together: what stands in the clients' settings, what keeps a client from running it ([`obstacles`]),
//! and the last real call ([`crate::evidence`]). A call beats everything that was only read: a client that called after a setting
//! was changed evidently runs its hooks. Without a call nothing is called working.

pub mod obstacles;
mod words;

use std::path::PathBuf;
use std::time::SystemTime;

use project::{Context, Project};
use serde::Serialize;

use crate::Client;
use crate::evidence::{self, LastCall};
use crate::gone::{self, Gone};
use crate::{Detected, Scope, World, doctor, is_executable, record};
use clients::table::{Setup, setup};
use obstacles::Hindrance;

/// How a project stands.
#[derive(Debug, Clone, Serialize)]
pub struct Protection {
    /// In one word.
    pub verdict: Verdict,
    /// Every client that is found on this machine, is or was connected, or ever called here.
    pub clients: Vec<ClientProtection>,
    /// Since when the person has vib switched off here, milliseconds since 1970. Then no client is asked for anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switched_off_since_ms: Option<i64>,
    /// When this was looked at.
    pub now_ms: i64,
}

/// How a project stands, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// At least one client calls vib here: it did so since its hooks were installed.
    Hooks,
    /// Hooks are in place; no client has called yet.
    NeverCalled,
    /// Hooks are installed, but something keeps every client from running them, or the person switched vib off here.
    SwitchedOff,
    /// No agent calls vib here: only what a person saves is saved.
    ByHand,
}

/// How one client stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It called since its hooks were installed.
    Works,
    /// Its hooks are in place, and it has not called since.
    NeverCalled,
    /// Its hooks are there and do not run, or not as they should.
    Broken,
    /// Its hooks were installed and are gone.
    Gone,
    /// It has none.
    NotInstalled,
}

/// One client.
#[derive(Debug, Clone, Serialize)]
pub struct ClientProtection {
    /// The client.
    pub client: Client,
    /// Its name as its makers write it.
    pub title: &'static str,
    /// How it was found on this machine.
    pub found: Option<Detected>,
    /// In one word.
    pub standing: Standing,
    /// Where its hooks are.
    pub places: Vec<Place>,
    /// What keeps them from running, as far as settings tell.
    pub hindrances: Vec<Hindrance>,
    /// What was installed and is gone.
    pub gone: Vec<Gone>,
    /// Its last real call in this project.
    pub last_call: Option<LastCall>,
    /// What the person has to do; none: nothing.
    pub next: Option<String>,
}

/// One file with vib's hooks in it.
#[derive(Debug, Clone, Serialize)]
pub struct Place {
    /// Whose settings.
    pub scope: Scope,
    /// The file, as a person reads it.
    pub file: String,
    /// How the entries are.
    pub entries: Entries,
    /// The events that have no hook.
    pub missing: Vec<String>,
    #[serde(skip)]
    pub(crate) path: PathBuf,
    /// The command lines.
    #[serde(skip)]
    pub(crate) lines: Vec<String>,
    /// When vib wrote it, if that is known.
    #[serde(skip)]
    pub(crate) since: Option<SystemTime>,
}

/// How the entries in a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Entries {
    /// All there, as this vib writes them.
    Current,
    /// All there, as another vib wrote them.
    Outdated,
    /// Some are missing.
    Damaged,
    /// The program that they call is not there.
    NoProgram,
}

/// The places on this machine as this process sees them, to look at; what hooks should call is not known here.
pub fn world(context: &Context, root: PathBuf) -> Option<World> {
    let state = context.state().ok()?.to_path_buf();
    let home = context.home().map(PathBuf::from);
    Some(World::new(root, home, state, PathBuf::new(), &|name| context.variable(name)))
}

/// Looks. `project` is none where vib does not know the folder yet.
pub fn look(world: &World, project: Option<&Project>, now_ms: i64) -> Protection {
    let mut clients: Vec<ClientProtection> =
        Client::ALL.into_iter().filter_map(|client| of_client(world, setup(client), project)).collect();
    gone::one_command(clients.iter_mut().flat_map(|client| &mut client.gone));
    for client in &mut clients {
        client.next = words::next(client);
    }
    let any = |standing| clients.iter().any(|client| client.standing == standing);
    let off = project.and_then(engine::switch::off_since);
    let verdict = if off.is_some() {
        Verdict::SwitchedOff
    } else if any(Standing::Works) {
        Verdict::Hooks
    } else if any(Standing::NeverCalled) {
        Verdict::NeverCalled
    } else if any(Standing::Broken) {
        Verdict::SwitchedOff
    } else {
        Verdict::ByHand
    };
    Protection { verdict, clients, switched_off_since_ms: off.map(|off| off.since_ms), now_ms }
}

impl Protection {
    /// One client's part.
    pub fn of(&self, client: Client) -> Option<&ClientProtection> {
        self.clients.iter().find(|one| one.client == client)
    }

    /// The clients that stand like this.
    pub fn standing(&self, standing: Standing) -> impl Iterator<Item = &ClientProtection> {
        self.clients.iter().filter(move |client| client.standing == standing)
    }

    /// Everything that is gone.
    pub fn gone(&self) -> impl Iterator<Item = &Gone> {
        self.clients.iter().flat_map(|client| &client.gone)
    }

    /// The real calls, the latest first.
    pub fn last_calls(&self) -> Vec<&LastCall> {
        let mut calls: Vec<&LastCall> =
            self.clients.iter().filter_map(|client| client.last_call.as_ref()).collect();
        calls.sort_by_key(|call| std::cmp::Reverse(call.at_ms));
        calls
    }
}

fn of_client(world: &World, setup: &'static Setup, project: Option<&Project>) -> Option<ClientProtection> {
    let client = setup.client;
    let found = world.detect(client);
    let places: Vec<Place> = Scope::ALL.into_iter().filter_map(|scope| place(world, setup, scope)).collect();
    let gone = gone::of_client(world, setup);
    let last_call = project.and_then(|project| evidence::last_call(project.state(), client));
    if found.is_none() && places.is_empty() && gone.is_empty() && last_call.is_none() {
        return None;
    }
    let called_after = |time: Option<SystemTime>| match (&last_call, time) {
        (Some(call), Some(time)) => call.noted >= time,
        (Some(_), None) => true,
        (None, _) => false,
    };
    let mut hindrances: Vec<Hindrance> =
        places.iter().flat_map(|place| obstacles::of(world, setup, place, last_call.as_ref())).collect();
    for hindrance in &mut hindrances {
        let place = places.iter().find(|place| place.scope == hindrance.scope);
        let since = place.and_then(|place| place.since).max(hindrance.since);
        hindrance.disproved = called_after(since);
    }
    let is_free = |place: &&Place| {
        place.is_enough() && hindrances.iter().all(|one| one.scope != place.scope || one.disproved)
    };
    let free: Vec<&Place> = places.iter().filter(is_free).collect();
    let standing = if free.iter().any(|place| called_after(place.since)) {
        Standing::Works
    } else if !free.is_empty() {
        Standing::NeverCalled
    } else if !places.is_empty() {
        Standing::Broken
    } else if gone.iter().any(|gone| gone.hooks) {
        Standing::Gone
    } else {
        Standing::NotInstalled
    };
    Some(ClientProtection {
        client,
        title: client.title(),
        found,
        standing,
        places,
        hindrances,
        gone,
        last_call,
        next: None,
    })
}

fn place(world: &World, setup: &'static Setup, scope: Scope) -> Option<Place> {
    let doctor::Installed { file, found, .. } = doctor::installed_in(world, setup, scope).ok()??;
    let has = |name: &str| found.iter().any(|found| found.event == name);
    let events = setup.events.iter().map(|event| event.name);
    let missing: Vec<String> = events.filter(|name| !has(name)).map(str::to_owned).collect();
    // Where nobody said which vib should be called, an entry cannot be told from one of another vib.
    let current = world.program.as_os_str().is_empty() || found.iter().all(|found| found.current);
    let entries = if !found.iter().all(|found| is_executable(&world.resolve(&found.program))) {
        Entries::NoProgram
    } else if !missing.is_empty() {
        Entries::Damaged
    } else if !current {
        Entries::Outdated
    } else {
        Entries::Current
    };
    Some(Place {
        scope,
        file: world.shown(&file),
        entries,
        missing,
        lines: found.into_iter().map(|found| found.line).collect(),
        since: record::saved_at(world, &file),
        path: file,
    })
}

impl Place {
    /// The entries do what matters: they save before something is changed.
    fn is_enough(&self) -> bool {
        let saves = |name: &String| {
            let name = name.to_lowercase();
            (name.starts_with("pre") || name.starts_with("before")) && !name.contains("comp")
        };
        match self.entries {
            Entries::Current | Entries::Outdated => true,
            Entries::Damaged => !self.missing.iter().any(saves),
            Entries::NoProgram => false,
        }
    }
}
