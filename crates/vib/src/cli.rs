//! The command line: what can be typed, and where it goes.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use engine::{Engine, Error, Result};
use install::gone::Gone;
use project::Context;
use texts::Language;

use crate::alone;
use crate::answer::Answer;
use crate::commands;
use crate::printer::Printer;
use crate::progress::Bar;
use crate::render;

/// Undo, memory and guard rails for AI coding agents
///
/// vib saves what an AI agent (or you) changes, shows it in plain words, and takes you back safely. It never touches
/// your git, works without it, and keeps everything on this machine.
#[derive(Debug, Parser)]
#[command(name = "vib", version, max_term_width = 100)]
#[command(
    after_help = "Start with `vib init`, or see the whole story with `vib demo`. `vib` alone says where the project stands."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options of every command.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Global {
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Work on the project around this folder
    #[arg(short = 'C', long, global = true, value_name = "FOLDER")]
    pub(crate) directory: Option<PathBuf>,
    /// Colours: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", value_parser = Self::COLORS)]
    pub(crate) color: Option<String>,
    /// Print long answers right away, without a pager
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    /// Tell on standard error what vib does and how long it takes; twice or three times: more of it
    #[arg(short = 'v', long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

impl Global {
    /// The words for colours.
    pub(crate) const COLORS: [&str; 3] = ["auto", "always", "never"];
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(commands::init::Args),
    Status(commands::status::Args),
    #[command(alias = "save")]
    Checkpoint(commands::checkpoint::Args),
    #[command(alias = "log")]
    History(commands::history::Args),
    Show(commands::show::Args),
    Diff(commands::diff::Args),
    #[command(visible_alias = "blame")]
    Why(commands::why::Args),
    Bisect(commands::bisect::Args),
    Report(commands::report::Args),
    #[command(aliases = ["rollback", "restore"])]
    Undo(commands::undo::Args),
    Redo(commands::redo::Args),
    Lane(commands::lane::Args),
    Land(commands::lane::LandArgs),
    Board(commands::board::Args),
    Run(commands::run::Args),
    Explain(commands::explain::Args),
    Guard(commands::guard::Args),
    Protect(commands::protect::Args),
    Fence(commands::fence::Args),
    Scan(commands::scan::Args),
    Anchor(commands::anchor::Args),
    Recover(commands::recover::Args),
    Approve(commands::approve::Args),
    Patch(commands::patch::Args),
    Pin(commands::pin::PinArgs),
    Unpin(commands::pin::UnpinArgs),
    Lesson(commands::lesson::Args),
    Secrets(commands::secrets::Args),
    Redact(commands::redact::Args),
    Audit(commands::audit::Args),
    Store(commands::store::Args),
    Judge(commands::judge::Args),
    Memory(commands::memory::Args),
    Mcp(commands::mcp::Args),
    Serve(commands::serve::Args),
    Verify(commands::verify::Args),
    Stop(commands::stop::Args),
    Role(commands::role::Args),
    Transfer(commands::transfer::Args),
    Spiral(commands::spiral::Args),
    Drive(commands::drive::Args),
    Providers(commands::providers::Args),
    Acp(commands::acp::Args),
    Hook(commands::hook::Args),
    Config(commands::config::Args),
    Lock(commands::lock::Args),
    Doctor(commands::doctor::Args),
    Demo(commands::demo::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

/// What a command gets: the world, the options, and somewhere to show progress.
pub(crate) struct Session {
    pub(crate) context: Option<Context>,
    pub(crate) printer: Printer,
    pub(crate) progress: Bar,
    /// The answer itself says how the hooks are, or is not for a person's eyes.
    pub(crate) tells_of_hooks: bool,
}

impl Session {
    /// The project around the current folder.
    pub(crate) fn engine(&mut self) -> Result<Engine> {
        let context = self.context()?;
        let engine = Engine::open(context)?;
        self.printer.use_setting(engine.project().config());
        Ok(engine)
    }

    /// For the user's own settings: where no project is, none is made.
    pub(crate) fn engine_for_settings(&mut self) -> Result<Engine> {
        let context = self.context()?;
        let engine = Engine::open_for_settings(context)?;
        self.printer.use_setting(engine.project().config());
        Ok(engine)
    }

    /// The project, or the store of loose files, that these paths are about: that around the current folder, unless they lead out of it.
    pub(crate) fn engine_for(&mut self, paths: &[PathBuf]) -> Result<Engine> {
        self.engine_for_moments(paths, &[])
    }

    /// The same where ids of checkpoints were typed, too: they have to be known in that store.
    pub(crate) fn engine_for_moments(&mut self, paths: &[PathBuf], words: &[String]) -> Result<Engine> {
        let is_path = |word: &str| {
            let here = self.context.as_ref().map(|context| context.cwd().join(word));
            paths.iter().any(|path| path.as_os_str() == word) || here.is_some_and(|path| path.exists())
        };
        let is_id =
            |word: &&str| store::CheckpointId::could_be_prefix(&word.to_ascii_lowercase()) && !is_path(word);
        let moments: Vec<&str> = words.iter().map(String::as_str).filter(is_id).collect();
        let elsewhere = match &self.context {
            Some(context) => engine::outside::engine_for(context, paths, &moments)?,
            None => None,
        };
        match elsewhere {
            Some(engine) => {
                self.printer.use_setting(engine.project().config());
                Ok(engine)
            }
            None => self.engine(),
        }
    }

    /// The world; each command takes it once.
    pub(crate) fn context(&mut self) -> Result<Context> {
        self.context.take().ok_or_else(|| engine::Error::Usage("the world was taken twice".to_owned()))
    }
}

/// Parses, runs, prints. Exit codes: 0 done, 1 refused or found something, 2 wrong usage, 3 could not.
pub(crate) fn run() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let cli = alone::parse(&words).unwrap_or_else(Cli::parse);
    match &cli.command {
        Some(Command::Hook(args)) => commands::hook::run_parsed(args),
        Some(Command::Acp(args)) => commands::acp::run_parsed(args, &cli.global),
        Some(command) => with_session(&cli.global, |session| dispatch(command, session)),
        None => with_session(&cli.global, commands::overview::run),
    }
}

fn with_session(global: &Global, command: impl FnOnce(&mut Session) -> Result<Answer>) -> ExitCode {
    crate::diagnostics::of_a_command(global.verbose);
    let _told = tracing::info_span!(target: "vib::command", "command").entered();
    let mut printer = Printer::new(global);
    let progress = Bar::new(!global.json);
    let context = match world(global.directory.as_ref()) {
        Ok(context) => context,
        Err(error) => return printer.error(&error),
    };
    printer.speak(Language::of_environment(&context));
    let beside = context.beside(context.cwd());
    let state = context.state().ok().map(std::path::Path::to_path_buf);
    let mut session = Session { context: Some(context), printer, progress, tells_of_hooks: false };
    let answer = command(&mut session);
    session.progress.finish();
    let gone = match beside {
        Ok(context) if !session.tells_of_hooks => gone(&context),
        _ => Vec::new(),
    };
    let code = match answer {
        Ok(answer) => session.printer.answer(&answer, &gone),
        Err(error) => {
            tracing::info!(target: "vib::command", code = error.code(), "ended with an error");
            session.printer.error(&behind_fence(state.as_deref(), error))
        }
    };
    if !session.printer.json() {
        session.printer.aside(&render::gone(&gone, session.printer.theme()));
    }
    code
}

/// An error that only says that nothing can be written, where the reason is that vib was called from behind its own fence. (B6)
fn behind_fence(state: Option<&std::path::Path>, error: Error) -> Error {
    let text = error.to_string();
    let small = text.to_lowercase();
    let is_refused = error.code() == "read_only"
        || ["permission denied", "readonly", "read-only", "unable to open"]
            .iter()
            .any(|word| small.contains(word));
    match state {
        Some(state) if is_refused && fence::probe::is_behind(state) => fence::Error::Behind(text).into(),
        _ => error,
    }
}

/// Hooks that were taken away behind vib's back are said with whatever command comes next. A few small files are read; a folder
/// that vib does not know has nothing of the kind.
fn gone(context: &Context) -> Vec<Gone> {
    let Ok((root, _, Some(_))) = project::find_root(context) else { return Vec::new() };
    install::protection::world(context, root).map(|world| install::gone::gone(&world)).unwrap_or_default()
}

fn world(directory: Option<&PathBuf>) -> Result<Context> {
    let context = Context::from_process().map_err(project::Error::from)?;
    match directory {
        Some(folder) => Ok(context.in_folder(folder).map_err(project::Error::from)?),
        None => Ok(context),
    }
}

fn dispatch(command: &Command, session: &mut Session) -> Result<Answer> {
    match command {
        Command::Init(args) => commands::init::run(args, session),
        Command::Status(args) => commands::status::run(args, session),
        Command::Checkpoint(args) => commands::checkpoint::run(args, session),
        Command::History(args) => commands::history::run(args, session),
        Command::Show(args) => commands::show::run(args, session),
        Command::Diff(args) => commands::diff::run(args, session),
        Command::Why(args) => commands::why::run(args, session),
        Command::Bisect(args) => commands::bisect::run(args, session),
        Command::Report(args) => commands::report::run(args, session),
        Command::Undo(args) => commands::undo::run(args, session),
        Command::Redo(args) => commands::redo::run(args, session),
        Command::Lane(args) => commands::lane::run(args, session),
        Command::Land(args) => commands::lane::land(args, session),
        Command::Board(args) => commands::board::run(args, session),
        Command::Run(args) => commands::run::run(args, session),
        Command::Explain(args) => commands::explain::run(args, session),
        Command::Guard(args) => commands::guard::run(args, session),
        Command::Protect(args) => commands::protect::run(args, session),
        Command::Fence(args) => commands::fence::run(args, session),
        Command::Scan(args) => commands::scan::run(args, session),
        Command::Anchor(args) => commands::anchor::run(args, session),
        Command::Recover(args) => commands::recover::run(args, session),
        Command::Approve(args) => commands::approve::run(args, session),
        Command::Patch(args) => commands::patch::run(args, session),
        Command::Pin(args) => commands::pin::pin(args, session),
        Command::Unpin(args) => commands::pin::unpin(args, session),
        Command::Lesson(args) => commands::lesson::run(args, session),
        Command::Secrets(args) => commands::secrets::run(args, session),
        Command::Redact(args) => commands::redact::run(args, session),
        Command::Audit(args) => commands::audit::run(args, session),
        Command::Store(args) => commands::store::run(args, session),
        Command::Judge(args) => commands::judge::run(args, session),
        Command::Memory(args) => commands::memory::run(args, session),
        Command::Mcp(args) => commands::mcp::run(args, session),
        Command::Serve(args) => commands::serve::run(args, session),
        Command::Verify(args) => commands::verify::run(args, session),
        Command::Stop(args) => commands::stop::run(args, session),
        Command::Role(args) => commands::role::run(args, session),
        Command::Transfer(args) => commands::transfer::run(args, session),
        Command::Spiral(args) => commands::spiral::run(args, session),
        Command::Drive(args) => commands::drive::run(args, session),
        Command::Providers(args) => commands::providers::run(args, session),
        // Never come here: their exit contracts are their own (see `run`).
        Command::Hook(_) | Command::Acp(_) => Ok(Answer::raw(Vec::new())),
        Command::Config(args) => commands::config::run(args, session),
        Command::Lock(args) => commands::lock::run(args, session),
        Command::Doctor(args) => commands::doctor::run(args, session),
        Command::Demo(args) => commands::demo::run(args, session),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args),
    }
}

/// The whole command line, for completions, the man page and the reference.
pub(crate) fn definition() -> clap::Command {
    Cli::command()
}
