//! Operations that wait for a person: what exactly would be done, for whom, and until when. Each counts once.
//!
//! They lie in the project's private state folder, so that a second server, or one that was started anew, knows them too.

use std::path::PathBuf;

use engine::{Engine, Error};
use project::{FileLock, platform};
use serde::{Deserialize, Serialize};

use crate::call::Question;
use crate::client::Client;

/// How long one waits.
pub const WAITS_MS: i64 = 5 * 60_000;
/// More than these at once is nobody's wish: the oldest goes.
const MOST: usize = 50;

/// An operation that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// Its handle. Random, so that it cannot be guessed.
    pub id: String,
    /// The client that asked.
    pub client: String,
    /// Stands for tool, arguments, plan, client and project.
    pub digest: String,
    /// Milliseconds since 1970.
    pub expires_ms: i64,
}

/// Why a handle does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There is none: never was, used already, or too old.
    Gone,
    /// Another client asked.
    OtherClient,
}

/// Writes down what waits.
pub fn open(engine: &Engine, client: &Client, question: &Question) -> Result<Pending, Error> {
    let (context, now_ms) = (engine.context(), engine.context().now_ms());
    let pending = Pending {
        id: format!("op{:016x}{:016x}", context.random_u64(), context.random_u64()),
        client: client.name.clone(),
        digest: question.digest.clone(),
        expires_ms: now_ms.saturating_add(WAITS_MS),
    };
    change(engine, |all| {
        all.retain(|other| other.expires_ms > now_ms);
        let extra = (all.len() + 1).saturating_sub(MOST);
        all.drain(..extra);
        all.push(pending.clone());
    })?;
    Ok(pending)
}

/// Takes an operation out: whatever comes of it, its handle never counts again.
pub fn take(engine: &Engine, client: &Client, id: &str) -> Result<Result<Pending, Refusal>, Error> {
    let now_ms = engine.context().now_ms();
    let mut found = None;
    change(engine, |all| {
        let at = all.iter().position(|pending| pending.id == id);
        found = at.map(|at| all.remove(at));
        all.retain(|other| other.expires_ms > now_ms);
    })?;
    Ok(match found {
        Some(pending) if pending.client != client.name => Err(Refusal::OtherClient),
        Some(pending) if pending.expires_ms > now_ms => Ok(pending),
        _ => Err(Refusal::Gone),
    })
}

fn change(engine: &Engine, with: impl FnOnce(&mut Vec<Pending>)) -> Result<(), Error> {
    let io = |error: std::io::Error| Error::from(project::Error::from(error));
    let folder: PathBuf = engine.project().state().join("mcp");
    platform::make_private_dir(&folder).map_err(io)?;
    let path = folder.join("pending.json");
    let _lock = FileLock::wait(&folder.join("pending.lock")).map_err(io)?;
    // A file that cannot be read holds nothing that could be confirmed.
    let stored = std::fs::read(&path).ok();
    let mut all: Vec<Pending> =
        stored.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    with(&mut all);
    let text = serde_json::to_vec(&all).unwrap_or_default();
    engine::private_file::write(&path, &text).map_err(io)
}
