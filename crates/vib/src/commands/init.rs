//! `vib init`

use std::path::PathBuf;

use engine::init::{InitOptions, InitReport, prepare};
use engine::person::Act;
use engine::switch::{SwitchedOff, switch_off, switch_on, switched_off};
use engine::{Error, Result};
use hooks::Client;
use install::{
    Action, Choice, Connection, Outcome, Protection, Scope, Status, Steps, World, connections,
    program_to_call,
};
use project::Context;
use serde::Serialize;

use crate::answer::Answer;
use crate::cli::Session;
use crate::{ask, person, render};

/// Start protecting this project: hooks in your agents, and a first checkpoint
///
/// vib looks for agent clients (Claude Code, Codex CLI, Gemini CLI, OpenCode, Copilot CLI, Cursor), shows what it would
/// change in their settings, and asks. What is there stays as it is; `--remove` takes everything out again. By default
/// these are your own settings, so that agents are covered wherever you start them.
///
/// Then it saves a first checkpoint. The project itself gets one folder, `.vibelign/`, with a `.gitignore` of its own.
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
    /// Whose settings: `user` (your own, for every project; the default), `project` (this project, only for you),
    /// `team` (this project's shared files, for everybody who clones it); with `--remove`: all of them unless named
    #[arg(long, value_name = "SCOPE", value_parser = ["user", "project", "team"])]
    scope: Option<String>,
    /// Leave the clients alone
    #[arg(long, conflicts_with_all = ["client", "all", "remove"])]
    no_hooks: bool,
    /// Take vib's hooks out of the clients' settings (checkpoints stay)
    #[arg(long, conflicts_with_all = ["here", "adopt"])]
    remove: bool,
    /// Put back what was installed and is gone from the clients' settings, wherever it was
    #[arg(long, conflicts_with_all = ["here", "adopt", "client", "all", "scope", "no_hooks", "remove"])]
    repair: bool,
    /// Switch vib off in this project: no agent's step is saved or judged here, whoever's settings call vib
    #[arg(long, conflicts_with_all = ["here", "adopt", "client", "all", "scope", "no_hooks", "remove", "repair", "on"])]
    off: bool,
    /// Switch vib on again in this project
    #[arg(long, conflicts_with_all = ["here", "adopt", "client", "all", "scope", "no_hooks", "remove", "repair"])]
    on: bool,
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
    /// Whose settings; none: a removal from all of them.
    pub(crate) scope: Option<Scope>,
    /// The vib that the hooks call.
    pub(crate) program: PathBuf,
    /// Why that one, or why it is a poor choice.
    pub(crate) program_note: Option<String>,
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
pub(crate) struct Report {
    #[serde(flatten)]
    pub(crate) project: Option<InitReport>,
    pub(crate) hooks: Option<HooksReport>,
    /// What is true now, whatever was done.
    pub(crate) protection: Protection,
    /// Since when vib is switched off here, milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) switched_off_since_ms: Option<i64>,
    /// Every client that vib knows.
    pub(crate) connections: Vec<Connection>,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    session.tells_of_hooks = true;
    let context = session.context()?;
    if (args.remove && !args.dry_run) || args.adopt.is_some() {
        person::required(&context, Act::SwitchOff)?;
    }
    if args.remove {
        let (root, _, _) = project::find_root(&context)?;
        let world = world(&context, root)?;
        let hooks = hooks_of(args, Action::Remove, &world, session)?;
        return Ok(answer(session, None, Some(hooks), &world, None));
    }
    if args.repair {
        return repair(args, &engine::Engine::open(context)?, session);
    }
    if args.off || args.on {
        return switch(args.off, &engine::Engine::open(context)?, session);
    }
    let options = InitOptions { here: args.here, adopt: args.adopt.clone() };
    let prepared = prepare(context, &options, &session.progress)?;
    session.progress.finish();
    let engine = prepared.engine();
    let world = world(engine.context(), engine.project().root().to_path_buf())?;
    let hooks = if args.no_hooks { None } else { Some(hooks_of(args, Action::Install, &world, session)?) };
    let project = prepared.first_checkpoint(&session.progress)?;
    session.progress.finish();
    let off = switched_off(prepared.engine());
    Ok(answer(session, Some(project), hooks, &world, off))
}

/// Puts back what the records of the installation know and the settings do not have any more, scope by scope.
fn repair(args: &Args, engine: &engine::Engine, session: &Session) -> Result<Answer> {
    let world = world(engine.context(), engine.project().root().to_path_buf())?;
    let gone = install::gone::gone(&world);
    let mut hooks: Option<HooksReport> = None;
    for scope in Scope::ALL {
        let named: Vec<Client> =
            gone.iter().filter(|gone| gone.scope == scope).map(|gone| gone.client).collect();
        if named.is_empty() {
            continue;
        }
        let done = hooks_in(args, Action::Install, &Choice::Named(named), Some(scope), &world, session)?;
        match &mut hooks {
            Some(all) => all.clients.extend(done.clients),
            None => hooks = Some(done),
        }
    }
    Ok(answer(session, None, hooks, &world, switched_off(engine)))
}

/// What became of the switch.
#[derive(Debug, Serialize)]
pub(crate) struct Switch {
    pub(crate) root: String,
    /// Since when it is off, milliseconds since 1970; none: it is on.
    pub(crate) switched_off_since_ms: Option<i64>,
    /// It was as it should be already.
    pub(crate) already: bool,
}

fn switch(off: bool, engine: &engine::Engine, session: &Session) -> Result<Answer> {
    let before = switched_off(engine).is_some();
    let since = if off {
        Some(switch_off(engine, person::required(engine.context(), Act::SwitchOff)?)?.since_ms)
    } else {
        None
    };
    if !off {
        switch_on(engine)?;
    }
    let root = engine.project().root().display().to_string();
    let report = Switch { root, switched_off_since_ms: since, already: before == off };
    Ok(Answer::new(&session.printer, &report, render::switch))
}

/// The places that matter, from the process's environment.
pub(crate) fn world(context: &Context, root: PathBuf) -> Result<World> {
    let get = |name: &str| std::env::var_os(name);
    let running = std::env::current_exe().map_err(project::Error::from)?;
    let program = program_to_call(&running, get("PATH").as_ref());
    let home = context.home().map(PathBuf::from);
    let mut world =
        World::new(root, home, context.state()?.to_path_buf(), program, &get).with_lasting_program();
    world.by_agent = engine::person::who(context).agent().is_some();
    Ok(world)
}

fn hooks_of(args: &Args, action: Action, world: &World, session: &Session) -> Result<HooksReport> {
    let scope: Option<Scope> = args.scope.as_ref().and_then(|name| name.parse().ok());
    let named: Vec<Client> = args.client.iter().filter_map(|name| name.parse().ok()).collect();
    let choice = match (args.all, named.is_empty()) {
        (true, _) => Choice::All,
        (false, true) => Choice::Found,
        (false, false) => Choice::Named(named),
    };
    hooks_in(args, action, &choice, scope, world, session)
}

fn hooks_in(
    args: &Args,
    action: Action,
    choice: &Choice,
    scope: Option<Scope>,
    world: &World,
    session: &Session,
) -> Result<HooksReport> {
    let mut steps = Steps::prepare(world, action, choice, scope);
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
        scope: scope.or((action == Action::Install).then_some(Scope::User)),
        program: world.program.clone(),
        program_note: world.program_note.clone(),
        clients: steps.into_outcomes(),
        action,
        again: again(args),
        watched: ask::somebody_is_there(),
    })
}

/// The same command with `--yes`.
fn again(args: &Args) -> String {
    let mut words = vec!["vib init".to_owned()];
    words.extend(args.repair.then(|| "--repair".to_owned()));
    words.extend(args.remove.then(|| "--remove".to_owned()));
    words.extend(args.all.then(|| "--all".to_owned()));
    words.extend(args.client.iter().map(|name| format!("--client {name}")));
    words.extend(args.scope.iter().map(|name| format!("--scope {name}")));
    words.push("--yes".to_owned());
    words.join(" ")
}

fn answer(
    session: &Session,
    project: Option<InitReport>,
    hooks: Option<HooksReport>,
    world: &World,
    off: Option<SwitchedOff>,
) -> Answer {
    let outcomes = hooks.as_ref().map(|hooks| hooks.clients.as_slice()).unwrap_or_default();
    let failed = outcomes.iter().any(|outcome| outcome.status == Status::Failed);
    let connections = connections(world, outcomes);
    let protection = if off.is_some() { Protection::Off } else { Protection::of(&connections) };
    let switched_off_since_ms = off.map(|off| off.since_ms);
    let report = Report { project, hooks, protection, switched_off_since_ms, connections };
    Answer::new(&session.printer, &report, render::init).with_exit(u8::from(failed))
}
