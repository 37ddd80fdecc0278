//! What is different between two lists of lines: `similar`'s Myers, then every change is moved to where git would put it (`slide`). Merging
//! and the question who wrote a line both ask here, so that they never disagree about which of two equal lines is the new one.

mod slide;

use std::convert::Infallible;
use std::hash::Hash;
use std::ops::Range;

use similar::Algorithm;
use similar::algorithms::{DiffHook, diff_slices};

use slide::slide;

/// Lines of base that are other lines on one side. At least one unchanged line lies between two of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// In the base.
    pub base: Range<usize>,
    /// On the side.
    pub side: Range<usize>,
}

/// All of them in order. None if more than `most` lines of both would have to be compared.
pub fn between<L: Eq + Hash + Ord>(base: &[L], side: &[L], most: usize) -> Option<Vec<Hunk>> {
    let top = base.iter().zip(side).take_while(|(a, b)| a == b).count();
    let end = base[top..].iter().rev().zip(side[top..].iter().rev()).take_while(|(a, b)| a == b).count();
    if base.len() + side.len() - 2 * (top + end) > most {
        return None;
    }
    let mut marks = Marks { base: vec![true; base.len()], side: vec![true; side.len()] };
    let Ok(()) = diff_slices(Algorithm::Myers, &mut marks, base, side);
    let Marks { base: mut in_base, side: mut in_side } = marks;
    slide(base, &mut in_base, &in_side);
    slide(side, &mut in_side, &in_base);
    Some(collect(&in_base, &in_side))
}

/// Which lines have no equal on the other side.
struct Marks {
    base: Vec<bool>,
    side: Vec<bool>,
}

impl DiffHook for Marks {
    type Error = Infallible;

    fn equal(&mut self, base: usize, side: usize, count: usize) -> Result<(), Self::Error> {
        self.base[base..base + count].fill(false);
        self.side[side..side + count].fill(false);
        Ok(())
    }
}

fn collect(in_base: &[bool], in_side: &[bool]) -> Vec<Hunk> {
    let run = |marks: &[bool], from: usize| marks[from..].iter().take_while(|mark| **mark).count();
    let mut hunks = Vec::new();
    let (mut base, mut side) = (0, 0);
    loop {
        let (gone, came) = (run(in_base, base), run(in_side, side));
        if gone + came > 0 {
            hunks.push(Hunk { base: base..base + gone, side: side..side + came });
        }
        // The next line is unchanged, and so it is in both.
        base += gone + 1;
        side += came + 1;
        if base > in_base.len() || side > in_side.len() {
            return hunks;
        }
    }
}
