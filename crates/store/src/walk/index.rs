//! The stat index: what the file system said about every saved path at the last look, and the content it had.
//!
//! One file, read in one go, replaced in one go. Its checksum is verified before anything in it is believed, because a
//! wrong entry would hide a change. `generation` is the checkpoint it reflects; the store lists what it recorded since. `binding` says
//! which database that checkpoint is in: beside another one, or an older copy of it, the index would call files saved that are not.

use std::collections::HashMap;
use std::path::Path;

use project::platform::{FileKind, FileStat};

use crate::Result;
use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;

const MAGIC: &[u8; 8] = b"vibidx02";
const HEADER: usize = 8 + 8 + 8 + 8 + 8 + 4;
const DIR_FIXED: usize = 4 + 4 + 8 * 4 + 4 + 1 + 4;
const ENTRY_FIXED: usize = 2 + 1 + 1 + 4 + 8 * 4 + 32;

/// The folder's names must be listed again: it changed too recently to be sure.
pub(crate) const DIR_RACY: u8 = 1;
/// The folder is one that a tool makes again; nothing in it is saved.
pub(crate) const DIR_SKIPPED: u8 = 2;

/// The file changed too recently for its times to prove anything: read it again.
pub(crate) const ENTRY_RACY: u8 = 1;
/// Saved, but never shown or exported.
pub(crate) const ENTRY_SENSITIVE: u8 = 2;
/// Not saved; watched because it holds ignore rules.
pub(crate) const ENTRY_WATCHED: u8 = 4;
/// Not saved, because it could not be read: tried again at the next look.
pub(crate) const ENTRY_UNSAVED: u8 = 8;

/// A name in a folder, as last seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexEntry<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) stat: FileStat,
    pub(crate) flags: u8,
    pub(crate) hash: ContentHash,
}

impl IndexEntry<'_> {
    /// What a checkpoint knows about it; `None` if it is not saved. A folder is known by its own record, not by its name
    /// in the one above.
    pub(crate) fn saved(&self) -> Option<Entry> {
        if self.flags & (ENTRY_WATCHED | ENTRY_UNSAVED) != 0 || self.stat.kind == FileKind::Dir {
            return None;
        }
        let kind = EntryKind::of(self.stat.kind)?;
        Some(Entry {
            kind,
            mode: if kind == EntryKind::Symlink { 0 } else { self.stat.mode },
            size: self.stat.size,
            hash: self.hash,
            sensitive: self.flags & ENTRY_SENSITIVE != 0,
        })
    }
}

/// A folder, as last seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexDir<'a> {
    pub(crate) path: &'a [u8],
    pub(crate) stat: FileStat,
    pub(crate) flags: u8,
    entries: &'a [u8],
    count: u32,
    /// The whole record, to be copied when nothing changed.
    pub(crate) raw: &'a [u8],
}

impl<'a> IndexDir<'a> {
    pub(crate) fn entries(&self) -> impl Iterator<Item = IndexEntry<'a>> + use<'a> {
        let mut rest = self.entries;
        (0..self.count).map_while(move |_| {
            let (entry, after) = read_entry(rest)?;
            rest = after;
            Some(entry)
        })
    }
}

/// The index in memory.
pub(crate) struct StatIndex {
    bytes: Vec<u8>,
    pub(crate) generation: i64,
    pub(crate) fingerprint: u64,
    pub(crate) binding: u64,
    dirs: Vec<(usize, usize)>,
    by_path: HashMap<Vec<u8>, usize>,
}

impl StatIndex {
    /// An index that knows nothing.
    pub(crate) fn empty() -> Self {
        Self {
            bytes: Vec::new(),
            generation: 0,
            fingerprint: 0,
            binding: 0,
            dirs: Vec::new(),
            by_path: HashMap::new(),
        }
    }

    /// Reads the index; anything wrong with it gives an empty one.
    pub(crate) fn load(file: &Path) -> Self {
        std::fs::read(file).ok().and_then(Self::parse).unwrap_or_else(Self::empty)
    }

    fn parse(bytes: Vec<u8>) -> Option<Self> {
        let header = bytes.get(..HEADER)?;
        if &header[..8] != MAGIC {
            return None;
        }
        let checksum = u64::from_le_bytes(header[8..16].try_into().ok()?);
        if xxhash_rust::xxh3::xxh3_64(&bytes[16..]) != checksum {
            return None;
        }
        let generation = i64::from_le_bytes(header[16..24].try_into().ok()?);
        let fingerprint = u64::from_le_bytes(header[24..32].try_into().ok()?);
        let binding = u64::from_le_bytes(header[32..40].try_into().ok()?);
        let count = u32::from_le_bytes(header[40..44].try_into().ok()?) as usize;
        let mut dirs = Vec::with_capacity(count);
        let mut by_path = HashMap::with_capacity(count);
        let mut at = HEADER;
        for ordinal in 0..count {
            let length = u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize;
            let dir = read_dir(bytes.get(at..at + length)?)?;
            by_path.insert(dir.path.to_vec(), ordinal);
            dirs.push((at, length));
            at += length;
        }
        (at == bytes.len()).then_some(Self { bytes, generation, fingerprint, binding, dirs, by_path })
    }

    pub(crate) fn find(&self, path: &[u8]) -> Option<(usize, IndexDir<'_>)> {
        let ordinal = *self.by_path.get(path)?;
        Some((ordinal, self.dir(ordinal)?))
    }

    pub(crate) fn dir(&self, ordinal: usize) -> Option<IndexDir<'_>> {
        let (at, length) = *self.dirs.get(ordinal)?;
        read_dir(&self.bytes[at..at + length])
    }

    pub(crate) fn len(&self) -> usize {
        self.dirs.len()
    }
}

/// Collects folders in order and writes a new index.
pub(crate) struct IndexWriter {
    bytes: Vec<u8>,
    count: u32,
}

impl IndexWriter {
    pub(crate) fn new(capacity: usize) -> Self {
        let mut bytes = Vec::with_capacity(capacity + HEADER);
        bytes.resize(HEADER, 0);
        Self { bytes, count: 0 }
    }

    pub(crate) fn copy(&mut self, raw: &[u8]) {
        self.bytes.extend_from_slice(raw);
        self.count += 1;
    }

    pub(crate) fn dir<'e>(
        &mut self,
        path: &[u8],
        stat: &FileStat,
        flags: u8,
        entries: impl ExactSizeIterator<Item = IndexEntry<'e>>,
    ) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 4]);
        push_u32(&mut self.bytes, path.len());
        for value in [stat.mtime_ns, stat.ctime_ns] {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        for value in [stat.ino, stat.dev] {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        self.bytes.extend_from_slice(&stat.mode.to_le_bytes());
        self.bytes.push(flags);
        push_u32(&mut self.bytes, entries.len());
        self.bytes.extend_from_slice(path);
        for entry in entries {
            push_entry(&mut self.bytes, &entry);
        }
        let length = u32::try_from(self.bytes.len() - start).unwrap_or(0);
        self.bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
        self.count += 1;
    }

    /// Replaces the index file. Not flushed to the disk: after a power cut the checksum tells.
    pub(crate) fn publish(
        mut self,
        file: &Path,
        generation: i64,
        fingerprint: u64,
        binding: u64,
    ) -> Result<()> {
        self.bytes[..8].copy_from_slice(MAGIC);
        self.bytes[16..24].copy_from_slice(&generation.to_le_bytes());
        self.bytes[24..32].copy_from_slice(&fingerprint.to_le_bytes());
        self.bytes[32..40].copy_from_slice(&binding.to_le_bytes());
        self.bytes[40..44].copy_from_slice(&self.count.to_le_bytes());
        let checksum = xxhash_rust::xxh3::xxh3_64(&self.bytes[16..]);
        self.bytes[8..16].copy_from_slice(&checksum.to_le_bytes());
        Ok(project::write_view(file, &self.bytes)?)
    }
}

fn push_u32(bytes: &mut Vec<u8>, value: usize) {
    bytes.extend_from_slice(&u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
}

fn push_entry(bytes: &mut Vec<u8>, entry: &IndexEntry<'_>) {
    let length = u16::try_from(entry.name.len()).unwrap_or(u16::MAX);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.push(kind_code(entry.stat.kind));
    bytes.push(entry.flags);
    bytes.extend_from_slice(&entry.stat.mode.to_le_bytes());
    bytes.extend_from_slice(&entry.stat.size.to_le_bytes());
    bytes.extend_from_slice(&entry.stat.mtime_ns.to_le_bytes());
    bytes.extend_from_slice(&entry.stat.ctime_ns.to_le_bytes());
    bytes.extend_from_slice(&entry.stat.ino.to_le_bytes());
    bytes.extend_from_slice(entry.hash.as_bytes());
    bytes.extend_from_slice(&entry.name[..usize::from(length)]);
}

fn read_dir(raw: &[u8]) -> Option<IndexDir<'_>> {
    let fixed = raw.get(..DIR_FIXED)?;
    let number = |at: usize| fixed[at..at + 8].try_into().ok().map(i64::from_le_bytes);
    let short = |at: usize| fixed[at..at + 4].try_into().ok().map(u32::from_le_bytes);
    let path_length = short(4)? as usize;
    let stat = FileStat {
        kind: FileKind::Dir,
        mtime_ns: number(8)?,
        ctime_ns: number(16)?,
        ino: number(24)?.cast_unsigned(),
        dev: number(32)?.cast_unsigned(),
        mode: short(40)?,
        size: 0,
    };
    let path = raw.get(DIR_FIXED..DIR_FIXED + path_length)?;
    Some(IndexDir {
        path,
        stat,
        flags: fixed[44],
        count: short(45)?,
        entries: &raw[DIR_FIXED + path_length..],
        raw,
    })
}

fn read_entry(bytes: &[u8]) -> Option<(IndexEntry<'_>, &[u8])> {
    let fixed = bytes.get(..ENTRY_FIXED)?;
    let name_length = usize::from(u16::from_le_bytes(fixed[..2].try_into().ok()?));
    let number = |at: usize| fixed[at..at + 8].try_into().ok().map(i64::from_le_bytes);
    let stat = FileStat {
        kind: kind_from_code(fixed[2])?,
        mode: u32::from_le_bytes(fixed[4..8].try_into().ok()?),
        size: number(8)?.cast_unsigned(),
        mtime_ns: number(16)?,
        ctime_ns: number(24)?,
        ino: number(32)?.cast_unsigned(),
        dev: 0,
    };
    let hash = ContentHash::from_bytes(fixed[40..72].try_into().ok()?);
    let name = bytes.get(ENTRY_FIXED..ENTRY_FIXED + name_length)?;
    Some((IndexEntry { name, stat, flags: fixed[3], hash }, &bytes[ENTRY_FIXED + name_length..]))
}

fn kind_code(kind: FileKind) -> u8 {
    match kind {
        FileKind::File => 1,
        FileKind::Symlink => 2,
        FileKind::Dir => 3,
        FileKind::Special => 4,
    }
}

fn kind_from_code(code: u8) -> Option<FileKind> {
    Some(match code {
        1 => FileKind::File,
        2 => FileKind::Symlink,
        3 => FileKind::Dir,
        4 => FileKind::Special,
        _ => return None,
    })
}
