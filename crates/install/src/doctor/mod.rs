//! Is what is installed as it should be? Reads the clients' settings as the clients do, then calls every hook in them with a
//! recorded payload, through the same shell and the same command line as the client would, in a project and a state folder of
//! its own. A hook that answers is no proof that its client calls it: that is said by [`crate::protection`] alone.

mod call;
mod fence;
pub(crate) mod server;
mod version;

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::gone::Gone;
use super::redirected;
use super::set_up;
use super::world::{Detected, Scope};
use super::{World, is_executable, plugin};
use crate::Client;
use crate::protection::obstacles::Hindrance;
use crate::protection::{ClientProtection, Protection};
use clients::entries::{Found, HooksFile};
use clients::table::{Setup, Shape, setup};

pub use call::Call;
pub(super) use call::{Exit, run};

/// How much something matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Note,
    /// Does not work.
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// How it is.
    pub state: State,
    /// What was found.
    pub detail: String,
    /// What to do about it.
    pub fix: Option<String>,
}

/// One client.
#[derive(Debug, Serialize)]
pub struct ClientReport {
    /// The client.
    pub client: Client,
    /// Its name as its makers write it.
    pub title: &'static str,
    /// How it was found.
    pub found: Option<Detected>,
    /// Its version, if that could be told.
    pub version: Option<String>,
    /// What was found, in order.
    pub checks: Vec<Check>,
    /// The calls.
    pub calls: Vec<Call>,
}

impl ClientReport {
    /// True if something has to be mended.
    pub fn has_problem(&self) -> bool {
        self.checks.iter().any(|check| check.state == State::Problem)
    }
}

impl Check {
    fn ok(detail: String) -> Self {
        Self { state: State::Ok, detail, fix: None }
    }

    fn note(detail: String, fix: impl Into<String>) -> Self {
        Self { state: State::Note, detail, fix: Some(fix.into()) }
    }

    fn problem(detail: String, fix: impl Into<String>) -> Self {
        Self { state: State::Problem, detail, fix: Some(fix.into()) }
    }
}

/// What is installed in one file.
pub(crate) struct Installed {
    pub(crate) scope: Scope,
    pub(crate) file: PathBuf,
    pub(crate) found: Vec<Found>,
}

/// Looks at every client that is there, or in whose settings vib is.
pub fn examine(world: &World, protection: &Protection) -> std::io::Result<Vec<ClientReport>> {
    let sandbox = call::Sandbox::new(world)?;
    let examine = |client| examine_one(world, client, protection.of(client), &sandbox);
    Ok(Client::ALL.into_iter().filter_map(examine).collect())
}

fn examine_one(
    world: &World,
    client: Client,
    protection: Option<&ClientProtection>,
    sandbox: &call::Sandbox,
) -> Option<ClientReport> {
    let setup = setup(client);
    let found = world.detect(client);
    let mut checks = Vec::new();
    let mut installed = Vec::new();
    for scope in Scope::ALL {
        match installed_in(world, setup, scope) {
            Ok(Some(here)) => installed.push(here),
            Ok(None) => {}
            Err(error) => checks.push(Check::problem(error.to_string(), error.next())),
        }
    }
    let gone: &[Gone] = protection.map(|one| one.gone.as_slice()).unwrap_or_default();
    if found.is_none() && installed.is_empty() && gone.is_empty() && checks.is_empty() {
        return None;
    }
    if found.is_none() {
        checks.push(Check::note(
            format!("{} itself was not found on this machine", client.title()),
            format!("`vib init --remove --client {client}` if you do not use it"),
        ));
    }
    checks.extend(gone.iter().map(lost));
    checks.extend(
        redirected::of_client(world, client).into_iter().map(|one| Check::problem(one.detail, one.fix)),
    );
    if !installed.is_empty() {
        checks.extend(set_up::moved(world).into_iter().map(|(detail, fix)| Check::problem(detail, fix)));
    }
    if installed.is_empty() && checks.iter().all(|check| check.state != State::Problem) {
        checks.push(Check::note(
            "vib's hooks are not installed".to_owned(),
            format!("`vib init --client {client}` installs them"),
        ));
    }
    // Lines that say where they stand leave the answer to the person's own; those of earlier versions do not.
    let unmarked = |here: &Installed| {
        let is_silent = |line: &str| clients::command::parse(line).is_some_and(|own| own.mark.is_some());
        here.scope != Scope::User && !here.found.iter().all(|found| is_silent(&found.line))
    };
    if installed.len() > 1 && installed.iter().any(unmarked) {
        checks.push(Check::problem(
            "vib is called twice for every step: its hooks are in this project and in your own settings"
                .to_owned(),
            format!(
                "`vib init --client {client}` brings the project's up to date, and your own answer alone"
            ),
        ));
    }
    let mut calls = Vec::new();
    for here in &installed {
        checks.extend(entries(world, setup, here));
        let made = call::all(world, setup, here.scope, &here.found, sandbox);
        checks.extend(answers(&made, client));
        calls.extend(made);
        checks.extend(protection.into_iter().flat_map(|one| hindered(one, here.scope)));
        checks.extend(server::check(world, setup, here.scope, sandbox));
    }
    if !installed.is_empty() {
        checks.extend(server::refused(world, setup));
        checks.extend(limit(client));
        checks.extend(fence::check(world, client));
    }
    let version = match &found {
        Some(Detected::Program(program)) => version::of(program, sandbox),
        _ => None,
    };
    Some(ClientReport { client, title: client.title(), found, version, checks, calls })
}

/// Hooks that were installed and are gone without `vib init --remove`: an undo can do that, or a git checkout.
fn lost(gone: &Gone) -> Check {
    let what = if gone.hooks { "vib's hooks were" } else { "vib's MCP server or chat commands were" };
    let (client, scope, command) = (gone.client, gone.scope.name(), &gone.command);
    Check::problem(
        format!("{what} installed in {}, and are not there any more", gone.files.join(", ")),
        format!(
            "`{command}` puts them back, `vib init --remove --client {client} --scope {scope}` forgets them"
        ),
    )
}

/// What keeps the client from running what stands there. A call that came all the same is a better witness than a setting.
fn hindered(one: &ClientProtection, scope: Scope) -> Vec<Check> {
    let here = one.hindrances.iter().filter(|hindrance| hindrance.scope == scope);
    let check = |hindrance: &Hindrance| {
        let state = if hindrance.disproved { State::Note } else { State::Problem };
        let detail = hindrance.words(one.client);
        Check { state, detail, fix: Some(hindrance.fix(one.client)) }
    };
    here.map(check).collect()
}

/// What vib cannot do in this client, however well it is installed.
fn limit(client: Client) -> Option<Check> {
    let detail = match client {
        Client::Gemini => {
            "a limit: started by an editor (`--acp`: Zed, JetBrains, Neovim), Gemini runs no hook for its tools, so nothing is \
             saved or judged there"
        }
        _ => return None,
    };
    Some(Check { state: State::Note, detail: detail.to_owned(), fix: None })
}

/// Our entries in one of a client's files.
pub(crate) fn installed_in(world: &World, setup: &Setup, scope: Scope) -> super::Result<Option<Installed>> {
    let Ok(file) = world.file(setup, scope) else { return Ok(None) };
    let Ok(bytes) = std::fs::read(&file) else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(|_| super::Error::NotText { file: file.clone() })?;
    let found = match setup.shape {
        Shape::Plugin => in_plugin(world, setup, scope, &text),
        _ => HooksFile { setup, file: &file, program: &world.program, scope }.find(&text)?,
    };
    Ok((!found.is_empty()).then_some(Installed { scope, file, found }))
}

fn in_plugin(world: &World, setup: &Setup, scope: Scope, text: &str) -> Vec<Found> {
    let Some(program) = plugin::program(text) else { return Vec::new() };
    let current = text == plugin::source(&world.program, scope);
    let mark = if text.contains("\"--team\"") { " --team" } else { "" };
    let line = format!("{} hook {}{mark}", program.display(), setup.client);
    let one = |event: &super::table::Event| Found {
        event: event.name.to_owned(),
        line: line.clone(),
        program: program.clone(),
        current,
    };
    setup.events.iter().map(one).collect()
}

/// Are the entries there, as they should be, and can they be run?
fn entries(world: &World, setup: &Setup, here: &Installed) -> Vec<Check> {
    let file = world.shown(&here.file);
    let again =
        format!("`vib init --client {} --scope {} --yes` writes them anew", setup.client, here.scope.name());
    let has = |name: &str| here.found.iter().any(|found| found.event == name);
    let missing: Vec<&str> = setup.events.iter().map(|event| event.name).filter(|name| !has(name)).collect();
    let mut checks = vec![match (missing.is_empty(), here.found.iter().all(|found| found.current)) {
        (false, _) => Check::problem(format!("{file}: no hook for {}", missing.join(", ")), again.clone()),
        (true, false) => {
            Check::note(format!("{file}: the hooks are not as this vib writes them"), again.clone())
        }
        (true, true) => Check::ok(format!("{file}: {} hooks, up to date", here.found.len())),
    }];
    let mut programs: Vec<&Path> = here.found.iter().map(|found| found.program.as_path()).collect();
    programs.dedup();
    for program in programs {
        let program = &world.resolve(program);
        let shown = program.display();
        if !world.may_call(program) {
            checks.push(Check::problem(
                format!(
                    "the hooks call `{shown}`, which came with this project, and not your vib: not tried"
                ),
                again.clone(),
            ));
        } else if !is_executable(program) {
            checks.push(Check::problem(
                format!("the hooks call `{shown}`, and there is no such program: they do nothing"),
                again.clone(),
            ));
        } else if *program == world.program {
            checks.push(Check::ok(format!("they call `{shown}`")));
        } else {
            checks.push(Check::note(format!("they call another vib: `{shown}`"), again.clone()));
        }
    }
    checks
}

/// What came of the calls, in a line or a few.
fn answers(calls: &[Call], client: Client) -> Vec<Check> {
    let made: Vec<&Call> = calls.iter().filter(|call| call.milliseconds.is_some()).collect();
    let bad: Vec<&&Call> = made.iter().filter(|call| call.problem.is_some()).collect();
    if bad.is_empty() {
        let time = |call: &Call| call.milliseconds.unwrap_or_default();
        let slowest = made.iter().max_by(|a, b| time(a).total_cmp(&time(b)));
        return slowest
            .map(|slowest| {
                let (calls, event, took) = (made.len(), &slowest.event, time(slowest));
                Check::ok(format!(
                    "tried with {calls} calls, all answered; the slowest, {event}, took {took:.1} ms"
                ))
            })
            .into_iter()
            .collect();
    }
    let fix = format!("run `vib hook {client}` with a payload to see more, or reinstall vib");
    bad.iter()
        .map(|call| {
            let problem = call.problem.as_deref().unwrap_or_default();
            Check::problem(format!("{}: {problem}", call.event), fix.clone())
        })
        .collect()
}
