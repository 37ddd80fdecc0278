//! What happened: requests and their steps, what was done by hand, what vib did, and what somebody saved, the newest first.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use store::{
    Checkpoint, CheckpointKind, HistoryFilter, Progress, RequestNumber, Step, StepChange, StepFilter,
    StepNumber, Store,
};

use crate::diff::FileStatus;
use crate::entries::{Entry, EntryKind, entries};
use crate::outside::{InProject, OtherStore};
use crate::strip::{self, Mark};
use crate::{Engine, Error, Notice, Result};
use words::diff::{self as lines, Compared};

/// Files whose lines are counted on one page: the first page comes at once, however much there is.
const MOST_COUNTED: usize = 200;
/// Longer files are not counted.
const LONGEST_COUNTED: u64 = 256 * 1024;
/// Files that are named for one step.
const MOST_NAMED: usize = 200;

/// What of the history.
#[derive(Debug, Clone, Default)]
pub struct StoryQuery {
    /// Safety checkpoints too, and steps that only looked.
    pub all: bool,
    /// How many entries at the most; 0: all.
    pub limit: usize,
    /// Only what changed this file or folder.
    pub file: Option<PathBuf>,
    /// Only since this time, milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Only this session.
    pub session: Option<String>,
    /// Only this client or sub-agent.
    pub agent: Option<String>,
    /// Only this request.
    pub request: Option<RequestNumber>,
    /// Only what was not let run.
    pub stopped: bool,
    /// Only what is older than a page that ended here.
    pub from: Option<Place>,
}

/// Where a page of the story ended: the next one begins below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Only steps before this one.
    step: StepNumber,
    /// Only saves before this checkpoint.
    save: i64,
}

impl Place {
    /// Reads what its text form says, such as `41-120`.
    pub fn parse(typed: &str) -> Option<Self> {
        let (step, save) = typed.split_once('-')?;
        let number = |text: &str| text.parse().ok().filter(|number: &i64| *number >= 0);
        Some(Self { step: StepNumber(number(step)?), save: number(save)? })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.step.0, self.save)
    }
}

impl Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One file of a step.
#[derive(Debug, Clone, Serialize)]
pub struct StepFile {
    /// The path.
    pub path: String,
    /// What happened to it.
    pub status: FileStatus,
    /// Lines that are new; none if they were not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<u64>,
    /// Lines that are gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<u64>,
    /// One of several steps did this, and which one is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<StepNumber>,
    /// Taken back since.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

/// One step.
#[derive(Debug, Clone, Serialize)]
pub struct StoryStep {
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// What it did to which file.
    pub changes: Vec<StepFile>,
    /// How many more files it changed that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub unlisted: u64,
    /// The checkpoint of the state before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_id: Option<String>,
    /// The checkpoint of the state after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_id: Option<String>,
    /// Everything it did is taken back.
    pub undone: bool,
    /// What kind of step it is.
    pub mark: Mark,
    /// How many files it lost.
    pub lost: u64,
    /// What it changed in projects of their own inside this one; `elsewhere.outside` names these too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub in_projects: Vec<InProject>,
}

/// One entry of the story.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Told {
    /// A request, work by hand, a change of vib's.
    Steps {
        /// What it is.
        kind: EntryKind,
        /// The words that name it.
        words: String,
        /// The request.
        #[serde(skip_serializing_if = "Option::is_none")]
        request: Option<store::Request>,
        /// The client.
        #[serde(skip_serializing_if = "Option::is_none")]
        client: Option<String>,
        /// The steps, the oldest first.
        steps: Vec<StoryStep>,
        /// Steps that only looked and are not listed.
        looks: usize,
        /// When it was last worked on.
        time_ms: i64,
        /// Everything it did is taken back.
        undone: bool,
    },
    /// Somebody saved the project.
    Save {
        /// The checkpoint.
        checkpoint: Box<Checkpoint>,
        /// Enough letters of it.
        short_id: String,
    },
}

/// The story, the newest first.
#[derive(Debug, Serialize)]
pub struct StoryReport {
    /// The entries.
    pub entries: Vec<Told>,
    /// There are older ones.
    pub more: bool,
    /// Where they begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Place>,
    /// It is the history of another store, with numbers of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<OtherStore>,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Tells what happened.
pub fn story(engine: &Engine, query: &StoryQuery, progress: &dyn Progress) -> Result<StoryReport> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let file = match &query.file {
        Some(typed) => engine.known_paths(store, std::slice::from_ref(typed))?.into_iter().next(),
        None => None,
    };
    if let Some(number) = query.request
        && store.request(number)?.is_none()
    {
        return Err(Error::NotInHistory(format!("request `{number}`")));
    }
    let session = query.session.as_deref().map(|typed| crate::names::session(store, typed)).transpose()?;
    let agent = query.agent.as_deref().map(|typed| crate::names::agent(store, typed)).transpose()?;
    let filter = StepFilter {
        since_ms: query.since_ms,
        session: session.as_deref(),
        agent: agent.as_deref(),
        request: query.request,
        path: file.as_ref(),
        stopped: query.stopped,
        before: query.from.map(|place| place.step),
        ..StepFilter::default()
    };
    // What would not be told must not take the place of what would.
    let is_told = |step: &Step| {
        let only_looked = only_looked(step);
        Ok(query.all || !only_looked || step.request.is_some())
    };
    let (found, below) = entries(store, &filter, query.limit, is_told)?;
    // A save is an entry of its own, where nothing narrower was asked for.
    let is_whole = query.file.is_none()
        && query.session.is_none()
        && query.agent.is_none()
        && query.request.is_none()
        && !query.stopped;
    let saves = if is_whole { saves(store, query)? } else { Vec::new() };
    let page = merge(query, found, below, saves);
    let mut counting = Counting { engine, store, left: MOST_COUNTED };
    let mut told = Vec::new();
    for one in page.entries {
        match one {
            One::Steps(entry) => told.extend(tell(&mut counting, entry, query.all, file.as_ref())?),
            One::Save(checkpoint) => {
                let length = store.prefix_length(&checkpoint.id)?;
                let short_id = checkpoint.id.as_str()[..length].to_owned();
                told.push(Told::Save { checkpoint: Box::new(checkpoint), short_id });
            }
        }
    }
    Ok(StoryReport {
        entries: told,
        more: page.next.is_some(),
        next: page.next,
        of: query.file.as_deref().and_then(|file| crate::outside::other_store(engine, file)),
        now_ms: engine.context().now_ms(),
        notices: opened.notices,
    })
}

/// What people saved, the newest first, one more than a page holds.
fn saves(store: &Store<'_>, query: &StoryQuery) -> Result<Vec<Checkpoint>> {
    let mut filter =
        HistoryFilter { with_safety: query.all, limit: 0, before: query.from.map(|place| place.save) };
    let mut out = Vec::new();
    loop {
        let read = store.saves(&filter, query.limit)?;
        let is_all = query.limit == 0 || read.len() <= query.limit;
        filter.before = read.last().map(|last| last.seq);
        for checkpoint in read {
            if query.since_ms.is_some_and(|since| checkpoint.created_ms < since) {
                return Ok(out);
            }
            // A safety checkpoint that is pinned is found all the same.
            if query.all || checkpoint.kind != CheckpointKind::Safety {
                out.push(checkpoint);
            }
        }
        if is_all || out.len() > query.limit {
            return Ok(out);
        }
    }
}

/// One entry before it is told.
enum One {
    Steps(Entry),
    Save(Checkpoint),
}

struct Page {
    entries: Vec<One>,
    next: Option<Place>,
}

/// Puts both in one order. Each keeps its own, so pages put together are the whole, without gaps and without anything twice.
fn merge(query: &StoryQuery, found: Vec<Entry>, below: Option<StepNumber>, saves: Vec<Checkpoint>) -> Page {
    let most = if query.limit == 0 { usize::MAX } else { query.limit };
    let mut found = found.into_iter().peekable();
    let mut saves = saves.into_iter().peekable();
    let mut save_below = query.from.map_or(i64::MAX, |place| place.save);
    let mut out = Vec::new();
    while out.len() < most {
        let save_first = match (found.peek(), saves.peek()) {
            (Some(entry), Some(save)) => order_of_save(save) > order_of(entry),
            // What lies below the last entry that was read is for the next page.
            (None, Some(_)) if below.is_some() => break,
            (None, Some(_)) => true,
            (Some(_), None) => false,
            (None, None) => break,
        };
        if save_first {
            let save = saves.next();
            save_below = save.as_ref().map_or(save_below, |save| save.seq);
            out.extend(save.map(One::Save));
        } else {
            out.extend(found.next().map(One::Steps));
        }
    }
    let step_below = found.peek().and_then(|entry| entry.steps.first()).map(|step| step.number).or(below);
    let more = step_below.is_some() || saves.peek().is_some();
    // The next page begins with that step.
    let step = StepNumber(step_below.map_or(0, |step| step.0 + 1));
    Page { entries: out, next: more.then_some(Place { step, save: save_below }) }
}

/// When an entry was last worked on, and after which checkpoint.
fn order_of(entry: &Entry) -> (i64, i64) {
    let seq = entry.steps.first().map_or(0, |step| step.after.unwrap_or(step.before));
    (entry.time_ms(), seq)
}

fn order_of_save(save: &Checkpoint) -> (i64, i64) {
    (save.created_ms, save.seq)
}

/// One step as the story tells it, with the request it belongs to.
#[derive(Debug, Serialize)]
pub struct OneStep {
    /// What the person asked for; the step itself has the number of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<store::Request>,
    /// The step.
    #[serde(flatten)]
    pub told: StoryStep,
}

/// Tells one step.
pub fn step(engine: &Engine, number: StepNumber, progress: &dyn Progress) -> Result<OneStep> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let step = store.step(number)?.ok_or_else(|| Error::NotInHistory(format!("step `{number}`")))?;
    let asked = step.request.map(|number| store.request(number)).transpose()?.flatten();
    let told = Counting { engine, store, left: MOST_COUNTED }.step(step, None)?;
    Ok(OneStep { asked, told })
}

fn tell(
    counting: &mut Counting<'_>,
    entry: Entry,
    all: bool,
    only: Option<&project::RelPath>,
) -> Result<Option<Told>> {
    let (words, time_ms) = (entry.words(), entry.time_ms());
    let client = entry.client().map(str::to_owned);
    let mut steps = Vec::new();
    let mut looks = 0;
    for step in entry.steps.into_iter().rev() {
        if only_looked(&step) && !all {
            looks += 1;
            continue;
        }
        steps.push(counting.step(step, only)?);
    }
    if steps.is_empty() && entry.kind != EntryKind::Request {
        return Ok(None);
    }
    let changes_something =
        |step: &&StoryStep| step.step.files > 0 || !step.step.elsewhere.outside.is_empty();
    let changing: Vec<&StoryStep> = steps.iter().filter(changes_something).collect();
    let undone = !changing.is_empty() && changing.iter().all(|step| step.undone);
    Ok(Some(Told::Steps {
        kind: entry.kind,
        words,
        request: entry.request,
        client,
        steps,
        looks,
        time_ms,
        undone,
    }))
}

/// A command ran, or should have; it is worth a line even if it changed nothing.
pub fn is_command(step: &Step) -> bool {
    step.exit_code.is_some()
        || step.tool.as_deref().is_some_and(|tool| {
            let tool = tool.to_ascii_lowercase();
            ["bash", "shell", "exec", "run_", "command", "powershell"].iter().any(|word| tool.contains(word))
        })
}

/// It looked, and changed nothing anywhere.
fn only_looked(step: &Step) -> bool {
    step.files == 0
        && step.actor != store::Actor::Vib
        && step.ending == store::Ending::Ran
        && step.elsewhere.outside.is_empty()
        && !is_command(step)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

struct Counting<'a> {
    engine: &'a Engine,
    store: &'a Store<'a>,
    left: usize,
}

impl Counting<'_> {
    fn step(&mut self, mut step: Step, only: Option<&project::RelPath>) -> Result<StoryStep> {
        let context = self.engine.context();
        let mut rows = if step.files == 0 { Vec::new() } else { self.store.changes_of(step.number)? };
        let lost = strip::lost_by(self.store, &step, &rows)?;
        let lost = lost.iter().filter(|path| only.is_none_or(|folder| path.is_in(folder))).count() as u64;
        rows.retain(|change| only.is_none_or(|folder| change.path.is_in(folder)) && !is_folder(change));
        // What it did outside counts too, unless somebody asks for a file inside. Other stores are opened only where they decide.
        let outside = only.is_none() && !step.elsewhere.outside.is_empty();
        let undone = (!rows.is_empty() || outside)
            && rows.iter().all(|change| change.undone_by.is_some())
            && (!outside || crate::outside::is_taken_back_elsewhere(context, &step));
        let in_projects = crate::outside::in_projects(self.engine, &step);
        for path in &mut step.elsewhere.outside {
            *path = crate::outside::shown(context, std::path::Path::new(path));
        }
        if let Some(from) = &mut step.elsewhere.from {
            *from = crate::outside::shown(context, std::path::Path::new(from));
        }
        let id = |seq: i64| -> Result<Option<String>> {
            Ok(self.store.checkpoint(seq)?.filter(|one| !one.expired).map(|one| one.id.to_string()))
        };
        let (before_id, after_id) = (id(step.before)?, step.after.map(id).transpose()?.flatten());
        let mut changes: Vec<StepFile> = Vec::new();
        let rows = joined(rows);
        let unlisted = rows.len().saturating_sub(MOST_NAMED) as u64;
        for change in rows.into_iter().take(MOST_NAMED) {
            changes.push(self.file(&change));
        }
        let mark = strip::mark(&step, lost);
        Ok(StoryStep { step, changes, unlisted, before_id, after_id, undone, mark, lost, in_projects })
    }

    fn file(&mut self, change: &StepChange) -> StepFile {
        let status = match (change.before, change.after) {
            (None, _) => FileStatus::Added,
            (_, None) => FileStatus::Removed,
            (Some(before), Some(after)) if before.kind != after.kind => FileStatus::TypeChanged,
            (Some(before), Some(after)) if before.hash == after.hash => FileStatus::ModeChanged,
            _ => FileStatus::Modified,
        };
        let counted = self.count(change);
        StepFile {
            path: self.engine.name_of(&change.path),
            status,
            added: counted.map(|(added, _)| added),
            removed: counted.map(|(_, removed)| removed),
            shared: change.shared.clone(),
            undone: change.undone_by.is_some(),
        }
    }

    fn count(&mut self, change: &StepChange) -> Option<(u64, u64)> {
        let entries = [change.before, change.after];
        let countable = |entry: &store::Entry| {
            entry.kind == store::EntryKind::File && entry.size <= LONGEST_COUNTED && !entry.sensitive
        };
        if self.left == 0 || !entries.iter().flatten().all(countable) {
            return None;
        }
        self.left -= 1;
        let text = |entry: Option<store::Entry>| match entry {
            Some(entry) => self.store.content(&entry.hash).ok(),
            None => Some(Vec::new()),
        };
        match lines::compare(&text(change.before)?, &text(change.after)?, None) {
            Compared::Text { added, removed, .. } => Some((added, removed)),
            _ => None,
        }
    }
}

fn is_folder(change: &StepChange) -> bool {
    [change.before, change.after].iter().flatten().all(|entry| entry.kind == store::EntryKind::Dir)
}

/// What one step did to one path in several goes is one change, unless somebody else was there in between.
fn joined(rows: Vec<StepChange>) -> Vec<StepChange> {
    let mut out: Vec<StepChange> = Vec::with_capacity(rows.len());
    for row in rows {
        match out.last_mut() {
            Some(last) if last.path == row.path && last.after == row.before => last.after = row.after,
            _ => out.push(row),
        }
    }
    out
}
