//! `vib memory rebuild`: everything that is derived is thrown away and made again from the log; old formats are replayed into
//! the present one. (MM11)

use std::collections::{BTreeMap, HashSet};

use ::memory::log::{Event, Log, Outcome, Provenance, Scope};
use ::memory::work::PATCH;
use serde::Serialize;
use serde_json::{Value, json};

use super::places::{archive, logs, project_log};
use super::{hot, view};
use crate::{Engine, Result};

/// Before there was one log, patches wrote their rows here.
const OLD_EVENTS: &str = "events.jsonl";

/// What a rebuild did, or would do.
#[derive(Debug, Clone, Serialize)]
pub struct RebuildReport {
    /// Only looked.
    pub dry_run: bool,
    /// Events in all logs of the project.
    pub events: usize,
    /// How many of each format.
    pub by_schema: BTreeMap<u32, usize>,
    /// Events of an older format that were (or would be) replayed into the present one.
    pub migrated: usize,
    /// Older rows that could not be understood, by line; they stay where they are.
    pub not_migrated: Vec<usize>,
    /// Events of a newer format: read as far as possible, never changed.
    pub newer: usize,
    /// Lines of the log that are no events.
    pub bad_lines: Vec<usize>,
    /// The views, and whether each was the same before.
    pub views: Vec<ViewReport>,
    /// Memories in the index that recall looks into, which was made anew; none if it was only looked.
    pub indexed: Option<usize>,
}

/// One view.
#[derive(Debug, Clone, Serialize)]
pub struct ViewReport {
    /// Its name.
    pub name: String,
    /// It was exactly what the log gives.
    pub same: bool,
}

/// Replays old formats, then makes every view anew.
pub fn rebuild(engine: &Engine, dry_run: bool, progress: &dyn store::Progress) -> Result<RebuildReport> {
    let live = project_log(engine);
    let before = live.read()?;
    let newer = before.newer;
    let (old, not_migrated) = old_rows(engine);
    let mut known = HashSet::new();
    let mut by_schema: BTreeMap<u32, usize> = BTreeMap::new();
    let mut count = |events: &[Event]| {
        for event in events {
            if known.insert(event.id.clone()) {
                *by_schema.entry(event.schema_version).or_default() += 1;
            }
        }
    };
    count(&before.events);
    for (_, log) in logs(engine, Some(Scope::Project))?.iter().chain(&logs(engine, Some(Scope::Session))?) {
        if log.path() != live.path() {
            count(&log.read()?.events);
        }
    }
    let fresh: Vec<Event> = old.into_iter().filter(|event| !known.contains(&event.id)).collect();
    // What a newer vib wrote is not ours to add to.
    let migrated = if newer > 0 { 0 } else { fresh.len() };
    if !dry_run && newer == 0 {
        move_over(engine, &live, &fresh, not_migrated.is_empty())?;
    }
    let path = view::view_path(engine);
    let bad_lines = before.bad.iter().map(|bad| bad.line).collect();
    let now = view::text_of(engine, &if migrated > 0 { live.read()? } else { before });
    let was = std::fs::read_to_string(&path).ok();
    if !dry_run {
        hot::forget(engine);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(project::Error::from(error).into());
            }
            _ => view::write(engine)?,
        }
    }
    let indexed = if dry_run { None } else { Some(crate::recall::rebuild(engine, progress)?) };
    Ok(RebuildReport {
        dry_run,
        events: known.len() + if dry_run { 0 } else { migrated },
        by_schema,
        migrated,
        not_migrated,
        newer,
        bad_lines,
        views: vec![ViewReport { name: "work_memory.json".to_owned(), same: was.as_deref() == Some(&now) }],
        indexed,
    })
}

/// Appends what was replayed, then puts the old file into the archive. Cut off between the two, the next rebuild finds the same
/// ids again and adds nothing.
fn move_over(engine: &Engine, log: &Log, events: &[Event], complete: bool) -> Result<()> {
    if !events.is_empty() {
        log.append(events)?;
    }
    let old = engine.project().state().join(OLD_EVENTS);
    if complete && old.exists() {
        let io = |error: std::io::Error| crate::Error::from(project::Error::from(error));
        project::platform::make_private_dir(&archive(engine)).map_err(io)?;
        std::fs::rename(&old, archive(engine).join("patch-events.old")).map_err(io)?;
    }
    Ok(())
}

/// The rows of the file before, as events of today; and the lines that are none.
fn old_rows(engine: &Engine) -> (Vec<Event>, Vec<usize>) {
    let text = std::fs::read_to_string(engine.project().state().join(OLD_EVENTS)).unwrap_or_default();
    let (mut events, mut bad) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        match serde_json::from_str::<Value>(line).ok().and_then(|row| replay(&row, number)) {
            Some(event) => events.push(event),
            None => bad.push(number + 1),
        }
    }
    (events, bad)
}

/// One row of format 0 (`v`, `at_ms`, `event`, `data`). Its id comes from what it says, so that a second replay gives the same.
fn replay(row: &Value, number: usize) -> Option<Event> {
    let name = row.get("event")?.as_str()?;
    let time_ms = row.get("at_ms")?.as_i64()?;
    let mut random = [0; 10];
    let mark = store::ContentHash::of(format!("{number} {row}").as_bytes()).to_hex();
    for (place, byte) in random.iter_mut().zip(mark.bytes()) {
        *place = byte;
    }
    let data = row.get("data").cloned().unwrap_or_default();
    Some(patch_event(
        Event::new(time_ms, random, Scope::Project, PATCH, Provenance::Observed, json!({})),
        name,
        &data,
    ))
}

/// Fills an event about a patch: its name stays what it was (`PATCH_DIFF_APPLIED`, …).
pub(crate) fn patch_event(mut event: Event, name: &str, data: &Value) -> Event {
    let paths: Vec<Value> = data
        .get("files")
        .and_then(Value::as_array)
        .map(|files| files.iter().filter_map(|file| file.get("path").cloned()).collect())
        .unwrap_or_default();
    event.outcome = match name {
        "PATCH_DIFF_APPLIED" => Some(Outcome::Success),
        "PATCH_DIFF_FAILED" | "PATCH_DIFF_REFUSED" => Some(Outcome::Failure),
        _ => None,
    };
    event.tool = Some("vib patch".to_owned());
    event.body = json!({"event": name, "paths": paths, "data": data});
    event
}
