//! What a caller may do by itself, how long it waits, and how much it reads.

use std::time::Duration;

/// The rules of a [`crate::Caller`]. The default ones are the ones that `docs/providers.md` tells.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// The person agreed to weaker models (`run.allow_weaker`).
    pub allow_weaker: bool,
    /// How often one provider is asked the same before another one is.
    pub attempts: u32,
    /// The first wait between two of them; each further one is twice as long, with up to a quarter more or less.
    pub first_wait: Duration,
    /// The longest wait, also when the server asks for a longer one: then another provider is asked, or nobody.
    pub longest_wait: Duration,
    /// Until a connection stands, its encryption included.
    pub connect: Duration,
    /// Until the server says its first word: large questions take a local model minutes.
    pub first_byte: Duration,
    /// The longest silence within an answer.
    pub idle: Duration,
    /// A whole call.
    pub whole: Duration,
    /// Bytes of one line of a stream.
    pub line_bytes: usize,
    /// Bytes of a whole answer.
    pub answer_bytes: usize,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            allow_weaker: false,
            attempts: 3,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(300),
            idle: Duration::from_secs(90),
            whole: Duration::from_secs(900),
            line_bytes: 1 << 20,
            answer_bytes: 16 << 20,
        }
    }
}
