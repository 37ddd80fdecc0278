//! What a client told us, in one language for all clients.

use std::path::PathBuf;

pub use engine::agent::{Change, Replacement};

use crate::Client;

/// One call of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookEvent {
    /// Who calls.
    pub client: Client,
    /// The event's name as the client wrote it; some answers repeat it.
    pub native: String,
    /// The client's id of the session.
    pub session: Option<String>,
    /// The client's id of the turn, where it has one.
    pub turn: Option<String>,
    /// The sub-agent that acts, if it is one.
    pub agent: Option<String>,
    /// What kind of sub-agent it is, in the client's words.
    pub agent_type: Option<String>,
    /// The client's own record of the session.
    pub transcript: Option<PathBuf>,
    /// The folder in which the agent works now.
    pub cwd: Option<PathBuf>,
    /// How much the agent may do without asking, as the client names it.
    pub mode: Option<String>,
    /// What happens.
    pub kind: Kind,
}

impl HookEvent {
    /// Relative paths are meant from the folder in which the agent works, which need not be in the project.
    pub(crate) fn make_paths_absolute(&mut self) {
        let Some(cwd) = &self.cwd else { return };
        if let Kind::BeforeTool(call) | Kind::Permission(call) | Kind::AfterTool(call, _) = &mut self.kind
            && let Action::Edit(edits) = &mut call.action
        {
            for edit in edits {
                edit.path = cwd.join(&edit.path);
            }
        }
    }
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A session begins or goes on.
    SessionStart {
        /// `startup`, `resume`, `compact`, …
        source: String,
    },
    /// The person asks for something.
    Prompt {
        /// Their words.
        text: String,
    },
    /// A tool is about to run.
    BeforeTool(ToolCall),
    /// A tool has run.
    AfterTool(ToolCall, ToolResult),
    /// The client is about to ask the person whether a tool may run.
    Permission(ToolCall),
    /// A sub-agent begins.
    SubagentStart {
        /// Its session, in clients that give it one of its own.
        session: Option<String>,
        /// The session that it serves.
        parent: Option<String>,
        /// What kind of sub-agent it is, in the client's words.
        kind: Option<String>,
    },
    /// A sub-agent has ended.
    SubagentStop,
    /// The conversation is about to be shortened.
    Compaction,
    /// The agent has finished its turn.
    Stop,
    /// The session ends.
    SessionEnd,
    /// Something that needs nothing from us.
    Other,
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The tool's name as the client wrote it.
    pub tool: String,
    /// The client's id of the call.
    pub id: Option<String>,
    /// What it would do.
    pub action: Action,
    /// Its arguments, literally but for what only describes them: the same text is the same call.
    pub arguments: String,
    /// It waits for something that happens elsewhere, so that asking again is no circle.
    pub waits: bool,
}

/// What a tool call would do, as far as its arguments tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Changes files that it names.
    Edit(Vec<Edit>),
    /// Runs a command line.
    Shell {
        /// The command line.
        command: String,
    },
    /// Looks, and changes nothing.
    Look,
    /// Nobody knows: a tool of another server.
    Unknown,
}

/// One file that an edit tool names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The path as the client wrote it.
    pub path: PathBuf,
    /// What it would put there.
    pub change: Change,
}

/// Why a call did not run to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halted {
    /// The person was asked and said no.
    Refused,
    /// The person stopped it, or it was killed.
    CutOff,
}

impl ToolResult {
    /// A result with an exit code, which says whether it failed.
    pub(crate) fn with_exit(exit_code: Option<i64>, output: String) -> Self {
        let exit_code = exit_code.and_then(|code| i32::try_from(code).ok());
        Self { failed: exit_code.map(|code| code != 0), exit_code, output, ..Self::default() }
    }
}

/// How a tool call ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolResult {
    /// It failed; `None` if the client does not say.
    pub failed: Option<bool>,
    /// The exit code of a command, where the client tells it.
    pub exit_code: Option<i32>,
    /// It did not run to its end, and the client says why.
    pub halted: Option<Halted>,
    /// What the model was told, as text.
    pub output: String,
    /// Files that a command changed, where the client says so.
    pub changed: Vec<PathBuf>,
    /// The whole answer, without what differs each time; `None` if the client did not tell.
    pub answer: Option<String>,
}
