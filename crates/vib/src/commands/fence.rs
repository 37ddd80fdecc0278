//! `vib fence`

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use engine::person::Act;
use engine::{Error, Result};
use fence::allowed::{self, HowLong};
use fence::kernel::Kernel;
use fence::marks::FenceMark;
use fence::probe::{self, Outcome, ProbeWay, Trial};
use fence::{Fence, Place, SEEN, Surroundings, Wishes, kernel, marks, mend};
use install::fenced::{self, ClientFence};
use project::Context;
use serde::Serialize;

use crate::answer::Answer;
use crate::cli::Session;
use crate::{person, render};

/// The exit code of a command that was not started, as shells have it.
const NOT_RUN: u8 = 126;

/// Run a command behind a fence: it may write in the project, and hardly anywhere else
///
/// `vib fence -- make test` runs `make test`; the kernel refuses it every write outside the project, temporary folders, the caches of
/// tools, and the places that you allowed. Agents' commands that vib cannot see through run like that by themselves, where their client
/// bears it (`guard.fence`). A seat belt, not a jail: `vib fence list` also says what stays open.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// The command and its words
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Open a file or folder outside for the fenced commands of this project (only a person may)
    Allow {
        /// The file or folder; it has to be there
        path: PathBuf,
        /// For the next fenced command only (this is what happens if you say nothing)
        #[arg(long, conflicts_with = "always")]
        once: bool,
        /// Until you take it back
        #[arg(long)]
        always: bool,
        /// Close it again
        #[arg(long, conflicts_with_all = ["once", "always"])]
        remove: bool,
    },
    /// Show where fenced commands of this project may write, and what the fence does not keep
    List,
    /// Try it: a marked command, run as a client runs it, tries to write outside
    Probe {
        /// The shell to try
        #[arg(long, default_value = "bash")]
        shell: String,
    },
    /// Called by the clients' shells
    #[command(hide = true)]
    Shell {
        state: PathBuf,
        #[arg(last = true)]
        command: Vec<OsString>,
    },
}

/// What `vib fence list` says.
#[derive(Debug, Serialize)]
pub(crate) struct ListReport {
    pub(crate) mode: String,
    pub(crate) kernel: Kernel,
    pub(crate) open: Vec<Place>,
    pub(crate) once: Vec<PathBuf>,
    pub(crate) hidden: Vec<PathBuf>,
    pub(crate) exposed: Vec<PathBuf>,
    pub(crate) rules: usize,
    pub(crate) left_open: &'static [&'static str],
    pub(crate) clients: Vec<ClientFence>,
}

/// What `vib fence allow` says.
#[derive(Debug, Serialize)]
pub(crate) struct AllowReport {
    pub(crate) path: PathBuf,
    pub(crate) how_long: Option<HowLong>,
    pub(crate) was_open: bool,
}

/// What `vib fence probe` says.
#[derive(Debug, Serialize)]
pub(crate) struct ProbeReport {
    pub(crate) trial: Trial,
    pub(crate) kernel_holds: bool,
    pub(crate) shell: String,
    pub(crate) left_open: &'static [&'static str],
}

/// The way around clap, for what runs before every marked command of an agent.
pub(crate) fn run_early() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next()? != "fence" {
        return None;
    }
    match words.next()?.to_str()? {
        "--" => {
            let command: Vec<OsString> = words.collect();
            Some(refusal(&fenced_command(&command)?))
        }
        "shell" => {
            let state = PathBuf::from(words.next()?);
            if words.next()? != "--" {
                return None;
            }
            let command: Vec<OsString> = words.collect();
            Some(refusal(&fenced_shell(&state, &command)?))
        }
        engine::bisect::CLOSED => {
            let closed = PathBuf::from(words.next()?);
            if words.next()? != "--" {
                return None;
            }
            let command: Vec<OsString> = words.collect();
            let (program, arguments) = command.split_first()?;
            let error = match Fence::all_but(&closed) {
                Ok(fence) => fence.become_command(program, arguments, &[]),
                Err(error) => error,
            };
            Some(refusal(&error))
        }
        _ => None,
    }
}

/// What was not run says so, in one line.
fn refusal(error: &fence::Error) -> ExitCode {
    let text = format!("vib: {error}, so this command was not run; {}\n", error.next());
    let _ = std::io::stderr().write_all(text.as_bytes());
    ExitCode::from(NOT_RUN)
}

/// Becomes the command behind the fence of the project around the current folder.
fn fenced_command(command: &[OsString]) -> Option<fence::Error> {
    let (program, arguments) = command.split_first()?;
    let made = || -> fence::Result<Fence> {
        let context = Context::from_process()?;
        let root = project::find_root(&context).ok().map(|(root, ..)| root);
        let around = Surroundings::of(&context, root.as_deref(), std::env::current_exe().ok())?;
        // One fence is enough: the kernel takes sixteen, one inside the other, and then refuses to start anything.
        if probe::is_behind(&around.state) {
            return Ok(Fence::everywhere());
        }
        let hide = root.as_deref().map(|root| hide(&context, root)).unwrap_or_default();
        let fence = Fence::of(&around, &Wishes { hide, ..Wishes::default() })?;
        if let Some(root) = &root {
            allowed::use_up(&around.state, root)?;
        }
        Ok(fence)
    };
    Some(match made() {
        Ok(fence) => fence.become_command(program, arguments, &[]),
        Err(error) => error,
    })
}

fn hide(context: &Context, root: &Path) -> Vec<String> {
    project::Config::load(context.config(), root)
        .map(|config| config.list("guard.fence_hide").to_vec())
        .unwrap_or_default()
}

/// Becomes the client's shell once more: behind the fence if what it was told to run is marked.
fn fenced_shell(state: &Path, command: &[OsString]) -> Option<fence::Error> {
    let (program, arguments) = command.split_first()?;
    let seen = [(SEEN, std::process::id().to_string())];
    let text = arguments.iter().skip_while(|word| *word != OsStr::new("-c")).nth(1);
    let text = text.map(|text| text.to_string_lossy()).unwrap_or_default();
    let cwd = std::env::current_dir().unwrap_or_default();
    // Marks that cannot be read are not marks that are gone. (M2)
    if let Err(error) = mend::rights(state, None) {
        return Some(error);
    }
    let Some(mark) = marks::find(state, &text, &cwd) else {
        return Some(Fence::become_free_command(program, arguments, &seen));
    };
    let made = || -> fence::Result<Fence> {
        let context = Context::from_process()?;
        let mut around = Surroundings::of(&context, Some(&mark.root), std::env::current_exe().ok())?;
        around.state = state.to_path_buf();
        if probe::is_behind(state) {
            return Ok(Fence::everywhere());
        }
        let wishes = Wishes { hide: mark.hide.clone(), named: mark.named.clone(), also: Vec::new() };
        let fence = Fence::of(&around, &wishes)?;
        if !mark.is_trial {
            allowed::use_up(state, &mark.root)?;
        }
        marks::launched(state, &mark)?;
        Ok(fence)
    };
    Some(match made() {
        Ok(fence) => fence.become_command(program, arguments, &seen),
        Err(error) => {
            // It was not started at all, which is not the same as started without a fence.
            let _ = marks::launched(state, &FenceMark { callers: Vec::new(), ..mark });
            error
        }
    })
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    match &args.action {
        Some(Action::Allow { path, always, remove, .. }) => allow(path, *always, *remove, session),
        Some(Action::List) => list(session),
        Some(Action::Probe { shell }) => probe_shell(shell, session),
        Some(Action::Shell { state, command }) => match fenced_shell(state, command) {
            Some(error) => Err(error.into()),
            None => Err(Error::Usage("name the command that should run".to_owned())),
        },
        None => match fenced_command(&args.command) {
            Some(error) => Err(error.into()),
            None => Err(Error::Usage("name the command that should run".to_owned())),
        },
    }
}

fn allow(path: &Path, always: bool, remove: bool, session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let (context, root) = (engine.context(), engine.project().root());
    let around = Surroundings::of(context, Some(root), std::env::current_exe().ok())?;
    let path = context.cwd().join(path);
    let report = if remove {
        let was_open = allowed::remove(&around, root, &path)?;
        AllowReport { path, how_long: None, was_open }
    } else {
        let by = person::required(context, Act::OpenFence)?;
        let how_long = if always { HowLong::Always } else { HowLong::Once };
        let list = allowed::add(&around, root, &path, how_long, by)?;
        let path = list.allowed.last().map_or(path, |one| one.path.clone());
        AllowReport { path, how_long: Some(how_long), was_open: false }
    };
    Ok(Answer::new(&session.printer, &report, render::fence_allowed))
}

fn list(session: &mut Session) -> Result<Answer> {
    let engine = session.engine()?;
    let (context, root) = (engine.context(), engine.project().root());
    let config = engine.project().config();
    let around = Surroundings::of(context, Some(root), std::env::current_exe().ok())?;
    let hide = config.list("guard.fence_hide").to_vec();
    let fence = Fence::of(&around, &Wishes { hide, ..Wishes::default() })?;
    let once = allowed::read(&around.state, root).allowed;
    let once = once.into_iter().filter(|one| one.how_long == HowLong::Once).map(|one| one.path).collect();
    let report = ListReport {
        mode: config.word("guard.fence").to_owned(),
        kernel: kernel::kernel(),
        rules: fence.rules(),
        open: fence.open,
        once,
        hidden: fence.hidden,
        exposed: fence.exposed,
        left_open: kernel::OPEN,
        clients: fenced::clients(config, &around.state),
    };
    Ok(Answer::new(&session.printer, &report, render::fence_list))
}

fn probe_shell(shell: &str, session: &mut Session) -> Result<Answer> {
    let context = session.context()?;
    let root = project::find_root(&context).ok().map(|(root, ..)| root);
    let program = std::env::current_exe().map_err(fence::Error::from)?;
    let around = Surroundings::of(&context, root.as_deref(), Some(program.clone()))?;
    let trial = probe::run(&around, &program, shell, ProbeWay::Variable)?;
    let kernel_holds = probe::kernel_holds(&around);
    let fine = matches!(trial.outcome, Outcome::Holds | Outcome::None);
    let report = ProbeReport { trial, kernel_holds, shell: shell.to_owned(), left_open: kernel::OPEN };
    Ok(Answer::new(&session.printer, &report, render::fence_probe).with_exit(u8::from(!fine)))
}
