//! Does what was learned help? The history of a repository is replayed: earlier commits are the memories, each later one is
//! a task (its title and one of its files are known), and a memory that is offered was of use if it touches another file of
//! the task. The policy learns on the earlier half, exactly as it would after each session; the later half measures it.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;
use memory::learn::policy::{Evidence, History, Policy, event_body, revert_body};
use memory::learn::usage::{Example, Offered};
use memory::log::{Event, Provenance, Scope};
use memory::recall::{Document, Index, Query};
use serde_json::Value;

use super::{Figure, commits};

/// So many tasks, spread over the history.
const TASKS: usize = 1600;
/// The first commits are only memories.
const FIRST: usize = 5_000;
/// What a hook looks at.
const WEIGHED: usize = 20;
const SHOWN: usize = 5;
/// A session has about so many tasks; learning runs at its end.
const SESSION: usize = 10;
const DAY_MS: i64 = 86_400_000;

struct Task {
    query: Query,
    others: HashSet<String>,
}

pub fn measure(repository: &Path) -> Result<Vec<Figure>> {
    let mut commits = commits::read(repository)?;
    for commit in &mut commits {
        commit.session = Some(format!("day-{}", commit.time_ms / DAY_MS));
    }
    let tasks = tasks(&commits);
    let mut index = Index::of(&commits)?;
    let (earlier, later) = tasks.split_at(tasks.len() / 2);
    let mut log: Vec<Event> = Vec::new();
    let mut examples: Vec<Example> = Vec::new();
    for session in earlier.chunks(SESSION) {
        let policy = History::fold(&log).in_force();
        for task in session {
            examples.push(ask(&mut index, task, &policy)?);
        }
        learn(&mut log, &examples);
    }
    let history = History::fold(&log);
    let learned = history.in_force();
    for entry in &history.entries {
        eprintln!("  {:?}{}", entry.policy, if entry.reverted.is_some() { " (taken back)" } else { "" });
    }
    let built_in = rates(&mut index, later, &Policy::default())?;
    let with = rates(&mut index, later, &learned)?;
    let (reverted_after, planted, restored) = plant(&mut index, later, log)?;
    let percent = |share: f64| share * 100.0;
    Ok(vec![
        Figure::new("learning: tasks to learn on, then held out", later.len() as f64),
        Figure::new("learning: policies that were made", history.entries.len() as f64),
        Figure::new("learning, held out: of use among the first 5, built-in weights, %", percent(built_in.0)),
        Figure::new("learning, held out: of use among the first 5, learned policy, %", percent(with.0)),
        Figure::at_least("learning, held out: points gained", percent(with.0 - built_in.0), 0.01),
        Figure::new(
            "learning, held out: tasks with something of use, built-in weights, %",
            percent(built_in.1),
        ),
        Figure::new("learning, held out: tasks with something of use, learned policy, %", percent(with.1)),
        Figure::new("learning: of use with a planted bad policy, %", percent(planted)),
        Figure::at_most("learning: tasks until the bad policy was taken back", reverted_after, 60.0),
        Figure::at_least("learning: the good one counts again (1: yes)", f64::from(u8::from(restored)), 1.0),
    ])
}

fn tasks(commits: &[Document]) -> Vec<Task> {
    let fitting: Vec<&Document> = commits
        .iter()
        .skip(FIRST)
        .filter(|commit| (2..=12).contains(&commit.paths.len()) && commit.text.len() > 15)
        .collect();
    let every = fitting.len().div_ceil(TASKS).max(1);
    let task = |commit: &&Document| {
        let (first, others) = commit.paths.split_first()?;
        let title = commit.text.lines().next().unwrap_or_default();
        let query = Query {
            paths: vec![first.clone()],
            now_ms: Some(commit.time_ms - 1000),
            k: WEIGHED,
            why: false,
            ..Query::new(title)
        };
        Some(Task { query, others: others.iter().cloned().collect() })
    };
    fitting.iter().step_by(every).filter_map(task).collect()
}

fn ask(index: &mut Index, task: &Task, policy: &Policy) -> Result<Example> {
    index.set_weights(policy.weights());
    let hits = index.search(&Query { lifts: policy.lifts.clone(), ..task.query.clone() })?;
    Ok(Example {
        time_ms: task.query.now_ms.unwrap_or_default(),
        policy: policy.number,
        useful: hits
            .iter()
            .map(|hit| hit.document.paths.iter().any(|path| task.others.contains(path)))
            .collect(),
        told: hits.len(),
        offered: hits.iter().map(Offered::from).collect(),
    })
}

/// The share of what is shown that is of use, and the share of tasks that got something of use.
fn rates(index: &mut Index, tasks: &[Task], policy: &Policy) -> Result<(f64, f64)> {
    let (mut useful, mut any) = (0, 0);
    for task in tasks {
        let example = ask(index, task, policy)?;
        let good = example.useful.iter().take(SHOWN).filter(|useful| **useful).count();
        useful += good;
        any += usize::from(good > 0);
    }
    let count = tasks.len().max(1) as f64;
    Ok((useful as f64 / (SHOWN as f64 * count), any as f64 / count))
}

/// What the end of a session does.
fn learn(log: &mut Vec<Event>, examples: &[Example]) {
    let history = History::fold(log);
    let recent = &examples[examples.len().saturating_sub(400)..];
    if let Some((number, why)) = history.to_revert(recent) {
        log.push(event(log.len(), revert_body(number, "automatic", &why)));
        return;
    }
    let current = history.in_force().number;
    if recent.iter().filter(|example| example.policy == current).count() < 20 {
        return;
    }
    if let Some((policy, evidence)) = history.improve(recent) {
        log.push(event(log.len(), event_body(&policy, current, &evidence)));
    }
}

/// Puts a bad policy in force and goes on as usual: after how many tasks is it gone, how bad was it, and does the one before count
/// again?
fn plant(index: &mut Index, tasks: &[Task], mut log: Vec<Event>) -> Result<(f64, f64, bool)> {
    let before = History::fold(&log).in_force();
    let bad = Policy { paths: 0.0, near: 4.0, session: 6.0, recency: 0.0, ..Policy::default() };
    log.push(event(log.len(), event_body(&bad, before.number, &Evidence::default())));
    let bad = History::fold(&log).in_force();
    let mut examples = Vec::new();
    let mut asked = 0;
    for session in tasks.chunks(SESSION) {
        for task in session {
            examples.push(ask(index, task, &bad)?);
            asked += 1;
        }
        if let Some((number, why)) = History::fold(&log).to_revert(&examples) {
            log.push(event(log.len(), revert_body(number, "automatic", &why)));
            break;
        }
    }
    let good: usize =
        examples.iter().map(|one| one.useful.iter().take(SHOWN).filter(|useful| **useful).count()).sum();
    let rate = good as f64 / (SHOWN * examples.len().max(1)) as f64;
    Ok((f64::from(asked), rate, History::fold(&log).in_force() == before))
}

fn event(number: usize, (kind, body): (&str, Value)) -> Event {
    let mut random = [0; 10];
    random[..8].copy_from_slice(&(number as u64).to_le_bytes());
    Event::new(number as i64, random, Scope::Project, kind, Provenance::Observed, body)
}
