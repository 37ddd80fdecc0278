//! Two lists of changes of one text become one list of pieces.

use std::ops::Range;

use super::piece::{Piece, Place};
use store::line_diff::Hunk;

/// `lengths` are the lines of base, ours and theirs; `equal` compares lines of ours with lines of theirs; `wanders` says of a hunk whether it
/// would mean the same one line further up or down; `apart`: changes that touch are told apart.
pub(super) fn weave(
    lengths: [usize; 3],
    ours: &[Hunk],
    theirs: &[Hunk],
    equal: impl Fn(Range<usize>, Range<usize>) -> bool,
    wanders: impl Fn(Side, &Hunk) -> Wanders,
    apart: bool,
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
        let (taken_ours, taken_theirs, end) = meeting(ours, theirs, &wanders, apart);
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

/// Which side changed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Ours,
    Theirs,
}

/// Equal lines around a change make it mean the same elsewhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Wanders {
    pub(super) up: bool,
    pub(super) down: bool,
}

/// The next hunks, as far as they have to be looked at together; and the line of base where they end.
fn meeting(
    ours: &[Hunk],
    theirs: &[Hunk],
    wanders: &impl Fn(Side, &Hunk) -> Wanders,
    apart: bool,
) -> (usize, usize, usize) {
    let (mut from_ours, mut from_theirs, mut end) = (0, 0, 0);
    let meet = |one: &Hunk, other: &Hunk| {
        let touch = one.base.start <= other.base.end && other.base.start <= one.base.end;
        touch && (!apart || meets((one, wanders(Side::Ours, one)), (other, wanders(Side::Theirs, other))))
    };
    loop {
        let (next_ours, next_theirs) = (ours.get(from_ours), theirs.get(from_theirs));
        let alone = from_ours + from_theirs == 0;
        // What only puts lines in comes before what changes the line behind them.
        let place = |hunk: &Hunk| (hunk.base.start, hunk.base.end);
        let ours_first = match (next_ours, next_theirs) {
            (Some(one), Some(other)) => place(one) <= place(other),
            (one, _) => one.is_some(),
        };
        if let Some(hunk) = next_ours
            .filter(|hunk| alone && ours_first || theirs[..from_theirs].iter().any(|other| meet(hunk, other)))
        {
            end = end.max(hunk.base.end);
            from_ours += 1;
        } else if let Some(hunk) = next_theirs
            .filter(|hunk| alone && !ours_first || ours[..from_ours].iter().any(|other| meet(other, hunk)))
        {
            end = end.max(hunk.base.end);
            from_theirs += 1;
        } else {
            return (from_ours, from_theirs, end);
        }
    }
}

/// Of two changes that touch: they change the same lines, or both bring lines to one place and nobody knows which come first, or equal lines
/// leave it open where one ends and the other begins.
fn meets((one, at_one): (&Hunk, Wanders), (other, at_other): (&Hunk, Wanders)) -> bool {
    let both_bring = !one.side.is_empty() && !other.side.is_empty();
    // Lines that take the place of others may as well have come before them or behind them.
    if both_bring && (one.base.is_empty() || other.base.is_empty()) {
        return true;
    }
    let (one, other) = (&one.base, &other.base);
    (one.start < other.end && other.start < one.end)
        || (one.end == other.start && (at_one.down || at_other.up))
        || (other.end == one.start && (at_other.down || at_one.up))
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
