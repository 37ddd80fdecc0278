//! A content as lines, each with its own line end.

use std::collections::HashMap;
use std::ops::Range;

/// A content and where its lines end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    /// The end of each line in bytes, line end included.
    ends: Vec<usize>,
}

impl Lines {
    /// A line ends after its `\n`; what comes before (a `\r`) belongs to it, and so does a missing `\n` of the last one.
    pub(super) fn of(content: &[u8]) -> Self {
        let mut ends: Vec<usize> = newlines(content).map(|at| at + 1).collect();
        if ends.last().copied().unwrap_or(0) < content.len() {
            ends.push(content.len());
        }
        Self { bytes: content.to_vec(), ends }
    }

    /// All of it as one line.
    pub(super) fn one(content: &[u8]) -> Self {
        let ends = if content.is_empty() { Vec::new() } else { vec![content.len()] };
        Self { bytes: content.to_vec(), ends }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of these lines.
    pub(super) fn text(&self, lines: &Range<usize>) -> &[u8] {
        &self.bytes[self.start(lines.start)..self.start(lines.end)]
    }

    fn start(&self, line: usize) -> usize {
        if line == 0 { 0 } else { self.ends[line - 1] }
    }
}

fn newlines(content: &[u8]) -> impl Iterator<Item = usize> {
    content.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at)
}

/// A number for each line, the same for equal lines of all three: comparing then costs the same however long the lines are.
pub(super) fn names(sides: [&Lines; 3]) -> [Vec<u32>; 3] {
    let mut known: HashMap<&[u8], u32> = HashMap::new();
    sides.map(|side| {
        (0..side.len())
            .map(|line| {
                let next = known.len() as u32;
                *known.entry(side.text(&(line..line + 1))).or_insert(next)
            })
            .collect()
    })
}
