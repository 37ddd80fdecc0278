//! `--generated`: made-up sessions in the payload shapes of five clients, played to the hooks as they are. Honest sessions must
//! be left alone, those that lead nowhere must be stopped.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result};
use fs_err as fs;
use hooks::Client;
use hooks::router::{World, answer};
use project::Context;
use serde::Serialize;
use testkit::sessions::{Answer, Objection, Played, Session, Shape, Word, honest, play, stories};

/// An honest session has so many calls, at least and about at most.
const CALLS: (usize, usize) = (20, 200);
/// So many calls before a stop are printed.
const SHOWN: usize = 30;

/// What was found in the honest sessions of one client.
#[derive(Default, Serialize)]
struct Tally {
    sessions: u64,
    calls: usize,
    hooks: usize,
    /// Sessions in which the spiral breaker denied a call.
    stopped: usize,
    /// Sessions in which the model was told that it runs in circles.
    told: usize,
    /// What was denied or asked by anything else, by what it was about.
    others: BTreeMap<String, usize>,
    /// Stops to look at, with the seed to repeat them.
    stops: Vec<String>,
}

#[derive(Serialize)]
struct Report {
    seeds: [u64; 2],
    seconds: f64,
    honest: BTreeMap<&'static str, Tally>,
    dishonest: usize,
    dishonest_stopped: usize,
    missed: Vec<String>,
}

pub fn run(sessions: u64, first: u64, json: bool) -> Result<()> {
    let started = Instant::now();
    let last = first.saturating_add(sessions).saturating_sub(1);
    eprintln!("honest sessions with the seeds {first} to {last}, each in {} clients …", Shape::ALL.len());
    let honest = all_honest(first, sessions)?;
    eprintln!("sessions that lead nowhere …");
    let (mut dishonest, mut missed) = (0, Vec::new());
    for story in stories() {
        for shape in Shape::ALL {
            dishonest += 1;
            if played(&story.session, shape)?.stopped().is_none() {
                missed.push(format!("{} in {}", story.name, shape.name()));
            }
        }
    }
    let report = Report {
        seeds: [first, last],
        seconds: started.elapsed().as_secs_f64(),
        honest,
        dishonest,
        dishonest_stopped: dishonest - missed.len(),
        missed,
    };
    if json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    Ok(())
}

/// Plays them side by side: each has a project of its own.
fn all_honest(first: u64, sessions: u64) -> Result<BTreeMap<&'static str, Tally>> {
    let next = AtomicU64::new(0);
    let tallies: Mutex<BTreeMap<&'static str, Tally>> = Mutex::default();
    let work = || -> Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= sessions {
                return Ok(());
            }
            let seed = first.saturating_add(number);
            let session = honest(seed, CALLS.0, CALLS.1);
            for shape in Shape::ALL {
                let played = played(&session, shape)?;
                let mut tallies = tallies.lock().map_err(|_| anyhow::anyhow!("another thread has failed"))?;
                tallies.entry(shape.name()).or_default().add(seed, shape, &played);
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..std::thread::available_parallelism().map_or(1, usize::from))
            .map(|_| scope.spawn(work))
            .collect();
        for thread in threads {
            thread.join().map_err(|_| anyhow::anyhow!("a session could not be played"))??;
        }
        anyhow::Ok(())
    })?;
    tallies.into_inner().map_err(|_| anyhow::anyhow!("a thread has failed"))
}

impl Tally {
    fn add(&mut self, seed: u64, shape: Shape, played: &Played) {
        self.sessions += 1;
        self.calls += played.calls;
        self.hooks += played.hooks;
        let spiral = |word: Word| played.objections.iter().any(|one| one.spiral && one.word == word);
        self.stopped += usize::from(spiral(Word::Deny));
        self.told += usize::from(spiral(Word::Told));
        for one in played.objections.iter().filter(|one| !one.spiral) {
            *self.others.entry(kind(one)).or_default() += 1;
        }
        if let Some(one) = played.objections.iter().find(|one| one.spiral) {
            let why = one.why.lines().next().unwrap_or_default();
            self.stops.push(format!(
                "seed {seed} in {}: {:?} after {} calls at `{}`: {why}\n    {}",
                shape.name(),
                one.word,
                one.at,
                one.call,
                played.story_of(one, SHOWN)
            ));
        }
    }
}

/// An objection without the numbers of the session, so that the same ones are counted together.
fn kind(one: &Objection) -> String {
    let call: String = one.call.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).take(60).collect();
    let why = one.why.lines().next().unwrap_or_default();
    format!("{:?} `{call}`: {why}", one.word)
}

/// In a project of its own.
fn played(session: &Session, shape: Shape) -> Result<Played> {
    let base = tempfile::Builder::new().prefix("vib-bench-").tempdir()?;
    let root = fs::canonicalize(base.path())?.join("project");
    fs::create_dir(&root).context("no folder for the project")?;
    // The commands are told of and never run, so none of them can be seen behind a fence; and what an agent claims at the end of a turn
    // is not what is measured here.
    let config = base.path().join("config");
    fs::create_dir(&config).context("no folder for the settings")?;
    fs::write(config.join("config.toml"), "[guard]\nfence = \"off\"\n\n[stop]\nmode = \"off\"\n")
        .context("no settings")?;
    let get = |name: &str| match name {
        "VIBELIGN_CONFIG" => Some(config.clone().into_os_string()),
        "VIBELIGN_STATE" => Some(base.path().join("state").into_os_string()),
        "HOME" => Some(base.path().join("home").into_os_string()),
        _ => None,
    };
    let context = Context::with_environment(root.clone(), &get);
    let client = match shape {
        Shape::Claude => Client::ClaudeCode,
        Shape::Codex => Client::Codex,
        Shape::Gemini => Client::Gemini,
        Shape::OpenCode => Client::OpenCode,
        Shape::Copilot => Client::Copilot,
    };
    Ok(play(session, shape, &root, &mut |hook| {
        let input = hook.payload.to_string();
        let reply = answer(&context, &World::default(), client, hook.event, input.as_bytes());
        Answer { stdout: reply.stdout, stderr: reply.stderr }
    }))
}

fn print(report: &Report) {
    println!(
        "honest sessions, seeds {} to {} ({:.0} s); the session of one seed: `--generated 1 --seed N`",
        report.seeds[0], report.seeds[1], report.seconds
    );
    for (name, tally) in &report.honest {
        let others: usize = tally.others.values().sum();
        println!(
            "  {name:9} {:5} sessions {:7} calls {:7} hooks   stopped {:3}   told {:3}   other objections {others:3}",
            tally.sessions, tally.calls, tally.hooks, tally.stopped, tally.told
        );
    }
    for tally in report.honest.values() {
        for (kind, times) in &tally.others {
            println!("  {times:5} times: {kind}");
        }
        for stop in &tally.stops {
            println!("{stop}");
        }
    }
    println!("sessions that lead nowhere: {} of {} stopped", report.dishonest_stopped, report.dishonest);
    for missed in &report.missed {
        println!("  not stopped: {missed}");
    }
}
