//! One run of a check, with an end.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use project::platform;

use super::copy::{Copy, Purpose};
use crate::{Error, Result};

/// So much of what a run says is kept.
const TAIL: usize = 4_000;
/// So much of its end is looked through for what failed.
const READ_FOR_FAILURES: usize = 256 << 10;
/// The last words are waited for as long as this.
const LAST_WORDS: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(5);
/// So often the free space is looked at.
const LOOKS_AT_SPACE: Duration = Duration::from_millis(200);
/// A check that leaves less than this free is ended.
const KEPT_FREE: u64 = 200 << 20;

/// What to run.
pub(crate) struct Trial<'a> {
    /// The program and its words.
    pub(crate) command: &'a [OsString],
    /// The folder in the copy, as the person stands in theirs.
    pub(crate) inside: &'a Path,
    /// How long it may take.
    pub(crate) limit: Duration,
    /// How much it may write, bytes; none: nobody looks.
    pub(crate) most_disk: Option<u64>,
}

/// How a run ended.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    /// The check's exit code; none if it was ended or killed.
    pub(crate) exit_code: Option<i32>,
    /// It took too long and was ended.
    pub(crate) timed_out: bool,
    /// It wrote too much and was ended.
    pub(crate) filled_disk: bool,
    /// Why it could not be started.
    pub(crate) not_started: Option<String>,
    pub(crate) took: Duration,
    /// The end of what it said.
    pub(crate) tail: String,
    /// There was more.
    pub(crate) cut: bool,
    /// The lines that name what failed.
    pub(crate) failures: Vec<String>,
}

/// Runs a check in the copy. `stop` is asked all the while.
pub(crate) fn run(copy: &Copy, trial: &Trial<'_>, stop: &dyn Fn() -> bool) -> Result<Ran> {
    let tree = copy.tree();
    let folder =
        Some(tree.join(trial.inside)).filter(|folder| folder.is_dir()).unwrap_or_else(|| tree.clone());
    let io = |error: std::io::Error| Error::Store(error.into());
    let Some((program, words)) = trial.command.split_first() else {
        return Err(Error::Usage("there is no check to run".to_owned()));
    };
    let mut command = copy.wall.command(program, words);
    for (name, value) in &copy.variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    // One pipe for both, so that what is said stays in its order.
    let (said, out) = std::io::pipe().map_err(io)?;
    command
        .current_dir(&folder)
        .env("PWD", &folder)
        .env(copy.purpose.mark(), &copy.id)
        // The copy is no repository, and whatever lies above it is none of the check's business.
        .env("GIT_CEILING_DIRECTORIES", &tree)
        // Links lead into the project's own environment: nothing may be written there.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .stdout(out.try_clone().map_err(io)?)
        .stderr(out);
    if copy.purpose == Purpose::Verification {
        // Watching runners would never end; what is for the moment goes with the copy.
        let temporary = copy.temporary();
        platform::make_private_dir(&temporary).map_err(store::Error::from)?;
        command.env("CI", "true").env("TMPDIR", &temporary);
    }
    platform::in_own_group(&mut command);
    let started = Instant::now();
    let mut child = match copy.wall.start(&mut command) {
        Ok(child) => child,
        Err(why) => return Ok(Ran { not_started: Some(why), ..Ran::default() }),
    };
    // What this process holds of the pipe would keep it open.
    drop(command);
    let output = Output::of(said);
    let free_at_first = platform::free_space(copy.folder());
    let mut looked = Instant::now();
    let (mut timed_out, mut filled_disk) = (false, false);
    let status = loop {
        match child.try_wait().map_err(io)? {
            Some(status) => break Some(status),
            None if stop() => {
                platform::end_group(&mut child);
                copy.end_all();
                return Err(Error::Declined);
            }
            None if started.elapsed() >= trial.limit => {
                timed_out = true;
                break None;
            }
            None => std::thread::sleep(PAUSE),
        }
        if looked.elapsed() >= LOOKS_AT_SPACE {
            looked = Instant::now();
            if fills(copy.folder(), free_at_first, trial.most_disk) {
                filled_disk = true;
                break None;
            }
        }
    };
    let took = started.elapsed();
    // What it left running would run into the next state.
    platform::end_group(&mut child);
    copy.end_all();
    let said = output.gather();
    let cut = said.len() > TAIL;
    let text = String::from_utf8_lossy(&said).into_owned();
    let exit_code = status.and_then(|status| status.code());
    if let Some(why) = copy.wall.refused(exit_code, &text) {
        return Ok(Ran { not_started: Some(why), ..Ran::default() });
    }
    let failures = if exit_code == Some(0) { Vec::new() } else { ::gates::failing_lines(&text) };
    Ok(Ran { exit_code, timed_out, filled_disk, not_started: None, took, tail: end_of(&text), cut, failures })
}

/// It has written more than it may, or hardly any space is left.
fn fills(folder: &Path, at_first: Option<u64>, most: Option<u64>) -> bool {
    let (Some(at_first), Some(most)) = (at_first, most) else { return false };
    let Some(free) = platform::free_space(folder) else { return false };
    at_first.saturating_sub(free) > most || (free < KEPT_FREE && at_first >= KEPT_FREE)
}

/// What a run says, as it comes.
struct Output {
    end: Arc<Mutex<Vec<u8>>>,
    is_over: mpsc::Receiver<()>,
}

impl Output {
    fn of(mut from: impl Read + Send + 'static) -> Self {
        let end = Arc::new(Mutex::new(Vec::new()));
        let (over, is_over) = mpsc::channel();
        let heard = Arc::clone(&end);
        std::thread::spawn(move || {
            let mut buffer = [0; 16 << 10];
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                let Ok(mut end) = heard.lock() else { return };
                end.extend_from_slice(&buffer[..read]);
                if end.len() > READ_FOR_FAILURES * 2 {
                    let from = end.len() - READ_FOR_FAILURES;
                    end.drain(..from);
                }
            }
            let _ = over.send(());
        });
        Self { end, is_over }
    }

    /// The end of what was said. What keeps the output open after everything was ended is not waited for long.
    fn gather(&self) -> Vec<u8> {
        let _ = self.is_over.recv_timeout(LAST_WORDS);
        self.end.lock().map(|mut end| std::mem::take(&mut *end)).unwrap_or_default()
    }
}

fn end_of(text: &str) -> String {
    let mut from = text.len().saturating_sub(TAIL);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].to_owned()
}
