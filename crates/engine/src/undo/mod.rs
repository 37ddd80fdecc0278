//! Going back, in the trusted shape: [`preview`] shows, a person says yes, [`apply`] saves the present state and does it.
//!
//! What is taken back is a part of the history: the last request with all its steps, one step, what was done by hand. Everything that
//! came later stays ([`::change::reverse`]). Going to a checkpoint is the other way: the files as they were then.

mod commits;
mod find;
mod outside;

use std::collections::HashSet;
use std::path::PathBuf;

use ::change::reverse::{self, Taking};
use ::change::{Shown, Yes};
use memory::lessons::FILE_NAME;
use project::RelPath;
use store::{
    Account, Checkpoint, Difference, Plan, Progress, Purpose, RestoreReport, StepNumber, Store, View, Way,
    WayForward, WorkingTree,
};

pub use ::change::Confirmation;
pub use ::change::reverse::{Choices, Conflict, LaterWork, NotByLines, Why};

use crate::audit::{Event, Outcome, Row};
use crate::diff::{self, Detail, DiffReport};
use crate::entries::{Entry, EntryKind};
use crate::outside::OtherStore;
use crate::{Engine, Error, Notice, Result, agent, change, may, own_entries};

/// So many doubtful files are named in one line.
const NAMED_IN_DOUBT: usize = 8;

/// What to take back, or where to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The last so many entries of the history that still stand.
    Last(usize),
    /// The last step of the last entry.
    LastStep,
    /// This step.
    Step(StepNumber),
    /// This request with all its steps.
    Request(store::RequestNumber),
    /// The last entry of this session.
    Session(String),
    /// The last entry of this client or sub-agent.
    Agent(String),
    /// The last so many requests of this session that changed something; where it never changed anything, of the project.
    SessionRequests {
        /// The session.
        session: String,
        /// How many.
        count: usize,
    },
    /// The state of this checkpoint.
    Checkpoint(String),
    /// The going back that was done last.
    Redo,
}

impl Target {
    /// What a person means by one word: `s41`, `r12`, `last`, `last-step`, `redo`, or a checkpoint.
    pub fn named(word: &str) -> Self {
        let step = StepNumber::parse(word).map(Self::Step);
        let request = || store::RequestNumber::parse(word).map(Self::Request);
        step.or_else(request).unwrap_or_else(|| match word {
            "" | "last" => Self::Last(1),
            "last-step" => Self::LastStep,
            "redo" => Self::Redo,
            id => Self::Checkpoint(id.to_owned()),
        })
    }

    /// As it is written down until somebody confirms it.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Last(count) => format!("last {count}"),
            Self::LastStep => "last-step".to_owned(),
            Self::Step(number) => format!("step {number}"),
            Self::Request(number) => format!("request {number}"),
            Self::Session(session) => format!("session {session}"),
            Self::Agent(agent) => format!("agent {agent}"),
            Self::SessionRequests { session, count } => format!("requests {count} {session}"),
            Self::Checkpoint(id) => id.clone(),
            Self::Redo => "redo".to_owned(),
        }
    }

    /// What [`Self::to_text`] wrote. The first version wrote the ids of checkpoints.
    pub(crate) fn from_text(text: &str) -> Self {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let known = match word {
            "last" => rest.parse().ok().map(Self::Last),
            "last-step" => Some(Self::LastStep),
            "step" => StepNumber::parse(rest).map(Self::Step),
            "request" => store::RequestNumber::parse(rest).map(Self::Request),
            "session" => Some(Self::Session(rest.to_owned())),
            "agent" => Some(Self::Agent(rest.to_owned())),
            "requests" => rest.split_once(' ').and_then(|(count, session)| {
                Some(Self::SessionRequests { session: session.to_owned(), count: count.parse().ok()? })
            }),
            "redo" => Some(Self::Redo),
            _ => None,
        };
        known.unwrap_or_else(|| Self::Checkpoint(text.to_owned()))
    }
}

/// What would be gone back to or taken back.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum Back {
    /// To the state of a checkpoint.
    Checkpoint {
        /// Which.
        checkpoint: Box<Checkpoint>,
    },
    /// Entries of the history are taken back.
    Steps {
        /// The newest first; empty for what was never saved.
        entries: Vec<Entry>,
        /// Files that changed since the last look are taken back too.
        unsaved: bool,
    },
    /// A going back is taken back.
    Redo {
        /// The step that it was.
        step: StepNumber,
        /// What it was about.
        #[serde(skip_serializing_if = "Option::is_none")]
        what: Option<String>,
    },
}

/// What going back would do.
#[derive(Debug, serde::Serialize)]
pub struct Preview {
    /// To where, or what of the history.
    pub back: Back,
    /// From the present state to the one after going back.
    pub changes: DiffReport,
    /// What cannot simply be taken back, because it was changed since: left as it is unless it was chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// Files that are not saved yet or only partly, and whose present state would be replaced. They are saved first.
    pub unsaved: Vec<String>,
    /// The files lie outside every project: conflicts name them from the top of the file system.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// It is about another store than that of the project around the current folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<OtherStore>,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
    #[serde(skip)]
    shown: Shown,
}

/// What going back did.
#[derive(Debug, serde::Serialize)]
pub struct UndoReport {
    /// To where, or what of the history.
    pub back: Back,
    /// What was left because it was changed since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// The safety checkpoint: `vib undo` with this id takes it all back.
    pub safety: Checkpoint,
    /// Enough letters of it.
    pub safety_short_id: String,
    /// What was done.
    pub result: RestoreReport,
    /// The files lie outside every project: they are named from the top of the file system.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// It was done in another store than that of the project around the current folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<OtherStore>,
    /// How the yes was given.
    pub confirmed_via: Confirmation,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

impl UndoReport {
    /// Everything that was promised was done.
    pub fn is_complete(&self) -> bool {
        self.result.kept.is_empty()
    }
}

impl Preview {
    /// The conflicts that stay as they are.
    pub fn left(&self) -> impl Iterator<Item = &Conflict> {
        self.conflicts.iter().filter(|conflict| !conflict.taken)
    }

    /// A name for exactly these changes: a later preview with the same name would do the same.
    pub fn digest(&self) -> String {
        self.shown.digest()
    }
}

/// How to look.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Only these files and folders.
    pub paths: Vec<PathBuf>,
    /// Only this function of the one file.
    pub function: Option<String>,
    /// What is done with conflicts.
    pub choices: Choices,
    /// What an earlier going back left as it is counts again; else the last entry is the last one that was not left.
    pub again: bool,
    /// With the text of the changes.
    pub text: bool,
    /// With so many bytes of text at the most, for whoever has little memory.
    pub most_text: Option<u64>,
}

/// Finds the target and shows what would change. Changes nothing.
pub fn preview(
    engine: &Engine,
    target: &Target,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Preview> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let only = engine.known_paths(store, &options.paths)?;
    let is_loose = engine.project().is_loose();
    if is_loose && only.is_empty() {
        return Err(Error::Usage("name the file that lies outside every project".to_owned()));
    }
    let working = if is_loose { store.working_paths(&only)? } else { store.working_tree(progress)? };
    let going = match target {
        Target::Checkpoint(id) => to_checkpoint(store, &store.resolve(id)?, &working.view, &only)?,
        Target::Redo => redo(engine, store, &working, &only, options)?,
        other => match take_back(engine, store, other, &working, &only, options) {
            Err(Error::NothingToUndo(why)) => {
                return Err(Error::NothingToUndo(outside::explained(engine, store, other, &only, why)?));
            }
            other => other?,
        },
    };
    let Going { mut plan, contents, mut account, conflicts, back, name, gone } = going;
    outside::refuse_to_skip(engine, store, target, &back, &only)?;
    account.except.extend(RelPath::new(FILE_NAME.as_bytes()).ok().filter(|lessons| !only.contains(lessons)));
    plan.changes.retain(|change| !lessons_stay(change, &only));
    let own = own_entries::keep(engine, store, &mut plan);
    if plan.is_empty() {
        if let Back::Checkpoint { checkpoint } = &back {
            refuse_unknown_paths(store, checkpoint, &working.view, &only)?;
        }
        if let (Back::Redo { step, .. }, Some(conflict)) = (&back, conflicts.first()) {
            let safety = state_before(store, *step)?;
            return Err(Error::SomethingNewSince { path: conflict.path.to_string(), safety });
        }
        return Err(Error::NothingToUndo(nothing(&back, &conflicts, &gone, !own.notices.is_empty())));
    }
    let detail = match (options.text, options.most_text) {
        (true, Some(most)) => Detail::TextUpTo(most),
        (true, None) => Detail::Text,
        (false, _) => Detail::Counts,
    };
    let changes = diff::describe(engine, store, &plan.changes, "now", &name, detail)?;
    let unsaved = plan.changes.iter().filter(|change| working.is_unsaved(&change.path));
    let unsaved = unsaved.map(|change| change.path.to_string()).collect();
    let mut notices = opened.notices;
    notices.extend(own.notices.iter().cloned());
    notices.extend(may::protected_notice(engine, &plan));
    notices.extend(outside::notice(engine, store, &back, &only)?);
    notices.extend(commits::notice(engine, store, &back, &only)?);
    let left_out: Vec<String> = store.left_out_since(&working)?.iter().map(ToString::to_string).collect();
    notices.extend((!left_out.is_empty()).then_some(Notice::LeftOut { paths: left_out }));
    let title = format!("before {}", account.what.as_deref().unwrap_or("going back"));
    let contents = contents.into_iter().chain(own.contents).collect();
    let name = account.tool.clone();
    let shown = Shown { plan, account, contents, title, name, all_or_nothing: false };
    let now_ms = engine.context().now_ms();
    let first = shown.plan.changes.first().map(|change| change.path.to_path(engine.project().root()));
    let of = first.and_then(|path| crate::outside::other_store(engine, &path));
    Ok(Preview { back, changes, conflicts, unsaved, outside: is_loose, of, now_ms, notices, shown })
}

/// How many files taking back a step would change, and what cannot simply be taken back. Changes nothing.
pub(crate) fn tried(engine: &Engine, step: StepNumber) -> Result<(usize, Vec<Conflict>)> {
    let opened = engine.store(&store::Silent)?;
    let store = &opened.store;
    let working = store.working_tree(&store::Silent)?;
    match take_back(engine, store, &Target::Step(step), &working, &[], &Options::default()) {
        Ok(going) => Ok((going.plan.changes.len(), going.conflicts)),
        Err(Error::NothingToUndo(_)) => Ok((0, Vec::new())),
        Err(error) => Err(error),
    }
}

/// The last going back can be walked forward again, and nothing new came since, as far as the history tells.
pub fn can_redo(engine: &Engine, progress: &dyn Progress) -> Result<bool> {
    let opened = engine.store(progress)?;
    Ok(matches!(way_forward(engine, &opened.store, &[])?, WayForward::Open(_)))
}

/// What a target comes to.
struct Going {
    plan: Plan,
    contents: Vec<Vec<u8>>,
    account: Account,
    conflicts: Vec<Conflict>,
    back: Back,
    name: String,
    /// Files that it changed and that are not there any more under their name.
    gone: Vec<RelPath>,
}

fn to_checkpoint(store: &Store<'_>, checkpoint: &Checkpoint, now: &View, only: &[RelPath]) -> Result<Going> {
    let plan = store.plan(checkpoint, now, only)?;
    let account = Account {
        what: Some(format!("going back to {}", checkpoint.id)),
        undoes: steps_after(store, checkpoint.seq, only)?,
        undoes_unsaved: true,
        redoes: if only.is_empty() { goings_back_after(store, checkpoint.seq)? } else { Vec::new() },
        only: only.to_vec(),
        way: Way::Back,
        ..Account::of("undo")
    };
    let name = checkpoint.id.to_string();
    let back = Back::Checkpoint { checkpoint: Box::new(checkpoint.clone()) };
    Ok(Going { plan, contents: Vec::new(), account, conflicts: Vec::new(), back, name, gone: Vec::new() })
}

/// The steps whose changes came after a checkpoint and still stand: going back to it takes them back.
pub(crate) fn steps_after(store: &Store<'_>, seq: i64, only: &[RelPath]) -> Result<Vec<StepNumber>> {
    let within = |path: &RelPath| only.is_empty() || only.iter().any(|folder| path.is_in(folder));
    let mut steps: Vec<StepNumber> = store
        .changes_since(seq)?
        .into_iter()
        .filter(|change| change.undone_by.is_none() && within(&change.path))
        .map(|change| change.step)
        .collect();
    steps.sort_unstable();
    steps.dedup();
    let mut out = Vec::with_capacity(steps.len());
    for step in steps {
        if !store.is_going_back(step)? {
            out.push(step);
        }
    }
    Ok(out)
}

/// The goings back after a checkpoint that still stand: in the state of the checkpoint they had not happened.
fn goings_back_after(store: &Store<'_>, seq: i64) -> Result<Vec<StepNumber>> {
    let mut steps: Vec<StepNumber> =
        store.changes_since(seq)?.into_iter().map(|change| change.step).collect();
    steps.sort_unstable();
    steps.dedup();
    let mut out = Vec::new();
    for step in steps {
        if store.way_of(step)? == Way::Back && !store.is_taken_back(step)? {
            out.push(step);
        }
    }
    Ok(out)
}

/// A lesson that was written down after going back, or vib's own entries, are nothing new.
fn way_forward(engine: &Engine, store: &Store<'_>, only: &[RelPath]) -> Result<WayForward> {
    let finding = find::Finding { engine, store, only, passed: &HashSet::new() };
    store.way_forward(only, |step| finding.counts(step))
}

/// The checkpoint of the state before a step, as a person would type it.
fn state_before(store: &Store<'_>, step: StepNumber) -> Result<Option<String>> {
    let Some(step) = store.step(step)? else { return Ok(None) };
    Ok(store.checkpoint(step.before)?.map(|checkpoint| checkpoint.id.to_string()))
}

/// Takes the last going back back. What was done since, saved or not, stays: it is merged like anything that came later. (M6)
fn redo(
    engine: &Engine,
    store: &Store<'_>,
    working: &WorkingTree,
    only: &[RelPath],
    options: &Options,
) -> Result<Going> {
    let step = match way_forward(engine, store, only)? {
        WayForward::Open(step) | WayForward::Closed { back: step, .. } => *step,
        WayForward::None => return Err(Error::NothingToRedo),
    };
    let changes = store.changes_of(step.number)?;
    let taking = Taking { changes: &changes, part: None, choices: &options.choices };
    let back = reverse::reverse(store, engine.project().root(), &working.view, &taking)?;
    let account = Account {
        what: step.what.as_deref().map(|what| match what.strip_prefix("taking back ") {
            Some(taken) => format!("doing again {taken}"),
            None => format!("taking back: {what}"),
        }),
        redoes: vec![step.number],
        except: back.left.clone(),
        way: Way::Forward,
        ..Account::of("redo")
    };
    let plan = Plan { target: String::new(), purpose: Purpose::Restore, changes: back.changes };
    let name = format!("before {}", step.number);
    let source = Back::Redo { step: step.number, what: step.what };
    let (contents, conflicts) = (back.contents, back.conflicts);
    Ok(Going { plan, contents, account, conflicts, back: source, name, gone: Vec::new() })
}

/// What was shown to a person and stays as it is, all of it.
#[derive(Debug)]
pub struct Left {
    /// Why each of it stays.
    pub conflicts: Vec<Conflict>,
    account: Account,
}

/// Nothing of the last entry can simply be taken back: what there is to choose from, if the person wants to. None where a target was named, or
/// where something can.
pub fn only_left(
    engine: &Engine,
    target: &Target,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Option<Left>> {
    if !goes_on(target) || !options.paths.is_empty() || engine.project().is_loose() {
        return Ok(None);
    }
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let working = store.working_tree(progress)?;
    let going = match take_back(engine, store, target, &working, &[], options) {
        Ok(going) if going.plan.is_empty() && !going.account.undoes.is_empty() => going,
        Ok(_) | Err(Error::NothingToUndo(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut account = going.account;
    // What is gone, and so cannot be changed back, stays like what conflicts.
    for step in &account.undoes {
        for change in store.changes_of(*step)?.into_iter().filter(|change| change.undone_by.is_none()) {
            if !account.except.contains(&change.path) {
                account.except.push(change.path);
            }
        }
    }
    account.what = account.what.map(|what| what.replacen("taking back", "leaving as it is:", 1));
    Ok(Some(Left { conflicts: going.conflicts, account }))
}

/// Writes down that it stays: the next going back goes on with what was before it.
pub fn leave(engine: &Engine, left: &Left, progress: &dyn Progress) -> Result<()> {
    engine.store(progress)?.store.note_left(&left.account)?;
    Ok(())
}

/// Such a target is the last that is left to take back, and not one that was named.
fn goes_on(target: &Target) -> bool {
    match target {
        Target::Last(_)
        | Target::LastStep
        | Target::Session(_)
        | Target::Agent(_)
        | Target::SessionRequests { .. } => true,
        Target::Step(_) | Target::Request(_) | Target::Checkpoint(_) | Target::Redo => false,
    }
}

/// Entries of which nothing stands, whose files are as they were before them, are passed over: so many at the most.
const MOST_PASSED: usize = 50;

fn take_back(
    engine: &Engine,
    store: &Store<'_>,
    target: &Target,
    working: &WorkingTree,
    only: &[RelPath],
    options: &Options,
) -> Result<Going> {
    let passes = goes_on(target) && only.is_empty() && options.function.is_none();
    let mut passed = if passes && !options.again { left_still(store, working)? } else { HashSet::new() };
    for _ in 0..MOST_PASSED {
        let going = take_back_once(engine, store, target, working, only, options, &passed)?;
        let stands = !going.plan.is_empty() || !going.conflicts.is_empty() || !going.gone.is_empty();
        if stands || !passes || going.account.undoes.is_empty() {
            return Ok(going);
        }
        for step in &going.account.undoes {
            passed.extend(store.changes_of(*step)?.into_iter().map(|change| (*step, change.path)));
        }
    }
    take_back_once(engine, store, target, working, only, options, &passed)
}

/// What earlier goings back left as it was, and what is not meanwhile exactly as its step had made it: that can simply be taken back now.
fn left_still(store: &Store<'_>, working: &WorkingTree) -> Result<HashSet<(StepNumber, RelPath)>> {
    let mut left = HashSet::new();
    for (step, path) in store.left_by_undos()? {
        let changes = store.changes_of(step)?;
        let change = changes.iter().find(|change| change.path == path && change.shared.is_empty());
        let now = store.entry_in(&working.view, path.as_bytes())?;
        let mut stands = false;
        if let (Some(change), Some(now)) = (change, now) {
            let is_kept = match &change.before {
                Some(before) => store.has_content(&before.hash)?,
                None => true,
            };
            stands = is_kept && change.after.is_some_and(|after| after.same_on_disk(&now));
        }
        if !stands {
            left.insert((step, path));
        }
    }
    Ok(left)
}

fn take_back_once(
    engine: &Engine,
    store: &Store<'_>,
    target: &Target,
    working: &WorkingTree,
    only: &[RelPath],
    options: &Options,
    passed: &HashSet<(StepNumber, RelPath)>,
) -> Result<Going> {
    let found = match (&options.function, only) {
        (None, _) => find::find(engine, store, target, working, only, passed)?,
        (Some(function), [path]) => find::of_function(engine, store, path, function)?,
        (Some(_), _) => {
            return Err(Error::Usage("a function is named together with its one file".to_owned()));
        }
    };
    let root = engine.project().root();
    // What was never saved goes back to the last look first: everything else is compared with that.
    let mut view = working.view.clone();
    let mut plan_first = Vec::new();
    if !found.unsaved.is_empty() {
        let recorded = store.recorded_state()?;
        plan_first = store.compare(&working.view, &recorded, &found.unsaved)?;
        plan_first.retain(|change| found.unsaved.contains(&change.path));
        view = view.with(plan_first.iter().map(|change| (change.path.as_bytes().to_vec(), change.after)));
    }
    let lines = |content: &[u8]| crate::map::lines_in(only.first()?, content, options.function.as_deref()?);
    let part = options.function.as_ref().map(|_| &lines as &dyn Fn(&[u8]) -> _);
    let taking = Taking { changes: &found.changes, part, choices: &options.choices };
    let mut back = reverse::reverse(store, root, &view, &taking)?;
    join(&mut back.changes, plan_first);
    let steps = found.entries.iter().flat_map(Entry::numbers).collect();
    let what = match &found.entries[..] {
        [] => "taking back what was changed since the last look".to_owned(),
        // One step is not the whole of what was asked for.
        [one] if one.kind == EntryKind::Request && matches!(target, Target::Step(_)) => {
            let numbers: Vec<String> = one.numbers().iter().map(ToString::to_string).collect();
            format!("taking back {} of {}", numbers.join(", "), short(&one.words()))
        }
        [one] => format!("taking back {}", short(&one.words())),
        many => format!("taking back {} entries of the history", many.len()),
    };
    let account = Account {
        what: Some(what),
        undoes: steps,
        undoes_unsaved: !found.unsaved.is_empty(),
        only: only.to_vec(),
        except: if options.function.is_some() { only.to_vec() } else { back.left.clone() },
        way: Way::Back,
        ..Account::of("undo")
    };
    let name = match &found.entries[..] {
        [one] if one.steps.len() == 1 => format!("before {}", one.steps[0].number),
        _ => "without it".to_owned(),
    };
    let plan = Plan { target: String::new(), purpose: Purpose::Restore, changes: back.changes };
    let source = Back::Steps { entries: found.entries, unsaved: !found.unsaved.is_empty() };
    let mut gone = Vec::new();
    for change in &found.changes {
        let was_edited = change.before.is_some() && change.after.is_some();
        if was_edited
            && !gone.contains(&change.path)
            && store.entry_in(&working.view, change.path.as_bytes())?.is_none()
        {
            gone.push(change.path.clone());
        }
    }
    let (contents, conflicts) = (back.contents, back.conflicts);
    Ok(Going { plan, contents, account, conflicts, back: source, name, gone })
}

/// Puts the way to the last look and the way from there together.
fn join(changes: &mut Vec<Difference>, first: Vec<Difference>) {
    for difference in first {
        match changes.iter_mut().find(|change| change.path == difference.path) {
            Some(change) => change.before = difference.before,
            None => changes.push(difference),
        }
    }
    changes.retain(|change| match (&change.before, &change.after) {
        (Some(before), Some(after)) => !before.same_on_disk(after),
        (None, None) => false,
        _ => true,
    });
    changes.sort_by(|one, other| one.path.cmp(&other.path));
}

fn short(words: &str) -> String {
    const LONGEST: usize = 60;
    let cut: String = words.chars().take(LONGEST).collect();
    if cut.len() < words.len() { format!("“{cut}…”") } else { format!("“{cut}”") }
}

fn nothing(back: &Back, conflicts: &[Conflict], gone: &[RelPath], only_ours: bool) -> String {
    if let [first, rest @ ..] = gone {
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        return format!(
            "`{first}`{more}, which it changed, is gone or has another name now; `vib undo {first}` brings it back as it was last"
        );
    }
    if only_ours && conflicts.is_empty() {
        return "only vib's own entries in your tools' settings are different, and they stay as they are"
            .to_owned();
    }
    if !conflicts.is_empty() {
        return all_left(conflicts);
    }
    match back {
        Back::Checkpoint { checkpoint } => {
            format!("your files are already as they were in `{}`", checkpoint.id)
        }
        Back::Steps { .. } => "your files are already as they were before it".to_owned(),
        Back::Redo { .. } => "your files are already as they were before the undo".to_owned(),
    }
}

/// Nothing of it can simply be taken back: the files are named with the reason, and the person decides. (M5)
fn all_left(conflicts: &[Conflict]) -> String {
    type Fits = fn(&Why) -> bool;
    let groups: [(Fits, &str); 3] = [
        (
            |why| matches!(why, Why::Shared { .. }),
            "changed while it ran, and nothing proves that it wrote it: somebody else may have",
        ),
        (|why| matches!(why, Why::NotKept), "changed, but what it was before is no longer kept"),
        (|why| !matches!(why, Why::Shared { .. } | Why::NotKept), "changed again since"),
    ];
    let mut said = Vec::new();
    for (fits, says) in groups {
        let fitting = conflicts.iter().filter(|conflict| fits(&conflict.why));
        let mut paths: Vec<String> = fitting.map(|conflict| format!("`{}`", conflict.path)).collect();
        paths.dedup();
        if paths.is_empty() {
            continue;
        }
        let more = paths.len().saturating_sub(NAMED_IN_DOUBT);
        paths.truncate(NAMED_IN_DOUBT);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        said.push(format!("{}{more} {says}", paths.join(", ")));
    }
    let can_be_taken = conflicts.iter().any(|conflict| !matches!(conflict.why, Why::NotKept));
    let choice = if can_be_taken { ". `--take-conflicts` takes it back all the same" } else { "" };
    format!("{}{choice}", said.join("; "))
}

/// Saves the present state, then does what the preview showed.
pub fn apply(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    progress: &dyn Progress,
) -> Result<UndoReport> {
    apply_again(engine, preview, confirmed_via, None, None, progress)
}

/// The same, with the second yes to files that changed meanwhile; `asked_by` is the agent whose person asked in its chat.
pub fn apply_again(
    engine: &Engine,
    preview: &Preview,
    confirmed_via: Confirmation,
    second_yes: Option<&str>,
    asked_by: Option<&agent::Who>,
    progress: &dyn Progress,
) -> Result<UndoReport> {
    let mut shown = preview.shown.clone();
    shown.account.asked_in = asked_by.map(|who| (who.client.clone(), who.session.clone()));
    let yes = Yes::to(&shown, confirmed_via).again(second_yes);
    let tool = if confirmed_via == Confirmation::Web { "web" } else { "cli" };
    let row = Row::new(Event::RecoveryApply, tool, Outcome::Failed);
    let changed = change::apply(engine, &shown, &yes, Some(row), asked_by, &mut |_| Ok(()), progress)?;
    let mut notices = changed.notices;
    notices.extend(preview.notices.iter().filter(|notice| is_about_ours(notice)).cloned());
    let via = match confirmed_via {
        Confirmation::Terminal(_) | Confirmation::Yes(_) | Confirmation::Flag | Confirmation::Agent => "cli",
        Confirmation::Chat => "chat",
        Confirmation::Mcp | Confirmation::Approved | Confirmation::Grant => "mcp",
        Confirmation::Web => "web",
    };
    let paths: Vec<String> = changed.carried.plan.paths().iter().map(ToString::to_string).collect();
    let target = match &preview.back {
        Back::Checkpoint { checkpoint } => checkpoint.id.to_string(),
        Back::Steps { .. } | Back::Redo { .. } => String::new(),
    };
    if !preview.outside
        && let Err(error) = crate::memory::observe::rolled_back(engine, via, &target, &paths)
    {
        notices.push(Notice::NotRecorded { message: error.to_string() });
    }
    let safety = changed.carried.safety;
    let opened = engine.store(progress)?;
    let length = opened.store.prefix_length(&safety.id)?;
    Ok(UndoReport {
        back: preview.back.clone(),
        conflicts: preview.conflicts.iter().filter(|conflict| !conflict.taken).cloned().collect(),
        safety_short_id: safety.id.as_str()[..length].to_owned(),
        safety,
        result: changed.carried.result,
        outside: preview.outside,
        of: preview.of.clone(),
        confirmed_via,
        notices,
    })
}

fn is_about_ours(notice: &Notice) -> bool {
    matches!(notice, Notice::OwnEntriesKept { .. } | Notice::SettingsUnreadable { .. })
}

/// Lessons are about what is taken back, and stay when it is: `LESSONS.md` is only changed back if it is named. One that is
/// gone comes back like any file.
fn lessons_stay(change: &Difference, only: &[RelPath]) -> bool {
    change.before.is_some() && change.path.as_bytes() == FILE_NAME.as_bytes() && !only.contains(&change.path)
}

fn refuse_unknown_paths(store: &Store<'_>, target: &Checkpoint, now: &View, only: &[RelPath]) -> Result<()> {
    let wanted = store.view(target, now)?;
    for path in only {
        let known = store.entry_in(&wanted, path.as_bytes())?.is_some()
            || store.entry_in(now, path.as_bytes())?.is_some();
        if !known {
            return Err(Error::PathUnknown { path: path.to_string(), id: target.id.to_string() });
        }
    }
    Ok(())
}
