//! Looking at the tree while somebody waits. (S8)
//!
//! A hook has to answer in time, however large the tree or a file in it is. What there is no time for is left out of the look: it stays
//! in the store as it was saved last, is named among the problems (`not_yet`), and the next look takes it up again.

use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The code of what was left for the next look.
pub const NOT_YET: &str = "not_yet";

static HURRY: RwLock<Option<Hurry>> = RwLock::new(None);
static CALM: AtomicUsize = AtomicUsize::new(0);

#[derive(Debug, Clone, Copy)]
struct Hurry {
    until: Instant,
    longest: u64,
}

/// From now on this process looks at trees only until then, and reads no file that is longer than this. A process has one caller who waits,
/// and the last word counts: a proxy says it again for every step.
pub fn hurry(until: Instant, longest: u64) {
    if let Ok(mut hurry) = HURRY.write() {
        *hurry = Some(Hurry { until, longest });
    }
}

/// Nobody waits any more.
pub fn take_time() {
    if let Ok(mut hurry) = HURRY.write() {
        *hurry = None;
    }
}

/// As long as it lives, looks are complete, however long they take: what is about to be overwritten has to be saved.
#[derive(Debug)]
pub(crate) struct Calm;

impl Calm {
    pub(crate) fn new() -> Self {
        CALM.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Calm {
    fn drop(&mut self) {
        CALM.fetch_sub(1, Ordering::SeqCst);
    }
}

fn now() -> Option<Hurry> {
    if CALM.load(Ordering::SeqCst) > 0 {
        return None;
    }
    HURRY.read().ok().and_then(|hurry| *hurry)
}

/// There is no time left.
pub(crate) fn is_late() -> bool {
    now().is_some_and(|hurry| Instant::now() >= hurry.until)
}

/// So long a file is not read while somebody waits.
pub(crate) fn is_too_long(size: u64) -> bool {
    now().is_some_and(|hurry| size > hurry.longest)
}

/// In words, for the list of what is not saved.
pub(crate) const LATER: &str = "there was no time for it while the agent waited; the next look takes it up, and `vib checkpoint` saves it now";
