//! `vib init`

use std::path::PathBuf;

use engine::init::{InitOptions, InitReport, init};
use engine::{Error, Result};
use hooks::Client;
use hooks::install::{Action, Choice, Outcome, Scope, Status, Steps, World, program_to_call};
use project::Context;
use serde::Serialize;

use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, render};

/// Start protecting this project: a first checkpoint, and hooks in your agents
///
/// The first part (an id, a place for checkpoints, a first checkpoint) changes none of your files; `.vibelign/` gets a
/// `.gitignore` of its own. Other commands do it too when it is needed.
///
/// Then vib looks for agent clients (Claude Code, Codex CLI, Gemini CLI, OpenCode, Copilot CLI, Cursor), shows what it
/// would change in their settings, and asks. What is there stays as it is; `--remove` takes everything out again.
/// Nothing is staged or committed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Do not ask anything (for scripts)
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Make the current folder the project, whatever lies above it
    #[arg(long)]
    here: bool,
    /// Join this folder to checkpoints that are already stored under this project id (after cloning again elsewhere)
    #[arg(long, value_name = "ID", conflicts_with = "here")]
    adopt: Option<String>,
    /// Only this client, found or not (can be repeated)
    #[arg(long, value_name = "NAME", value_parser = client_names())]
    client: Vec<String>,
    /// Every client that vib knows, found or not
    #[arg(long, conflicts_with = "client")]
    all: bool,
    /// Whose settings: this project's, or your own for all projects
    #[arg(long, value_name = "SCOPE", value_parser = ["project", "user"], default_value = "project")]
    scope: String,
    /// Leave the clients alone
    #[arg(long, conflicts_with_all = ["client", "all", "remove"])]
    no_hooks: bool,
    /// Take vib's hooks out of the clients' settings (checkpoints stay)
    #[arg(long, conflicts_with_all = ["here", "adopt"])]
    remove: bool,
    /// Only show what would be changed in the clients' settings
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
}

fn client_names() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(Client::ALL.map(Client::name))
}

/// What happened to the clients.
#[derive(Debug, Serialize)]
pub(crate) struct HooksReport {
    pub(crate) scope: Scope,
    /// The vib that the hooks call.
    pub(crate) program: PathBuf,
    pub(crate) clients: Vec<Outcome>,
    #[serde(skip)]
    pub(crate) action: Action,
    /// The command that makes the changes that were not made.
    #[serde(skip)]
    pub(crate) again: String,
    /// Somebody may wonder why nothing was found.
    #[serde(skip)]
    pub(crate) watched: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    #[serde(flatten)]
    project: Option<InitReport>,
    hooks: Option<HooksReport>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    session.tells_of_hooks = true;
    let context = session.context()?;
    if args.remove {
        let (root, _, _) = project::find_root(&context)?;
        let hooks = hooks_of(args, Action::Remove, &world(&context, root)?, session)?;
        return Ok(answer(session, None, Some(hooks)));
    }
    let options = InitOptions { here: args.here, adopt: args.adopt.clone() };
    let (engine, project) = init(context, &options, &session.progress)?;
    session.progress.finish();
    session.printer.now(&render::init(&project, session.printer.theme()));
    let hooks = if args.no_hooks {
        None
    } else {
        let world = world(engine.context(), engine.project().root().to_path_buf())?;
        Some(hooks_of(args, Action::Install, &world, session)?)
    };
    Ok(answer(session, Some(project), hooks))
}

/// The places that matter, from the process's environment.
pub(crate) fn world(context: &Context, root: PathBuf) -> Result<World> {
    let get = |name: &str| std::env::var_os(name);
    let running = std::env::current_exe().map_err(project::Error::from)?;
    let program = program_to_call(&running, get("PATH").as_ref());
    let home = context.home().map(PathBuf::from);
    Ok(World::new(root, home, context.state()?.to_path_buf(), program, &get))
}

fn hooks_of(args: &Args, action: Action, world: &World, session: &Session) -> Result<HooksReport> {
    let scope = if args.scope == "user" { Scope::User } else { Scope::Project };
    let named: Vec<Client> = args.client.iter().filter_map(|name| name.parse().ok()).collect();
    let choice = match (args.all, named.is_empty()) {
        (true, _) => Choice::All,
        (false, true) => Choice::Found,
        (false, false) => Choice::Named(named),
    };
    let mut steps = Steps::prepare(world, action, &choice, scope);
    if steps.has_work() && !args.dry_run {
        let printer = &session.printer;
        let can_ask = !printer.json() && ask::somebody_is_there();
        if args.yes || can_ask {
            printer.now(&render::hooks_plan(steps.outcomes(), printer.theme()));
        }
        if args.yes || (can_ask && ask::yes(printer, "Make these changes?")) {
            steps.carry_out(world);
        } else if can_ask {
            steps.decline();
        } else if action == Action::Remove {
            return Err(Error::NeedsConfirmation);
        }
    } else if !args.dry_run {
        steps.carry_out(world);
    }
    Ok(HooksReport {
        scope,
        program: world.program.clone(),
        clients: steps.into_outcomes(),
        action,
        again: again(args),
        watched: ask::somebody_is_there(),
    })
}

/// The same command with `--yes`.
fn again(args: &Args) -> String {
    let mut words = vec!["vib init".to_owned()];
    words.extend(args.remove.then(|| "--remove".to_owned()));
    words.extend(args.all.then(|| "--all".to_owned()));
    words.extend(args.client.iter().map(|name| format!("--client {name}")));
    words.extend((args.scope == "user").then(|| "--scope user".to_owned()));
    words.push("--yes".to_owned());
    words.join(" ")
}

fn answer(session: &Session, project: Option<InitReport>, hooks: Option<HooksReport>) -> Answer {
    let failed =
        hooks.iter().flat_map(|hooks| &hooks.clients).any(|outcome| outcome.status == Status::Failed);
    let report = Report { project, hooks };
    Answer::new(&session.printer, &report, |report, theme| {
        report.hooks.as_ref().map(|hooks| render::hooks_done(hooks, theme)).unwrap_or_default()
    })
    .with_exit(u8::from(failed))
}
