//! A run: made before anything else happens, worked on in its lane, card by card, and taken up again after a pause or a kill.

use std::cell::Cell;
use std::time::{Duration, Instant};

use engine::run::fold::Run;
use engine::run::log::RunLog;
use engine::run::model::{By, CardStatus, Limits, PlannedCard, RunEvent};
use engine::{Engine, lane};
use person::ByPerson;
use serde::{Deserialize, Serialize};

use crate::asks::Asks;
use crate::branch::{self, Branch, BranchStart};
use crate::card::{self, CardEnd, CardWork, Roles};
use crate::conversation::{Desk, Options, Outcome, Talk, hold};
use crate::journal::Journal;
use crate::role::Role;
use crate::{Error, Result, lanes, prompt};

/// Steps of one card, unless somebody says otherwise.
pub const USUAL_STEPS: u32 = 40;

/// What a person wants.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// The task.
    pub task: String,
    /// Who works.
    pub by: Vec<By>,
    /// How many attempts a card gets.
    pub attempts: u32,
    /// What it may use.
    pub limits: Limits,
    /// Commands may be run.
    pub bash: bool,
}

/// What a run remembers besides its log: how it was started.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSettings {
    /// Commands may be run.
    pub bash: bool,
    /// Another program in the place of a client's own, for tests: client and program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<(String, std::path::PathBuf)>,
    /// Where its own branch begins; none: the person's git is left alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchStart>,
}

const SETTINGS: &str = "settings.json";

impl RunSettings {
    /// Those of a run.
    pub fn read(folder: &std::path::Path) -> Self {
        let bytes = std::fs::read(folder.join("notes").join(SETTINGS)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Keeps them.
    pub fn write(&self, folder: &std::path::Path) -> Result<()> {
        let bytes = serde_json::to_vec(self).map_err(std::io::Error::from)?;
        project::platform::make_private_dir(&folder.join("notes"))?;
        engine::private_file::write(&folder.join("notes").join(SETTINGS), &bytes)?;
        Ok(())
    }
}

/// Begins a run: the project is saved, and the log has its first line. Nothing else of the project is touched, now or later.
pub fn begin(engine: &Engine, new: &NewRun, settings: &RunSettings) -> Result<RunLog> {
    let task = new.task.trim();
    if task.is_empty() {
        return Err(Error::NoTask);
    }
    if new.by.is_empty() {
        return Err(Error::NoExecutor("nobody is named who could carry this out".to_owned()));
    }
    let task = engine.own_gate().clean(task).into_string();
    let (from, _) = lanes::save(engine, "run")?;
    let started = RunEvent::Started {
        task,
        from,
        by: new.by.clone(),
        attempts: new.attempts.max(1),
        limits: new.limits,
    };
    let log = RunLog::create(engine, started)?;
    let mut settings = settings.clone();
    if let Some(start) = &mut settings.branch {
        start.name = branch::free_name(engine, log.id());
    }
    settings.write(log.folder())?;
    Ok(log)
}

/// How the work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkEnd {
    /// Every card waits for a yes, or needs none.
    Ready,
    /// A card cannot go on by itself.
    Blocked,
    /// It waits for a person.
    Paused,
}

/// Whoever works on a run.
pub struct Worker<'w> {
    /// The project.
    pub engine: &'w Engine,
    /// Who answers.
    pub asks: &'w mut dyn Asks,
    /// What may be done.
    pub options: Options,
    /// Who looks besides the executor.
    pub roles: Roles,
    /// It should end.
    pub stop: &'w dyn Fn() -> bool,
    /// What a person answered.
    pub answer: Option<String>,
    /// The proof that one did.
    pub person: Option<ByPerson>,
}

/// Works on a run until every card is ready, or a person has to decide. Whoever comes after a kill calls the same.
pub fn carry_on(worker: &mut Worker<'_>, journal: &mut Journal<'_>) -> Result<WorkEnd> {
    let began = Instant::now();
    let run = journal.run();
    let steps = run.limits.actions.unwrap_or(USUAL_STEPS);
    worker.options.most_steps = usize::try_from(steps).unwrap_or(usize::MAX);
    take_up(worker, journal, &run)?;
    let trunk = lanes::open_or_make(worker.engine, &run.id, &run.from)?;
    // Who resumes a run whose time is used up gives it as much again.
    let has_more = run.paused.as_ref().is_some_and(|pause| pause.code == "budget");
    let used = if has_more { 0 } else { journal.worked_ms() / 1000 };
    let left = run.limits.seconds.map(|most| Duration::from_secs(most.saturating_sub(used)));
    let (outer, asked, is_over) = (worker.stop, journal.folder().join("stop"), Cell::new(false));
    let stop = || {
        if left.is_some_and(|left| began.elapsed() >= left) {
            is_over.set(true);
        }
        is_over.get() || outer() || asked.exists()
    };
    let ended = cards(worker, journal, &trunk, &stop)?;
    if is_over.get() && ended == WorkEnd::Paused {
        let why = "the time of the run is used up".to_owned();
        let options = vec!["more".to_owned()];
        journal.append(RunEvent::Paused { card: None, code: "budget".to_owned(), why, options })?;
    }
    match ended {
        WorkEnd::Ready => journal.append(RunEvent::Ended { why: "done".to_owned() })?,
        WorkEnd::Blocked => journal.append(RunEvent::Ended { why: "blocked".to_owned() })?,
        WorkEnd::Paused => {}
    }
    Ok(ended)
}

/// What only the answer of a person decides, and whoever asked gets it.
fn is_asked(code: &str) -> bool {
    matches!(code, "question" | "approval" | "keep_region" | "no_change" | "check_changed")
}

/// A run that waits goes on with a person's answer.
pub(crate) fn take_up(worker: &mut Worker<'_>, journal: &mut Journal<'_>, run: &Run) -> Result<()> {
    let Some(pause) = &run.paused else {
        if run.ended.is_some() && worker.answer.is_some() {
            journal.append(RunEvent::Resumed { answer: worker.answer.clone() })?;
        }
        return Ok(());
    };
    let is_decision = is_asked(&pause.code) || pause.code == "weaker_model";
    if is_decision && worker.answer.is_none() {
        let what =
            if pause.options.is_empty() { String::new() } else { format!(" ({})", pause.options.join(", ")) };
        return Err(Error::NotWaiting(format!("it waits for an answer{what}: {}", pause.why)));
    }
    journal.append(RunEvent::Resumed { answer: worker.answer.clone() })?;
    match pause.code.as_str() {
        "weaker_model"
            if worker.answer.as_deref().is_some_and(|answer| answer.trim().eq_ignore_ascii_case("yes")) =>
        {
            worker.asks.allow_weaker();
            worker.answer = None;
        }
        "budget" => {
            worker.asks.allow_more();
            worker.answer = None;
        }
        // Without a word it is looked again: the price may be known by now.
        "price_unknown" => {
            let said = worker.answer.take().unwrap_or_default();
            if said.trim().eq_ignore_ascii_case("anyway") || said.trim().eq_ignore_ascii_case("yes") {
                worker.asks.allow_unpriced();
            }
        }
        code if is_asked(code) => {}
        _ => worker.answer = None,
    }
    Ok(())
}

fn cards(
    worker: &mut Worker<'_>,
    journal: &mut Journal<'_>,
    trunk: &Engine,
    stop: &dyn Fn() -> bool,
) -> Result<WorkEnd> {
    let project = prompt::about_project(worker.engine, journal.id());
    let branch = Branch::open(worker.engine, trunk, journal)?;
    if !is_planned(journal) {
        match plan(worker, journal, trunk, &project, stop)? {
            Outcome::Planned(cards) => journal.append(RunEvent::Planned { cards })?,
            Outcome::Paused => return Ok(WorkEnd::Paused),
            Outcome::Blocked { code, why } => {
                let card = PlannedCard {
                    id: "c1".to_owned(),
                    title: journal.run().task.chars().take(120).collect(),
                    acceptance: Vec::new(),
                    steps: Vec::new(),
                };
                journal.append(RunEvent::Planned { cards: vec![card] })?;
                journal.append(RunEvent::Status {
                    card: "c1".to_owned(),
                    status: CardStatus::Blocked,
                    code: Some(code.to_owned()),
                    why: Some(format!("there is no plan: {why}")),
                })?;
                return Ok(WorkEnd::Blocked);
            }
            Outcome::Done(_) | Outcome::Reviewed(_) => return Ok(WorkEnd::Blocked),
        }
    }
    let name = journal.id().to_owned();
    loop {
        // Before anybody goes on in the lane.
        if let Some(branch) = &branch {
            branch.commit_finished(journal)?;
        }
        let run = journal.run();
        let is_open = |status| matches!(status, CardStatus::Todo | CardStatus::Running | CardStatus::Review);
        let retried = worker.answer.is_some();
        let next = run
            .cards
            .iter()
            .find(|card| is_open(card.status) || (retried && card.status == CardStatus::Blocked));
        let Some(next) = next else {
            let blocked = run.cards.iter().any(|card| card.status == CardStatus::Blocked);
            return Ok(if blocked { WorkEnd::Blocked } else { WorkEnd::Ready });
        };
        let mut desk = Desk {
            engine: worker.engine,
            lane: trunk,
            journal,
            asks: worker.asks,
            options: &worker.options,
            stop,
            answer: worker.answer.take(),
            person: worker.person,
        };
        let work = CardWork {
            card: next,
            attempt: "a1",
            lane: &name,
            project: &project,
            roles: worker.roles,
            is_one_of_several: false,
        };
        match card::work(&mut desk, &work)? {
            CardEnd::Ready => {}
            CardEnd::Blocked => return Ok(WorkEnd::Blocked),
            CardEnd::Paused => return Ok(WorkEnd::Paused),
        }
    }
}

fn is_planned(journal: &Journal<'_>) -> bool {
    journal.events().iter().any(|logged| matches!(logged.event, RunEvent::Planned { .. }))
}

fn plan(
    worker: &mut Worker<'_>,
    journal: &mut Journal<'_>,
    trunk: &Engine,
    project: &str,
    stop: &dyn Fn() -> bool,
) -> Result<Outcome> {
    let opening = prompt::plan(&journal.run(), project);
    let mut desk = Desk {
        engine: worker.engine,
        lane: trunk,
        journal,
        asks: worker.asks,
        options: &worker.options,
        stop,
        answer: worker.answer.take(),
        person: worker.person,
    };
    let talk = Talk { role: Role::Planner, card: None, attempt: "a1", base: "" };
    let outcome = hold(&mut desk, &talk, &opening);
    worker.answer = desk.answer.take();
    outcome
}

/// The folder of the lane in which a run works.
pub fn folder_of(engine: &Engine, run: &str) -> Result<std::path::PathBuf> {
    Ok(lane::engine_of(engine, run)?.project().root().to_path_buf())
}
