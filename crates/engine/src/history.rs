//! Checkpoints, grouped under the prompts that led to them: the states one can go to. What *happened* is told by [`crate::story`].

use store::{Checkpoint, HistoryFilter, Progress, Store};

use crate::{Engine, Notice, Result};

/// A checkpoint and how to name it.
#[derive(Debug, serde::Serialize)]
pub struct HistoryItem {
    /// The checkpoint.
    #[serde(flatten)]
    pub checkpoint: Checkpoint,
    /// Enough letters of its id.
    pub short_id: String,
    /// The files it saved by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// The checkpoints of one turn, or a single one that belongs to none. Newest first.
#[derive(Debug, serde::Serialize)]
pub struct HistoryGroup {
    /// The agent's session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// What the person asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The checkpoints.
    pub checkpoints: Vec<HistoryItem>,
}

/// The newest checkpoints.
#[derive(Debug, serde::Serialize)]
pub struct CheckpointsReport {
    /// Groups in order.
    pub groups: Vec<HistoryGroup>,
    /// There are older ones.
    pub more: bool,
    /// Time of the report, for "5 minutes ago".
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Lists the newest `limit` checkpoints (0: all), with safety ones if asked.
pub fn checkpoints(
    engine: &Engine,
    all: bool,
    limit: usize,
    progress: &dyn Progress,
) -> Result<CheckpointsReport> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let asked = if limit == 0 { 0 } else { limit + 1 };
    let mut found = store.history(&HistoryFilter { with_safety: all, limit: asked, before: None })?;
    let more = limit > 0 && found.len() > limit;
    if more {
        found.truncate(limit);
    }
    let groups = grouped(store, found)?;
    Ok(CheckpointsReport { groups, more, now_ms: engine.context().now_ms(), notices: opened.notices })
}

/// Puts checkpoints under the prompts that led to them.
pub(crate) fn grouped(store: &Store<'_>, found: Vec<Checkpoint>) -> Result<Vec<HistoryGroup>> {
    let mut groups: Vec<HistoryGroup> = Vec::new();
    for checkpoint in found {
        let length = store.prefix_length(&checkpoint.id)?;
        let short_id = checkpoint.id.as_str()[..length].to_owned();
        let files = if checkpoint.whole_tree {
            Vec::new()
        } else {
            store.named_in(&checkpoint)?.into_iter().map(|(path, _)| path.to_string()).collect()
        };
        let key = (checkpoint.origin.session.clone(), checkpoint.origin.turn.clone());
        let same =
            |group: &HistoryGroup| key.1.is_some() && (group.session.clone(), group.turn.clone()) == key;
        let item = HistoryItem { checkpoint, short_id, files };
        // Several agents at once interleave: a turn's checkpoints still stand together.
        match groups.iter_mut().find(|group| same(group)) {
            Some(group) => group.checkpoints.push(item),
            None => groups.push(HistoryGroup {
                session: key.0,
                turn: key.1,
                prompt: item.checkpoint.origin.prompt.clone(),
                agent: item.checkpoint.origin.agent.clone(),
                checkpoints: vec![item],
            }),
        }
    }
    Ok(groups)
}
