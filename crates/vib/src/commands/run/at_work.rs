//! Working on a run: who answers, what may be done, what is told meanwhile, and how it ends.

use std::sync::atomic::Ordering;

use agent::asks::{Asking, Asks, Models};
use agent::best_of::{self, Starting};
use agent::card::Roles;
use agent::conversation::Options;
use agent::journal::Journal;
use agent::work::{self, RunSettings, WorkEnd, Worker};
use engine::person::ByPerson;
use engine::run::log::RunLog;
use engine::run::model::{By, RunEvent};
use engine::run::{self, artifacts};
use engine::verification::Caller;
use engine::{Engine, Result};
use providers::{Happening, Machine, Policy, Provider, Question, Reply, Stopped};
use texts::Texts;

use super::look::Shown;
use crate::answer::{Answer, Refused};
use crate::cli::Session;
use crate::commands::bisect::stop_on_signals;
use crate::commands::drive::{of_settings, wish};
use crate::commands::providers::{listing, price};
use crate::render;

/// How a run is taken up.
#[derive(Default)]
pub(super) struct Going {
    /// What a person answered.
    pub(super) answer: Option<String>,
    /// The proof that one did.
    pub(super) person: Option<ByPerson>,
    /// Nobody watches: a person is told when they are needed.
    pub(super) alone: bool,
}

/// Why nothing was done, or nothing more.
pub(super) fn refused(error: &agent::Error, session: &Session) -> Answer {
    let why = Refused { code: error.code(), message: error.to_string(), next: error.next() };
    let text = format!("{error}.\n{}\n", error.next());
    let exit = if matches!(error, agent::Error::NotWaiting(_)) { 1 } else { 3 };
    Answer::refused(&session.printer, &serde_json::Value::Null, why, |_, _| text).with_exit(exit)
}

/// Commands are switched on in the settings or for this process.
pub(super) fn bash_is_on(engine: &Engine) -> bool {
    let said = engine.context().variable("VIBE_ENABLE_BASH").is_some_and(|value| value == "1");
    said || engine.project().config().flag("run.bash")
}

/// How other agents are started.
pub(super) fn starting(engine: &Engine, settings: &RunSettings) -> Result<Starting> {
    let config = engine.project().config();
    Ok(Starting {
        vib: std::env::current_exe().map_err(project::Error::from)?,
        programs: settings.programs.clone(),
        fence: wish(config),
        budgets: (of_settings(config, "run"), of_settings(config, "day")),
        at_once: None,
    })
}

/// The providers that are meant: those that were named, or the first that can be asked.
pub(super) fn providers(engine: &Engine, named: &[String]) -> agent::Result<Vec<Provider>> {
    let machine = Machine::new(engine.context());
    let listing = listing(engine, &machine);
    let usual = engine.project().config().list("run.provider");
    let named = if named.is_empty() { usual } else { named };
    let chosen = listing.chosen(named, &machine, &price).map_err(|why| agent::Error::NotStarted {
        code: why.code(),
        message: why.to_string(),
        next: why.next(),
    })?;
    if chosen.is_empty() {
        return Err(agent::Error::NoExecutor(Stopped::NoProvider.message()));
    }
    Ok(chosen)
}

/// Nobody: for runs that other agents carry out.
struct Nobody;

impl Asks for Nobody {
    fn ask(
        &mut self,
        _: &Asking<'_>,
        _: &Question,
        _: &mut dyn FnMut(Happening),
        _: &dyn Fn() -> bool,
    ) -> std::result::Result<Reply, Stopped> {
        Err(Stopped::NoProvider)
    }

    fn label(&self) -> String {
        String::new()
    }
}

/// Works on a run until it is ready or somebody is needed, and says how it stands.
pub(super) fn go(engine: &Engine, log: RunLog, going: Going, session: &mut Session) -> Result<Answer> {
    let run = log.run();
    let settings = RunSettings::read(log.folder());
    let machine = Machine::new(engine.context());
    let named = run.by.iter().find_map(|by| match by {
        By::Vib { model } => Some(model.split(',').map(str::to_owned).collect::<Vec<_>>()),
        By::Client { .. } => None,
    });
    let policy =
        Policy { allow_weaker: engine.project().config().flag("run.allow_weaker"), ..Policy::default() };
    let mut asks: Box<dyn Asks + '_> = match named {
        Some(named) => match providers(engine, &named) {
            Ok(chosen) => {
                Box::new(Models::new(providers::Caller::new(chosen, &machine, policy), engine, &run))
            }
            Err(error) => return Ok(refused(&error, session)),
        },
        None => Box::new(Nobody),
    };
    let (alone, id) = (going.alone, run.id.clone());
    let ended = work_on(engine, log, going, asks.as_mut(), &settings, session);
    let ended = match ended {
        Ok(ended) => ended,
        Err(agent::Error::Engine(error)) => return Err(error),
        Err(error) => return Ok(refused(&error, session)),
    };
    // Derived: whoever misses them makes them anew.
    let _ = artifacts::write(engine, &id);
    if alone {
        super::detach::notify(engine, &id, ended);
    }
    answer(engine, &id, ended, session)
}

/// The same with whoever answers.
pub(super) fn work_on(
    engine: &Engine,
    log: RunLog,
    going: Going,
    asks: &mut dyn Asks,
    settings: &RunSettings,
    session: &Session,
) -> agent::Result<WorkEnd> {
    let config = engine.project().config();
    let run = log.run();
    let stopped = stop_on_signals();
    let stop = || stopped.load(Ordering::Relaxed);
    let mut worker = Worker {
        engine,
        asks,
        options: Options { bash: settings.bash, caller: Caller::of_process(), ..Options::default() },
        roles: Roles { research: config.flag("run.research"), review: config.flag("run.review") },
        stop: &stop,
        answer: going.answer,
        person: going.person,
    };
    let (printer, id) = (&session.printer, run.id.clone());
    let mut told = |event: &RunEvent| {
        if let Some(line) = render::run_event(&id, event).filter(|_| !printer.json()) {
            printer.aside(&line);
        }
    };
    session.progress.finish();
    let mut journal = Journal::new(log).told_to(&mut told);
    if run.compares() {
        let starting = starting(engine, settings).map_err(agent::Error::from)?;
        best_of::carry_on(&mut worker, &starting, &mut journal)
    } else {
        work::carry_on(&mut worker, &mut journal)
    }
}

/// How it stands, and what to do next.
pub(super) fn answer(engine: &Engine, id: &str, ended: WorkEnd, session: &Session) -> Result<Answer> {
    let shown =
        Shown { running: false, left_alone: false, ..Shown::of(engine, run::show(engine, id)?, false) };
    let texts = Texts::new(engine.language());
    let exit = u8::from(ended != WorkEnd::Ready);
    let next = match ended {
        WorkEnd::Ready if shown.run.cards.iter().any(|card| card.recommended.is_some()) => {
            format!(
                "`vib run apply {id}/c1` brings the recommended attempt to your project, after a preview\n"
            )
        }
        WorkEnd::Ready => String::new(),
        WorkEnd::Blocked => format!("`vib run resume {id} WHAT TO DO` gives it another try\n"),
        WorkEnd::Paused => format!("`vib run resume {id} ANSWER` lets it go on\n"),
    };
    let answer =
        Answer::new(&session.printer, &shown, |shown, theme| render::run(shown, &texts, theme) + &next);
    Ok(answer.with_exit(exit))
}
