//! What was wanted on both sides of a conflict: the requests that changed the file, in the lane and in the project.

use project::RelPath;
use serde::Serialize;
use store::{Actor, Store};

use crate::Result;

/// So many are told, the newest ones.
const MOST: usize = 3;

/// Why somebody changed a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Wanted {
    /// The step: `s41`.
    pub step: String,
    /// Who: the client, `by_hand` or `vib`.
    pub who: String,
    /// What was asked for, or what was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// Who changed a file after a checkpoint, and why; the newest first.
pub(crate) fn since(store: &Store<'_>, path: &RelPath, seq: i64) -> Result<Vec<Wanted>> {
    let mut out: Vec<Wanted> = Vec::new();
    for change in store.changes_of_path(path)?.into_iter().rev() {
        if change.seq <= seq || change.undone_by.is_some() || out.len() >= MOST {
            continue;
        }
        let Some(step) = store.step(change.step)? else { continue };
        let request = step.request.map(|number| store.request(number)).transpose()?.flatten();
        let who = match step.actor {
            Actor::Agent => step.client.clone().unwrap_or_else(|| "agent".to_owned()),
            Actor::ByHand => "by_hand".to_owned(),
            Actor::Vib => "vib".to_owned(),
        };
        let words = request.and_then(|request| request.prompt).or(step.what);
        let intent = Wanted { step: step.number.to_string(), who, words };
        if !out.iter().any(|other| other.words == intent.words && other.who == intent.who) {
            out.push(intent);
        }
    }
    Ok(out)
}
