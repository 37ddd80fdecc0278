//! `vib hook`: what the agent clients call. It has an exit contract of its own: always 0, and nothing on standard output
//! but what that client understands. A client may take any other exit code for a refusal, and lock its user out.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use hooks::calls::{self, CallNote};
use hooks::router::{self, LONGEST_PAYLOAD, World};
use hooks::{Client, Reply, Watch};
use hooks::{attended, watch};
use install::{Scope, table};
use project::Context;

/// So long the payload may take to come in: whoever writes on and on is answered before the time is up.
const READING: Duration = Duration::from_millis(2_000);
/// So much of a payload that was not read to its end is looked at, to see which event it is: reading all of it again could take as long.
const HEAD: usize = 64 << 10;
/// After files were put back there is so much time for the answer.
const GRACE: Duration = Duration::from_secs(1);
/// The stack for payloads longer than [`SHALLOW`]: commands may be nested deeply.
const STACK: usize = 16 << 20;
/// Nothing of this length is nested so deeply that the stack every process has would not do.
const SHALLOW: usize = 64 << 10;
/// The watcher may have to read the payload itself.
const WATCHERS_STACK: usize = 4 << 20;

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
    std::panic::set_hook(Box::new(|panic| {
        let _ = FAILED_AT.set(panic.location().map_or_else(String::new, ToString::to_string));
    }));
    crate::diagnostics::of_a_hook();
    let began = Instant::now();
    match Call::of(words) {
        Ok(call) => {
            let call = Arc::new(call);
            give(&watched(&call, began));
            call.keep_note(began, "");
        }
        Err(problem) => give(&Reply { stdout: String::new(), stderr: format!("vib: {problem}\n") }),
    }
    ExitCode::SUCCESS
}

/// Where vib's own code failed first.
static FAILED_AT: OnceLock<String> = OnceLock::new();

fn give(reply: &Reply) {
    let _ = std::io::stderr().write_all(reply.stderr.as_bytes());
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(reply.stdout.as_bytes()).and_then(|()| out.flush());
}

/// What the command line says, and what is known of the payload so far.
struct Call {
    client: Client,
    event: Option<String>,
    world: World,
    input: Mutex<Vec<u8>>,
}

impl Call {
    fn of(all: &[String]) -> Result<Self, String> {
        // What a newer vib may write into a line and this one does not know is no reason to leave a step alone.
        let (marks, words): (Vec<&String>, Vec<&String>) =
            all.iter().partition(|word| word.starts_with("--"));
        let called_from = marks.iter().find_map(|mark| Scope::of_mark(mark));
        let Some(name) = words.first() else {
            return Err("`vib hook` needs the name of a client; `vib init` sets this up".to_owned());
        };
        let Ok(client) = name.parse::<Client>() else {
            return Err(format!("`{name}` is no client that vib knows; run `vib init` again"));
        };
        let world = World { called_from, ..world(client) };
        let event = words.get(1).map(|word| (*word).clone());
        Ok(Self { client, event, world, input: Mutex::new(Vec::new()) })
    }

    /// Leaves a line in the list of the last calls: after the answer, so that nobody waits for it. `otherwise`: what became of it, if not
    /// what the router decided.
    fn keep_note(&self, began: Instant, otherwise: &'static str) {
        let Ok(context) = Context::from_process() else { return };
        let Ok(state) = context.state() else { return };
        let (seen, failed_at) = (self.world.watch.seen(), FAILED_AT.get().cloned());
        let answer = match (failed_at.is_some(), otherwise, seen.answer) {
            (true, ..) => "failed",
            (false, "", "") => "pass",
            (false, "", decided) => decided,
            (false, otherwise, _) => otherwise,
        };
        let note = CallNote {
            at_ms: context.now_ms(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            client: self.client.name().to_owned(),
            event: seen.event,
            tool: seen.tool,
            answer: answer.to_owned(),
            ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            failed_at,
        };
        calls::keep(state, &note);
    }

    /// The answer if nothing was looked at.
    fn unread(&self, why: &str) -> Reply {
        let head: Vec<u8> = {
            let input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
            input[..input.len().min(HEAD)].to_vec()
        };
        router::unread(&self.world, self.client, self.event.as_deref(), &head, why)
    }
}

/// Whatever hangs, the client gets an answer in time, and then the process ends. (S8)
///
/// The work is done here and watched from beside, not the other way round: a second thread that works gets a heap of its own from the
/// system, page by page, and has to wake the first one at the end, which cost half a millisecond of every step.
fn watched(call: &Arc<Call>, began: Instant) -> Reply {
    store::hurry(began + watch::LOOKING, watch::LONGEST_FILE);
    project::wait_at_most(watch::LOCKS);
    let answered = Arc::new(AtomicBool::new(false));
    let seen = (Arc::clone(call), Arc::clone(&answered));
    let watch = move || watch_over(&seen.0, &seen.1, began);
    if std::thread::Builder::new().stack_size(WATCHERS_STACK).spawn(watch).is_err() {
        return call.unread("vib could not start its work");
    }
    let reply = catch_unwind(AssertUnwindSafe(|| reply(call, began))).unwrap_or_else(|_| failed(call));
    if answered.swap(true, Ordering::SeqCst) {
        // Time is up: the watcher is answering, and ends the process.
        loop {
            std::thread::park();
        }
    }
    reply
}

/// Waits beside the work and answers in its place when it takes too long. Nobody wakes it: when the work is done, the process ends.
fn watch_over(call: &Call, answered: &AtomicBool, began: Instant) {
    std::thread::sleep((began + watch::LIMIT).saturating_duration_since(Instant::now()));
    while call.world.watch.is_patient() {
        // And a moment more, to tell how it went.
        std::thread::sleep(GRACE);
    }
    if answered.swap(true, Ordering::SeqCst) {
        return;
    }
    let left = call.world.watch.left();
    give(&left.unwrap_or_else(|| call.unread("vib could not read this step in time")));
    call.keep_note(began, "late");
    end();
}

/// The work hangs in the other thread; nothing but the end of the process gets past it.
#[expect(
    clippy::exit,
    reason = "the work hangs; the answer is given, and the client waits for the end of this process"
)]
fn end() -> ! {
    std::process::exit(0)
}

/// It may have failed after the decision was made; that one stands.
fn failed(call: &Call) -> Reply {
    let mut reply = call.world.watch.left().unwrap_or_else(|| call.unread("vib failed at this step"));
    reply.stderr.push_str("vib: an internal error; please report it with the output of `vib doctor`.\n");
    reply
}

fn reply(call: &Call, began: Instant) -> Reply {
    match read_input(call, began + READING) {
        Payload::Whole => {}
        // What is missing may be what matters.
        Payload::TooLong => return call.unread("what the client sent is too long to be looked at"),
        Payload::Endless => return call.unread("what the client sent did not end in time"),
    }
    let input = std::mem::take(&mut *call.input.lock().unwrap_or_else(PoisonError::into_inner));
    if input.len() <= SHALLOW {
        return reply_to(call, &input);
    }
    // Long commands may be nested deeply.
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK);
        match worker.spawn_scoped(scope, || reply_to(call, &input)) {
            Ok(worker) => worker.join().unwrap_or_else(|_| failed(call)),
            Err(_) => reply_to(call, &input),
        }
    })
}

fn reply_to(call: &Call, input: &[u8]) -> Reply {
    let context = match Context::from_process() {
        Ok(context) => context.for_hook(),
        Err(_) => return call.unread("vib cannot see the folder of this step"),
    };
    if engine::inside::is_inside(&context) {
        return Reply::default();
    }
    router::answer(&context, &call.world, call.client, call.event.as_deref(), input)
}

/// How a payload came in.
enum Payload {
    Whole,
    TooLong,
    Endless,
}

/// Reads everything, so that no client waits for a reader; keeps what there is room for. The watcher can see how far it came, and answers
/// where nothing more comes at all.
fn read_input(call: &Call, until: Instant) -> Payload {
    let mut stdin = std::io::stdin().lock();
    let mut chunk = vec![0; 1 << 16];
    let mut is_whole = true;
    loop {
        match stdin.read(&mut chunk) {
            Ok(0) => return if is_whole { Payload::Whole } else { Payload::TooLong },
            Ok(read) => {
                let mut input = call.input.lock().unwrap_or_else(PoisonError::into_inner);
                if input.len() < LONGEST_PAYLOAD {
                    input.extend_from_slice(&chunk[..read]);
                } else {
                    is_whole = false;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return Payload::Endless,
        }
        if Instant::now() >= until {
            return Payload::Endless;
        }
    }
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
        Client::Codex | Client::OpenCode | Client::Acp => "",
    };
    World {
        watch: Watch::default(),
        project_dir: get(folder).map(PathBuf::from).and_then(|folder| folder.canonicalize().ok()),
        in_copilot,
        in_cursor,
        unattended: !in_copilot
            && !in_cursor
            && attended::is_unattended(client, |name| Some(get(name)?.to_string_lossy().into_owned())),
        program: std::env::current_exe().ok(),
        env_file: get("CLAUDE_ENV_FILE").map(PathBuf::from).filter(|file| file.is_absolute()),
        role: get("AGENT_ROLE").map(|role| role.to_string_lossy().chars().take(40).collect()),
        called_from: None,
        own_settings: table::setup(client)
            .user_folder
            .variable
            .and_then(|(name, _)| get(name))
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute()),
        proxied: get(hooks::proxied::VARIABLE)
            .map(PathBuf::from)
            .filter(|folder| hooks::proxied::is_above(folder)),
    }
}
