//! `vib-bench spiral TRAJECTORIES.jsonl.gz`: how often the spiral breaker stops a run that leads nowhere, and how often one
//! that was going well, beside the rules that did best before. `vib-bench spiral --generated 500`: the same for made-up sessions
//! in the payload shapes of the clients; see [`generated`].

mod baseline;
mod generated;
mod replay;
mod runs;
mod shell;

use std::collections::BTreeMap;
use std::path::PathBuf;

use ::spiral::Limits;
use anyhow::{Context as _, Result};
use clap::Args;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use runs::Run;

#[derive(Args)]
pub struct SpiralArgs {
    /// Recorded runs of agents, one JSON object per line.
    #[arg(required_unless_present = "generated")]
    runs: Option<PathBuf>,
    /// Play so many made-up sessions to the hooks instead, each in the payload shapes of five clients.
    #[arg(long, value_name = "SESSIONS", num_args = 0..=1, default_missing_value = "500", conflicts_with = "runs")]
    generated: Option<u64>,
    /// The seed of the first of them.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print every run that was stopped.
    #[arg(long)]
    each: bool,
    /// Also try other limits on the open half.
    #[arg(long)]
    choose: bool,
    /// Also measure on the half that nobody looks at while rules are shaped.
    #[arg(long)]
    unopened: bool,
}

/// Where a run was stopped.
struct Stop {
    /// At this step …
    at: usize,
    /// … by this rule.
    rule: &'static str,
}

/// How one set of rules did on some of the runs.
#[derive(Serialize)]
struct Score {
    rules: &'static str,
    runs: &'static str,
    burnt: usize,
    burnt_stopped: usize,
    unresolved: usize,
    unresolved_stopped: usize,
    good: usize,
    good_stopped: usize,
    /// Share of the steps still ahead when a run that was not resolved was stopped; the median.
    ahead: Option<f64>,
    by_rule: BTreeMap<&'static str, (usize, usize)>,
}

pub fn run(args: &SpiralArgs) -> Result<()> {
    if let Some(sessions) = args.generated {
        return generated::run(sessions, args.seed, args.json);
    }
    let path = args.runs.as_deref().context("no recorded runs are given")?;
    let runs = runs::load(path)?;
    let limit = burnt_from(&runs);
    let halves = [("open half", true), ("unopened half", false)];
    let mut scores = Vec::new();
    for (name, first) in halves.into_iter().filter(|(_, first)| *first || args.unopened) {
        let some: Vec<&Run> = runs.iter().filter(|run| is_first(run) == first).collect();
        let before = |run: &Run| baseline::first(run).map(|(at, rule)| Stop { at, rule });
        scores.push(score("baseline", name, &some, limit, before));
        scores.push(score("vib, denied", name, &some, limit, |run| {
            replay::first(run, &Limits::BUILT_IN, false)
        }));
        scores.push(score("vib, warned", name, &some, limit, |run| {
            replay::first(run, &Limits::BUILT_IN, true)
        }));
    }
    if args.each {
        each(&runs, limit);
    }
    if args.choose {
        choose(&runs, limit);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&scores)?);
    } else {
        print(&runs, limit, &scores);
    }
    Ok(())
}

/// Every run that was stopped.
fn each(runs: &[Run], limit: f64) {
    for run in runs.iter().filter(|run| is_first(run)) {
        let (vib, before) = (replay::first(run, &Limits::BUILT_IN, false), baseline::first(run));
        if vib.is_none() && before.is_none() {
            continue;
        }
        let vib = vib.map_or("-".to_owned(), |stop| format!("{} at {}", stop.rule, stop.at));
        let before = before.map_or("-".to_owned(), |(at, rule)| format!("{rule} at {at}"));
        let kind = match (run.resolved, is_burnt(run, limit)) {
            (true, _) => "good",
            (false, true) => "burnt",
            (false, false) => "unresolved",
        };
        println!("{kind:10} {:32} {:4} steps  vib: {vib:26} baseline: {before}", run.id, run.steps.len());
    }
}

/// Other limits, on the open half.
fn choose(runs: &[Run], limit: f64) {
    let half: Vec<&Run> = runs.iter().filter(|run| is_first(run)).collect();
    println!("on the open half: limits, burnt runs stopped, good runs stopped");
    for same_failure in 2..=6 {
        for repeats in 2..=4 {
            let limits = Limits { same_failure, repeats, ..Limits::BUILT_IN };
            let score = score("", "", &half, limit, |run| replay::first(run, &limits, false));
            let (burnt, good) = (score.burnt_stopped, score.good_stopped);
            println!("  same failure {same_failure}  repeats {repeats}  {burnt:3}  {good:3}");
        }
    }
}

fn print(runs: &[Run], limit: f64, scores: &[Score]) {
    let hit_limits = runs.iter().filter(|run| hit_limit(run)).count();
    println!(
        "{} runs; burnt: not resolved, and stopped by a limit ({hit_limits} runs) or dearer than three of four good runs (from {limit:.2} $)",
        runs.len()
    );
    for score in scores {
        let share = |part: usize, all: usize| {
            format!("{part:3} of {all:3} ({:4.1} %)", 100.0 * part as f64 / all.max(1) as f64)
        };
        println!(
            "{:19} {:18} burnt stopped {}  unresolved stopped {}  good stopped {}  precision {}  ahead {}",
            score.runs,
            score.rules,
            share(score.burnt_stopped, score.burnt),
            share(score.unresolved_stopped, score.unresolved),
            share(score.good_stopped, score.good),
            share(score.unresolved_stopped, score.unresolved_stopped + score.good_stopped),
            score.ahead.map_or("-".to_owned(), |ahead| format!("{:.0} %", ahead * 100.0)),
        );
        for (rule, (unresolved, good)) in &score.by_rule {
            println!("    {rule:24} unresolved {unresolved:3}  good {good:3}");
        }
    }
}

fn score(
    rules: &'static str,
    name: &'static str,
    runs: &[&Run],
    limit: f64,
    first: impl Fn(&Run) -> Option<Stop>,
) -> Score {
    let mut score = Score {
        rules,
        runs: name,
        burnt: 0,
        burnt_stopped: 0,
        unresolved: 0,
        unresolved_stopped: 0,
        good: 0,
        good_stopped: 0,
        ahead: None,
        by_rule: BTreeMap::new(),
    };
    let mut ahead = Vec::new();
    for run in runs {
        let stop = first(run);
        let stopped = usize::from(stop.is_some());
        if run.resolved {
            score.good += 1;
            score.good_stopped += stopped;
        } else {
            score.unresolved += 1;
            score.unresolved_stopped += stopped;
        }
        if is_burnt(run, limit) {
            score.burnt += 1;
            score.burnt_stopped += stopped;
        }
        if let Some(stop) = stop {
            let counts = score.by_rule.entry(stop.rule).or_default();
            if run.resolved {
                counts.1 += 1;
            } else {
                counts.0 += 1;
                ahead.push((run.steps.len() - stop.at - 1) as f64 / run.steps.len() as f64);
            }
        }
    }
    ahead.sort_by(f64::total_cmp);
    score.ahead = ahead.get(ahead.len() / 2).copied();
    score
}

/// What three of four good runs cost at the most.
fn burnt_from(runs: &[Run]) -> f64 {
    let mut costs: Vec<f64> = runs.iter().filter(|run| run.resolved).filter_map(|run| run.cost).collect();
    costs.sort_by(f64::total_cmp);
    costs.get(costs.len() * 3 / 4).copied().unwrap_or(f64::INFINITY)
}

fn is_burnt(run: &Run, limit: f64) -> bool {
    !run.resolved && (hit_limit(run) || run.cost.is_some_and(|cost| cost >= limit))
}

/// Ended by a limit, not by the agent.
fn hit_limit(run: &Run) -> bool {
    run.exit_status.as_deref().is_some_and(|status| status.contains("Limit") || status.contains("exit_cost"))
}

fn is_first(run: &Run) -> bool {
    Sha256::digest(format!("17|{}", run.id).as_bytes())[31].is_multiple_of(2)
}

fn hash(text: &str) -> u64 {
    Sha256::digest(text.as_bytes()).iter().take(8).fold(0, |hash, &byte| hash << 8 | u64::from(byte))
}
