//! What an audit row says. Counts and words from fixed lists; the few free labels are checked before they are written.

use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A summary of the memory was read.
    MemorySummaryRead,
    /// The whole memory was read.
    MemoryFullRead,
    /// The person had the whole memory written into a file of theirs as it is, past the gate.
    MemoryRawExport,
    /// Memory was written.
    MemoryWrite,
    /// A recovery was shown, nothing done.
    RecoveryPreview,
    /// A checkpoint was made.
    CheckpointCreate,
    /// Files were restored, or that was refused.
    RecoveryApply,
    /// A hand-off left.
    HandoffExport,
    /// A patch was applied: the first one after a hand-off measures its speed.
    PatchApply,
    /// Memory was searched.
    MemoryRecall,
    /// A lesson was written down by an agent.
    LessonWrite,
    /// An agent looked at checkpoints, differences, the map or a check.
    ProjectRead,
    /// A suggestion was shown, accepted, dismissed or ignored.
    Trigger,
    /// A person judged drift candidates.
    DriftFeedback,
    /// An output was looked at again.
    GateRescan,
    /// An agent that said it was done had to go on, or did not have to any more.
    StopGate,
    /// An agent said it was done with something open, and the person was told.
    StopWarning,
    /// A torn last line was taken away.
    LogRepaired,
    /// Written by a newer vib.
    #[serde(other)]
    Unknown,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Done.
    Success,
    /// A gate refused: that is what gates are for.
    Denied,
    /// Stopped by the person or by a check on the way.
    Aborted,
    /// It went wrong.
    Failed,
    /// Somebody else was at work.
    Busy,
    /// Written by a newer vib.
    #[serde(other)]
    Unknown,
}

/// How the person said yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmedVia {
    /// Typed at the terminal after the preview.
    Terminal,
    /// With a flag on the command line.
    Flag,
    /// With a code in the chat.
    ChatCode,
    /// In the client of an MCP server.
    Mcp,
    /// On the web page.
    Web,
    /// By a standing grant.
    Grant,
    /// By nobody: an agent did what agents may do without asking.
    Agent,
    /// Written by a newer vib.
    #[serde(other)]
    Unknown,
}

/// How many paths were concerned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathsCount {
    /// Inside the intent zone.
    pub in_zone: u64,
    /// Drift candidates.
    pub drift: u64,
    /// All.
    pub total: u64,
}

/// What the redaction gate took out. A row without it says: the text did not pass the gate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redaction {
    /// Secrets replaced.
    pub secret_hits: u64,
    /// Private details replaced.
    pub privacy_hits: u64,
    /// Fields or lines summarised.
    pub summarized_fields: u64,
    /// Fields withheld as a whole.
    #[serde(default)]
    pub withheld_fields: u64,
}

impl From<redact::Counts> for Redaction {
    fn from(counts: redact::Counts) -> Self {
        Self {
            secret_hits: counts.secrets as u64,
            privacy_hits: counts.private as u64,
            summarized_fields: counts.summarised as u64,
            withheld_fields: u64::from(counts.withheld),
        }
    }
}

/// What became of a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerAction {
    /// Shown; nobody has answered yet.
    Shown,
    /// Taken.
    Accepted,
    /// Refused.
    Dismissed,
    /// Put off.
    Snoozed,
    /// The session ended without an answer.
    Ignored,
    /// Written by a newer vib.
    #[serde(other)]
    Unknown,
}

/// A suggestion: which, what became of it, and where it came from. No text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trigger {
    /// Which suggestion.
    pub id: String,
    /// What became of it.
    pub action: TriggerAction,
    /// What made it.
    pub source: String,
}

/// Where the parameters of an action came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parameters {
    /// Typed and validated, from a person or a caller.
    Typed,
    /// Parsed out of memory text. An action with such parameters must be denied.
    FreeText,
    /// Written by a newer vib.
    #[serde(other)]
    Unknown,
}

/// How the active intent was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// There was none to show.
    Absent,
    /// Fresh, shown as such.
    Fresh,
    /// Past the threshold, and labelled so.
    StaleLabelled,
    /// Past the threshold, and shown as if it were fresh. This must not happen.
    StaleShownAsFresh,
    /// Written by a newer vib.
    #[serde(other)]
    Unknown,
}

/// A person's judgement of drift candidates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriftFeedback {
    /// Rightly labelled.
    pub correct: u64,
    /// Wrongly labelled.
    pub incorrect: u64,
}

/// What a second look at an output found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rescan {
    /// The row that the output belongs to.
    pub of: u64,
    /// Secrets that should not have been there.
    pub secret_hits: u64,
    /// Private details that should not have been there.
    pub privacy_hits: u64,
}

/// What a caller says about one operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// What happened.
    pub event: Event,
    /// The client or surface: `cli`, `claude-code`, `mcp:cursor`.
    pub tool: String,
    /// How it ended.
    pub result: Outcome,
    /// The grant that allowed it, where one is needed.
    #[serde(default)]
    pub capability_grant_id: Option<String>,
    /// The safety checkpoint made before files were touched.
    #[serde(default)]
    pub sandwich_checkpoint_id: Option<String>,
    /// How the person said yes.
    #[serde(default)]
    pub confirmed_via: Option<ConfirmedVia>,
    /// How many paths.
    #[serde(default)]
    pub paths_count: PathsCount,
    /// What the gate took out of the text that left.
    #[serde(default)]
    pub redaction: Option<Redaction>,
    /// The suggestion that led here.
    #[serde(default)]
    pub trigger: Option<Trigger>,
    /// Where the parameters came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Parameters>,
    /// How the active intent was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// Files labelled as drift although the person had confirmed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_on_confirmed: Option<u64>,
    /// The level of the recovery, 0 (nothing to do) to 5 (everything goes back).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_level: Option<u8>,
    /// A person's judgement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_feedback: Option<DriftFeedback>,
    /// A second look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescan: Option<Rescan>,
    /// Bytes of a torn last line that was taken away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repaired_bytes: Option<u64>,
}

impl Row {
    /// A row with the three things every row has.
    pub fn new(event: Event, tool: impl Into<String>, result: Outcome) -> Self {
        Self {
            event,
            tool: tool.into(),
            result,
            capability_grant_id: None,
            sandwich_checkpoint_id: None,
            confirmed_via: None,
            paths_count: PathsCount::default(),
            redaction: None,
            trigger: None,
            parameters: None,
            intent: None,
            drift_on_confirmed: None,
            recovery_level: None,
            drift_feedback: None,
            rescan: None,
            repaired_bytes: None,
        }
    }

    /// With what the gate counted.
    #[must_use]
    pub fn redacted(mut self, counts: redact::Counts) -> Self {
        self.redaction = Some(counts.into());
        self
    }
}

/// A row as it lies in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// Version of the schema.
    pub schema: u32,
    /// Its number: one more than the row before.
    pub sequence_number: u64,
    /// ISO-8601, UTC.
    pub timestamp: String,
    /// Stands for the project; says nothing about where it lies.
    pub project_root_hash: String,
    /// What was recorded.
    #[serde(flatten)]
    pub row: Row,
    /// The text that left was kept for a second look.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sampled: bool,
    /// Labels the gate objected to.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub withheld_labels: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The schema this vib writes.
pub(crate) const SCHEMA: u32 = 1;

impl Stored {
    /// When, in milliseconds since 1970.
    pub(crate) fn time_ms(&self) -> Option<i64> {
        self.timestamp.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
    }
}

/// A time as rows write it.
pub(crate) fn timestamp(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms)
        .map_or_else(|_| "1970-01-01T00:00:00Z".to_owned(), |time| time.to_string())
}
