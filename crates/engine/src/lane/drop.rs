//! Putting a lane away. Its last state is saved first, and its history stays: [`super::open`] brings it back. A few folders are kept, so that
//! the next lane begins where this one ended and writes only what is different.

use project::platform;
use serde::Serialize;
use store::Progress;

use super::record::LaneStatus;
use super::{Lane, LaneError, all, find, make};
use crate::{Engine, Notice, Result, private_copy};

/// Programs that are named.
const NAMED: usize = 5;

/// A lane that was put away.
#[derive(Debug, Serialize)]
pub struct Dropped {
    /// Its name.
    pub name: String,
    /// The checkpoint of its last state, in its own history.
    pub saved: Option<String>,
    /// Its folder is kept for the next lane.
    pub kept_warm: bool,
    /// What it did never landed, as far as is known.
    pub not_landed: bool,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Saves the last state of a lane and puts it away.
pub fn drop(engine: &Engine, name: &str, force: bool, progress: &dyn Progress) -> Result<Dropped> {
    let mut lane = find(engine, name)?;
    if lane.record.status == LaneStatus::Dropped {
        return Err(LaneError::Dropped(name.to_owned()).into());
    }
    if lane.is_gits {
        return Err(LaneError::GitsOwn(name.to_owned()).into());
    }
    let _lock = make::lock_one(&lane.state)?;
    let programs = at_work(&lane);
    if !programs.is_empty() && !force {
        return Err(LaneError::AtWork { name: name.to_owned(), programs: programs.join(", ") }.into());
    }
    let not_landed = lane.record.landed_ms.is_none();
    let (mut saved, mut notices) = (None, Vec::new());
    if lane.is_there() {
        let of_lane = lane.engine(engine.context())?;
        let mut opened = of_lane.store(progress)?;
        saved = Some(private_copy::save_now(&mut opened.store, "lane drop", progress)?.id.to_string());
        notices = opened.notices;
    }
    lane.record.status = LaneStatus::Dropped;
    lane.record.dropped_ms = Some(engine.context().now_ms());
    lane.record.write(&lane.state)?;
    let kept_warm = settle_folders(engine, name)?;
    Ok(Dropped { name: name.to_owned(), saved, kept_warm, not_landed, notices })
}

/// Keeps as many folders of dropped lanes as the settings say, the newest ones. True if that of `name` is among them.
fn settle_folders(engine: &Engine, name: &str) -> Result<bool> {
    let _all = make::lock_all(engine)?;
    let most = usize::try_from(engine.project().config().number("lane.warm")).unwrap_or(usize::MAX);
    let mut lanes = all(engine)?;
    lanes.retain(|lane| lane.record.status == LaneStatus::Dropped && lane.is_there() && !lane.is_gits);
    lanes.sort_by_key(|lane| std::cmp::Reverse(lane.record.dropped_ms));
    let mut kept = false;
    for (at, lane) in lanes.iter_mut().enumerate() {
        if at < most {
            kept |= lane.name() == name;
            continue;
        }
        // Written first: whoever dies here leaves a folder that no lane claims.
        lane.record.folder_given_up = true;
        lane.record.write(&lane.state)?;
        store::remove_folder(lane.folder())?;
    }
    Ok(kept)
}

/// The dropped lane whose folder the next one gets: the newest in which nobody is at work. What is in the folder now is saved in that lane's
/// own store first, in case somebody worked there after it was put away.
pub(super) fn warmest(engine: &Engine, lanes: &[Lane], progress: &dyn Progress) -> Option<usize> {
    let mut candidates: Vec<usize> = (0..lanes.len())
        .filter(|at| {
            let lane = &lanes[*at];
            lane.record.status == LaneStatus::Dropped && lane.is_there() && !lane.is_gits
        })
        .collect();
    candidates.sort_by_key(|at| std::cmp::Reverse(lanes[*at].record.dropped_ms));
    candidates.into_iter().find(|at| {
        let lane = &lanes[*at];
        let saved = || -> Result<()> {
            let of_lane = lane.engine_of_store(engine.context())?;
            let mut opened = of_lane.store(progress)?;
            private_copy::save_now(&mut opened.store, "lane", progress)?;
            Ok(())
        };
        at_work(lane).is_empty() && saved().is_ok()
    })
}

/// Programs whose current folder is in the lane.
pub(super) fn at_work(lane: &Lane) -> Vec<String> {
    let name = |pid: u32| platform::process(pid).map_or_else(|| pid.to_string(), |process| process.name);
    let mut names: Vec<String> = platform::working_in(lane.folder()).into_iter().map(name).collect();
    names.sort();
    names.dedup();
    names.truncate(NAMED);
    names
}
