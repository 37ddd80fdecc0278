//! What a merge is made of.

use std::ops::Range;

/// Where a piece is in the three contents: lines counted from 0, the end not included. An empty range lies before its line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// Lines of base.
    pub base: Range<usize>,
    /// Lines of ours.
    pub ours: Range<usize>,
    /// Lines of theirs.
    pub theirs: Range<usize>,
}

/// One piece of the merged file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Piece {
    /// The same in all three.
    Same(Place),
    /// Only ours changed it: ours is taken.
    Ours(Place),
    /// Only theirs changed it: theirs is taken.
    Theirs(Place),
    /// Both changed it, and in the same way.
    Both(Place),
    /// Both changed it, each in its own way: a person chooses.
    Conflict(Place),
    /// Theirs changed it, but it lies outside the lines that were asked for: ours is taken.
    Left(Place),
}

impl Piece {
    /// Where it is.
    pub fn place(&self) -> &Place {
        match self {
            Self::Same(place)
            | Self::Ours(place)
            | Self::Theirs(place)
            | Self::Both(place)
            | Self::Conflict(place)
            | Self::Left(place) => place,
        }
    }
}

/// What becomes of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Choice {
    /// It stays as it is now.
    Ours,
    /// The other content is taken.
    Theirs,
}

/// One conflict with its three texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict<'m> {
    /// Counted from 0 in the order of the file; what [`super::Merge::resolved`] asks for.
    pub number: usize,
    /// The lines.
    pub place: Place,
    /// What both started from.
    pub base: &'m [u8],
    /// What ours has.
    pub ours: &'m [u8],
    /// What theirs has.
    pub theirs: &'m [u8],
}

/// Why a file was not merged by lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Whole {
    /// One of the contents is not text.
    Binary,
    /// One of the contents is too long to be compared in bounded time.
    TooLong,
}
