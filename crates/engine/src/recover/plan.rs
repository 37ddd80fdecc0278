//! Plans that were shown and wait for a yes: small files in the state folder that expire.

use std::path::PathBuf;

use project::platform;
use serde::{Deserialize, Serialize};
use store::{ContentHash, Difference, EntryKind, Plan};

use crate::own_entries::Own;
use crate::{Engine, Error, Notice, Result};

/// 2: `contents` and `notices`; 3: `bytes`. A plan without them is written as version 1, which every vib reads.
const SCHEMA_VERSION: u32 = 3;
/// A yes to something that was shown longer ago is no yes to what is there now.
pub(super) const VALID_MS: i64 = 30 * 60_000;
/// Plans that were carried out are kept so long, for the way back.
const KEPT_MS: i64 = 30 * 24 * 3_600_000;

/// What became of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub(super) enum State {
    /// Shown.
    Open,
    /// The present state was saved, and the files are being written. A process that died here left the rest to the next one.
    Begun {
        /// The safety checkpoint made before.
        safety: String,
        /// When.
        time_ms: i64,
    },
    /// Carried out.
    Done {
        /// The safety checkpoint made before.
        safety: String,
        /// When.
        time_ms: i64,
    },
}

/// A plan as it is kept. Fields of a newer vib are not ours to drop, so a newer plan is not used at all.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) schema_version: u32,
    pub(super) id: String,
    pub(super) created_ms: i64,
    pub(super) level: u8,
    /// What the checkpoint is called in the history.
    pub(super) title: String,
    pub(super) target: String,
    /// The plan itself, packed, in hexadecimal.
    pub(super) plan: String,
    /// Files in the zone, drift candidates.
    pub(super) in_zone: u64,
    pub(super) drift: u64,
    /// Content that no checkpoint holds: files in which vib's own entries stay as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) contents: Vec<String>,
    /// The same for what is no text, in hexadecimal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) bytes: Vec<String>,
    /// Files in which they stay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) own_entries: Vec<String>,
    #[serde(flatten)]
    pub(super) state: State,
}

/// What other surfaces may know about a plan.
#[derive(Debug, Clone, Serialize)]
pub struct PlanInfo {
    /// Its id.
    pub id: String,
    /// The level of the recovery.
    pub level: u8,
    /// What it would do.
    pub title: String,
    /// How many paths it changes.
    pub paths: usize,
    /// Stands for exactly these changes.
    pub digest: String,
    /// When it stops being valid.
    pub expires_ms: i64,
    /// The checkpoint it uses; the earliest, where there are several.
    pub target: String,
    /// Path by path.
    pub changes: Vec<PlannedChange>,
}

/// What would become of one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedChange {
    /// The path.
    pub path: String,
    /// It is or was a folder.
    pub is_folder: bool,
    /// There is something now that would be replaced or removed.
    pub is_there: bool,
    /// There would be something.
    pub comes: bool,
}

/// Looks a plan up.
pub fn plan_info(engine: &Engine, id: &str) -> Result<PlanInfo> {
    let kept = load(engine, id)?;
    let plan = kept.unpack()?;
    Ok(PlanInfo {
        id: kept.id.clone(),
        level: kept.level,
        title: kept.title.clone(),
        paths: plan.changes.len(),
        digest: digest(&plan),
        expires_ms: kept.created_ms + VALID_MS,
        target: kept.target.clone(),
        changes: plan.changes.iter().map(planned).collect(),
    })
}

fn planned(change: &Difference) -> PlannedChange {
    let kinds = [change.before, change.after].into_iter().flatten().map(|entry| entry.kind);
    PlannedChange {
        path: change.path.to_string(),
        is_folder: kinds.into_iter().all(|kind| kind == EntryKind::Dir),
        is_there: change.before.is_some(),
        comes: change.after.is_some(),
    }
}

impl Kept {
    pub(super) fn new(engine: &Engine, level: u8, title: String, plan: &Plan, own: &Own) -> Result<Self> {
        let packed = plan.to_bytes()?;
        let (mut contents, mut bytes) = (Vec::new(), Vec::new());
        for content in &own.contents {
            match std::str::from_utf8(content) {
                Ok(text) => contents.push(text.to_owned()),
                Err(_) => bytes.push(hex(content)),
            }
        }
        let own_entries = own.notices.iter().flat_map(|notice| match notice {
            Notice::OwnEntriesKept { paths } => paths.clone(),
            _ => Vec::new(),
        });
        Ok(Self {
            schema_version: match (contents.is_empty(), bytes.is_empty()) {
                (_, false) => SCHEMA_VERSION,
                (false, true) => 2,
                (true, true) => 1,
            },
            contents,
            bytes,
            own_entries: own_entries.collect(),
            id: format!("{:010x}", engine.context().random_u64() >> 24),
            created_ms: engine.context().now_ms(),
            level,
            title,
            target: plan.target.clone(),
            plan: hex(&packed),
            in_zone: 0,
            drift: 0,
            state: State::Open,
        })
    }

    pub(super) fn unpack(&self) -> Result<Plan> {
        let unknown = || Error::PlanUnknown(self.id.clone());
        Plan::from_bytes(&self.target, &from_hex(&self.plan).ok_or_else(unknown)?).ok_or_else(unknown)
    }

    /// Content that no checkpoint holds.
    pub(super) fn all_contents(&self) -> Vec<Vec<u8>> {
        let texts = self.contents.iter().map(|text| text.clone().into_bytes());
        texts.chain(self.bytes.iter().filter_map(|text| from_hex(text))).collect()
    }

    pub(super) fn save(&self, engine: &Engine) -> Result<()> {
        let folder = folder(engine);
        platform::make_private_dir(&folder).map_err(project::Error::from)?;
        let text = serde_json::to_vec(self).unwrap_or_default();
        write(&folder.join(format!("{}.json", self.id)), &text)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// A name for exactly these changes.
pub(super) fn digest(plan: &Plan) -> String {
    ContentHash::of(&serde_json::to_vec(&plan.changes).unwrap_or_default()).to_hex()
}

/// A plan that is still open and valid.
pub(super) fn open(engine: &Engine, id: &str) -> Result<Kept> {
    let kept = load(engine, id)?;
    if kept.state != State::Open {
        return Err(Error::PlanUsed(id.to_owned()));
    }
    if engine.context().now_ms().saturating_sub(kept.created_ms) > VALID_MS {
        return Err(Error::PlanExpired(id.to_owned()));
    }
    Ok(kept)
}

fn load(engine: &Engine, id: &str) -> Result<Kept> {
    let unknown = || Error::PlanUnknown(id.to_owned());
    // An id is a name of ours, never a path.
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(unknown());
    }
    let text = std::fs::read(folder(engine).join(format!("{id}.json"))).map_err(|_| unknown())?;
    let kept: Kept = serde_json::from_slice(&text).map_err(|_| unknown())?;
    if kept.schema_version > SCHEMA_VERSION { Err(unknown()) } else { Ok(kept) }
}

/// Plans that were carried out, or begun, newest first, with the safety checkpoint of each.
pub(super) fn done(engine: &Engine) -> Vec<(Kept, String)> {
    let mut found: Vec<(i64, Kept, String)> = all(engine)
        .into_iter()
        .filter_map(|kept| match &kept.state {
            State::Done { safety, time_ms } | State::Begun { safety, time_ms } => {
                let (safety, time_ms) = (safety.clone(), *time_ms);
                Some((time_ms, kept, safety))
            }
            State::Open => None,
        })
        .collect();
    found.sort_by_key(|(time_ms, ..)| std::cmp::Reverse(*time_ms));
    found.into_iter().map(|(_, kept, safety)| (kept, safety)).collect()
}

/// Takes old plans away.
pub(super) fn forget_old(engine: &Engine) {
    let now = engine.context().now_ms();
    for kept in all(engine) {
        let age = now.saturating_sub(kept.created_ms);
        let over = match kept.state {
            State::Open => age > 2 * VALID_MS,
            State::Begun { .. } | State::Done { .. } => age > KEPT_MS,
        };
        if over {
            // It only takes room; the next look tries again.
            let _ = std::fs::remove_file(folder(engine).join(format!("{}.json", kept.id)));
        }
    }
}

fn all(engine: &Engine) -> Vec<Kept> {
    let Ok(entries) = std::fs::read_dir(folder(engine)) else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| serde_json::from_slice(&std::fs::read(entry.path()).ok()?).ok())
        .filter(|kept: &Kept| kept.schema_version <= SCHEMA_VERSION)
        .collect()
}

fn folder(engine: &Engine) -> PathBuf {
    engine.project().state().join("plans")
}

fn write(path: &std::path::Path, text: &[u8]) -> Result<()> {
    Ok(project::write_view(path, text).map_err(project::Error::from)?)
}

/// The last look that somebody acted on, and what it labelled.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Incident {
    pub(super) id: String,
    pub(super) drift: Vec<String>,
    /// When; 0 in files of older versions.
    #[serde(default)]
    pub(super) time_ms: i64,
}

/// Remembers the labels, so that they can be judged. Without it only feedback is not possible.
pub(super) fn keep_incident(engine: &Engine, incident: &Incident) {
    let path = engine.project().state().join("last_recovery.json");
    let _ = write(&path, &serde_json::to_vec(incident).unwrap_or_default());
}

pub(super) fn last_incident(engine: &Engine) -> Option<Incident> {
    let text = std::fs::read(engine.project().state().join("last_recovery.json")).ok()?;
    serde_json::from_slice(&text).ok()
}
