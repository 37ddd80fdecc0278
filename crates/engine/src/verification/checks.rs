//! Which checks a project has, and which of them a person allowed to be run.
//!
//! What is run comes from the project's files, which an agent writes too. So each command is asked about once, and a person's yes is kept
//! beside the project, not in it.

use std::path::PathBuf;

use person::ByPerson;
use serde::{Deserialize, Serialize};

use crate::{Engine, Result, lane, private_file};

/// One command that checks the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KnownCommand {
    /// The program and its words.
    #[serde(skip)]
    pub command: Vec<String>,
    /// As a person would type it.
    pub line: String,
    /// The file that names it, or `verify.checks`.
    pub found_in: String,
    /// A person allowed it.
    pub allowed: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Allowed {
    schema_version: u32,
    allowed: Vec<String>,
}

fn file(engine: &Engine) -> PathBuf {
    engine.project().shared_state().join("checks.json")
}

fn allowed(engine: &Engine) -> Vec<String> {
    let stored = std::fs::read(file(engine)).ok();
    let read: Option<Allowed> = stored.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    read.unwrap_or_default().allowed
}

/// The checks: those of `verify.checks` if there are any, else what the project's files name; quick ones first.
pub fn known(engine: &Engine) -> Result<Vec<KnownCommand>> {
    let (root, yes) = (engine.project().root(), allowed(engine));
    // A lane is checked as its project is: its copy of the settings lies where whoever works in it can write.
    let main = lane::main_of(engine).ok().flatten();
    let own = main.as_ref().unwrap_or(engine).project().config().list("verify.checks");
    let mut found: Vec<KnownCommand> = Vec::new();
    let mut add = |command: Vec<String>, line: String, found_in: &str| {
        if !found.iter().any(|one| one.line == line) {
            found.push(KnownCommand {
                command,
                allowed: yes.contains(&line),
                line,
                found_in: found_in.to_owned(),
            });
        }
    };
    if own.is_empty() {
        for check in risk::checks::detect_besides_tests(root).into_iter().chain(risk::checks::detect(root)) {
            let line = check.line();
            let (command, found_in) = match &check.folder {
                Some(folder) => (through_a_shell(&line), format!("{folder}/{}", check.found_in)),
                None => (check.command, check.found_in.to_owned()),
            };
            add(command, line, &found_in);
        }
    } else {
        for line in own {
            // A person wrote it for a shell.
            add(through_a_shell(line), line.clone(), "verify.checks");
        }
    }
    Ok(found)
}

fn through_a_shell(line: &str) -> Vec<String> {
    ["sh", "-c", line].map(str::to_owned).to_vec()
}

/// The one that says most about whether it works: the tests.
pub fn main_check(engine: &Engine) -> Option<String> {
    let own = engine.project().config().list("verify.checks").last().cloned();
    own.or_else(|| risk::checks::detect(engine.project().root()).first().map(risk::ProjectCheck::line))
}

/// A person allows these to be run from now on.
pub fn allow(engine: &Engine, lines: &[String], _by: ByPerson) -> Result<()> {
    let mut all = Allowed { schema_version: 1, allowed: allowed(engine) };
    for line in lines {
        if !all.allowed.contains(line) {
            all.allowed.push(line.clone());
        }
    }
    let text = serde_json::to_vec(&all).map_err(|error| store::Error::Io(error.into()))?;
    private_file::write(&file(engine), &text).map_err(store::Error::from)?;
    Ok(())
}
