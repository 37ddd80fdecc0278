//! Work memory as it is now.

use ::memory::log::Scope;
use ::memory::work::{Item, WorkMemory};

use redact::Counts;

use super::import::clean_value;
use super::places::{log_of, project_log};
use super::present::fold;
use crate::{Engine, Error, Result};

/// Work memory, and what is wrong with its log.
#[derive(Debug, Clone, serde::Serialize)]
pub struct MemoryReport {
    /// What is remembered.
    pub memory: WorkMemory,
    /// What the person said for all projects: decisions and risks.
    #[serde(skip_serializing_if = "General::is_empty")]
    pub general: General,
    /// What vib heard in the chat and what it learnt, with evidence and last use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<crate::knowledge::Known>,
    /// How many events there are.
    pub events: usize,
    /// Lines of the log that are no events, by number.
    pub bad_lines: Vec<usize>,
    /// Time of the report.
    pub now_ms: i64,
}

/// The same as a person is shown it: through the gate. A look leaves no row; what leaves to another program does (`summary`,
/// `export`).
pub fn show_clean(engine: &Engine) -> Result<MemoryReport> {
    let mut report = show(engine)?;
    let mut gate = engine.gate();
    let mut counts = Counts::default();
    let not_json = ::memory::log::LogError::NotJson;
    let mut memory = serde_json::to_value(&report.memory).map_err(not_json)?;
    let mut general = serde_json::to_value(&report.general).map_err(not_json)?;
    for value in [&mut memory, &mut general] {
        clean_value(&mut gate, value, &mut counts);
    }
    report.memory = serde_json::from_value(memory).map_err(not_json)?;
    report.general = serde_json::from_value(general).map_err(not_json)?;
    Ok(report)
}

/// What counts in every project of this person.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub struct General {
    /// What was decided.
    pub decisions: Vec<Item>,
    /// What to watch out for.
    pub risks: Vec<Item>,
}

impl General {
    /// Nothing was said.
    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty() && self.risks.is_empty()
    }
}

/// What the person said for all projects; nothing where there is no place for it.
pub(super) fn general(engine: &Engine) -> Result<General> {
    let log = match log_of(engine, Scope::Global, None) {
        Ok(log) if log.path().exists() => log,
        Ok(_) | Err(Error::NoGlobalMemory) => return Ok(General::default()),
        Err(error) => return Err(error),
    };
    let folded = fold(engine, &log.read()?, engine.context().now_ms());
    Ok(General { decisions: folded.decisions, risks: folded.risks })
}

/// What is remembered now.
pub fn show(engine: &Engine) -> Result<MemoryReport> {
    let contents = project_log(engine).read()?;
    let now_ms = engine.context().now_ms();
    let memory = fold(engine, &contents, now_ms);
    super::view::bring_back(engine);
    Ok(MemoryReport {
        memory,
        general: general(engine)?,
        known: crate::knowledge::known(engine)?.known,
        events: contents.events.len(),
        bad_lines: contents.bad.iter().map(|bad| bad.line).collect(),
        now_ms,
    })
}
