//! Any agent as something that carries out a prompt: started in a place, asked, watched, cancelled, ended.

use std::path::PathBuf;
use std::time::Duration;

use clients::Client;
use engine::report::usage::Tokens;
use serde::Serialize;

/// Where an agent works.
#[derive(Debug, Clone)]
pub struct Place {
    /// The folder: a lane, a project, any.
    pub folder: PathBuf,
    /// The fence around the whole agent.
    pub fence: FenceWish,
}

/// Whether a fence stands around the whole agent (`lane.fence`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FenceWish {
    /// Where the kernel has one.
    Auto,
    /// No.
    Off,
    /// Without one nothing is started.
    Strict,
}

/// How an agent is started and watched.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Which.
    pub client: Client,
    /// By which way.
    pub way: WayToDrive,
    /// Another program in the place of the table's, with its words.
    pub command: Option<Vec<std::ffi::OsString>>,
    /// So long the whole may take.
    pub limit: Duration,
    /// So long it may say nothing.
    pub silence: Duration,
}

/// The ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WayToDrive {
    /// The protocol: it asks, it can be cancelled.
    Acp,
    /// Without a screen: what it does is told afterwards.
    Stream,
}

/// What happens while it works.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A tool call, as far as it is.
    ToolCall {
        /// What it says about it.
        title: String,
        /// `pending`, `in_progress`, `completed`, `failed`.
        status: String,
    },
    /// It says something.
    Text(String),
    /// Vib says something.
    Notice(String),
    /// What it says that it used so far.
    Usage(Usage),
    /// It asked; this was answered.
    Permission {
        /// What about.
        title: String,
        /// Whether it may.
        allowed: bool,
        /// Why not.
        reason: Option<String>,
    },
    /// It is over.
    Ended(Why),
}

/// What was used, as somebody tells it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Usage {
    /// Tokens.
    pub tokens: Option<Tokens>,
    /// Dollars.
    pub dollars: Option<f64>,
}

/// Why it is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "why")]
pub enum Why {
    /// It says that it is done.
    Done,
    /// It, or its model, would not do it.
    Refused {
        /// Its own word.
        said: String,
    },
    /// Somebody cancelled it.
    Cancelled,
    /// It took too long.
    Limit,
    /// It said nothing for too long.
    Silent,
    /// It started too many processes.
    Forks,
    /// It ended without an answer.
    Crashed {
        /// Its exit code.
        code: u8,
    },
    /// It used what it may use.
    Budget,
}

impl Why {
    /// A stable name, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused { .. } => "refused",
            Self::Cancelled => "cancelled",
            Self::Limit => "limit",
            Self::Silent => "silent",
            Self::Forks => "forks",
            Self::Crashed { .. } => "crashed",
            Self::Budget => "budget",
        }
    }
}

/// Why nothing was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotStarted {
    /// Vib does not know how to drive it.
    Unknown(Client),
    /// Its program is not there.
    Missing {
        /// The program.
        program: String,
        /// The package that brings it.
        package: Option<&'static str>,
    },
    /// It wants a person to log in.
    NotLoggedIn(String),
    /// A fence was asked for and there is none.
    NoFence(String),
    /// It did not come up.
    Failed(String),
}

impl NotStarted {
    /// A stable name, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "agent_unknown",
            Self::Missing { .. } => "agent_missing",
            Self::NotLoggedIn(_) => "agent_not_logged_in",
            Self::NoFence(_) => "no_fence",
            Self::Failed(_) => "agent_not_started",
        }
    }

    /// What happened.
    pub fn message(&self) -> String {
        match self {
            Self::Unknown(client) => format!("vib does not know how to drive {}", client.title()),
            Self::Missing { program, .. } => format!("`{program}` is not there, so nothing was started"),
            Self::NotLoggedIn(said) => format!("the agent wants somebody to log in first: {said}"),
            Self::NoFence(why) => format!("`lane.fence = strict`, and no fence can be put up here: {why}"),
            Self::Failed(why) => format!("the agent did not come up: {why}"),
        }
    }

    /// What to do next.
    pub fn next(&self) -> String {
        match self {
            Self::Unknown(_) => "claude-code, codex, gemini, opencode and copilot can be driven".to_owned(),
            Self::Missing { package: Some(package), .. } => format!("`npm install -g {package}`, then again"),
            Self::Missing { package: None, .. } => {
                "install it, or name its program with `--program`".to_owned()
            }
            Self::NotLoggedIn(_) => "start it once yourself and log in, then again".to_owned(),
            Self::NoFence(_) => "`vib config set lane.fence auto` starts it without one".to_owned(),
            Self::Failed(_) => {
                "`vib doctor` says how the clients are; start the agent once yourself".to_owned()
            }
        }
    }
}

/// An agent that was started.
pub trait Executor {
    /// Asks it to do something.
    fn prompt(&mut self, text: &str);
    /// What happens next; none: nothing did for so long.
    fn next(&mut self, wait: Duration) -> Option<Event>;
    /// Asks it to stop.
    fn cancel(&mut self);
    /// Ends it with everything it started. Its exit code.
    fn end(&mut self) -> u8;
    /// What it says itself that it used so far.
    fn used(&self) -> Usage;
    /// The session's id, as the client's own record names it.
    fn session(&self) -> Option<&str>;
}
