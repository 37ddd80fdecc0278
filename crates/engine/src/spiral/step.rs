//! What the hooks see of an agent's work.

use serde::{Deserialize, Serialize};

/// One step of an agent, as the hooks see it.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The turn (the prompt) it belongs to.
    pub turn: &'a str,
    /// Hash of the tool and its normalised arguments.
    pub signature: u64,
    /// What kind of tool it was.
    pub tool: Tool,
    /// The file that was edited, relative to the project. One step for each file.
    pub path: Option<&'a str>,
    /// Hash of the file's content after the edit.
    pub content: Option<u64>,
    /// Whether it may have changed files.
    pub writes: bool,
    /// How it ended.
    pub outcome: Outcome,
    /// Hash of the normalised output.
    pub result: Option<u64>,
    /// Hash of the command, if it is a test, build or lint run (see [`is_check`](super::is_check)).
    pub check: Option<u64>,
}

/// The kinds of tools that make a difference here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Changes a file.
    Edit,
    /// Runs a command.
    Shell,
    /// Only looks.
    Read,
    /// Anything else.
    Other,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It worked; for a check: it passed.
    Ok,
    /// It did not.
    Failed {
        /// See [`normalise_error`](super::normalise_error).
        error: u64,
    },
    /// The client did not say.
    Unknown,
}

impl Outcome {
    /// The error, if it failed.
    pub fn error(self) -> Option<u64> {
        match self {
            Self::Failed { error } => Some(error),
            Self::Ok | Self::Unknown => None,
        }
    }
}
