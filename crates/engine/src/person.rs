//! Who runs this, and what only a person may do. The decision is made in the crate of the same name; here are the acts. (S5)

pub use person::{Agent, ByPerson, Passphrase, Sign, Who, command_of_an_agent, lock, nobody, seen, who};
use project::Context;

use crate::Result;

/// What only a person may do: each ends the sentence "only a person may …".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// `vib undo`, `vib redo`, `vib recover`.
    GoBack,
    /// `vib patch`.
    Patch,
    /// `vib approve`.
    Approve,
    /// `vib mcp grant`, `vib mcp revoke`.
    Grant,
    /// `vib config set`.
    Configure,
    /// `vib protect --remove`.
    Unprotect,
    /// `vib fence allow`.
    OpenFence,
    /// `vib unpin`.
    Unpin,
    /// `vib spiral resume`.
    Resume,
    /// `vib init --remove`, `--off`, `--adopt`.
    SwitchOff,
    /// `vib lesson keep`.
    KeepLessons,
    /// `vib memory keep`, `pin`, `change`, `drop`.
    SteerMemory,
    /// `vib memory decide`, `intent`, `next` and every other word there that counts as a person's.
    SayMemory,
    /// `vib guard --install-hook`.
    InstallGitHook,
    /// `vib secrets scan --write-baseline`.
    AcceptSecrets,
    /// `vib recover feedback`.
    JudgeDrift,
    /// `vib memory export --raw`.
    ExportRaw,
    /// `vib serve`.
    OpenPage,
    /// `vib lock set`, `vib lock remove`.
    Lock,
    /// `vib verify`, the first time that a check is run.
    AllowChecks,
    /// `vib stop pass`.
    PassGates,
    /// `vib role set`, `vib role clear`.
    GiveRole,
    /// `vib land`.
    Land,
    /// `vib lane drop`.
    DropLane,
    /// `vib run TASK`, `vib run resume`.
    Run,
}

impl Act {
    /// The end of the sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::GoBack => "say yes to going back",
            Self::Patch => "say yes to a patch on the command line (an agent may look with `--dry-run`)",
            Self::Approve => "approve what an agent asks for",
            Self::Grant => "give and take back grants",
            Self::Configure => "change vib's settings",
            Self::Unprotect => "take the protection of a file away",
            Self::OpenFence => "open places outside for fenced commands",
            Self::Unpin => "let a pinned checkpoint go",
            Self::Resume => "let an agent that ran in circles go on",
            Self::SwitchOff => "switch vib off, take its hooks out or join another project's checkpoints",
            Self::KeepLessons => "stand behind lessons",
            Self::SteerMemory => "say what vib should know",
            Self::SayMemory => {
                "say what counts as their word in the memory (an agent may propose it with the MCP tool `memory_write`)"
            }
            Self::InstallGitHook => "make git run something by itself",
            Self::AcceptSecrets => "accept secrets that were found",
            Self::JudgeDrift => "judge what belongs to the work",
            Self::ExportRaw => "take the memory out with its secrets",
            Self::OpenPage => "open the page, for on it a person says yes",
            Self::Lock => "set or take away the passphrase",
            Self::AllowChecks => "allow vib to run a project's checks",
            Self::PassGates => "let an agent end with something open",
            Self::Land => "say yes to landing a lane (an agent may look with `--dry-run`)",
            Self::DropLane => "put a lane away",
            Self::Run => "start a run or let one go on",
            Self::GiveRole => "give a session its role or take it away",
        }
    }
}

/// Refuses an agent before anything is worked out; the passphrase is asked for later, by [`require`].
pub fn refuse_agent(context: &Context, act: Act) -> Result<()> {
    Ok(::person::refuse_agent(context, act.words())?)
}

/// Makes sure that a person does this; see [`::person::require`].
pub fn require(
    context: &Context,
    act: Act,
    ask: &dyn Fn() -> std::io::Result<Passphrase>,
) -> Result<ByPerson> {
    Ok(::person::require(context, act.words(), ask)?)
}
