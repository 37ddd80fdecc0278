//! Where in a file an edit was made: an attempt that is made again is made in the same place.

use serde::{Deserialize, Serialize};

use super::normalise::hash;

/// So many places are remembered, the newest.
const PLACES: usize = 6;
/// An edit so many lines away from the line that a failure names may be about it.
const NEAR: u32 = 6;

/// Lines, from 1, the first and the last.
type Lines = (u32, u32);

/// Which lines of the second text are not those of the first; none if nothing differs.
pub fn changed_lines(before: &[u8], after: &[u8]) -> Option<(u32, u32)> {
    if before == after {
        return None;
    }
    let lines = |text: &'_ [u8]| -> usize { text.split(|byte| *byte == b'\n').count() };
    let same = before
        .split(|byte| *byte == b'\n')
        .zip(after.split(|byte| *byte == b'\n'))
        .take_while(|(one, other)| one == other)
        .count();
    let same_at_end = before
        .rsplit(|byte| *byte == b'\n')
        .zip(after.rsplit(|byte| *byte == b'\n'))
        .take_while(|(one, other)| one == other)
        .count();
    let most = lines(after).min(lines(before)).saturating_sub(same);
    let last = lines(after) - same_at_end.min(most);
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Some((number(same + 1), number(last.max(same + 1))))
}

/// So many marks of a file are kept from its beginning, and as many from its end.
const MARKS: usize = 32;

/// A file in so few numbers that they can be kept: where it was changed can still be told, to within a few lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch {
    /// A mark stands after every so many lines.
    step: usize,
    /// What the lines up to each mark are, as a number.
    above: Vec<u32>,
    below: Vec<u32>,
}

impl Sketch {
    /// Of these lines.
    pub fn of(text: &[u8]) -> Self {
        let step = text.split(|byte| *byte == b'\n').count().div_ceil(MARKS);
        let above = marks(text.split(|byte| *byte == b'\n'), step);
        let below = marks(text.rsplit(|byte| *byte == b'\n'), step);
        Self { step, above, below }
    }

    /// Which lines of this text are not those of the sketch, a few too many rather than one too few; none if nothing differs.
    pub fn changed_lines(&self, after: &[u8]) -> Option<(u32, u32)> {
        if *self == Self::of(after) {
            return None;
        }
        let same = |kept: &[u32], now: Vec<u32>| {
            kept.iter().zip(now).take_while(|(one, other)| *one == other).count() * self.step
        };
        let lines = after.split(|byte| *byte == b'\n').count();
        let first = same(&self.above, marks(after.split(|byte| *byte == b'\n'), self.step)) + 1;
        let last =
            lines.saturating_sub(same(&self.below, marks(after.rsplit(|byte| *byte == b'\n'), self.step)));
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Some((number(first.min(lines)), number(last.max(first).min(lines))))
    }
}

fn marks<'t>(lines: impl Iterator<Item = &'t [u8]>, step: usize) -> Vec<u32> {
    let mut all = 0_u64;
    let mut found = Vec::new();
    for (at, line) in lines.enumerate() {
        all = hash(&[all.to_le_bytes().as_slice(), line].concat());
        if (at + 1) % step == 0 && found.len() < MARKS * 2 {
            found.push(u32::try_from(all >> 32).unwrap_or_default());
        }
    }
    found
}

/// The places of a file that were edited.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Places {
    /// An edit of this place was announced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    announced: Vec<Lines>,
    /// Since the last check that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    since: Vec<Lines>,
    /// Nobody knows where.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    anywhere: bool,
    /// Before that check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<Lines>,
}

impl Places {
    pub fn is_empty(&self) -> bool {
        !self.anywhere && self.announced.is_empty() && self.since.is_empty() && self.before.is_empty()
    }

    pub fn announced(&mut self, lines: Lines) {
        keep(&mut self.announced, lines);
    }

    /// The edit was made.
    pub fn edited(&mut self) {
        if self.announced.is_empty() {
            self.anywhere = true;
        }
        for lines in std::mem::take(&mut self.announced) {
            keep(&mut self.since, lines);
        }
    }

    /// Whether nothing was edited near these lines.
    pub fn are_far_from(&self, named: &[u32]) -> bool {
        let near = |line: u32| {
            self.since
                .iter()
                .any(|(from, to)| from.saturating_sub(NEAR) <= line && line <= to.saturating_add(NEAR))
        };
        !self.anywhere && !self.since.is_empty() && !named.iter().any(|line| near(*line))
    }

    /// A check has failed. True if only places were edited since the one before that had not been edited by then.
    pub fn judged(&mut self) -> bool {
        let known = |lines: &Lines| self.before.iter().any(|(from, to)| lines.0 <= *to && *from <= lines.1);
        let is_new = !self.anywhere && !self.before.is_empty() && !self.since.iter().any(known);
        for lines in std::mem::take(&mut self.since) {
            keep(&mut self.before, lines);
        }
        self.anywhere = false;
        is_new
    }
}

fn keep(places: &mut Vec<Lines>, lines: Lines) {
    if !places.contains(&lines) {
        places.push(lines);
    }
    let extra = places.len().saturating_sub(PLACES);
    places.drain(..extra);
}

#[cfg(test)]
mod tests {
    use super::{Places, Sketch, changed_lines};

    #[test]
    fn the_lines_that_differ_m1() {
        for (before, after, lines) in [
            ("a\nb\nc\n", "a\nB\nc\n", Some((2, 2))),
            ("a\nb\nc\n", "a\nb\nb2\nc\n", Some((3, 3))),
            ("a\nb\nc\n", "a\nc\n", Some((2, 2))),
            ("a\nb\nc\n", "X\nb\nY\n", Some((1, 3))),
            ("", "a\nb\n", Some((1, 2))),
            ("a\n", "a\n", None),
        ] {
            assert_eq!(changed_lines(before.as_bytes(), after.as_bytes()), lines, "{before} {after}");
        }
    }

    #[test]
    fn a_sketch_tells_about_where_m1() {
        let text = |lines: usize, changed: usize| -> String {
            (1..=lines).map(|at| format!("line {at}{}\n", if at == changed { "!" } else { "" })).collect()
        };
        for (lines, at, off) in [(10, 4, 0), (90, 47, 4), (1_000, 700, 40), (1, 1, 1)] {
            let sketch = Sketch::of(text(lines, 0).as_bytes());
            let (from, to) = sketch.changed_lines(text(lines, at).as_bytes()).unwrap();
            let at = u32::try_from(at).unwrap();
            assert!(from <= at && at <= to && to - from <= 2 * off, "{lines} {at}: {from} {to}");
            assert_eq!(sketch.changed_lines(text(lines, 0).as_bytes()), None);
        }
        let sketch = Sketch::of(text(5, 0).as_bytes());
        assert_eq!(sketch.changed_lines(format!("new\n{}", text(5, 0)).as_bytes()), Some((1, 1)));
    }

    #[test]
    fn near_and_far_again_and_for_the_first_time_m1() {
        let mut places = Places::default();
        let mut edit = |lines| {
            places.announced(lines);
            places.edited();
            (places.are_far_from(&[2]), places.judged())
        };
        assert_eq!(edit((20, 22)), (true, false));
        assert_eq!(edit((40, 41)), (true, true));
        assert_eq!(edit((3, 3)), (false, true));
        assert_eq!(edit((3, 4)), (false, false));
        places.edited();
        assert!(!places.are_far_from(&[2]), "nobody knows where");
    }
}
