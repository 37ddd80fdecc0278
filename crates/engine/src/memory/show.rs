//! Work memory as it is now.

use ::memory::work::WorkMemory;

use super::places::project_log;
use super::present::fold;
use crate::{Engine, Result};

/// Work memory, and what is wrong with its log.
#[derive(Debug, Clone, serde::Serialize)]
pub struct MemoryReport {
    /// What is remembered.
    pub memory: WorkMemory,
    /// How many events there are.
    pub events: usize,
    /// Lines of the log that are no events, by number.
    pub bad_lines: Vec<usize>,
    /// Time of the report.
    pub now_ms: i64,
}

/// What is remembered now.
pub fn show(engine: &Engine) -> Result<MemoryReport> {
    let contents = project_log(engine).read()?;
    let now_ms = engine.context().now_ms();
    let memory = fold(engine, &contents, now_ms);
    super::view::bring_back(engine);
    Ok(MemoryReport {
        memory,
        events: contents.events.len(),
        bad_lines: contents.bad.iter().map(|bad| bad.line).collect(),
        now_ms,
    })
}
