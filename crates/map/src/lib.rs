//! The project map: which files there are, what each is for, which functions and classes it has, and who needs whom.
//!
//! What this crate promises:
//! - [`outline`] never panics and never takes long, whatever the bytes: size and time are limited, and a text that was not
//!   read says why.
//! - A grammar is loaded only when a file of its language is parsed. Only [`reading()`] may be asked in a hook,
//!   about the one file that was just edited.
//! - A file is parsed once for each content: [`Cache`] keeps outlines by content hash.
//! - The crate reads no files and starts no programs, but for [`co_change`], which asks git for its history.
//!
//! Start reading at [`Map`] and [`Outline`], then `walk.rs`.

mod anchors;
mod cache;
mod category;
mod co_change;
mod compare;
mod digest;
mod gaps;
mod imports;
mod language;
mod map;
mod outline;
mod patience;
mod reading;
mod resolve;
mod rules;
mod symbol;
mod tests_found;
mod walk;

pub use anchors::{Anchor, AnchorProblem, anchors, comment_style, problems as anchor_problems};
pub use cache::Cache;
pub use category::{Category, category};
pub use co_change::{CoChange, co_change};
pub use compare::{SymbolChange, compare};
pub use imports::Import;
pub use language::Language;
pub use map::{FileInfo, Map, Source};
pub use outline::{Outline, Unread, outline, outline_of_path};
pub use reading::{Reading, reading};
pub use symbol::{Symbol, SymbolKind, TestFacts};
