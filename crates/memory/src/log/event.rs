//! One thing that was said, seen or decided.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The format this program writes.
pub const SCHEMA_VERSION: u32 = 1;

/// Who a fact is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One session of an agent.
    Session,
    /// One project.
    Project,
    /// Everything this person does.
    Global,
}

/// How something ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It worked.
    Success,
    /// It did not.
    Failure,
    /// It was taken back.
    RolledBack,
    /// Written by a newer vib.
    #[serde(other)]
    Unknown,
}

/// Where a fact comes from. Explicit beats observed everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// A person said so.
    Explicit,
    /// Vib saw it.
    Observed,
    /// It came from another tool's file.
    Imported,
    /// Written by a newer vib; treated like something seen.
    #[serde(other)]
    Unknown,
}

/// One event. Kinds are open: what this version does not know, it keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Unique, and in order of time (UUIDv7).
    pub id: String,
    /// The format it was written in.
    pub schema_version: u32,
    /// Milliseconds since 1970.
    pub time_ms: i64,
    /// Who it is for.
    pub scope: Scope,
    /// What it is: `intent`, `decision`, `verification`, `edit`, …
    pub kind: String,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Who may read it: client names; empty means everybody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acl: Vec<String>,
    /// The client or program that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its role, such as `executor`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The tool it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The task it belongs to: a session, a turn, an issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// How sure, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
    /// Milliseconds after which it no longer counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_ms: Option<i64>,
    /// What it says.
    pub body: Value,
    /// Fields of a newer vib, kept as they are.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Event {
    /// An event that happens now.
    pub fn new(
        time_ms: i64,
        random: [u8; 10],
        scope: Scope,
        kind: &str,
        provenance: Provenance,
        body: Value,
    ) -> Self {
        let millis = u64::try_from(time_ms).unwrap_or(0);
        Self {
            id: uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid().to_string(),
            schema_version: SCHEMA_VERSION,
            time_ms,
            scope,
            kind: kind.to_owned(),
            provenance,
            acl: Vec::new(),
            agent: None,
            role: None,
            tool: None,
            task: None,
            outcome: None,
            confidence: None,
            ttl_ms: None,
            body,
            other: Map::new(),
        }
    }

    /// True if its time is over.
    pub fn is_over(&self, now_ms: i64) -> bool {
        self.ttl_ms.is_some_and(|ttl| self.time_ms.saturating_add(ttl) < now_ms)
    }
}
