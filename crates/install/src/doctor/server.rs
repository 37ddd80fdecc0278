//! Asking the installed MCP server for its tools, as a client does, where it can do no harm.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::call::{self, Exit, Sandbox};
use super::{Check, Scope};
use crate::Client;
use crate::servers::{Entry, ServerFile};
use crate::table::Setup;
use crate::{Result, World, is_executable};
use clients::switches;

/// A server that takes longer is broken.
const PATIENCE: Duration = Duration::from_secs(10);

/// What stands in the settings, and what it answers.
pub(super) fn check(world: &World, setup: &Setup, scope: Scope, sandbox: &Sandbox) -> Option<Check> {
    let file = world.server_file(setup, scope).ok()??;
    let again = format!("`vib init --client {} --scope {}` writes it", setup.client, scope.name());
    let shown = world.shown(&file);
    let program = match entry(world, setup, scope, &file) {
        Ok(Entry::Ours { program, .. }) => world.resolve(&program),
        Ok(Entry::Foreign) => {
            return Some(Check::note(
                format!("{shown}: the server named `vib` is not vib's own"),
                "give it another name if you want vib's",
            ));
        }
        Ok(Entry::None) => {
            return Some(Check::note(format!("{shown}: vib's MCP server is not there"), again));
        }
        Err(error) => return Some(Check::problem(error.to_string(), error.next())),
    };
    if !world.may_call(&program) || !is_executable(&program) {
        let why = "cannot be called, or came with this project: not tried";
        return Some(Check::problem(format!("the MCP server `{}` {why}", program.display()), again));
    }
    let mut command = Command::new(&program);
    command.args(["mcp", "serve"]);
    sandbox.confine(&mut command);
    let ran = call::run(&mut command, &question(), PATIENCE);
    Some(match tools(&ran.stdout) {
        Some(count) if ran.exit == Exit::Code(Some(0)) => {
            Check::ok(format!("{shown}: its MCP server answered with {count} tools"))
        }
        _ => Check::problem(
            format!("{shown}: vib's MCP server does not answer"),
            "run `vib mcp serve` in a terminal to see more, or reinstall vib",
        ),
    })
}

/// Our entry in the file with the servers.
pub(crate) fn entry(world: &World, setup: &Setup, scope: Scope, file: &Path) -> Result<Entry> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    ServerFile { shape: setup.server.shape, file, program: &world.program, scope }.find(&text)
}

/// Claude Code asks about the servers of a project, and keeps a no.
pub(super) fn refused(world: &World, setup: &Setup) -> Option<Check> {
    if setup.client != Client::ClaudeCode {
        return None;
    }
    let folder = world.root.join(setup.project_folder);
    let own = world.folder(setup, Scope::User).ok();
    let settings = [folder.join("settings.json"), folder.join("settings.local.json")];
    let settings = settings.into_iter().chain(own.iter().map(|own| own.join("settings.json")));
    // Beside the folder of its settings, or in it where a variable moved that.
    let states = own.iter().map(|own| own.join(".claude.json"));
    let states = states.chain(world.home.iter().map(|home| home.join(".claude.json")));
    let read = |file: &PathBuf| std::fs::read_to_string(file).ok();
    let in_settings = |file: PathBuf| Some((switches::server_refused(&read(&file)?)?, file));
    let in_state =
        |file: PathBuf| Some((switches::server_refused_in_state(&read(&file)?, &world.root)?, file));
    let (key, file) =
        settings.into_iter().find_map(in_settings).or_else(|| states.into_iter().find_map(in_state))?;
    Some(Check::note(
        format!(
            "Claude Code does not start vib's MCP server: you refused it (`{key}` in {})",
            world.shown(&file)
        ),
        "type `/mcp` in Claude Code and switch `vib` on, if you want it",
    ))
}

/// The greeting, and the question for the tools.
fn question() -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "vib-doctor", "version": "1"},
    }});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}});
    format!("{hello}\n{ready}\n{list}\n")
}

fn tools(answers: &str) -> Option<usize> {
    let answers = answers.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let list = answers.into_iter().find(|answer| answer["id"] == 2)?;
    list["result"]["tools"].as_array().map(Vec::len).filter(|count| *count > 0)
}
