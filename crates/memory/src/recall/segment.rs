//! One immutable file of the index, of which only the needed ranges are read, each with its checksum.

use std::borrow::Cow;
use std::path::Path;

use super::build::build;
use super::document::Document;
use super::error::Result;
use super::format::{ENTRY, Entry, HEADER, Header, MAGIC, Part, Reader, VERSION, bucket, sum};
use super::source::Source;

/// A segment.
#[derive(Debug)]
pub(super) struct Segment {
    source: Source,
    header: Header,
}

impl Segment {
    pub fn open(path: &Path) -> Result<Self> {
        Self::from_source(Source::open(path)?)
    }

    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::from_source(Source::memory(bytes))
    }

    /// A segment in memory.
    pub fn of(documents: &[Document]) -> Result<Self> {
        Self::from_bytes(build(documents)?)
    }

    fn from_source(source: Source) -> Result<Self> {
        let bytes = source.read(0, (HEADER as u64).min(source.len()))?;
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(source.damaged("it does not start like a memory index"));
        }
        let version = Reader::new(bytes.get(8..).unwrap_or_default()).u32().unwrap_or_default();
        if version > VERSION {
            return Err(source.newer(version, VERSION));
        }
        let check = bytes.get(HEADER - 4..).and_then(|bytes| Reader::new(bytes).u32());
        if version != VERSION || check != bytes.get(..HEADER - 4).map(crc32fast::hash) {
            return Err(source.damaged("its first part does not match its checksum"));
        }
        let header = Header::decode(&bytes).ok_or_else(|| source.damaged("its first part is too short"))?;
        drop(bytes);
        let inside = |offset: u64, len: u64| offset.checked_add(len).is_some_and(|end| end <= source.len());
        if !header.sections.iter().all(|section| inside(section.offset, section.len)) || header.bits > 31 {
            return Err(source.damaged("it is shorter than it says"));
        }
        Ok(Self { source, header })
    }

    pub fn documents(&self) -> u32 {
        self.header.documents
    }

    /// The words of all documents together.
    pub fn length(&self) -> u64 {
        self.header.length
    }

    pub fn bytes(&self) -> u64 {
        self.source.len()
    }

    /// A range of a section.
    fn range(&self, part: Part, offset: u64, len: u64) -> Result<Cow<'_, [u8]>> {
        let section = self.header.sections[part as usize];
        if offset.checked_add(len).is_none_or(|end| end > section.len) {
            return Err(self.source.damaged("a place in it lies outside"));
        }
        self.source.read(section.offset + offset, len)
    }

    /// A whole section, checked.
    fn whole(&self, part: Part) -> Result<Cow<'_, [u8]>> {
        let section = self.header.sections[part as usize];
        let bytes = self.source.read(section.offset, section.len)?;
        if crc32fast::hash(&bytes) != section.sum {
            return Err(self.source.damaged("a part of it does not match its checksum"));
        }
        Ok(bytes)
    }

    /// A piece followed by its checksum.
    fn piece(&self, part: Part, offset: u64, len: u64, number: u64) -> Result<Cow<'_, [u8]>> {
        let bytes = self.range(part, offset, len.saturating_add(4))?;
        let cut = bytes.len() - 4;
        if Reader::new(&bytes[cut..]).u32() != Some(sum(number, &bytes[..cut])) {
            return Err(self.source.damaged("a piece of it does not match its checksum"));
        }
        Ok(match bytes {
            Cow::Borrowed(bytes) => bytes[..cut].into(),
            Cow::Owned(mut bytes) => {
                bytes.truncate(cut);
                bytes.into()
            }
        })
    }

    /// Every byte against its checksum.
    pub fn verify(&self) -> Result<()> {
        use Part::*;
        let parts = [
            Directory, Dictionary, Postings, Lengths, Times, Scopes, Classes, Importance, Names, Places,
            Records,
        ];
        parts.into_iter().try_for_each(|part| self.whole(part).map(drop))
    }

    fn bucket_entries(&self, number: u32) -> Result<Cow<'_, [u8]>> {
        let places = self.range(Part::Directory, u64::from(number) * 4, 8)?;
        let mut reader = Reader::new(&places);
        let (Some(from), Some(to)) = (reader.u32(), reader.u32()) else {
            return Err(self.source.damaged("its word list is too short"));
        };
        let count =
            u64::from(to.checked_sub(from).ok_or_else(|| self.source.damaged("its word list is mixed up"))?);
        let offset = u64::from(from) * ENTRY as u64 + u64::from(number) * 4;
        self.piece(Part::Dictionary, offset, count * ENTRY as u64, u64::from(number))
    }

    /// Looks a term up.
    pub fn entry(&self, hash: u64) -> Result<Option<Entry>> {
        let entries = self.bucket_entries(bucket(hash, self.header.bits))?;
        Ok(entries.chunks_exact(ENTRY).filter_map(Entry::decode).find(|entry| entry.hash == hash))
    }

    /// The whole dictionary, in order.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        let mut all = Vec::new();
        for number in 0..1 << self.header.bits {
            all.extend(self.bucket_entries(number)?.chunks_exact(ENTRY).filter_map(Entry::decode));
        }
        Ok(all)
    }

    /// Hands each document of a term to `each`, with its number, in rising order.
    pub fn postings(&self, entry: &Entry, mut each: impl FnMut(u32, u32)) -> Result<()> {
        let bytes = self.piece(Part::Postings, entry.offset, u64::from(entry.len), entry.hash)?;
        let mut reader = Reader::new(&bytes);
        let mut next = 0_u32;
        while !reader.is_empty() {
            let step = reader.varint();
            let number = step.and_then(|step| if step & 1 == 1 { reader.varint() } else { Some(1) });
            let document = step.and_then(|step| next.checked_add(step >> 1));
            let (Some(document), Some(number)) = (document.filter(|at| *at < self.header.documents), number)
            else {
                return Err(self.source.damaged("a list of memories in it makes no sense"));
            };
            each(document, number);
            next = document + 1;
        }
        Ok(())
    }

    pub fn lengths(&self) -> Result<Vec<u16>> {
        self.column(Part::Lengths, u16::from_le_bytes)
    }

    pub fn times(&self) -> Result<Vec<u32>> {
        self.column(Part::Times, u32::from_le_bytes)
    }

    pub fn importance(&self) -> Result<Vec<u8>> {
        self.column(Part::Importance, |[byte]: [u8; 1]| byte)
    }

    /// The number of each document's scope, and the number that this scope has.
    pub fn scopes(&self, scope: &str) -> Result<(Vec<u16>, Option<u16>)> {
        let names = self.whole(Part::Names)?;
        let mut reader = Reader::new(&names);
        let mut number = None;
        let mut at = 0;
        while let Some(name) = reader.text() {
            if name == scope {
                number = Some(at);
            }
            at += 1;
        }
        Ok((self.column(Part::Scopes, u16::from_le_bytes)?, number))
    }

    fn column<const N: usize, T>(&self, part: Part, decode: impl Fn([u8; N]) -> T) -> Result<Vec<T>> {
        let bytes = self.whole(part)?;
        let (chunks, rest) = bytes.as_chunks::<N>();
        if chunks.len() != self.header.documents as usize || !rest.is_empty() {
            return Err(self.source.damaged("a column of it has the wrong length"));
        }
        Ok(chunks.iter().map(|chunk| decode(*chunk)).collect())
    }

    /// The record of a document. The checksum covers its length in words, which the caller has.
    fn record(&self, number: u32, length: u16) -> Result<Cow<'_, [u8]>> {
        let places = self.range(Part::Places, u64::from(number) * 8, 16)?;
        let mut reader = Reader::new(&places);
        let (Some(from), Some(to)) = (reader.u64(), reader.u64()) else {
            return Err(self.source.damaged("its list of memories is too short"));
        };
        let len = to.checked_sub(from).and_then(|len| len.checked_sub(4));
        let len = len.ok_or_else(|| self.source.damaged("its list of memories is mixed up"))?;
        self.piece(Part::Records, from, len, u64::from(length))
    }

    /// A document.
    pub fn document(&self, number: u32, length: u16) -> Result<Document> {
        decode(&self.record(number, length)?)
            .ok_or_else(|| self.source.damaged("a memory in it cannot be read"))
    }

    /// Only the session of a document.
    pub fn session(&self, number: u32, length: u16) -> Result<Option<String>> {
        let record = self.record(number, length)?;
        session(&mut Reader::new(&record)).ok_or_else(|| self.source.damaged("a memory in it cannot be read"))
    }

    /// All documents with their lengths in words.
    pub fn all(&self) -> Result<impl Iterator<Item = Result<(Document, u16)>> + '_> {
        let lengths = self.lengths()?;
        Ok((0..self.header.documents)
            .zip(lengths)
            .map(|(number, length)| self.document(number, length).map(|document| (document, length))))
    }
}

fn session(reader: &mut Reader<'_>) -> Option<Option<String>> {
    let has_one = reader.bytes(1)? == [1];
    let name = reader.text()?;
    Some(has_one.then_some(name))
}

fn decode(bytes: &[u8]) -> Option<Document> {
    let mut reader = Reader::new(bytes);
    let session = session(&mut reader)?;
    let (id, text) = (reader.text()?, reader.text()?);
    let paths = (0..reader.varint()?).map(|_| reader.text()).collect::<Option<_>>()?;
    let time_ms = reader.u64()?.cast_signed();
    let scope = reader.text()?;
    let class = reader.text()?;
    let importance = f32::from_bits(reader.u32()?);
    Some(Document { id, text, paths, time_ms, scope, session, class, importance })
}
