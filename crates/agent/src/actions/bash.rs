//! BASH: one command in the lane, behind the fence, with an end. Off unless the person switched it on.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use engine::secret_values::{self, SecretValues};
use engine::{Engine, judge, verification};
use fence::{Fence, Surroundings};
use project::platform;

use crate::ActionRefusal;

/// So long a command may take unless it says otherwise.
pub const USUAL_SECONDS: u64 = 120;
/// And so long at the most.
pub const MOST_SECONDS: u64 = 600;
/// So much of what it says is kept.
const TAIL: usize = 16 << 10;
/// Everything that a command starts is known by this variable.
const MARK: &str = "VIB_RUN_COMMAND";
/// The last words are waited for as long as this.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Commands that only look, and that everybody may run.
const ALWAYS: [&str; 8] = [
    "git status",
    "git diff",
    "git log --oneline -20",
    "node -v",
    "npm -v",
    "cargo --version",
    "python3 --version",
    "ls",
];
/// Variables that a command gets; nothing else of the person's.
const KEPT: [&str; 9] = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "HOME", "TERM", "USER", "SHELL"];

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bash {
    /// The line.
    pub command: String,
    /// How long it may take.
    pub seconds: u64,
}

/// Whether it may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum May {
    /// It may.
    Yes,
    /// A person has to say so: this is why.
    Ask(String),
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Ran {
    /// Its exit code; none: it was ended.
    pub exit: Option<i32>,
    /// It took too long.
    pub timed_out: bool,
    /// How long it took.
    pub milliseconds: u64,
    /// The end of what it said, cleaned.
    pub tail: String,
}

/// Looks whether it may run: what is on the list may; else the judge says.
pub fn may(lane: &Engine, wish: &Bash) -> Result<May, ActionRefusal> {
    let listed = lane.project().config().list("run.bash_allow").iter().any(|line| line == &wish.command);
    let is_check = || {
        verification::checks::known(lane)
            .is_ok_and(|all| all.iter().any(|one| one.allowed && one.line == wish.command))
    };
    if ALWAYS.contains(&wish.command.as_str()) || listed || is_check() {
        return Ok(May::Yes);
    }
    // What READ does not show, a command does not show either; whatever slips through is taken out of what it says.
    let report = judge::judge_command_in(lane.context(), lane.project().root(), &wish.command);
    let reads = report.verdict.reasons.iter().find(|reason| reason.code == "reads_secret");
    let named = secret_values::named_in(&wish.command);
    if let Some(what) = named.or_else(|| reads.map(|reason| reason.about.clone())) {
        return Err(ActionRefusal::new(
            "sensitive",
            format!("`{what}` usually holds secrets, so no command of yours works with it"),
            "work without it; ASK the person for what you need to know",
        ));
    }
    match report.decision {
        judge::Decision::Deny => Err(ActionRefusal::new(
            "denied",
            report.why(),
            "do it another way: files are changed with EDIT_DIFF, tests are run with TEST",
        )),
        judge::Decision::Ask => Ok(May::Ask(report.why())),
        _ => Ok(May::Yes),
    }
}

/// Runs it. `stop` is asked all the while; nothing is left running.
pub fn run(
    lane: &Engine,
    project: &Path,
    wish: &Bash,
    stop: &dyn Fn() -> bool,
) -> Result<Ran, ActionRefusal> {
    let root = lane.project().root();
    let could_not = |why: String| {
        ActionRefusal::new(
            "not_started",
            format!("the command could not be started: {why}"),
            "do it another way",
        )
    };
    let temporary = lane.project().own_folder().join("tmp");
    platform::make_private_dir(&temporary).map_err(|error| could_not(error.to_string()))?;
    let mark = format!("{:012x}", lane.context().secret_u64() >> 16);
    let (mut said, out) = std::io::pipe().map_err(|error| could_not(error.to_string()))?;
    let again = out.try_clone().map_err(|error| could_not(error.to_string()))?;
    let mut command = Command::new("sh");
    command.arg("-c").arg(&wish.command).current_dir(root).env_clear();
    for name in KEPT {
        if let Some(value) = lane.context().variable(name) {
            command.env(name, value);
        }
    }
    command
        .env("PWD", root)
        .env("CI", "true")
        .env("TMPDIR", &temporary)
        .env(MARK, &mark)
        .env("GIT_CEILING_DIRECTORIES", root)
        .stdin(Stdio::null())
        .stdout(again)
        .stderr(out);
    platform::in_own_group(&mut command);
    let began = Instant::now();
    let mut child = start(lane, project, &mut command)?;
    // What this process holds of the pipe would keep it open.
    drop(command);
    let (send, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut end: Vec<u8> = Vec::new();
        let mut buffer = [0; 8 << 10];
        while let Ok(read @ 1..) = said.read(&mut buffer) {
            end.extend_from_slice(&buffer[..read]);
            let extra = end.len().saturating_sub(TAIL * 2);
            if extra > TAIL {
                end.drain(..extra);
            }
        }
        let _ = send.send(end);
    });
    let limit = Duration::from_secs(wish.seconds);
    let (mut timed_out, mut exit) = (false, None);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                exit = status.code();
                break;
            }
            Ok(None) if stop() => break,
            Ok(None) if began.elapsed() >= limit => {
                timed_out = true;
                break;
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => break,
        }
    }
    platform::end_group(&mut child);
    for _ in 0..20 {
        if platform::end_marked(MARK, &mark) == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let bytes = heard.recv_timeout(LAST_WORDS).unwrap_or_default();
    let _ = std::fs::remove_dir_all(&temporary);
    let text = String::from_utf8_lossy(&bytes).replace(&root.display().to_string(), ".");
    // Before it is cut: half of a value is not found.
    let values = SecretValues::of(lane).map_err(|error| ActionRefusal::from(&error))?;
    let text = values.hide(&text);
    let tail = lane.gate().clean(super::tail(&text, TAIL)).into_string();
    let milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(Ran { exit, timed_out, milliseconds, tail })
}

/// Behind the fence: the lane and the caches of tools are open, the project and vib's own files are not.
#[cfg(target_os = "linux")]
fn start(lane: &Engine, project: &Path, command: &mut Command) -> Result<Child, ActionRefusal> {
    let around =
        Surroundings::of(lane.context(), None, None).ok().filter(|_| fence::kernel::kernel().is_there());
    let real = project.canonicalize().unwrap_or_else(|_| project.to_path_buf());
    let fence = around.and_then(|around| Fence::around_copy(&around, lane.project().root(), &[real]).ok());
    let Some(fence) = fence else { return Err(no_fence()) };
    fence.start(command).map_err(|error| {
        ActionRefusal::new(
            "not_started",
            format!("the command could not be started: {error}"),
            "do it another way",
        )
    })
}

#[cfg(not(target_os = "linux"))]
fn start(_: &Engine, _: &Path, _: &mut Command) -> Result<Child, ActionRefusal> {
    let _ = (std::marker::PhantomData::<Fence>, std::marker::PhantomData::<Surroundings>);
    Err(no_fence())
}

fn no_fence() -> ActionRefusal {
    ActionRefusal::new(
        "no_fence",
        "no fence can be put up here, so commands are not run",
        "work with EDIT_DIFF and TEST; TEST runs the project's checks in a private copy",
    )
}

impl Ran {
    /// As the model reads it.
    pub fn told(&self) -> String {
        let how = match (self.timed_out, self.exit) {
            (true, _) => "ended: it took too long".to_owned(),
            (false, Some(code)) => format!("exit {code}"),
            (false, None) => "ended".to_owned(),
        };
        format!("{how} ({} ms)\n{}", self.milliseconds, self.tail)
    }
}
