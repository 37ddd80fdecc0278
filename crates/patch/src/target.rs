//! A file that hunks are placed in: its lines, and where each line occurs.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::lines::FileText;
use crate::normal::normal;

/// A file, indexed by the normal form of its lines.
pub(crate) struct Target<'f> {
    pub(crate) text: FileText<'f>,
    normals: Vec<Cow<'f, [u8]>>,
    /// The hashes of all lines, in order, and beside them where each line is: one allocation each, not one per line.
    hashes: Vec<u64>,
    places: Vec<u32>,
}

fn hash(line: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
}

impl<'f> Target<'f> {
    pub(crate) fn new(content: &'f [u8]) -> Self {
        let text = FileText::new(content);
        let normals: Vec<Cow<'f, [u8]>> = text.lines.iter().map(|line| normal(line.text)).collect();
        let mut index: Vec<(u64, u32)> =
            normals.iter().zip(0_u32..).map(|(line, at)| (hash(line), at)).collect();
        index.sort_unstable();
        let (hashes, places) = index.into_iter().unzip();
        Self { text, normals, hashes, places }
    }

    /// Number of lines.
    pub(crate) fn len(&self) -> usize {
        self.normals.len()
    }

    /// A line's bytes without its ending.
    pub(crate) fn line(&self, at: usize) -> &'f [u8] {
        self.text.lines.get(at).map_or(&b""[..], |line| line.text)
    }

    /// True if the line at `at` has this normal form.
    pub(crate) fn is(&self, at: usize, wanted: &[u8]) -> bool {
        self.normals.get(at).is_some_and(|line| &**line == wanted)
    }

    /// Where a line with this normal form may be (collisions included).
    pub(crate) fn positions(&self, wanted: &[u8]) -> &[u32] {
        let wanted = hash(wanted);
        let from = self.hashes.partition_point(|&hash| hash < wanted);
        let length = self.hashes[from..].partition_point(|&hash| hash == wanted);
        &self.places[from..from + length]
    }

    /// True if these lines stand one after the other from here on.
    pub(crate) fn is_run(&self, start: usize, wanted: &[Cow<'_, [u8]>]) -> bool {
        start.checked_add(wanted.len()).is_some_and(|end| end <= self.len())
            && wanted.iter().enumerate().all(|(at, line)| self.is(start + at, line))
    }

    /// How often the rarest of these lines occurs.
    pub(crate) fn rarity(&self, wanted: &[Cow<'_, [u8]>]) -> usize {
        wanted.iter().map(|line| self.positions(line).len()).min().unwrap_or(0)
    }

    /// All places where these lines stand one after the other, whitespace and punctuation aside.
    pub(crate) fn find_run(&self, wanted: &[Cow<'_, [u8]>]) -> Vec<usize> {
        let rarest = wanted
            .iter()
            .enumerate()
            .map(|(at, line)| (self.positions(line).len(), at))
            .min()
            .map_or(0, |(_, at)| at);
        let Some(line) = wanted.get(rarest) else { return Vec::new() };
        self.positions(line)
            .iter()
            .filter_map(|&position| (position as usize).checked_sub(rarest))
            .filter(|&start| self.is_run(start, wanted))
            .collect()
    }
}
