//! The record header, 52 bytes, little endian:
//!
//! | at | bytes | what |
//! | --- | --- | --- |
//! | 0 | 4 | `VBR1` |
//! | 4 | 1 | encoding |
//! | 5 | 3 | zero |
//! | 8 | 4 | length of the content as stored |
//! | 12 | 8 | length of the content itself (of the whole file, for a chunk list) |
//! | 20 | 32 | sha256 of the content (of the whole file, for a chunk list) |
//!
//! and after the stored content 4 bytes CRC-32 over header and stored content.

use crate::hash::ContentHash;
use crate::{Error, Result};

pub(crate) const HEADER: usize = 52;
pub(crate) const TRAILER: usize = 4;
pub(crate) const MAGIC: &[u8; 4] = b"VBR1";

/// How content is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// As it is.
    Raw,
    /// One zstd frame.
    Zstd,
    /// The hashes of the chunks that make up a large file, 32 bytes each.
    Chunks,
}

impl Encoding {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Raw => 0,
            Self::Zstd => 1,
            Self::Chunks => 2,
        }
    }

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Raw,
            1 => Self::Zstd,
            2 => Self::Chunks,
            _ => return None,
        })
    }
}

/// A record's header.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Header {
    pub(crate) encoding: Encoding,
    pub(crate) stored: u32,
    pub(crate) size: u64,
    pub(crate) hash: ContentHash,
}

/// Appends a whole record to `out`.
pub(crate) fn write_record(out: &mut Vec<u8>, header: &Header, stored: &[u8]) {
    let start = out.len();
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[header.encoding.code(), 0, 0, 0]);
    out.extend_from_slice(&header.stored.to_le_bytes());
    out.extend_from_slice(&header.size.to_le_bytes());
    out.extend_from_slice(header.hash.as_bytes());
    out.extend_from_slice(stored);
    let crc = crc32fast::hash(&out[start..]);
    out.extend_from_slice(&crc.to_le_bytes());
}

/// Reads a header; `None` if these bytes are not one.
pub(crate) fn read_header(bytes: &[u8]) -> Option<Header> {
    let bytes = bytes.get(..HEADER)?;
    if &bytes[..4] != MAGIC || bytes[5..8] != [0; 3] {
        return None;
    }
    Some(Header {
        encoding: Encoding::from_code(bytes[4])?,
        stored: u32::from_le_bytes(bytes[8..12].try_into().ok()?),
        size: u64::from_le_bytes(bytes[12..20].try_into().ok()?),
        hash: ContentHash::from_bytes(bytes[20..52].try_into().ok()?),
    })
}

/// The stored content of a whole record, after checking its CRC and that it is the record of `hash`.
pub(crate) fn checked_content<'a>(record: &'a [u8], hash: &ContentHash) -> Result<(Header, &'a [u8])> {
    let damaged = |detail: &str| damaged(hash, detail);
    let header = read_header(record).ok_or_else(|| damaged("there is no record where it should be"))?;
    if header.hash != *hash {
        return Err(damaged("another record is in its place"));
    }
    let end = HEADER + header.stored as usize;
    let crc = record.get(end..end + TRAILER).ok_or_else(|| damaged("the record is cut off"))?;
    if crc32fast::hash(&record[..end]).to_le_bytes() != crc {
        return Err(damaged("its checksum does not fit"));
    }
    Ok((header, &record[HEADER..end]))
}

pub(crate) fn damaged(hash: &ContentHash, detail: &str) -> Error {
    Error::DamagedContent { hash: hash.to_hex()[..12].to_owned(), detail: detail.to_owned() }
}
