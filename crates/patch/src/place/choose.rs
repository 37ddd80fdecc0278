//! From all places that fit to the one that is meant, or to a refusal.

use super::{Candidate, Wanted};
use crate::decision::{Reason, Refusal};
use crate::normal::{indent, is_blank, is_telling, normal, trim};
use crate::target::Target;

/// So many places are listed in a refusal.
const MOST_LISTED: usize = 20;

/// The candidate at the closest level, if it is the only one or the header names it.
pub(super) fn choose(
    wanted: &Wanted<'_, '_>,
    target: &Target<'_>,
    mut candidates: Vec<Candidate>,
) -> Result<Candidate, Refusal> {
    let claim = &wanted.hunk.claim;
    if claim.at_end {
        candidates.retain(|candidate| reaches_end(candidate, target));
    }
    let Some(best) = candidates.iter().map(|candidate| candidate.level).min() else {
        return Err(super::nearest::not_found(wanted, target));
    };
    let named = named(wanted, &candidates);
    let mut closest = candidates.iter().filter(|candidate| candidate.level == best);
    let (first, second) = (closest.next(), closest.next());
    match (first, second, named) {
        (_, _, Some(named)) if candidates[named].level == best => Ok(candidates.swap_remove(named)),
        (Some(only), None, None) => {
            if !claim.at_end && !wanted.normals.iter().any(|line| is_telling(line)) {
                return Err(weak(wanted));
            }
            Ok(only.clone())
        }
        _ => {
            let in_anchor = in_anchor_block(wanted, target, &candidates);
            match in_anchor[..] {
                [only] => Ok(candidates.swap_remove(only)),
                _ => Err(ambiguous(wanted, &candidates)),
            }
        }
    }
}

/// The candidate that begins exactly where the header says (and ends there, if several begin there).
fn named(wanted: &Wanted<'_, '_>, candidates: &[Candidate]) -> Option<usize> {
    let claim = &wanted.hunk.claim;
    let start = usize::try_from(claim.old_start?.checked_sub(1)?).ok()?;
    let begins: Vec<usize> =
        (0..candidates.len()).filter(|&number| candidates[number].at.first() == Some(&Some(start))).collect();
    match begins[..] {
        [] => None,
        [only] => Some(only),
        _ => {
            let end = start.checked_add(usize::try_from(claim.old_count?).ok()?)?;
            let mut ends = begins.into_iter().filter(|&number| {
                candidates[number].at.last().is_some_and(|last| *last == end.checked_sub(1))
            });
            ends.next().filter(|_| ends.next().is_none())
        }
    }
}

fn reaches_end(candidate: &Candidate, target: &Target<'_>) -> bool {
    let (_, last) = super::span(candidate);
    (last + 1..target.len()).all(|line| is_blank(target.line(line)))
}

/// Candidates in the block that an anchor (`@@ class A`) opens, told by indentation.
fn in_anchor_block(wanted: &Wanted<'_, '_>, target: &Target<'_>, candidates: &[Candidate]) -> Vec<usize> {
    let claim = &wanted.hunk.claim;
    let Some(heading) = claim.heading.filter(|_| claim.is_anchor) else { return Vec::new() };
    let wanted_heading = normal(heading);
    let exact = target.positions(&wanted_heading);
    let anchors: Vec<usize> = if exact.is_empty() {
        (0..target.len()).filter(|&line| trim(target.line(line)).starts_with(trim(heading))).collect()
    } else {
        exact.iter().map(|&line| line as usize).collect()
    };
    let blocks: Vec<(usize, usize)> = anchors
        .into_iter()
        .map(|anchor| {
            let column = indent(target.line(anchor)).len();
            let closes = |line: &usize| {
                let text = target.line(*line);
                !is_blank(text) && indent(text).len() <= column
            };
            (anchor, (anchor + 1..target.len()).find(closes).unwrap_or(target.len()))
        })
        .collect();
    let inside = |candidate: &Candidate| {
        let (first, last) = super::span(candidate);
        blocks.iter().any(|&(from, to)| from <= first && last <= to)
    };
    (0..candidates.len()).filter(|&number| inside(&candidates[number])).collect()
}

fn weak(wanted: &Wanted<'_, '_>) -> Refusal {
    Refusal::new(
        Reason::WeakContext,
        format!(
            "the {} context and removed lines of the hunk say too little to find a place by",
            wanted.normals.len()
        ),
        "show two or three telling lines above and below the change, or give the right line number",
    )
}

pub(super) fn ambiguous(wanted: &Wanted<'_, '_>, candidates: &[Candidate]) -> Refusal {
    let mut lines: Vec<usize> = candidates.iter().map(|candidate| super::span(candidate).0 + 1).collect();
    lines.sort_unstable();
    lines.dedup();
    let count = lines.len();
    lines.truncate(MOST_LISTED);
    let list = lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let more = if count > lines.len() { ", …" } else { "" };
    let named = match wanted.hunk.claim.old_start {
        Some(line) => format!("; the header says line {line}, which does not settle it"),
        None => String::new(),
    };
    let mut refusal = Refusal::new(
        Reason::Ambiguous,
        format!("the hunk fits in {count} places (lines {list}{more}){named}"),
        "add context lines until only one place fits, or give the exact line number in the header",
    );
    refusal.candidates = lines;
    refusal
}
