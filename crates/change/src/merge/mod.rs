//! Three-way merge of one file.
//!
//! To take a step back, *base* is the file after the step, *ours* the file now, *theirs* the file before the step: what changed from
//! base to ours is later work and stays, what changed from base to theirs is the way back. Any other three contents do as well.
//!
//! **When two changes meet.** Changes of the same lines of base are one conflict, and so are lines that both bring to one place: which come first
//! nobody knows. Other changes that only *touch* (no unchanged line between them) are told apart by base and both done, unlike in git
//! (`git merge-file`) and diff3: who changes the line beside somebody else's has not changed theirs. But where equal lines leave open where one of
//! them ends and the other begins, touching is a conflict too. The same change on both sides is none.
//!
//! **How lines are matched.** Both comparisons are `similar`'s Myers, which splits like git's on long, very different texts and so stays
//! near linear without a clock; then every change is moved along equal lines to where git would put it (`store::line_diff`), so that
//! which of two equal lines was "the new one" is decided the same way in both comparisons.
//!
//! **What is not merged by lines.** Binary content, and content that is too long ([`MOST_BYTES`], [`MOST_LINES`]): there the whole
//! file is one piece (see [`Merge::whole`]). That is still exact where one side is unchanged.

mod lines;
mod marked;
mod piece;
mod weave;

use std::ops::Range;

use lines::Lines;
pub use piece::{Choice, Conflict, Piece, Place, Whole};
use store::line_diff::Hunk;
use weave::{Side, Wanders};

/// Longer contents are not merged by lines.
pub const MOST_BYTES: usize = 64 << 20;
/// Nor are those with more lines than this, of both together, between the first and the last line that is different: then comparing could
/// take many seconds, and nobody looks through the result.
pub const MOST_LINES: usize = 1 << 19;

/// Git's rule made stricter: no NUL byte anywhere. Whether it is UTF-8 does not matter.
pub fn is_text(content: &[u8]) -> bool {
    !words::has_nul(content)
}

/// Merges the changes from `base` to `ours` with those from `base` to `theirs`.
pub fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merge {
    let sides = [base, ours, theirs];
    if !sides.into_iter().all(is_text) {
        return put_together(sides.map(Lines::one), Some(Whole::Binary));
    }
    if sides.iter().any(|side| side.len() > MOST_BYTES) {
        return put_together(sides.map(Lines::one), Some(Whole::TooLong));
    }
    put_together(sides.map(Lines::of), None)
}

fn put_together([base, ours, theirs]: [Lines; 3], whole: Option<Whole>) -> Merge {
    let names = lines::names([&base, &ours, &theirs]);
    let hunks = [1, 2].map(|side| store::line_diff::between(&names[0], &names[side], MOST_LINES));
    let [Some(in_ours), Some(in_theirs)] = hunks else {
        return put_together([base, ours, theirs].map(|side| Lines::one(side.bytes())), Some(Whole::TooLong));
    };
    // Behind a last line without an end nothing may be put: the two would become one.
    let ends_open =
        [&base, &ours, &theirs].iter().any(|side| !side.bytes().is_empty() && !side.bytes().ends_with(b"\n"));
    let mut pieces = woven(&names, [&in_ours, &in_theirs], ends_open, true);
    // Lines that are equal leave open what was changed. If it is not the same read from below, changes that touch are not told apart.
    if pieces.windows(2).any(touch) && !is_same_from_below(&names, &pieces) {
        pieces = woven(&names, [&in_ours, &in_theirs], ends_open, false);
    }
    Merge { pieces, base, ours, theirs, whole }
}

fn woven(names: &[Vec<u32>; 3], [ours, theirs]: [&[Hunk]; 2], ends_open: bool, apart: bool) -> Vec<Piece> {
    let lengths = [names[0].len(), names[1].len(), names[2].len()];
    let equal = |ours: Range<usize>, theirs: Range<usize>| names[1][ours] == names[2][theirs];
    let wanders = |side: Side, hunk: &Hunk| match side {
        Side::Ours => wanders(&names[0], &names[1], hunk, ends_open),
        Side::Theirs => wanders(&names[0], &names[2], hunk, ends_open),
    };
    weave::weave(lengths, ours, theirs, equal, wanders, apart)
}

/// Two changes, one of each side, with nothing in between.
fn touch(two: &[Piece]) -> bool {
    matches!(two, [Piece::Ours(_), Piece::Theirs(_)] | [Piece::Theirs(_), Piece::Ours(_)])
}

/// The merge of the files with their lines in the opposite order has the same lines in the opposite order.
fn is_same_from_below(names: &[Vec<u32>; 3], pieces: &[Piece]) -> bool {
    let turned = [0, 1, 2].map(|side: usize| names[side].iter().rev().copied().collect::<Vec<u32>>());
    let hunks = [1, 2].map(|side| store::line_diff::between(&turned[0], &turned[side], MOST_LINES));
    let [Some(ours), Some(theirs)] = hunks else { return false };
    let below = woven(&turned, [&ours, &theirs], false, true);
    let lines = |names: &[Vec<u32>; 3], pieces: &[Piece], theirs: bool| -> Vec<u32> {
        let of = |piece: &Piece| match piece {
            Piece::Theirs(place) => names[2][place.theirs.clone()].to_vec(),
            Piece::Conflict(place) if theirs => names[2][place.theirs.clone()].to_vec(),
            piece => names[1][piece.place().ours.clone()].to_vec(),
        };
        pieces.iter().flat_map(of).collect()
    };
    [false, true].into_iter().all(|theirs| {
        let mut from_below = lines(&turned, &below, theirs);
        from_below.reverse();
        lines(names, pieces, theirs) == from_below
    })
}

/// A change that only puts lines in, or only takes some away, means the same one line further if the line that it would pass is the one at
/// its other end.
fn wanders(base: &[u32], side: &[u32], hunk: &Hunk, ends_open: bool) -> Wanders {
    let at_end = ends_open && hunk.base.end == base.len();
    let (lines, at) = match (hunk.base.is_empty(), hunk.side.is_empty()) {
        (true, false) => (side, &hunk.side),
        (false, true) => (base, &hunk.base),
        _ => return Wanders { up: false, down: at_end },
    };
    let above = hunk.base.start.checked_sub(1).map(|line| base[line]);
    Wanders {
        up: above.is_some() && above == lines.get(at.end - 1).copied(),
        down: at_end || lines.get(at.start).is_some() && base.get(hunk.base.end) == lines.get(at.start),
    }
}

/// The merged file, piece by piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge {
    pieces: Vec<Piece>,
    base: Lines,
    ours: Lines,
    theirs: Lines,
    whole: Option<Whole>,
}

impl Merge {
    /// The pieces from the first line to the last.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Why the whole file is one piece, if it is.
    pub fn whole(&self) -> Option<Whole> {
        self.whole
    }

    /// Nothing has to be chosen.
    pub fn is_clean(&self) -> bool {
        !self.pieces.iter().any(|piece| matches!(piece, Piece::Conflict(_)))
    }

    /// The result is `ours` as it is, whatever is chosen.
    pub fn changes_nothing(&self) -> bool {
        !self.pieces.iter().any(|piece| matches!(piece, Piece::Theirs(_) | Piece::Conflict(_)))
    }

    /// The conflicts in the order of the file.
    pub fn conflicts(&self) -> Vec<Conflict<'_>> {
        let places = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Conflict(place) => Some(place),
            _ => None,
        });
        places
            .enumerate()
            .map(|(number, place)| Conflict {
                number,
                place: place.clone(),
                base: self.base.text(&place.base),
                ours: self.ours.text(&place.ours),
                theirs: self.theirs.text(&place.theirs),
            })
            .collect()
    }

    /// What the three contents have at a place: base, ours, theirs.
    pub fn texts(&self, place: &Place) -> [&[u8]; 3] {
        [self.base.text(&place.base), self.ours.text(&place.ours), self.theirs.text(&place.theirs)]
    }

    /// The merged content. `choice` is asked for each conflict by its number.
    pub fn resolved(&self, choice: impl Fn(usize) -> Choice) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.ours.bytes().len());
        let mut conflict = 0;
        for piece in &self.pieces {
            let place = piece.place();
            let theirs = match piece {
                Piece::Theirs(_) => true,
                Piece::Same(_) | Piece::Ours(_) | Piece::Both(_) | Piece::Left(_) => false,
                Piece::Conflict(_) => {
                    conflict += 1;
                    choice(conflict - 1) == Choice::Theirs
                }
            };
            out.extend_from_slice(if theirs {
                self.theirs.text(&place.theirs)
            } else {
                self.ours.text(&place.ours)
            });
        }
        out
    }

    /// The merged content, if nothing has to be chosen.
    pub fn clean(&self) -> Option<Vec<u8>> {
        self.is_clean().then(|| self.resolved(|_| Choice::Ours))
    }

    /// The same merge for these lines of `ours` only (counted from 0, the end not included): what theirs would change elsewhere becomes
    /// [`Piece::Left`]. A piece that reaches into the lines is taken whole, since half of a change may be none; its place says how far
    /// it goes. Lines that theirs would put *between* two lines of ours count as inside if both are, so what was above or below a
    /// function stays out of it; an empty range names the gap between two lines itself.
    pub fn only_lines(mut self, lines: Range<usize>) -> Self {
        let last = self.ours.len();
        let inside = |ours: &Range<usize>| {
            if !ours.is_empty() && !lines.is_empty() {
                return ours.start < lines.end && lines.start < ours.end;
            }
            if lines.is_empty() {
                return ours.start <= lines.start && lines.start <= ours.end;
            }
            let at_top = ours.start == 0 && lines.start == 0;
            let at_end = ours.start == last && lines.end >= last;
            at_top || at_end || (lines.start < ours.start && ours.start < lines.end)
        };
        for piece in &mut self.pieces {
            if let Piece::Theirs(place) | Piece::Conflict(place) = piece
                && !inside(&place.ours)
            {
                *piece = Piece::Left(place.clone());
            }
        }
        self
    }
}

#[cfg(test)]
mod tests;
