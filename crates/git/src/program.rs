//! The `git` program, asked so that nothing in a repository's settings starts a program, takes a lock or changes what is printed. (S15)
//!
//! A repository is somebody else's text: its `.git/config` may name programs for signatures, file watching, diffs, pagers and hooks.
//! Whoever asks git anything asks through here.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::{Error, Result};

#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "--no-pager", "--no-optional-locks",
    "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false", "-c", "core.alternateRefsCommand=", "-c", "core.quotePath=true",
    "-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "log.mailmap=false",
    "-c", "diff.external=", "-c", "diff.suppressBlankEmpty=false", "-c", "protocol.allow=never",
];

/// Variables that name a program to run.
const PROGRAMS: &[&str] = &[
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_PROXY_COMMAND",
];

/// Git, to be asked about the repository of a folder. The caller adds the question; it has to be one that reads.
pub fn reader(root: &Path) -> Command {
    made(root, &["--literal-pathspecs"])
}

fn made(root: &Path, more: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args(HARMLESS).args(more).stdin(Stdio::null());
    for variable in PROGRAMS {
        command.env_remove(variable);
    }
    // What a partial clone lacks is not fetched, and nobody is asked for a password: reading stays on this machine.
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_TERMINAL_PROMPT", "0");
    if let Some(strays) = project::stray_git_folders(root) {
        command.env("GIT_CEILING_DIRECTORIES", strays);
    }
    command
}

/// Git, to write what a person asked to have written there; the repository's own hooks have no say in it.
pub fn writer(root: &Path) -> Command {
    without_hooks(reader(root))
}

/// The same for a command that takes paths and refuses to be told that they are just that (`check-ignore`): each has to begin with `./`.
pub(crate) fn writer_of_paths(root: &Path) -> Command {
    without_hooks(made(root, &[]))
}

fn without_hooks(mut command: Command) -> Command {
    command.args(["-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "maintenance.auto=false"]);
    command
}

/// A question to git.
pub fn ask(root: &Path, arguments: &[&str]) -> Command {
    let mut command = reader(root);
    command.args(arguments);
    command
}

/// Says early, and in words, that there is no git here.
pub fn check(root: &Path) -> Result<()> {
    match output(&mut ask(root, &["rev-parse", "--git-dir"])) {
        Ok(_) => Ok(()),
        Err(Error::Failed(detail)) if detail.contains("not a git repository") => {
            Err(Error::NotARepository(root.to_path_buf()))
        }
        Err(error) => Err(error),
    }
}

/// Starts it, with its answers to be read.
pub fn start(command: &mut Command) -> Result<Child> {
    tracing::debug!(target: "vib::git", verb = ?command.get_args().find(|word| is_verb(word)), "asked");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            Error::Missing
        } else {
            Error::Failed(error.to_string())
        }
    })
}

/// A word such as `log`: no option, and no setting behind one.
fn is_verb(word: &std::ffi::OsStr) -> bool {
    word.to_str().is_some_and(|word| {
        word.bytes().next().is_some_and(|first| first.is_ascii_lowercase()) && !word.contains(['=', '/', '.'])
    })
}

/// Its whole answer.
pub fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = start(command)?.wait_with_output().map_err(|error| Error::Failed(error.to_string()))?;
    if output.status.success() { Ok(output.stdout) } else { Err(failed(&output.stderr)) }
}

/// The error that git's own words tell of.
pub fn failed(stderr: &[u8]) -> Error {
    let text = String::from_utf8_lossy(stderr);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it ended without a word");
    Error::Failed(first.trim_start_matches("fatal: ").to_owned())
}
