//! Text that may leave: only the gate can make it.

use std::fmt;

use serde::Serialize;

/// What the gate took out of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Secrets replaced.
    pub secrets: usize,
    /// Private details replaced or shortened.
    pub private: usize,
    /// Lines left out of an oversized text.
    pub summarised: usize,
    /// Whether the whole text was withheld because a rule still matched.
    pub withheld: bool,
}

impl Counts {
    /// Whether the text left the gate as it came.
    pub fn is_untouched(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the counts of another field.
    pub fn add(&mut self, other: Self) {
        self.secrets += other.secrets;
        self.private += other.private;
        self.summarised += other.summarised;
        self.withheld |= other.withheld;
    }
}

/// Text that was scanned, replaced and scanned again: nothing is left in it that a rule would match.
///
/// There is no public constructor. Everything that leaves (MCP, hand-off, web, log) takes a `Clean`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Clean {
    text: String,
    counts: Counts,
}

impl Clean {
    /// Only for the gate, which has just proven the text.
    pub(crate) fn proven(text: String, counts: Counts) -> Self {
        Self { text, counts }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, owned. From here on nothing proves any more that it is clean.
    pub fn into_string(self) -> String {
        self.text
    }

    /// What was taken out.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

impl fmt::Display for Clean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl AsRef<str> for Clean {
    fn as_ref(&self) -> &str {
        &self.text
    }
}
