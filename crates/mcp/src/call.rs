//! One call of a tool: what it may use, and the three ways it can end: done, stopped, or waiting for a person.

use engine::audit::{ConfirmedVia, Outcome, Parameters, Row};
use engine::grants::{self, Capability, Confirm};
use engine::undo::Confirmation;
use engine::{Engine, Error, approvals};
use project::RelPath;
use serde_json::{Value, json};
use store::ContentHash;

use crate::args::{ArgError, Args};
use crate::client::Client;
use crate::tools::Tool;

/// Longer than any id of an operation.
pub const LONGEST_OPERATION: usize = 80;

/// A call in progress.
pub struct Call<'c> {
    /// The project.
    pub engine: &'c Engine,
    /// Who asks.
    pub client: &'c Client,
    /// Which tool.
    pub tool: &'static Tool,
    /// What it asks for.
    pub args: Args,
    /// What a person said yes to, and where.
    pub confirmed: Option<Confirmed>,
    /// What the audit log will say.
    pub row: Row,
    /// The engine wrote the audit row itself.
    pub recorded: bool,
    /// The tool has begun: it knows which arguments are its own.
    pub began: bool,
}

/// A person's yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmed {
    /// To exactly this.
    pub digest: String,
    /// Given here.
    pub via: Via,
}

/// Where a person said yes. An answer that came through the client is worth less than one at a terminal: the client, or a hook in it,
/// could have given it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// In a form that the client showed.
    Form,
    /// With `vib approve`, at a terminal.
    Terminal,
    /// On vib's web page.
    Web,
}

impl From<Via> for ConfirmedVia {
    fn from(via: Via) -> Self {
        match via {
            Via::Form => Self::Mcp,
            Via::Terminal => Self::Terminal,
            Via::Web => Self::Web,
        }
    }
}

impl From<Via> for Confirmation {
    fn from(via: Via) -> Self {
        match via {
            Via::Form => Self::Mcp,
            Via::Terminal => Self::Approved,
            Via::Web => Self::Web,
        }
    }
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What it would use.
    pub capability: Capability,
    /// What would happen, in a sentence.
    pub title: String,
    /// What it would touch, line by line.
    pub lines: Vec<String>,
    /// Stands for exactly this: tool, arguments, plan, client, project.
    pub digest: String,
    /// How many paths.
    pub paths: usize,
}

/// What a tool found or did.
#[derive(Debug, Default)]
pub struct Done {
    /// The answer itself.
    pub data: Value,
    /// Where it comes from.
    pub provenance: Vec<Provenance>,
    /// Parts that were left out, by name.
    pub omitted: Vec<String>,
    /// Something was shortened.
    pub summarized: bool,
    /// How to read it.
    pub note: Option<&'static str>,
}

/// Where an answer comes from, so that whoever reads it can decide how far to trust it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// `memory`, `lessons`, `checkpoints`, `project_files`, `git`, `vib`.
    pub source: &'static str,
    /// The tool that wrote it.
    pub updated_by: String,
    /// Milliseconds since 1970.
    pub last_updated: i64,
}

/// Why a tool ended early.
#[derive(Debug)]
pub enum Stop {
    /// A gate refused.
    Denied(Denial),
    /// A person has to say yes.
    Confirm(Question),
    /// Somebody else is at work in this project.
    Busy {
        /// The operation in progress.
        operation_id: String,
        /// What it does.
        doing: String,
        /// Seconds until it must have ended.
        eta_seconds: u64,
    },
    /// The arguments cannot be used.
    Invalid(ArgError),
    /// The engine refused or could not.
    Failed(Box<Error>),
}

/// A refusal, with what a person can do.
#[derive(Debug)]
pub struct Denial {
    /// Stable code.
    pub code: &'static str,
    /// What was refused and why.
    pub message: String,
    /// What to do next.
    pub next: String,
    /// The command that a person can run.
    pub command: Option<String>,
}

impl From<ArgError> for Stop {
    fn from(error: ArgError) -> Self {
        Self::Invalid(error)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(Box::new(error))
    }
}

impl<'c> Call<'c> {
    /// A call that has not begun.
    pub fn new(
        engine: &'c Engine,
        client: &'c Client,
        tool: &'static Tool,
        args: Args,
        confirmed: Option<Confirmed>,
    ) -> Self {
        let mut row = Row::new(tool.event, client.tool(), Outcome::Failed);
        row.parameters = Some(Parameters::Typed);
        Self { engine, client, tool, args, confirmed, row, recorded: false, began: false }
    }

    /// Goes on only if the client may: everybody, or by a grant in force for this client, here, now.
    pub fn allow(&mut self, capability: Capability) -> Result<(), Stop> {
        if !capability.needs_grant() {
            return Ok(());
        }
        match grants::find(self.engine, &self.client.name, &self.client.version, capability) {
            Some(grant) => {
                self.row.capability_grant_id = Some(grant.id);
                Ok(())
            }
            None => Err(Stop::Denied(Denial::no_grant(&self.client.name, capability))),
        }
    }

    /// The refusal that a call with this capability would get now, as far as grants go.
    pub fn missing(&self, capability: Capability) -> Option<Denial> {
        let granted =
            || grants::find(self.engine, &self.client.name, &self.client.version, capability).is_some();
        (capability.needs_grant() && !granted()).then(|| Denial::no_grant(&self.client.name, capability))
    }

    /// Goes on only if a person said yes to exactly this; else the question goes out. `plan` stands for what would be done as far as
    /// the arguments do not say it.
    pub fn confirm(
        &mut self,
        capability: Capability,
        title: String,
        lines: Vec<String>,
        plan: &str,
        paths: usize,
    ) -> Result<Via, Stop> {
        debug_assert!(capability.confirm() != Confirm::Never);
        let digest = self.digest(plan);
        let via = match self.confirmed.take() {
            Some(confirmed) if confirmed.digest == digest => confirmed.via,
            Some(_) => return Err(Stop::Denied(Denial::changed())),
            None => match self.args.text("operation_id", LONGEST_OPERATION)? {
                Some(operation) => self.take_approval(&operation, capability, &digest)?,
                None => return Err(Stop::Confirm(Question { capability, title, lines, digest, paths })),
            },
        };
        self.row.confirmed_via = Some(via.into());
        Ok(via)
    }

    /// What a person approved in a terminal: for this client, this capability and exactly this; it counts once.
    fn take_approval(&self, operation: &str, capability: Capability, digest: &str) -> Result<Via, Stop> {
        match approvals::take(self.engine, operation, &self.client.name, capability, digest) {
            Ok(_) => Ok(Via::Terminal),
            Err(Error::ApprovalPending(_)) => Err(Stop::Denied(Denial {
                code: "not_approved_yet",
                message: "the person has not said yes to this operation yet".to_owned(),
                next: format!(
                    "they run `vib approve {operation}` in a terminal of this project; then call again"
                ),
                command: Some(format!("vib approve {operation}")),
            })),
            Err(Error::ApprovalOther(_)) => Err(Stop::Denied(Denial::changed())),
            Err(Error::ApprovalUnknown(_)) => Err(Stop::Denied(Denial::not_valid())),
            Err(error) => Err(error.into()),
        }
    }

    /// How a person said yes, for the answer.
    pub fn confirmed_via(&self) -> Option<&'static str> {
        self.row.confirmed_via.and_then(|via| match via {
            ConfirmedVia::Mcp => Some("elicitation"),
            ConfirmedVia::Terminal => Some("terminal"),
            ConfirmedVia::Web => Some("web"),
            ConfirmedVia::Grant => Some("grant"),
            _ => None,
        })
    }

    fn digest(&self, plan: &str) -> String {
        let text = json!([
            self.engine.project().id().to_string(),
            self.client.name,
            self.tool.name,
            Value::Object(self.args.meant()),
            plan,
        ]);
        ContentHash::of(text.to_string().as_bytes()).to_hex()
    }

    /// Paths for the engine's functions that take what a person typed: full ones, so that the current folder does not matter.
    pub fn full(&self, paths: &[RelPath]) -> Vec<std::path::PathBuf> {
        let root = self.engine.project().root();
        paths.iter().map(|path| path.to_path(root)).collect()
    }
}

impl Denial {
    fn no_grant(client: &str, capability: Capability) -> Self {
        let name = capability.as_str();
        let quoted = if client.contains(' ') { format!("\"{client}\"") } else { client.to_owned() };
        let command = format!("vib mcp grant {quoted} {name}");
        Self {
            code: "not_granted",
            message: format!("`{name}` is off until a person allows it to `{client}` in this project"),
            next: format!(
                "tell the person what you want to do and why; if they agree they run `{command}` in a terminal of this project"
            ),
            command: Some(command),
        }
    }

    /// A handle that was used already, is too old, or never was.
    pub fn not_valid() -> Self {
        Self {
            code: "confirmation_not_valid",
            message: "this confirmation was used already, is older than five minutes, or never was"
                .to_owned(),
            next: "call the tool again without it, so that the person is asked anew".to_owned(),
            command: None,
        }
    }

    /// The yes was to something else.
    pub fn changed() -> Self {
        Self {
            code: "confirmation_does_not_fit",
            message: "what would be done is not what the person confirmed: files or arguments changed since"
                .to_owned(),
            next: "look at it again, and ask the person again".to_owned(),
            command: None,
        }
    }
}
