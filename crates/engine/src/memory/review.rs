//! `vib memory review`: what is remembered, what is doubtful, what vib proposes; and the person's word on it. (MM6)

use ::memory::handoff::Proposal;
use ::memory::work::{CheckResult, EDIT, WorkMemory};
use serde::Serialize;

use super::places::project_log;
use super::present::fold;
use super::triggers::{Suggestion, due_now};
use super::{Remember, Remembered, Source, remember};
use crate::agent::sessions;
use crate::{Engine, Result};

/// Most files that are named as edited lately.
const MOST_EDITED: usize = 40;

/// Everything a person needs to confirm or correct.
#[derive(Debug, Clone, Serialize)]
pub struct Review {
    /// What is remembered.
    pub memory: WorkMemory,
    /// A goal, where nobody gave one or it is stale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_intent: Option<Proposed>,
    /// A next step, where nobody confirmed one or it is stale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_next: Option<Proposed>,
    /// Checks that no longer count, and why.
    pub stale_checks: Vec<String>,
    /// Files that were edited since the last commit, the newest first.
    pub edited: Vec<String>,
    /// Those of them that are outside of what matters for the goal.
    pub drift_candidates: Vec<String>,
    /// Suggestions that fit now.
    pub suggestions: Vec<Suggestion>,
    /// What was recorded by this review.
    pub recorded: Vec<Remembered>,
    /// Time of the report.
    pub now_ms: i64,
}

/// A value that nobody has confirmed, and why it is proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proposed {
    /// What it says.
    pub text: String,
    /// Why.
    pub because: String,
}

impl From<Proposed> for Proposal {
    fn from(proposed: Proposed) -> Self {
        Self { text: proposed.text, because: proposed.because }
    }
}

/// Looks at memory as a whole; with `said`, records it first.
pub fn review(engine: &Engine, by: &str, said: &[Remember]) -> Result<Review> {
    let recorded = said.iter().map(|one| remember(engine, by, one)).collect::<Result<Vec<_>>>()?;
    let contents = project_log(engine).read()?;
    let now_ms = engine.context().now_ms();
    let memory = fold(engine, &contents, now_ms);
    let edited = edited(&memory);
    let stale_checks = memory
        .verification
        .iter()
        .rev()
        .filter_map(|check| Some(format!("`{}`: {}", check.command, check.stale.as_ref()?)))
        .take(5)
        .collect();
    Ok(Review {
        proposed_intent: propose_intent(engine, &memory),
        proposed_next: propose_next(&memory, &edited),
        stale_checks,
        drift_candidates: drift(&memory, &edited),
        edited,
        suggestions: due_now(engine)?,
        recorded,
        now_ms,
        memory,
    })
}

/// Repeats the present goal: it is still the goal.
pub fn keep_intent(engine: &Engine) -> Result<Option<Remember>> {
    let contents = project_log(engine).read()?;
    let memory = fold(engine, &contents, engine.context().now_ms());
    Ok(memory.active_intent.map(|intent| Remember::Intent(intent.text)))
}

fn propose_intent(engine: &Engine, memory: &WorkMemory) -> Option<Proposed> {
    if memory.active_intent.as_ref().is_some_and(|intent| !intent.stale) {
        return None;
    }
    if let Some(seen) = &memory.observed_intent {
        return Some(Proposed { text: seen.text.clone(), because: format!("seen by {}", seen.updated_by) });
    }
    // "looks good, please commit" is no goal. (M8)
    let last = sessions(engine.project()).into_iter().find(|state| state.task.is_some())?;
    // What a person typed may hold a secret; a proposal is shown and may be handed on.
    let text = engine.gate().clean(last.task.unwrap_or_default().trim()).into_string();
    (!text.is_empty()).then(|| Proposed { text, because: format!("the last request to {}", last.client) })
}

fn propose_next(memory: &WorkMemory, edited: &[String]) -> Option<Proposed> {
    let confirmed = |next: &::memory::work::Field| next.source == Source::Explicit && !next.stale;
    if memory.next_action.as_ref().is_some_and(confirmed) {
        return None;
    }
    let make = |text: String, because: String| Some(Proposed { text, because });
    if let Some(check) = memory.verification.last() {
        let command = check.command.replace('`', "'");
        match (check.result, &check.stale) {
            (CheckResult::Failed, _) => {
                return make(format!("make `{command}` pass"), "it failed when it last ran".to_owned());
            }
            (_, Some(why)) => return make(format!("run `{command}` again"), why.clone()),
            _ => {}
        }
    } else if !edited.is_empty() {
        return make(
            "run the tests".to_owned(),
            format!("{} files were edited and nothing was checked", edited.len()),
        );
    }
    None
}

/// Files of the edits since the last commit that vib saw, the newest first.
pub(super) fn edited(memory: &WorkMemory) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for event in memory.recent_events.iter().rev().take_while(|event| event.kind != "commit") {
        for path in event.paths.iter().filter(|_| event.kind == EDIT) {
            if !found.contains(path) && found.len() < MOST_EDITED {
                found.push(path.clone());
            }
        }
    }
    found
}

/// Edited files that are neither named by the person nor beside one that is. Without named files nothing is outside.
pub(super) fn drift(memory: &WorkMemory, edited: &[String]) -> Vec<String> {
    let named: Vec<&str> = memory
        .relevant_files
        .iter()
        .filter(|file| file.source == Source::Explicit && !file.from_previous_intent)
        .map(|file| file.path.as_str())
        .collect();
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let outside =
        |path: &&String| !named.iter().any(|one| *one == path.as_str() || folder(one) == folder(path));
    if named.is_empty() { Vec::new() } else { edited.iter().filter(outside).cloned().collect() }
}
