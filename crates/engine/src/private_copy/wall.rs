//! What keeps a check out of the project, where the kernel can: a fence around the copy, or one that closes the project and nothing else. (B7)

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fence::{Fence, Surroundings};

use super::copy::Purpose;
use crate::Engine;

/// The word by which vib is asked to run something with a folder closed.
pub const CLOSED: &str = "closed";
/// How vib ends, and what it says, when it could not start what should run behind a fence.
const NOT_RUN: i32 = 126;
const NOT_RUN_WORDS: &str = ", so this command was not run";

/// What the process that asks for a check gives to it.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// The variables that the check would get; those that name the project folder are turned to the copy.
    pub environment: Vec<(OsString, OsString)>,
    /// The vib that can put up a fence; none: only where this process can do it alone.
    pub program: Option<PathBuf>,
}

impl Caller {
    /// This process.
    pub fn of_process() -> Self {
        Self { environment: std::env::vars_os().collect(), program: std::env::current_exe().ok() }
    }
}

/// What a check runs behind.
#[derive(Debug)]
pub(super) enum Wall {
    /// Nothing: the project could be written into by its full path.
    None,
    /// Only the copy and the caches of tools are open.
    Around(Box<Fence>),
    /// Everything but the project is open. These words come before the command.
    Closed(Vec<OsString>),
}

impl Wall {
    /// The best there is. A search runs whatever a person types, so only the project is closed for it; a verification, which runs by itself,
    /// may write only where checks have to.
    pub(super) fn of(engine: &Engine, purpose: Purpose, folder: &Path, program: Option<&Path>) -> Self {
        match purpose {
            Purpose::Bisect if engine.project().config().word("guard.fence") == "off" => Self::None,
            Purpose::Bisect => closed(engine, program),
            Purpose::Verification => around(engine, folder).unwrap_or_else(|| closed(engine, program)),
        }
    }

    /// Whether the kernel keeps the project closed.
    pub(super) fn is_up(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// The command, with what has to come before it.
    pub(super) fn command(&self, program: &OsString, words: &[OsString]) -> Command {
        let before: &[OsString] = if let Self::Closed(before) = self { before } else { &[] };
        let mut line = before.iter().chain(std::iter::once(program));
        let mut command = Command::new(line.next().unwrap_or(program));
        command.args(line).args(words);
        command
    }

    /// Starts it; what went wrong is in words.
    pub(super) fn start(&self, command: &mut Command) -> Result<Child, String> {
        match self {
            Self::Around(fence) => fence.start(command).map_err(|error| match error {
                fence::Error::NotStarted { why, .. } => why.to_string(),
                other => other.to_string(),
            }),
            Self::None | Self::Closed(_) => command.spawn().map_err(|error| error.to_string()),
        }
    }

    /// Why a command was not started after all, which only what it said can tell.
    pub(super) fn refused(&self, exit_code: Option<i32>, said: &str) -> Option<String> {
        let words = said.strip_prefix("vib: ").filter(|_| matches!(self, Self::Closed(_)))?;
        let (why, _) = words.split_once(NOT_RUN_WORDS).filter(|_| exit_code == Some(NOT_RUN))?;
        // Which program it was about is said by whoever tells of it.
        Some(why.split_once("could not be started: ").map_or(why, |(_, why)| why).to_owned())
    }
}

/// The fence around a copy: it may be written into, and so may the caches that tools need; the project and vib's own files may not.
fn around(engine: &Engine, folder: &Path) -> Option<Wall> {
    if !fence::kernel::kernel().is_there() || cfg!(not(target_os = "linux")) {
        return None;
    }
    let around = Surroundings::of(engine.context(), None, None).ok()?;
    let root = engine.project().root().canonicalize().ok()?;
    let fence = Fence::around_copy(&around, folder, &[root]).ok()?;
    Some(Wall::Around(Box::new(fence)))
}

fn closed(engine: &Engine, program: Option<&Path>) -> Wall {
    let (Some(program), root) = (program, engine.project().root()) else { return Wall::None };
    if !fence::kernel::kernel().is_there() {
        return Wall::None;
    }
    let words: Vec<OsString> =
        vec![program.into(), "fence".into(), CLOSED.into(), root.as_os_str().to_owned(), "--".into()];
    // A fence that cannot be put up would make every check fail.
    let tried = Command::new(&words[0])
        .args(&words[1..])
        .args([program.as_os_str(), "--version".as_ref()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if tried.is_ok_and(|status| status.success()) { Wall::Closed(words) } else { Wall::None }
}
