//! How much of everything: bytes, requests, seconds, connections.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The limits of a server.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Time for the head of a request.
    pub head_time: Duration,
    /// Time for the body of a request.
    pub body_time: Duration,
    /// Time for an answer.
    pub answer_time: Duration,
    /// Time in which a client has to take something of what is sent to it.
    pub write_time: Duration,
    /// Longest body; patches may be longer.
    pub body_bytes: usize,
    /// Longest body of a patch.
    pub patch_bytes: usize,
    /// Time for the answer to a call of an agent: bringing a large project back takes its time.
    pub call_time: Duration,
    /// Longest body of such a call.
    pub call_bytes: usize,
    /// Connections at the same time.
    pub connections: usize,
    /// Pages at the same time that are kept up to date.
    pub streams: usize,
    /// Requests per second, and as many at once, of a person and their programs; as many of agents.
    pub requests_per_second: f64,
    /// Requests per second of strangers; twenty at once, or as many as a second allows.
    pub strangers_per_second: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(15),
            answer_time: Duration::from_secs(120),
            write_time: Duration::from_secs(30),
            body_bytes: 256 << 10,
            patch_bytes: 8 << 20,
            call_time: Duration::from_secs(15 * 60),
            call_bytes: 2 << 20,
            connections: 128,
            streams: 24,
            requests_per_second: 200.0,
            strangers_per_second: 2.0,
        }
    }
}

/// Counts requests, in buckets that fill up again with time. Each kind of visitor has its own, so that none keeps another out.
#[derive(Debug)]
pub(crate) struct Rates {
    known: Mutex<Bucket>,
    agents: Mutex<Bucket>,
    strangers: Mutex<Bucket>,
}

/// Whose request is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// A person's, or a program's of theirs.
    Person,
    /// An agent's.
    Agent,
    /// Anybody's.
    Stranger,
}

#[derive(Debug)]
struct Bucket {
    left: f64,
    most: f64,
    per_second: f64,
    at: Instant,
}

impl Bucket {
    fn new(per_second: f64, most: f64) -> Self {
        Self { left: most, most, per_second, at: Instant::now() }
    }

    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = now;
        self.left = (self.left + passed * self.per_second).min(self.most);
        let enough = self.left >= 1.0;
        if enough {
            self.left -= 1.0;
        }
        enough
    }
}

impl Rates {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            known: Mutex::new(Bucket::new(limits.requests_per_second, limits.requests_per_second)),
            agents: Mutex::new(Bucket::new(limits.requests_per_second, limits.requests_per_second)),
            strangers: Mutex::new(Bucket::new(
                limits.strangers_per_second,
                limits.strangers_per_second.max(20.0),
            )),
        }
    }

    /// Whether one more request is fine.
    pub(crate) fn allow(&self, known: Known) -> bool {
        let bucket = match known {
            Known::Person => &self.known,
            Known::Agent => &self.agents,
            Known::Stranger => &self.strangers,
        };
        bucket.lock().is_ok_and(|mut bucket| bucket.take(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let mut bucket = Bucket::new(2.0, 3.0);
        let start = bucket.at;
        assert_eq!((0..5).filter(|_| bucket.take(start)).count(), 3);
        assert!(bucket.take(start + Duration::from_millis(600)));
        assert!(!bucket.take(start + Duration::from_millis(600)));
        let later = start + Duration::from_secs(3600);
        assert_eq!((0..9).filter(|_| bucket.take(later)).count(), 3);
    }
}
