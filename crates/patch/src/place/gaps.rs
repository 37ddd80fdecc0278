//! Hunks whose context is cut short by `...` lines.

use super::{Candidate, Wanted, is_in_line, level_of};
use crate::decision::{Reason, Refusal};
use crate::elision;
use crate::model::Kind;
use crate::target::Target;

/// More combinations than this are not tried: the hunk is ambiguous anyway.
const MOST: usize = 64;

/// A piece of the old side between gaps.
struct Piece {
    from: usize,
    to: usize,
    places: Vec<usize>,
    /// Changes hang on it: its place must be unique.
    changes: bool,
}

/// All places for the pieces; empty if there is no gap or a piece is not there.
pub(super) fn find(wanted: &Wanted<'_, '_>, target: &Target<'_>) -> Result<Vec<Candidate>, Refusal> {
    let is_gap = |number: usize| {
        wanted.line(number).kind == Kind::Context && elision::is_gap(wanted.line(number).text)
    };
    let gaps: Vec<usize> = (0..wanted.old.len()).filter(|&number| is_gap(number)).collect();
    if gaps.is_empty() {
        return Ok(Vec::new());
    }
    for &gap in &gaps {
        let at = wanted.old[gap];
        let beside = [at.checked_sub(1), Some(at + 1)];
        let changes = |at: Option<usize>| {
            at.and_then(|at| wanted.lines.get(at)).is_some_and(|line| line.kind != Kind::Context)
        };
        if beside.into_iter().any(changes) {
            return Err(Refusal::new(
                Reason::Placeholder,
                "a `...` line stands right beside a changed line, so it is not clear what it leaves out",
                "show at least one unchanged line between `...` and the change, or leave the `...` out",
            ));
        }
    }
    let mut pieces = Vec::new();
    let mut from = 0;
    for gap in gaps.into_iter().chain([wanted.old.len()]) {
        if gap > from {
            let (first, last) = (wanted.old[from], wanted.old[gap - 1]);
            pieces.push(Piece {
                from,
                to: gap,
                places: target.find_run(&wanted.normals[from..gap]),
                changes: wanted.lines[first..=last].iter().any(|line| line.kind != Kind::Context)
                    || (from == 0 && first > 0)
                    || (gap == wanted.old.len() && last + 1 < wanted.lines.len()),
            });
        }
        from = gap + 1;
    }
    if pieces.iter().any(|piece| piece.places.is_empty()) || !pieces.iter().any(|piece| piece.changes) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    combine(&pieces, &mut Vec::new(), &mut found);
    let start = wanted.hunk.claim.old_start.and_then(|start| usize::try_from(start).ok()?.checked_sub(1));
    Ok(found
        .into_iter()
        .filter_map(|fixed| arrange(&pieces, &fixed, start))
        .map(|starts| {
            let mut at = vec![None; wanted.old.len()];
            for (piece, start) in pieces.iter().zip(starts) {
                for (place, line) in at[piece.from..piece.to].iter_mut().zip(start..) {
                    *place = Some(line);
                }
            }
            let level = level_of(wanted, target, &at);
            Candidate { at, level, substituted: 0, skipped: 0, beside_added: None, attach_down: false }
        })
        .filter(|candidate| is_in_line(wanted, target, candidate))
        .collect())
}

/// All choices of places for the pieces with changes.
fn combine(pieces: &[Piece], chosen: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if found.len() > MOST {
        return;
    }
    let Some(piece) = pieces.iter().filter(|piece| piece.changes).nth(chosen.len()) else {
        found.push(chosen.clone());
        return;
    };
    let after = chosen.last().copied();
    for &place in piece.places.iter().filter(|&&place| after.is_none_or(|after| place > after)) {
        chosen.push(place);
        combine(pieces, chosen, found);
        chosen.pop();
    }
}

/// Puts the pieces without changes in between, in order; none if they do not fit.
fn arrange(pieces: &[Piece], fixed: &[usize], start: Option<usize>) -> Option<Vec<usize>> {
    let mut fixed = fixed.iter().copied();
    let mut free_from = 0;
    let mut starts = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let place = if piece.changes {
            fixed.next().filter(|&place| place >= free_from)?
        } else {
            let named = starts.is_empty().then_some(start).flatten();
            let named = named.filter(|start| piece.places.contains(start));
            named.or_else(|| piece.places.iter().copied().find(|&place| place >= free_from))?
        };
        free_from = place + piece.to - piece.from;
        starts.push(place);
    }
    Some(starts)
}
