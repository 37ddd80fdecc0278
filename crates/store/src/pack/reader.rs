//! Reading content back, checked.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use rusqlite::{Connection, OptionalExtension};

use super::format::{self, Encoding, HEADER, TRAILER, damaged};
use super::writer::pack_file;
use crate::Result;
use crate::hash::{ContentHash, Hasher};

/// Files that are open at the same time, at the most.
const OPEN_PACKS: usize = 64;

/// Where a record is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pack: i64,
    offset: u64,
    stored: u32,
}

/// Places that were looked up beforehand.
pub(crate) type Places = HashMap<ContentHash, Place>;

/// How a reader finds a record.
enum Lookup<'a> {
    Index(&'a Connection),
    /// For a thread that reads many records: a connection of its own would spend more time on the index's locks than on
    /// reading.
    Known(&'a Places),
}

/// Reads content by hash. Every byte that comes out has been checked against its sha256.
pub(crate) struct PackReader<'a> {
    lookup: Lookup<'a>,
    folder: PathBuf,
    open: RefCell<HashMap<i64, File>>,
}

thread_local! {
    /// Making one costs more than unpacking a small file, and readers come and go.
    static UNPACKER: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

fn unpacked(stored: &[u8], size: usize) -> std::io::Result<Vec<u8>> {
    UNPACKER.with_borrow_mut(|unpacker| {
        let unpacker = match unpacker {
            Some(unpacker) => unpacker,
            none => none.insert(zstd::bulk::Decompressor::new()?),
        };
        unpacker.decompress(stored, size)
    })
}

impl<'a> PackReader<'a> {
    pub(crate) fn new(connection: &'a Connection, folder: PathBuf) -> Self {
        Self::with(Lookup::Index(connection), folder)
    }

    /// A reader that knows these places only. What is elsewhere, or was moved since, it reports as damaged.
    pub(crate) fn of_places(places: &'a Places, folder: PathBuf) -> Self {
        Self::with(Lookup::Known(places), folder)
    }

    fn with(lookup: Lookup<'a>, folder: PathBuf) -> Self {
        Self { lookup, folder, open: RefCell::default() }
    }

    /// Looks up many records at once.
    pub(crate) fn places(&self, hashes: impl Iterator<Item = ContentHash>) -> Result<Places> {
        let mut places = Places::new();
        for hash in hashes {
            if let Some(place) = self.find(&hash)? {
                places.insert(hash, place);
            }
        }
        Ok(places)
    }

    /// Writes the content to `out`, a large file chunk by chunk. On an error, what was written so far must be thrown
    /// away by the caller.
    pub(crate) fn copy_to(&self, hash: &ContentHash, out: &mut dyn Write) -> Result<u64> {
        let (encoding, content) = self.read_record(hash)?;
        if encoding != Encoding::Chunks {
            out.write_all(&content)?;
            return Ok(content.len() as u64);
        }
        let mut whole = Hasher::default();
        let mut length = 0;
        for chunk in chunk_hashes(&content) {
            let (encoding, bytes) = self.read_record(&chunk)?;
            if encoding == Encoding::Chunks {
                return Err(damaged(hash, "a list of chunks contains a list"));
            }
            whole.update(&bytes);
            out.write_all(&bytes)?;
            length += bytes.len() as u64;
        }
        if whole.finish() != *hash {
            return Err(damaged(hash, "its chunks do not add up to it"));
        }
        Ok(length)
    }

    /// The content in memory; meant for files that a person looks at.
    pub(crate) fn read(&self, hash: &ContentHash) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.copy_to(hash, &mut out)?;
        Ok(out)
    }

    /// The chunks of a large file; empty for content that is one record.
    pub(crate) fn chunks_of(&self, hash: &ContentHash) -> Result<Vec<ContentHash>> {
        let (encoding, content) = self.read_record(hash)?;
        Ok(if encoding == Encoding::Chunks { chunk_hashes(&content).collect() } else { Vec::new() })
    }

    /// Checks one record without keeping its content. The chunks of a large file are records of their own.
    pub(crate) fn verify(&self, hash: &ContentHash) -> Result<()> {
        self.read_record(hash).map(|_| ())
    }

    /// As [`Self::verify`], and that a list of chunks names only chunks that are there.
    pub(crate) fn verify_deep(&self, hash: &ContentHash) -> Result<()> {
        let (encoding, content) = self.read_record(hash)?;
        if encoding == Encoding::Chunks {
            for chunk in chunk_hashes(&content) {
                if self.find(&chunk)?.is_none() {
                    return Err(damaged(hash, "one of its chunks is not there"));
                }
            }
        }
        Ok(())
    }

    /// One record's content, decompressed and checked. A list of chunks comes back as it is stored.
    fn read_record(&self, hash: &ContentHash) -> Result<(Encoding, Vec<u8>)> {
        match self.read_record_once(hash) {
            // Cleaning up may have moved the record between the look-up and the read: look again, once.
            Err(_) if self.find(hash)?.is_some() => {
                self.open.borrow_mut().clear();
                self.read_record_once(hash)
            }
            found => found,
        }
    }

    fn read_record_once(&self, hash: &ContentHash) -> Result<(Encoding, Vec<u8>)> {
        let record = self.raw_record(hash)?;
        let (header, stored) = format::checked_content(&record, hash)?;
        let content = match header.encoding {
            Encoding::Chunks => return Ok((Encoding::Chunks, stored.to_vec())),
            Encoding::Raw => stored.to_vec(),
            Encoding::Zstd => {
                let size =
                    usize::try_from(header.size).map_err(|_| damaged(hash, "its length is impossible"))?;
                unpacked(stored, size).map_err(|_| damaged(hash, "it cannot be decompressed"))?
            }
        };
        if ContentHash::of(&content) != *hash {
            return Err(damaged(hash, "its sha256 does not fit"));
        }
        Ok((header.encoding, content))
    }

    /// The bytes of a whole record, unchecked.
    pub(crate) fn raw_record(&self, hash: &ContentHash) -> Result<Vec<u8>> {
        let place = self.find(hash)?.ok_or_else(|| damaged(hash, "the index does not know it"))?;
        let mut open = self.open.borrow_mut();
        if !open.contains_key(&place.pack) {
            if open.len() >= OPEN_PACKS {
                open.clear();
            }
            let path = pack_file(&self.folder, place.pack);
            let file = File::open(&path)
                .map_err(|error| damaged(hash, &format!("`{}` cannot be opened: {error}", path.display())))?;
            open.insert(place.pack, file);
        }
        let Some(file) = open.get_mut(&place.pack) else {
            return Err(damaged(hash, "its pack is closed"));
        };
        file.seek(SeekFrom::Start(place.offset))?;
        let mut record = vec![0; HEADER + place.stored as usize + TRAILER];
        file.read_exact(&mut record).map_err(|_| damaged(hash, "the pack ends before it"))?;
        Ok(record)
    }

    fn find(&self, hash: &ContentHash) -> Result<Option<Place>> {
        let connection = match self.lookup {
            Lookup::Index(connection) => connection,
            Lookup::Known(places) => return Ok(places.get(hash).copied()),
        };
        let mut statement =
            connection.prepare_cached("SELECT pack, offset, stored FROM blob WHERE hash = ?1")?;
        let place = statement
            .query_row([hash], |row| {
                Ok(Place { pack: row.get(0)?, offset: row.get(1)?, stored: row.get(2)? })
            })
            .optional()?;
        Ok(place)
    }
}

fn chunk_hashes(list: &[u8]) -> impl Iterator<Item = ContentHash> + '_ {
    list.chunks_exact(32).filter_map(|bytes| bytes.try_into().ok().map(ContentHash::from_bytes))
}
