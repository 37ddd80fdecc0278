//! From one version to the next: which lines are still whose?

use std::ops::Range;

use super::text::{BLANK, Text, is_lasting, is_solid, name_of};
use crate::line_diff;

/// The mark of a line that nobody is known for yet.
pub(super) const NEW: u32 = u32::MAX;

/// What is looked through line by line, at the most; more is a file that was replaced.
const MOST_LINES: usize = 1 << 18;

/// What is known after comparing two versions.
pub(super) struct Carried {
    /// For each line of the new text its writer, or [`NEW`].
    pub(super) writers: Vec<u32>,
    /// Which lines of the old text are in the new one.
    pub(super) stayed: Vec<bool>,
    /// Lines that are the same but for blanks: old and new.
    pub(super) reblanked: Vec<(usize, usize)>,
    /// New lines that were put together from several old ones, with the writers of those.
    pub(super) joined: Vec<(usize, Vec<u32>)>,
    /// Equal neighbours of which nobody can say which is which.
    twins: Vec<Twin>,
}

/// A line that was put beside an equal one, or taken from beside one: either may be the other.
#[derive(Debug, Clone, Copy)]
enum Twin {
    /// One of these two new lines was there before.
    Came(usize, usize),
    /// This line stayed, or the one did that this writer wrote.
    Went(usize, u32),
}

/// Lines that are replaced at one place, if their brackets are compared one by one.
const MOST_REPLACED: usize = 300;

/// So far a change is moved along equal lines to find such neighbours.
const MOST_TWINS: usize = 16;

/// Hands the writers of `old` on to `new`. `formatted`: a formatter did it, so that commas, brackets and quotes come and go as well.
pub(super) fn carry(old: &Text, writers: &[u32], new: &Text, formatted: bool) -> Carried {
    let mut carried = Carried {
        writers: vec![NEW; new.len()],
        stayed: vec![false; old.len()],
        reblanked: Vec::new(),
        joined: Vec::new(),
        twins: Vec::new(),
    };
    let Some(hunks) = line_diff::between(old.names(), new.names(), MOST_LINES) else { return carried };
    let (mut from, mut to) = (0, 0);
    let end = line_diff::Hunk { base: old.len()..old.len(), side: new.len()..new.len() };
    for hunk in hunks.iter().chain([&end]) {
        while from < hunk.base.start && to < hunk.side.start {
            carried.pair(writers, from, to);
            from += 1;
            to += 1;
        }
        carried.find_twins(old, new, writers, hunk);
        if !hunk.base.is_empty() && !hunk.side.is_empty() {
            inside(old, new, writers, hunk, formatted, &mut carried);
        }
        (from, to) = (hunk.base.end, hunk.side.end);
    }
    carried
}

impl Carried {
    fn pair(&mut self, writers: &[u32], old: usize, new: usize) {
        self.writers[new] = writers.get(old).copied().unwrap_or(NEW);
        self.stayed[old] = true;
    }

    /// Lines at the border of a change that could as well be on its other side.
    fn find_twins(&mut self, old: &Text, new: &Text, writers: &[u32], hunk: &line_diff::Hunk) {
        let (base, side) = (&hunk.base, &hunk.side);
        let equal = |names: &[u64], one: usize, other: usize| {
            names.get(one).is_some_and(|name| names.get(other) == Some(name))
        };
        for step in 0..MOST_TWINS {
            let (above, last) = (side.start.checked_sub(step + 1), side.end.checked_sub(step + 1));
            match (above, last) {
                (Some(above), Some(last)) if !side.is_empty() && equal(new.names(), above, last) => {
                    self.twins.push(Twin::Came(above, last));
                }
                _ => break,
            }
        }
        for step in 0..MOST_TWINS {
            if side.is_empty() || !equal(new.names(), side.start + step, side.end + step) {
                break;
            }
            self.twins.push(Twin::Came(side.end + step, side.start + step));
        }
        let writer = |line: usize| writers.get(line).copied().unwrap_or(NEW);
        if !side.is_empty() && !base.is_empty() {
            // Where lines are replaced, a bracket of before may be any bracket of now; where very many are, nothing is left of before.
            let looked_at = base.len().max(side.len()) <= MOST_REPLACED;
            for line in base.start.saturating_sub(1)..(base.end + 1).min(old.len()) {
                if !looked_at || old.weight(line) > 0 {
                    continue;
                }
                for place in side.start.saturating_sub(1)..(side.end + 1).min(new.len()) {
                    if new.names()[place] == old.names()[line] {
                        self.twins.push(Twin::Went(place, writer(line)));
                    }
                }
            }
        }
        if !side.is_empty() || base.is_empty() {
            return;
        }
        for step in 0..MOST_TWINS {
            let (above, last) = (base.start.checked_sub(step + 1), base.end.checked_sub(step + 1));
            match (above, last, side.start.checked_sub(step + 1)) {
                (Some(above), Some(last), Some(kept)) if equal(old.names(), above, last) => {
                    self.twins.push(Twin::Went(kept, writer(last)));
                }
                _ => break,
            }
        }
        for step in 0..MOST_TWINS {
            if !equal(old.names(), base.start + step, base.end + step) {
                break;
            }
            self.twins.push(Twin::Went(side.start + step, writer(base.start + step)));
        }
    }

    /// Gives neighbours that nobody can tell apart to the person among their writers: a person's line is never taken for an agent's.
    /// Where the other is no agent's either, as a bracket that was there before vib, each keeps its own: the older one stands first.
    pub(super) fn settle(
        twins: &Twins,
        writers: &mut [u32],
        is_person: impl Fn(u32) -> bool,
        is_no_agents: impl Fn(u32) -> bool,
    ) {
        for twin in &twins.0 {
            match *twin {
                Twin::Came(one, other) => {
                    if let (Some(first), Some(second)) =
                        (writers.get(one).copied(), writers.get(other).copied())
                    {
                        if is_no_agents(first) || is_no_agents(second) {
                            continue;
                        }
                        let persons = [first, second].into_iter().find(|writer| is_person(*writer));
                        if let Some(person) = persons {
                            writers[one] = person;
                            writers[other] = person;
                        }
                    }
                }
                Twin::Went(kept, gone) => {
                    if gone != NEW && is_person(gone) && kept < writers.len() {
                        writers[kept] = gone;
                    }
                }
            }
        }
    }

    /// The neighbours, for [`Self::settle`] when all writers are known.
    pub(super) fn twins(&mut self) -> Twins {
        Twins(std::mem::take(&mut self.twins))
    }

    /// A line of the new text is made of this old one.
    fn made_of(&mut self, writers: &[u32], old: usize, new: usize) {
        self.pair(writers, old, new);
    }
}

/// Equal neighbours that were found.
#[derive(Debug, Default)]
pub(super) struct Twins(Vec<Twin>);

impl Twins {
    /// The writers whose being a person matters.
    pub(super) fn asked_about(&self, writers: &[u32]) -> std::collections::HashSet<u32> {
        let mut out = std::collections::HashSet::new();
        for twin in &self.0 {
            match *twin {
                Twin::Came(one, other) => {
                    out.extend([one, other].iter().filter_map(|line| writers.get(*line)));
                }
                Twin::Went(_, gone) => out.extend((gone != NEW).then_some(gone)),
            }
        }
        out
    }
}

/// Lines that went and lines that came at one place: are some of them the same but for blanks?
fn inside(
    old: &Text,
    new: &Text,
    writers: &[u32],
    hunk: &line_diff::Hunk,
    formatted: bool,
    carried: &mut Carried,
) {
    let keep: fn(u8) -> bool = if formatted { is_lasting } else { is_solid };
    let names = |text: &Text, range: &Range<usize>, side: u64| -> Vec<u64> {
        let mut buffer = Vec::new();
        let name = |(at, line): (usize, usize)| match name_of(text.line(line), keep, &mut buffer) {
            // Two blank lines of different places have nothing to do with each other.
            BLANK => u64::MAX - 2 * at as u64 - side,
            name => name,
        };
        range.clone().enumerate().map(name).collect()
    };
    let (before, after) = (names(old, &hunk.base, 0), names(new, &hunk.side, 1));
    let Some(gaps) = line_diff::between(&before, &after, MOST_LINES) else { return };
    let (mut from, mut to) = (0, 0);
    let end = line_diff::Hunk { base: before.len()..before.len(), side: after.len()..after.len() };
    for gap in gaps.iter().chain([&end]) {
        while from < gap.base.start && to < gap.side.start {
            carried.pair(writers, hunk.base.start + from, hunk.side.start + to);
            carried.reblanked.push((hunk.base.start + from, hunk.side.start + to));
            from += 1;
            to += 1;
        }
        let base = hunk.base.start + gap.base.start..hunk.base.start + gap.base.end;
        let side = hunk.side.start + gap.side.start..hunk.side.start + gap.side.end;
        if !base.is_empty() && !side.is_empty() {
            wrapped(old, new, writers, base, side, keep, carried);
        }
        (from, to) = (gap.base.end, gap.side.end);
    }
}

/// The same text broken into other lines: each new line is of the old one in which it begins. Blank lines pair up where they are as many.
fn wrapped(
    old: &Text,
    new: &Text,
    writers: &[u32],
    base: Range<usize>,
    side: Range<usize>,
    keep: fn(u8) -> bool,
    carried: &mut Carried,
) {
    let solid = |text: &Text, range: &Range<usize>| -> (Vec<u8>, Vec<usize>) {
        let (mut bytes, mut starts) = (Vec::new(), Vec::new());
        for line in range.clone() {
            starts.push(bytes.len());
            bytes.extend(text.line(line).iter().copied().filter(|byte| keep(*byte)));
        }
        (bytes, starts)
    };
    let ((before, starts), (after, begins)) = (solid(old, &base), solid(new, &side));
    if before != after {
        // Something was typed or taken out beside it: what is the same before and behind that is still the same text.
        let ends =
            |starts: &[usize], all: usize| -> Vec<usize> { starts.iter().copied().chain([all]).collect() };
        let (starts, begins) = (ends(&starts, before.len()), ends(&begins, after.len()));
        let first = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
        let last =
            before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
        // The last line with which both begin anew within what is the same, and the first one behind it.
        let above = (1..begins.len()).rev().find_map(|new| {
            let old = starts.iter().rposition(|start| *start == begins[new])?;
            (begins[new] > 0 && begins[new] <= first && old > 0).then_some((old, new))
        });
        let below = (0..begins.len() - 1).find_map(|new| {
            let left = after.len() - begins[new];
            let old = starts.iter().position(|start| before.len() - start == left)?;
            let is_behind = above.is_none_or(|(from, to)| old >= from && new >= to);
            (left > 0 && left <= last && is_behind && old + 1 < starts.len()).then_some((old, new))
        });
        if let Some((from, to)) = above {
            let (base, side) = (base.start..base.start + from, side.start..side.start + to);
            wrapped(old, new, writers, base, side, keep, carried);
        }
        if let Some((from, to)) = below {
            wrapped(old, new, writers, base.start + from..base.end, side.start + to..side.end, keep, carried);
        }
        return;
    }
    if before.is_empty() {
        let only_blanks = |text: &Text, range: &Range<usize>| {
            range.clone().all(|line| !text.line(line).iter().any(|byte| is_solid(*byte)))
        };
        if base.len() == side.len() && only_blanks(old, &base) && only_blanks(new, &side) {
            base.zip(side).for_each(|(from, to)| carried.pair(writers, from, to));
        }
        return;
    }
    for (number, begin) in begins.iter().enumerate() {
        let new_line = side.start + number;
        if !new.line(new_line).iter().any(|byte| is_solid(*byte)) {
            continue;
        }
        // The last old line that begins here or earlier and has something in it.
        let at = starts.partition_point(|start| start <= begin).saturating_sub(1);
        carried.made_of(writers, base.start + at, new_line);
        let end = begins.get(number + 1).copied().unwrap_or(after.len());
        let length_of = |old: usize| starts.get(old + 1).copied().unwrap_or(before.len()) - starts[old];
        let in_it = (at..starts.len()).take_while(|old| starts[*old] < end).filter(|old| length_of(*old) > 0);
        let of: Vec<u32> = in_it.filter_map(|old| writers.get(base.start + old).copied()).collect();
        if of.len() > 1 {
            carried.joined.push((new_line, of));
        }
    }
    carried.stayed[base].fill(true);
}
