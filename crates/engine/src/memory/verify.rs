//! `vib verify -- COMMAND`: runs a check and remembers how it ended, and on which content. (MM2, MM3)

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Instant;

use ::memory::log::{Event, Provenance};
use ::memory::work::{self, CheckResult, EDIT, FileMark};
use project::RelPath;
use serde::Serialize;
use serde_json::json;
use store::Silent;

use super::places::project_log;
use super::present::hash_of;
use super::write;
use crate::{Engine, Error, Result, audit, status};

/// Most files whose content one check is tied to.
const MOST_FILES: usize = 200;

/// How a check went.
#[derive(Debug, Clone, Serialize)]
pub struct CheckReport {
    /// The event.
    pub id: String,
    /// What was run, without secrets.
    pub command: String,
    /// How it ended.
    pub result: CheckResult,
    /// The command's own code; 127 if it could not be started.
    pub exit: u8,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The files it is about: when one of them changes, the check no longer counts.
    pub scope: Vec<String>,
    /// Nobody knows which files it is about.
    pub scope_unknown: bool,
    /// Files that are not among them because there are too many.
    pub scope_left_out: usize,
    /// Why it could not be started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_started: Option<String>,
    /// Secrets or private details were taken out of the command before it was written down.
    pub redacted: bool,
}

/// Runs a command, its output going where ours goes, and records the result. `quiet`: standard output is needed for something
/// else, so the command's goes to standard error.
pub fn verify(
    engine: &Engine,
    by: &str,
    command: &[OsString],
    scope: &[RelPath],
    quiet: bool,
) -> Result<CheckReport> {
    let (program, arguments) = command
        .split_first()
        .ok_or_else(|| Error::Usage("there is no command to run: `vib verify -- COMMAND`".to_owned()))?;
    // A result that could not be written down is not worth the wait.
    project_log(engine).writable()?;
    let words: Vec<String> = command.iter().map(|word| shown(&word.to_string_lossy())).collect();
    let clean = engine.gate().clean(&words.join(" "));
    let mut files = if scope.is_empty() { likely_scope(engine, clean.as_str())? } else { named(scope) };
    let scope_left_out = files.len().saturating_sub(MOST_FILES);
    files.drain(..scope_left_out);
    // What the files were before: if one changes while the check runs, the check was not about what is there then.
    let marks: Vec<FileMark> = files.iter().filter_map(|path| mark(engine, path)).collect();

    let started = Instant::now();
    let mut child = Command::new(program);
    child.args(arguments).current_dir(engine.context().cwd());
    if quiet {
        child.stdout(Stdio::from(std::io::stderr()));
    }
    let ended = child.status();
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (result, exit, not_started) = match ended {
        Ok(status) if status.success() => (CheckResult::Passed, 0, None),
        Ok(status) => (CheckResult::Failed, code_of(status), None),
        Err(error) => (CheckResult::Skipped, 127, Some(error.to_string())),
    };

    let (kind, mut body) = work::verification(clean.as_str(), result, &marks);
    body["duration_ms"] = json!(duration_ms);
    body["paths"] = json!(marks.iter().map(|mark| &mark.path).collect::<Vec<_>>());
    let mut event = write::event(engine, kind, Provenance::Explicit, body);
    event.agent = Some(by.to_owned());
    event.outcome = Some(super::outcome_of(result));
    write::append_said(engine, &project_log(engine), std::slice::from_ref(&event))?;
    super::note_write(engine, by, clean.counts(), marks.len(), audit::Outcome::Success);
    Ok(CheckReport {
        id: event.id,
        command: clean.as_str().to_owned(),
        result,
        exit,
        duration_ms,
        scope_unknown: marks.is_empty(),
        scope: marks.into_iter().map(|mark| mark.path).collect(),
        scope_left_out,
        not_started,
        redacted: !clean.counts().is_untouched(),
    })
}

/// A word as a person would type it.
fn shown(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn named(scope: &[RelPath]) -> Vec<String> {
    scope.iter().map(ToString::to_string).collect()
}

fn mark(engine: &Engine, path: &str) -> Option<FileMark> {
    let inside = RelPath::new(path.as_bytes()).ok()?;
    Some(FileMark { path: path.to_owned(), hash: hash_of(engine, &inside) })
}

/// What such a check is probably about, where nobody said it: what it was about the last time, what was edited since it last
/// passed, what differs from the last checkpoint, and the files that a person named as relevant.
fn likely_scope(engine: &Engine, command: &str) -> Result<Vec<String>> {
    let contents = project_log(engine).read()?;
    let memory = super::present::fold(engine, &contents, engine.context().now_ms());
    let mut files: Vec<String> = Vec::new();
    let mut add = |path: &str| {
        if !files.iter().any(|known| known == path) {
            files.push(path.to_owned());
        }
    };
    let before: Vec<&work::Verification> =
        memory.verification.iter().filter(|check| check.command == command).collect();
    if let Some(last) = before.last() {
        last.scope.iter().for_each(|mark| add(&mark.path));
    }
    let passed =
        before.iter().rev().find(|check| check.result == CheckResult::Passed).map_or(0, |check| check.time);
    let edits = contents.events.iter().filter(|event| event.kind == EDIT && event.time_ms > passed);
    edits.for_each(|event: &Event| super::paths_of(event).iter().for_each(|path| add(path)));
    let current = memory.relevant_files.iter().filter(|file| !file.from_previous_intent);
    current.for_each(|file| add(&file.path));
    let changed = status::status(engine, &Silent)?.changes.files;
    changed.iter().for_each(|file| add(&file.path));
    files.retain(|path| {
        RelPath::new(path.as_bytes()).is_ok_and(|path| path.to_path(engine.project().root()).is_file())
    });
    Ok(files)
}

#[cfg(unix)]
fn code_of(status: std::process::ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

#[cfg(not(unix))]
fn code_of(status: std::process::ExitStatus) -> u8 {
    u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)
}
