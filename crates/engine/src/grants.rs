//! Standing grants: which client may use which capability of this project, until when. (MC2)
//!
//! They lie in the state folder, where an agent's edit tools and commands are refused, and are made only by a person at a
//! terminal or on the web page. Everything that needs a grant is denied without one.

use std::path::PathBuf;

use project::{FileLock, platform};
use serde::{Deserialize, Serialize};

use crate::undo::Confirmation;
use crate::{Engine, Error, Result};

const SCHEMA_VERSION: u32 = 1;

/// What can be granted; the names are frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// A redacted summary of the memory.
    MemorySummaryRead,
    /// The whole memory, redacted.
    MemoryFullRead,
    /// Writing to the memory.
    MemoryWrite,
    /// What a recovery would do.
    RecoveryPreview,
    /// Carrying a recovery out.
    RecoveryApply,
    /// Saving a checkpoint.
    CheckpointCreate,
    /// Writing a hand-off.
    HandoffExport,
}

impl Capability {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::MemorySummaryRead,
        Self::MemoryFullRead,
        Self::MemoryWrite,
        Self::RecoveryPreview,
        Self::RecoveryApply,
        Self::CheckpointCreate,
        Self::HandoffExport,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MemorySummaryRead => "memory_summary_read",
            Self::MemoryFullRead => "memory_full_read",
            Self::MemoryWrite => "memory_write",
            Self::RecoveryPreview => "recovery_preview",
            Self::RecoveryApply => "recovery_apply",
            Self::CheckpointCreate => "checkpoint_create",
            Self::HandoffExport => "handoff_export",
        }
    }

    /// The capability with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|capability| capability.as_str() == name)
    }

    /// Denied unless it was granted.
    pub fn needs_grant(self) -> bool {
        !matches!(self, Self::MemorySummaryRead | Self::RecoveryPreview | Self::CheckpointCreate)
    }
}

/// One grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its id, for the audit log and for taking it back.
    pub id: String,
    /// The client, as it named itself when it connected.
    pub client: String,
    /// What it may do.
    pub capability: Capability,
    /// When it was given.
    pub created_ms: i64,
    /// When it ends.
    pub expires_ms: i64,
    /// How the person gave it.
    pub given_via: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Book {
    schema_version: u32,
    grants: Vec<Grant>,
}

/// Gives a client a capability for a while. An older grant of the same is replaced.
pub fn grant(
    engine: &Engine,
    client: &str,
    capability: Capability,
    lasts_ms: i64,
    given_via: Confirmation,
) -> Result<Grant> {
    if given_via == Confirmation::Flag || given_via == Confirmation::Chat {
        return Err(Error::NeedsTerminal);
    }
    let client = client.trim();
    if client.is_empty() || client.chars().any(char::is_control) || lasts_ms <= 0 {
        return Err(Error::Usage(
            "a grant needs the name of a client and a time for which it lasts".to_owned(),
        ));
    }
    let now = engine.context().now_ms();
    let new = Grant {
        id: format!("g{:010x}", engine.context().random_u64() >> 24),
        client: client.to_owned(),
        capability,
        created_ms: now,
        expires_ms: now.saturating_add(lasts_ms),
        given_via: serde_json::to_value(given_via)
            .ok()
            .and_then(|word| word.as_str().map(str::to_owned))
            .unwrap_or_default(),
    };
    change(engine, |grants| {
        grants.retain(|old| {
            (old.client.as_str(), old.capability) != (client, capability) && old.expires_ms > now
        });
        grants.push(new.clone());
    })?;
    Ok(new)
}

/// Takes grants back, by id or by client. Returns those that ended.
pub fn revoke(engine: &Engine, id_or_client: &str) -> Result<Vec<Grant>> {
    let mut ended = Vec::new();
    change(engine, |grants| {
        let meant = |grant: &Grant| grant.id == id_or_client || grant.client == id_or_client;
        ended = grants.iter().filter(|grant| meant(grant)).cloned().collect();
        grants.retain(|grant| !meant(grant));
    })?;
    Ok(ended)
}

/// The grants that count now.
pub fn list(engine: &Engine) -> Result<Vec<Grant>> {
    let now = engine.context().now_ms();
    Ok(read(engine)?.into_iter().filter(|grant| grant.expires_ms > now).collect())
}

/// The grant that allows this client this capability. A capability that needs none is allowed without.
pub fn find(engine: &Engine, client: &str, capability: Capability) -> Result<Option<Grant>> {
    Ok(list(engine)?.into_iter().find(|grant| grant.client == client && grant.capability == capability))
}

fn path(engine: &Engine) -> PathBuf {
    engine.project().state().join("grants.json")
}

/// A file that cannot be read allows nothing, and says so.
fn read(engine: &Engine) -> Result<Vec<Grant>> {
    let text = match std::fs::read(path(engine)) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(project::Error::from(error).into()),
    };
    match serde_json::from_slice::<Book>(&text) {
        Ok(book) if book.schema_version <= SCHEMA_VERSION => Ok(book.grants),
        _ => Err(Error::GrantsUnreadable(path(engine))),
    }
}

fn change(engine: &Engine, edit: impl FnOnce(&mut Vec<Grant>)) -> Result<()> {
    let state = engine.project().state();
    platform::make_private_dir(state).map_err(project::Error::from)?;
    let _lock = FileLock::wait(&state.join("grants.lock")).map_err(project::Error::from)?;
    let mut grants = read(engine)?;
    edit(&mut grants);
    let text = serde_json::to_vec(&Book { schema_version: SCHEMA_VERSION, grants }).unwrap_or_default();
    let beside = state.join("grants.new");
    fs_err::write(&beside, text).map_err(project::Error::from)?;
    fs_err::rename(&beside, path(engine)).map_err(project::Error::from)?;
    Ok(())
}
