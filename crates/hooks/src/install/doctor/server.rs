//! Asking the installed MCP server for its tools, as a client does, where it can do no harm.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::call::{self, Exit, Sandbox};
use super::{Check, Scope};
use crate::install::servers::{Entry, ServerFile};
use crate::install::table::Setup;
use crate::install::{World, is_executable};

/// A server that takes longer is broken.
const PATIENCE: Duration = Duration::from_secs(10);

/// What stands in the settings, and what it answers.
pub(super) fn check(world: &World, setup: &Setup, scope: Scope, sandbox: &Sandbox) -> Option<Check> {
    let file = world.server_file(setup, scope).ok()??;
    let again = format!("`vib init --client {} --scope {}` writes it", setup.client, scope.name());
    let shown = world.shown(&file);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let ours = ServerFile { shape: setup.server.shape, file: &file, program: &world.program, scope };
    let program = match ours.find(&text) {
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
