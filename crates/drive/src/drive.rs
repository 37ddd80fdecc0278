//! One prompt, carried out by any agent, watched from the start to the last process.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use engine::Engine;
use serde::Serialize;

use crate::acp::AcpSession;
use crate::agent::{self, Start};
use crate::desk::Setting;
use crate::executor::{Event, Executor, FenceWish, NotStarted, Place, Settings, Usage, WayToDrive, Why};
use crate::hold::Becoming;
use crate::spend::{self, Budget, SpentRow};
use crate::stream::StreamSession;
use crate::table::{self, ClientRow};

/// How often the clock and the budget are looked at.
const LOOKS: Duration = Duration::from_millis(100);
/// How often what was used is counted: that reads the client's record.
const COUNTS: Duration = Duration::from_millis(500);
/// So long a cancelled agent may take to say so.
const CANCELLING: Duration = Duration::from_secs(5);
/// The share of a budget at which somebody is told.
const NOTICE: f64 = 0.8;

/// What is to be done.
pub struct Task<'t> {
    /// The project that the place belongs to.
    pub engine: &'t Engine,
    /// Where.
    pub place: &'t Place,
    /// By whom.
    pub settings: &'t Settings,
    /// What.
    pub prompt: &'t str,
    /// What this run may use.
    pub budget: Budget,
    /// What a day may.
    pub day: Budget,
    /// The vib that holds the agent.
    pub vib: PathBuf,
}

/// What came of it.
#[derive(Debug, Clone, Serialize)]
pub struct DriveReport {
    /// The client.
    pub client: clients::Client,
    /// The way.
    pub way: WayToDrive,
    /// Where.
    pub folder: PathBuf,
    /// The session, as the client's own record names it.
    pub session: Option<String>,
    /// Why it is over.
    pub ended: Why,
    /// A fence stood around the whole agent.
    pub fenced: bool,
    /// The agent's last words.
    pub text: String,
    /// What vib had to say.
    pub notices: Vec<String>,
    /// What it was not allowed.
    pub refused: Vec<Refused>,
    /// What it was not allowed last, if nothing ran since.
    #[serde(skip)]
    last_refused: Option<String>,
    /// Tool calls that ran.
    pub calls: u64,
    /// What it used.
    pub used: Usage,
    /// Where that comes from: the client's `record`, the `agent` itself, or `unknown`.
    pub source: &'static str,
    /// How long it took, milliseconds.
    pub took_ms: u64,
    /// The agent's exit code.
    pub exit_code: u8,
}

/// Something that it was not allowed.
#[derive(Debug, Clone, Serialize)]
pub struct Refused {
    /// What.
    pub what: String,
    /// Why.
    pub reason: Option<String>,
}

/// Starts an agent in a place.
pub fn start(
    engine: &Engine,
    place: &Place,
    settings: &Settings,
    vib: PathBuf,
) -> Result<(Box<dyn Executor>, bool), NotStarted> {
    let row = table::row(settings.client).ok_or(NotStarted::Unknown(settings.client))?;
    let context = engine.context();
    let command = command(row, settings, context.variable("PATH").as_ref())?;
    let fence = fence(engine, place)?;
    let is_fenced = fence.is_some();
    let open = if is_fenced { own_places(row, context) } else { Vec::new() };
    let wall = fence.as_deref().and_then(|folder| {
        let around = fence::Surroundings::of(context, Some(folder), Some(vib.clone())).ok()?;
        fence::Fence::of(&around, &fence::Wishes { also: open.clone(), ..fence::Wishes::default() }).ok()
    });
    let program = command.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    let named = settings.client.name().to_owned();
    let variables = row.variables.iter().filter(|(name, _)| context.variable(name).is_none());
    let start = Start {
        vib,
        becoming: Becoming { named: named.clone(), fence, open, command },
        folder: place.folder.clone(),
        variables: variables.map(|(name, value)| ((*name).to_owned(), OsString::from(value))).collect(),
        stderr: false,
    };
    let setting = Setting { program, unattended: true, named: Some(named), fence: wall };
    let session: Box<dyn Executor> = match settings.way {
        WayToDrive::Acp => {
            let mode = if is_fenced { row.modes.1 } else { row.modes.0 };
            Box::new(AcpSession::start(context, setting, start, mode)?)
        }
        WayToDrive::Stream => Box::new(StreamSession::new(context, setting, start, settings.client)?),
    };
    Ok((session, is_fenced))
}

fn command(
    row: &ClientRow,
    settings: &Settings,
    path: Option<&OsString>,
) -> Result<Vec<OsString>, NotStarted> {
    let words = match settings.way {
        WayToDrive::Acp => row.acp,
        WayToDrive::Stream => row.stream,
    };
    let command: Vec<OsString> = match &settings.command {
        Some(command) => command.clone(),
        None => words.iter().map(OsString::from).collect(),
    };
    let Some((program, rest)) = command.split_first() else {
        return Err(NotStarted::Failed("no program is named".to_owned()));
    };
    let found = agent::find(std::path::Path::new(program), path).ok_or_else(|| NotStarted::Missing {
        program: program.to_string_lossy().into_owned(),
        package: row.adapter.filter(|_| settings.command.is_none() && settings.way == WayToDrive::Acp),
    })?;
    Ok(std::iter::once(found.into_os_string()).chain(rest.iter().cloned()).collect())
}

/// The folder that the fence is put around, if it is.
fn fence(engine: &Engine, place: &Place) -> Result<Option<PathBuf>, NotStarted> {
    let kernel = fence::kernel::kernel();
    let is_there = kernel.is_there()
        && fence::Surroundings::of(engine.context(), Some(&place.folder), None)
            .is_ok_and(|around| fence::probe::kernel_holds(&around));
    match (place.fence, is_there) {
        (FenceWish::Off, _) | (FenceWish::Auto, false) => Ok(None),
        (_, true) => Ok(Some(place.folder.clone())),
        (FenceWish::Strict, false) => Err(NotStarted::NoFence(kernel.words())),
    }
}

/// The client's own places, made where they are not there yet: what is not there cannot be opened.
fn own_places(row: &ClientRow, context: &project::Context) -> Vec<PathBuf> {
    let Some(home) = context.home() else { return Vec::new() };
    let moved = [
        (".config", "XDG_CONFIG_HOME"),
        (".local/share", "XDG_DATA_HOME"),
        (".local/state", "XDG_STATE_HOME"),
        (".cache", "XDG_CACHE_HOME"),
    ];
    let place = |name: &str| {
        let moved = moved.iter().find_map(|(usual, variable)| {
            let rest = name.strip_prefix(usual)?.strip_prefix('/')?;
            Some(PathBuf::from(context.variable(variable)?).join(rest))
        });
        moved.unwrap_or_else(|| home.join(name))
    };
    let mut places: Vec<PathBuf> = row.own.iter().map(|name| place(name)).collect();
    let setup = clients::table::setup(row.client);
    if let Some((variable, inside)) = setup.user_folder.variable
        && let Some(folder) = context.variable(variable)
    {
        places.push(PathBuf::from(folder).join(inside));
    }
    for place in &places {
        if !place.exists() && !place.to_string_lossy().ends_with(".json") {
            let _ = std::fs::create_dir_all(place);
        }
    }
    places
}

/// Carries a task out. `stop` is asked all the while; `heard` gets everything that happens.
pub fn run(
    task: &Task<'_>,
    stop: &dyn Fn() -> bool,
    heard: &mut dyn FnMut(&Event),
) -> Result<DriveReport, NotStarted> {
    let began = Instant::now();
    let (mut agent, fenced) = start(task.engine, task.place, task.settings, task.vib.clone())?;
    let store = task.engine.project().state().to_path_buf();
    let before = spend::today(&store, task.engine.context().now_ms());
    let mut watch =
        Watching { task, before, is_noticed: false, counted: Instant::now(), last: Instant::now() };
    let mut report = DriveReport {
        client: task.settings.client,
        way: task.settings.way,
        folder: task.place.folder.clone(),
        session: None,
        ended: Why::Done,
        fenced,
        text: String::new(),
        notices: Vec::new(),
        refused: Vec::new(),
        last_refused: None,
        calls: 0,
        used: Usage::default(),
        source: "unknown",
        took_ms: 0,
        exit_code: 0,
    };
    agent.prompt(task.prompt);
    report.ended = loop {
        if let Some(event) = agent.next(LOOKS) {
            watch.last = Instant::now();
            heard(&event);
            if let Some(why) = report.take(event) {
                break why;
            }
        }
        let why = if stop() { Some(Why::Cancelled) } else { watch.why(agent.as_ref(), began, &mut report) };
        if let Some(why) = why {
            cancel(agent.as_mut(), &mut report, heard);
            break why;
        }
    };
    if report.ended == Why::Done
        && let Some(last) = report.last_refused.take()
    {
        report.ended = Why::Refused { said: format!("`{last}` was not allowed, and nothing came after it") };
    }
    report.exit_code = agent.end();
    report.session = agent.session().map(str::to_owned);
    let session = report.session.clone().unwrap_or_default();
    (report.used, report.source) =
        spend::used(task.engine.context(), task.settings.client, &session, agent.used());
    // What was used in the last moment counts too, and is said, though there is nothing left to cancel.
    if let Some(share) =
        watch.share(&report.used).filter(|share| *share >= 1.0 && report.ended != Why::Budget)
    {
        report
            .notices
            .push(format!("{:.0} % of the budget was used before vib could count it", share * 100.0));
    }
    report.took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let row = SpentRow {
        at_ms: task.engine.context().now_ms(),
        client: task.settings.client.name().to_owned(),
        session,
        tokens: report.used.tokens.map(|tokens| tokens.prompt() + tokens.output),
        dollars: report.used.dollars,
        source: report.source.to_owned(),
    };
    if let Err(error) = spend::note(&store, &row) {
        report.notices.push(format!("what this cost was not noted: {error}"));
    }
    Ok(report)
}

/// Asks the agent to stop, and hears it out for a moment.
fn cancel(agent: &mut dyn Executor, report: &mut DriveReport, heard: &mut dyn FnMut(&Event)) {
    agent.cancel();
    let asked = Instant::now();
    while asked.elapsed() < CANCELLING {
        if let Some(event) = agent.next(LOOKS) {
            heard(&event);
            if report.take(event).is_some() {
                return;
            }
        }
    }
}

struct Watching<'t> {
    task: &'t Task<'t>,
    before: Usage,
    is_noticed: bool,
    counted: Instant,
    last: Instant,
}

impl Watching<'_> {
    /// Whether it has to end, and why.
    fn why(&mut self, agent: &dyn Executor, began: Instant, report: &mut DriveReport) -> Option<Why> {
        if began.elapsed() >= self.task.settings.limit {
            return Some(Why::Limit);
        }
        if self.last.elapsed() >= self.task.settings.silence {
            return Some(Why::Silent);
        }
        if (self.task.budget.is_none() && self.task.day.is_none()) || self.counted.elapsed() < COUNTS {
            return None;
        }
        self.counted = Instant::now();
        let session = agent.session().unwrap_or_default();
        let (used, _) =
            spend::used(self.task.engine.context(), self.task.settings.client, session, agent.used());
        let share = self.share(&used)?;
        if share >= NOTICE && !std::mem::replace(&mut self.is_noticed, true) {
            report.notices.push(format!("{:.0} % of the budget is used", share * 100.0));
        }
        (share >= 1.0).then_some(Why::Budget)
    }

    /// How much of what may be used is, by this run and on this day.
    fn share(&self, used: &Usage) -> Option<f64> {
        let run = self.task.budget.share(used);
        let day = self.task.day.share(&spend::sum(&self.before, used));
        [run, day].into_iter().flatten().reduce(f64::max)
    }
}

impl DriveReport {
    /// Takes an event up; why it is over, if it is.
    fn take(&mut self, event: Event) -> Option<Why> {
        match event {
            Event::Text(text) => {
                self.text.push_str(&text);
                if self.text.len() > 64 << 10 {
                    let mut from = self.text.len() - (32 << 10);
                    while !self.text.is_char_boundary(from) {
                        from += 1;
                    }
                    self.text.drain(..from);
                }
            }
            Event::Notice(text) => self.notices.push(text),
            Event::ToolCall { status, .. } => match status.as_str() {
                "completed" => {
                    self.calls += 1;
                    self.last_refused = None;
                }
                "failed" => self.calls += 1,
                _ => {}
            },
            Event::Permission { title, allowed: false, reason } => {
                self.last_refused = Some(title.clone());
                self.refused.push(Refused { what: title, reason });
            }
            Event::Ended(why) => return Some(why),
            Event::Usage(_) | Event::Permission { .. } => {}
        }
        None
    }
}
