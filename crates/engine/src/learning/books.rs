//! The books of learning: what was told and what became of it. They lie beside the log, because they are no memory: lost, vib starts to learn
//! anew. They stay small. (M11)

use std::io::{Read as _, Seek as _, SeekFrom};

use ::memory::log::{Event, Log};
use project::FileLock;

use crate::{Engine, Result};

/// Beyond this the older half goes.
const LARGE: u64 = 256 << 10;

/// The file.
pub(super) fn log(engine: &Engine) -> Log {
    Log::at(engine.project().shared_state().join("memory").join("told.jsonl"))
}

/// Writes rows.
pub(super) fn append(engine: &Engine, events: &[Event]) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let log = log(engine);
    log.append(events)?;
    if std::fs::metadata(log.path()).is_ok_and(|facts| facts.len() > LARGE) {
        // Failing costs a few kilobytes.
        let _ = cut(&log);
    }
    Ok(())
}

fn cut(log: &Log) -> std::io::Result<()> {
    let _lock = FileLock::wait(&log.path().with_extension("lock"))?;
    let mut file = std::fs::File::open(log.path())?;
    file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(LARGE / 2)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let from = end.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    project::write_atomic(log.path(), &end[from..])
}
