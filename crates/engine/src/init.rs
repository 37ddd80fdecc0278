//! `vib init`: give the project an id, a place for its checkpoints, and a first checkpoint.

use project::{Context, Project, ProjectId};
use store::{CheckpointKind, HistoryFilter, Progress, SnapshotRequest};

use crate::checkpoint::{self, CheckpointReport};
use crate::{Engine, Error, Result};

/// How the root is chosen.
#[derive(Debug, Clone, Default)]
pub struct InitOptions {
    /// Make the current folder the root, whatever lies above it.
    pub here: bool,
    /// Join this folder to the stored checkpoints of this project.
    pub adopt: Option<String>,
}

/// What init did.
#[derive(Debug, serde::Serialize)]
pub struct InitReport {
    /// The root.
    pub root: String,
    /// The id.
    pub id: String,
    /// Where checkpoints are kept.
    pub store: String,
    /// The project was known before.
    pub known_before: bool,
    /// The first checkpoint, if one was made now.
    pub checkpoint: Option<CheckpointReport>,
}

/// A project with a place for its checkpoints, and nothing saved yet.
#[derive(Debug)]
pub struct Prepared {
    engine: Engine,
    known_before: bool,
}

/// Prepares a project. Does nothing that was done before.
///
/// The first checkpoint comes apart ([`Prepared::first_checkpoint`]), so that what is installed in between is in it: a state
/// that one can go back to must not be one without vib's own entries.
pub fn prepare(context: Context, options: &InitOptions, progress: &dyn Progress) -> Result<Prepared> {
    let project = match &options.adopt {
        Some(id) => {
            let id = ProjectId::parse(id.trim())
                .ok_or_else(|| Error::from(project::Error::UnknownProject { id: id.clone() }))?;
            Project::adopt(&context, &id)?
        }
        None if options.here => Project::open_here(&context)?,
        None => Project::open(&context)?,
    };
    let engine = Engine::with(context, project);
    let known_before = {
        let opened = engine.store(progress)?;
        !opened.store.history(&HistoryFilter { limit: 1, ..HistoryFilter::default() })?.is_empty()
    };
    Ok(Prepared { engine, known_before })
}

impl Prepared {
    /// The project.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Saves the first checkpoint, unless there are some.
    pub fn first_checkpoint(&self, progress: &dyn Progress) -> Result<InitReport> {
        let checkpoint = if self.known_before {
            None
        } else {
            let mut request = SnapshotRequest::new(CheckpointKind::Manual);
            request.message = Some("first checkpoint".to_owned());
            request.origin.trigger = Some("init".to_owned());
            Some(checkpoint::create(&self.engine, &request, &[], progress)?)
        };
        let project = self.engine.project();
        Ok(InitReport {
            root: project.root().display().to_string(),
            id: project.id().to_string(),
            store: project.state().display().to_string(),
            known_before: self.known_before,
            checkpoint,
        })
    }
}
