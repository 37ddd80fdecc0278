//! From events to work memory.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bounds::Bounds;
use super::kinds::{
    CheckResult, DECISION, EDIT, FileMark, INTENT, IS_WORK, NEXT_ACTION, RECENT, RECOVERY, RELEVANT, RETRACT,
    RISK, TRIGGER, VERIFICATION,
};
use super::view::{Conflict, Field, Item, Recent, RelevantFile, Verification, WorkMemory};
use crate::log::{Event, Provenance};

const DAY_MS: i64 = 24 * 3_600_000;
const ARCHIVE_AFTER_MS: i64 = 90 * DAY_MS;
/// An intent older than this is asked about.
const INTENT_STALE_MS: i64 = DAY_MS;
/// An intent that so many commits did not touch is asked about.
const INTENT_STALE_COMMITS: u32 = 5;

/// The hash of a file's content now; none if it is not there.
pub type HashOf<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What the fold has to know about the present.
pub struct Now<'a> {
    /// Milliseconds since 1970.
    pub time_ms: i64,
    /// Looks at the files. Without it nothing is compared with the files.
    pub hash_of: Option<HashOf<'a>>,
    /// Commits since a moment; 0 where there is no git.
    pub commits_since: &'a dyn Fn(i64) -> u32,
    /// Writes of different tools within this time are a conflict.
    pub conflict_window_ms: i64,
    /// How much is kept.
    pub bounds: Bounds,
}

/// A fold that can be stopped, kept, and gone on with. It stays small however many events it has seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Folding {
    memory: WorkMemory,
    /// The newest edit, and how many of the checks in the list were there before it.
    last_edit: Option<(String, usize)>,
    /// Suggestions that a person put off, and until when.
    pub snoozed: BTreeMap<String, i64>,
    /// A fact with an end was folded: what is kept here may not hold later.
    pub has_end: bool,
}

/// Decisions that are held while folding: those that count and those that are archived.
const DECISIONS_HELD: usize = 500;

/// Computes work memory from the events, in the order in which they were written.
pub fn fold(events: &[Event], now: &Now<'_>) -> WorkMemory {
    let mut folding = Folding::default();
    events.iter().for_each(|event| folding.push(event, now));
    folding.finish(now)
}

impl Folding {
    /// Takes the next event.
    pub fn push(&mut self, event: &Event, now: &Now<'_>) {
        let memory = &mut self.memory;
        if event.ttl_ms.is_some() {
            self.has_end |= IS_WORK.contains(&event.kind.as_str());
            if event.is_over(now.time_ms) {
                return;
            }
        }
        match event.kind.as_str() {
            INTENT => set_intent(memory, event, now),
            NEXT_ACTION => {
                if let Some(field) = field(event) {
                    set(&mut memory.next_action, &mut memory.conflicts, NEXT_ACTION, field, now);
                }
            }
            DECISION if event.provenance == Provenance::Explicit => {
                memory.decisions.extend(item(event));
                keep_newest(&mut memory.decisions, DECISIONS_HELD);
            }
            RISK => {
                memory.risks.extend(item(event));
                keep_newest(&mut memory.risks, now.bounds.risks);
            }
            RELEVANT => add_relevant(memory, event),
            VERIFICATION => {
                memory.verification.extend(checked(event));
                let extra = keep_newest(&mut memory.verification, now.bounds.verification);
                if let Some((_, before)) = &mut self.last_edit {
                    *before = before.saturating_sub(extra);
                }
            }
            RETRACT if event.provenance == Provenance::Explicit => take_back(memory, event),
            TRIGGER => {
                let id = event.body.get("trigger").and_then(Value::as_str).unwrap_or_default();
                let until = event.body.get("until").and_then(Value::as_i64).unwrap_or(0);
                self.snoozed.insert(id.chars().take(60).collect(), until);
            }
            kind if RECENT.contains(&kind) => {
                if kind == RECOVERY {
                    for check in &mut memory.verification {
                        check.stale.get_or_insert_with(|| "files were brought back since".to_owned());
                    }
                }
                add_recent(memory, event);
                if kind == EDIT {
                    let path = memory.recent_events.last().and_then(|recent| recent.paths.first());
                    let what = path.map_or_else(|| "a file".to_owned(), |path| format!("`{path}`"));
                    self.last_edit = Some((what, memory.verification.len()));
                }
                keep_newest(&mut memory.recent_events, now.bounds.events);
            }
            _ => {}
        }
    }

    /// What is remembered, seen from now.
    pub fn finish(mut self, now: &Now<'_>) -> WorkMemory {
        if let Some((what, before)) = self.last_edit {
            // Nobody knows what such a check was about: any change may have overtaken it.
            for check in self.memory.verification.iter_mut().take(before).filter(|check| check.scope_unknown)
            {
                check.stale.get_or_insert_with(|| format!("{what} was edited since"));
            }
        }
        settle(&mut self.memory, now);
        self.memory
    }
}

fn set_intent(memory: &mut WorkMemory, event: &Event, now: &Now<'_>) {
    let Some(new) = field(event) else { return };
    if new.source != Provenance::Explicit {
        memory.observed_intent = Some(new);
        return;
    }
    let changed = memory.active_intent.as_ref().is_some_and(|old| old.text != new.text);
    set(&mut memory.active_intent, &mut memory.conflicts, INTENT, new, now);
    if changed {
        for check in &mut memory.verification {
            check.stale.get_or_insert_with(|| "the goal has changed since".to_owned());
        }
        for file in &mut memory.relevant_files {
            file.from_previous_intent = true;
        }
    }
}

/// Takes a person's word; what was seen only fills a gap. Two different tools at the same time are a conflict.
fn set(slot: &mut Option<Field>, conflicts: &mut Vec<Conflict>, name: &str, new: Field, now: &Now<'_>) {
    let explicit = |field: &Field| field.source == Provenance::Explicit;
    match slot {
        Some(old) if explicit(old) && !explicit(&new) => return,
        Some(old)
            if explicit(old)
                && explicit(&new)
                && old.text != new.text
                && old.updated_by != new.updated_by
                && new.last_updated.saturating_sub(old.last_updated) <= now.conflict_window_ms =>
        {
            conflicts.push(Conflict { field: name.to_owned(), first: old.clone(), second: new.clone() });
        }
        // A later word of a person settles it.
        Some(_) => conflicts.retain(|conflict| conflict.field != name),
        None => {}
    }
    *slot = Some(new);
}

fn add_relevant(memory: &mut WorkMemory, event: &Event) {
    let Some(path) = event.body.get("path").and_then(Value::as_str) else { return };
    let explicit = event.provenance == Provenance::Explicit;
    let before = memory.relevant_files.iter().position(|file| file.path == path);
    if let Some(at) = before {
        let old = &memory.relevant_files[at];
        if old.source == Provenance::Explicit && !explicit && !old.from_previous_intent {
            return;
        }
        memory.relevant_files.remove(at);
    }
    memory.relevant_files.push(RelevantFile {
        path: path.to_owned(),
        note: event.body.get("note").and_then(Value::as_str).map(str::to_owned),
        last_updated: event.time_ms,
        updated_by: writer(event),
        source: event.provenance,
        from_previous_intent: false,
    });
}

/// A person takes something back that was said before.
fn take_back(memory: &mut WorkMemory, event: &Event) {
    let word = |name: &str| event.body.get(name).and_then(Value::as_str);
    if let Some(id) = word("item") {
        memory.decisions.retain(|item| item.id != id);
        memory.risks.retain(|item| item.id != id);
    }
    if let Some(path) = word("path") {
        memory.relevant_files.retain(|file| file.path != path);
    }
    if let Some(field) = word("field") {
        memory.conflicts.retain(|conflict| conflict.field != field);
        match field {
            INTENT => memory.active_intent = None,
            NEXT_ACTION => memory.next_action = None,
            _ => {}
        }
    }
}

fn add_recent(memory: &mut WorkMemory, event: &Event) {
    let paths: Vec<String> = event
        .body
        .get("paths")
        .and_then(|paths| serde_json::from_value(paths.clone()).ok())
        .unwrap_or_default();
    memory.recent_events.push(Recent {
        id: event.id.clone(),
        kind: event.kind.clone(),
        time: event.time_ms,
        paths,
        text: text(event),
        tool: event.tool.clone().or_else(|| event.agent.clone()),
        session: event.task.clone(),
        outcome: event.outcome,
        lines: event.body.get("lines").and_then(Value::as_u64),
        source: event.provenance,
    });
}

/// Marks what is old or overtaken, and keeps the newest of everything.
fn settle(memory: &mut WorkMemory, now: &Now<'_>) {
    if let Some(intent) = &mut memory.active_intent {
        let old = now.time_ms.saturating_sub(intent.last_updated) > INTENT_STALE_MS;
        intent.stale = old || (now.commits_since)(intent.last_updated) >= INTENT_STALE_COMMITS;
    }
    if let (Some(next), Some(intent)) = (&mut memory.next_action, &memory.active_intent) {
        next.stale = intent.stale || next.last_updated < intent.last_updated;
    }
    keep_newest(&mut memory.verification, now.bounds.verification);
    let mut hashes: HashMap<String, Option<String>> = HashMap::new();
    for check in &mut memory.verification {
        let Some(hash_of) = now.hash_of else { break };
        if check.stale.is_some() {
            continue;
        }
        let changed = check.scope.iter().find(|mark| {
            let present = hashes.entry(mark.path.clone()).or_insert_with(|| hash_of(&mark.path));
            *present != mark.hash
        });
        check.stale = changed.map(|mark| format!("`{}` has changed since", mark.path));
    }
    let border = now.time_ms.saturating_sub(ARCHIVE_AFTER_MS);
    let (old, current) =
        std::mem::take(&mut memory.decisions).into_iter().partition(|item| item.last_updated < border);
    memory.archived_decisions = old;
    memory.decisions = current;
    keep_newest(&mut memory.decisions, now.bounds.decisions);
    keep_newest(&mut memory.risks, now.bounds.risks);
    keep_newest(&mut memory.relevant_files, now.bounds.relevant_files);
    keep_newest(&mut memory.recent_events, now.bounds.events);
}

/// Keeps the newest; says how many had to go.
fn keep_newest<T>(list: &mut Vec<T>, most: usize) -> usize {
    let extra = list.len().saturating_sub(most);
    list.drain(..extra);
    extra
}

fn text(event: &Event) -> Option<String> {
    event
        .body
        .get("text")
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

fn writer(event: &Event) -> String {
    event.agent.clone().unwrap_or_else(|| "unknown".to_owned())
}

fn field(event: &Event) -> Option<Field> {
    Some(Field {
        text: text(event)?,
        last_updated: event.time_ms,
        updated_by: writer(event),
        source: event.provenance,
        stale: false,
    })
}

fn item(event: &Event) -> Option<Item> {
    Some(Item {
        id: event.id.clone(),
        text: text(event)?,
        last_updated: event.time_ms,
        updated_by: writer(event),
        source: event.provenance,
    })
}

fn checked(event: &Event) -> Option<Verification> {
    let scope: Vec<FileMark> = event
        .body
        .get("scope")
        .and_then(|scope| serde_json::from_value(scope.clone()).ok())
        .unwrap_or_default();
    let result = event.body.get("result").and_then(|result| serde_json::from_value(result.clone()).ok());
    Some(Verification {
        command: event.body.get("command").and_then(Value::as_str)?.to_owned(),
        result: result.unwrap_or(CheckResult::Unknown),
        scope_unknown: scope.is_empty(),
        scope,
        time: event.time_ms,
        updated_by: writer(event),
        source: event.provenance,
        session: event.task.clone(),
        duration_ms: event.body.get("duration_ms").and_then(Value::as_u64),
        stale: None,
    })
}
