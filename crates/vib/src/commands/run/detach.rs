//! A run without a terminal: a plain child process with a session of its own and a log in the run's folder. No daemon: it ends with the run.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use agent::work::WorkEnd;
use engine::run::log::RunLog;
use engine::run::{self, RunError};
use engine::{Engine, Error, Result};
use project::platform;
use serde::Serialize;

use super::at_work::{self, Going};
use super::main;
use crate::answer::Answer;
use crate::cli::Session;
use crate::commands::bisect::stop_on_signals;

/// The file in the run's folder that whoever works without a terminal writes into.
const LOG: &str = "work.log";
const PAUSE: Duration = Duration::from_millis(100);
/// So long a child may take to take the run up.
const BEGINNING: Duration = Duration::from_secs(20);

#[derive(Debug, Serialize)]
struct Detached {
    run: String,
    pid: u32,
    log: String,
}

/// Hands a run over to a process of its own.
pub(super) fn begin(engine: &Engine, log: RunLog, session: &Session) -> Result<Answer> {
    let (id, folder) = (log.id().to_owned(), log.folder().to_path_buf());
    // The child takes it.
    drop(log);
    let io = |error: std::io::Error| Error::from(project::Error::from(error));
    let file = folder.join(LOG);
    let out = platform::open_private_append(&file).map_err(io)?;
    let mut command = Command::new(std::env::current_exe().map_err(io)?);
    command
        .args(["run", "work", &id, "--no-pager", "--color", "never"])
        .current_dir(engine.project().root())
        .stdin(Stdio::null())
        .stdout(out.try_clone().map_err(io)?)
        .stderr(out);
    platform::in_own_group(&mut command);
    let mut child = command.spawn().map_err(io)?;
    let began = std::time::Instant::now();
    // Told only once it is true: it works on it, or is done already.
    while began.elapsed() < BEGINNING && !run::is_running(engine, &id) {
        if child.try_wait().map_err(io)?.is_some() {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    let report = Detached { run: id, pid: child.id(), log: file.display().to_string() };
    Ok(Answer::new(&session.printer, &report, |report, _| {
        let Detached { run, pid, .. } = report;
        format!(
            "{run} works without this terminal (process {pid}).\n`vib run attach {run}` watches, `vib run stop {run}` ends it.\n"
        )
    }))
}

/// The process that works without a terminal. It answers nothing: a run that waits for a person goes on waiting.
pub(super) fn work(typed: &str, session: &mut Session) -> Result<Answer> {
    platform::in_own_session();
    let engine = main(session)?;
    let place = run::place(typed)?;
    if run::show(&engine, &place.run)?.paused.is_some_and(|pause| pause.code != "stopped") {
        return Err(Error::Usage(format!(
            "{} waits for a person: `vib run resume {} ANSWER`",
            place.run, place.run
        )));
    }
    let log = RunLog::open(&engine, &place.run)?;
    at_work::go(&engine, log, Going { alone: true, ..Going::default() }, session)
}

#[derive(Debug, Serialize)]
struct Attached {
    run: String,
    running: bool,
}

/// Shows what a run without a terminal says, until it ends.
pub(super) fn attach(typed: &str, session: &mut Session) -> Result<Answer> {
    let engine = main(session)?;
    let id = run::place(typed)?.run;
    let folder = run_folder(&engine, &id)?;
    let stopped = stop_on_signals();
    let mut at = 0;
    let mut running = true;
    while running && !stopped.load(Ordering::Relaxed) {
        // Looked at before the last words are read, so that none is missed.
        running = run::is_running(&engine, &id);
        let text = since(&folder.join(LOG), &mut at);
        if !session.printer.json() && !text.is_empty() {
            session.printer.now(&text);
        }
        if running {
            std::thread::sleep(PAUSE);
        }
    }
    let report = Attached { run: id, running };
    Ok(Answer::new(&session.printer, &report, |report, _| match report.running {
        true => format!("{} goes on without this terminal.\n", report.run),
        false => format!("Nobody works on {} now: `vib run show {}`\n", report.run, report.run),
    }))
}

fn run_folder(engine: &Engine, id: &str) -> Result<std::path::PathBuf> {
    let folder = engine.project().shared_state().join("runs").join(id);
    if folder.is_dir() { Ok(folder) } else { Err(RunError::Unknown(id.to_owned()).into()) }
}

fn since(file: &Path, at: &mut u64) -> String {
    let mut bytes = Vec::new();
    let Ok(mut open) = std::fs::File::open(file) else { return String::new() };
    if open.seek(SeekFrom::Start(*at)).and_then(|_| open.read_to_end(&mut bytes)).is_err() {
        return String::new();
    }
    *at += bytes.len() as u64;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A word on the person's desktop, where it can be said: nobody watches the terminal.
pub(super) fn notify(engine: &Engine, id: &str, ended: WorkEnd) {
    let words = match ended {
        WorkEnd::Ready => format!("{id} is ready: vib run apply {id}"),
        WorkEnd::Blocked => format!("{id} cannot go on by itself: vib run show {id}"),
        WorkEnd::Paused => format!("{id} waits for you: vib run show {id}"),
    };
    let path = engine.context().variable("PATH");
    let found = |name: &str| drive::agent::find(Path::new(name), path.as_ref());
    let mut command = match (found("notify-send"), found("osascript")) {
        (Some(program), _) => {
            let mut command = Command::new(program);
            command.args(["vib", &words]);
            command
        }
        (None, Some(program)) => {
            let mut command = Command::new(program);
            command.args(["-e", &format!("display notification \"{words}\" with title \"vib\"")]);
            command
        }
        (None, None) => return,
    };
    // Whether it can be shown is not ours to wait for.
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
