//! How each client tells its hooks about a session. Names and fields of events are those of the recorded fixtures; where no
//! fixture has a tool (searches, parts of files), its arguments are those that the client documents.

mod claude;
mod codex;
mod copilot;
mod gemini;
mod opencode;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Call, Effect, Files, Foreign, Tool};

/// A recorded payload, to be filled with other values.
macro_rules! recorded {
    ($path:literal) => {
        include_str!(concat!("../../../../hooks/fixtures/", $path, "/stdin.json"))
    };
}
use recorded;

/// The last message of every turn, as it was recorded. Some of these sessions end a turn while a check fails: then it is not true.
pub(super) const LAST_WORDS: &str = "All steps are done.";

/// A client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// OpenCode.
    OpenCode,
    /// Copilot CLI.
    Copilot,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Claude, Self::Codex, Self::Gemini, Self::OpenCode, Self::Copilot];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "Claude",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini",
            Self::OpenCode => "OpenCode",
            Self::Copilot => "Copilot",
        }
    }

    /// It runs all hooks before the tools that the model calls at once, and then the tools.
    pub(super) fn asks_first(self) -> bool {
        matches!(self, Self::OpenCode | Self::Copilot)
    }

    /// How it names a tool of another server.
    fn foreign(self, tool: Foreign) -> &'static str {
        match (self, tool) {
            (Self::Claude | Self::Codex, Foreign::PressKey) => "mcp__browser__press_key",
            (Self::Claude | Self::Codex, Foreign::GetText) => "mcp__browser__get_text",
            (Self::Gemini, Foreign::PressKey) => "mcp_browser_press_key",
            (Self::Gemini, Foreign::GetText) => "mcp_browser_get_text",
            (Self::OpenCode, Foreign::PressKey) => "browser_press_key",
            (Self::OpenCode, Foreign::GetText) => "browser_get_text",
            (Self::Copilot, Foreign::PressKey) => "browser-press_key",
            (Self::Copilot, Foreign::GetText) => "browser-get_text",
        }
    }

    pub(super) fn start(self, speaker: &Speaker) -> Vec<Hook> {
        match self {
            Self::Claude => claude::start(speaker),
            Self::Codex => codex::start(speaker),
            Self::Gemini => gemini::start(speaker),
            Self::OpenCode => opencode::start(speaker),
            Self::Copilot => copilot::start(speaker),
        }
    }

    pub(super) fn prompt(self, speaker: &Speaker, text: &str) -> Vec<Hook> {
        match self {
            Self::Claude => claude::prompt(speaker, text),
            Self::Codex => codex::prompt(speaker, text),
            Self::Gemini => gemini::prompt(speaker, text),
            Self::OpenCode => opencode::prompt(speaker, text),
            Self::Copilot => copilot::prompt(speaker, text),
        }
    }

    pub(super) fn before(self, speaker: &Speaker, call: &Told<'_>) -> Vec<Hook> {
        match self {
            Self::Claude => claude::before(speaker, call),
            Self::Codex => codex::before(speaker, call),
            Self::Gemini => gemini::before(speaker, call),
            Self::OpenCode => opencode::before(speaker, call),
            Self::Copilot => copilot::before(speaker, call),
        }
    }

    pub(super) fn after(self, speaker: &Speaker, call: &Told<'_>) -> Vec<Hook> {
        match self {
            Self::Claude => claude::after(speaker, call),
            Self::Codex => codex::after(speaker, call),
            Self::Gemini => gemini::after(speaker, call),
            Self::OpenCode => opencode::after(speaker, call),
            Self::Copilot => copilot::after(speaker, call),
        }
    }

    pub(super) fn shortened(self, speaker: &Speaker) -> Vec<Hook> {
        match self {
            Self::Claude => claude::shortened(speaker),
            Self::Codex => codex::shortened(speaker),
            // It tells before every request to the model, whether anything is shortened or not.
            Self::Gemini => gemini::before_request(speaker),
            Self::OpenCode => opencode::shortened(speaker),
            Self::Copilot => copilot::shortened(speaker),
        }
    }

    pub(super) fn before_request(self, speaker: &Speaker) -> Vec<Hook> {
        if self == Self::Gemini { gemini::before_request(speaker) } else { Vec::new() }
    }

    pub(super) fn helper_begins(self, speaker: &Speaker, helper: u32) -> Vec<Hook> {
        match self {
            Self::Claude => claude::helper_begins(speaker, helper),
            Self::Codex => codex::helper_begins(speaker, helper),
            Self::Gemini => Vec::new(),
            Self::OpenCode => opencode::helper_begins(speaker, helper),
            Self::Copilot => copilot::helper_begins(speaker, helper),
        }
    }

    pub(super) fn over(self, speaker: &Speaker) -> Vec<Hook> {
        match self {
            Self::Claude => claude::over(speaker),
            Self::Codex => codex::over(speaker),
            Self::Gemini => gemini::over(speaker),
            Self::OpenCode => opencode::over(speaker),
            Self::Copilot => copilot::over(speaker),
        }
    }
}

/// One call of a hook.
#[derive(Debug, Clone)]
pub struct Hook {
    /// The event, for clients that do not write it into the payload.
    pub event: Option<&'static str>,
    /// What the client sends.
    pub payload: Value,
}

/// Where and when something is told.
#[derive(Debug)]
pub(super) struct Speaker {
    pub root: PathBuf,
    pub session: String,
    pub turn: usize,
    /// Counts events: times, process ids and durations are never the same twice.
    pub clock: usize,
}

impl Speaker {
    pub fn path(&self, path: &str) -> String {
        self.root.join(path).display().to_string()
    }

    pub fn cwd(&self) -> &Path {
        &self.root
    }

    /// The session of a helper, in clients that give it one of its own.
    pub fn helper(&self, helper: u32) -> String {
        format!("{}-helper-{helper}", self.session)
    }

    /// Who calls, in such clients.
    pub fn session_of(&self, call: &Call) -> String {
        call.by.map_or_else(|| self.session.clone(), |helper| self.helper(helper))
    }
}

/// A call as it is told: with its id, and the files as they are before it.
pub(super) struct Told<'a> {
    pub call: &'a Call,
    pub id: String,
    pub files: &'a Files,
}

impl Told<'_> {
    /// The file before the call.
    pub fn was(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Whether it is a tool of the client's own that does not work (a command that fails is something else).
    pub fn tool_fails(&self) -> bool {
        self.call.failed.is_some() && !matches!(self.call.tool, Tool::Shell { .. })
    }
}

/// The recorded payload with other values in some of its fields. A field that was not recorded would be an invention.
fn fill(recorded: &str, values: &[(&str, Value)]) -> Value {
    let mut payload: Value = serde_json::from_str(recorded).expect("a recorded payload is JSON");
    for (name, value) in values {
        let field = payload.get_mut(*name);
        *field.unwrap_or_else(|| panic!("`{name}` was not recorded: {recorded}")) = value.clone();
    }
    payload
}

fn named(payload: Value) -> Vec<Hook> {
    vec![Hook { event: None, payload }]
}

fn changed(speaker: &Speaker, effects: &[Effect]) -> Value {
    json!(effects.iter().map(|effect| speaker.path(effect.path())).collect::<Vec<_>>())
}
