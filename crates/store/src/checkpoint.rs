//! [`Checkpoint`]: one saved moment, and who asked for it.

use rusqlite::Row;

use crate::id::CheckpointId;

/// Why a checkpoint exists; decides how long it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckpointKind {
    /// Made by a hook, before a step of an agent.
    Turn,
    /// Made by a person.
    Manual,
    /// Made by vib itself, before it changes files.
    Safety,
    /// Made when the user committed.
    Commit,
}

impl CheckpointKind {
    pub(crate) const ALL: [Self; 4] = [Self::Turn, Self::Manual, Self::Safety, Self::Commit];

    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Turn => 1,
            Self::Manual => 2,
            Self::Safety => 3,
            Self::Commit => 4,
        }
    }

    fn from_code(code: u8) -> Self {
        Self::ALL.into_iter().find(|kind| kind.code() == code).unwrap_or(Self::Turn)
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Manual => "manual",
            Self::Safety => "safety",
            Self::Commit => "commit",
        }
    }

    /// Takes the word for it.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Who and what caused a checkpoint; all optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Origin {
    /// The agent's session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The turn: one prompt and all its steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The turn that started this one, for sub-agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_turn: Option<String>,
    /// The client, such as `claude-code`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The tool about to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The client's id of the tool call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// What triggered it: `prompt`, `tool`, `stop`, `cli`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// What the person asked for in this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

/// A saved moment.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Checkpoint {
    /// Its place in the order of saving; never reused.
    pub seq: i64,
    /// Its id.
    pub id: CheckpointId,
    /// Why it exists.
    pub kind: CheckpointKind,
    /// The whole tree was looked at; else only the named paths.
    pub whole_tree: bool,
    /// Milliseconds since 1970.
    pub created_ms: i64,
    /// What the person said about it.
    pub message: Option<String>,
    /// Never expires.
    pub pinned: bool,
    /// An agent asked for it, not a person.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_agent: bool,
    /// Let go by retention; its content may be gone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub expired: bool,
    /// Who and what caused it.
    #[serde(flatten)]
    pub origin: Origin,
    /// How many paths were different from the checkpoint before.
    pub files_changed: u64,
    /// New content stored, after compression.
    pub bytes_added: u64,
}

/// The mark of a checkpoint that was made by the look after a step.
pub(crate) const AFTER_TRIGGER: &str = "after";

pub(crate) const COLUMNS: &str = "c.seq, c.id, c.kind, c.whole_tree, c.created_ms, c.message, c.pinned, \
     c.expired_ms IS NOT NULL, c.session, c.turn, c.parent_turn, c.agent, c.tool, c.call_id, c.cause, c.files_changed, \
     c.bytes_added, (SELECT t.prompt FROM request t WHERE t.session = c.session AND t.turn = c.turn), c.by_agent";

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Checkpoint> {
    Ok(Checkpoint {
        seq: row.get(0)?,
        id: CheckpointId::stored(row.get(1)?),
        kind: CheckpointKind::from_code(row.get(2)?),
        whole_tree: row.get(3)?,
        created_ms: row.get(4)?,
        message: row.get(5)?,
        pinned: row.get(6)?,
        by_agent: row.get(18)?,
        expired: row.get(7)?,
        origin: Origin {
            session: row.get(8)?,
            turn: row.get(9)?,
            parent_turn: row.get(10)?,
            agent: row.get(11)?,
            tool: row.get(12)?,
            call_id: row.get(13)?,
            trigger: row.get(14)?,
            prompt: row.get(17)?,
        },
        files_changed: row.get(15)?,
        bytes_added: row.get(16)?,
    })
}
