//! Making events and appending them.

use ::memory::log::{Event, Log, Provenance, Repaired, Scope};
use serde_json::Value;

use super::places::project_log;
use crate::{Engine, Result};

/// An event of this project that happens now.
pub(crate) fn event(engine: &Engine, kind: &str, provenance: Provenance, body: Value) -> Event {
    scoped(engine, Scope::Project, kind, provenance, body)
}

/// An event of any scope that happens now.
pub(crate) fn scoped(
    engine: &Engine,
    scope: Scope,
    kind: &str,
    provenance: Provenance,
    body: Value,
) -> Event {
    let context = engine.context();
    let mut random = [0; 10];
    random[..8].copy_from_slice(&context.random_u64().to_le_bytes());
    random[8..].copy_from_slice(&context.random_u64().to_le_bytes()[..2]);
    Event::new(context.now_ms(), random, scope, kind, provenance, body)
}

/// Only a newer vib's log is refused before anything is made: what cannot be written now waits for who can. (T12)
pub(super) fn not_newer(log: &Log) -> Result<()> {
    match log.writable() {
        Ok(()) | Err(::memory::log::LogError::Io { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Appends what vib saw: one write. The log is kept from growing without end on the way.
pub(crate) fn append_seen(engine: &Engine, events: &[Event]) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let log = project_log(engine);
    log.append(events)?;
    if is_due(&log) {
        super::compact::compact_quietly(engine);
    }
    Ok(())
}

/// Appends what a person said.
pub(super) fn append_said(engine: &Engine, log: &Log, events: &[Event]) -> Result<Option<Repaired>> {
    let repaired = log.append(events)?;
    if is_due(log) {
        super::compact::compact_quietly(engine);
    }
    super::view::refresh(engine);
    Ok(repaired)
}

/// A log beyond this is made smaller by whoever notices.
const LARGE: u64 = 512 << 10;

fn is_due(log: &Log) -> bool {
    let Ok(facts) = std::fs::metadata(log.path()) else {
        return false;
    };
    // What a person said stays in the log: where that alone is large, looking again at every step would be for nothing.
    let looked_at = std::fs::read_to_string(log.path().with_extension("size")).unwrap_or_default();
    let after: u64 = looked_at.trim().parse().unwrap_or(0);
    facts.len() > LARGE.max(after.saturating_mul(2))
}
