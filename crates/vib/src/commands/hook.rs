//! `vib hook`: what the agent clients call. It has an exit contract of its own: always 0, and nothing on standard output
//! but what that client understands. A client may take any other exit code for a refusal, and lock its user out.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;

use hooks::attended;
use hooks::install::{Scope, table};
use hooks::router::{self, LONGEST_PAYLOAD, World};
use hooks::{BadPayload, Client, Reply};
use project::Context;

/// Called by the agent clients: reads one event on standard input and answers it
///
/// You do not run this yourself; `vib init` tells the clients to. It always exits with 0, so that a client never takes a
/// problem of vib for a refusal.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The client: claude-code, codex, gemini, opencode, copilot or cursor
    client: String,
    /// The event, for clients that do not say it themselves
    event: Option<String>,
    /// Called from the files of a project that a team shares: your own settings answer, if they call vib too
    #[arg(long)]
    team: bool,
    /// Called from the settings of one project that are only yours: the same
    #[arg(long, conflicts_with = "team")]
    project: bool,
}

/// The way around clap, for speed and because its exit code 2 means "refuse" to some clients.
pub(crate) fn run_early() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != "hook" {
        return None;
    }
    let rest: Vec<OsString> = arguments.collect();
    if rest.iter().any(|word| word == "--help" || word == "-h") {
        return None;
    }
    let words: Vec<String> = rest.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    Some(run(&words))
}

pub(crate) fn run_parsed(args: &Args) -> ExitCode {
    let mark = [(args.team, Scope::Team), (args.project, Scope::Project)];
    let mark = mark.into_iter().filter(|(is_set, _)| *is_set).filter_map(|(_, scope)| scope.mark());
    let words: Vec<String> = std::iter::once(args.client.clone())
        .chain(args.event.clone())
        .chain(mark.map(str::to_owned))
        .collect();
    run(&words)
}

fn run(words: &[String]) -> ExitCode {
    // The message of a panic is for us; the client gets one line that says what it means.
    std::panic::set_hook(Box::new(|_| {}));
    let reply = catch_unwind(AssertUnwindSafe(|| reply(words))).unwrap_or_else(|_| Reply {
        stdout: String::new(),
        stderr: "vib: an internal error; this step was not saved. Please report it with the output of `vib doctor`.\n"
            .to_owned(),
    });
    let _ = std::io::stderr().write_all(reply.stderr.as_bytes());
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(reply.stdout.as_bytes()).and_then(|()| out.flush());
    ExitCode::SUCCESS
}

fn reply(all: &[String]) -> Reply {
    let problem = |text: String| Reply { stdout: String::new(), stderr: format!("vib: {text}\n") };
    // What a newer vib may write into a line and this one does not know is no reason to leave a step alone.
    let (marks, words): (Vec<&String>, Vec<&String>) = all.iter().partition(|word| word.starts_with("--"));
    let called_from = marks.iter().find_map(|mark| Scope::of_mark(mark));
    let Some(name) = words.first() else {
        return problem("`vib hook` needs the name of a client; `vib init` sets this up".to_owned());
    };
    let Ok(client) = name.parse::<Client>() else {
        return problem(format!("`{name}` is no client that vib knows; run `vib init` again"));
    };
    let mut input = Vec::new();
    if std::io::stdin().lock().take(LONGEST_PAYLOAD + 1).read_to_end(&mut input).is_err() {
        return problem(format!(
            "the payload from {} could not be read; nothing was saved for this step",
            client.title()
        ));
    }
    if input.len() as u64 > LONGEST_PAYLOAD {
        return problem(BadPayload::TooLong(client.title()).to_string());
    }
    let context = match Context::from_process() {
        Ok(context) => context,
        Err(error) => {
            return problem(format!("the current folder cannot be read: {error}; nothing was saved"));
        }
    };
    let world = World { called_from, ..world(client) };
    router::answer(&context, &world, client, words.get(1).map(|word| word.as_str()), &input)
}

/// The few variables that matter. Nothing else of the environment is looked at: it holds the client's keys.
fn world(client: Client) -> World {
    let get = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let in_copilot = get("COPILOT_CLI").is_some();
    let in_cursor = get("CURSOR_VERSION").is_some();
    let folder = match client {
        Client::ClaudeCode if in_copilot => "COPILOT_PROJECT_DIR",
        Client::ClaudeCode if in_cursor => "CURSOR_PROJECT_DIR",
        Client::ClaudeCode => "CLAUDE_PROJECT_DIR",
        Client::Gemini => "GEMINI_PROJECT_DIR",
        Client::Copilot => "COPILOT_PROJECT_DIR",
        Client::Cursor => "CURSOR_PROJECT_DIR",
        Client::Codex | Client::OpenCode => "",
    };
    World {
        inside_vib: get("VIBELIGN_JUDGING").is_some(),
        project_dir: get(folder).map(PathBuf::from).and_then(|folder| folder.canonicalize().ok()),
        in_copilot,
        in_cursor,
        unattended: !in_copilot
            && !in_cursor
            && attended::is_unattended(client, |name| Some(get(name)?.to_string_lossy().into_owned())),
        called_from: None,
        own_settings: table::setup(client)
            .user_folder
            .variable
            .and_then(|(name, _)| get(name))
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute()),
    }
}
