//! One-time approvals: another surface asks, a person at a real terminal or on the web page says yes, the surface takes the yes once.
//!
//! [`request`] writes down what is wanted; [`pending`] lists it; [`approve`] is what `vib approve OP` calls after showing it and
//! asking; [`take`] uses the yes up. An approval is for one client, one capability and exactly one set of changes, and lives
//! five minutes.

use std::path::PathBuf;

use project::platform;
use serde::{Deserialize, Serialize};

use crate::grants::Capability;
use crate::undo::Confirmation;
use crate::{Engine, Error, Result};

const SCHEMA_VERSION: u32 = 1;
const VALID_MS: i64 = 5 * 60_000;

/// What somebody wants to do.
#[derive(Debug, Clone)]
pub struct Request {
    /// The client, as it named itself when it connected.
    pub client: String,
    /// What it wants to use.
    pub capability: Capability,
    /// The plan that it wants carried out, where there is one.
    pub plan: Option<String>,
    /// Stands for exactly what would change.
    pub digest: String,
    /// What it is, in a sentence; it passes the gate.
    pub summary: String,
}

/// A request that waits, or was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The format.
    pub schema_version: u32,
    /// Its id: what a person types after `vib approve`.
    pub id: String,
    /// Who asks.
    pub client: String,
    /// For what.
    pub capability: Capability,
    /// The plan.
    pub plan: Option<String>,
    /// Stands for exactly what would change.
    pub digest: String,
    /// What it is, in a sentence.
    pub summary: String,
    /// When it was asked.
    pub created_ms: i64,
    /// When it ends.
    pub expires_ms: i64,
    /// A person said yes.
    pub approved: bool,
}

/// Writes a request down. Nothing is allowed by it.
pub fn request(engine: &Engine, request: &Request) -> Result<Approval> {
    forget_old(engine);
    let now = engine.context().now_ms();
    let mut gate = engine.gate();
    let approval = Approval {
        schema_version: SCHEMA_VERSION,
        id: format!("{:06x}", engine.context().random_u64() >> 40),
        client: plain_name(&request.client),
        capability: request.capability,
        plan: request.plan.clone(),
        digest: request.digest.clone(),
        summary: gate.clean(&request.summary).into_string(),
        created_ms: now,
        expires_ms: now + VALID_MS,
        approved: false,
    };
    save(engine, &approval)?;
    Ok(approval)
}

/// What waits for a person, oldest first.
pub fn pending(engine: &Engine) -> Vec<Approval> {
    let now = engine.context().now_ms();
    let mut found: Vec<Approval> =
        all(engine).into_iter().filter(|approval| !approval.approved && approval.expires_ms > now).collect();
    found.sort_by(|a, b| (a.created_ms, &a.id).cmp(&(b.created_ms, &b.id)));
    found
}

/// One that waits.
pub fn find(engine: &Engine, id: &str) -> Result<Approval> {
    pending(engine)
        .into_iter()
        .find(|approval| approval.id == id)
        .ok_or_else(|| Error::ApprovalUnknown(id.to_owned()))
}

/// A person said yes, at a real terminal or in their session of the web page; no other yes counts here.
pub fn approve(engine: &Engine, id: &str, confirmed: Confirmation) -> Result<Approval> {
    if !matches!(confirmed, Confirmation::Terminal(_) | Confirmation::Web) {
        return Err(Error::NeedsTerminal);
    }
    let approval = Approval { approved: true, ..find(engine, id)? };
    save(engine, &approval)?;
    Ok(approval)
}

/// A person said no: the request is gone.
pub fn refuse(engine: &Engine, id: &str) -> Result<()> {
    find(engine, id)?;
    remove(engine, id);
    Ok(())
}

/// Uses a yes up: it must be for this client, this capability and these changes, given, and not too old. Works once.
pub fn take(
    engine: &Engine,
    id: &str,
    client: &str,
    capability: Capability,
    digest: &str,
) -> Result<Approval> {
    let unknown = || Error::ApprovalUnknown(id.to_owned());
    let approval = all(engine).into_iter().find(|approval| approval.id == id).ok_or_else(unknown)?;
    if approval.expires_ms <= engine.context().now_ms() {
        return Err(unknown());
    }
    if (approval.client.as_str(), approval.capability, approval.digest.as_str())
        != (client, capability, digest)
    {
        return Err(Error::ApprovalOther(id.to_owned()));
    }
    if !approval.approved {
        return Err(Error::ApprovalPending(id.to_owned()));
    }
    // Whoever moves it away has it; nobody else can move it again.
    let from = file(engine, id);
    let to = from.with_extension("used");
    std::fs::rename(&from, &to).map_err(|_| unknown())?;
    let _ = std::fs::remove_file(to);
    Ok(approval)
}

/// A client names itself, so its name is shown as letters and digits only.
fn plain_name(client: &str) -> String {
    let plain = |letter: &char| letter.is_alphanumeric() || "-_.:/ ".contains(*letter);
    client.chars().filter(plain).take(64).collect()
}

fn folder(engine: &Engine) -> PathBuf {
    engine.project().state().join("approvals")
}

fn file(engine: &Engine, id: &str) -> PathBuf {
    folder(engine).join(format!("{id}.json"))
}

fn save(engine: &Engine, approval: &Approval) -> Result<()> {
    let folder = folder(engine);
    platform::make_private_dir(&folder).map_err(project::Error::from)?;
    let bytes = serde_json::to_vec(approval).unwrap_or_default();
    Ok(project::write_view(&file(engine, &approval.id), &bytes).map_err(project::Error::from)?)
}

fn remove(engine: &Engine, id: &str) {
    let _ = std::fs::remove_file(file(engine, id));
}

fn forget_old(engine: &Engine) {
    let now = engine.context().now_ms();
    for approval in all(engine).into_iter().filter(|approval| approval.expires_ms <= now) {
        remove(engine, &approval.id);
    }
}

/// Every request in the folder whose file is what its name says.
fn all(engine: &Engine) -> Vec<Approval> {
    let Ok(entries) = std::fs::read_dir(folder(engine)) else { return Vec::new() };
    let read = |path: PathBuf| -> Option<Approval> {
        let approval: Approval = serde_json::from_slice(&std::fs::read(&path).ok()?).ok()?;
        let named = path.file_name()?.to_str()? == format!("{}.json", approval.id);
        (named && approval.schema_version <= SCHEMA_VERSION).then_some(approval)
    };
    entries.flatten().filter_map(|entry| read(entry.path())).collect()
}
