//! `vib role`

use engine::person::Act;
use engine::{Error, Result, delegation};
use gates::delegation::WorkRole;
use serde::Serialize;

use crate::answer::Answer;
use crate::cli::Session;
use crate::{person, render};

/// Give a session of an agent its role: a conductor hands work on
///
/// With `delegation.mode = block` a conductor that has made three changes itself is refused the next one until it hands work to a sub-agent. `AGENT_ROLE` in
/// the agent's environment says the same.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Give a session its role, for a day (only a person may)
    Set {
        /// conductor, leader or musician
        role: String,
        /// The session, as `vib history` names it
        #[arg(long, value_name = "ID")]
        session: String,
    },
    /// Take it back, and what was counted with it (only a person may)
    Clear {
        /// The session
        #[arg(long, value_name = "ID")]
        session: String,
    },
}

/// What `vib role` says.
#[derive(Debug, Serialize)]
pub(crate) struct RoleReport {
    /// The session.
    pub(crate) session: String,
    /// Its role now.
    pub(crate) role: Option<&'static str>,
    /// It had one before.
    pub(crate) had_one: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let by = person::required(engine.context(), Act::GiveRole)?;
    let report = match &args.command {
        Command::Set { role, session } => {
            let role = WorkRole::of_word(role)
                .ok_or_else(|| Error::Usage(format!("`{role}` is no role: conductor, leader or musician")))?;
            delegation::set_role(&engine, session, role, by)?;
            RoleReport { session: session.clone(), role: Some(role.word()), had_one: false }
        }
        Command::Clear { session } => {
            let had_one = delegation::clear_role(&engine, session, by)?;
            RoleReport { session: session.clone(), role: None, had_one }
        }
    };
    Ok(Answer::new(&session.printer, &report, render::role_changed))
}
