//! Where is the lane? And if its folder is gone, or it was dropped: back with it, as it was last.

use serde::Serialize;
use store::Progress;

use project::Project;

use super::record::LaneStatus;
use super::{Lane, all, find, make, place};
use crate::{Engine, Notice, Result, private_copy};

/// A lane that can be worked in.
#[derive(Debug, Serialize)]
pub struct Opened {
    /// Its name.
    pub name: String,
    /// Where its files are.
    pub folder: String,
    /// It was dropped, or its folder was gone: so many files, links and folders came back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brought_back: Option<u64>,
    /// It was a work tree of git, and is now a folder that git knows nothing of.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_git: bool,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Says where a lane is, and brings it back if it is not there.
pub fn open(engine: &Engine, name: &str, progress: &dyn Progress) -> Result<Opened> {
    let mut lane = find(engine, name)?;
    let folder = |lane: &Lane| lane.folder().display().to_string();
    let is_open = lane.record.status != LaneStatus::Dropped;
    if is_open && lane.is_there() {
        return Ok(Opened {
            name: name.to_owned(),
            folder: folder(&lane),
            brought_back: None,
            without_git: false,
            notices: Vec::new(),
        });
    }
    let _lock = make::lock_one(&lane.state)?;
    let (count, notices) = if lane.is_there() {
        // Dropped, and its folder is still as it was.
        (0, Vec::new())
    } else {
        back_from_store(engine, &mut lane, progress)?
    };
    let without_git = lane.is_gits;
    lane.record.status = LaneStatus::Open;
    lane.record.dropped_ms = None;
    lane.record.write(&lane.state)?;
    Ok(Opened {
        name: name.to_owned(),
        folder: folder(&lane),
        brought_back: Some(count),
        without_git,
        notices,
    })
}

fn back_from_store(engine: &Engine, lane: &mut Lane, progress: &dyn Progress) -> Result<(u64, Vec<Notice>)> {
    let of_lane = lane.engine_of_store(engine.context())?;
    let opened = of_lane.store(progress)?;
    let target = {
        let _all = make::lock_all(engine)?;
        // Its own place, unless another lane has it by now.
        let lanes = all(engine)?;
        let own = !lane.record.folder_given_up && lane.folder().symlink_metadata().is_err();
        let target = if own { lane.folder().to_path_buf() } else { place::free(engine, &lanes)? };
        lane.record.folder.clone_from(&target);
        lane.record.folder_given_up = false;
        // From here on nobody else takes it.
        lane.record.write(&lane.state)?;
        target
    };
    let view = opened.store.recorded_state()?;
    // Written beside its place and renamed: whoever dies on the way leaves no half of it that looks whole.
    let beside = target.with_extension("coming");
    store::remove_folder(&beside)?;
    if let Some(above) = beside.parent() {
        fs_err::create_dir_all(above).map_err(store::Error::from)?;
    }
    let copy = opened.store.materialise(&view, &beside, progress)?;
    let count = copy.len() as u64;
    std::mem::drop(copy);
    fs_err::rename(&beside, &target).map_err(store::Error::from)?;
    let project = Project::begin_lane(engine.context(), &target, &lane.id)?;
    make::settings_along(engine.project(), &project);
    let carried = private_copy::carry_into_lane(engine, &engine.store(progress)?.store, &target)?;
    lane.record.carried = carried.carried;
    Ok((count, opened.notices))
}
