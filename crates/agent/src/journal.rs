//! The run's log as the loop writes it: each event is on the disk before the next thing happens, and is told to whoever watches.

use std::path::Path;

use engine::run::fold::Run;
use engine::run::log::RunLog;
use engine::run::model::{Logged, RunEvent};

use crate::{Error, Result};

/// The log, and who hears of it.
pub struct Journal<'j> {
    log: RunLog,
    heard: Option<&'j mut dyn FnMut(&RunEvent)>,
    cut_after: Option<usize>,
}

impl<'j> Journal<'j> {
    /// Writes into this log.
    pub fn new(log: RunLog) -> Self {
        Self { log, heard: None, cut_after: None }
    }

    /// Tells each event to somebody.
    #[must_use]
    pub fn told_to(mut self, heard: &'j mut dyn FnMut(&RunEvent)) -> Self {
        self.heard = Some(heard);
        self
    }

    /// Plays a kill: after so many more events nothing is written any more, and the work ends where it stands.
    #[must_use]
    pub fn cut_after(mut self, events: usize) -> Self {
        self.cut_after = Some(events);
        self
    }

    /// Writes an event down.
    pub fn append(&mut self, event: RunEvent) -> Result<()> {
        self.may_go_on()?;
        self.log.append(event)?;
        // As it stands in the log: cleaned.
        if let (Some(heard), Some(logged)) = (&mut self.heard, self.log.events().last()) {
            heard(&logged.event);
        }
        if let Some(left) = &mut self.cut_after {
            *left -= 1;
        }
        self.may_go_on()
    }

    fn may_go_on(&self) -> Result<()> {
        if self.cut_after == Some(0) { Err(Error::CutOff) } else { Ok(()) }
    }

    /// Everything that happened so far.
    pub fn events(&self) -> &[Logged] {
        self.log.events()
    }

    /// The run as it stands.
    pub fn run(&self) -> Run {
        Run::of(self.log.id(), self.log.events())
    }

    /// Its id.
    pub fn id(&self) -> &str {
        self.log.id()
    }

    /// It has a branch of its own.
    pub fn has_branch(&self) -> bool {
        self.events().iter().any(|logged| matches!(logged.event, RunEvent::Branched { .. }))
    }

    /// When an action began, milliseconds since 1970.
    pub fn began_ms(&self, number: u64) -> i64 {
        let began = self.events().iter().find_map(|logged| match &logged.event {
            RunEvent::ActionBegan { n, .. } if *n == number => Some(logged.at_ms),
            _ => None,
        });
        began.unwrap_or_default()
    }

    /// Where everything of it lies.
    pub fn folder(&self) -> &Path {
        self.log.folder()
    }

    /// Somebody asked it to end.
    pub fn is_asked_to_stop(&self) -> bool {
        self.log.stop_requested()
    }

    /// Keeps a diff.
    pub fn keep_diff(&self, card: &str, n: u64, text: &str) -> Result<String> {
        Ok(self.log.keep_diff(card, n, text)?)
    }

    /// How long it was worked on, milliseconds: pauses do not count.
    pub fn worked_ms(&self) -> u64 {
        let times = self.events().iter().map(|logged| match &logged.event {
            RunEvent::ModelCalled { milliseconds, .. } | RunEvent::ActionEnded { milliseconds, .. } => {
                *milliseconds
            }
            _ => 0,
        });
        times.sum()
    }

    /// The number of the next action.
    pub fn next_n(&self) -> u64 {
        let numbers = self.events().iter().map(|logged| match &logged.event {
            RunEvent::ActionBegan { n, .. } | RunEvent::Rejected { n, .. } => *n,
            _ => 0,
        });
        numbers.max().unwrap_or(0) + 1
    }

    /// How an action stands: whether it began, and how it ended.
    pub fn action(&self, number: u64) -> (bool, Option<Option<String>>) {
        let (mut began, mut ended) = (false, None);
        for logged in self.events() {
            match &logged.event {
                RunEvent::ActionBegan { n, .. } if *n == number => began = true,
                RunEvent::ActionEnded { n, code, .. } if *n == number => ended = Some(code.clone()),
                RunEvent::Rejected { n, code, .. } if *n == number => ended = Some(Some(code.clone())),
                _ => {}
            }
        }
        (began, ended)
    }
}
