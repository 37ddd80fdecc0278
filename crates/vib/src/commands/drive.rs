//! `vib drive`

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use drive::drive::{DriveReport, Task, run as carry_out};
use drive::executor::{Event, FenceWish, NotStarted, Place, Settings, WayToDrive, Why};
use drive::spend::Budget;
use engine::{Error, Result};
use hooks::Client;
use project::Config;
use store::{Phase, Progress};

use super::bisect::stop_on_signals;
use crate::answer::{Answer, Refused};
use crate::cli::Session;
use crate::render;

/// So long an agent may say nothing, unless the whole may not even take that long.
const SILENCE: Duration = Duration::from_secs(15 * 60);

/// Let any agent carry out one prompt, watched and fenced
///
/// `vib drive gemini "Add a test for the cart"` starts the agent in this folder (or in `--in FOLDER`), answers its questions as vib's judge does
/// (what a person would have to decide is a no, for there is none), saves every step, and ends it with everything it started when it is
/// done, hangs, takes too long or has used its budget. Around the whole agent stands the fence, where the kernel has one (`lane.fence`).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The agent: claude-code, codex, gemini, opencode or copilot
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(CLIENTS))]
    client: String,
    /// What it is asked to do
    prompt: String,
    /// Where it works; else here
    #[arg(long = "in", value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// How long it may take: `90s`, `30m`, `2h`
    #[arg(long, default_value = "30m", value_name = "TIME", value_parser = time)]
    limit: Duration,
    /// What it may use: `$2`, `500k` tokens
    #[arg(long, value_name = "BUDGET", value_parser = budget)]
    budget: Option<Budget>,
    /// Over which way: the protocol, in which it asks (acp), or its mode without a screen (stream)
    #[arg(long, default_value = "acp", value_parser = ["acp", "stream"])]
    way: String,
    /// Another program that speaks the same way, in the place of the agent's own
    #[arg(long, value_name = "PROGRAM")]
    program: Option<OsString>,
}

const CLIENTS: [&str; 5] = ["claude-code", "codex", "gemini", "opencode", "copilot"];

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    if args.prompt.trim().is_empty() {
        return Err(Error::Usage("say what the agent should do".to_owned()));
    }
    if let Some(folder) = &args.folder {
        let context = session.context()?;
        session.context = Some(context.in_folder(folder).map_err(project::Error::from)?);
    }
    let client: Client = args
        .client
        .parse()
        .map_err(|()| Error::Usage(format!("`{}` is no agent that vib knows", args.client)))?;
    let engine = session.engine()?;
    let config = engine.project().config();
    let place = Place { folder: engine.context().cwd().to_path_buf(), fence: wish(config) };
    let settings = Settings {
        client,
        way: if args.way == "stream" { WayToDrive::Stream } else { WayToDrive::Acp },
        command: args.program.clone().map(|program| vec![program]),
        limit: args.limit,
        silence: SILENCE.min(args.limit),
    };
    let vib = std::env::current_exe().map_err(project::Error::from)?;
    let task = Task {
        engine: &engine,
        place: &place,
        settings: &settings,
        prompt: &args.prompt,
        budget: args.budget.unwrap_or_else(|| of_settings(config, "run")),
        day: of_settings(config, "day"),
        vib,
    };
    let stopped = stop_on_signals();
    let progress = &session.progress;
    let mut heard = |event: &Event| {
        if matches!(event, Event::ToolCall { status, .. } if status == "completed") {
            progress.advance(1);
        }
    };
    progress.begin(Phase::Driving, None);
    match carry_out(&task, &|| stopped.load(Ordering::Relaxed), &mut heard) {
        Ok(report) => Ok(answer(&report, session)),
        Err(not_started) => Ok(refused(&not_started, session)),
    }
}

fn answer(report: &DriveReport, session: &Session) -> Answer {
    let exit = u8::from(report.ended != Why::Done);
    Answer::new(&session.printer, report, render::driven).with_exit(exit)
}

fn refused(why: &NotStarted, session: &Session) -> Answer {
    let refused = Refused { code: why.code(), message: why.message(), next: why.next() };
    let text = format!("Nothing was started: {}.\n{}\n", why.message(), why.next());
    Answer::refused(&session.printer, &serde_json::Value::Null, refused, |_, _| text).with_exit(3)
}

pub(super) fn wish(config: &Config) -> FenceWish {
    match config.word("lane.fence") {
        "off" => FenceWish::Off,
        "strict" => FenceWish::Strict,
        _ => FenceWish::Auto,
    }
}

/// What the settings allow for a run or a day; zero is without limit.
pub(super) fn of_settings(config: &Config, what: &str) -> Budget {
    let number = |unit: &str| config.number(&format!("budget.{what}_{unit}"));
    let some = |number: u64| (number > 0).then_some(number);
    Budget {
        dollars: some(number("cents")).map(|cents| cents as f64 / 100.0),
        tokens: some(number("tokens")),
    }
}

pub(super) fn time(typed: &str) -> std::result::Result<Duration, String> {
    let (number, seconds) = [("s", 1), ("m", 60), ("h", 3600)]
        .iter()
        .find_map(|(unit, seconds)| Some((typed.strip_suffix(unit)?, *seconds)))
        .unwrap_or((typed, 1));
    let number: u64 =
        number.trim().parse().map_err(|_| format!("`{typed}` is no time: `90s`, `30m`, `2h`"))?;
    match number.checked_mul(seconds) {
        Some(0) | None => Err(format!("`{typed}` leaves no time")),
        Some(seconds) => Ok(Duration::from_secs(seconds)),
    }
}

pub(super) fn budget(typed: &str) -> std::result::Result<Budget, String> {
    Budget::read(typed)
        .ok_or_else(|| format!("`{typed}` is no budget: `$2`, `2.50usd`, `500k` or `2m` tokens"))
}
