//! The project's changes come into the lane, so that a conflict is settled there and not in the project. Where both changed the same lines,
//! both are put into the lane's file with marks around them; marks are never written anywhere else. It is a change like any other: the lane is
//! saved first, and `vib undo` in the lane takes it back.

use std::collections::BTreeMap;

use ::change::landing::{self, Side, Taken, Three, Why};
use ::change::{Confirmation, Shown, Yes};
use project::RelPath;
use serde::Serialize;
use store::{Account, ContentHash, Difference, Entry, EntryKind, Plan, Progress, Purpose, Store, View};

use super::record::{Agreed, By};
use super::states::Bases;
use super::{LaneError, find, make};
use crate::audit::{Event, Outcome, Row};
use crate::{Engine, Notice, Result, change, private_copy};

/// What came into the lane.
#[derive(Debug, Serialize)]
pub struct Merged {
    /// The lane.
    pub name: String,
    /// Where its files are.
    pub folder: String,
    /// Paths that were brought in as they are, or went.
    pub taken: Vec<String>,
    /// Files that both changed and that were put together.
    pub merged: Vec<String>,
    /// Files with marks in them: somebody has to settle what is between.
    pub marked: Vec<String>,
    /// Files that cannot be marked (no text, gone on one side): the lane's stays as it is.
    pub left: Vec<String>,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Brings the project's changes since the lane began, or since they were brought in last, into the lane.
pub fn merge(engine: &Engine, name: &str, via: Confirmation, progress: &dyn Progress) -> Result<Merged> {
    let mut lane = find(engine, name)?;
    let _lock = make::lock_one(&lane.state)?;
    let of_lane = lane.engine(engine.context())?;
    let mut main = engine.store(progress)?;
    let main_now = private_copy::save_now(&mut main.store, "lane merge", progress)?;
    let mut own = of_lane.store(progress)?;
    private_copy::save_now(&mut own.store, "lane merge", progress)?;
    let mut coming = Coming::of(&lane, &main.store, main_now.seq, &own.store)?;
    let folder = lane.folder().display().to_string();
    let mut out = Merged {
        name: name.to_owned(),
        folder,
        taken: std::mem::take(&mut coming.taken),
        merged: std::mem::take(&mut coming.merged),
        marked: std::mem::take(&mut coming.marked),
        left: coming.left.iter().map(ToString::to_string).collect(),
        notices: own.notices,
    };
    if !coming.changes.is_empty() {
        let plan = Plan { target: String::new(), purpose: Purpose::Patch, changes: coming.changes };
        let what = "bringing in what was done in the project".to_owned();
        let shown = Shown {
            plan,
            account: Account { what: Some(what), ..Account::of("merge") },
            contents: coming.contents,
            title: "before bringing in the project's changes".to_owned(),
            name: "merging".to_owned(),
            all_or_nothing: true,
        };
        let yes = Yes::to(&shown, via);
        let row = Row::new(Event::PatchApply, "cli", Outcome::Failed);
        let done = change::apply(&of_lane, &shown, &yes, Some(row), None, &mut |_| Ok(()), progress)?;
        out.notices.extend(done.notices);
    }
    // What both sides are held against from now on has to stay.
    main.store.set_pinned(&main_now, true)?;
    let after = of_lane.store(progress)?.store.nearest_kept(i64::MAX, false)?;
    let lane_seq = after.ok_or_else(|| LaneError::BaseGone(name.to_owned()))?;
    lane.record.agreed.push(Agreed {
        lane_seq,
        by: By::Merge(main_now.seq),
        before: None,
        except: out.left.clone(),
    });
    lane.record.write(&lane.state)?;
    Ok(out)
}

/// What would come into the lane.
#[derive(Default)]
struct Coming {
    changes: Vec<Difference>,
    contents: Vec<Vec<u8>>,
    taken: Vec<String>,
    merged: Vec<String>,
    marked: Vec<String>,
    left: Vec<RelPath>,
}

impl Coming {
    fn of(lane: &super::Lane, main: &Store<'_>, main_seq: i64, own: &Store<'_>) -> Result<Self> {
        let bases = Bases::of(lane, own, main)?;
        let now = main.recorded_state_at(main_seq);
        let lane_now: View = own.recorded_state()?;
        let since = main.recorded_state_at(lane.record.from_seq);
        let mut threes = Vec::new();
        for change in main.compare(&since, &now, &[])? {
            let bytes = change.path.as_bytes();
            // The lane is what stays, the project what comes.
            threes.push(Three {
                base: bases.entry(own, main, &now, bytes)?,
                main: own.entry_in(&lane_now, bytes)?,
                lane: main.entry_in(&now, bytes)?,
                moved_to: None,
                path: change.path.clone(),
            });
        }
        let content =
            |entry: &Entry| own.content(&entry.hash).ok().or_else(|| main.content(&entry.hash).ok());
        let read = |_: Side, _: &RelPath, entry: &Entry| content(entry);
        let landing = landing::land(&threes, &read, &Taken::new());
        let mut out =
            Self { merged: landing.merged.iter().map(ToString::to_string).collect(), ..Self::default() };
        let by_path: BTreeMap<&RelPath, &Three> = threes.iter().map(|three| (&three.path, three)).collect();
        for path in landing.left() {
            let by_lines = landing
                .conflicts
                .iter()
                .filter(|conflict| conflict.path == path)
                .all(|conflict| matches!(conflict.why, Why::Lines { .. }));
            let sides = by_path.get(&path).filter(|_| by_lines).and_then(|three| {
                let [base, lane, project] = [three.base?, three.main?, three.lane?];
                Some((lane, [content(&base)?, content(&lane)?, content(&project)?]))
            });
            let Some((entry, [base, lane, project])) = sides else {
                out.left.push(path);
                continue;
            };
            let text = ::change::merge::merge(&base, &lane, &project).marked("lane", "project");
            let after = Entry { size: text.len() as u64, hash: ContentHash::of(&text), ..entry };
            out.changes.push(Difference { path: path.clone(), before: Some(entry), after: Some(after) });
            out.contents.push(text);
            out.marked.push(path.to_string());
        }
        out.contents.extend(landing.contents);
        for change in landing.changes {
            if let Some(entry) = change.after.filter(|entry| entry.kind != EntryKind::Dir)
                && !own.has_content(&entry.hash)?
                && let Ok(content) = main.content(&entry.hash)
            {
                out.contents.push(content);
            }
            let name = change.path.to_string();
            let is_folder = change.before.or(change.after).is_some_and(|entry| entry.kind == EntryKind::Dir);
            if !is_folder && !out.merged.contains(&name) {
                out.taken.push(name);
            }
            out.changes.push(change);
        }
        keep_needed_folders(own, &lane_now, &mut out.changes)?;
        out.changes.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(out)
    }
}

/// A folder that would go, but in which something stays, stays.
pub(crate) fn keep_needed_folders(
    store: &Store<'_>,
    now: &View,
    changes: &mut Vec<Difference>,
) -> Result<()> {
    let is_dir = |entry: Option<Entry>| entry.is_some_and(|entry| entry.kind == EntryKind::Dir);
    let going: std::collections::BTreeSet<RelPath> =
        changes.iter().filter(|change| change.after.is_none()).map(|change| change.path.clone()).collect();
    let mut needed = Vec::new();
    for change in changes.iter().filter(|change| change.after.is_none() && is_dir(change.before)) {
        let inside = store.paths_in(now, &change.path)?;
        if inside.iter().any(|path| !going.contains(path)) {
            needed.push(change.path.clone());
        }
    }
    changes.retain(|change| !needed.contains(&change.path));
    Ok(())
}
