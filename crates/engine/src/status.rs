//! Where do we stand?

use store::{Checkpoint, CheckpointKind, HistoryFilter, Problem, Progress, Request, ScanCounts};

use crate::at_work::{AtWork, at_work};
use crate::baseline::Baseline;
use crate::changes::Now;
use crate::diff::{self, Detail, DiffReport};
use crate::memory::{Suggestion, due_now};
use crate::verdict::{Verdict, verdict_in};
use crate::{Engine, Notice, Result};

/// The state of the project, and what changed since the last request or save.
#[derive(Debug, serde::Serialize)]
pub struct StatusReport {
    /// The root.
    pub root: String,
    /// The id.
    pub id: String,
    /// The newest checkpoint, safety ones aside.
    pub newest: Option<Checkpoint>,
    /// Checkpoints kept, safety ones aside.
    pub checkpoints: u64,
    /// The agents that are at work, the last heard of first.
    pub at_work: Vec<AtWork>,
    /// The last request.
    pub last_request: Option<Request>,
    /// What the present is compared with.
    pub since: Option<Baseline>,
    /// What is different on the disk since then.
    pub changes: DiffReport,
    /// How risky that is, and why: what every command says.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// How many paths are not as the last look saw them: nothing has saved them yet.
    pub unsaved: u64,
    /// Files and folders looked at.
    pub counts: ScanCounts,
    /// What could not be looked at.
    pub problems: Vec<Problem>,
    /// Bytes the store uses.
    pub store_bytes: u64,
    /// Time of the report.
    pub now_ms: i64,
    /// What memory suggests now.
    pub suggestions: Vec<Suggestion>,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// Looks at the project without changing anything.
pub fn status(engine: &Engine, progress: &dyn Progress) -> Result<StatusReport> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let newest = store.history(&HistoryFilter { limit: 1, ..HistoryFilter::default() })?.pop();
    let (working, present) = store.working_tree_and_files(progress)?;
    let verdict = verdict_in(engine, &Now { store, working: &working }, present, progress)?;
    let since = verdict.since.clone();
    let (changes, from) = match &since {
        Some(since) => {
            let before = store.view(&since.checkpoint, &working.view)?;
            (store.compare(&before, &working.view, &[])?, since.checkpoint.id.to_string())
        }
        None => (Vec::new(), "nothing".to_owned()),
    };
    let changes = diff::describe(engine, store, &changes, &from, "now", Detail::Counts)?;
    let unsaved = store.compare(&store.recorded_state()?, &working.view, &[])?.len() as u64;
    let mut checkpoints = 0;
    for kind in [CheckpointKind::Turn, CheckpointKind::Manual, CheckpointKind::Commit] {
        checkpoints += store.count(kind)?;
    }
    Ok(StatusReport {
        root: engine.project().root().display().to_string(),
        id: engine.project().id().to_string(),
        newest,
        checkpoints,
        at_work: at_work(store, engine.context().now_ms())?,
        last_request: store.requests(None, 1)?.pop(),
        since,
        changes,
        verdict,
        unsaved,
        counts: working.counts,
        problems: working.problems,
        store_bytes: store.bytes_on_disk(),
        now_ms: engine.context().now_ms(),
        // Memory that cannot be read does not hide where the files stand; `vib memory` says what is wrong.
        suggestions: due_now(engine).unwrap_or_default(),
        notices: opened.notices,
    })
}
