//! What we tell a client, in one language for all clients.

use redact::Clean;

/// The answer to one event.
#[derive(Debug, Clone, Default)]
pub struct Decision {
    /// May it happen?
    pub verdict: Verdict,
    /// Facts for the model.
    pub context: Vec<Clean>,
    /// Something the person should know: it goes to them where the client can show it, and to standard error.
    pub warnings: Vec<String>,
    /// Variables for the shell of this call, in clients whose plugin sets them.
    pub environment: Vec<(&'static str, String)>,
    /// One line that the person may follow or not.
    pub suggestion: Option<Clean>,
}

/// May it happen?
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Verdict {
    /// No objection: the client goes on as if we were not there.
    #[default]
    Pass,
    /// The client is about to ask the person, and vib knows their answer: yes, for this reason. (G1)
    Approve(String),
    /// The person has to look at it first.
    Ask(String),
    /// It must not happen.
    Deny(String),
    /// The prompt was meant for vib: the model does not get it, the person gets this text.
    Hold(String),
}

impl Verdict {
    /// Its name in the list of the last calls.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Approve(_) => "approve",
            Self::Ask(_) => "ask",
            Self::Deny(_) => "deny",
            Self::Hold(_) => "hold",
        }
    }
}

/// What the process does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// Exactly what goes to standard output.
    pub stdout: String,
    /// What goes to standard error.
    pub stderr: String,
}
