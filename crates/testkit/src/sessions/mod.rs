//! Made-up sessions of agents, honest ones and dishonest ones, in the payload shapes of the real clients.
//!
//! `honest` writes a session from a seed: what an agent does that gets somewhere. `dishonest` has the ones that lead
//! nowhere. Both are told without any client in mind; [`Shape`] says them as a client does (its fields come from the recorded
//! fixtures), and `play` does to the files of a real folder what the session says, so that what a hook sees there is true.

mod circles;
mod dishonest;
mod honest;
mod phases;
mod play;
mod random;
mod requests;
mod shapes;
mod sources;
mod traps;

pub use dishonest::{Story, stories};
pub use honest::honest;
pub use play::{Answer, Objection, Played, Word, play};
pub use random::Random;
pub use shapes::{Hook, Shape};

use std::collections::BTreeMap;

/// Files by their path in the project.
pub type Files = BTreeMap<String, String>;

/// A session, as no client in particular would tell it.
#[derive(Debug, Clone)]
pub struct Session {
    /// The files at its beginning.
    pub files: Files,
    /// What happens.
    pub moves: Vec<Move>,
}

impl Session {
    /// How many tools it calls.
    pub fn calls(&self) -> usize {
        self.moves.iter().map(|one| if let Move::Calls(calls) = one { calls.len() } else { 0 }).sum()
    }
}

/// One thing that happens in a session.
#[derive(Debug, Clone)]
pub enum Move {
    /// The person asks for something.
    Prompt(String),
    /// The model calls one tool, or several at once.
    Calls(Vec<Call>),
    /// The person, or a program of theirs, changes a file.
    Person(Effect),
    /// The conversation was shortened.
    Shortened,
    /// A helper with this number begins.
    HelperBegins(u32),
    /// The agent has finished its turn.
    Over,
}

/// A tool call, with what comes of it.
#[derive(Debug, Clone)]
pub struct Call {
    /// The helper that calls; none: the agent itself.
    pub by: Option<u32>,
    /// The tool.
    pub tool: Tool,
    /// What it does to files.
    pub effects: Vec<Effect>,
    /// It does not work; for a command, this is its exit code.
    pub failed: Option<i32>,
    /// What the model is told.
    pub output: String,
}

impl Call {
    /// One line about it, for people.
    pub fn words(&self) -> String {
        let what = match &self.tool {
            Tool::Read { path, lines: None } => format!("read {path}"),
            Tool::Read { path, lines: Some((from, to)) } => format!("read {path} {from}-{to}"),
            Tool::Grep { pattern, path } => format!("grep {pattern} {path}"),
            Tool::Glob { pattern } => format!("glob {pattern}"),
            Tool::Edit { path, old, new } => {
                let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
                format!("edit {path}: {} -> {}", first(old), first(new))
            }
            Tool::Write { path, text } => format!("write {path} ({} bytes)", text.len()),
            Tool::Shell { command } => format!("$ {command}"),
            Tool::Poll { id } => format!("look at shell {id}"),
            Tool::Helper { task } => format!("helper: {task}"),
            Tool::Foreign { tool, text } => format!("{tool:?} {text}"),
        };
        let failed = self.failed.map(|code| format!(" (fails, {code})")).unwrap_or_default();
        let by = self.by.map(|helper| format!("helper {helper}: ")).unwrap_or_default();
        format!("{by}{what}{failed}")
    }
}

/// What agents call. Clients without such a tool use the shell.
#[derive(Debug, Clone)]
pub enum Tool {
    /// Reads a file, or some lines of it (from 1, both included).
    Read {
        /// Which.
        path: String,
        /// These lines.
        lines: Option<(usize, usize)>,
    },
    /// Looks for a pattern.
    Grep {
        /// This one.
        pattern: String,
        /// In this folder.
        path: String,
    },
    /// Looks for files.
    Glob {
        /// With such names.
        pattern: String,
    },
    /// Whole lines take the place of others.
    Edit {
        /// In this file.
        path: String,
        /// What is there.
        old: String,
        /// What comes instead.
        new: String,
    },
    /// A whole file.
    Write {
        /// Which.
        path: String,
        /// What is in it then.
        text: String,
    },
    /// A command line.
    Shell {
        /// Its text.
        command: String,
    },
    /// Looks at what a command in the background has printed.
    Poll {
        /// The shell.
        id: u32,
    },
    /// Gives work to a helper.
    Helper {
        /// What it should do.
        task: String,
    },
    /// A tool of another server, `browser`.
    Foreign {
        /// Which.
        tool: Foreign,
        /// What it is given.
        text: String,
    },
}

/// Tools of another server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// Does something elsewhere: once more is not the same.
    PressKey,
    /// Looks.
    GetText,
}

/// What a call does to a file.
#[derive(Debug, Clone)]
pub enum Effect {
    /// It holds this then.
    Write(String, String),
    /// It is gone.
    Remove(String),
}

impl Effect {
    /// The file.
    pub fn path(&self) -> &str {
        match self {
            Self::Write(path, _) | Self::Remove(path) => path,
        }
    }
}
