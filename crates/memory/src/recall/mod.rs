//! Recall: which memories fit what is being done now.
//!
//! Made for processes that live for two milliseconds. The index is a few immutable files, of which a query reads only the
//! ranges it needs, and a short tail of new memories that is indexed on the fly. It is derived from the log: it may be
//! deleted at any time and built again. Nothing here starts a thread, keeps a daemon or leaves the machine.
//!
//! Start reading at [`Index::search`]; how a memory becomes words is in [`words::tokens()`], how a file lies on the disk in `format`.

mod ages;
mod build;
mod dense;
mod document;
mod error;
mod excerpt;
pub mod feed;
mod format;
mod from_event;
mod index;
mod merge;
mod query;
mod rank;
mod segment;
mod select;
mod sketch;
mod source;
mod surroundings;
mod when;
mod writer;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_many;

pub use dense::{Model, ModelError};
pub use document::Document;
pub use error::{Error, Result};
pub use feed::Fed;
pub use index::Index;
pub use query::{Budget, Hit, Parts, Query, Reason, SessionHit, Weights};
pub use writer::{Folded, IndexWriter, Merged};
