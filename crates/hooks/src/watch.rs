//! What is answered if vib itself takes too long. (S8)
//!
//! No answer means "go on" to every client. So before each part that may hang (a lock, a disk, a very large tree) the router leaves the answer
//! that holds if nothing better comes; whoever waits for it (`vib hook`) gives that one when the time is up, and ends.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{Reply, calls};

/// After so long the answer that was left is given.
pub const LIMIT: Duration = Duration::from_millis(3_000);
/// So long a look at the tree may take: what there is no time for is left to the next one.
pub const LOOKING: Duration = Duration::from_millis(1_800);
/// So long anything waits for a lock.
pub const LOCKS: Duration = Duration::from_millis(700);
/// Files that are longer than this are not read while an agent waits.
pub const LONGEST_FILE: u64 = 256 << 20;

/// Shared between the one who works and the one who watches.
#[derive(Debug, Clone, Default)]
pub struct Watch(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    reply: Option<Reply>,
    patient: bool,
    seen: SeenCall,
}

/// What is known of a call, for the list of the last ones.
#[derive(Debug, Clone, Default)]
pub struct SeenCall {
    /// What the client calls the event.
    pub event: String,
    /// The tool it is about.
    pub tool: Option<String>,
    /// What was decided; empty while nothing is.
    pub answer: &'static str,
}

impl Watch {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on this is the answer if nothing better comes in time.
    pub fn instead(&self, reply: Reply) {
        self.state().reply = Some(reply);
    }

    /// The answer that was left.
    pub fn left(&self) -> Option<Reply> {
        self.state().reply.clone()
    }

    /// This came in.
    pub(crate) fn came(&self, event: &str, tool: Option<&str>) {
        let seen = SeenCall { event: calls::name(event), tool: tool.map(calls::name), answer: "" };
        self.state().seen = seen;
    }

    /// This was decided.
    pub(crate) fn decided(&self, answer: &'static str) {
        self.state().seen.answer = answer;
    }

    /// What is known of the call so far.
    pub fn seen(&self) -> SeenCall {
        self.state().seen.clone()
    }

    /// Files are being put back because a person said so: that is not cut short.
    pub fn be_patient(&self, patient: bool) {
        self.state().patient = patient;
    }

    /// Whether to go on waiting.
    pub fn is_patient(&self) -> bool {
        self.state().patient
    }
}
