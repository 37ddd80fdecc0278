//! Putting the report together.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use project::RelPath;
use redact::Gate;
use store::{
    Actor, Ending, EntryKind, Progress, Request, RequestNumber, Step, StepChange, StepFilter, StepNumber,
    Store, Way,
};

use super::cost::{Cost, SessionCost};
use super::usage::{Records, SessionUsage};
use super::{
    BackRow, CheckRow, FileRow, Prices, Report, ReportQuery, RequestRow, StoppedRow, Stretch, Totals, prices,
    standing,
};
use crate::story::is_command;
use crate::{Engine, Error, Result};
use spiral::is_check;

/// Files that are named for one request, and in all.
const NAMED: usize = 8;
const MOST_FILES: usize = 25;
/// Rows of a list that one page can hold.
const MOST_ROWS: usize = 200;
/// Stretches of a plot.
const STRETCHES: i64 = 48;
const HOUR_MS: i64 = 3_600_000;
/// What the memory calls a run of `vib verify`.
const VERIFICATION: &str = "verification";
/// So much of a text.
const LONGEST: usize = 300;

/// Takes secrets out of every text, and remembers whether there were any.
struct Cleaner {
    gate: Gate,
    redacted: bool,
}

impl Cleaner {
    fn clean(&mut self, text: &str) -> String {
        let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let clean = self.gate.clean(&one_line);
        // What was taken out when it was written down is taken out, too.
        self.redacted |= !clean.counts().is_untouched() || redact::holds_mark(clean.as_str());
        let mut short: String = clean.as_str().chars().take(LONGEST).collect();
        if short.len() < clean.as_str().len() {
            short.push('…');
        }
        short
    }
}

pub(super) fn gather(engine: &Engine, query: &ReportQuery, progress: &dyn Progress) -> Result<Report> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let now_ms = engine.context().now_ms();
    let mut cleaner = Cleaner { gate: engine.gate(), redacted: false };
    let session = query.session.as_deref().map(|typed| session_of(store, typed)).transpose()?;
    let query = &ReportQuery { session: session.clone(), ..query.clone() };
    let filter =
        StepFilter { since_ms: query.since_ms, session: session.as_deref(), ..StepFilter::default() };
    let mut steps = store.steps(&filter)?;
    steps.reverse();
    let mut changes: HashMap<StepNumber, Vec<StepChange>> = HashMap::new();
    for step in steps.iter().filter(|step| step.files > 0) {
        let is_file = |change: &StepChange| {
            [change.before, change.after].iter().flatten().any(|entry| entry.kind != EntryKind::Dir)
        };
        let rows = store.changes_of(step.number)?;
        changes.insert(step.number, rows.into_iter().filter(is_file).collect());
    }
    let agents: HashSet<StepNumber> =
        steps.iter().filter(|step| step.actor == Actor::Agent).map(|step| step.number).collect();
    let mut touched: BTreeMap<RelPath, BTreeSet<StepNumber>> = BTreeMap::new();
    for change in changes.values().flatten().filter(|change| agents.contains(&change.step)) {
        touched.entry(change.path.clone()).or_default().insert(change.step);
    }
    let paths: Vec<RelPath> = touched.keys().cloned().collect();
    let counted = standing::count(engine, store, &paths, |step| agents.contains(&step))?;
    let asked = asked_for(store, query)?;
    let usages = usages(engine, &steps, &asked);
    let requests = requests(store, (&steps, &asked), &changes, &counted, &usages, query, &mut cleaner)?;
    let sessions = sessions(&usages, query, &mut cleaner);
    let checks = checks(engine, &steps, query, &mut cleaner)?;
    let stopped = stopped(&steps, &mut cleaner);
    let back = back(store, &steps, &mut cleaner)?;
    let mut totals = Totals {
        requests: requests.len() as u64,
        sessions: usages.len() as u64,
        steps: agents.len() as u64,
        commands: steps.iter().filter(|step| step.actor == Actor::Agent && is_command(step)).count() as u64,
        by_hand: steps.iter().filter(|step| step.actor == Actor::ByHand).count() as u64,
        files: touched.len() as u64,
        stopped: stopped.len() as u64,
        back: back.len() as u64,
        checks_passed: checks.iter().filter(|check| check.passed == Some(true)).count() as u64,
        checks_failed: checks.iter().filter(|check| check.passed == Some(false)).count() as u64,
        lines_written: Some(sum_of(&counted.written, &agents)),
        lines_standing: Some(sum_of(&counted.standing, &agents)),
        cost: Cost::default(),
    };
    for session in &sessions {
        totals.cost.add(&session.cost);
    }
    let mut files: Vec<FileRow> = touched
        .iter()
        .map(|(path, by)| FileRow {
            path: path.to_string(),
            steps: by.len() as u64,
            lines_by_agents: counted.files.get(path).map(|(own, _)| *own),
            lines: counted.files.get(path).map(|(_, all)| *all),
        })
        .collect();
    files.sort_by(|a, b| b.steps.cmp(&a.steps).then_with(|| a.path.cmp(&b.path)));
    files.truncate(MOST_FILES);
    files.iter_mut().for_each(|file| file.path = cleaner.clean(&file.path));
    let (stretch_ms, activity) = activity(&steps, query.since_ms, now_ms);
    let root = engine.project().root().file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(Report {
        project: cleaner.clean(&root.unwrap_or_default()),
        since_ms: query.since_ms,
        session: query.session.as_ref().map(|session| cleaner.clean(session)),
        now_ms,
        totals,
        requests,
        checks,
        stopped,
        back,
        files,
        sessions,
        activity,
        stretch_ms,
        lines_cut: counted.cut,
        lines_thinned: counted.thinned.iter().any(|step| agents.contains(step)),
        prices: Prices { date: prices::DATE, sources: prices::SOURCES },
        redacted: cleaner.redacted,
        notices: opened.notices.clone(),
    })
}

fn sum_of(counts: &HashMap<StepNumber, u64>, steps: &HashSet<StepNumber>) -> u64 {
    counts.iter().filter(|(step, _)| steps.contains(step)).map(|(_, count)| count).sum()
}

/// The requests of the time that is asked about, whether they led to a step or not: an answer costs, too.
fn asked_for(store: &Store<'_>, query: &ReportQuery) -> Result<Vec<Request>> {
    let mut all = store.requests(query.session.as_deref(), 0)?;
    all.retain(|request| query.since_ms.is_none_or(|since| request.started_ms >= since));
    Ok(all)
}

/// The sessions that the steps and requests name, with what their clients wrote down.
fn usages(engine: &Engine, steps: &[Step], asked: &[Request]) -> Vec<(String, String, Option<SessionUsage>)> {
    let mut records = Records::new(engine.context());
    let mut known: BTreeSet<(String, String)> = BTreeSet::new();
    let mut out = Vec::new();
    let of_steps = steps
        .iter()
        .filter(|step| step.actor == Actor::Agent)
        .filter_map(|step| Some((step.client.as_ref()?, step.session.as_ref()?)));
    // Those without a step come last, in the order in which they were asked.
    let of_words =
        asked.iter().rev().filter_map(|request| Some((request.client.as_ref()?, &request.session)));
    for (client, session) in of_steps.chain(of_words) {
        if known.insert((client.clone(), session.clone())) {
            out.push((client.clone(), session.clone(), records.session(client, session)));
        }
    }
    out
}

fn sessions(
    usages: &[(String, String, Option<SessionUsage>)],
    query: &ReportQuery,
    cleaner: &mut Cleaner,
) -> Vec<SessionCost> {
    let mut out: Vec<SessionCost> = usages
        .iter()
        .map(|(client, session, usage)| SessionCost::new(client, session, usage.as_ref(), query.since_ms))
        .collect();
    for session in &mut out {
        session.client = cleaner.clean(&session.client);
        session.session = cleaner.clean(&session.session);
        for model in &mut session.models {
            model.model = model.model.as_deref().map(|model| cleaner.clean(model));
        }
    }
    out
}

fn requests(
    store: &Store<'_>,
    (steps, asked): (&[Step], &[Request]),
    changes: &HashMap<StepNumber, Vec<StepChange>>,
    counted: &standing::Standing,
    usages: &[(String, String, Option<SessionUsage>)],
    query: &ReportQuery,
    cleaner: &mut Cleaner,
) -> Result<Vec<RequestRow>> {
    let mut by_request: BTreeMap<RequestNumber, Vec<&Step>> =
        asked.iter().map(|request| (request.number, Vec::new())).collect();
    for step in steps {
        if let Some(number) = step.request {
            by_request.entry(number).or_default().push(step);
        }
    }
    let mut out = Vec::new();
    for (number, own) in by_request {
        let Some(request) = store.request(number)? else { continue };
        let rows: Vec<&StepChange> =
            own.iter().filter_map(|step| changes.get(&step.number)).flatten().collect();
        let files: BTreeSet<String> = rows.iter().map(|change| change.path.to_string()).collect();
        let count = |is: &dyn Fn(&Step) -> bool| own.iter().filter(|step| is(step)).count() as u64;
        let numbers: HashSet<StepNumber> = own.iter().map(|step| step.number).collect();
        let cost = cost_of(store, &request, usages, query)?;
        let words = request.prompt.as_deref().unwrap_or_default();
        out.push(RequestRow {
            number: number.to_string(),
            client: request
                .client
                .as_deref()
                .or(own.first().and_then(|step| step.client.as_deref()))
                .map(|client| cleaner.clean(client)),
            words: cleaner.clean(words),
            started_ms: request.started_ms,
            ended_ms: own
                .iter()
                .map(|step| step.ended_ms.unwrap_or(step.started_ms))
                .max()
                .unwrap_or(request.started_ms),
            steps: own.len() as u64,
            commands: count(&is_command),
            stopped: count(&is_stopped),
            failed: count(&|step| step.ending == Ending::Failed),
            files_count: files.len() as u64,
            files: files.into_iter().take(NAMED).map(|file| cleaner.clean(&file)).collect(),
            undone: !rows.is_empty() && rows.iter().all(|change| change.undone_by.is_some()),
            lines_written: Some(sum_of(&counted.written, &numbers)),
            lines_standing: Some(sum_of(&counted.standing, &numbers)),
            checks_passed: count(&|step| is_run_check(step) && passed(step) == Some(true)),
            checks_failed: count(&|step| is_run_check(step) && passed(step) == Some(false)),
            cost,
        });
    }
    Ok(out)
}

/// The calls of a session from this request to the next one of the same session.
fn cost_of(
    store: &Store<'_>,
    request: &store::Request,
    usages: &[(String, String, Option<SessionUsage>)],
    query: &ReportQuery,
) -> Result<Cost> {
    let Some(usage) = usages
        .iter()
        .find(|(_, session, _)| *session == request.session)
        .and_then(|(_, _, usage)| usage.as_ref())
    else {
        return Ok(Cost::unknown());
    };
    let starts: Vec<i64> =
        store.requests(Some(&request.session), 0)?.into_iter().map(|other| other.started_ms).collect();
    let next = starts.iter().copied().filter(|started| *started > request.started_ms).min();
    // What a client asked before the first words is of the first request: it belongs to no other.
    let is_first = starts.iter().all(|started| *started >= request.started_ms);
    let calls = usage.calls.iter().filter(|call| {
        (is_first || call.time_ms >= request.started_ms)
            && next.is_none_or(|next| call.time_ms < next)
            && query.since_ms.is_none_or(|since| call.time_ms >= since)
    });
    Ok(Cost::of_calls(calls))
}

fn is_stopped(step: &Step) -> bool {
    matches!(step.ending, Ending::Stopped | Ending::Refused)
}

fn is_run_check(step: &Step) -> bool {
    is_command(step) && !is_stopped(step) && step.what.as_deref().is_some_and(is_check)
}

fn passed(step: &Step) -> Option<bool> {
    match (step.exit_code, step.ending) {
        (Some(code), _) => Some(code == 0),
        (None, Ending::Ran) => Some(true),
        (None, Ending::Failed) => Some(false),
        _ => None,
    }
}

/// The checks that agents ran, and those that were run with `vib verify`. (M5)
fn checks(
    engine: &Engine,
    steps: &[Step],
    query: &ReportQuery,
    cleaner: &mut Cleaner,
) -> Result<Vec<CheckRow>> {
    let own = |step: &&Step| step.actor == Actor::Agent && is_run_check(step);
    let mut rows: Vec<CheckRow> = steps
        .iter()
        .filter(own)
        .map(|step| CheckRow {
            step: Some(step.number),
            command: cleaner.clean(step.what.as_deref().unwrap_or_default()),
            passed: passed(step),
            time_ms: step.started_ms,
        })
        .collect();
    // Whose session a run of `vib verify` was in is not known.
    if query.session.is_none() {
        let asked_for_it = |time_ms: i64| {
            steps.iter().filter(own).any(|step| {
                let ended = step.ended_ms.unwrap_or(i64::MAX);
                step.started_ms <= time_ms
                    && time_ms <= ended
                    && step.what.as_deref().is_some_and(|what| what.contains("verify"))
            })
        };
        for event in crate::memory::project_log(engine).read()?.events {
            let is_meant = event.kind == VERIFICATION
                && event.provenance == memory::log::Provenance::Explicit
                && query.since_ms.is_none_or(|since| event.time_ms >= since)
                && !asked_for_it(event.time_ms);
            let Some(command) = event.body["command"].as_str().filter(|_| is_meant) else { continue };
            let passed = match event.body["result"].as_str() {
                Some("passed") => Some(true),
                Some("failed") => Some(false),
                _ => None,
            };
            let command = cleaner.clean(command);
            rows.push(CheckRow { step: None, command, passed, time_ms: event.time_ms });
        }
    }
    rows.sort_by_key(|row| row.time_ms);
    rows.drain(..rows.len().saturating_sub(MOST_ROWS));
    Ok(rows)
}

/// The session that is meant: by its name, or by the beginning of it as reports print it. (M6)
fn session_of(store: &Store<'_>, typed: &str) -> Result<String> {
    let mut known: BTreeSet<String> =
        store.steps(&StepFilter::default())?.into_iter().filter_map(|step| step.session).collect();
    known.extend(store.requests(None, 0)?.into_iter().map(|request| request.session));
    if known.contains(typed) {
        return Ok(typed.to_owned());
    }
    let fits: Vec<&String> =
        known.iter().filter(|name| !typed.is_empty() && name.starts_with(typed)).collect();
    match fits.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(Error::NotInHistory(format!("session `{typed}`"))),
        some => Err(Error::Usage(format!(
            "`{typed}` begins the names of {} sessions: {}; type more of it",
            some.len(),
            some.iter().take(4).map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
        ))),
    }
}

fn stopped(steps: &[Step], cleaner: &mut Cleaner) -> Vec<StoppedRow> {
    let rows = steps.iter().filter(|step| is_stopped(step)).map(|step| StoppedRow {
        step: step.number,
        client: step.client.as_deref().map(|client| cleaner.clean(client)),
        what: cleaner.clean(step.what.as_deref().or(step.tool.as_deref()).unwrap_or_default()),
        reason: step.reason.as_deref().map(|reason| {
            let reason = cleaner.clean(reason);
            reason.strip_prefix("vib: ").map(str::to_owned).unwrap_or(reason)
        }),
        by_person: step.ending == Ending::Refused,
        time_ms: step.started_ms,
    });
    rows.take(MOST_ROWS).collect()
}

fn back(store: &Store<'_>, steps: &[Step], cleaner: &mut Cleaner) -> Result<Vec<BackRow>> {
    let mut out = Vec::new();
    let mut goings: BTreeMap<StepNumber, Step> = BTreeMap::new();
    for step in steps {
        if step.actor == Actor::Vib {
            goings.insert(step.number, step.clone());
            continue;
        }
        // What took back work of these steps is of no session itself.
        for change in store.changes_of(step.number)? {
            if let Some(number) = change.undone_by.filter(|number| !goings.contains_key(number))
                && let Some(going) = store.step(number)?
            {
                goings.insert(number, going);
            }
        }
    }
    for step in goings.values() {
        // A redo is the way forward again.
        if store.way_of(step.number)? != Way::Back || out.len() >= MOST_ROWS {
            continue;
        }
        out.push(BackRow {
            step: step.number,
            tool: cleaner.clean(step.tool.as_deref().unwrap_or("undo")),
            what: cleaner.clean(step.what.as_deref().unwrap_or_default()),
            files: step.files,
            time_ms: step.started_ms,
        });
    }
    Ok(out)
}

/// What happened when, in stretches of at least an hour.
fn activity(steps: &[Step], since_ms: Option<i64>, now_ms: i64) -> (i64, Vec<Stretch>) {
    let first = since_ms.or_else(|| steps.first().map(|step| step.started_ms)).unwrap_or(now_ms);
    let length = ((now_ms - first) / STRETCHES + 1).max(HOUR_MS);
    let length = (length + HOUR_MS - 1) / HOUR_MS * HOUR_MS;
    let start = first - first.rem_euclid(HOUR_MS);
    let mut out: BTreeMap<i64, Stretch> = BTreeMap::new();
    for step in steps {
        let from_ms = start + (step.started_ms - start).div_euclid(length) * length;
        let empty = Stretch { from_ms, steps: 0, changing: 0, stopped: 0, by_hand: 0 };
        let stretch = out.entry(from_ms).or_insert(empty);
        match step.actor {
            Actor::Agent => {
                stretch.steps += 1;
                stretch.changing += u64::from(step.files > 0);
                stretch.stopped += u64::from(is_stopped(step));
            }
            Actor::ByHand => stretch.by_hand += 1,
            Actor::Vib => {}
        }
    }
    (length, out.into_values().collect())
}
