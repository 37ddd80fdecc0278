//! Which step broke it? A check is run on saved states, in a private copy, until the first state is found on which it fails. The project
//! folder is only looked at; nothing in it is ever written.

mod mended;
mod noisy;
mod points;
mod report;
mod run;
mod search;
#[cfg(test)]
mod simulated;
mod weak;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use store::{Phase, Progress, StepNumber, Store};

pub use crate::private_copy::{CLOSED, Caller};
pub(crate) use points::state_of;
pub use report::{BisectReport, Culprit, Outcome, Run};
pub use search::{Verdict, most_runs};
pub use weak::WeakTest;

use crate::private_copy::{self, Copy, Purpose};
use crate::story;
use crate::{Engine, Error, Result, undo};
use points::Point;
use search::Found;
use weak::Weak;

/// How long one run may take when nobody says.
pub const USUAL_LIMIT: Duration = Duration::from_secs(300);

/// What to search for.
#[derive(Debug, Clone, Default)]
pub struct BisectQuery {
    /// The check: a program and its words. Exit code 0 is good, 125 says that the state cannot be built, everything else is bad.
    pub check: Vec<OsString>,
    /// A step or checkpoint after which it still passed; none: the oldest state there is.
    pub good: Option<String>,
    /// One after which it failed; none: now.
    pub bad: Option<String>,
    /// How long one run may take.
    pub limit: Duration,
    /// How often each state is run, for a check that is known to be flaky.
    pub repeat: u32,
    /// What the check gets from the process that asks.
    pub caller: Caller,
}

/// Searches. `stop` is asked all the while: true ends everything, and nothing is left behind.
pub fn bisect(
    engine: &Engine,
    query: &BisectQuery,
    stop: &dyn Fn() -> bool,
    progress: &dyn Progress,
) -> Result<BisectReport> {
    private_copy::clean_up(engine);
    refuse_project_paths(engine, query)?;
    let mut opened = engine.store(progress)?;
    // With a bad state of its own, too: how it is now is said at the end. (B3)
    private_copy::save_now(&mut opened.store, "bisect", progress)?;
    let store = &opened.store;
    let (points, ends_not_kept) = states(store, query)?;
    let last = points.len() - 1;
    let check = engine.gate().clean(&words(&query.check)).as_str().to_owned();
    let mut report = BisectReport::of(check, last, opened.notices.clone());
    report.ends_not_kept = ends_not_kept;
    if last == 0 {
        return Ok(report);
    }
    let root = engine.project().root();
    let inside: PathBuf = engine.context().cwd().strip_prefix(root).map(PathBuf::from).unwrap_or_default();
    let mut copy = Copy::begin(engine, store, Purpose::Bisect, &query.caller)?;
    report.closed = copy.is_closed();
    let mut said = None;
    let mut not_there = 0;
    let weak = Weak::among(store, &points, &words(&query.check))?;
    let mut passed_weakly = BTreeSet::new();
    progress.begin(Phase::Checking, Some(most_runs(last) as u64));
    let mended = |state: usize| mended::mended(store, &points, state);
    let searched = search::search(last, query.repeat, mended, |state| {
        if stop() {
            return Err(Error::Declined);
        }
        let point = &points[state];
        let began = Instant::now();
        let view = store.recorded_state_at(point.seq);
        let moved = copy.move_to(store, &view, &store::Silent);
        let moved_ms = millis(began.elapsed());
        let after = point.steps.last().copied();
        match moved {
            Ok(()) => {}
            // Content that is gone or damaged: this state cannot be had, the others can.
            Err(Error::Store(store::Error::DamagedContent { .. } | store::Error::ContentExpired { .. })) => {
                let run = Run {
                    state,
                    after,
                    verdict: Verdict::Skip,
                    exit_code: None,
                    timed_out: false,
                    took_ms: 0,
                    moved_ms,
                };
                report.runs.push(run);
                return Ok(Verdict::Skip);
            }
            Err(error) => return Err(error),
        }
        let ran = run::run(&copy, &query.check, (&inside, root), query.limit, stop)?;
        not_there += usize::from(ran.not_there);
        progress.advance(1);
        if ran.verdict == Verdict::Bad || ran.not_there && said.is_none() {
            said = Some(ran.tail);
        }
        let mut verdict = ran.verdict;
        if verdict == Verdict::Good && weak.of(state).next().is_some() {
            verdict = Verdict::Skip;
            passed_weakly.insert(state);
        }
        report.runs.push(Run {
            state,
            after,
            verdict,
            exit_code: ran.exit_code,
            timed_out: ran.timed_out,
            took_ms: millis(ran.took),
            moved_ms,
        });
        Ok(verdict)
    })?;
    for test in passed_weakly.iter().flat_map(|&state| weak.of(state)) {
        if !report.weak_tests.contains(test) {
            report.weak_tests.push(test.clone());
        }
    }
    report.passed_weakly = passed_weakly.len();
    let fails_everywhere = searched.found == Found::AlreadyBad || searched.runs == 0;
    report.carried = copy.carried().to_vec();
    report.missing = if fails_everywhere { copy.missing(store)? } else { Vec::new() };
    let is_passed_over = |run: &&Run| run.verdict == Verdict::Skip && !passed_weakly.contains(&run.state);
    let passed_over = report.runs.iter().filter(is_passed_over).count();
    report.check_not_there = not_there > 0 && not_there == passed_over;
    report.leads_back = leads_back(&copy, query, root, &inside);
    report.answered = searched.runs;
    report.skipped = searched.skipped.len();
    report.flaky = searched.flaky;
    report.held_against_chance = searched.sure;
    report.earlier = searched.earlier.iter().flat_map(|&state| points[state].steps.iter().copied()).collect();
    // A step broke it only if there was something to break. (M5)
    let never_passed = !report.runs.iter().any(|run| run.verdict == Verdict::Good);
    let range = match searched.found {
        _ if searched.runs == 0 || never_passed => None,
        Found::First(state) => Some(state..=state),
        Found::Between(low, high) => Some(low + 1..=high),
        Found::AlreadyBad | Found::StillGood | Found::Flaky(..) => None,
    };
    report.outcome = match searched.found {
        _ if searched.runs == 0 => Outcome::NothingBuilt,
        Found::AlreadyBad => Outcome::AlreadyFailing,
        Found::StillGood => Outcome::PassesNow,
        Found::Flaky(..) => Outcome::Undecided,
        Found::First(_) | Found::Between(..) if never_passed => Outcome::NeverPassed,
        Found::First(_) | Found::Between(..) => Outcome::Found,
    };
    if let Some(range) = range {
        report.not_kept = points[range.clone()].iter().map(|point| point.let_go).sum();
        if !report.earlier.is_empty() && range.end() > range.start() {
            report.go_on_from = points[range.start() - 1].steps.last().copied();
        }
        let good = &points[range.start().saturating_sub(1)];
        let mut numbers: Vec<StepNumber> = Vec::new();
        for step in points[range].iter().flat_map(|point| &point.steps) {
            if !numbers.contains(step) {
                numbers.push(*step);
            }
        }
        weak::without_goings_back(store, good, &mut numbers)?;
        report.outcome = if numbers.len() == 1 { Outcome::Found } else { Outcome::OneOf };
        for number in numbers {
            report.culprits.extend(culprit(engine, number)?);
        }
        // It may have been taken back or mended since: then one more run tells how it is now. (M8)
        let is_taken_back = |culprit: &Culprit| culprit.undo.is_none() || !culprit.conflicts.is_empty();
        let now = store.nearest_kept(i64::MAX, false)?.unwrap_or(points[last].seq);
        let was_run = report.runs.iter().any(|run| run.state == last && run.verdict != Verdict::Skip);
        let is_asked = !report.earlier.is_empty() || report.culprits.iter().all(is_taken_back);
        if !(was_run && points[last].seq == now) && is_asked && !stop() {
            copy.move_to(store, &store.recorded_state_at(now), &store::Silent)?;
            let ran = run::run(&copy, &query.check, (&inside, root), query.limit, stop)?;
            report.passes_now = (ran.verdict != Verdict::Skip).then_some(ran.verdict == Verdict::Good);
        }
    }
    let place = copy.tree().display().to_string();
    report.said = said.map(|said| engine.gate().clean(&said.replace(&place, ".")).as_str().trim().to_owned());
    report.said = report.said.filter(|said| !said.is_empty());
    report.touched = copy.touched(store)?;
    Ok(report)
}

/// Files by which the check may have seen today's code: those outside that name the project, and scripts of the check that do.
fn leads_back(copy: &Copy, query: &BisectQuery, root: &Path, inside: &Path) -> Vec<String> {
    let mut out = copy.leads_back();
    let tree = copy.tree();
    for word in &query.check {
        let file = tree.join(inside).join(word);
        let is_small = file.metadata().is_ok_and(|stat| stat.is_file() && stat.len() <= LONGEST_SCRIPT);
        if is_small && std::fs::read(&file).is_ok_and(|text| private_copy::names(&text, root)) {
            out.push(word.to_string_lossy().into_owned());
        }
    }
    out
}

/// Longer files are no scripts.
const LONGEST_SCRIPT: u64 = 1 << 20;

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A check that names the project by its full path would run there, whatever copy it stands in.
fn refuse_project_paths(engine: &Engine, query: &BisectQuery) -> Result<()> {
    let root = engine.project().root();
    let mut names = vec![root.to_string_lossy().into_owned()];
    // A shell of the check goes there by the person's home, too.
    let inside = engine.context().home().and_then(|home| root.strip_prefix(home).ok());
    if let Some(inside) = inside.filter(|inside| !inside.as_os_str().is_empty()) {
        let inside = inside.to_string_lossy();
        names.extend(["~", "$HOME", "${HOME}"].map(|home| format!("{home}/{inside}")));
    }
    let is_named = |word: &Cow<'_, str>| names.iter().any(|name| word.contains(name));
    match query.check.iter().map(|word| word.to_string_lossy()).find(is_named) {
        Some(word) => Err(Error::Usage(format!(
            "the check names the project folder itself (`{word}`), so it would run there and not in the saved states; \
             name files from the project folder on, such as `./test.sh`"
        ))),
        None => Ok(()),
    }
}

/// The states to search, and which of the ends that were asked for are not kept any more.
fn states(store: &Store<'_>, query: &BisectQuery) -> Result<(Vec<Point>, Vec<String>)> {
    let none = || {
        Error::Usage(
            "nothing is saved here yet, so there are no states to search; `vib checkpoint` saves one"
                .to_owned(),
        )
    };
    let mut not_kept = Vec::new();
    let mut named = |typed: &String, newest: bool| -> Result<i64> {
        let kept = points::state_of(store, typed, newest)?;
        if kept != points::meant(store, typed)? {
            not_kept.push(typed.clone());
        }
        Ok(kept)
    };
    let good = match &query.good {
        Some(typed) => named(typed, false)?,
        None => store.oldest_whole()?.ok_or_else(none)?,
    };
    let bad = match &query.bad {
        Some(typed) => named(typed, true)?,
        None => store.nearest_kept(i64::MAX, false)?.ok_or_else(none)?,
    };
    if bad < good {
        return Err(Error::Usage(
            "the bad state is older than the good one; swap `--good` and `--bad`".to_owned(),
        ));
    }
    Ok((points::points(store, good, bad)?, not_kept))
}

fn culprit(engine: &Engine, number: StepNumber) -> Result<Option<Culprit>> {
    let one = match story::step(engine, number, &store::Silent) {
        Err(Error::NotInHistory(_)) => return Ok(None),
        other => other?,
    };
    let story::OneStep { asked, told } = one;
    // Only what was tried is offered.
    let (files, conflicts) = undo::tried(engine, number).unwrap_or_default();
    let conflicts: Vec<String> = conflicts.iter().map(|conflict| conflict.path.to_string()).collect();
    let undo = (files > 0 || !conflicts.is_empty()).then(|| format!("vib undo {number}"));
    Ok(Some(Culprit { undo, conflicts, step: told.step, asked, changes: told.changes }))
}

fn words(check: &[OsString]) -> String {
    let word = |word: &OsString| {
        let word = word.to_string_lossy();
        if word.contains(char::is_whitespace) { format!("'{word}'") } else { word.into_owned() }
    };
    check.iter().map(word).collect::<Vec<_>>().join(" ")
}
