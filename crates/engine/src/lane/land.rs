//! Landing: what was done in a lane comes to the project, in the trusted shape: [`preview`] shows, a person says yes, [`apply`] saves the
//! project and does it: one step, and one undo takes it back.

use std::collections::BTreeSet;

use ::change::landing::{self, Conflict, Landing, Side, Take, Taken, Three};
use ::change::{Confirmation, Shown, Yes};
use project::RelPath;
use serde::Serialize;
use store::{Account, Checkpoint, ContentHash, Entry, EntryKind, Plan, Progress, Purpose, Store, View};

use super::merge::keep_needed_folders;
use super::record::{Agreed, By, LaneStatus};
use super::states::Bases;
use super::{LandChecks, Lane, LaneError, Wanted, checks, find, intents};
use crate::audit::{Event, Outcome, Row};
use crate::diff::{self, Detail, DiffReport};
use crate::verification::VerifyQuery;
use crate::{Engine, Notice, Result, change, may, private_copy};

/// How to land.
#[derive(Debug, Clone, Default)]
pub struct LandOptions {
    /// What a person chose where both changed the same.
    pub take: Vec<(Take, String)>,
    /// Which checks are run on the result; none: none.
    pub checks: Option<VerifyQuery>,
    /// With the text of the changes.
    pub text: bool,
}

/// A conflict, and what was wanted on both sides.
#[derive(Debug, Clone, Serialize)]
pub struct LandConflict {
    /// The place.
    #[serde(flatten)]
    pub conflict: Conflict,
    /// What was wanted in the lane.
    pub in_lane: Vec<Wanted>,
    /// What was wanted in the project since the lane began.
    pub in_project: Vec<Wanted>,
}

/// What landing would do.
#[derive(Debug, Serialize)]
pub struct LandPreview {
    /// The lane.
    pub name: String,
    /// From the project as it is to what it would be.
    pub changes: DiffReport,
    /// Files that both changed and that were put together without a question.
    pub merged: Vec<String>,
    /// What both changed the same: nothing of these files lands unless it was chosen.
    pub conflicts: Vec<LandConflict>,
    /// How the checks stand on the result; none: they were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<LandChecks>,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
    #[serde(skip)]
    shown: Shown,
    #[serde(skip)]
    lane_seq: i64,
    #[serde(skip)]
    left: Vec<RelPath>,
}

/// What landing did.
#[derive(Debug, Serialize)]
pub struct Landed {
    /// The lane.
    pub name: String,
    /// The step in the project's history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Paths that were written or removed.
    pub paths: u64,
    /// Files of which nothing landed.
    pub left: Vec<String>,
    /// Files that could not be written, with the reason.
    pub kept: Vec<store::Kept>,
    /// The state before.
    pub safety: Checkpoint,
    /// How the yes was given.
    pub confirmed_via: Confirmation,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Both sides, looked at.
pub(super) struct Sides<'s> {
    root: std::path::PathBuf,
    lane_root: std::path::PathBuf,
    main: &'s Store<'s>,
    lane: &'s Store<'s>,
    /// The project as it is.
    now: View,
    threes: Vec<Three>,
}

impl<'s> Sides<'s> {
    /// Looks at both folders; what the lane has now need not be saved.
    pub(super) fn look(
        engine: &Engine,
        main: &'s Store<'s>,
        lane: &Lane,
        of_lane: &'s Store<'s>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let bases = Bases::of(lane, of_lane, main)?;
        let lane_now = of_lane.working_tree(progress)?.view;
        let now = main.working_tree(progress)?.view;
        let mut paths: BTreeSet<RelPath> = BTreeSet::new();
        for view in bases.lane_views(of_lane) {
            paths.extend(of_lane.compare(&view, &lane_now, &[])?.into_iter().map(|change| change.path));
        }
        let mut threes = Vec::with_capacity(paths.len());
        for path in paths {
            let (bytes, name) = (path.as_bytes(), path.clone());
            threes.push(Three {
                base: bases.entry(of_lane, main, &now, bytes)?,
                main: main.entry_in(&now, bytes)?,
                lane: of_lane.entry_in(&lane_now, bytes)?,
                moved_to: None,
                path: name,
            });
        }
        // An ignored file is no part of "now", but it may lie where a file has to go.
        let unknown: Vec<RelPath> =
            threes.iter().filter(|three| three.main.is_none()).map(|three| three.path.clone()).collect();
        let mut there = main.present(&unknown)?.into_iter();
        for three in threes.iter_mut().filter(|three| three.main.is_none()) {
            three.main = there.next().flatten();
        }
        let lane_root = lane.folder().to_path_buf();
        Ok(Self { root: engine.project().root().to_path_buf(), lane_root, main, lane: of_lane, now, threes })
    }

    /// What would land.
    pub(super) fn landing(&self, options: &LandOptions) -> Result<Landing> {
        let mut taken = Taken::new();
        for (take, name) in &options.take {
            let path = RelPath::new(name.as_bytes()).map_err(project::Error::from)?;
            if !self.threes.iter().any(|three| three.path == path) {
                return Err(LaneError::NotChanged(name.clone()).into());
            }
            taken.insert(path, *take);
        }
        let mut out = landing::land(&self.threes, &|side, path, entry| self.read(side, path, entry), &taken);
        keep_needed_folders(self.main, &self.now, &mut out.changes)?;
        Ok(out)
    }

    fn read(&self, side: Side, path: &RelPath, entry: &Entry) -> Option<Vec<u8>> {
        let saved = self.main.content(&entry.hash).ok().or_else(|| self.lane.content(&entry.hash).ok());
        saved.or_else(|| {
            let root = if side == Side::Lane { &self.lane_root } else { &self.root };
            let content = std::fs::read(path.to_path(root)).ok()?;
            (ContentHash::of(&content) == entry.hash).then_some(content)
        })
    }

    /// The contents that a plan writes and that the project's store does not have.
    fn contents(&self, landing: &Landing) -> Result<Vec<Vec<u8>>> {
        let mut out = landing.contents.clone();
        let mut known: BTreeSet<ContentHash> = out.iter().map(|content| ContentHash::of(content)).collect();
        for change in &landing.changes {
            let Some(entry) = change.after.filter(|entry| entry.kind != EntryKind::Dir) else { continue };
            if self.main.has_content(&entry.hash)? || !known.insert(entry.hash) {
                continue;
            }
            let content = self.read(Side::Lane, &change.path, &entry);
            // It was saved a moment ago; what cannot be read now is damaged, and says so.
            let content = content.map_or_else(|| self.lane.content(&entry.hash), Ok)?;
            out.push(content);
        }
        Ok(out)
    }

    /// The changes as a report.
    pub(super) fn describe(&self, engine: &Engine, landing: &Landing) -> Result<DiffReport> {
        self.hold(landing)?;
        diff::describe(engine, self.main, &landing.changes, "now", "landed", Detail::Counts)
    }

    fn hold(&self, landing: &Landing) -> Result<()> {
        for content in self.contents(landing)? {
            self.main.hold(content);
        }
        Ok(())
    }
}

/// Shows what landing a lane would do. Saves both sides, changes nothing.
pub fn preview(
    engine: &Engine,
    name: &str,
    options: &LandOptions,
    stop: &dyn Fn() -> bool,
    progress: &dyn Progress,
) -> Result<LandPreview> {
    let lane = find(engine, name)?;
    let of_lane = lane.engine(engine.context())?;
    let mut lane_opened = of_lane.store(progress)?;
    let lane_seq = private_copy::save_now(&mut lane_opened.store, "landing", progress)?.seq;
    let mut opened = engine.store(progress)?;
    if options.checks.is_some() {
        // Checks run on saved states.
        private_copy::save_now(&mut opened.store, "landing", progress)?;
    }
    let sides = Sides::look(engine, &opened.store, &lane, &lane_opened.store, progress)?;
    let landing = sides.landing(options)?;
    let left = landing.left();
    if landing.changes.is_empty() && left.is_empty() {
        return Err(LaneError::NothingToLand(name.to_owned()).into());
    }
    sides.hold(&landing)?;
    let detail = if options.text { Detail::Text } else { Detail::Counts };
    let changes = diff::describe(engine, &opened.store, &landing.changes, "now", "landed", detail)?;
    let first = lane_opened.store.oldest_whole()?.unwrap_or(0);
    let mut told = Vec::with_capacity(landing.conflicts.len());
    for conflict in &landing.conflicts {
        told.push(LandConflict {
            in_lane: intents::since(&lane_opened.store, &conflict.path, first)?,
            in_project: intents::since(&opened.store, &conflict.path, lane.record.from_seq)?,
            conflict: conflict.clone(),
        });
    }
    let contents = sides.contents(&landing)?;
    let plan = Plan { target: String::new(), purpose: Purpose::Patch, changes: landing.changes };
    let merged_view = sides
        .now
        .clone()
        .with(plan.changes.iter().map(|change| (change.path.as_bytes().to_vec(), change.after)));
    let now = sides.now.clone();
    let mut notices = opened.notices.clone();
    notices.extend(may::protected_notice(engine, &plan));
    std::mem::drop(sides);
    let checks = match &options.checks {
        Some(query) if !plan.is_empty() => {
            let lock = opened.store.lock_tree("landing")?;
            opened.store.save_contents(&lock, contents.iter().map(Vec::as_slice))?;
            std::mem::drop(lock);
            Some(checks::run(engine, &opened.store, (&merged_view, &now), query, stop)?)
        }
        _ => None,
    };
    let what = words_of(&lane_opened.store, name)?;
    let account = Account { what: Some(what), ..Account::of("land") };
    let shown = Shown {
        plan,
        account,
        contents,
        title: format!("before landing {name}"),
        name: "landing".to_owned(),
        all_or_nothing: true,
    };
    Ok(LandPreview {
        name: name.to_owned(),
        changes,
        merged: landing.merged.iter().map(ToString::to_string).collect(),
        conflicts: told,
        checks,
        now_ms: engine.context().now_ms(),
        notices,
        shown,
        lane_seq,
        left,
    })
}

/// What the project's history says about the landing: the lane, and what was asked for in it.
fn words_of(of_lane: &Store<'_>, name: &str) -> Result<String> {
    let mut asked: Vec<String> =
        of_lane.requests(None, 20)?.into_iter().filter_map(|request| request.prompt).collect();
    asked.reverse();
    Ok(match asked.first() {
        None => format!("landing {name}"),
        Some(first) if asked.len() == 1 => format!("landing {name}: {first}"),
        Some(first) => format!("landing {name}: {first} (and {} more requests)", asked.len() - 1),
    })
}

impl LandPreview {
    /// Files of which nothing would land.
    pub fn left(&self) -> &[RelPath] {
        &self.left
    }

    /// Nothing at all would land.
    pub fn is_empty(&self) -> bool {
        self.shown.plan.is_empty()
    }
}

/// Does what was shown, after a person's yes: one step in the project's history.
pub fn apply(
    engine: &Engine,
    preview: &LandPreview,
    confirmed_via: Confirmation,
    progress: &dyn Progress,
) -> Result<Landed> {
    let name = preview.name.as_str();
    if preview.is_empty() {
        let files = preview.left.len();
        return Err(LaneError::OnlyConflicts { name: name.to_owned(), files }.into());
    }
    let mut lane = find(engine, name)?;
    let yes = Yes::to(&preview.shown, confirmed_via);
    let row = Row::new(Event::PatchApply, "cli", Outcome::Failed);
    let changed = change::apply(engine, &preview.shown, &yes, Some(row), None, &mut |_| Ok(()), progress)?;
    let result = changed.carried.result;
    let now_ms = engine.context().now_ms();
    // The files have landed. If this cannot be written, the next landing asks again about what is the same by now.
    if let Some(step) = result.step {
        let except = preview.left.iter().map(ToString::to_string).collect();
        lane.record.agreed.push(Agreed {
            lane_seq: preview.lane_seq,
            by: By::Landing(step.0),
            before: Some(changed.carried.safety.seq),
            except,
        });
    }
    lane.record.landed_ms = Some(now_ms);
    lane.record.status = LaneStatus::Landed;
    lane.record.write(&lane.state)?;
    Ok(Landed {
        name: name.to_owned(),
        step: result.step.map(|step| step.to_string()),
        paths: (result.restored.len() + result.removed.len()) as u64,
        left: preview.left.iter().map(ToString::to_string).collect(),
        kept: result.kept,
        safety: changed.carried.safety,
        confirmed_via,
        notices: changed.notices,
    })
}
