//! The states that matter for a lane: what it began with, and what both sides agreed about last.

use project::{LaneOf, ProjectId};
use store::{Checkpoint, Entry, Store, View};

use super::record::{Agreed, By, LaneStatus, Record};
use super::{Lane, LaneError};
use crate::{Engine, Result};

/// Who made a work tree that vib did not make.
pub(super) const GIT: &str = "git";

/// The first state of a lane: the pinned one that it was filled with, of a work tree what vib saw of it first.
pub(crate) fn first(of_lane: &Engine, name: &str) -> Result<Checkpoint> {
    let opened = of_lane.store(&store::Silent)?;
    let first = opened.store.oldest_whole()?;
    let first = first.map(|seq| opened.store.checkpoint(seq)).transpose()?.flatten();
    first.ok_or_else(|| LaneError::BaseGone(name.to_owned()).into())
}

/// What is known of a work tree of git in which vib was at work: what it saw first is what it began with. None where nothing was seen.
pub(super) fn of_work_tree(engine: &Engine, id: &ProjectId, of: &LaneOf) -> Result<Option<Record>> {
    let context = engine.context();
    let Ok(project) = project::Project::of_id(context, id) else { return Ok(None) };
    let folder = project.root().to_path_buf();
    let is_one = project::git_mark(&folder) == Some(project::GitMark::WorkTree);
    let is_gone = folder.symlink_metadata().is_err();
    if !(is_one || is_gone) || !project.state().join("store.db").exists() {
        return Ok(None);
    }
    let at = if is_gone { project.state() } else { &folder };
    let context = context.beside(at).map_err(store::Error::from)?;
    let of_lane = Engine::with(context, project);
    let Ok(first) = first(&of_lane, &of.name) else { return Ok(None) };
    let (made, seq) = (first.created_ms, newest_before(engine, first.created_ms)?);
    let mut record = Record::new(&of.name, &folder, (first.id.as_str(), seq, "git"), made, GIT);
    record.status = LaneStatus::Open;
    Ok(Some(record))
}

/// The project's newest checkpoint at a time.
fn newest_before(engine: &Engine, time_ms: i64) -> Result<i64> {
    let opened = engine.store(&store::Silent)?;
    let filter = store::HistoryFilter::default();
    let all = opened.store.history(&filter)?;
    Ok(all.iter().filter(|one| one.created_ms <= time_ms).map(|one| one.seq).max().unwrap_or(0))
}

/// What the files of lane and project are held against.
pub(super) struct Bases {
    first: View,
    /// The last one first.
    agreed: Vec<(Agreed, View)>,
}

impl Bases {
    /// Leaves out landings that were taken back.
    pub(super) fn of(lane: &Lane, of_lane: &Store<'_>, of_main: &Store<'_>) -> Result<Self> {
        let first = of_lane.oldest_whole()?;
        let first = first.ok_or_else(|| LaneError::BaseGone(lane.name().to_owned()))?;
        let mut agreed = Vec::new();
        for one in lane.record.agreed.iter().rev() {
            let view = match one.by {
                By::Landing(step) => {
                    if of_main.is_taken_back(store::StepNumber(step))? {
                        continue;
                    }
                    of_lane.recorded_state_at(one.lane_seq)
                }
                By::Merge(seq) => of_main.recorded_state_at(seq),
            };
            agreed.push((one.clone(), view));
        }
        Ok(Self { first: of_lane.recorded_state_at(first), agreed })
    }

    /// The lane's states since which it may have changed something: whatever differs from one of them is looked at.
    pub(super) fn lane_views(&self, of_lane: &Store<'_>) -> Vec<View> {
        let agreed = self.agreed.iter().map(|(one, _)| of_lane.recorded_state_at(one.lane_seq));
        std::iter::once(self.first.clone()).chain(agreed).collect()
    }

    /// What a path was when both sides last agreed about it. `now` is the project as it is: a file that is as it was before a landing was
    /// taken back, whatever the history says about the steps in between.
    pub(super) fn entry(
        &self,
        of_lane: &Store<'_>,
        of_main: &Store<'_>,
        now: &View,
        path: &[u8],
    ) -> Result<Option<Entry>> {
        let name = String::from_utf8_lossy(path);
        for (one, view) in &self.agreed {
            if one.except.iter().any(|left| *left == name) {
                continue;
            }
            let entry = match one.by {
                By::Merge(_) => of_main.entry_in(view, path)?,
                By::Landing(_) => of_lane.entry_in(view, path)?,
            };
            let kept = one.before.filter(|seq| {
                of_main
                    .checkpoint(*seq)
                    .is_ok_and(|known| known.is_some_and(|checkpoint| !checkpoint.expired))
            });
            if let Some(before) = kept {
                let (was, is) = (
                    of_main.entry_in(&of_main.recorded_state_at(before), path)?,
                    of_main.entry_in(now, path)?,
                );
                if is == was && is != entry {
                    continue;
                }
            }
            return Ok(entry);
        }
        of_lane.entry_in(&self.first, path).map_err(Into::into)
    }
}
