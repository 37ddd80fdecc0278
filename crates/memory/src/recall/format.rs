//! How a segment lies on the disk.
//!
//! ```text
//! header      256 bytes: magic, version, counts, place and checksum of each section, checksum of itself
//! directory   u32 per bucket + 1: the first entry of each bucket of the dictionary
//! dictionary  buckets of entries sorted by hash, each bucket with a checksum
//! postings    per term: (document, number) pairs, the document as a varint, the number as a byte, with a checksum
//! rows        24 bytes per document: what is asked about each candidate, with a checksum
//! spans       two u32 per 64 documents: the earliest and the latest second since 1970
//! names       the names of scopes and classes
//! places      u64 per document + 1: where its record starts
//! records     the documents themselves, each with a checksum
//! ```
//!
//! All numbers are little-endian. Terms are kept as 64-bit hashes: among a million terms, two share one with a chance of
//! 1 in 37 million, and the harm would be one hit too many. What is read is checked; what is not read costs nothing.

use xxhash_rust::xxh3::xxh3_64_with_seed;

pub(super) const MAGIC: [u8; 8] = *b"vibrcall";
/// Also counts changes to how text becomes words: an index made with other words would find nothing.
pub(super) const VERSION: u32 = 5;
pub(super) const HEADER: usize = 256;
pub(super) const ENTRY: usize = 24;
pub(super) const SECTIONS: usize = 8;
pub(super) const ROW: usize = 24;
/// So many documents share a span of time.
pub(super) const SPAN: u32 = 64;
pub(super) const NONE: u16 = u16::MAX;

/// The sections, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Directory,
    Dictionary,
    Postings,
    Rows,
    Spans,
    Names,
    Places,
    Records,
}

/// What a term stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Word = 1,
    File = 2,
    Folder = 3,
    Session = 4,
    Name = 5,
    Id = 6,
}

/// Where a section is, and its checksum.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Section {
    pub offset: u64,
    pub len: u64,
    pub sum: u32,
}

/// The start of a segment.
#[derive(Debug, Clone, Default)]
pub(super) struct Header {
    pub documents: u32,
    pub terms: u32,
    /// The dictionary has 2 to the power of this many buckets.
    pub bits: u32,
    /// The lengths of all documents together.
    pub length: u64,
    pub sections: [Section; SECTIONS],
}

/// One line of the dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub hash: u64,
    /// How many documents have it.
    pub documents: u32,
    pub offset: u64,
    pub len: u32,
}

/// The hash of a term.
pub(super) fn term(kind: Kind, text: &str) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), kind as u64)
}

/// The bucket of a term.
pub(super) fn bucket(hash: u64, bits: u32) -> u32 {
    if bits == 0 { 0 } else { (hash >> (64 - bits)) as u32 }
}

/// The checksum of a piece that is found by its number: it also notices a piece in the wrong place.
pub(super) fn sum(number: u64, bytes: &[u8]) -> u32 {
    // The low half. Not a CRC: the fast ones ask the processor first what it can do, which takes longer than the rest.
    xxhash_rust::xxh3::xxh3_64_with_seed(bytes, number) as u32
}

/// The checksum of a part that is always at the same place.
pub(super) fn sum_of_part(bytes: &[u8]) -> u32 {
    sum(0, bytes)
}

/// The lengths in words that are told apart: a posting says how long its document is, so that scoring needs no other look.
const LENGTHS: [u16; 32] = [
    0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 19, 24, 30, 38, 48, 60, 76, 96, 121, 152, 192, 242, 305, 384, 484,
    610, 769, 968, 1220, 1537, 1937,
];

/// How often a word is used in a text of this length, in one byte.
pub(super) fn word_number(times: u32, length: u16) -> u8 {
    let level = LENGTHS.partition_point(|known| *known <= length) - 1;
    ((times.clamp(1, 8) - 1) as u8) << 5 | level as u8
}

/// How often, and in how long a text.
pub(super) fn word_meaning(number: u8) -> (f32, f32) {
    (f32::from(number >> 5) + 1.0, f32::from(LENGTHS[usize::from(number & 31)]))
}

/// What is asked about every candidate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// The hash of the session's name; 0: none.
    pub session: u64,
    /// Since 1970.
    pub seconds: u32,
    pub length: u16,
    pub class: u16,
    pub scope: u16,
    pub importance: u8,
}

impl Row {
    pub fn encode(&self, number: u32, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend(self.session.to_le_bytes());
        out.extend(self.seconds.to_le_bytes());
        for field in [self.length, self.class, self.scope, u16::from(self.importance)] {
            out.extend(field.to_le_bytes());
        }
        let check = sum(u64::from(number), &out[start..]);
        out.extend(check.to_le_bytes());
    }

    /// Nothing if the checksum is another one.
    pub fn decode(number: u32, bytes: &[u8]) -> Option<Self> {
        let (fields, check) = bytes.split_at_checked(ROW - 4)?;
        if Reader::new(check).u32()? != sum(u64::from(number), fields) {
            return None;
        }
        let mut reader = Reader::new(fields);
        let (session, seconds) = (reader.u64()?, reader.u32()?);
        let (length, class, scope) = (reader.u16()?, reader.u16()?, reader.u16()?);
        Some(Self { session, seconds, length, class, scope, importance: reader.u16()? as u8 })
    }
}

impl Header {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER);
        out.extend(MAGIC);
        for number in [VERSION, self.documents, self.terms, self.bits] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.length.to_le_bytes());
        for section in &self.sections {
            out.extend(section.offset.to_le_bytes());
            out.extend(section.len.to_le_bytes());
            out.extend(section.sum.to_le_bytes());
        }
        out.resize(HEADER - 4, 0);
        out.extend(sum_of_part(&out).to_le_bytes());
        out
    }

    /// Reads a header whose magic, version and checksum were looked at.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes.get(12..)?);
        let mut header = Self {
            documents: reader.u32()?,
            terms: reader.u32()?,
            bits: reader.u32()?,
            length: reader.u64()?,
            ..Self::default()
        };
        for section in &mut header.sections {
            *section = Section { offset: reader.u64()?, len: reader.u64()?, sum: reader.u32()? };
        }
        Some(header)
    }
}

impl Entry {
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.hash.to_le_bytes());
        out.extend(self.documents.to_le_bytes());
        out.extend(self.offset.to_le_bytes());
        out.extend(self.len.to_le_bytes());
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let (hash, documents) = (reader.u64()?, reader.u32()?);
        Some(Self { hash, documents, offset: reader.u64()?, len: reader.u32()? })
    }
}

/// Appends a number in as few bytes as it needs.
pub(super) fn put_varint(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, u32::try_from(text.len()).unwrap_or(u32::MAX));
    out.extend(text.as_bytes());
}

/// Takes numbers and texts from bytes that may be anything.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    pub fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn varint(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in (0..35).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub fn texts(&mut self) -> Option<Vec<String>> {
        (0..self.varint()?).map(|_| self.text()).collect()
    }

    pub fn text(&mut self) -> Option<String> {
        let len = self.varint()? as usize;
        std::str::from_utf8(self.bytes(len)?).ok().map(str::to_owned)
    }
}
