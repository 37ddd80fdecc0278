//! How often a saying was told and applied: beside the log, because losing it only makes sayings fade earlier. (M11)

use std::collections::BTreeMap;

use project::{FileLock, write_view};
use serde::{Deserialize, Serialize};

use crate::Engine;

const FILE: &str = "memory/sayings-used.json";
const MOST: usize = 400;

/// Use of one saying.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Use {
    /// Sessions in which it was told.
    pub told: u32,
    /// Sessions in which something was done that it is about, after it was told.
    pub applied: u32,
    /// When it was last applied, milliseconds since 1970.
    pub last_ms: i64,
}

pub(super) fn all(engine: &Engine) -> BTreeMap<String, Use> {
    let bytes = std::fs::read(engine.project().state().join(FILE)).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Counts; what cannot be counted is not counted.
pub(super) fn count(engine: &Engine, ids: &[String], change: impl Fn(&mut Use)) {
    if ids.is_empty() {
        return;
    }
    let path = engine.project().state().join(FILE);
    let Ok(_lock) = FileLock::wait(&path.with_extension("lock")) else { return };
    let mut known = all(engine);
    for id in ids {
        change(known.entry(id.clone()).or_default());
    }
    while known.len() > MOST {
        let oldest = known.iter().min_by_key(|(_, used)| used.last_ms).map(|(id, _)| id.clone());
        known.remove(&oldest.unwrap_or_default());
    }
    if let Ok(bytes) = serde_json::to_vec(&known) {
        let _ = write_view(&path, &bytes);
    }
}
