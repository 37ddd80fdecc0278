//! Suggestions: five moments at which memory asks for a word, as one line that nobody has to answer. (MM4)
//!
//! The same one comes at most once in a session. What was shown, taken, refused, put off or ignored goes into the audit log as
//! an id and nothing else, so that useless suggestions can be seen and switched off.

use std::collections::BTreeMap;

use ::memory::log::Provenance;
use ::memory::work::{EDIT, PATCH, TRIGGER, WorkMemory};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::hot::{self, Hot};
use super::places::project_log;
use super::write;
use crate::agent::{SessionFile, SessionState, Who, sessions};
use crate::audit::{self, Event, Outcome, Row, Trigger as AuditTrigger, TriggerAction, TriggerWeek};
use crate::{Engine, Error, Result};

/// Checks that are looked at.
const CHECKS: usize = 2;
const HOUR_MS: i64 = 3_600_000;
/// Steps that change files before somebody asks for a decision.
const EDITS_WITHOUT_DECISION: u64 = 3;
/// From this age on a goal may be overtaken …
const INTENT_OLD_MS: i64 = 6 * HOUR_MS;
/// … if more lines than this were put in since.
const LINES_SINCE_INTENT: u64 = 40;
/// The last so many files of a session belong to what it works on.
const ZONE_RECENT: usize = 5;
/// After so many edits memory is looked at in any case.
const LOOK_EVERY: u64 = 20;
/// Each comes into the chat at most once in this time.
const WEEK_MS: i64 = 7 * 24 * HOUR_MS;
const SHOWN_FILE: &str = "memory/suggested.json";
/// How long a suggestion that was put off stays away.
const SNOOZE_MS: i64 = 24 * HOUR_MS;

/// Which suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerId {
    /// Work goes on and nothing was decided.
    NoDecisions,
    /// The goal is old and much has changed since.
    OldIntent,
    /// The newest check is older than the newest edit.
    StaleVerification,
    /// An edit lies outside of what matters for the goal.
    OutsideZone,
    /// A hand-off without a next step that somebody confirmed.
    HandoffWithoutNext,
}

impl TriggerId {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::NoDecisions,
        Self::OldIntent,
        Self::StaleVerification,
        Self::OutsideZone,
        Self::HandoffWithoutNext,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoDecisions => "no_decisions",
            Self::OldIntent => "old_intent",
            Self::StaleVerification => "stale_verification",
            Self::OutsideZone => "outside_zone",
            Self::HandoffWithoutNext => "handoff_without_next",
        }
    }

    fn parse(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|id| id.name()).collect();
            Error::Usage(format!("there is no suggestion `{name}`; there are {}", names.join(", ")))
        })
    }
}

/// One suggestion, in one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// Which.
    pub id: TriggerId,
    /// What it is about.
    pub text: String,
    /// What to run to follow it.
    pub command: String,
}

/// A suggestion that a session has seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownTrigger {
    /// Which.
    pub id: TriggerId,
    /// Somebody took, refused or put it off.
    pub answered: bool,
}

/// What somebody does with a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerAnswer {
    /// Follows it.
    Accept,
    /// Does not want it.
    Dismiss,
    /// Not now.
    Snooze,
}

/// What is suggested now.
#[derive(Debug, Clone, Serialize)]
pub struct TriggersReport {
    /// What fits the present state and was not refused in the newest session or put off.
    pub due: Vec<Suggestion>,
    /// What became of the suggestions of the last 7 days.
    pub last_week: TriggerWeek,
    /// What was answered with this command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered: Option<TriggerId>,
    /// What to run now, after accepting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

/// What fits now, and how suggestions fared, for a person who looks.
pub fn triggers(engine: &Engine) -> Result<TriggersReport> {
    let last_week = audit::trigger_week(engine)?;
    Ok(TriggersReport { due: due_now(engine)?, last_week, answered: None, run: None })
}

/// What fits now.
pub(crate) fn due_now(engine: &Engine) -> Result<Vec<Suggestion>> {
    let hot = hot::read(engine, CHECKS)?;
    let now_ms = engine.context().now_ms();
    let newest = sessions(engine.project()).into_iter().next().unwrap_or_default();
    let refused = |id: TriggerId| newest.triggers.iter().any(|shown| shown.id == id && shown.answered);
    let mut due = due(&hot.memory, &newest, now_ms);
    due.retain(|suggestion| !refused(suggestion.id) && !is_snoozed(&hot, suggestion.id, now_ms));
    Ok(due)
}

/// Takes, refuses or puts off a suggestion.
pub fn answer_trigger(engine: &Engine, name: &str, answer: TriggerAnswer) -> Result<TriggersReport> {
    let id = TriggerId::parse(name)?;
    project_log(engine).writable()?;
    for state in sessions(engine.project()) {
        if state.triggers.iter().any(|shown| shown.id == id && !shown.answered) {
            let who = Who { client: state.client, session: state.session, ..Who::default() };
            SessionFile::of(engine, &who).update(|state| {
                state
                    .triggers
                    .iter_mut()
                    .filter(|shown| shown.id == id)
                    .for_each(|shown| shown.answered = true);
            })?;
        }
    }
    let action = match answer {
        TriggerAnswer::Accept => TriggerAction::Accepted,
        TriggerAnswer::Dismiss => TriggerAction::Dismissed,
        TriggerAnswer::Snooze => TriggerAction::Snoozed,
    };
    record(engine, "cli", id, action)?;
    if answer != TriggerAnswer::Accept {
        let until = engine.context().now_ms().saturating_add(SNOOZE_MS);
        let until = (answer == TriggerAnswer::Snooze).then_some(until);
        let body = json!({"trigger": id, "action": answer, "until": until});
        let event = write::event(engine, TRIGGER, Provenance::Explicit, body);
        project_log(engine).append(&[event])?;
    }
    let mut report = triggers(engine)?;
    report.due.retain(|suggestion| suggestion.id != id);
    report.answered = Some(id);
    report.run = (answer == TriggerAnswer::Accept).then(|| command_for(id).to_owned());
    Ok(report)
}

/// The one line at the beginning of a session, or when it is taken up again.
pub fn suggestion_at_start(engine: &Engine, who: &Who) -> Result<Option<Suggestion>> {
    next_for(engine, who, &hot::read(engine, CHECKS)?)
}

/// The one line after an edit. Memory is looked at only where this edit can have made a difference: the third one, one of a file that
/// the session had not touched before, and now and then.
pub fn suggestion_after_edit(engine: &Engine, who: &Who) -> Result<Option<Suggestion>> {
    let state = SessionFile::of(engine, who).read();
    let edits = state.noted.edits;
    let worth_a_look =
        edits == EDITS_WITHOUT_DECISION || edits.is_multiple_of(LOOK_EVERY) || state.noted.fresh_file;
    if !worth_a_look || state.triggers.len() >= TriggerId::ALL.len() {
        return Ok(None);
    }
    next_for(engine, who, &hot::read(engine, CHECKS)?)
}

/// The one line for this moment of a session, if there is one that it has not seen yet.
pub(super) fn next_for(engine: &Engine, who: &Who, hot: &Hot) -> Result<Option<Suggestion>> {
    // In the chat they are an interruption: only for who wants them, and each once a week. (M12, G6)
    if !engine.project().config().flag("memory.suggest") {
        return Ok(None);
    }
    let file = SessionFile::of(engine, who);
    let state = file.read();
    let now_ms = engine.context().now_ms();
    let lately = shown_lately(engine);
    let this_week = |id: TriggerId| lately.get(id.name()).is_some_and(|shown| now_ms - shown < WEEK_MS);
    let seen = |id: TriggerId| state.triggers.iter().any(|shown| shown.id == id) || this_week(id);
    let fits = due(&hot.memory, &state, now_ms);
    // That nothing was decided is said to who asks, never into the work: most edits need no decision.
    let counts = |one: &Suggestion| {
        one.id != TriggerId::NoDecisions && !seen(one.id) && !is_snoozed(hot, one.id, now_ms)
    };
    let Some(first) = fits.into_iter().find(counts) else {
        return Ok(None);
    };
    file.update(|state| state.triggers.push(ShownTrigger { id: first.id, answered: false }))?;
    record(engine, &who.client, first.id, TriggerAction::Shown)?;
    note_shown(engine, lately, first.id, now_ms);
    Ok(Some(first))
}

/// When each was last shown in a chat. Lost, one comes a little too early.
fn shown_lately(engine: &Engine) -> BTreeMap<String, i64> {
    let bytes = std::fs::read(engine.project().state().join(SHOWN_FILE)).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn note_shown(engine: &Engine, mut lately: BTreeMap<String, i64>, id: TriggerId, now_ms: i64) {
    lately.insert(id.name().to_owned(), now_ms);
    if let Ok(bytes) = serde_json::to_vec(&lately) {
        let _ = project::write_view(&engine.project().state().join(SHOWN_FILE), &bytes);
    }
}

/// A session has ended: what nobody answered was ignored.
pub fn session_over(engine: &Engine, who: &Who) -> Result<()> {
    let file = SessionFile::of(engine, who);
    if file.read().triggers.iter().all(|shown| shown.answered) {
        return Ok(());
    }
    let ignored = file.update(|state| {
        let open: Vec<TriggerId> =
            state.triggers.iter().filter(|shown| !shown.answered).map(|shown| shown.id).collect();
        state.triggers.iter_mut().for_each(|shown| shown.answered = true);
        open
    })?;
    ignored.into_iter().try_for_each(|id| record(engine, &who.client, id, TriggerAction::Ignored))
}

/// One row: which, what became of it, where it was shown.
pub(super) fn record(engine: &Engine, tool: &str, id: TriggerId, action: TriggerAction) -> Result<()> {
    let mut row = Row::new(Event::Trigger, tool, Outcome::Success);
    row.trigger = Some(AuditTrigger { id: id.name().to_owned(), action, source: "memory".to_owned() });
    audit::record(engine, &row).map(|_| ())
}

fn is_snoozed(hot: &Hot, id: TriggerId, now_ms: i64) -> bool {
    hot.snoozed.get(id.name()).is_some_and(|until| *until > now_ms)
}

fn command_for(id: TriggerId) -> &'static str {
    match id {
        TriggerId::NoDecisions => "vib memory decide TEXT",
        TriggerId::OldIntent | TriggerId::OutsideZone => "vib memory review",
        TriggerId::StaleVerification => "vib verify -- COMMAND",
        TriggerId::HandoffWithoutNext => "vib memory next TEXT",
    }
}

fn suggestion(id: TriggerId, text: String) -> Suggestion {
    Suggestion { id, text, command: command_for(id).to_owned() }
}

/// What the present state suggests. The hand-off has its own moment.
fn due(memory: &WorkMemory, state: &SessionState, now_ms: i64) -> Vec<Suggestion> {
    let mut found = Vec::new();
    let edits = state.noted.edits;
    if memory.decisions.is_empty() && edits >= EDITS_WITHOUT_DECISION {
        let text = format!("{edits} edits in this session and no decision is written down");
        found.push(suggestion(TriggerId::NoDecisions, text));
    }
    if let Some(intent) = &memory.active_intent {
        let later = memory
            .recent_events
            .iter()
            .filter(|event| event.kind == EDIT && event.time > intent.last_updated);
        let lines: u64 = later.filter_map(|event| event.lines).sum();
        let age = now_ms.saturating_sub(intent.last_updated);
        if age > INTENT_OLD_MS && lines > LINES_SINCE_INTENT {
            let text = format!(
                "the goal is {} hours old and {lines} lines came in since: is it still the goal?",
                age / HOUR_MS
            );
            found.push(suggestion(TriggerId::OldIntent, text));
        }
    }
    let changes = |event: &&::memory::work::Recent| {
        event.kind == EDIT || (event.kind == PATCH && event.outcome == Some(::memory::log::Outcome::Success))
    };
    let newest_change = memory.recent_events.iter().rev().find(changes).map(|event| event.time);
    if let (Some(check), Some(changed)) = (memory.verification.last(), newest_change)
        && check.time < changed
    {
        let text = format!("files were edited after the last check (`{}`)", short(&check.command));
        found.push(suggestion(TriggerId::StaleVerification, text));
    }
    if let Some(path) = outside_zone(memory, state) {
        let text = format!("`{path}` was edited and is not among the files that matter for the goal");
        found.push(suggestion(TriggerId::OutsideZone, text));
    }
    found
}

/// The newest edited file that is neither named by the person, nor beside one of those, nor part of what the session did before.
/// Without files that the person named there is nothing to be outside of.
fn outside_zone<'s>(memory: &WorkMemory, state: &'s SessionState) -> Option<&'s str> {
    let named: Vec<&str> = memory
        .relevant_files
        .iter()
        .filter(|file| file.source == Provenance::Explicit && !file.from_previous_intent)
        .map(|file| file.path.as_str())
        .collect();
    let (newest, before) = state.noted.touched.split_last()?;
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let near = |path: &&str| **path == *newest || folder(path) == folder(newest);
    let recent = before.iter().rev().take(ZONE_RECENT).any(|path| folder(path) == folder(newest));
    let inside = named.is_empty() || named.iter().any(near) || (recent && before.len() >= ZONE_RECENT);
    (!inside).then_some(newest)
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
