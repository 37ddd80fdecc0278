//! Recording what a person says.

use ::memory::log::{Provenance, Scope};
use ::memory::work::{self, CheckResult, FileMark, Retract};
use project::RelPath;
use serde_json::{Value, json};

use super::observe::is_minimal;
use super::places::log_of;
use super::present::hash_of;
use super::{note_write, write};
use crate::{Engine, Error, Result, audit};

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
    /// A decision or a risk is taken back, by its id.
    DropItem(String),
    /// A file no longer matters.
    DropFile(RelPath),
    /// There is no goal any more.
    DropIntent,
    /// There is no next step any more.
    DropNext,
}

impl Remember {
    /// What minimal mode still keeps.
    fn is_essential(&self) -> bool {
        !matches!(self, Self::Decision(_) | Self::Risk(_) | Self::Relevant(..))
    }
}

/// What was recorded.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Remembered {
    /// The event's id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Whom it is for.
    pub scope: Scope,
    /// Secrets or private details were taken out of the text first.
    pub redacted: bool,
    /// The end of the log that a crash had torn was set aside here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repaired: Option<String>,
}

/// Records something that a person said about this project. `by` is the tool through which they said it.
pub fn remember(engine: &Engine, by: &str, what: &Remember) -> Result<Remembered> {
    remember_in(engine, by, Scope::Project, what)
}

/// The same for one of the two scopes that a person speaks to: this project, or everything they do. Only decisions and risks, and taking
/// one back, make sense without a project.
pub fn remember_in(engine: &Engine, by: &str, scope: Scope, what: &Remember) -> Result<Remembered> {
    let general = matches!(what, Remember::Decision(_) | Remember::Risk(_) | Remember::DropItem(_));
    if scope == Scope::Session || (scope == Scope::Global && !general) {
        return Err(Error::Usage("only decisions and risks can be remembered for all projects".to_owned()));
    }
    let mut gate = engine.gate();
    let mut counts = redact::Counts::default();
    let mut clean = |text: &str| {
        let clean = gate.clean(text);
        counts.add(clean.counts());
        clean.into_string()
    };
    if is_minimal(engine) && !what.is_essential() {
        return Err(Error::MemoryMinimal);
    }
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
        Remember::DropItem(id) => work::retract(Retract::Item(id)),
        Remember::DropFile(path) => work::retract(Retract::File(&path.to_string())),
        Remember::DropIntent => work::retract(Retract::Intent),
        Remember::DropNext => work::retract(Retract::Next),
    };
    if body.get("text").and_then(Value::as_str).is_some_and(|text| text.trim().is_empty()) {
        return Err(Error::Usage("there is nothing to remember: the text is empty".to_owned()));
    }
    let scope = match what {
        Remember::DropItem(id) => scope_of(engine, scope, id)?,
        _ => scope,
    };
    let log = log_of(engine, scope, None)?;
    write::not_newer(&log)?;
    let paths = usize::from(matches!(what, Remember::Relevant(..) | Remember::DropFile(_)));
    let mut event = write::scoped(engine, scope, kind, Provenance::Explicit, body);
    event.agent = Some(by.to_owned());
    let repaired = write::append_said(engine, &log, std::slice::from_ref(&event))?;
    note_write(engine, by, counts, paths, audit::Outcome::Success);
    Ok(Remembered {
        id: event.id,
        scope,
        kind: kind.to_owned(),
        redacted: !counts.is_untouched(),
        repaired: repaired.map(|repaired| repaired.kept_in.display().to_string()),
    })
}

/// Where the thing stands that is taken back: an id is in one log only.
fn scope_of(engine: &Engine, scope: Scope, id: &str) -> Result<Scope> {
    let is_in = |scope: Scope| {
        let contents = log_of(engine, scope, None).ok().and_then(|log| log.read().ok());
        contents.is_some_and(|contents| contents.events.iter().any(|event| event.id == id))
    };
    if is_in(Scope::Global) {
        return Ok(Scope::Global);
    }
    // Old events are in the archive; what is told of them still has their ids.
    let is_told = || super::show(engine).is_ok_and(|shown| names(&json!(shown.memory), id));
    if is_in(scope) || is_told() { Ok(scope) } else { Err(Error::NoSuchMemory(id.to_owned())) }
}

fn names(value: &Value, id: &str) -> bool {
    match value {
        Value::Object(fields) => {
            fields.get("id").and_then(Value::as_str) == Some(id)
                || fields.values().any(|value| names(value, id))
        }
        Value::Array(all) => all.iter().any(|value| names(value, id)),
        _ => false,
    }
}
