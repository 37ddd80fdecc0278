//! What was worked on before, for a session that goes on with it: the last request that says something, its files and its check. (M8)

use ::memory::said::{asks_to_go_on, facets, is_substantial};
use ::memory::work::CheckResult;

use crate::agent::{SessionFile, Who, newest_sessions};
use crate::{Engine, Result, memory};

const FILES_NAMED: usize = 3;
const SHOWN: usize = 160;
/// Sub-agents and sessions without a request in between: so many of the newest are looked at.
const LOOKED_AT: usize = 32;
/// What was done longer ago is not "where we were".
const OLDEST_MS: i64 = 14 * 86_400_000;

/// One line with the first prompt of a session that goes on with what was done; nothing for a new subject.
pub fn last_request(engine: &Engine, who: &Who, prompt: &str) -> Result<Option<String>> {
    let state = SessionFile::of(engine, who).read();
    if state.turns > 1 || who.agent.is_some() || state.is_sub_agent() {
        return Ok(None);
    }
    let goes_on = asks_to_go_on(prompt) || !is_substantial(prompt);
    let now_ms = engine.context().now_ms();
    let before = newest_sessions(engine.project(), LOOKED_AT).into_iter().find(|other| {
        (other.session != who.session || other.client != who.client)
            && other.task.is_some()
            && other.parent_turn.is_none()
            && now_ms - other.seen_ms < OLDEST_MS
    });
    let Some(before) = before else { return Ok(None) };
    let task = before.task.clone().unwrap_or_default();
    // Not the same words: at least two things in common.
    if !goes_on && facets(prompt).common(&facets(&task)) < 3 {
        return Ok(None);
    }
    let mut line = format!(
        "The last request here ({}, {}): \"{}\"",
        before.client,
        jiff::Timestamp::from_millisecond(before.seen_ms).unwrap_or_default().strftime("%Y-%m-%d %H:%M UTC"),
        task.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SHOWN).collect::<String>()
    );
    let files: Vec<String> =
        before.noted.touched.iter().rev().take(FILES_NAMED).map(|path| format!("`{path}`")).collect();
    if !files.is_empty() {
        line.push_str(&format!("; files: {}", files.join(", ")));
    }
    if let Some((command, result)) = memory::last_check(engine, &before.session)? {
        let how = match result {
            CheckResult::Passed => "passed",
            CheckResult::Failed => "failed",
            CheckResult::Skipped | CheckResult::Unknown => "ended, nobody knows how",
        };
        line.push_str(&format!("; last check: `{}` {how}", command.chars().take(80).collect::<String>()));
    }
    Ok(Some(line))
}
