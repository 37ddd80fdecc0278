//! Progress on standard error, for work that takes more than half a second.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use store::{Phase, Progress};

const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears only when there is something to wait for, and only on a terminal.
pub(crate) struct Bar {
    shown: bool,
    began: Instant,
    done: AtomicU64,
    total: AtomicU64,
    phase: AtomicU64,
    bar: OnceLock<ProgressBar>,
}

impl Bar {
    pub(crate) fn new(wanted: bool) -> Self {
        Self {
            shown: wanted && std::io::stderr().is_terminal(),
            began: Instant::now(),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            phase: AtomicU64::new(0),
            bar: OnceLock::new(),
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn begin(&self, phase: Phase, total: Option<u64>) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
        self.phase.store(phase as u64, Ordering::Relaxed);
        if let Some(bar) = self.bar.get() {
            dress(bar, phase as u64, total.unwrap_or(0));
        }
    }

    fn advance(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        if !self.shown || self.began.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::new_spinner();
            dress(&bar, self.phase.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
            bar
        });
        bar.set_position(done);
    }
}

fn dress(bar: &ProgressBar, phase: u64, total: u64) {
    let words = match phase {
        p if p == Phase::Scanning as u64 => "looking at your files",
        p if p == Phase::Restoring as u64 => "bringing files back",
        p if p == Phase::Checking as u64 => "verifying saved content",
        p if p == Phase::Searching as u64 => "looking for secrets in files",
        p if p == Phase::SearchingHistory as u64 => "looking for secrets in commits",
        p if p == Phase::Mapping as u64 => "reading what is in the files",
        p if p == Phase::Importing as u64 => "taking memories in",
        p if p == Phase::Indexing as u64 => "making memories findable, once",
        p if p == Phase::Driving as u64 => "the agent works; calls so far",
        _ => "cleaning up",
    };
    let template = if total > 0 { "{msg} {wide_bar} {pos}/{len}" } else { "{spinner} {msg}: {pos}" };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if total > 0 {
        bar.set_length(total);
    }
    bar.set_message(words);
    bar.set_position(0);
}
