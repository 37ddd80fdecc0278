//! Which step broke it? A check is run on saved states, in a private copy, until the first state is found on which it fails. The project
//! folder is only looked at; nothing in it is ever written.

mod points;
mod run;
mod search;
mod weak;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use store::{Phase, Progress, Request, Step, StepNumber, Store};

pub use crate::private_copy::{CLOSED, Caller};
pub(crate) use points::state_of;
pub use search::{Verdict, most_runs};
pub use weak::WeakTest;

use crate::private_copy::{self, Copy, Purpose};
use crate::story::{self, StepFile};
use crate::{Engine, Error, Notice, Result, undo};
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

/// How the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The step is found.
    Found,
    /// It is one of several: the states between them cannot be judged, or are not kept any more.
    OneOf,
    /// The check fails already in the state that was taken to be good.
    AlreadyFailing,
    /// It passes in the state that was taken to be bad.
    PassesNow,
    /// Nothing was changed between the two.
    NothingBetween,
    /// The check answers now so, now so, and repeating it did not help.
    Undecided,
    /// No state was seen in which it passes, because the older ones cannot be judged: no step can be blamed.
    NeverPassed,
    /// No state could be judged: every run said that it cannot be built, or the check is not there.
    NothingBuilt,
}

/// A step that broke it, or may have.
#[derive(Debug, Clone, Serialize)]
pub struct Culprit {
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// What the person asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Request>,
    /// What it changed.
    pub changes: Vec<StepFile>,
    /// The command that takes back exactly this; none: there is nothing left of it to take back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// Files in which it cannot simply be taken back, because they were changed since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The state, counted from the good one.
    pub state: usize,
    /// The last step in it; none: the good state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<StepNumber>,
    /// What it says.
    pub verdict: Verdict,
    /// The check's exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// It was ended because it took too long.
    pub timed_out: bool,
    /// How long it took, milliseconds.
    pub took_ms: u64,
    /// How long it took to bring the copy to the state.
    pub moved_ms: u64,
}

/// What was found.
#[derive(Debug, Clone, Serialize)]
pub struct BisectReport {
    /// The check.
    pub check: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The steps that broke it; more than one: one of these.
    pub culprits: Vec<Culprit>,
    /// How many states there were after the good one.
    pub states: usize,
    /// Runs that gave an answer.
    pub answered: usize,
    /// States that could not be judged.
    pub skipped: usize,
    /// The check answered differently on the same state.
    pub flaky: bool,
    /// Every run, in order.
    pub runs: Vec<Run>,
    /// The end of what the check said when it failed last, through the gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// Dependency folders that were in the copy as they are now.
    pub carried: Vec<String>,
    /// What the project has and the copy has not, because it is not saved; told where the check failed everywhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The check, or a file that it names, is not in the states that were passed over.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub check_not_there: bool,
    /// Tests that were emptied or made weaker for a while: where the check passed meanwhile, that was not counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weak_tests: Vec<WeakTest>,
    /// States that were not counted for this reason; they are among those that could not be judged.
    pub passed_weakly: usize,
    /// How the check ends on the present state, where it was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes_now: Option<bool>,
    /// What is different in the project folder since the search began.
    pub touched: Vec<String>,
    /// The check could not write there: the kernel kept the folder closed.
    pub closed: bool,
    /// Files that lead the check back into the project, so that it may have seen today's code: the answer cannot be trusted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leads_back: Vec<String>,
    /// What the person should know.
    pub notices: Vec<Notice>,
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
    let points = states(store, query)?;
    let last = points.len() - 1;
    let mut report = BisectReport {
        check: engine.gate().clean(&words(&query.check)).as_str().to_owned(),
        outcome: Outcome::NothingBetween,
        culprits: Vec::new(),
        states: last,
        answered: 0,
        skipped: 0,
        flaky: false,
        runs: Vec::new(),
        said: None,
        carried: Vec::new(),
        missing: Vec::new(),
        check_not_there: false,
        weak_tests: Vec::new(),
        passed_weakly: 0,
        passes_now: None,
        touched: Vec::new(),
        closed: false,
        leads_back: Vec::new(),
        notices: opened.notices.clone(),
    };
    if last == 0 {
        return Ok(report);
    }
    let root = engine.project().root();
    let inside: PathBuf = engine.context().cwd().strip_prefix(root).map(PathBuf::from).unwrap_or_default();
    let mut copy = Copy::begin(engine, store, Purpose::Bisect, &query.caller)?;
    report.closed = copy.is_closed();
    let mut said = None;
    let mut not_there = 0;
    let weak = Weak::among(store, &points)?;
    let mut passed_weakly = BTreeSet::new();
    progress.begin(Phase::Checking, Some(most_runs(last) as u64));
    let searched = search::search(last, query.repeat, |state| {
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
        let reaches_end = *range.end() == last;
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
        let is_seen = reaches_end && points[last].seq == now;
        if !is_seen && report.culprits.iter().all(is_taken_back) && !stop() {
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

fn states(store: &Store<'_>, query: &BisectQuery) -> Result<Vec<Point>> {
    let none = || {
        Error::Usage(
            "nothing is saved here yet, so there are no states to search; `vib checkpoint` saves one"
                .to_owned(),
        )
    };
    let good = match &query.good {
        Some(typed) => points::state_of(store, typed, false)?,
        None => store.oldest_whole()?.ok_or_else(none)?,
    };
    let bad = match &query.bad {
        Some(typed) => points::state_of(store, typed, true)?,
        None => store.nearest_kept(i64::MAX, false)?.ok_or_else(none)?,
    };
    if bad < good {
        return Err(Error::Usage(
            "the bad state is older than the good one; swap `--good` and `--bad`".to_owned(),
        ));
    }
    points::points(store, good, bad)
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
