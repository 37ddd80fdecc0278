//! `vib doctor --report`: one file that says how things stand, to attach where a fault is told of. (A5)
//!
//! In English, for whoever reads it there. It passes the gate as a whole, and the person is asked to read it first: nothing is sent.

use std::path::Path;

use engine::{Error, Result};
use hooks::calls::{self, CallNote};
use project::config::Source;
use project::{Config, Context};
use redact::{Clean, Gate};
use serde::Serialize;

use super::doctor::DoctorReport;
use crate::answer::Answer;
use crate::cli::Session;
use crate::render;

/// So many of the last calls of hooks are told.
const CALLS: usize = 200;

/// What goes into the file.
pub(crate) struct Facts<'a> {
    pub(crate) version: &'static str,
    /// System, processor and kernel.
    pub(crate) machine: String,
    pub(crate) found: &'a DoctorReport,
    /// Name and value of each setting that somebody made.
    pub(crate) settings: Vec<(&'static str, String)>,
    pub(crate) calls: Vec<CallNote>,
    pub(crate) now_ms: i64,
}

/// What was written.
#[derive(Debug, Serialize)]
pub(crate) struct Written {
    /// The file; nothing if it was printed.
    pub(crate) file: Option<String>,
    pub(crate) bytes: usize,
    /// Secrets that were taken out.
    pub(crate) secrets: usize,
    /// Private details that were taken out or made short.
    pub(crate) private: usize,
    /// The text, where it was to be printed.
    pub(crate) text: Option<String>,
}

/// Makes the report of what was found, and puts it into `file`.
pub(crate) fn make(
    context: &Context,
    file: &Path,
    found: &DoctorReport,
    session: &Session,
) -> Result<Answer> {
    let root = project::find_root(context).map_or_else(|_| context.cwd().to_path_buf(), |(root, _, _)| root);
    // Settings that cannot be read are a finding of the report, not the end of it.
    let config = Config::load(context.config(), &root).ok();
    let facts = Facts {
        version: env!("CARGO_PKG_VERSION"),
        machine: machine(),
        found,
        settings: config.as_ref().map(made_by_somebody).unwrap_or_default(),
        calls: context.state().map(|state| calls::last(state, CALLS)).unwrap_or_default(),
        now_ms: context.now_ms(),
    };
    let mut gate = match &config {
        Some(config) => Gate::new(engine::redaction::private(context, &root, config)),
        None => Gate::new(engine::redaction::private(context, &root, &Config::for_loose_files(None)?)),
    };
    let text = gate.clean(&render::doctor_report(&facts));
    if file == Path::new("-") {
        return Ok(printed(&text, session));
    }
    let path = context.cwd().join(file);
    if path.symlink_metadata().is_ok() {
        return Err(Error::Usage(format!(
            "`{}` is there already and is not overwritten: name another file, as in `vib doctor --report other.md`",
            file.display()
        )));
    }
    project::write_private(&path, text.as_str().as_bytes()).map_err(project::Error::from)?;
    let written = written(Some(file.display().to_string()), &text, None);
    Ok(Answer::new(&session.printer, &written, render::report_written))
}

fn printed(text: &Clean, session: &Session) -> Answer {
    if session.printer.json() {
        return Answer::json(&written(None, text, Some(text.as_str().to_owned())));
    }
    Answer::raw(text.as_str().as_bytes().to_vec())
}

fn written(file: Option<String>, clean: &Clean, text: Option<String>) -> Written {
    let counts = clean.counts();
    Written { file, bytes: clean.as_str().len(), secrets: counts.secrets, private: counts.private, text }
}

fn made_by_somebody(config: &Config) -> Vec<(&'static str, String)> {
    let made = |key: &project::config::Key| match config.get(key.name) {
        Ok((value, source)) if source != Source::Default => Some((key.name, format!("{value} ({source:?})"))),
        _ => None,
    };
    project::config::KEYS.iter().filter_map(made).collect()
}

fn machine() -> String {
    let kernel = kernel();
    format!("{} {}{kernel}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Where the system tells it in a file.
fn kernel() -> String {
    std::fs::read_to_string("/proc/sys/kernel/osrelease")
        .map(|release| format!(", kernel {}", release.trim()))
        .unwrap_or_default()
}
