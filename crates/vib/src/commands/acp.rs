//! `vib acp`: the proxy between an editor and an agent, and the two hidden ways in which vib starts itself for it. Like `vib hook` it has an exit
//! contract of its own: the agent's, and nothing on standard output but the protocol.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use drive::agent::{self, Start};
use drive::desk::Setting;
use drive::hold::{self, Becoming};
use drive::{Out, proxy};
use hooks::adapters::acp::client_of;
use project::Context;

use crate::cli::Global;

/// The exit code when there is nothing to start.
const COULD_NOT: u8 = 3;

/// Stand between an editor and an agent (ACP): what it does is saved and judged
///
/// Put `vib acp --` before the agent in the settings of your editor (Zed, JetBrains, Neovim, …): `vib acp -- gemini --acp`. Everything that the
/// two say to each other passes through unchanged, unless vib has something to say: a step that must not happen is refused, one that you
/// have to decide is asked about with vib's reason, every edit has its checkpoint, and "undo that" in the chat takes it back. Ends with the
/// agent's exit code.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The agent and its words
    #[arg(last = true, required = true, value_name = "AGENT")]
    agent: Vec<OsString>,
}

/// The ways around clap: the process that holds an agent, and what becomes one.
pub(crate) fn run_early() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    match words.next()?.to_str()? {
        hold::HOLD => {
            let words: Vec<OsString> = words.collect();
            Becoming::read(words.iter().cloned())?;
            let code = match std::env::current_exe() {
                Ok(vib) => hold::hold(&vib, &words, hold::MOST_PROCESSES),
                Err(_) => hold::NOT_STARTED,
            };
            Some(ExitCode::from(code))
        }
        hold::BECOME => {
            let why = Becoming::read(words)?.carry_out();
            say(&why);
            Some(ExitCode::from(hold::NOT_STARTED))
        }
        _ => None,
    }
}

pub(crate) fn run_parsed(args: &Args, global: &Global) -> ExitCode {
    let context = match &global.directory {
        None => Context::from_process(),
        Some(folder) => Context::from_process().and_then(|context| context.in_folder(folder)),
    };
    let started =
        context.map_err(|error| format!("vib cannot see its folder: {error}")).and_then(|context| {
            let vib = std::env::current_exe().map_err(|error| format!("vib cannot find itself: {error}"))?;
            proxied(context, vib.as_path(), &args.agent)
        });
    match started {
        Ok(code) => ExitCode::from(code),
        Err(why) => {
            say(&why);
            ExitCode::from(COULD_NOT)
        }
    }
}

fn proxied(context: Context, vib: &Path, words: &[OsString]) -> Result<u8, String> {
    let Some((first, rest)) = words.split_first() else { return Err("name the agent to start".to_owned()) };
    let shown = first.to_string_lossy().into_owned();
    let Some(program) = agent::find(Path::new(first), context.variable("PATH").as_ref()) else {
        return Err(format!(
            "`{shown}` is not there: install it, or write its whole path behind `vib acp --`"
        ));
    };
    let named = client_of(&shown).map_or_else(|| "acp".to_owned(), |client| client.name().to_owned());
    let command = std::iter::once(program.into_os_string()).chain(rest.iter().cloned()).collect();
    let start = Start {
        vib: vib.to_path_buf(),
        becoming: Becoming { named, fence: None, open: Vec::new(), command },
        folder: context.cwd().to_path_buf(),
        variables: Vec::new(),
        stderr: true,
    };
    let setting = Setting { program: shown, unattended: false, named: None, fence: None };
    let ended = proxy::run(context, setting, start, std::io::stdin(), &Out::new(std::io::stdout()))
        .map_err(|error| format!("the agent could not be started: {error}"))?;
    Ok(if ended.by_agent { ended.code } else { 0 })
}

fn say(why: &str) {
    let _ = writeln!(std::io::stderr(), "vib: {why}");
}
