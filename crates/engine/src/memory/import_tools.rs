//! Importing what other tools wrote: a `work_memory.json` of either generation, and notes for agents. (MM14)

use std::path::{Path, PathBuf};

use ::memory::log::{Event, Provenance};
use ::memory::work::{self, CONTEXT, CheckResult};
use serde_json::{Value, json};
use store::Progress;

use super::import::{ImportReport, add, bad, fact, read_whole};
use crate::{Engine, Result};

/// Notes for agents that are looked for when none is named.
const NOTES: [&str; 3] = ["CLAUDE.md", "AGENTS.md", "GEMINI.md"];
/// Longest part of a note, in characters, and most parts of one file.
const PART: usize = 1_500;
const MOST_PARTS: usize = 200;

/// Takes over the memory of an earlier tool. The first generation has plain lists; the second has fields with `last_updated`,
/// `updated_by` and `source`. Decisions, goal and next step are what a person said there; the rest is taken as seen.
pub fn import_work_memory(
    engine: &Engine,
    by: &str,
    file: &Path,
    progress: &dyn Progress,
) -> Result<ImportReport> {
    let text = read_whole(engine, file)?;
    let value: Value =
        serde_json::from_str(&text).map_err(|error| bad(file, Some(error.line()), error.to_string()))?;
    let Some(map) = value.as_object() else {
        return Err(bad(file, None, "it is no work memory: there is no JSON object in it".to_owned()));
    };
    let (mut events, mut skipped) = (Vec::new(), Vec::new());
    let known = ["decisions", "relevant_files", "verification", "active_intent", "next_action", "risks"];
    if !known.iter().any(|name| map.contains_key(*name)) {
        return Err(bad(file, None, format!("it is no work memory: none of {} is in it", known.join(", "))));
    }
    for (name, value) in map {
        match name.as_str() {
            "active_intent" | "intent" => events.extend(one(engine, value, work::intent)),
            "next_action" => events.extend(one(engine, value, work::next_action)),
            "decisions" | "archived_decisions" => {
                many(value, name, &mut events, &mut skipped, |value| one(engine, value, work::decision));
            }
            "risks" => many(value, name, &mut events, &mut skipped, |value| one(engine, value, work::risk)),
            "relevant_files" => {
                many(value, name, &mut events, &mut skipped, |value| relevant(engine, value));
            }
            "verification" => {
                many(value, name, &mut events, &mut skipped, |value| verification(engine, value));
            }
            // Of what was seen there nothing is a fact here.
            "recent_events" | "watch_events" | "conflicts" | "observed_intent" => {}
            "schema_version" | "version" | "as_of" | "note" | "updated_at" => {}
            other => skipped.push(other.to_owned()),
        }
    }
    // In order of time: the newest goal must come last.
    events.sort_by_key(|event| event.time_ms);
    add(engine, by, events, skipped, progress)
}

fn many(
    value: &Value,
    name: &str,
    events: &mut Vec<Event>,
    skipped: &mut Vec<String>,
    take: impl Fn(&Value) -> Option<Event>,
) {
    let Some(list) = value.as_array() else {
        skipped.push(format!("{name}: no list"));
        return;
    };
    for (at, one) in list.iter().enumerate() {
        match take(one) {
            Some(event) => events.push(event),
            None => skipped.push(format!("{name}[{at}]")),
        }
    }
}

/// The text of an entry, under the names that were used for it.
fn text_of(value: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    }
    let names = ["text", "value", "summary", "decision", "title", "description", "message"];
    let text = names.iter().find_map(|name| value.get(*name)?.as_str())?.trim();
    let reason = ["reason", "why", "rationale"].iter().find_map(|name| value.get(*name)?.as_str());
    match reason.map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) if !text.is_empty() => Some(format!("{text} (because {reason})")),
        _ => Some(text.to_owned()).filter(|text| !text.is_empty()),
    }
}

/// When it was: seconds or milliseconds since 1970, or a date.
fn time_of(value: &Value) -> Option<i64> {
    let names = ["last_updated", "time", "timestamp", "created_at", "updated_at", "at", "ts"];
    names.iter().find_map(|name| {
        let value = value.get(*name)?;
        if let Some(number) = value.as_f64() {
            return Some(if number < 1e11 { (number * 1000.0) as i64 } else { number as i64 });
        }
        value.as_str()?.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
    })
}

fn finish(engine: &Engine, value: &Value, (kind, body): (&str, Value), otherwise: Provenance) -> Event {
    let provenance = match value.get("source").and_then(Value::as_str) {
        Some("explicit") => Provenance::Explicit,
        Some(_) => Provenance::Imported,
        None => otherwise,
    };
    let mut event = fact(engine, kind, provenance, time_of(value), body);
    let by = value.get("updated_by").and_then(Value::as_str).unwrap_or("import");
    event.agent = Some(by.chars().take(60).collect());
    event
}

fn one(engine: &Engine, value: &Value, make: fn(&str) -> (&'static str, Value)) -> Option<Event> {
    Some(finish(engine, value, make(&text_of(value)?), Provenance::Explicit))
}

fn relevant(engine: &Engine, value: &Value) -> Option<Event> {
    let path = value.as_str().or_else(|| value.get("path").or_else(|| value.get("file"))?.as_str())?;
    let path = path.trim().trim_start_matches("./").replace('\\', "/");
    // A place outside the project is nobody's file here.
    let path = project::RelPath::new(path.as_bytes()).ok()?.to_string();
    let note = ["note", "why", "reason"].iter().find_map(|name| value.get(*name)?.as_str());
    Some(finish(engine, value, work::relevant(&path, note), Provenance::Imported))
}

fn verification(engine: &Engine, value: &Value) -> Option<Event> {
    let command = value.as_str().or_else(|| value.get("command").or_else(|| value.get("text"))?.as_str())?;
    let result = match value.get("result").or_else(|| value.get("status")).and_then(Value::as_str) {
        Some("passed" | "pass" | "ok" | "success") => CheckResult::Passed,
        Some("failed" | "fail" | "error") => CheckResult::Failed,
        Some("skipped" | "skip") => CheckResult::Skipped,
        _ => CheckResult::Unknown,
    };
    let mut event = finish(engine, value, work::verification(command, result, &[]), Provenance::Imported);
    event.outcome = Some(super::outcome_of(result));
    Some(event)
}

/// Takes notes for agents as context: what they say was never decided here.
pub fn import_notes(
    engine: &Engine,
    by: &str,
    files: &[PathBuf],
    progress: &dyn Progress,
) -> Result<ImportReport> {
    let root = engine.project().root();
    let found: Vec<PathBuf> = if files.is_empty() {
        NOTES.iter().map(|name| root.join(name)).filter(|path| path.is_file()).collect()
    } else {
        files.to_vec()
    };
    let (mut events, mut skipped) = (Vec::new(), Vec::new());
    for file in &found {
        let text = read_whole(engine, file)?;
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let parts = parts(&text);
        if parts.len() > MOST_PARTS {
            skipped.push(format!("{name}: {} parts beyond the first {MOST_PARTS}", parts.len() - MOST_PARTS));
        }
        for (heading, text) in parts.into_iter().take(MOST_PARTS) {
            let body = json!({"text": text, "heading": heading, "paths": [name]});
            let mut event = fact(engine, CONTEXT, Provenance::Imported, None, body);
            event.agent = Some("import".to_owned());
            events.push(event);
        }
    }
    add(engine, by, events, skipped, progress)
}

/// A note by its headings; a long part in pieces of whole paragraphs.
fn parts(text: &str) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    let (mut heading, mut piece) = (String::new(), String::new());
    let mut in_code = false;
    let mut put = |heading: &str, piece: &mut String| {
        let text = std::mem::take(piece);
        let text = text.trim();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.char_indices().nth(PART).map_or(rest.len(), |(at, _)| at);
            let cut = if end == rest.len() {
                end
            } else {
                rest[..end].rfind("\n\n").filter(|at| *at > 0).unwrap_or(end)
            };
            parts.push((heading.to_owned(), rest[..cut].trim().to_owned()));
            rest = rest[cut..].trim_start();
        }
    };
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if !in_code && line.starts_with('#') {
            put(&heading, &mut piece);
            line.trim_start_matches('#').trim().clone_into(&mut heading);
            continue;
        }
        piece.push_str(line);
        piece.push('\n');
    }
    put(&heading, &mut piece);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_cut_at_headings_and_long_ones_at_paragraphs() {
        let long = "word ".repeat(200);
        let text = format!("start\n# One\na\n```\n# no heading\n```\n## Two\n{long}\n\n{long}\n");
        let parts = parts(&text);
        let heads: Vec<&str> = parts.iter().map(|(heading, _)| heading.as_str()).collect();
        assert_eq!(heads, ["", "One", "Two", "Two"]);
        assert!(parts[1].1.contains("# no heading"));
        assert!(parts.iter().all(|(_, text)| text.chars().count() <= PART));
    }

    #[test]
    fn times_are_understood_in_the_forms_that_were_used() {
        for value in [
            json!({"time": 1_700_000_000}),
            json!({"timestamp": 1_700_000_000_000_i64}),
            json!({"last_updated": "2023-11-14T22:13:20Z"}),
        ] {
            assert_eq!(time_of(&value), Some(1_700_000_000_000), "{value}");
        }
        assert_eq!(time_of(&json!({"time": "yesterday"})), None);
    }
}
