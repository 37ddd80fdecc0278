//! Edits that never land in the wrong place.
//!
//! [`parse`] reads what a model wrote (unified and git diffs with all their usual defects, `*** Begin Patch`, search/replace
//! blocks; with words and code fences around them) into a [`Patch`]. [`apply`] finds the one place of every hunk in a
//! file's content, or refuses and says why, with the nearest lines of the file so that the next try succeeds.
//!
//! Promises: pure functions on bytes, no files, no clock; the content comes out whole or not at all; lines that a hunk does
//! not change keep their bytes, line endings included; a removed line is in the file (whitespace and punctuation aside);
//! each hunk has exactly one place, or the header names it to the line.
//!
//! Start reading at the page on matching in `place/mod.rs`, then [`apply()`].

mod apply;
mod decision;
mod edit;
mod elision;
mod indent;
mod keep;
mod lines;
pub mod model;
mod normal;
mod parse;
mod place;
mod reverse;
mod target;

pub use apply::{FileResult, MIN_CONFIDENCE, Options, apply};
pub use decision::{Decision, Nearest, Outcome, Reason, Refusal};
pub use keep::{has_keep_regions, keep_region_lost};
pub use model::{FileAction, FilePatch, Format, Patch};
pub use normal::Level;
pub use parse::{LONGEST_TEXT, ParseError, parse};
pub use reverse::reverse;
