//! `vib run "TASK"` and `vib run resume`

use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use agent::work::{self, NewRun, RunSettings};
use agent::{best_of, branch};
use drive::spend::Budget;
use engine::person::Act;
use engine::run::log::RunLog;
use engine::run::model::{By, Limits};
use engine::verification::checks;
use engine::{Engine, Error, Result};
use providers::OverBudget;

use super::at_work::{self, Going, refused};
use super::{demo, detach, main};
use crate::answer::Answer;
use crate::cli::Session;
use crate::commands::drive::{budget, of_settings, time};
use crate::{ask, person};

/// What is typed to begin a run.
#[derive(Debug, clap::Args)]
pub(super) struct TaskArgs {
    /// What is to be done; `-` reads it from standard input
    #[arg(value_name = "TASK")]
    task: Option<String>,
    /// The model: NAME or NAME/MODEL, as `vib providers` lists them; a second one answers where the first cannot
    #[arg(long, value_name = "NAME/MODEL")]
    provider: Vec<String>,
    /// Other agents do it, each in a lane of its own: claude-code, codex, gemini, opencode, copilot; `vib` is vib's own loop
    #[arg(long = "with", value_name = "AGENTS", value_delimiter = ',')]
    with: Vec<String>,
    /// So many attempts, compared by proof
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    best_of: Option<u32>,
    /// Answers of the model for one card
    #[arg(long, value_name = "N", default_value_t = work::USUAL_STEPS, value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_steps: u32,
    /// What it may use: `$2`, `500k` tokens
    #[arg(long, value_name = "BUDGET", value_parser = budget)]
    budget: Option<Budget>,
    /// How long it may work: `90s`, `30m`, `2h`
    #[arg(long, value_name = "TIME", value_parser = time)]
    limit: Option<Duration>,
    /// It may run commands in its lane, behind the fence
    #[arg(long)]
    bash: bool,
    /// A branch `vib/runN` in your repository with one commit per finished card; your HEAD, index and files stay as they are
    #[arg(long, conflicts_with_all = ["with", "best_of"])]
    branch: bool,
    /// Go on without this terminal: `vib run attach` watches
    #[arg(long)]
    detach: bool,
    /// See the whole story, offline, with a model that follows a script
    #[arg(long, conflicts_with_all = ["task", "provider", "with", "best_of", "detach", "bash", "branch"])]
    demo: bool,
    /// Another program that speaks the same way, in the place of an agent's own
    #[arg(long, value_name = "AGENT=PROGRAM", value_parser = program)]
    program: Vec<(String, PathBuf)>,
}

fn program(typed: &str) -> std::result::Result<(String, PathBuf), String> {
    let (client, program) = typed.split_once('=').ok_or("`AGENT=PROGRAM` is expected")?;
    Ok((client.to_owned(), PathBuf::from(program)))
}

pub(super) fn run(args: &TaskArgs, session: &mut Session) -> Result<Answer> {
    if args.demo {
        return demo::run(session);
    }
    let Some(typed) = &args.task else {
        return Err(Error::Usage("say what is to be done, or see `vib run list`".to_owned()));
    };
    let mut task = typed.clone();
    if typed == "-" {
        task.clear();
        std::io::stdin().take(1 << 20).read_to_string(&mut task).map_err(project::Error::from)?;
    }
    if task.trim().is_empty() {
        return Err(Error::Usage("there is no task: say what is to be done".to_owned()));
    }
    let engine = main(session)?;
    engine::person::refuse_agent(engine.context(), Act::Run)?;
    let by = match who(args, &engine) {
        Ok(by) => by,
        Err(error) => return Ok(refused(&error, session)),
    };
    let branch = match args.branch.then(|| branch::may_start(&engine)).transpose() {
        Ok(branch) => branch,
        Err(error) => return Ok(refused(&error, session)),
    };
    let bash = args.bash || at_work::bash_is_on(&engine);
    let settings = RunSettings { bash, programs: args.program.clone(), branch };
    if let Err(error) = best_of::may_start(&engine, &by, &at_work::starting(&engine, &settings)?) {
        return Ok(refused(&error, session));
    }
    let budget = args.budget.unwrap_or_else(|| of_settings(engine.project().config(), "run"));
    if let Err(error) = can_be_kept(&budget, &by, &engine) {
        return Ok(refused(&error, session));
    }
    allow_checks(&engine, session)?;
    let new = NewRun {
        task,
        attempts: args.best_of.unwrap_or(1).max(u32::try_from(by.len()).unwrap_or(1)),
        by,
        limits: Limits {
            actions: Some(args.max_steps),
            dollars: budget.dollars,
            tokens: budget.tokens,
            seconds: args.limit.map(|limit| limit.as_secs().max(1)),
        },
        bash: settings.bash,
    };
    let log = match work::begin(&engine, &new, &settings) {
        Ok(log) => log,
        Err(error) => return Ok(refused(&error, session)),
    };
    if args.detach {
        return detach::begin(&engine, log, session);
    }
    at_work::go(&engine, log, Going::default(), session)
}

/// Who works: other agents, or vib's own loop with a model. Nobody is found out before anything is written.
fn who(args: &TaskArgs, engine: &Engine) -> agent::Result<Vec<By>> {
    let mut by = Vec::new();
    for name in args.with.iter().filter(|name| name.as_str() != "vib") {
        by.push(By::Client { name: name.clone() });
    }
    if by.is_empty() || args.with.iter().any(|name| name == "vib") {
        let chosen = at_work::providers(engine, &args.provider)?;
        let labels: Vec<String> = chosen.iter().map(providers::Provider::label).collect();
        by.push(By::Vib { model: labels.join(",") });
    }
    Ok(by)
}

/// A budget in dollars bounds no model whose price nobody knows: that is said before anything is written.
fn can_be_kept(budget: &Budget, by: &[By], engine: &Engine) -> agent::Result<()> {
    let day = of_settings(engine.project().config(), "day");
    let in_dollars = [("run", budget.dollars), ("day", day.dollars)];
    let Some((of, limit)) = in_dollars.into_iter().find_map(|(of, limit)| Some((of, limit?))) else {
        return Ok(());
    };
    for by in by {
        let By::Vib { model } = by else { continue };
        let named: Vec<String> = model.split(',').map(str::to_owned).collect();
        let unpriced = at_work::providers(engine, &named)?.into_iter().find(|one| one.price.is_none());
        if let Some(first) = unpriced {
            let over = OverBudget::unpriced(of, limit, 0.0);
            return Err(agent::Error::NotStarted {
                code: "price_unknown",
                message: format!("{} (`{}`)", over.message(), first.label()),
                next: over.next(),
            });
        }
    }
    Ok(())
}

/// What the project's files name is run only after a person said yes to it, once. Who says no gets a run without checks.
fn allow_checks(engine: &Engine, session: &Session) -> Result<()> {
    let known = checks::known(engine)?;
    let new: Vec<String> = known.into_iter().filter(|one| !one.allowed).map(|one| one.line).collect();
    if new.is_empty() || session.printer.json() || !ask::somebody_is_there() {
        return Ok(());
    }
    let Ok(by) = person::required(engine.context(), Act::AllowChecks) else { return Ok(()) };
    session.progress.finish();
    let list: String = new.iter().map(|line| format!("  {line}\n")).collect();
    session
        .printer
        .aside(&format!("These checks were found. They run in a private copy, not in your folder:\n{list}"));
    if ask::yes(&session.printer, "Run them, now and whenever the project is verified?") {
        checks::allow(engine, &new, by)?;
    }
    Ok(())
}

pub(super) fn resume(
    typed: &str,
    answer: &[String],
    detached: bool,
    session: &mut Session,
) -> Result<Answer> {
    let engine = main(session)?;
    engine::person::refuse_agent(engine.context(), Act::Run)?;
    let place = engine::run::place(typed)?;
    let typed = Some(answer.join(" ")).filter(|answer| !answer.trim().is_empty());
    // What was answered on the page waits beside the log until somebody goes on.
    let answer = match typed {
        Some(answer) => Some(answer),
        None => engine::run::kept_answer(&engine, &place.run)?,
    };
    // An answer may be a yes to something that only a person may say yes to.
    let person = match &answer {
        Some(_) => Some(person::required(engine.context(), Act::Run)?),
        None => None,
    };
    let log = RunLog::open(&engine, &place.run)?;
    if detached && answer.is_none() {
        return detach::begin(&engine, log, session);
    }
    at_work::go(&engine, log, Going { answer, person, ..Going::default() }, session)
}
