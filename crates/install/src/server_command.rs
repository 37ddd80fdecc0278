//! vib's MCP server where the client keeps its servers in a file of its own: the client's own command adds and removes it.
//!
//! Tried on Claude Code 2.1.325 without a network: `claude mcp add --scope user vib -- …` takes half a second, refuses a name
//! that is there, and is undone by `claude mcp remove`.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::doctor::{Exit, run};
use super::world::{Detected, Scope};
use super::{Action, World};
use clients::servers::{self, ServerFile};
use clients::table::{ServerCommand, Setup};

/// Longer than any client needs for it.
const PATIENCE: Duration = Duration::from_secs(20);

/// A call of the client's own program.
#[derive(Debug)]
pub struct ServerCall {
    /// The client's program; none: it was not found, and the person has to make the call.
    program: Option<PathBuf>,
    /// Its name, for people.
    name: &'static str,
    /// Calls in order, each with its arguments.
    calls: Vec<Vec<String>>,
    /// Where it is called.
    folder: PathBuf,
    /// What is there when it worked.
    wanted: Option<PathBuf>,
    scope: Scope,
}

/// What the client's own file says under our name.
enum There {
    Nothing,
    Ours(PathBuf),
    Foreign,
}

/// What has to be called, if anything. `Err`: what stands in the way, for people.
pub fn plan(
    world: &World,
    setup: &Setup,
    scope: Scope,
    action: Action,
) -> Result<Option<ServerCall>, String> {
    let (Some(command), Some(word)) = (setup.server.command, word(setup, scope)) else { return Ok(None) };
    let there = there(world, setup, scope);
    let remove = || vec!["mcp".into(), "remove".into(), "--scope".into(), word.into(), servers::NAME.into()];
    let (calls, wanted) = match (action, there) {
        (Action::Install, There::Foreign) => {
            return Err(format!(
                "{}: a server named `vib` of somebody else's is there and stays",
                command.file
            ));
        }
        (Action::Install, There::Ours(program)) if program == world.program => return Ok(None),
        (Action::Remove, There::Nothing | There::Foreign) => return Ok(None),
        (Action::Remove, There::Ours(_)) => (vec![remove()], None),
        (Action::Install, there) => {
            let file = PathBuf::from(command.file);
            let server =
                ServerFile { shape: setup.server.shape, file: &file, program: &world.program, scope };
            let mut add: Vec<String> =
                ["mcp", "add", "--scope", word, servers::NAME, "--"].map(str::to_owned).to_vec();
            add.extend(server.command());
            let before = matches!(there, There::Ours(_)).then(remove);
            (before.into_iter().chain([add]).collect(), Some(world.program.clone()))
        }
    };
    let program = match world.detect(setup.client) {
        Some(Detected::Program(program)) => Some(program),
        _ => None,
    };
    let name = setup.programs.first().copied().unwrap_or_default();
    Ok(Some(ServerCall { program, name, calls, folder: world.root.clone(), wanted, scope }))
}

fn word(setup: &Setup, scope: Scope) -> Option<&'static str> {
    let ServerCommand { user, project, .. } = setup.server.command?;
    match scope {
        Scope::User => Some(user),
        Scope::Project => Some(project),
        Scope::Team => None,
    }
}

/// Reads the client's own file; what cannot be read holds nothing of ours.
fn there(world: &World, setup: &Setup, scope: Scope) -> There {
    let text = world.own_server_file(setup).and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
    let all: Value = serde_json::from_slice(&text).unwrap_or_default();
    let holder = match scope {
        Scope::User => &all,
        _ => &all["projects"][world.root.to_string_lossy().as_ref()],
    };
    match &holder["mcpServers"][servers::NAME] {
        Value::Null => There::Nothing,
        entry => servers::program_of(entry).map_or(There::Foreign, There::Ours),
    }
}

impl ServerCall {
    /// The lines that a person would type.
    pub fn lines(&self) -> Vec<String> {
        self.calls.iter().map(|arguments| shown(self.name, arguments)).collect()
    }

    /// It can be done here.
    pub fn can_run(&self) -> bool {
        self.program.is_some()
    }

    /// Does it, and looks whether it is done. `false`: it is not, and the person has to do it.
    pub fn carry_out(&self, world: &World, setup: &Setup) -> bool {
        let Some(program) = &self.program else { return false };
        for arguments in &self.calls {
            let mut command = Command::new(program);
            command.args(arguments).current_dir(&self.folder);
            if !matches!(run(&mut command, "", PATIENCE).exit, Exit::Code(Some(0))) {
                return false;
            }
        }
        match (there(world, setup, self.scope), &self.wanted) {
            (There::Ours(program), Some(wanted)) => program == *wanted,
            (There::Nothing, None) => true,
            _ => false,
        }
    }
}

/// As it would be typed; a path with odd characters in quotes.
fn shown(program: &str, arguments: &[String]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/-_.+:@".contains(c);
    let word = |word: &String| {
        if word.chars().all(plain) { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    std::iter::once(program.to_owned()).chain(arguments.iter().map(word)).collect::<Vec<_>>().join(" ")
}
