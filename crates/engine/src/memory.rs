//! What are we doing, what was decided, what was checked, what comes next: recorded and shown. (MM2, MM3)
//!
//! Everything that is recorded passes the redaction gate first; what is shown is computed from the log.

use ::memory::log::{Contents, Event, Log, Provenance, Scope};
use ::memory::work::{self, FileMark, Now, WorkMemory};
use project::RelPath;
use serde_json::Value;
use store::ContentHash;

pub use ::memory::log::Provenance as Source;
pub use ::memory::work::{CheckResult, Field, Item};

use crate::{Engine, Error, Result};

/// Something a person wants remembered.
#[derive(Debug, Clone)]
pub enum Remember {
    /// What is being worked on.
    Intent(String),
    /// What comes next.
    Next(String),
    /// Something that was decided.
    Decision(String),
    /// Something to watch out for.
    Risk(String),
    /// A file that matters, and why.
    Relevant(RelPath, Option<String>),
    /// A check that was run, and on which files.
    Check(String, CheckResult, Vec<RelPath>),
}

/// What was recorded.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Remembered {
    /// The event's id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Secrets or private details were taken out of the text first.
    pub redacted: bool,
    /// The end of the log that a crash had torn was set aside here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repaired: Option<String>,
}

/// Work memory, and what is wrong with its log.
#[derive(Debug, Clone, serde::Serialize)]
pub struct MemoryReport {
    /// What is remembered.
    pub memory: WorkMemory,
    /// How many events there are.
    pub events: usize,
    /// Lines of the log that are no events, by number.
    pub bad_lines: Vec<usize>,
    /// Time of the report.
    pub now_ms: i64,
}

/// Records something that a person said. `by` is the tool through which they said it.
pub fn remember(engine: &Engine, by: &str, what: &Remember) -> Result<Remembered> {
    let mut gate = engine.gate();
    let mut redacted = false;
    let mut clean = |text: &str| {
        let clean = gate.clean(text);
        redacted |= !clean.counts().is_untouched();
        clean.into_string()
    };
    let (kind, body) = match what {
        Remember::Intent(text) => work::intent(&clean(text)),
        Remember::Next(text) => work::next_action(&clean(text)),
        Remember::Decision(text) => work::decision(&clean(text)),
        Remember::Risk(text) => work::risk(&clean(text)),
        Remember::Relevant(path, note) => {
            let note = note.as_deref().map(&mut clean);
            work::relevant(&path.to_string(), note.as_deref())
        }
        Remember::Check(command, result, files) => {
            let mark = |path: &RelPath| FileMark { path: path.to_string(), hash: hash_of(engine, path) };
            let scope: Vec<FileMark> = files.iter().map(mark).collect();
            work::verification(&clean(command), *result, &scope)
        }
    };
    if body.get("text").and_then(Value::as_str).is_some_and(|text| text.trim().is_empty()) {
        return Err(Error::Usage("there is nothing to remember: the text is empty".to_owned()));
    }
    let mut event = event(engine, kind, body);
    event.agent = Some(by.to_owned());
    let repaired = log(engine).append(std::slice::from_ref(&event))?;
    Ok(Remembered {
        id: event.id,
        kind: kind.to_owned(),
        redacted,
        repaired: repaired.map(|repaired| repaired.kept_in.display().to_string()),
    })
}

/// What is remembered now.
pub fn show(engine: &Engine) -> Result<MemoryReport> {
    let contents = log(engine).read()?;
    let now_ms = engine.context().now_ms();
    Ok(MemoryReport {
        memory: fold(engine, &contents, now_ms),
        events: contents.events.len(),
        bad_lines: contents.bad.iter().map(|bad| bad.line).collect(),
        now_ms,
    })
}

/// A few lines for an agent at the beginning of its session; empty where nobody said anything.
pub fn summary(engine: &Engine) -> Result<Vec<String>> {
    let contents = log(engine).read()?;
    if contents.events.is_empty() {
        return Ok(Vec::new());
    }
    let memory = fold(engine, &contents, engine.context().now_ms());
    let mut lines = Vec::new();
    let stale = |stale: bool| if stale { " (may be out of date: ask)" } else { "" };
    if let Some(intent) = &memory.active_intent {
        lines.push(format!("Goal, as the person gave it: \"{}\"{}", intent.text, stale(intent.stale)));
    }
    if let Some(next) = &memory.next_action {
        lines.push(format!("Next step, as agreed: \"{}\"{}", next.text, stale(next.stale)));
    }
    for decision in memory.decisions.iter().rev().take(5) {
        lines.push(format!("Decided by the person: \"{}\"", decision.text));
    }
    for risk in memory.risks.iter().rev().take(3) {
        lines.push(format!("Watch out: \"{}\"", risk.text));
    }
    if let Some(check) = memory.verification.last() {
        let how = serde_json::to_value(check.result).ok().and_then(|word| word.as_str().map(str::to_owned));
        let age = check.stale.as_ref().map(|why| format!(", no longer valid: {why}")).unwrap_or_default();
        lines.push(format!("Last check: `{}` {}{age}", check.command, how.unwrap_or_default()));
    }
    for conflict in &memory.conflicts {
        lines.push(format!(
            "Two tools disagree about {}: \"{}\" and \"{}\"; ask the person",
            conflict.field, conflict.first.text, conflict.second.text
        ));
    }
    Ok(lines)
}

fn fold(engine: &Engine, contents: &Contents, now_ms: i64) -> WorkMemory {
    let hash = |path: &str| RelPath::new(path.as_bytes()).ok().and_then(|path| hash_of(engine, &path));
    let window = engine.project().config().number("memory.conflict_window_seconds");
    let now = Now {
        time_ms: now_ms,
        hash_of: &hash,
        // Counting commits needs git's history; time alone decides until it is read.
        commits_since: &|_| 0,
        conflict_window_ms: i64::try_from(window).unwrap_or(60).saturating_mul(1000),
    };
    work::fold(&contents.events, &now)
}

fn log(engine: &Engine) -> Log {
    Log::at(engine.project().state().join("memory").join("project.jsonl"))
}

fn event(engine: &Engine, kind: &str, body: Value) -> Event {
    let context = engine.context();
    let mut random = [0; 10];
    random[..8].copy_from_slice(&context.random_u64().to_le_bytes());
    random[8..].copy_from_slice(&context.random_u64().to_le_bytes()[..2]);
    Event::new(context.now_ms(), random, Scope::Project, kind, Provenance::Explicit, body)
}

fn hash_of(engine: &Engine, path: &RelPath) -> Option<String> {
    let file = path.to_path(engine.project().root());
    let facts = std::fs::symlink_metadata(&file).ok()?;
    let content = if facts.is_file() { std::fs::read(&file).ok()? } else { return None };
    Some(ContentHash::of(&content).to_hex())
}
