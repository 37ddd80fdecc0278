//! What the hooks see of an agent's work.

use serde::{Deserialize, Serialize};

use super::normalise::hash;

/// One step of an agent, as the hooks see it.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The turn (the prompt) it belongs to.
    pub turn: &'a str,
    /// Who called which tool with which arguments, literally; see [`signature`](super::signature).
    pub signature: u64,
    /// What kind of tool it was.
    pub tool: Tool,
    /// The file that was edited, relative to the project. One step for each file.
    pub path: Option<&'a str>,
    /// What the file holds after the edit.
    pub after: Option<Content>,
    /// Whether it may have changed files.
    pub writes: bool,
    /// It waits for something that happens elsewhere: asking again is what one does then.
    pub waits: bool,
    /// How it ended.
    pub outcome: Outcome,
    /// Hash of the whole output of a call that did not fail; none: the client did not tell.
    pub result: Option<u64>,
    /// Hash of the command, if it is a test, build or lint run (see [`is_check`](super::is_check)).
    pub check: Option<u64>,
    /// What a check that failed printed: which files it speaks of. Empty: nobody knows.
    pub output: &'a str,
    /// The file was put back from a history: nobody typed what it holds now.
    pub put_back: bool,
    /// It goes on in the background: who looks at its traces waits for it.
    pub unfinished: bool,
    /// When it ended, in milliseconds; 0: nobody knows.
    pub at: i64,
}

/// What is in a file, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// Hash of the content.
    pub hash: u64,
    /// Bytes.
    pub size: u64,
    /// Lines.
    #[serde(default)]
    pub lines: u32,
    /// Whether it can be read as what its name says.
    pub syntax: Syntax,
    /// It cannot, but only in small places, and nothing is out of balance: which, as a set of marks
    /// (see [`map::Reading::Odd`]). Zero: it is whole, or really broken.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub faults: u64,
    /// How much of it cannot be read: less is better (see [`map::Reading::Broken`]). Zero: it is whole, or nobody knows.
    #[serde(default, skip_serializing_if = "is_none")]
    pub damage: u32,
    /// Only closing brackets at its end are missing: a sample of its lines (see [`sample_of_lines`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Sample>,
}

/// So many lines are in a sample.
const SAMPLE: usize = 8;
/// Greater than every hash of a line.
const NO_LINE: u32 = 1 << 24;
/// Some lines of a text; see [`sample_of_lines`].
pub type Sample = [u32; SAMPLE];

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_none(number: &u32) -> bool {
    *number == 0
}

/// The lines of a text with the smallest hashes, in order, but for the last line, which may go on: enough to tell whether all
/// of them are in another text that begins or goes on in the same way.
pub fn sample_of_lines(text: &[u8]) -> Sample {
    let lines = text.trim_ascii_end().split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let mut hashes: Vec<u32> = lines
        .filter(|line| !line.is_empty())
        .map(|line| u32::try_from(hash(line) >> 40).unwrap_or(NO_LINE).min(NO_LINE - 1))
        .collect();
    hashes.pop();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.resize(SAMPLE, NO_LINE);
    let mut sample = [NO_LINE; SAMPLE];
    sample.copy_from_slice(&hashes);
    sample
}

/// Whether the lines of one sample are still there in a later one, as far as both tell.
pub(super) fn are_kept(before: &Sample, after: &Sample) -> bool {
    let known_to = after.last().copied().unwrap_or(NO_LINE);
    before.iter().filter(|line| **line <= known_to && **line != NO_LINE).all(|line| after.contains(line))
}

impl Content {
    /// It reads as a whole, or has only small places that the grammar may just not know.
    pub(super) fn is_balanced(&self) -> bool {
        self.syntax == Syntax::Whole || self.faults != 0
    }
}

/// Whether a file can be read as what its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Syntax {
    /// Nobody can tell: no grammar, too long, binary.
    Unknown,
    /// It can.
    Whole,
    /// It cannot, and the grammar reads all of this language. A file that was so before is nobody's doing.
    Broken,
    /// It cannot, but the grammar does not know every dialect.
    Doubtful,
}

/// The kinds of tools that make a difference here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Changes a file.
    Edit,
    /// Runs a command.
    Shell,
    /// Only looks.
    Read,
    /// Anything else.
    Other,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It worked; for a check: it passed.
    Ok,
    /// It did not.
    Failed {
        /// See [`normalise_error`](super::normalise_error).
        error: u64,
    },
    /// The client did not say.
    Unknown,
}

impl Outcome {
    /// The error, if it failed.
    pub fn error(self) -> Option<u64> {
        match self {
            Self::Failed { error } => Some(error),
            Self::Ok | Self::Unknown => None,
        }
    }
}
