//! What the server knows between two requests.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Mutex;

use engine::Engine;
use engine::run::board::Folds;
use project::Context;
use texts::Language;
use tokio::sync::Semaphore;

use crate::access::{Keys, Limits, Rates};
use crate::codes::{Terminal, Waiting};
use crate::highlight::Highlighter;
use crate::jobs::Jobs;
use crate::live::Live;
use crate::worker::Worker;

/// One server for one project.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) port: u16,
    /// Whether there is a page; without it this is the agents' server alone.
    pub(crate) has_page: bool,
    pub(crate) limits: Limits,
    pub(crate) keys: Keys,
    pub(crate) rates: Rates,
    pub(crate) live: Live,
    pub(crate) jobs: Jobs,
    /// Runs that were looked at before.
    pub(crate) folds: Folds,
    /// What waits for a code that the terminal showed.
    pub(crate) waiting: Waiting,
    /// Where codes are shown; none: nobody watches this server.
    pub(crate) terminal: Option<Terminal>,
    pub(crate) highlighter: Highlighter,
    /// What was shown of the memory already, so that a page that refreshes itself is one row in the audit log, not hundreds.
    pub(crate) shown: Mutex<HashSet<u64>>,
    /// Where the requests are answered that take much memory.
    pub(crate) heavy: Worker,
    /// Places for the others.
    pub(crate) light: Semaphore,
    pub(crate) world: Context,
    pub(crate) root: PathBuf,
    /// The language of the person's settings and environment, where the browser says nothing.
    pub(crate) language: Language,
}

impl App {
    /// The project as it is now: settings may have changed since the last request.
    pub(crate) fn engine(&self) -> engine::Result<Engine> {
        let world = self.world.beside(&self.root).map_err(project::Error::from)?;
        Engine::open(world)
    }
}
