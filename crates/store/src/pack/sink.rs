//! [`BlobSink`]: takes content from several threads, compresses it once, and holds the records until the checkpoint is
//! committed: a little in memory, a lot in a pack file of its own.

use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::Connection;

use super::format::{self, Encoding, Header};
use super::writer::create_own_pack;
use crate::db::Database;
use crate::hash::ContentHash;
use crate::{Error, Result};

/// Records up to this much wait in memory and go into the shared pack; more than this gets a pack of its own.
const MEMORY_LIMIT: usize = 8 << 20;

/// Below this, compressing gains nothing.
const COMPRESS_FROM: usize = 64;

/// A new record: where it is within the sink's output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlobRow {
    pub(crate) hash: ContentHash,
    pub(crate) offset: u64,
    pub(crate) stored: u32,
    pub(crate) size: u64,
    pub(crate) encoding: Encoding,
}

/// Where the records are now.
pub(crate) enum Output {
    /// In memory, to be appended to the shared pack.
    Memory(Vec<u8>),
    /// In a pack file that nobody else knows yet.
    OwnPack { path: PathBuf, file: File, length: u64 },
}

struct State {
    claimed: HashSet<ContentHash>,
    rows: Vec<BlobRow>,
    output: Output,
    buffered: Vec<u8>,
    content_bytes: u64,
}

/// Collects new content for one checkpoint.
pub(crate) struct BlobSink {
    folder: PathBuf,
    /// The store holds nothing yet, so nothing can be there already.
    empty_store: bool,
    state: Mutex<State>,
}

/// One thread's tools: compressor, connection for look-ups, buffers.
pub(crate) struct ContentMeter<'c> {
    compressor: Option<zstd::bulk::Compressor<'static>>,
    lookup: Lookup<'c>,
    compressed: Vec<u8>,
}

/// Where a thread asks whether content is there already.
enum Lookup<'c> {
    /// Nowhere yet; a connection of its own is opened when the first question comes.
    Unopened,
    /// Its own.
    Own(Connection),
    /// The store's, for work in the store's own thread: opening another one takes longer than saving a file.
    Borrowed(&'c Connection),
}

impl<'c> ContentMeter<'c> {
    pub(crate) fn new(connection: Option<&'c Connection>) -> Self {
        let lookup = connection.map_or(Lookup::Unopened, Lookup::Borrowed);
        Self { compressor: None, lookup, compressed: Vec::new() }
    }

    fn lookup(&mut self, folder: &Path) -> Result<&Connection> {
        if matches!(self.lookup, Lookup::Unopened) {
            self.lookup = Lookup::Own(Database::open_reader(folder)?);
        }
        match &self.lookup {
            Lookup::Own(connection) => Ok(connection),
            Lookup::Borrowed(connection) => Ok(connection),
            Lookup::Unopened => Err(Error::Io(std::io::Error::other("no connection"))),
        }
    }
}

impl BlobSink {
    pub(crate) fn new(folder: PathBuf, empty_store: bool) -> Self {
        let state = State {
            claimed: HashSet::new(),
            rows: Vec::new(),
            output: Output::Memory(Vec::new()),
            buffered: Vec::new(),
            content_bytes: 0,
        };
        Self { folder, empty_store, state: Mutex::new(state) }
    }

    /// Stores content under its hash, unless it is there already.
    pub(crate) fn put(&self, meter: &mut ContentMeter<'_>, hash: ContentHash, content: &[u8]) -> Result<()> {
        if !self.claim(meter, hash)? {
            return Ok(());
        }
        let (encoding, stored) = compress(meter, content)?;
        self.append(Header { encoding, stored: 0, size: content.len() as u64, hash }, stored)
    }

    /// Stores the list of chunks of a large file under the hash of the whole.
    pub(crate) fn put_chunk_list(
        &self,
        meter: &mut ContentMeter<'_>,
        hash: ContentHash,
        size: u64,
        chunks: &[ContentHash],
    ) -> Result<()> {
        if !self.claim(meter, hash)? {
            return Ok(());
        }
        let list: Vec<u8> = chunks.iter().flat_map(|chunk| *chunk.as_bytes()).collect();
        self.append(Header { encoding: Encoding::Chunks, stored: 0, size, hash }, &list)
    }

    /// True if the caller is the one to store `hash`.
    fn claim(&self, meter: &mut ContentMeter<'_>, hash: ContentHash) -> Result<bool> {
        if !self.lock().claimed.insert(hash) {
            return Ok(false);
        }
        if self.empty_store {
            return Ok(true);
        }
        let known = meter
            .lookup(&self.folder)?
            .prepare_cached("SELECT 1 FROM blob WHERE hash = ?1")?
            .exists([hash])?;
        Ok(!known)
    }

    fn append(&self, mut header: Header, stored: &[u8]) -> Result<()> {
        header.stored = u32::try_from(stored.len())
            .map_err(|_| Error::Io(std::io::Error::other("a piece of content is too long for one record")))?;
        let mut state = self.lock();
        let state = &mut *state;
        let buffered_at = state.buffered.len();
        format::write_record(&mut state.buffered, &header, stored);
        let written = match &state.output {
            Output::Memory(_) => 0,
            Output::OwnPack { length, .. } => *length,
        };
        state.rows.push(BlobRow {
            hash: header.hash,
            offset: written + buffered_at as u64,
            stored: header.stored,
            size: header.size,
            encoding: header.encoding,
        });
        state.content_bytes += stored.len() as u64;
        let limit = if matches!(state.output, Output::Memory(_)) { MEMORY_LIMIT } else { MEMORY_LIMIT / 8 };
        if state.buffered.len() >= limit {
            if matches!(state.output, Output::Memory(_)) {
                let (path, file) = create_own_pack(&self.folder)?;
                state.output = Output::OwnPack { path, file, length: 0 };
            }
            flush(state)?;
        }
        Ok(())
    }

    /// Ends collecting: the new records and where they are, and how many bytes of content they hold.
    pub(crate) fn finish(self) -> Result<(Vec<BlobRow>, Output, u64)> {
        let mut state = self.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        if matches!(state.output, Output::Memory(_)) {
            return Ok((state.rows, Output::Memory(state.buffered), state.content_bytes));
        }
        flush(&mut state)?;
        Ok((state.rows, state.output, state.content_bytes))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn flush(state: &mut State) -> Result<()> {
    if let Output::OwnPack { file, length, .. } = &mut state.output {
        file.write_all(&state.buffered)?;
        *length += state.buffered.len() as u64;
        state.buffered.clear();
    }
    Ok(())
}

/// Compresses into the meter's buffer; raw if that is not smaller.
fn compress<'a>(meter: &'a mut ContentMeter<'_>, content: &'a [u8]) -> Result<(Encoding, &'a [u8])> {
    if content.len() < COMPRESS_FROM {
        return Ok((Encoding::Raw, content));
    }
    let compressor = match &mut meter.compressor {
        Some(compressor) => compressor,
        none => none.insert(zstd::bulk::Compressor::new(COMPRESSION_LEVEL)?),
    };
    meter.compressed.clear();
    meter.compressed.reserve(zstd::zstd_safe::compress_bound(content.len()));
    compressor.compress_to_buffer(content, &mut meter.compressed)?;
    if meter.compressed.len() + content.len() / 64 < content.len() {
        Ok((Encoding::Zstd, &meter.compressed))
    } else {
        Ok((Encoding::Raw, content))
    }
}

/// Chosen by measurement, see `docs/store.md`.
const COMPRESSION_LEVEL: i32 = 3;
