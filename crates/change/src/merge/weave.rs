//! Two lists of changes of one text become one list of pieces.

use std::ops::Range;

use super::hunks::Hunk;
use super::piece::{Piece, Place};

/// `lengths` are the lines of base, ours and theirs; `equal` compares lines of ours with lines of theirs.
pub(super) fn weave(
    lengths: [usize; 3],
    ours: &[Hunk],
    theirs: &[Hunk],
    equal: impl Fn(Range<usize>, Range<usize>) -> bool,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut ours, mut theirs) = (ours, theirs);
    // How far the pieces go in each of the three.
    let mut done = [0, 0, 0];
    while let Some(first) =
        [ours.first(), theirs.first()].into_iter().flatten().map(|hunk| hunk.base.start).min()
    {
        let same = first - done[0];
        if same > 0 {
            pieces.push(Piece::Same(place(done, [same; 3])));
            done = done.map(|at| at + same);
        }
        let (taken_ours, taken_theirs, end) = touching(ours, theirs, first);
        let (of_ours, of_theirs) = (&ours[..taken_ours], &theirs[..taken_theirs]);
        let length = end - done[0];
        let here = place(done, [length, grown(length, of_ours), grown(length, of_theirs)]);
        done = [here.base.end, here.ours.end, here.theirs.end];
        pieces.push(match (of_ours.is_empty(), of_theirs.is_empty()) {
            (_, true) => Piece::Ours(here),
            (true, _) => Piece::Theirs(here),
            _ if equal(here.ours.clone(), here.theirs.clone()) => Piece::Both(here),
            _ => Piece::Conflict(here),
        });
        ours = &ours[taken_ours..];
        theirs = &theirs[taken_theirs..];
    }
    let rest = lengths[0] - done[0];
    if rest > 0 {
        pieces.push(Piece::Same(place(done, [rest; 3])));
    }
    pieces
}

/// The hunks of both sides that overlap or touch, one after the other, from this line of base on; and the line where they end.
fn touching(ours: &[Hunk], theirs: &[Hunk], start: usize) -> (usize, usize, usize) {
    let (mut from_ours, mut from_theirs, mut end) = (0, 0, start);
    loop {
        if let Some(hunk) = ours.get(from_ours).filter(|hunk| hunk.base.start <= end) {
            end = end.max(hunk.base.end);
            from_ours += 1;
        } else if let Some(hunk) = theirs.get(from_theirs).filter(|hunk| hunk.base.start <= end) {
            end = end.max(hunk.base.end);
            from_theirs += 1;
        } else {
            return (from_ours, from_theirs, end);
        }
    }
}

/// So many lines of base, with these hunks in them, are how many lines of the side?
fn grown(length: usize, hunks: &[Hunk]) -> usize {
    let gone: usize = hunks.iter().map(|hunk| hunk.base.len()).sum();
    let came: usize = hunks.iter().map(|hunk| hunk.side.len()).sum();
    length - gone + came
}

fn place(starts: [usize; 3], lengths: [usize; 3]) -> Place {
    let range = |side: usize| starts[side]..starts[side] + lengths[side];
    Place { base: range(0), ours: range(1), theirs: range(2) }
}
