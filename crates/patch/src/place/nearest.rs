//! What to show when a hunk has no place: the part of the file that comes nearest.

use std::collections::{HashMap, HashSet};

use super::{Candidate, Wanted, shown};
use crate::decision::{Nearest, Reason, Refusal};
use crate::normal::is_telling;
use crate::target::Target;

/// Lines of the file that are shown at the most.
const MOST_SHOWN: usize = 24;
/// A line may stand so far from where it should be.
const MOST_SHIFTED: usize = 2;
/// Longer files are not searched word by word.
const MOST_COMPARED: usize = 50_000;
/// A line that occurs more often than this tells nothing about the place.
const COMMON: usize = 200;

/// The refusal for a hunk without a place.
pub(super) fn not_found(wanted: &Wanted<'_, '_>, target: &Target<'_>) -> Refusal {
    let nearest = find(wanted, target);
    let telling = wanted.normals.iter().filter(|line| is_telling(line)).count();
    let other_version = nearest.as_ref().is_some_and(|nearest| nearest.matching * 2 >= telling.max(1));
    let mut refusal = match &nearest {
        Some(near) if other_version => {
            let differs = match (near.differs_at, &near.patch_says) {
                (Some(line), Some(text)) => format!("; line {line} is not `{text}`"),
                _ => String::new(),
            };
            Refusal::new(
                Reason::OtherVersion,
                format!(
                    "the hunk was made for another version of the file: {} of its {} old lines stand near line {}{differs}",
                    near.matching, near.of, near.first_line
                ),
                "copy the context and the removed lines from the file as it is now (shown under `nearest`)",
            )
        }
        _ => Refusal::new(
            Reason::NotFound,
            "nothing in the file looks like the context and removed lines of this hunk",
            "check that the file is the right one, and copy the lines around the change from it",
        ),
    };
    refusal.nearest = nearest.map(Box::new);
    refusal
}

/// The share of telling lines that makes the place in the header a rival of another one.
const NEARLY: f64 = 0.7;

/// Refuses a place far from the header's if the lines at the header's own place nearly fit: then the file is probably another
/// version, and the place found is a twin of the one that is meant.
pub(super) fn refuse_if_header_nearly_fits(
    wanted: &Wanted<'_, '_>,
    target: &Target<'_>,
    chosen: &Candidate,
) -> Result<(), Refusal> {
    let claimed = wanted.hunk.claim.old_start.and_then(|start| usize::try_from(start).ok()?.checked_sub(1));
    let Some(claimed) = claimed.filter(|claimed| *claimed < target.len()) else { return Ok(()) };
    let (first, last) = super::span(chosen);
    let length = wanted.old.len();
    if claimed <= last + MOST_SHIFTED && first <= claimed.saturating_add(length + MOST_SHIFTED) {
        return Ok(());
    }
    let telling: Vec<usize> = (0..length).filter(|&number| is_telling(&wanted.normals[number])).collect();
    let stands = |number: &&usize| {
        let at = claimed.saturating_add(**number);
        (at.saturating_sub(MOST_SHIFTED)..=at.saturating_add(MOST_SHIFTED))
            .any(|line| target.is(line, &wanted.normals[**number]))
    };
    let standing = telling.iter().filter(stands).count();
    if telling.len() < 2 || (standing as f64) < telling.len() as f64 * NEARLY {
        return Ok(());
    }
    let mut refusal = Refusal::new(
        Reason::Ambiguous,
        format!(
            "the hunk fits at line {}, but line {}, which the header names, nearly fits as well",
            first + 1,
            claimed + 1
        ),
        "copy the context from the file as it is now, or give the right line number",
    );
    refusal.candidates = vec![claimed + 1, first + 1];
    refusal.nearest = shown_from(wanted, target, claimed).map(Box::new);
    Err(refusal)
}

fn find(wanted: &Wanted<'_, '_>, target: &Target<'_>) -> Option<Nearest> {
    let start = by_lines(wanted, target).or_else(|| by_words(wanted, target))?;
    shown_from(wanted, target, start)
}

fn shown_from(wanted: &Wanted<'_, '_>, target: &Target<'_>, start: usize) -> Option<Nearest> {
    let end = (start + wanted.old.len() + 2).min(target.len()).min(start + MOST_SHOWN);
    let near = |number: usize| {
        let at = start + number;
        (at.saturating_sub(2)..=at + 2).any(|line| target.is(line, &wanted.normals[number]))
    };
    let matching =
        (0..wanted.old.len()).filter(|&number| is_telling(&wanted.normals[number]) && near(number)).count();
    let differs = (0..wanted.old.len()).find(|&number| !near(number));
    Some(Nearest {
        first_line: start + 1,
        lines: (start..end).map(|line| shown(target.line(line))).collect(),
        matching,
        of: wanted.old.len(),
        differs_at: differs.map(|number| start + number + 1).filter(|line| *line <= target.len()),
        patch_says: differs.map(|number| shown(wanted.line(number).text)),
    })
}

/// The beginning that most old lines agree on.
fn by_lines(wanted: &Wanted<'_, '_>, target: &Target<'_>) -> Option<usize> {
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (number, line) in wanted.normals.iter().enumerate() {
        let positions = target.positions(line);
        if is_telling(line) && positions.len() <= COMMON {
            for &position in positions {
                *votes.entry((position as usize).saturating_sub(number)).or_default() += 1;
            }
        }
    }
    let weight = |start: usize| -> usize {
        (start.saturating_sub(2)..=start + 2).filter_map(|near| votes.get(&near)).sum()
    };
    votes.keys().copied().max_by_key(|&start| (weight(start), votes[&start], usize::MAX - start))
}

/// The stretch that shares most words with the hunk.
fn by_words(wanted: &Wanted<'_, '_>, target: &Target<'_>) -> Option<usize> {
    if target.len() > MOST_COMPARED {
        return None;
    }
    fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
        line.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80))
            .filter(|word| word.len() >= 3)
            .take(200)
    }
    let known: HashSet<&[u8]> = wanted.normals.iter().flat_map(|line| words(line)).collect();
    if known.is_empty() {
        return None;
    }
    let scores: Vec<usize> = (0..target.len())
        .map(|line| words(target.line(line)).filter(|word| known.contains(word)).count())
        .collect();
    let length = wanted.old.len().clamp(1, target.len().max(1));
    let mut sum: usize = scores.iter().take(length).sum();
    let mut best = (sum, 0);
    for start in 1..=scores.len().saturating_sub(length) {
        sum = sum + scores[start + length - 1] - scores[start - 1];
        if sum > best.0 {
            best = (sum, start);
        }
    }
    (best.0 > 0).then_some(best.1)
}
