//! Where in a file an edit was made: an attempt that is made again is made in the same place.

use serde::{Deserialize, Serialize};

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
    use super::{Places, changed_lines};

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
