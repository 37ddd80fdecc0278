//! [`Shown`]: exactly what would be done. [`Yes`]: a person's word for exactly that.

use person::ByPerson;
use store::{Account, ContentHash, Plan};

/// How a person said yes. What is typed on a command line counts with the proof that no agent typed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// They typed it after seeing the preview.
    Terminal(ByPerson),
    /// They, or a script of theirs, passed `--yes`.
    Yes(ByPerson),
    /// A program of theirs said so, with the token of the page.
    Flag,
    /// They sent the code of the preview as a prompt.
    Chat,
    /// In a form that an MCP client showed them.
    Mcp,
    /// With `vib approve` at a terminal, for another surface.
    Approved,
    /// On the web page.
    Web,
    /// Before, with a grant in force.
    Grant,
    /// Nobody: an agent did what agents may do without asking.
    Agent,
}

impl Confirmation {
    /// Nobody needs to have read what exactly would change: a flag, a grant, an agent's own doing.
    pub fn is_unseen(self) -> bool {
        matches!(self, Self::Yes(_) | Self::Flag | Self::Grant | Self::Agent)
    }

    /// The word that reports and records have for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Terminal(_) => "terminal",
            Self::Yes(_) | Self::Flag => "flag",
            Self::Chat => "chat",
            Self::Mcp => "mcp",
            Self::Approved => "approved",
            Self::Web => "web",
            Self::Grant => "grant",
            Self::Agent => "agent",
        }
    }
}

impl serde::Serialize for Confirmation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What would be done to which files, ready to be shown.
#[derive(Debug, Clone)]
pub struct Shown {
    /// For each path what is there now and what would be there.
    pub plan: Plan,
    /// What the history will say, and what it takes back.
    pub account: Account,
    /// Content that was computed and that no checkpoint holds.
    pub contents: Vec<Vec<u8>>,
    /// What the safety checkpoint is called.
    pub title: String,
    /// What others are told is going on.
    pub name: String,
    /// If one file cannot be written, those that were are put back.
    pub all_or_nothing: bool,
}

impl Shown {
    /// A name for exactly these changes: something else has another name.
    pub fn digest(&self) -> String {
        // A plan of ours can always be written down; if not, no yes fits it.
        let text = serde_json::to_vec(&self.plan.changes).unwrap_or_default();
        ContentHash::of(&text).to_hex()
    }
}

/// A yes to exactly what was shown. There is no other way to make one than to hold what was shown.
#[derive(Debug, Clone)]
pub struct Yes {
    digest: String,
    via: Confirmation,
    second: Option<String>,
}

impl Yes {
    /// The person saw this and said yes.
    pub fn to(shown: &Shown, via: Confirmation) -> Self {
        Self { digest: shown.digest(), via, second: None }
    }

    /// The person saw, too, that files had changed since, and said yes again with the code of that.
    #[must_use]
    pub fn again(mut self, code: Option<&str>) -> Self {
        self.second = code.map(str::to_owned);
        self
    }

    /// How.
    pub fn via(&self) -> Confirmation {
        self.via
    }

    pub(crate) fn is_to(&self, shown: &Shown) -> bool {
        self.digest == shown.digest()
    }

    pub(crate) fn second(&self) -> Option<&str> {
        self.second.as_deref()
    }
}
