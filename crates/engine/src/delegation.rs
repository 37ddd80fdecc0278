//! Who is to hand work on, and how much it did itself. (HK7)
//!
//! A role comes from `AGENT_ROLE`, else from a mark that a person set (`vib role set`), else a sub-agent works and everybody else has no
//! role and no limit. Counts are in the session's file, in the state folder, which agents may not write.

use std::path::PathBuf;

use ::gates::delegation::{WorkAnswer, WorkRole};
use globset::{Glob, GlobSetBuilder};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::Progress;

use crate::agent::{SessionFile, Who};
use crate::person::ByPerson;
use crate::{Engine, Result, private_file};

/// A mark counts for so long.
const VALID_MS: i64 = 24 * 3_600_000;

/// What a person set.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RoleMark {
    role: WorkRole,
    set_ms: i64,
}

/// What is to be said about a call that would work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delegated {
    /// Nothing.
    Free,
    /// `AGENT_ROLE` holds this, which is no role.
    Unknown(String),
    /// A line for the agent.
    Say(String),
    /// The call is not made, for this reason.
    Refuse(String),
}

/// Anything is counted at all.
pub fn is_on(engine: &Engine) -> bool {
    engine.project().config().word("delegation.mode") != "off"
}

fn file(engine: &Engine, session: &str) -> PathBuf {
    let hash = Sha256::digest(session);
    let name: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    engine.project().state().join("roles").join(format!("{name}.json"))
}

/// A person gives a session its role, for a day.
pub fn set_role(engine: &Engine, session: &str, role: WorkRole, _by: ByPerson) -> Result<()> {
    let mark = RoleMark { role, set_ms: engine.context().now_ms() };
    let text = serde_json::to_vec(&mark).map_err(|error| store::Error::Io(error.into()))?;
    private_file::write(&file(engine, session), &text).map_err(store::Error::from)?;
    Ok(())
}

/// Takes it back, and what was counted with it. True: there was one.
pub fn clear_role(engine: &Engine, session: &str, _by: ByPerson) -> Result<bool> {
    let was = std::fs::remove_file(file(engine, session)).is_ok();
    for state in crate::agent::sessions(engine.project()).into_iter().filter(|state| state.session == session)
    {
        let who = Who { client: state.client, session: state.session, ..Who::default() };
        SessionFile::of(engine, &who).update(|state| state.delegation = Default::default())?;
    }
    Ok(was)
}

fn marked(engine: &Engine, session: &str) -> Option<WorkRole> {
    let mark: RoleMark = serde_json::from_slice(&std::fs::read(file(engine, session)).ok()?).ok()?;
    (engine.context().now_ms() - mark.set_ms < VALID_MS).then_some(mark.role)
}

/// The role of an agent: what `AGENT_ROLE` said, what a person set, or, for a sub-agent, the one that works. (M9)
pub fn role_of(engine: &Engine, who: &Who) -> Option<WorkRole> {
    let said = who.role.as_deref().and_then(WorkRole::of_word);
    let sub_agent = || {
        (who.agent.is_some() || SessionFile::of(engine, who).read().is_sub_agent())
            .then_some(WorkRole::Musician)
    };
    said.or_else(|| marked(engine, &who.session)).or_else(sub_agent)
}

/// Work was handed on.
pub fn handed_on(engine: &Engine, who: &Who) -> Result<()> {
    SessionFile::of(engine, who).update(|state| state.delegation.handed_on())
}

/// A call that works is about to be made: an edit of these files, or a command that may change something.
pub fn before_work(
    engine: &Engine,
    who: &Who,
    said: Option<&str>,
    paths: &[String],
    _progress: &dyn Progress,
) -> Result<Delegated> {
    let session = SessionFile::of(engine, who);
    let role = match said {
        Some(word) => match WorkRole::of_word(word) {
            Some(role) => Some(role),
            None => return Ok(Delegated::Unknown(word.to_owned())),
        },
        None => marked(engine, &who.session),
    };
    let is_sub_agent = who.agent.is_some() || session.read().is_sub_agent();
    let config = engine.project().config();
    let limit = match role {
        _ if is_sub_agent => return Ok(Delegated::Free),
        Some(WorkRole::Conductor) => config.number("delegation.conductor_limit"),
        Some(WorkRole::Leader) => config.number("delegation.leader_limit"),
        Some(WorkRole::Musician) | None => return Ok(Delegated::Free),
    };
    if !paths.is_empty() && all_free(config.list("delegation.allow"), paths) {
        return Ok(Delegated::Free);
    }
    let word = role.map_or("", WorkRole::word);
    Ok(match session.update(|state| state.delegation.work(limit))? {
        WorkAnswer::Free => Delegated::Free,
        WorkAnswer::LastOne => Delegated::Say(format!(
            "vib: this is change {limit} of {limit} that a {word} makes itself; hand the next one to a sub-agent."
        )),
        WorkAnswer::TooMany if config.word("delegation.mode") == "block" => Delegated::Refuse(format!(
            "vib: {limit} direct changes are enough for a {word}: hand this work to a sub-agent, then you may go on. The person can run \
             `vib role clear --session {}`.",
            who.session
        )),
        WorkAnswer::TooMany => Delegated::Say(format!(
            "vib: a {word} has made {limit} changes itself since it last handed work on; hand this to a sub-agent."
        )),
    })
}

fn all_free(patterns: &[String], paths: &[String]) -> bool {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        if let Ok(glob) = Glob::new(pattern) {
            set.add(glob);
        }
    }
    let Ok(set) = set.build() else { return false };
    // A pattern without a folder is about the name, wherever it lies.
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    paths.iter().all(|path| set.is_match(path) || set.is_match(name(path)))
}
