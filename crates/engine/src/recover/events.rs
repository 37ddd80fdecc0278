//! What recovery writes into the memory log.

use ::memory::log::{Event, Log, Outcome, Provenance, Scope};
use serde_json::{Value, json};

use crate::{Engine, Result, memory};

/// Paths that are named in an event.
const MOST_PATHS: usize = 50;

pub(super) fn log(engine: &Engine) -> Result<Log> {
    memory::log_of(engine, Scope::Project, None)
}

/// Something a person said or did.
pub(super) fn event(engine: &Engine, kind: &str, body: Value) -> Event {
    let context = engine.context();
    let mut random = [0; 10];
    random[..8].copy_from_slice(&context.random_u64().to_le_bytes());
    random[8..].copy_from_slice(&context.random_u64().to_le_bytes()[..2]);
    Event::new(context.now_ms(), random, Scope::Project, kind, Provenance::Explicit, body)
}

/// Files went back: what was checked before no longer counts.
pub(super) fn recovered(engine: &Engine, safety: &str, paths: &[String]) -> Result<()> {
    let shown: Vec<&String> = paths.iter().take(MOST_PATHS).collect();
    let (kind, body) =
        ::memory::work::recovery(json!({"paths": shown, "files": paths.len(), "safety": safety}));
    let mut event = event(engine, kind, body);
    event.agent = Some("cli".to_owned());
    event.tool = Some("vib recover".to_owned());
    event.outcome = Some(Outcome::RolledBack);
    log(engine)?.append(&[event])?;
    Ok(())
}
