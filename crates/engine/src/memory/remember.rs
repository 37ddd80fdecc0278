//! Recording what a person says.

use ::memory::log::{Event, Provenance, Scope};
use ::memory::work::{self, CheckResult, FileMark};
use project::RelPath;
use serde_json::Value;

use super::places::project_log;
use super::present::hash_of;
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
    let repaired = project_log(engine).append(std::slice::from_ref(&event))?;
    Ok(Remembered {
        id: event.id,
        kind: kind.to_owned(),
        redacted,
        repaired: repaired.map(|repaired| repaired.kept_in.display().to_string()),
    })
}

fn event(engine: &Engine, kind: &str, body: Value) -> Event {
    let context = engine.context();
    let mut random = [0; 10];
    random[..8].copy_from_slice(&context.random_u64().to_le_bytes());
    random[8..].copy_from_slice(&context.random_u64().to_le_bytes()[..2]);
    Event::new(context.now_ms(), random, Scope::Project, kind, Provenance::Explicit, body)
}
