//! Several attempts at one card, each in a lane of its own, by vib's own loop or by other agents, compared by proof. (AG5)
//!
//! What an agent says about its work counts for nothing; what vib finds out about what it left behind does: checks that vib runs, tests that got
//! weaker, what the guard finds, and only between equals size, cost and time. A person chooses; nothing lands by itself.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clients::Client;
use drive::agent::find;
use drive::drive::{DriveReport, Task};
use drive::executor::{FenceWish, NotStarted, Place, Settings, WayToDrive};
use drive::spend::{self, Budget, SpentRow};
use drive::table;
use engine::run::compare::{AttemptFacts, judge};
use engine::run::evidence;
use engine::run::fold::{Card, Run};
use engine::run::model::{By, CardStatus, PlannedCard, RunEvent};
use engine::run::words;
use engine::verification::VerifyQuery;
use engine::{Engine, run};

use texts::{Language, Texts};

use crate::card::{self, CardWork};
use crate::conversation::Desk;
use crate::journal::Journal;
use crate::work::{self, USUAL_STEPS, WorkEnd, Worker};
use crate::{Error, Result, lanes, prompt};

/// Memory that an agent with everything it starts is expected to need: the largest that was measured, and some more.
const MEMORY_OF_ONE: u64 = 700 << 20;
/// So long an agent may say nothing, unless the whole may not even take that long.
const SILENCE: Duration = Duration::from_secs(15 * 60);
/// So long one attempt may take, where the run says nothing.
const USUAL_LIMIT: Duration = Duration::from_secs(30 * 60);

/// How other agents are started.
#[derive(Debug, Clone)]
pub struct Starting {
    /// The vib that holds them.
    pub vib: PathBuf,
    /// Another program in the place of a client's own.
    pub programs: Vec<(String, PathBuf)>,
    /// The fence around each.
    pub fence: FenceWish,
    /// What one run may use, and what a day may.
    pub budgets: (Budget, Budget),
    /// How many work at the same time; none: as many as memory and cores allow.
    pub at_once: Option<usize>,
}

/// Refuses, before anything is written, what could not be started anyway.
pub fn may_start(engine: &Engine, by: &[By], starting: &Starting) -> Result<()> {
    for client in by.iter().filter_map(client_of) {
        let client = client?;
        let row = table::row(client).ok_or_else(|| not_started(&NotStarted::Unknown(client)))?;
        let program = match starting.programs.iter().find(|(name, _)| name == client.name()) {
            Some((_, program)) => program.clone(),
            None => PathBuf::from(row.acp.first().copied().unwrap_or_default()),
        };
        if find(&program, engine.context().variable("PATH").as_ref()).is_none() {
            let program = program.display().to_string();
            return Err(not_started(&NotStarted::Missing { program, package: row.adapter }));
        }
    }
    Ok(())
}

fn client_of(by: &By) -> Option<Result<Client>> {
    let By::Client { name } = by else { return None };
    Some(name.parse().map_err(|()| Error::NotStarted {
        code: "agent_unknown",
        message: format!("`{name}` is no agent that vib knows"),
        next: "claude-code, codex, gemini, opencode and copilot can be driven".to_owned(),
    }))
}

fn not_started(why: &NotStarted) -> Error {
    Error::NotStarted { code: why.code(), message: why.message(), next: why.next() }
}

/// How many can work at the same time here.
pub fn at_once(wanted: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let memory = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()
    });
    let fit = memory
        .map_or(usize::MAX, |kilobytes| usize::try_from((kilobytes << 10) / MEMORY_OF_ONE).unwrap_or(1));
    wanted.min(cores).min(fit).max(1)
}

/// Works on a run of several attempts until one is recommended, or nobody is good enough.
pub fn carry_on(worker: &mut Worker<'_>, starting: &Starting, journal: &mut Journal<'_>) -> Result<WorkEnd> {
    let began = journal.run();
    let steps = began.limits.actions.unwrap_or(USUAL_STEPS);
    worker.options.most_steps = usize::try_from(steps).unwrap_or(usize::MAX);
    if began.paused.is_some() {
        work::take_up(worker, journal, &began)?;
    }
    if began.cards.is_empty() {
        let card = PlannedCard {
            id: "c1".to_owned(),
            title: began.task.lines().next().unwrap_or_default().chars().take(120).collect(),
            acceptance: Vec::new(),
            steps: Vec::new(),
        };
        journal.append(RunEvent::Planned { cards: vec![card] })?;
    }
    let run = journal.run();
    let Some(card) = run.cards.first().cloned() else { return Ok(WorkEnd::Blocked) };
    if matches!(card.status, CardStatus::Done | CardStatus::Preview | CardStatus::Dropped) {
        return Ok(WorkEnd::Ready);
    }
    let project = prompt::about_project(worker.engine, &run.id);
    let round = Round { run: &run, card: &card, project: &project, starting };
    if round.others(worker, journal)? || round.own(worker, journal)? {
        return Ok(WorkEnd::Paused);
    }
    compare(journal, &card.id)
}

/// Attempts at one card.
struct Round<'r> {
    run: &'r Run,
    card: &'r Card,
    project: &'r str,
    starting: &'r Starting,
}

/// One that is to be made.
struct Attempt {
    id: String,
    by: By,
    lane: String,
}

impl Round<'_> {
    /// Who makes which attempt: everybody in turn.
    fn attempts(&self) -> Vec<Attempt> {
        let count = usize::try_from(self.run.attempts).unwrap_or(1).max(self.run.by.len()).max(1);
        let one = |at: usize| {
            let id = format!("a{}", at + 1);
            let lane = format!("{}-{}-{id}", self.run.id, self.card.id);
            Attempt { id, by: self.run.by[at % self.run.by.len()].clone(), lane }
        };
        (0..count).map(one).collect()
    }

    fn stands(&self, id: &str) -> Option<&engine::run::fold::Attempt> {
        self.card.attempts.iter().find(|attempt| attempt.id == id)
    }

    /// The attempts of vib's own loop, one after another. True: it waits for a person.
    fn own(&self, worker: &mut Worker<'_>, journal: &mut Journal<'_>) -> Result<bool> {
        for attempt in self.attempts() {
            let is_over =
                self.stands(&attempt.id).is_some_and(|known| known.ended.is_some() && known.is_proven());
            if !matches!(attempt.by, By::Vib { .. }) || is_over {
                continue;
            }
            let lane = lanes::open_or_make(worker.engine, &attempt.lane, &self.run.from)?;
            let (began, outer) = (Instant::now(), worker.stop);
            let limit = self.run.limits.seconds.map(Duration::from_secs);
            let asked = journal.folder().join("stop");
            let stop = || outer() || asked.exists() || limit.is_some_and(|limit| began.elapsed() >= limit);
            let mut desk = Desk {
                engine: worker.engine,
                lane: &lane,
                journal,
                asks: worker.asks,
                options: &worker.options,
                stop: &stop,
                answer: worker.answer.take(),
                person: worker.person,
            };
            let work = CardWork {
                card: self.card,
                attempt: &attempt.id,
                lane: &attempt.lane,
                project: self.project,
                roles: card::Roles { review: false, ..worker.roles },
                is_one_of_several: true,
            };
            if card::work(&mut desk, &work)? == card::CardEnd::Paused {
                return Ok(true);
            }
            self.prove(worker, journal, &attempt.id, &attempt.lane)?;
        }
        Ok(false)
    }

    /// What vib finds out about what was left behind.
    fn prove(&self, worker: &Worker<'_>, journal: &mut Journal<'_>, id: &str, lane: &str) -> Result<()> {
        let run = journal.run();
        let attempt = run.card(&self.card.id).and_then(|card| card.attempts.iter().find(|one| one.id == id));
        let before = attempt.and_then(|attempt| attempt.before.clone()).unwrap_or_default();
        let query = VerifyQuery {
            trigger: "run".to_owned(),
            caller: worker.options.caller.clone(),
            ..VerifyQuery::default()
        };
        let found = evidence::collect(worker.engine, lane, &before, &query, worker.stop, &store::Silent)?;
        let mut checked = found.checked(&self.card.id, id);
        if let RunEvent::Checked { checks, .. } = &mut checked {
            // A check that is there and that nobody allowed is no check that is missing.
            checks.extend(found.not_allowed.iter().map(|line| engine::run::model::CheckEvidence {
                command: line.clone(),
                status: "not_run".to_owned(),
                exit: None,
                milliseconds: 0,
                tail: String::new(),
            }));
        }
        journal.append(checked)
    }

    /// The attempts of other agents, several at once. True: it was stopped.
    fn others(&self, worker: &mut Worker<'_>, journal: &mut Journal<'_>) -> Result<bool> {
        let all: Vec<Attempt> =
            self.attempts().into_iter().filter(|one| matches!(one.by, By::Client { .. })).collect();
        let mut open = Vec::new();
        for attempt in all {
            match self.stands(&attempt.id) {
                None => open.push(attempt),
                // It died with the vib that held it. What it left behind counts; nobody does it again by itself.
                Some(known) if known.ended.is_none() => {
                    let nothing = Told {
                        ended: "cancelled",
                        text: "vib was interrupted".to_owned(),
                        ..Told::default()
                    };
                    self.end(worker, journal, &attempt, nothing)?;
                }
                Some(known) if !known.is_proven() => {
                    self.prove(worker, journal, &attempt.id, &attempt.lane)?;
                }
                Some(_) => {}
            }
        }
        if open.is_empty() {
            return Ok(false);
        }
        let at_once = self.starting.at_once.unwrap_or_else(|| at_once(open.len())).min(open.len());
        if at_once < open.len() {
            let what = format!("{at_once}_of_{}_at_once", open.len());
            journal.append(RunEvent::Adapted { card: Some(self.card.id.clone()), what })?;
        }
        let (stopped, mut is_asked) = (AtomicBool::new(false), false);
        let mut waiting = open.into_iter().collect::<std::collections::VecDeque<_>>();
        let (send, heard) = mpsc::channel();
        let text = prompt::for_client(self.run, self.card, self.project);
        let limit = self.run.limits.seconds.map_or(USUAL_LIMIT, Duration::from_secs);
        let came = std::thread::scope(|scope| -> Result<()> {
            // Whatever ends this ends the agents, too: they are not waited for.
            let _ends = EndsAll(&stopped);
            let mut at_work = 0;
            loop {
                while at_work < at_once && !stopped.load(Ordering::SeqCst) {
                    let Some(attempt) = waiting.pop_front() else { break };
                    let lane = lanes::open_or_make(worker.engine, &attempt.lane, &self.run.from)?;
                    let before =
                        run::save(worker.engine, &attempt.lane, "run card", &store::Silent)?.checkpoint;
                    journal.append(RunEvent::AttemptBegan {
                        card: self.card.id.clone(),
                        attempt: attempt.id.clone(),
                        by: attempt.by.clone(),
                        lane: attempt.lane.clone(),
                        before,
                    })?;
                    let (send, stopped, text) = (send.clone(), &stopped, text.as_str());
                    let (starting, budget) = (self.starting, self.budget(worker.engine));
                    at_work += 1;
                    scope.spawn(move || {
                        let came = driven(&lane, &attempt.by, starting, budget, text, limit, stopped);
                        let _ = send.send((attempt, came));
                    });
                }
                if at_work == 0 {
                    return Ok(());
                }
                match heard.recv_timeout(Duration::from_millis(100)) {
                    Ok((attempt, came)) => {
                        at_work -= 1;
                        note_spent(worker.engine, &attempt, &came);
                        self.end(worker, journal, &attempt, Told::of(&came))?;
                    }
                    Err(_) if (worker.stop)() || journal.is_asked_to_stop() => {
                        is_asked = true;
                        stopped.store(true, Ordering::SeqCst);
                    }
                    Err(_) => {}
                }
            }
        });
        came?;
        if is_asked {
            let (code, why) = ("stopped".to_owned(), "it was asked to stop".to_owned());
            journal.append(RunEvent::Paused {
                card: Some(self.card.id.clone()),
                code,
                why,
                options: Vec::new(),
            })?;
            return Ok(true);
        }
        Ok(false)
    }

    /// What one attempt may use: of the run's own limit what is left, of the day's what is left.
    fn budget(&self, engine: &Engine) -> (Budget, Budget) {
        let (of_run, mut of_day) = self.starting.budgets;
        let own = Budget { dollars: self.run.limits.dollars, tokens: self.run.limits.tokens };
        let today = spend::today(engine.project().shared_state(), engine.context().now_ms());
        let used = today.tokens.map_or(0, |tokens| tokens.prompt() + tokens.output);
        of_day.tokens = of_day.tokens.map(|most| most.saturating_sub(used).max(1));
        of_day.dollars = of_day.dollars.map(|most| (most - today.dollars.unwrap_or(0.0)).max(0.000_001));
        (if own.is_none() { of_run } else { own }, of_day)
    }

    /// An attempt is over: what it left behind is saved and looked at.
    fn end(
        &self,
        worker: &Worker<'_>,
        journal: &mut Journal<'_>,
        attempt: &Attempt,
        told: Told,
    ) -> Result<()> {
        let run = journal.run();
        let known =
            run.card(&self.card.id).and_then(|card| card.attempts.iter().find(|one| one.id == attempt.id));
        let before = known.and_then(|known| known.before.clone()).unwrap_or_default();
        let of_lane = lanes::open_or_make(worker.engine, &attempt.lane, &self.run.from)?;
        let saved = run::save(worker.engine, &attempt.lane, "run card", &store::Silent)?;
        let files = evidence::files_between(&of_lane, &before, &saved.checkpoint, &store::Silent)?;
        journal.append(RunEvent::AttemptEnded {
            card: self.card.id.clone(),
            attempt: attempt.id.clone(),
            ended: told.ended.to_owned(),
            text: told.text,
            after: saved.checkpoint,
            tree: saved.tree,
            files,
            tokens: told.used.tokens,
            dollars: told.used.dollars,
            milliseconds: told.milliseconds,
        })?;
        self.prove(worker, journal, &attempt.id, &attempt.lane)
    }
}

/// Tells the agents to end when it goes.
struct EndsAll<'s>(&'s AtomicBool);

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// What is told about an attempt that is over.
#[derive(Debug, Clone, Default)]
struct Told {
    ended: &'static str,
    text: String,
    used: drive::executor::Usage,
    milliseconds: u64,
}

impl Told {
    fn of(came: &std::result::Result<DriveReport, NotStarted>) -> Self {
        match came {
            Ok(report) => Self {
                ended: report.ended.code(),
                text: crate::actions::tail(&report.text, 4_000).to_owned(),
                used: report.used,
                milliseconds: report.took_ms,
            },
            Err(why) => Self {
                ended: "refused",
                text: format!("{}; {}", why.message(), why.next()),
                ..Self::default()
            },
        }
    }
}

fn driven(
    lane: &Engine,
    by: &By,
    starting: &Starting,
    (budget, day): (Budget, Budget),
    text: &str,
    limit: Duration,
    stopped: &AtomicBool,
) -> std::result::Result<DriveReport, NotStarted> {
    let client = match client_of(by) {
        Some(Ok(client)) => client,
        _ => return Err(NotStarted::Failed("nobody is named".to_owned())),
    };
    let program = starting.programs.iter().find(|(name, _)| name == client.name());
    let settings = Settings {
        client,
        way: WayToDrive::Acp,
        command: program.map(|(_, program)| vec![OsString::from(program)]),
        limit,
        silence: SILENCE.min(limit),
    };
    let place = Place { folder: lane.project().root().to_path_buf(), fence: starting.fence };
    let task = Task {
        engine: lane,
        place: &place,
        settings: &settings,
        prompt: text,
        budget,
        day,
        vib: starting.vib.clone(),
    };
    drive::drive::run(&task, &|| stopped.load(Ordering::SeqCst), &mut |_| {})
}

/// What an attempt used counts for the project's day, not for its lane's.
fn note_spent(engine: &Engine, attempt: &Attempt, came: &std::result::Result<DriveReport, NotStarted>) {
    let Ok(report) = came else { return };
    let row = SpentRow {
        at_ms: engine.context().now_ms(),
        client: report.client.name().to_owned(),
        session: attempt.lane.clone(),
        tokens: report.used.tokens.map(|tokens| tokens.prompt() + tokens.output),
        dollars: report.used.dollars,
        source: report.source.to_owned(),
    };
    // What is not noted is in the run's log all the same.
    let _ = spend::note(engine.project().shared_state(), &row);
}

/// Holds the attempts against each other. Who is recommended waits for a person's choice.
fn compare(journal: &mut Journal<'_>, id: &str) -> Result<WorkEnd> {
    let run = journal.run();
    let Some(card) = run.card(id) else { return Ok(WorkEnd::Blocked) };
    let facts: Vec<AttemptFacts> = card
        .attempts
        .iter()
        .filter(|attempt| !attempt.dropped)
        .map(|attempt| AttemptFacts::of(attempt, &[]))
        .collect();
    let judgement = judge(&facts);
    let recommended = judgement.recommended.clone();
    // For programs and for whoever opens the log; surfaces say the same in the person's language.
    let english = Texts::new(Language::En);
    journal.append(RunEvent::Compared {
        card: id.to_owned(),
        recommended: recommended.clone(),
        reasons: words::sentences(&judgement.told(), &|id, values| english.say(id, values), &str::to_owned),
        told: judgement.told(),
    })?;
    let (status, code, why, ended) = match recommended {
        Some(best) => {
            (CardStatus::Review, "choose", format!("{best} is recommended; you choose"), WorkEnd::Ready)
        }
        None => {
            (CardStatus::Blocked, "nobody_passes", "no attempt is good enough".to_owned(), WorkEnd::Blocked)
        }
    };
    let (code, why) = (Some(code.to_owned()), Some(why));
    journal.append(RunEvent::Status { card: id.to_owned(), status, code, why })?;
    let why = if ended == WorkEnd::Ready { "done" } else { "blocked" };
    journal.append(RunEvent::Ended { why: why.to_owned() })?;
    Ok(ended)
}
