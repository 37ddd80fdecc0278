//! `vib memory export`: all events, one JSON object a line. (MM14)

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use ::memory::log::Scope;
use redact::Counts;
use serde::Serialize;

use super::audited::note_read;
use super::import::clean_value;
use super::places::{logs, project_log};
use super::present::fold;
use crate::audit::{Event as AuditEvent, Outcome, Parameters, Row};
use crate::person::ByPerson;
use crate::{Engine, Error, Result, audit};

/// What was exported.
#[derive(Debug, Clone, Serialize)]
pub struct ExportReport {
    /// Events.
    pub events: usize,
    /// The file, if it went into one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The texts passed the gate.
    pub clean: bool,
    /// Something was replaced by the gate.
    pub redacted: bool,
}

/// All events of the project through the gate, as text.
pub fn export(engine: &Engine, by: &str) -> Result<(String, ExportReport)> {
    let mut gate = engine.gate();
    let mut counts = Counts::default();
    let (mut text, mut events) = (String::new(), 0);
    for event in all(engine)? {
        let mut value = serde_json::to_value(&event).map_err(::memory::log::LogError::NotJson)?;
        for name in ["body", "agent", "role", "tool", "task"] {
            if let Some(field) = value.get_mut(name) {
                clean_value(&mut gate, field, &mut counts);
            }
        }
        text.push_str(&value.to_string());
        text.push('\n');
        events += 1;
    }
    let memory = fold(engine, &project_log(engine).read()?, engine.context().now_ms());
    note_read(engine, AuditEvent::MemoryFullRead, by, counts, &memory, &text);
    Ok((text, ExportReport { events, file: None, clean: true, redacted: !counts.is_untouched() }))
}

/// All events as they are, into a new file that only its owner can read.
pub fn export_raw(engine: &Engine, tool: &str, file: &Path, _by: ByPerson) -> Result<ExportReport> {
    let path = engine.context().cwd().join(file);
    if std::fs::symlink_metadata(&path).is_ok() {
        return Err(Error::Usage(format!("`{}` is there already; name a file that is not", file.display())));
    }
    let io = |error: std::io::Error| Error::from(project::Error::from(error));
    let mut out = project::platform::open_private_append(&path).map_err(io)?;
    let events = all(engine)?;
    for event in &events {
        let mut line = serde_json::to_vec(event).map_err(::memory::log::LogError::NotJson)?;
        line.push(b'\n');
        out.write_all(&line).map_err(io)?;
    }
    out.sync_all().map_err(io)?;
    // Nothing was redacted, and the row does not say so.
    let mut row = Row::new(AuditEvent::MemoryRawExport, tool, Outcome::Success);
    row.parameters = Some(Parameters::Typed);
    row.paths_count.total = 1;
    audit::record(engine, &row)?;
    Ok(ExportReport {
        events: events.len(),
        file: Some(file.display().to_string()),
        clean: false,
        redacted: false,
    })
}

/// Each event once, in the order in which it was written.
fn all(engine: &Engine) -> Result<Vec<::memory::log::Event>> {
    let mut known = HashSet::new();
    let mut events = Vec::new();
    for (_, log) in logs(engine, Some(Scope::Project))?.into_iter().chain(logs(engine, Some(Scope::Session))?)
    {
        events.extend(log.read()?.events.into_iter().filter(|event| known.insert(event.id.clone())));
    }
    Ok(events)
}
