//! One run of the check, and what it says of the state.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use super::search::Verdict;
use crate::private_copy::{self, Copy, Ran, Trial};
use crate::{Error, Result};

/// The exit code by which a check says that a state cannot be built; git's.
const CANNOT_TELL: i32 = 125;

/// How a run ended.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) exit_code: Option<i32>,
    pub(super) timed_out: bool,
    pub(super) took: Duration,
    /// The end of what it said.
    pub(super) tail: String,
    /// It was never started, because it is not there in this state.
    pub(super) not_there: bool,
}

impl Judged {
    fn without(verdict: Verdict, program: &OsStr, why: &str) -> Self {
        Self {
            verdict,
            exit_code: None,
            timed_out: false,
            took: Duration::ZERO,
            tail: format!("{} {why}", program.to_string_lossy()),
            not_there: verdict == Verdict::Skip,
        }
    }
}

/// Whether a check can be started.
enum Start {
    Ready,
    NotExecutable,
    NotThere,
    Nowhere,
}

#[cfg(unix)]
fn is_executable(stat: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    stat.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    true
}

/// Looks for the program as a shell would: a name on `PATH`, anything else from the folder on.
fn found(copy: &Copy, program: &OsStr, folder: &Path) -> Start {
    let path = Path::new(program);
    let tree = copy.tree();
    if path.components().count() > 1 || path.is_absolute() || program.to_string_lossy().contains('/') {
        let place = folder.join(path);
        return match place.metadata() {
            Ok(stat) if stat.is_file() && is_executable(&stat) => Start::Ready,
            Ok(_) if place.starts_with(&tree) => Start::NotExecutable,
            Err(_) if place.starts_with(&tree) => Start::NotThere,
            _ => Start::Nowhere,
        };
    }
    Start::Ready
}

/// A file that the check names, which is in the project now and was not in this state: then its failing says nothing. (M5)
fn came_later(check: &[OsString], folder: &Path, project: &Path) -> Option<String> {
    let is_end = |c: char| c.is_whitespace() || ";&|()<>=\"'`".contains(c);
    let words: Vec<String> = check.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut words = words.iter().flat_map(|word| word.split(is_end));
    let found = words.find(|word| {
        let is_name = !word.is_empty() && !word.starts_with(['-', '/', '$', '~']);
        is_name && project.join(word).is_file() && folder.join(word).symlink_metadata().is_err()
    });
    found.map(str::to_owned)
}

/// Runs the check in the copy. `inside`: the folder in it, as the person stands in theirs. `project`: the project folder, which is only looked
/// at. `stop` is asked all the while.
pub(super) fn run(
    copy: &Copy,
    check: &[OsString],
    (inside, project): (&Path, &Path),
    limit: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<Judged> {
    let Some(program) = check.first() else {
        return Err(Error::Usage("there is no check to run: `vib bisect -- COMMAND`".to_owned()));
    };
    let name = program.to_string_lossy();
    let tree = copy.tree();
    let folder = Some(tree.join(inside)).filter(|folder| folder.is_dir()).unwrap_or(tree);
    match found(copy, program, &folder) {
        Start::Ready => {}
        // A step took away the right to run it: that breaks it.
        Start::NotExecutable => {
            return Ok(Judged::without(Verdict::Bad, program, "may not be run: it is not executable"));
        }
        Start::NotThere => return Ok(Judged::without(Verdict::Skip, program, "is not there in this state")),
        Start::Nowhere => {
            return Err(Error::Usage(format!("`{name}` could not be started: there is no such program")));
        }
    }
    // Asked before the run: a check may take away what it names.
    let missing = came_later(check, &folder, &project.join(inside));
    let trial = Trial { command: check, inside, limit, most_disk: None };
    let Ran { exit_code, timed_out, took, tail, not_started, .. } = private_copy::run(copy, &trial, stop)?;
    if let Some(why) = not_started {
        return Err(Error::Usage(format!("`{name}` could not be started: {why}")));
    }
    let verdict = match exit_code {
        Some(0) => Verdict::Good,
        Some(CANNOT_TELL) => Verdict::Skip,
        _ => Verdict::Bad,
    };
    if verdict == Verdict::Bad
        && let Some(file) = missing
    {
        let tail = format!("{file} is not there in this state");
        return Ok(Judged { verdict: Verdict::Skip, exit_code, timed_out, took, tail, not_there: true });
    }
    Ok(Judged { verdict, exit_code, timed_out, took, tail, not_there: false })
}
