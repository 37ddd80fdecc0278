//! Standing permissions: what a client of the MCP server may do in this project, and until when. (MC2)
//!
//! Only a person makes one, at a terminal or on the web page; no function here is reachable through MCP. A grant is for one project
//! (it lies in that project's private state folder), one client by the name it gives in its handshake, one capability, and ends by
//! itself. The file is readable by its owner only; what a newer vib wrote into it survives.

use std::path::{Path, PathBuf};

use project::{FileLock, platform};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::person::ByPerson;
use crate::undo::Confirmation;
use crate::{Engine, Error, Result, private_file};

/// The format.
const SCHEMA: u32 = 1;
/// Ended grants are kept so long, so that `vib mcp grants` can say what was.
const KEEP_ENDED_MS: i64 = 30 * 86_400_000;
/// How long a grant lasts when nobody says: a working day.
pub const USUAL_MS: i64 = 8 * 3_600_000;
/// The longest one.
pub const LONGEST_MS: i64 = 90 * 86_400_000;
/// More letters than any client's name has.
const LONGEST_NAME: usize = 80;

/// Something that a client may be allowed to do. The names are frozen: see the deprecation rule in `docs/mcp.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Read a redacted summary of the memory.
    MemorySummaryRead,
    /// Read the whole memory, redacted.
    MemoryFullRead,
    /// Write memory.
    MemoryWrite,
    /// See what a recovery would do.
    RecoveryPreview,
    /// Restore files.
    RecoveryApply,
    /// Save a checkpoint.
    CheckpointCreate,
    /// Make a hand-off document.
    HandoffExport,
    /// Write the edits of a patch. (Looking at what it would do needs nothing.)
    PatchApply,
}

/// Whether a person has to say yes to each single operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirm {
    /// No.
    Never,
    /// Only where it changes what future agents take as the person's will.
    IfItShapesIntent,
    /// Yes.
    Always,
}

impl Capability {
    /// All, in the order of the permission matrix.
    pub const ALL: [Self; 8] = [
        Self::MemorySummaryRead,
        Self::RecoveryPreview,
        Self::CheckpointCreate,
        Self::MemoryFullRead,
        Self::MemoryWrite,
        Self::RecoveryApply,
        Self::HandoffExport,
        Self::PatchApply,
    ];

    /// The frozen name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MemorySummaryRead => "memory_summary_read",
            Self::MemoryFullRead => "memory_full_read",
            Self::MemoryWrite => "memory_write",
            Self::RecoveryPreview => "recovery_preview",
            Self::RecoveryApply => "recovery_apply",
            Self::CheckpointCreate => "checkpoint_create",
            Self::HandoffExport => "handoff_export",
            Self::PatchApply => "patch_apply",
        }
    }

    /// The capability of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|capability| capability.as_str() == name)
    }

    /// What it means, for a person who is asked to grant it.
    pub fn about(self) -> &'static str {
        match self {
            Self::MemorySummaryRead => "read a short summary of what you are working on, without secrets",
            Self::MemoryFullRead => {
                "read everything that is remembered, without secrets; you are asked each time"
            }
            Self::MemoryWrite => {
                "add to the memory; you are asked each time it is about your goal, decisions or next step"
            }
            Self::RecoveryPreview => "see what going back would change",
            Self::RecoveryApply => "put files back to an earlier state; you are asked each time",
            Self::CheckpointCreate => "save a checkpoint",
            Self::HandoffExport => "make a hand-off document for another AI; you are asked each time",
            Self::PatchApply => "write edits into files, after saving their state before",
        }
    }

    /// Nobody may without a grant.
    pub fn needs_grant(self) -> bool {
        !matches!(self, Self::MemorySummaryRead | Self::RecoveryPreview | Self::CheckpointCreate)
    }

    /// When a person is asked.
    pub fn confirm(self) -> Confirm {
        match self {
            Self::MemoryFullRead | Self::RecoveryApply | Self::HandoffExport => Confirm::Always,
            Self::MemoryWrite => Confirm::IfItShapesIntent,
            Self::MemorySummaryRead | Self::RecoveryPreview | Self::CheckpointCreate | Self::PatchApply => {
                Confirm::Never
            }
        }
    }
}

/// One permission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its id.
    pub id: String,
    /// The client's name, as in its handshake.
    pub client: String,
    /// Only this version of it; none: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it may do.
    pub capability: Capability,
    /// Milliseconds since 1970.
    pub created_ms: i64,
    /// Milliseconds since 1970.
    pub expires_ms: i64,
    /// Where the person made it: `terminal` or `web`.
    pub made_at: String,
    /// Taken back, milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_ms: Option<i64>,
    /// What a newer vib wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Grant {
    /// It counts at this moment.
    pub fn is_in_force(&self, now_ms: i64) -> bool {
        self.revoked_ms.is_none() && self.created_ms <= now_ms && now_ms < self.expires_ms
    }

    fn is_for(&self, client: &str, version: &str) -> bool {
        self.client == client && self.version.as_deref().is_none_or(|wanted| wanted == version)
    }
}

/// All grants of the project.
#[derive(Debug, Serialize)]
pub struct GrantList {
    /// Oldest first.
    pub grants: Vec<Grant>,
    /// Time of the report.
    pub now_ms: i64,
}

/// What was taken back.
#[derive(Debug, Serialize)]
pub struct Revoked {
    /// The grants that no longer count.
    pub grants: Vec<Grant>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct File {
    schema: u32,
    grants: Vec<Value>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

/// Makes a grant. A person gives it, at a terminal or on the web page: no other yes counts here. An older one of the same is
/// replaced.
pub fn grant(
    engine: &Engine,
    client: &str,
    capability: Capability,
    lasts_ms: i64,
    given_via: Confirmation,
) -> Result<Grant> {
    let made_at = match given_via {
        Confirmation::Terminal(_) => "terminal",
        Confirmation::Web => "web",
        _ => return Err(Error::NeedsTerminal),
    };
    if !capability.needs_grant() {
        return Err(Error::Usage(format!(
            "`{}` needs no grant: every client may do that",
            capability.as_str()
        )));
    }
    if !(1..=LONGEST_MS).contains(&lasts_ms) {
        return Err(Error::Usage("a grant lasts from one second to 90 days".to_owned()));
    }
    let (name, version) = match client.rsplit_once('@') {
        Some((name, version)) if !name.is_empty() && !version.is_empty() => (name, Some(version.to_owned())),
        _ => (client, None),
    };
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(Error::Usage(format!("`{client}` is not the name of a client")));
    }
    let now_ms = engine.context().now_ms();
    let grant = Grant {
        id: format!("g{:x}{:06x}", (now_ms / 1000) & 0xff_ffff, engine.context().random_u64() >> 40),
        client: name.to_owned(),
        version,
        capability,
        created_ms: now_ms,
        expires_ms: now_ms.saturating_add(lasts_ms),
        made_at: made_at.to_owned(),
        revoked_ms: None,
        extra: Map::new(),
    };
    let value = serde_json::to_value(&grant).unwrap_or_default();
    change(engine, |file| {
        let same = |old: &Grant| {
            (&old.client, &old.version, old.capability) == (&grant.client, &grant.version, capability)
        };
        file.grants.retain(|old| read_one(old).is_none_or(|old| !same(&old)));
        file.grants.push(value);
    })?;
    Ok(grant)
}

/// The same as [`revoke`], from the command line: a person does that.
pub fn revoke_by(
    engine: &Engine,
    which: &str,
    capability: Option<Capability>,
    _by: ByPerson,
) -> Result<Revoked> {
    revoke(engine, which, capability)
}

/// Takes back every grant in force that `which` names: an id, or a client (and, if given, only this capability).
pub fn revoke(engine: &Engine, which: &str, capability: Option<Capability>) -> Result<Revoked> {
    let now_ms = engine.context().now_ms();
    let named = |grant: &Grant| {
        (grant.id == which || grant.client == which)
            && capability.is_none_or(|wanted| wanted == grant.capability)
            && grant.is_in_force(now_ms)
    };
    let mut revoked = Vec::new();
    change(engine, |file| {
        for value in &mut file.grants {
            let Some(mut grant) = read_one(value).filter(|grant| named(grant)) else { continue };
            grant.revoked_ms = Some(now_ms);
            if let Ok(new) = serde_json::to_value(&grant) {
                *value = new;
                revoked.push(grant);
            }
        }
    })?;
    if revoked.is_empty() {
        return Err(Error::NoGrant(which.to_owned()));
    }
    Ok(Revoked { grants: revoked })
}

/// All grants that are in force, and those that ended lately.
pub fn list(engine: &Engine) -> Result<GrantList> {
    let grants = load(&path(engine))?.grants.iter().filter_map(read_one).collect();
    Ok(GrantList { grants, now_ms: engine.context().now_ms() })
}

/// The grant that lets this client do this now, if there is one. A file that cannot be read grants nothing.
pub fn find(engine: &Engine, client: &str, version: &str, capability: Capability) -> Option<Grant> {
    let now_ms = engine.context().now_ms();
    let file = load(&path(engine)).ok()?;
    let fits = |grant: &Grant| {
        grant.capability == capability && grant.is_for(client, version) && grant.is_in_force(now_ms)
    };
    file.grants.iter().filter_map(read_one).filter(fits).max_by_key(|grant| grant.expires_ms)
}

fn path(engine: &Engine) -> PathBuf {
    engine.project().state().join("grants.json")
}

fn read_one(value: &Value) -> Option<Grant> {
    // A capability that this vib does not know is nothing it could allow.
    serde_json::from_value(value.clone()).ok()
}

fn load(path: &Path) -> Result<File> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(File::default()),
        Err(error) => return Err(project::Error::from(error).into()),
    };
    let file: File =
        serde_json::from_slice(&bytes).map_err(|_| Error::GrantsUnreadable(path.to_path_buf()))?;
    if file.schema > SCHEMA { Err(Error::GrantsUnreadable(path.to_path_buf())) } else { Ok(file) }
}

fn change(engine: &Engine, with: impl FnOnce(&mut File)) -> Result<()> {
    let path = path(engine);
    let folder = engine.project().state();
    let io = |error: std::io::Error| Error::from(project::Error::from(error));
    if !folder.exists() {
        platform::make_private_dir(folder).map_err(io)?;
    }
    let _lock = FileLock::wait(&path.with_extension("lock")).map_err(io)?;
    let mut file = load(&path)?;
    file.schema = SCHEMA;
    with(&mut file);
    let now_ms = engine.context().now_ms();
    file.grants.retain(|value| {
        read_one(value).is_none_or(|grant| {
            grant.revoked_ms.unwrap_or(grant.expires_ms).saturating_add(KEEP_ENDED_MS) > now_ms
        })
    });
    let text = serde_json::to_vec_pretty(&file).unwrap_or_default();
    private_file::write(&path, &text).map_err(io)
}
