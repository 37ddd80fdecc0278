//! A person's answer to what a run waits for. It is written into the log; whoever goes on with the run finds it there.

use super::RunError;
use super::log::RunLog;
use super::model::RunEvent;
use crate::{Engine, Result};

/// Writes the answer down. `since`: when the question that was answered was asked; it is not an answer to a later one.
pub fn answer(engine: &Engine, id: &str, since: Option<i64>, words: &str) -> Result<()> {
    let mut log = RunLog::open(engine, id)?;
    let run = log.run();
    let pause = run.paused.filter(|_| run.ended.is_none());
    if pause.is_none_or(|pause| since.is_some_and(|since| since != pause.since_ms)) {
        return Err(RunError::NotWaiting(id.to_owned()).into());
    }
    log.append(RunEvent::Resumed { answer: Some(words.to_owned()) })
}
