//! Lanes as a run uses them: its trunk, and one for each attempt.

use engine::diff::{DiffOptions, diff};
use engine::lane::{self, LaneError, NewLane};
use engine::run::model::FileChange;
use engine::{Engine, checkpoint};
use store::{CheckpointKind, SnapshotRequest};

use crate::Result;

/// The lane of this name, as a project of its own; made from this state of the project where it is not there yet.
pub fn open_or_make(engine: &Engine, name: &str, from: &str) -> Result<Engine> {
    match lane::open(engine, name, &store::Silent) {
        // Put away, or its folder was gone: it is back as it was.
        Ok(_) => {}
        Err(engine::Error::Lane(LaneError::Unknown(_))) => {
            let wish = NewLane {
                name: Some(name.to_owned()),
                from: Some(from.to_owned()),
                made_by: Some("vib run".to_owned()),
            };
            lane::make(engine, &wish, &store::Silent)?;
        }
        Err(error) => return Err(error.into()),
    }
    Ok(lane::engine_of(engine, name)?)
}

/// Saves what is there now. The id of the checkpoint comes back, and the hash of all files.
pub fn save(of: &Engine, why: &str) -> Result<(String, String)> {
    let mut request = SnapshotRequest::new(CheckpointKind::Turn);
    request.by_agent = true;
    request.origin.trigger = Some(why.to_owned());
    let saved = checkpoint::create(of, &request, &[], &store::Silent)?;
    let opened = of.store(&store::Silent)?;
    let state = opened.store.recorded_state_at(saved.saved.checkpoint.seq);
    let tree = opened.store.tree_hash(&state)?.to_hex();
    Ok((saved.saved.checkpoint.id.to_string(), tree))
}

/// What is different between two saved states: in files, and as text.
pub fn between(of: &Engine, before: &str, after: &str) -> Result<(Vec<FileChange>, String)> {
    if before == after {
        return Ok((Vec::new(), String::new()));
    }
    let options =
        DiffOptions { from: Some(before.to_owned()), to: Some(after.to_owned()), ..DiffOptions::default() };
    let report = diff(of, &options, &store::Silent)?;
    let mut text = String::new();
    let mut files = Vec::new();
    for file in &report.files {
        files.push(FileChange {
            path: file.path.to_string(),
            added: file.added.unwrap_or(0),
            removed: file.removed.unwrap_or(0),
        });
        text.push_str(&String::from_utf8_lossy(&file.patch()));
    }
    Ok((files, text))
}

/// The newest state that vib saved before it changed something.
pub fn newest_safety(of: &Engine) -> Result<String> {
    let opened = of.store(&store::Silent)?;
    let filter = store::HistoryFilter { with_safety: true, limit: 50, before: None };
    let all = opened.store.history(&filter)?;
    let safety = all.iter().find(|one| one.kind == CheckpointKind::Safety).or_else(|| all.first());
    Ok(safety.map(|one| one.id.to_string()).unwrap_or_default())
}
