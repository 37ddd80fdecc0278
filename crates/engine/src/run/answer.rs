//! A person's answer to what a run waits for, given where no program is started (the page). It is kept beside the log until somebody goes on
//! with the run: only then is it written down that it went on.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::fold::Pause;
use super::{RunError, log, show};
use crate::{Engine, Result, private_file};

/// What is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// When the question was asked: it is no answer to a later one.
    since_ms: i64,
    answer: String,
}

fn file(engine: &Engine, id: &str) -> Result<PathBuf> {
    Ok(log::folder_of(engine, id)?.join("answer.json"))
}

/// What the run waits for.
fn question(engine: &Engine, id: &str) -> Result<Option<Pause>> {
    let run = show(engine, id)?;
    Ok(run.paused.filter(|_| run.ended.is_none()))
}

/// Keeps the answer, cleaned. `since`: when the question that was answered was asked. Another answer takes its place.
pub fn answer(engine: &Engine, id: &str, since: Option<i64>, words: &str) -> Result<()> {
    let pause = question(engine, id)?.filter(|pause| since.is_none_or(|since| since == pause.since_ms));
    let pause = pause.ok_or_else(|| RunError::NotWaiting(id.to_owned()))?;
    let answer = engine.own_gate().clean(words).into_string();
    let io = |source| RunError::Log { run: id.to_owned(), source };
    let bytes = serde_json::to_vec(&Kept { since_ms: pause.since_ms, answer });
    let bytes = bytes.map_err(|error| io(error.into()))?;
    private_file::write(&file(engine, id)?, &bytes).map_err(io)?;
    Ok(())
}

/// The answer to what the run waits for now, if one is kept. Whoever goes on with the run takes it, and writes down that it went on.
pub fn kept_answer(engine: &Engine, id: &str) -> Result<Option<String>> {
    let Some(pause) = question(engine, id)? else { return Ok(None) };
    // What is not there or cannot be read is no answer: the question still stands.
    let kept = std::fs::read(file(engine, id)?).ok();
    let kept = kept.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    Ok(kept.filter(|kept| kept.since_ms == pause.since_ms).map(|kept| kept.answer))
}
