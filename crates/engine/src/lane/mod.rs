//! Lanes: workspaces made from any saved state, each with a history of its own, in which agents work beside each other; and how what they did
//! comes back. One page: `docs/lanes.md`.
//!
//! A lane is a project like any other for whoever works in it: hooks, history, undo and checks are the lane's own ([`store::Store::begin_lane`]
//! says why). What is known about the project as a whole is shared ([`project::Project::shared_state`]). The project's folder and its git are
//! never touched but by [`apply`], after a person's yes.
//!
//! Start reading at [`Lane`], then [`make`], then [`preview`].

mod bring_back;
mod checks;
mod drop;
mod error;
pub(crate) mod intents;
mod land;
mod list;
mod make;
pub(crate) mod merge;
mod place;
pub(crate) mod record;
pub(crate) mod states;

use std::path::PathBuf;

use project::{Context, Project, ProjectId, lanes_of, state_of};

pub use bring_back::{Opened, open};
pub use checks::LandChecks;
pub(crate) use checks::run as land_checks;
pub use drop::{Dropped, drop};
pub use error::LaneError;
pub use intents::Wanted;
pub use land::{LandConflict, LandOptions, LandPreview, Landed, apply, preview};
pub use list::{LaneLine, LaneList, list};
pub use make::{Made, NewLane, make};
pub use merge::{Merged, merge};
pub use record::{LaneStatus, Record};

use crate::diff::{self, DiffOptions, DiffReport};
use crate::{Engine, Result};

/// A lane of a project.
#[derive(Debug)]
pub struct Lane {
    /// Its own id.
    pub(crate) id: ProjectId,
    /// What is written down about it.
    pub(crate) record: Record,
    /// Where that is.
    pub(crate) state: PathBuf,
    /// A work tree that git made.
    pub(crate) is_gits: bool,
}

impl Lane {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.record.name
    }

    /// Where its files are.
    pub fn folder(&self) -> &std::path::Path {
        &self.record.folder
    }

    /// The lane as a project of its own; its folder has to be there.
    pub(crate) fn engine(&self, context: &Context) -> Result<Engine> {
        if self.record.status == LaneStatus::Dropped {
            return Err(LaneError::Dropped(self.name().to_owned()).into());
        }
        if !self.is_there() {
            return Err(LaneError::FolderGone(self.name().to_owned()).into());
        }
        self.engine_of_store(context)
    }

    /// The same for whoever needs its store only.
    pub(crate) fn engine_of_store(&self, context: &Context) -> Result<Engine> {
        let at = Some(self.folder()).filter(|folder| folder.is_dir()).unwrap_or(&self.state);
        let context = context.beside(at).map_err(store::Error::from)?;
        let project = Project::of_id(&context, &self.id)?;
        Ok(Engine::with(context, project))
    }

    fn is_there(&self) -> bool {
        !self.record.folder_given_up && self.folder().is_dir()
    }
}

/// The project that this is about: that of the lane, for whoever stands in one.
pub fn main_engine(engine: Engine) -> Result<Engine> {
    Ok(main_of(&engine)?.unwrap_or(engine))
}

/// The project of a lane; none: it is none.
pub(crate) fn main_of(engine: &Engine) -> Result<Option<Engine>> {
    let Some(lane) = engine.project().lane_of() else { return Ok(None) };
    let at = Some(lane.root.as_path()).filter(|root| root.is_dir()).unwrap_or(&lane.state);
    let context = engine.context().beside(at).map_err(store::Error::from)?;
    let project = Project::of_id(&context, &lane.project)?;
    Ok(Some(Engine::with(context, project)))
}

/// The lane that somebody stands in.
pub fn here(engine: &Engine) -> Option<String> {
    engine.project().lane_of().map(|lane| lane.name.clone())
}

/// Every lane of the project, in order of name.
pub(crate) fn all(engine: &Engine) -> Result<Vec<Lane>> {
    let context = engine.context();
    let mut out = Vec::new();
    for (id, of) in lanes_of(context, engine.project().id())? {
        let state = state_of(context, &id)?;
        let record = match Record::read(&state, &of.name)? {
            Some(record) => record,
            None => match states::of_work_tree(engine, &id, &of)? {
                Some(record) => record,
                None => continue,
            },
        };
        let is_gits = record.made_by == states::GIT;
        out.push(Lane { id, record, state, is_gits });
    }
    Ok(out)
}

/// The lane of this name.
pub(crate) fn find(engine: &Engine, name: &str) -> Result<Lane> {
    let found = all(engine)?.into_iter().find(|lane| lane.name() == name);
    let found = found.filter(|lane| lane.record.status != LaneStatus::Making);
    found.ok_or_else(|| LaneError::Unknown(name.to_owned()).into())
}

/// The lane of this name as a project of its own, for whoever wants to look at its history.
pub fn engine_of(engine: &Engine, name: &str) -> Result<Engine> {
    find(engine, name)?.engine_of_store(engine.context())
}

/// Writes down that everything of a lane up to one of its states has come to the project, with one step of it.
pub(crate) fn note_landed(
    engine: &Engine,
    name: &str,
    (lane_seq, step, before): (i64, store::StepNumber, i64),
) -> Result<()> {
    let mut lane = find(engine, name)?;
    let by = record::By::Landing(step.0);
    lane.record.agreed.push(record::Agreed { lane_seq, by, before: Some(before), except: Vec::new() });
    lane.record.landed_ms = Some(engine.context().now_ms());
    if lane.record.status == LaneStatus::Open {
        lane.record.status = LaneStatus::Landed;
    }
    lane.record.write(&lane.state)
}

/// What a lane did since it began, in git's format.
pub fn diff(
    engine: &Engine,
    name: &str,
    options: DiffOptions,
    progress: &dyn store::Progress,
) -> Result<DiffReport> {
    let lane = find(engine, name)?;
    let of_lane = lane.engine_of_store(engine.context())?;
    let first = states::first(&of_lane, name)?;
    let mut options = DiffOptions { from: Some(first.id.to_string()), ..options };
    if !lane.is_there() {
        // What it was last is what is saved.
        let opened = of_lane.store(progress)?;
        let newest = opened.store.nearest_kept(i64::MAX, false)?;
        let newest = newest.map(|seq| opened.store.checkpoint(seq)).transpose()?.flatten();
        options.to = newest.map(|checkpoint| checkpoint.id.to_string());
    }
    diff::diff(&of_lane, &options, progress)
}
