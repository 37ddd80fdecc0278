//! The lanes of a project: what each did, how it stands beside the project, who is at work in it.

use serde::Serialize;
use store::Progress;

use super::land::{LandOptions, Sides};
use super::record::LaneStatus;
use super::{Lane, all, drop, make};
use crate::{Engine, Result, at_work};

/// One lane.
#[derive(Debug, Serialize)]
pub struct LaneLine {
    /// Its name.
    pub name: String,
    /// How it stands.
    pub status: LaneStatus,
    /// Where its files are.
    pub folder: String,
    /// The folder is not there: `vib lane open` brings it back.
    pub gone: bool,
    /// When it was made, milliseconds since 1970.
    pub made_ms: i64,
    /// Who made it: `person`, a client, or `git` for a work tree.
    pub made_by: String,
    /// The state that it began with, as it was typed.
    pub from: String,
    /// Files that landing it would change; none where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Lines that are new.
    pub added: u64,
    /// Lines that are gone.
    pub removed: u64,
    /// Files that were changed in the project, too, and cannot simply land.
    pub conflicts: u64,
    /// Agents that worked in it lately.
    pub agents: Vec<String>,
    /// Programs that are at work in its folder.
    pub programs: Vec<String>,
}

/// All of them.
#[derive(Debug, Serialize)]
pub struct LaneList {
    /// In order of age, the newest first.
    pub lanes: Vec<LaneLine>,
    /// Dropped ones that are not among them.
    pub dropped: usize,
    /// Where new ones are made.
    pub folder: String,
    /// Time of the report.
    pub now_ms: i64,
}

/// Looks at every lane. `dropped`: also at those that were put away.
pub fn list(engine: &Engine, dropped: bool, progress: &dyn Progress) -> Result<LaneList> {
    let mut lanes = {
        let _all = make::lock_all(engine)?;
        let mut lanes = all(engine)?;
        make::clean_up(&mut lanes);
        lanes
    };
    lanes.retain(|lane| lane.record.status != LaneStatus::Making);
    let left_out = lanes.iter().filter(|lane| lane.record.status == LaneStatus::Dropped && !dropped).count();
    lanes.retain(|lane| dropped || lane.record.status != LaneStatus::Dropped);
    lanes.sort_by_key(|lane| std::cmp::Reverse(lane.record.made_ms));
    let mut lines = Vec::with_capacity(lanes.len());
    for lane in &lanes {
        lines.push(line(engine, lane, progress)?);
    }
    let folder = super::place::of_project(engine)?.display().to_string();
    Ok(LaneList { lanes: lines, dropped: left_out, folder, now_ms: engine.context().now_ms() })
}

fn line(engine: &Engine, lane: &Lane, progress: &dyn Progress) -> Result<LaneLine> {
    let record = &lane.record;
    let gone = !lane.is_there();
    let mut out = LaneLine {
        name: record.name.clone(),
        status: record.status,
        folder: lane.folder().display().to_string(),
        gone,
        made_ms: record.made_ms,
        made_by: record.made_by.clone(),
        from: record.from_words.clone(),
        files: None,
        added: 0,
        removed: 0,
        conflicts: 0,
        agents: Vec::new(),
        programs: Vec::new(),
    };
    if gone || record.status == LaneStatus::Dropped {
        return Ok(out);
    }
    let of_lane = lane.engine(engine.context())?;
    let opened = of_lane.store(progress)?;
    let now_ms = engine.context().now_ms();
    let names = at_work::at_work(&opened.store, now_ms)?.into_iter();
    out.agents = names.map(|one| one.client.unwrap_or_else(|| "agent".to_owned())).collect();
    out.agents.dedup();
    out.programs = drop::at_work(lane);
    // A lane that cannot be compared is listed all the same.
    let main = engine.store(progress)?;
    if let Ok(sides) = Sides::look(engine, &main.store, lane, &opened.store, progress)
        && let Ok(landing) = sides.landing(&LandOptions::default())
    {
        out.conflicts = landing.left().len() as u64;
        let changes = sides.describe(engine, &landing)?;
        out.files = Some(changes.files.len() as u64 + out.conflicts);
        (out.added, out.removed) = (changes.added, changes.removed);
    }
    Ok(out)
}
