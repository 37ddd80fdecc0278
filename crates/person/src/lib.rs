//! Is it a person who runs this, or an agent? (S5)
//!
//! Some acts are a person's alone: to approve, to grant, to loosen the guard, to say yes to going back. An agent has a shell, so it can
//! run the same commands, open a terminal of its own and type "y". Here is decided who is there: by the processes above this one
//! (`ancestry`), by what clients leave in the environment (`signs`), and by the clients that called vib's hooks ([`seen`]). Who wants
//! more sets a passphrase ([`lock`]).
//!
//! [`require`] is the only maker of [`ByPerson`], and the functions that do such acts need one.
//!
//! What has nobody above it is believed to be a person: a script in a CI must work. What *hides* who is above it is not. The known ways
//! around are in `docs/person.md`.

mod ancestry;
mod caller;
mod error;
pub mod lock;
pub mod seen;
mod signs;

use project::Context;

pub use caller::command_of_an_agent;
pub use error::{Error, Result};
pub use lock::Passphrase;

/// The proof that no agent is behind this process, and that the person's passphrase was given where one is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByPerson(());

/// Who runs this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// A person, or a script of theirs.
    Person,
    /// An agent.
    Agent(Agent),
}

/// The agent behind this process, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// The name of its client, as its makers write it; "an AI agent" where only that is known.
    pub title: String,
    /// The name under which vib knows the client, where it does.
    pub client: Option<&'static str>,
    /// What shows it.
    pub sign: Sign,
}

/// What shows that an agent is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// A process above this one is its client.
    Above(u32),
    /// A process above this one calls vib's hooks, as only its client does.
    CallsHooks(u32),
    /// A variable that its client sets for what it runs.
    Variable(&'static str),
    /// The process above lost its parent, and began beside a client that is running.
    Orphan(u32),
    /// Nobody can be seen above it: processes are hidden, or it runs apart from where clients are known to run.
    Unseen,
}

impl Agent {
    /// How it is known, for a person to read: "run by Claude Code (process 4711)".
    pub fn words(&self) -> String {
        let title = &self.title;
        match self.sign {
            Sign::Above(pid) | Sign::CallsHooks(pid) => format!("run by {title} (process {pid})"),
            Sign::Variable(name) => {
                format!("run by {title}, or in a terminal that it opened (`{name}` is set)")
            }
            Sign::Orphan(pid) => {
                format!("started in the background beside {title} (process {pid}), with nobody above it")
            }
            Sign::Unseen => "started where vib cannot see who is above it (processes are hidden, or it runs in a space of \
                             processes of its own), so it may be an AI agent"
                .to_owned(),
        }
    }
}

impl Who {
    /// The agent, if it is one.
    pub fn agent(&self) -> Option<&Agent> {
        match self {
            Self::Person => None,
            Self::Agent(agent) => Some(agent),
        }
    }
}

/// Who runs this process.
pub fn who(context: &Context) -> Who {
    ancestry::who(context)
}

/// Makes sure that a person does this: no agent is behind this process, and where a passphrase is set `ask` brings it. `act` ends the
/// sentence "only a person may …".
pub fn require(
    context: &Context,
    act: &str,
    ask: &dyn Fn() -> std::io::Result<Passphrase>,
) -> Result<ByPerson> {
    refuse_agent(context, act)?;
    lock::open(context, ask)?;
    Ok(ByPerson(()))
}

/// The first half of [`require`]: for what takes a while before the person is asked.
pub fn refuse_agent(context: &Context, act: &str) -> Result<()> {
    match who(context) {
        Who::Agent(agent) => Err(Error::Agent { act: act.to_owned(), agent: agent.words() }),
        Who::Person => Ok(()),
    }
}

/// There is nobody to ask for a passphrase: for surfaces without a terminal.
pub fn nobody() -> std::io::Result<Passphrase> {
    Err(std::io::ErrorKind::Unsupported.into())
}
