//! What the agents did, on one page that can be handed on: requests, steps, files, checks, what was stopped, what went back, what it cost,
//! and how many lines of it still stand. Every text in it has been through the gate.

mod cost;
mod gather;
pub mod prices;
mod standing;
pub mod usage;

use serde::Serialize;
use store::{Progress, StepNumber};

pub use cost::{Cost, ModelUsage, SessionCost};

use crate::{Engine, Notice, Result};

/// What of it.
#[derive(Debug, Clone, Default)]
pub struct ReportQuery {
    /// Only since this time, milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Only this session of an agent; the beginning of its name is enough.
    pub session: Option<String>,
}

/// A check that an agent ran, or somebody with `vib verify`.
#[derive(Debug, Clone, Serialize)]
pub struct CheckRow {
    /// The step; none: `vib verify` ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepNumber>,
    /// The command line.
    pub command: String,
    /// How it ended; none: nobody said.
    pub passed: Option<bool>,
    /// When, milliseconds since 1970.
    pub time_ms: i64,
}

/// A file that was changed.
#[derive(Debug, Clone, Serialize)]
pub struct FileRow {
    /// The path.
    pub path: String,
    /// How many steps changed it.
    pub steps: u64,
    /// Lines in it that agents wrote; none where lines were not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_by_agents: Option<u64>,
    /// All its lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
}

/// One request.
#[derive(Debug, Clone, Serialize)]
pub struct RequestRow {
    /// Its number, such as `r12`.
    pub number: String,
    /// The client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// What the person asked for.
    pub words: String,
    /// When, milliseconds since 1970.
    pub started_ms: i64,
    /// When its last step ended.
    pub ended_ms: i64,
    /// How many steps.
    pub steps: u64,
    /// How many of them were commands.
    pub commands: u64,
    /// How many were not let run.
    pub stopped: u64,
    /// How many failed.
    pub failed: u64,
    /// The files it changed, a few of them.
    pub files: Vec<String>,
    /// How many.
    pub files_count: u64,
    /// All it did is taken back.
    pub undone: bool,
    /// Lines that it brought in; none where lines were not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_written: Option<u64>,
    /// Those that still stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_standing: Option<u64>,
    /// Its checks passed and failed.
    pub checks_passed: u64,
    /// And failed.
    pub checks_failed: u64,
    /// What it cost; unknown where the client does not tell.
    pub cost: Cost,
}

/// Something that was not let run.
#[derive(Debug, Clone, Serialize)]
pub struct StoppedRow {
    /// The step.
    pub step: StepNumber,
    /// The client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// What it was about to do.
    pub what: String,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The person said no, not vib.
    pub by_person: bool,
    /// When, milliseconds since 1970.
    pub time_ms: i64,
}

/// A going back.
#[derive(Debug, Clone, Serialize)]
pub struct BackRow {
    /// The step.
    pub step: StepNumber,
    /// `undo`, `redo`, `recover`, …
    pub tool: String,
    /// What it was about.
    pub what: String,
    /// How many files.
    pub files: u64,
    /// When, milliseconds since 1970.
    pub time_ms: i64,
}

/// How much was done in a stretch of time.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Stretch {
    /// Where it begins, milliseconds since 1970.
    pub from_ms: i64,
    /// Steps of agents.
    pub steps: u64,
    /// Of them, those that changed files.
    pub changing: u64,
    /// Those that were not let run.
    pub stopped: u64,
    /// Changes by hand.
    pub by_hand: u64,
}

/// Sums.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Totals {
    /// Requests.
    pub requests: u64,
    /// Sessions of agents.
    pub sessions: u64,
    /// Steps of agents.
    pub steps: u64,
    /// Commands among them.
    pub commands: u64,
    /// Changes by hand, or by other programs.
    pub by_hand: u64,
    /// Files that were changed.
    pub files: u64,
    /// Steps that were not let run.
    pub stopped: u64,
    /// Goings back.
    pub back: u64,
    /// Checks that passed.
    pub checks_passed: u64,
    /// And failed.
    pub checks_failed: u64,
    /// Lines that agents brought in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_written: Option<u64>,
    /// Those that still stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_standing: Option<u64>,
    /// What it all cost.
    pub cost: Cost,
}

/// The report.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The project's name.
    pub project: String,
    /// From then on, milliseconds since 1970; none: from the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<i64>,
    /// Of this session alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Time of the report.
    pub now_ms: i64,
    /// Sums.
    pub totals: Totals,
    /// The requests, the oldest first.
    pub requests: Vec<RequestRow>,
    /// The checks, the oldest first.
    pub checks: Vec<CheckRow>,
    /// What was not let run.
    pub stopped: Vec<StoppedRow>,
    /// What went back.
    pub back: Vec<BackRow>,
    /// The files that were changed most.
    pub files: Vec<FileRow>,
    /// What each session cost.
    pub sessions: Vec<SessionCost>,
    /// What happened when.
    pub activity: Vec<Stretch>,
    /// How long one stretch is, milliseconds.
    pub stretch_ms: i64,
    /// Not all files were looked through for lines: there are too many.
    pub lines_cut: bool,
    /// Older contents of some steps are let go: lines of theirs that went before that are not counted.
    pub lines_thinned: bool,
    /// When the prices were looked up, and where.
    pub prices: Prices,
    /// Secrets and private details were taken out of the texts.
    pub redacted: bool,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Where prices come from.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Prices {
    /// When.
    pub date: &'static str,
    /// Where.
    pub sources: &'static str,
}

/// Makes the report.
pub fn report(engine: &Engine, query: &ReportQuery, progress: &dyn Progress) -> Result<Report> {
    gather::gather(engine, query, progress)
}
