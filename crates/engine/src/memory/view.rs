//! `work_memory.json`: the log as a person can read it. A view and nothing else: it can be deleted, and comes back the same.

use std::path::PathBuf;

use ::memory::log::{Contents, SCHEMA_VERSION};
use ::memory::work::{Now, WorkMemory};
use project::{FileLock, write_view};
use serde::Serialize;

use super::compact::bounds;
use super::places::{folder, project_log};
use crate::{Engine, Result};

/// The file's name in the project's memory folder.
const FILE: &str = "work_memory.json";
/// A log up to this length is read for a fresh view after every word of a person: that takes about a quarter of a millisecond.
const SHORT: u64 = 8 << 10;
/// At the end of a turn or a session: that takes about two milliseconds. Reading all of a log of hundreds of sessions would take as long as
/// everything else that a session's end does.
const MIDDLE: u64 = 128 << 10;
/// Where somebody looks and waits, the log may be longer.
const LONG: u64 = 4 << 20;

#[derive(Serialize)]
struct View<'a> {
    schema_version: u32,
    note: &'static str,
    /// Time of the newest event: the view shows what was known then.
    as_of: i64,
    #[serde(flatten)]
    memory: &'a WorkMemory,
}

/// Where the view is.
pub fn view_path(engine: &Engine) -> PathBuf {
    folder(engine).join(FILE)
}

/// The view's text: a pure function of the log. What is stale depends on the files of today, so it is not said here.
pub(super) fn text_of(engine: &Engine, contents: &Contents) -> String {
    let as_of = contents.events.iter().map(|event| event.time_ms).max().unwrap_or(0);
    let window = engine.project().config().number("memory.conflict_window_seconds");
    let now = Now {
        time_ms: as_of,
        hash_of: None,
        commits_since: &|_| 0,
        conflict_window_ms: i64::try_from(window).unwrap_or(60).saturating_mul(1000),
        bounds: bounds(engine),
    };
    let view = View {
        schema_version: SCHEMA_VERSION,
        note: "Made by vib from its log; changes here are overwritten. `vib memory show` also says what is out of date.",
        as_of,
        memory: &super::present::fold_events(&contents.events, &now),
    };
    // A view of plain data can always be written.
    let mut text = serde_json::to_string_pretty(&view).unwrap_or_default();
    text.push('\n');
    text
}

/// Writes the view anew.
pub(super) fn write(engine: &Engine) -> Result<()> {
    let path = view_path(engine);
    let io = |error: std::io::Error| crate::Error::from(project::Error::from(error));
    project::platform::make_private_dir(&folder(engine)).map_err(io)?;
    // Read inside the lock: two writers must not leave the older view.
    let _lock = FileLock::wait(&path.with_extension("lock")).map_err(io)?;
    let text = text_of(engine, &project_log(engine).read()?);
    write_view(&path, text.as_bytes()).map_err(io)
}

/// The same on the way of something else, as long as the log is short. Else the old view goes, so that nobody takes it for the
/// present one: whoever looks at memory next, or the end of a session while the log is not long, makes it again.
pub(super) fn refresh(engine: &Engine) {
    refresh_up_to(engine, SHORT);
}

/// At the end of a session there is a little more time.
pub(crate) fn refresh_at_end(engine: &Engine) {
    refresh_up_to(engine, MIDDLE);
}

/// Makes a view again that had to go: a turn is over, and the log is not long.
pub fn bring_back_in_passing(engine: &Engine) {
    bring_back_up_to(engine, MIDDLE);
}

/// The same for somebody who is just looking at what is remembered.
pub(super) fn bring_back(engine: &Engine) {
    bring_back_up_to(engine, LONG);
}

fn bring_back_up_to(engine: &Engine, longest: u64) {
    let length = std::fs::metadata(project_log(engine).path()).map(|facts| facts.len());
    if length.is_ok_and(|length| length <= longest) && !view_path(engine).exists() {
        refresh_up_to(engine, longest);
    }
}

fn refresh_up_to(engine: &Engine, longest: u64) {
    let length = std::fs::metadata(project_log(engine).path()).map_or(0, |facts| facts.len());
    if length <= longest {
        let _ = write(engine);
    } else {
        // Under the lock: somebody who is just writing a view may not know of the newest event yet.
        let path = view_path(engine);
        let _lock = FileLock::wait(&path.with_extension("lock"));
        let _ = std::fs::remove_file(path);
    }
}
