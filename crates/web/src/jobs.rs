//! Work that a page waits for: it is begun by a click, shown while it runs, and its result stays to be read.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use store::{Phase, Progress};

use crate::access::random_text;
use crate::error::Problem;

/// So many results are remembered.
const MOST: usize = 16;

/// What came of a job.
pub(crate) type Done = Result<Carried, Failed>;

/// What was done.
#[derive(Debug)]
pub(crate) enum Carried {
    /// A plan of a recovery.
    Recovered(Box<engine::recover::Applied>),
    /// An undo or a redo.
    Undone(Box<engine::undo::UndoReport>),
    /// Cards that were brought to the project, or taken back.
    Carded(Box<engine::run::CardsDone>),
    /// A card that was done again.
    Replayed(Box<engine::run::Replayed>),
    /// Lanes of a run that were put away.
    PutAway(Box<engine::run::RunDropped>),
}

/// Why nothing was brought back.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) problem: Problem,
    /// Files changed after the preview: a second yes to exactly their present state, for this plan, would help.
    pub(crate) second: Option<Second>,
    /// Where to look at it again.
    pub(crate) again: Option<String>,
}

/// What a second yes is about.
#[derive(Debug)]
pub(crate) struct Second {
    pub(crate) plan: String,
    pub(crate) code: String,
    pub(crate) paths: Vec<String>,
}

/// One job.
#[derive(Debug, Default)]
pub(crate) struct Job {
    pub(crate) done: AtomicU64,
    pub(crate) total: AtomicU64,
    pub(crate) writing: AtomicBool,
    pub(crate) result: Mutex<Option<Arc<Done>>>,
}

impl Job {
    pub(crate) fn finish(&self, result: Done) {
        if let Ok(mut slot) = self.result.lock() {
            *slot = Some(Arc::new(result));
        }
    }

    pub(crate) fn result(&self) -> Option<Arc<Done>> {
        self.result.lock().ok()?.clone()
    }
}

impl Progress for Job {
    fn begin(&self, phase: Phase, total: Option<u64>) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
        self.writing.store(phase == Phase::Restoring, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }
}

/// Jobs by name.
#[derive(Debug, Default)]
pub(crate) struct Jobs(Mutex<VecDeque<(String, Arc<Job>)>>);

impl Jobs {
    pub(crate) fn begin(&self) -> (String, Arc<Job>) {
        let mut id = random_text();
        id.truncate(24);
        let job = Arc::new(Job::default());
        if let Ok(mut jobs) = self.0.lock() {
            while jobs.len() >= MOST {
                jobs.pop_front();
            }
            jobs.push_back((id.clone(), Arc::clone(&job)));
        }
        (id, job)
    }

    pub(crate) fn find(&self, id: &str) -> Option<Arc<Job>> {
        let jobs = self.0.lock().ok()?;
        jobs.iter().find(|(known, _)| known == id).map(|(_, job)| Arc::clone(job))
    }
}
