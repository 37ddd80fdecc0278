//! What the scripted model says that a call cost. Every call says something else, so that a sum that is right is no accident.

/// Tokens of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Of the prompt, what was cached included.
    pub prompt: u64,
    /// Of the prompt, those that came from a cache.
    pub cached: u64,
    /// Of the answer.
    pub output: u64,
}

impl Tokens {
    /// Those of the call with this number.
    pub(super) fn of(n: usize) -> Self {
        let n = n as u64;
        Self { prompt: 100 + 7 * n, cached: 3 * n, output: 10 + n }
    }

    /// Adds another call's.
    pub fn add(&mut self, other: Self) {
        self.prompt += other.prompt;
        self.cached += other.cached;
        self.output += other.output;
    }
}
