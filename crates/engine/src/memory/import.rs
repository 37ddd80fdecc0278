//! `vib memory import`: events in bulk, the memory of another tool, notes for agents. (MM14)
//!
//! Everything is read and checked before a line is written: a file that is cut off, too large or of the wrong kind is named with
//! its line, and nothing is taken from it. Ids come from what is said, so the same file twice adds nothing.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::memory::log::{Event, Log, Provenance, Scope};
use ::memory::work::NOTE;
use redact::{Counts, Gate};
use serde::Serialize;
use serde_json::Value;
use store::{ContentHash, Phase, Progress};

use super::compact::IMPORTED;
use super::places::{archive, logs, project_log};
use super::{note_write, write};
use crate::{Engine, Error, Result, audit};

/// Longest line of a bulk file.
const LONGEST_LINE: u64 = 1 << 20;
/// So long an import may take to be made findable.
const FOLDING: Duration = Duration::from_secs(600);
/// Longest id of another tool.
const LONGEST_ORIGIN: usize = 200;
/// Largest file of another tool.
pub(super) const LARGEST_FILE: u64 = 16 << 20;

/// What an import did.
#[derive(Debug, Clone, Serialize)]
pub struct ImportReport {
    /// Facts in the files.
    pub found: usize,
    /// Facts that were new.
    pub added: usize,
    /// Facts that were there before.
    pub known_before: usize,
    /// Parts of the files that say nothing which memory knows; they are left.
    pub skipped: Vec<String>,
    /// Texts from which a secret or a private detail was taken out.
    pub redacted: bool,
}

/// Takes events out of a file with one JSON object on each line: events as `vib memory export` writes them, or plain objects with
/// `text` and, as far as they are known, `id`, `kind`, `time_ms`, `paths`, `task` (or `session`), `tool`, `agent`.
pub fn import_jsonl(engine: &Engine, by: &str, file: &Path, progress: &dyn Progress) -> Result<ImportReport> {
    let path = engine.context().cwd().join(file);
    let input = std::fs::File::open(&path).map_err(|error| bad(file, None, error.to_string()))?;
    let mut reader = BufReader::new(input);
    let mut events = Vec::new();
    let mut line = Vec::new();
    for number in 1_usize.. {
        line.clear();
        let read = Read::by_ref(&mut reader)
            .take(LONGEST_LINE + 1)
            .read_until(b'\n', &mut line)
            .map_err(|error| bad(file, Some(number), error.to_string()))?;
        if read == 0 {
            break;
        }
        if line.len() as u64 > LONGEST_LINE {
            return Err(bad(file, Some(number), "the line is longer than a megabyte".to_owned()));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let complete = line.ends_with(b"\n");
        let event = parse(engine, &line).map_err(|why| {
            let why = if complete { why } else { format!("the file seems to be cut off here: {why}") };
            bad(file, Some(number), why)
        })?;
        events.push(event);
    }
    add(engine, by, events, Vec::new(), progress)
}

fn parse(engine: &Engine, line: &[u8]) -> std::result::Result<Event, String> {
    let value: Value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    if !value.is_object() {
        return Err("this is no JSON object".to_owned());
    }
    if value.get("id").is_some() && value.get("schema_version").is_some() {
        return serde_json::from_value(value).map_err(|error| error.to_string());
    }
    let word = |name: &str| value.get(name).and_then(Value::as_str);
    let text = word("text").ok_or("there is neither an event nor a `text` in this line")?;
    let time_ms = value.get("time_ms").and_then(Value::as_i64);
    let mut body = serde_json::json!({"text": text});
    for name in ["paths", "commit"] {
        if let Some(more) = value.get(name) {
            body[name] = more.clone();
        }
    }
    // The id it had there is how whoever brought it finds it again.
    let origin = value
        .get("id")
        .and_then(|id| id.as_str().map(str::to_owned).or_else(|| Some(id.as_i64()?.to_string())));
    if let Some(origin) = origin.filter(|origin| !origin.is_empty()) {
        body["ref"] = origin.chars().take(LONGEST_ORIGIN).collect::<String>().into();
    }
    let mut event = fact(engine, word("kind").unwrap_or(NOTE), Provenance::Imported, time_ms, body);
    for (slot, name) in [(&mut event.task, "task"), (&mut event.tool, "tool"), (&mut event.agent, "agent")] {
        *slot = word(name).map(str::to_owned);
    }
    event.task = event.task.or_else(|| word("session").map(str::to_owned));
    Ok(event)
}

/// A fact whose id comes from what it says.
pub(super) fn fact(
    engine: &Engine,
    kind: &str,
    provenance: Provenance,
    time_ms: Option<i64>,
    body: Value,
) -> Event {
    let mark = ContentHash::of(format!("{kind} {time_ms:?} {body}").as_bytes()).to_hex();
    let mut random = [0; 10];
    for (place, pair) in random.iter_mut().zip(mark.as_bytes().chunks(2)) {
        *place = pair.iter().fold(0_u8, |byte, digit| byte.wrapping_mul(16) ^ (digit & 0x1f));
    }
    // Where nobody knows when it was, the id must not depend on today.
    let mut event = Event::new(time_ms.unwrap_or(0), random, Scope::Project, kind, provenance, body);
    event.time_ms = time_ms.unwrap_or_else(|| engine.context().now_ms());
    event
}

/// Appends what is new, all of it in one write.
pub(super) fn add(
    engine: &Engine,
    by: &str,
    mut events: Vec<Event>,
    skipped: Vec<String>,
    progress: &dyn Progress,
) -> Result<ImportReport> {
    let log = project_log(engine);
    log.writable()?;
    let mut known: HashSet<String> = HashSet::new();
    for (_, log) in logs(engine, Some(Scope::Project))? {
        known.extend(log.read()?.events.into_iter().map(|event| event.id));
    }
    let found = events.len();
    events.retain(|event| known.insert(event.id.clone()));
    let mut gate = engine.gate();
    let mut counts = Counts::default();
    progress.begin(Phase::Importing, Some(events.len() as u64));
    for event in &mut events {
        progress.advance(1);
        clean_value(&mut gate, &mut event.body, &mut counts);
        event.scope = Scope::Project;
    }
    let added = events.len();
    // What is no part of work memory goes where recall finds it and no hook has to read it.
    let (bulk, work): (Vec<Event>, Vec<Event>) = events.into_iter().partition(|event| event.kind == NOTE);
    if let Some(first) = bulk.first() {
        Log::at(archive(engine).join(format!("{IMPORTED}{}.jsonl", file_name(&first.id)))).append(&bulk)?;
    }
    if !work.is_empty() {
        write::append_said(engine, &log, &work)?;
    }
    note_write(engine, by, counts, 0, audit::Outcome::Success);
    // Who imports has time, who asks has none. If it cannot be done now, the first question does it.
    let _ = crate::recall::upkeep(engine, FOLDING, progress);
    Ok(ImportReport { found, added, known_before: found - added, skipped, redacted: !counts.is_untouched() })
}

/// Ids of a foreign hand may hold anything.
fn file_name(id: &str) -> String {
    id.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').take(64).collect()
}

/// Every text in a value goes through the gate. Hashes and paths inside the project pass it as they are.
pub(super) fn clean_value(gate: &mut Gate, value: &mut Value, counts: &mut Counts) {
    match value {
        Value::String(text) => {
            let clean = gate.clean(text);
            counts.add(clean.counts());
            *text = clean.into_string();
        }
        Value::Array(list) => list.iter_mut().for_each(|one| clean_value(gate, one, counts)),
        Value::Object(map) => {
            for (name, one) in map.iter_mut() {
                if !matches!(name.as_str(), "hash" | "commit") {
                    clean_value(gate, one, counts);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The whole of a file that is not too large.
pub(super) fn read_whole(engine: &Engine, file: &Path) -> Result<String> {
    let path: PathBuf = engine.context().cwd().join(file);
    let facts = std::fs::metadata(&path).map_err(|error| bad(file, None, error.to_string()))?;
    if !facts.is_file() {
        return Err(bad(file, None, "it is no file".to_owned()));
    }
    if facts.len() > LARGEST_FILE {
        return Err(bad(file, None, format!("it is larger than {} megabytes", LARGEST_FILE >> 20)));
    }
    let bytes = std::fs::read(&path).map_err(|error| bad(file, None, error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| bad(file, None, "it is no text in UTF-8".to_owned()))
}

pub(super) fn bad(file: &Path, line: Option<usize>, detail: String) -> Error {
    let file = file.display().to_string();
    Error::BadImport { file: line.map_or(file.clone(), |line| format!("{file}:{line}")), detail }
}
