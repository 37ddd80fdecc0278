//! What a client told us, in one language for all clients.

use std::path::PathBuf;

pub use engine::agent::{CellEdit, Change, Replacement};

pub use crate::reading::Doubt;

use crate::Client;

/// One call of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookEvent {
    /// Who calls.
    pub client: Client,
    /// The name under which it stands in the history, where the protocol tells more than [`Client::Acp`] does.
    pub named: Option<String>,
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
    /// When it happens, as the client says: the same number stands in its record.
    pub at_ms: Option<i64>,
    /// The folder in which the agent works now.
    pub cwd: Option<PathBuf>,
    /// How much the agent may do without asking, as the client names it.
    pub mode: Option<String>,
    /// Why it may mean something else than what was read. (S1)
    pub doubt: Option<Doubt>,
    /// What happens.
    pub kind: Kind,
}

impl HookEvent {
    /// Relative paths are meant from the folder in which the agent works, which need not be in the project.
    pub(crate) fn make_paths_absolute(&mut self) {
        let Some(cwd) = &self.cwd else { return };
        if let Kind::BeforeTool(call)
        | Kind::Permission(call)
        | Kind::Unasked(call)
        | Kind::AfterTool(call, _) = &mut self.kind
        {
            if let Folder::Given(folder) = &mut call.folder {
                *folder = cwd.join(&folder);
            }
            for edit in call.action.edits_mut() {
                edit.path = cwd.join(&edit.path);
            }
        }
    }

    /// The call that may be refused: one that is about to run.
    pub(crate) fn call_to_decide(&self) -> Option<&ToolCall> {
        match &self.kind {
            Kind::BeforeTool(call) | Kind::Permission(call) | Kind::Unasked(call) => Some(call),
            _ => None,
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
    /// A tool runs already, and nobody was asked: it can only be looked at and told.
    Unasked(ToolCall),
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
    SubagentStop {
        /// Its last message, where the client tells it.
        message: Option<String>,
    },
    /// The conversation is about to be shortened.
    Compaction,
    /// The agent has finished its turn.
    Stop {
        /// Its last message, where the client tells it.
        message: Option<String>,
    },
    /// The session ends.
    SessionEnd,
    /// Something that needs nothing from us.
    Other,
}

impl Kind {
    /// The tool it is about.
    pub fn tool(&self) -> Option<&str> {
        match self {
            Self::BeforeTool(call)
            | Self::AfterTool(call, _)
            | Self::Permission(call)
            | Self::Unasked(call) => Some(&call.tool),
            _ => None,
        }
    }
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
    /// Where it runs, as the call itself says. (S3)
    pub folder: Folder,
    /// What it would run cannot be seen as a whole, and why. (S2)
    pub unseen: Option<Unseen>,
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
    /// Nobody knows: a tool of another server. What its arguments look like is looked at.
    Unknown(Hints),
}

impl Action {
    /// The files that it names as what it would change.
    pub fn edits(&self) -> &[Edit] {
        match self {
            Self::Edit(edits) => edits,
            Self::Unknown(hints) => &hints.edits,
            Self::Shell { .. } | Self::Look => &[],
        }
    }

    fn edits_mut(&mut self) -> &mut [Edit] {
        match self {
            Self::Edit(edits) => edits,
            Self::Unknown(hints) => &mut hints.edits,
            Self::Shell { .. } | Self::Look => &mut [],
        }
    }

    /// The command lines that it would run.
    pub fn commands(&self) -> &[String] {
        match self {
            Self::Shell { command } => std::slice::from_ref(command),
            Self::Unknown(hints) => &hints.commands,
            Self::Edit(_) | Self::Look => &[],
        }
    }
}

/// What the arguments of a tool that nobody knows look like. (S2)
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hints {
    /// What would be run, as command lines.
    pub commands: Vec<String>,
    /// The files that it may change.
    pub edits: Vec<Edit>,
    /// The tool's own name says that it changes something.
    pub writes: bool,
    /// It says that what it names is there no longer afterwards.
    pub takes: bool,
    /// It says that it hands something to somebody else.
    pub sends: bool,
    /// It says nothing that is known about what it does.
    pub unclear: bool,
    /// It unpacks something over what is there.
    pub unpacks: bool,
    /// It says that it takes something away that is not on this machine.
    pub far: bool,
    /// Every text that may name something that is there. (M8)
    pub places: Vec<Named>,
    /// There was more than is looked at.
    pub cut: bool,
}

/// A text among the arguments that may be the name of a file or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// As it was written.
    pub text: String,
    /// Its field says where the tool works.
    pub is_base: bool,
}

/// Where a call runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Folder {
    /// Where the session is.
    #[default]
    Session,
    /// In a folder that the call names.
    Given(PathBuf),
    /// In one that the call names and the client does not tell.
    Untold,
}

/// Why what a call runs cannot be seen as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// It goes to a program that runs already.
    Typed,
    /// It opens a prompt, and what is typed there comes past no hook.
    Prompt,
    /// A command is expected and none is there.
    Missing,
    /// An edit names no file.
    NoFile,
    /// It takes something away that is not on this machine.
    Far,
    /// It hands a key in plain sight to another machine.
    Key,
}

impl Unseen {
    /// In words, for the person who has to decide.
    pub fn words(self) -> &'static str {
        match self {
            Self::Typed => {
                "this is typed into a program that runs already; what it does with it vib cannot see"
            }
            Self::Prompt => {
                "this opens a prompt, and what is typed there afterwards vib never sees: pass what should run as an argument instead"
            }
            Self::Key => {
                "a key that opens something stands in plain sight among what this sends away; whoever receives it can use it"
            }
            Self::NoFile => {
                "this edit does not say which file it changes, so vib cannot look at it or save it first"
            }
            Self::Missing => "vib cannot see the command that this would run",
            Self::Far => {
                "by its name, this tool takes away or overwrites something that is not in this project (a database, a repository, a \
                 server); no checkpoint can bring that back"
            }
        }
    }
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
    /// How long it ran, where the client says so; it may have waited for the person before.
    pub took_ms: Option<i64>,
    /// What the model was told, as text.
    pub output: String,
    /// Files that a command changed, where the client says so.
    pub changed: Vec<PathBuf>,
    /// The whole answer, without what differs each time; `None` if the client did not tell.
    pub answer: Option<String>,
}
