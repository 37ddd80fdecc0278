//! Exactly what one way would do, shown, and kept as a plan if somebody means to act on it.

use std::collections::{BTreeMap, BTreeSet};

use recovery::{Goes, Group, Mend, Restore, Risk, Sign};
use serde::Serialize;
use store::{Checkpoint, Difference, Entry, EntryKind, Plan, Progress, Purpose, Store};

use super::pick::{self, Choosable};
use super::plan::{self, Kept, VALID_MS};
use super::report::{self, Looked, Query};
use crate::diff::{self, Detail, DiffReport};
use crate::{Engine, Error, Notice, Result, may, own_entries};

/// What is to be previewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The way with this number.
    Way(usize),
    /// The first way that changes files; none, if there is no such way, is an error that says so.
    Recommended,
    /// What `--file` and `--checkpoint` say.
    Named,
}

/// Whether a preview is kept as a plan that can be said yes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep<'d> {
    /// Only a look: nothing is written.
    No,
    /// Somebody means to act on it.
    Yes,
    /// Only if it is exactly what was shown before: the changes with this digest.
    If(&'d str),
}

impl Keep<'_> {
    pub(super) fn wants(self, digest: &str) -> bool {
        match self {
            Self::No => false,
            Self::Yes => true,
            Self::If(shown) => shown == digest,
        }
    }
}

/// What would happen.
#[derive(Debug, Serialize)]
pub struct Preview {
    /// The id of the plan: `apply` takes it. Empty if it was not kept.
    pub plan: String,
    /// Until when it is valid.
    pub expires_ms: i64,
    /// The level of the way.
    pub level: u8,
    /// Which checkpoints are used.
    pub checkpoints: Vec<Checkpoint>,
    /// From the present state to the one after.
    pub changes: DiffReport,
    /// Files that are not saved yet; they are saved first.
    pub unsaved: Vec<String>,
    /// Lines that exist only now and would go.
    pub lines_lost: u64,
    /// Files that would go or be replaced.
    pub files_lost: u64,
    /// Of these, those whose lines cannot be counted: pictures and the like.
    pub not_counted: u64,
    /// Files to look at together with these.
    pub groups: Vec<Group>,
    /// Files that a going back brought, and that would be again as they were before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brought_back_goes: Vec<String>,
    /// Whose work goes with it, where that is more than what it is meant to take back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goes: Vec<Goes>,
    /// Whose work stays in the files of which only a part is taken back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stays_beside: Vec<Goes>,
    /// Files that need mending besides.
    pub mends: Vec<Mend>,
    /// Files that are brought back only because they are drift candidates.
    pub drift: Vec<String>,
    /// How risky it is.
    pub risk: Risk,
    /// Stands for exactly these changes.
    pub digest: String,
    /// Time of the preview.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

impl Preview {
    /// What was asked for, and stays as it is because it was worked on since.
    pub fn left(&self) -> impl Iterator<Item = &Mend> {
        self.mends.iter().filter(|mend| matches!(mend.sign, Sign::Wanted | Sign::Drift))
    }
}

/// Computes and keeps a plan. Changes no file.
pub fn preview(
    engine: &Engine,
    query: &Query,
    choice: Choice,
    detail: Detail,
    progress: &dyn Progress,
) -> Result<Preview> {
    preview_with(engine, query, choice, detail, Keep::Yes, progress)
}

/// Computes a plan, and keeps it if that is wanted. Changes no file.
pub fn preview_with(
    engine: &Engine,
    query: &Query,
    choice: Choice,
    detail: Detail,
    keep: Keep<'_>,
    progress: &dyn Progress,
) -> Result<Preview> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let mut looked = report::look(engine, store, query, progress)?;
    let chosen = choose(engine, store, query, choice, &looked)?;
    let (mut restore_plan, mut contents) = build(store, &looked, &chosen.restores)?;
    pick::narrow(engine, store, &query.picks, &mut restore_plan, &mut contents);
    let mut own = own_entries::keep(engine, store, &mut restore_plan);
    own.contents.splice(0..0, contents);
    if restore_plan.is_empty() {
        return Err(Error::NothingToRecover);
    }
    let target = restore_plan.target.clone();
    let changes = diff::describe(engine, store, &restore_plan.changes, "now", &target, detail)?;
    let zone = &looked.report.diagnosis.zone;
    let paths: Vec<String> = restore_plan.changes.iter().map(|change| change.path.to_string()).collect();
    let is_drift = |restore: &&Restore| restore.sign == Sign::Drift && paths.contains(&restore.path);
    let judged = chosen.restores.iter().filter(is_drift);
    let drift: Vec<String> = judged.map(|restore| restore.path.clone()).collect();
    let mut kept = Kept::new(engine, chosen.level, title(&paths), &restore_plan, &own)?;
    kept.drift = paths.iter().filter(|path| zone.is_outside(path)).count() as u64;
    kept.in_zone = paths.iter().filter(|path| zone.signal_of(path).is_some()).count() as u64;
    let digest = plan::digest(&restore_plan);
    if keep.wants(&digest) {
        plan::forget_old(engine);
        looked.record(engine);
        kept.save(engine)?;
    } else {
        kept.id.clear();
    }
    let working = &looked.working;
    let unsaved = restore_plan
        .changes
        .iter()
        .filter(|change| working.is_unsaved(&change.path))
        .map(|change| change.path.to_string());
    let mut notices = opened.notices;
    notices.extend(looked.report.notices);
    notices.extend(own.notices);
    notices.extend(may::protected_notice(engine, &restore_plan));
    Ok(Preview {
        plan: kept.id.clone(),
        expires_ms: kept.created_ms + VALID_MS,
        level: chosen.level,
        checkpoints: chosen.checkpoints,
        lines_lost: changes.removed,
        not_counted: not_counted(&changes, &restore_plan),
        files_lost: restore_plan.changes.iter().filter(|change| is_file(change.before)).count() as u64,
        unsaved: unsaved.collect(),
        changes,
        groups: chosen.groups,
        brought_back_goes: chosen.brought_back_goes,
        goes: chosen.goes,
        stays_beside: chosen.stays_beside,
        mends: chosen.mends,
        drift,
        risk: chosen.risk,
        digest,
        now_ms: engine.context().now_ms(),
        notices,
    })
}

/// What there is to choose from: the files of a way, and the places of each. (R14)
pub fn choosable(
    engine: &Engine,
    query: &Query,
    choice: Choice,
    progress: &dyn Progress,
) -> Result<Vec<Choosable>> {
    let opened = engine.store(progress)?;
    let looked = report::look(engine, &opened.store, query, progress)?;
    let chosen = choose(engine, &opened.store, query, choice, &looked)?;
    let (plan, _) = build(&opened.store, &looked, &chosen.restores)?;
    Ok(pick::choosable(engine, &opened.store, &plan))
}

/// Files that are there now and whose lines were not counted.
pub(super) fn not_counted(changes: &DiffReport, plan: &Plan) -> u64 {
    let there: BTreeSet<String> = plan
        .changes
        .iter()
        // An empty one holds nothing that could go.
        .filter(|change| is_file(change.before) && change.before.is_some_and(|before| before.size > 0))
        .map(|change| change.path.to_string())
        .collect();
    let uncounted = changes.files.iter().filter(|file| file.removed.is_none() && there.contains(&file.path));
    uncounted.count() as u64
}

fn is_file(entry: Option<Entry>) -> bool {
    entry.is_some_and(|entry| entry.kind != EntryKind::Dir)
}

/// What the safety checkpoint will be called.
fn title(paths: &[String]) -> String {
    match paths {
        [only] => format!("before bringing back {only}"),
        paths => format!("before bringing back {} paths", paths.len()),
    }
}

struct Chosen {
    level: u8,
    restores: Vec<Restore>,
    mends: Vec<Mend>,
    groups: Vec<Group>,
    brought_back_goes: Vec<String>,
    goes: Vec<Goes>,
    stays_beside: Vec<Goes>,
    checkpoints: Vec<Checkpoint>,
    risk: Risk,
}

fn choose(
    engine: &Engine,
    store: &Store<'_>,
    query: &Query,
    choice: Choice,
    looked: &Looked,
) -> Result<Chosen> {
    if query.checkpoint.is_some() || choice == Choice::Named {
        return named(engine, store, query, looked);
    }
    let ways = &looked.report.ways;
    let way = match choice {
        Choice::Way(number) => ways.iter().find(|way| way.number == number).ok_or_else(|| {
            Error::Usage(format!("there is no way number {number}; `vib recover --explain` lists them"))
        })?,
        _ => ways.first().ok_or(Error::NothingToRecover)?,
    };
    if way.restores.is_empty() {
        return Err(match () {
            () if !looked.report.diagnosis.phrase.not_understood.is_empty()
                && looked.report.diagnosis.asks_back =>
            {
                Error::NotUnderstood(looked.report.diagnosis.phrase.not_understood.clone())
            }
            () if !looked.report.has_history && looked.report.git.states.is_empty() => {
                Error::NoSafeCheckpoint
            }
            () if !way.mends.is_empty() => {
                Error::MendFirst(way.mends.iter().map(|mend| mend.path.clone()).collect())
            }
            () => Error::NothingToRecover,
        });
    }
    Ok(Chosen {
        level: way.level,
        checkpoints: checkpoints(store, &way.restores)?,
        restores: way.restores.clone(),
        mends: way.mends.clone(),
        groups: way.groups.clone(),
        brought_back_goes: way.brought_back_goes.clone(),
        goes: way.goes.clone(),
        stays_beside: way.stays_beside.clone(),
        risk: way.risk,
    })
}

/// `--file` and `--checkpoint`: the person says which files and which moment. Without a moment it is, for each file, the one
/// before it first changed in the window, or before it was spoilt.
fn named(engine: &Engine, store: &Store<'_>, query: &Query, looked: &Looked) -> Result<Chosen> {
    let only = engine.paths(&query.files)?;
    let mut restores = Vec::new();
    if let Some(id) = &query.checkpoint {
        let target = store.resolve(id)?;
        let plan = store.plan(&target, &looked.working.view, &only)?;
        restores.extend(plan.changes.iter().map(|change| restore(change.path.to_string(), &target)));
    } else {
        let first = looked.report.ways.first().filter(|way| !way.restores.is_empty());
        if let Some(way) = first {
            restores.clone_from(&way.restores);
        } else {
            let mut seen = BTreeSet::new();
            for change in &looked.signals.changes {
                if !change.still.same && seen.insert(change.path.clone()) {
                    let look = &change.last_look;
                    restores.push(Restore {
                        path: change.path.clone(),
                        checkpoint: look.checkpoint.clone(),
                        seq: look.seq,
                        sign: Sign::Wanted,
                        repair: None,
                    });
                }
            }
        }
    }
    if restores.is_empty() {
        return Err(if looked.report.has_history {
            Error::NothingToRecover
        } else {
            Error::NoSafeCheckpoint
        });
    }
    let level = if only.is_empty() { 4 } else { 3 };
    Ok(Chosen {
        level,
        checkpoints: checkpoints(store, &restores)?,
        restores,
        mends: Vec::new(),
        groups: Vec::new(),
        brought_back_goes: Vec::new(),
        goes: Vec::new(),
        stays_beside: Vec::new(),
        risk: Risk::Medium,
    })
}

fn restore(path: String, target: &Checkpoint) -> Restore {
    Restore { path, checkpoint: target.id.to_string(), seq: target.seq, sign: Sign::Wanted, repair: None }
}

fn checkpoints(store: &Store<'_>, restores: &[Restore]) -> Result<Vec<Checkpoint>> {
    let numbers: BTreeSet<i64> = restores.iter().map(|restore| restore.seq).collect();
    let mut found = Vec::new();
    for number in numbers {
        found.extend(store.checkpoint(number)?);
    }
    Ok(found)
}

/// One plan from several checkpoints: each file from its own moment, with the folders it needs; files that are mended, and those that
/// come from git, with the content that no checkpoint has.
fn build(store: &Store<'_>, looked: &Looked, restores: &[Restore]) -> Result<(Plan, Vec<Vec<u8>>)> {
    let working = &looked.working;
    let mut by_moment: BTreeMap<i64, BTreeSet<&[u8]>> = BTreeMap::new();
    let mut contents = Vec::new();
    let mut direct: Vec<Difference> = Vec::new();
    for restore in restores {
        if let Some(repair) = &restore.repair {
            let mended = looked.mended.get(repair.number).ok_or(Error::NothingToRecover)?;
            store.hold(mended.content.clone());
            contents.push(mended.content.clone());
            direct.push(Difference {
                path: mended.path.clone(),
                before: mended.now,
                after: Some(mended.after),
            });
        } else if restore.seq < 0 {
            let passages = looked.passages.iter();
            let passage = passages
                .filter(|passage| passage.last_seen == restore.seq)
                .find(|passage| passage.path.as_bytes() == restore.path.as_bytes())
                .ok_or(Error::NothingToRecover)?;
            let now = store.entry_in(&working.view, passage.path.as_bytes())?;
            if let Some(before) = passage.before {
                contents.push(store.content(&before.hash)?);
            }
            direct.push(Difference { path: passage.path.clone(), before: now, after: passage.before });
        } else {
            by_moment.entry(restore.seq).or_default().insert(restore.path.as_bytes());
        }
    }
    let mut changes: BTreeMap<Vec<u8>, Difference> = BTreeMap::new();
    let mut target = String::new();
    for (seq, wanted) in by_moment {
        let Some(checkpoint) = store.checkpoint(seq)?.filter(|checkpoint| !checkpoint.expired) else {
            return Err(Error::NoSafeCheckpoint);
        };
        if target.is_empty() {
            target = checkpoint.id.to_string();
        }
        let plan = store.plan(&checkpoint, &working.view, &[])?;
        for change in with_folders(&plan.changes, &wanted) {
            changes.entry(change.path.as_bytes().to_vec()).or_insert_with(|| change.clone());
        }
    }
    for change in direct {
        changes.insert(change.path.as_bytes().to_vec(), change);
    }
    let mut changes: Vec<Difference> = changes.into_values().collect();
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((Plan { target, purpose: Purpose::Restore, changes }, contents))
}

/// The wanted files; folders that come back for them; and folders that would be left empty. `all` is in order of path.
fn with_folders<'c>(all: &'c [Difference], wanted: &BTreeSet<&[u8]>) -> Vec<&'c Difference> {
    let is_dir = |entry: Option<Entry>| entry.is_some_and(|entry| entry.kind == EntryKind::Dir);
    let is_wanted = |change: &Difference| wanted.contains(change.path.as_bytes());
    let within = |folder: &[u8]| {
        let begin = [folder, b"/"].concat();
        let first = all.partition_point(|change| change.path.as_bytes() < begin.as_slice());
        all[first..].iter().take_while(move |change| change.path.as_bytes().starts_with(&begin))
    };
    let holds_wanted = |folder: &[u8]| {
        let begin = [folder, b"/"].concat();
        wanted.range(begin.as_slice()..).next().is_some_and(|path| path.starts_with(&begin))
    };
    all.iter()
        .filter(|change| {
            if is_wanted(change) {
                return true;
            }
            let folder = change.path.as_bytes();
            let comes = change.before.is_none() && is_dir(change.after);
            let goes = is_dir(change.before) && change.after.is_none();
            if !(comes || goes) || !holds_wanted(folder) {
                return false;
            }
            // What would stay behind in a new folder is all among the changes, since the folder is new.
            comes || within(folder).all(|other| is_wanted(other) || is_dir(other.before))
        })
        .collect()
}
