//! Where content lies: append-only pack files, one record per content.
//!
//! A record is a fixed header ([`format`]) and the content, compressed with zstd where that helps. The index knows where
//! each record is; the header repeats the hash, so that the index can be rebuilt from the packs alone. Records are only
//! ever appended: a writer that dies leaves bytes that nothing refers to, never a damaged record that something does.
//!
//! Large files are cut into chunks by their content (FastCDC), so that a change in a large file stores only the chunks
//! around it, and saving never needs more memory than a few chunks.
//!
//! Why packs, and not rows in the database or one file per content: see `docs/store.md`, with the measurements.

pub(crate) mod format;
mod reader;
mod sink;
mod writer;

pub(crate) use reader::{PackReader, Places};
pub(crate) use sink::{BlobSink, ContentMeter};
pub(crate) use writer::{create_own_pack, insert_pack, pack_file, place, sync_unsynced};
