//! Three-way merge of one file.
//!
//! To take a step back, *base* is the file after the step, *ours* the file now, *theirs* the file before the step: what changed from
//! base to ours is later work and stays, what changed from base to theirs is the way back. Any other three contents do as well.
//!
//! **When two changes meet.** Changes that overlap or *touch* (no unchanged line between them) are one conflict, as in git
//! (`git merge-file`) and diff3: two neighbouring lines are seldom independent, and which of two insertions at one place comes first
//! nobody knows. One unchanged line between them is enough to keep them apart. The same change on both sides is no conflict.
//!
//! **How lines are matched.** Both comparisons are `similar`'s Myers, which splits like git's on long, very different texts and so stays
//! near linear without a clock; then every change is moved along equal lines to where git would put it (`slide`), so that
//! which of two equal lines was "the new one" is decided the same way in both comparisons.
//!
//! **What is not merged by lines.** Binary content, and content that is too long ([`MOST_BYTES`], [`MOST_LINES`]): there the whole
//! file is one piece (see [`Merge::whole`]). That is still exact where one side is unchanged.

mod hunks;
mod lines;
mod piece;
mod slide;
mod weave;

use std::ops::Range;

use lines::Lines;
pub use piece::{Choice, Conflict, Piece, Place, Whole};

/// Longer contents are not merged by lines.
pub const MOST_BYTES: usize = 64 << 20;
/// Nor are those with more lines than this, of both together, between the first and the last line that is different: then comparing could
/// take many seconds, and nobody looks through the result.
pub const MOST_LINES: usize = 1 << 19;

/// Git's rule made stricter: no NUL byte anywhere. Whether it is UTF-8 does not matter.
pub fn is_text(content: &[u8]) -> bool {
    !content.contains(&0)
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
    let hunks = [1, 2].map(|side| hunks::between(&names[0], &names[side], MOST_LINES));
    let [Some(in_ours), Some(in_theirs)] = hunks else {
        return put_together([base, ours, theirs].map(|side| Lines::one(side.bytes())), Some(Whole::TooLong));
    };
    let lengths = [base.len(), ours.len(), theirs.len()];
    let equal = |ours: Range<usize>, theirs: Range<usize>| names[1][ours] == names[2][theirs];
    let pieces = weave::weave(lengths, &in_ours, &in_theirs, equal);
    Merge { pieces, base, ours, theirs, whole }
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
