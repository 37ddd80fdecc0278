//! One immutable file of the index, of which only the needed ranges are read, each with its checksum.

use std::borrow::Cow;
use std::path::Path;

use super::build::build;
use super::document::Document;
use super::error::{Error, Result};
use super::format::{
    ENTRY, Entry, HEADER, Header, MAGIC, Part, ROW, Reader, Row, SPAN, VERSION, bucket, sum, sum_of_part,
};
use super::sketch::Sketch;
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
        if version != VERSION || check != bytes.get(..HEADER - 4).map(sum_of_part) {
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
        if sum_of_part(&bytes) != section.sum {
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
        let parts = [Directory, Dictionary, Postings, Rows, Spans, Names, Places, Records];
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

    /// The documents of a term, checked, to be read once or more.
    pub fn list(&self, entry: &Entry) -> Result<List<'_>> {
        let bytes = self.piece(Part::Postings, entry.offset, u64::from(entry.len), entry.hash)?;
        Ok(List { bytes, documents: self.header.documents })
    }

    /// Hands each document of a term to `each`, with its number, in rising order.
    pub fn postings(&self, entry: &Entry, mut each: impl FnMut(u32, u8)) -> Result<()> {
        let list = self.list(entry)?;
        let mut cursor = list.cursor();
        while let Some((document, number)) = cursor.next_before(u32::MAX) {
            each(document, number);
        }
        if cursor.is_whole() {
            return Ok(());
        }
        Err(self.nonsense())
    }

    /// What to say of a list that is none.
    pub fn nonsense(&self) -> Error {
        self.source.damaged("a list of memories in it makes no sense")
    }

    /// What is asked about a candidate.
    pub fn row(&self, number: u32) -> Result<Row> {
        let bytes = self.range(Part::Rows, u64::from(number) * ROW as u64, ROW as u64)?;
        Row::decode(number, &bytes)
            .ok_or_else(|| self.source.damaged("a piece of it does not match its checksum"))
    }

    /// The earliest and the latest second of each span of documents.
    pub fn spans(&self) -> Result<Spans<'_>> {
        let bytes = self.whole(Part::Spans)?;
        if bytes.len() as u64 != u64::from(self.header.documents.div_ceil(SPAN)) * Spans::ONE as u64 {
            return Err(self.source.damaged("a column of it has the wrong length"));
        }
        Ok(Spans { bytes })
    }

    /// The names of scopes and classes, by number.
    pub fn names(&self) -> Result<Vec<String>> {
        let names = self.whole(Part::Names)?;
        let mut reader = Reader::new(&names);
        Ok(std::iter::from_fn(|| reader.text()).collect())
    }

    /// A document, and its sketch.
    pub fn document(&self, number: u32) -> Result<(Document, Sketch)> {
        let places = self.range(Part::Places, u64::from(number) * 8, 16)?;
        let mut reader = Reader::new(&places);
        let (Some(from), Some(to)) = (reader.u64(), reader.u64()) else {
            return Err(self.source.damaged("its list of memories is too short"));
        };
        let len = to.checked_sub(from).and_then(|len| len.checked_sub(4));
        let len = len.ok_or_else(|| self.source.damaged("its list of memories is mixed up"))?;
        let record = self.piece(Part::Records, from, len, u64::from(number))?;
        decode(&record).ok_or_else(|| self.source.damaged("a memory in it cannot be read"))
    }

    /// All documents with their lengths in words.
    pub fn all(&self) -> impl Iterator<Item = Result<(Document, u16, Sketch)>> + '_ {
        (0..self.header.documents).map(|number| {
            let (document, sketch) = self.document(number)?;
            Ok((document, self.row(number)?.length, sketch))
        })
    }
}

/// The earliest and the latest second of each span of documents: few of them are asked for.
#[derive(Debug)]
pub(super) struct Spans<'a> {
    bytes: Cow<'a, [u8]>,
}

impl Spans<'_> {
    /// Two numbers.
    const ONE: usize = 8;

    /// Those of the span in which a document lies.
    pub fn of(&self, document: u32) -> Option<(u32, u32)> {
        let at = (document / SPAN) as usize * Self::ONE;
        Self::one(self.bytes.get(at..at + Self::ONE)?)
    }

    /// Those of all spans.
    pub fn all(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.bytes.chunks_exact(Self::ONE).filter_map(Self::one)
    }

    fn one(bytes: &[u8]) -> Option<(u32, u32)> {
        let mut reader = Reader::new(bytes);
        reader.u32().zip(reader.u32())
    }
}

/// The documents of one term.
#[derive(Debug)]
pub(super) struct List<'a> {
    bytes: Cow<'a, [u8]>,
    documents: u32,
}

impl List<'_> {
    pub fn cursor(&self) -> Cursor<'_> {
        let mut cursor = Cursor {
            rest: &self.bytes,
            document: 0,
            number: 0,
            documents: self.documents,
            state: State::Here,
        };
        cursor.step(0);
        cursor
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Here,
    End,
    Nonsense,
}

/// A place in a list.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
    document: u32,
    number: u8,
    documents: u32,
    state: State,
}

impl Cursor<'_> {
    /// The next one below this limit.
    #[inline]
    pub fn next_before(&mut self, limit: u32) -> Option<(u32, u8)> {
        if self.state != State::Here || self.document >= limit {
            return None;
        }
        let found = (self.document, self.number);
        self.step(self.document + 1);
        Some(found)
    }

    /// All of them below this limit. What [`Self::next_before`] does, with the place held in registers: the bulk of a question's
    /// work is here.
    #[inline]
    pub fn each_before(&mut self, limit: u32, mut each: impl FnMut(u32, u8)) {
        while self.state == State::Here && self.document < limit {
            let (mut document, mut number, mut rest) = (self.document, self.number, self.rest);
            loop {
                each(document, number);
                let [gap, next, ref after @ ..] = *rest else { break };
                let following = document.saturating_add(1 + u32::from(gap));
                if gap >= 0x80 || following >= self.documents.min(limit) {
                    break;
                }
                (document, number, rest) = (following, next, after);
            }
            (self.document, self.number, self.rest) = (document, number, rest);
            self.step(document.saturating_add(1));
        }
    }

    /// Leaves out what comes before this document.
    #[inline]
    pub fn skip_to(&mut self, document: u32) {
        while self.state == State::Here && self.document < document {
            self.step(self.document + 1);
        }
    }

    /// False if the bytes were no list.
    pub fn is_whole(&self) -> bool {
        self.state != State::Nonsense
    }

    #[inline]
    fn step(&mut self, base: u32) {
        // Most gaps fit into a byte.
        let (gap, number, rest) = match *self.rest {
            [] => {
                self.state = State::End;
                return;
            }
            [gap, number, ref rest @ ..] if gap < 0x80 => (u32::from(gap), number, rest),
            _ => {
                let mut reader = Reader::new(self.rest);
                let (Some(gap), Some(&[number])) = (reader.varint(), reader.bytes(1)) else {
                    self.state = State::Nonsense;
                    return;
                };
                (gap, number, reader.rest())
            }
        };
        match base.checked_add(gap).filter(|document| *document < self.documents) {
            Some(document) => (self.document, self.number, self.rest) = (document, number, rest),
            None => self.state = State::Nonsense,
        }
    }
}

fn decode(bytes: &[u8]) -> Option<(Document, Sketch)> {
    let mut reader = Reader::new(bytes);
    let sketch = Sketch(*reader.bytes(32)?.first_chunk()?);
    let (id, text) = (reader.text()?, reader.text()?);
    let paths = reader.texts()?;
    let time_ms = reader.u64()?.cast_signed();
    let scope = reader.text()?;
    let has_session = reader.bytes(1)? == [1];
    let session = Some(reader.text()?).filter(|_| has_session);
    let class = reader.text()?;
    let importance = f32::from_bits(reader.u32()?);
    let readers = reader.texts()?;
    let until_ms = Some(reader.u64()?.cast_signed()).filter(|until| *until != i64::MAX);
    let note = reader.text()?;
    let document =
        Document { id, text, paths, time_ms, scope, session, class, importance, readers, until_ms, note };
    Some((document, sketch))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// MM7: walking a list in windows finds the same, in one go and one by one, and nonsense is noticed by both.
        #[test]
        fn both_ways_through_a_list_find_the_same(
            bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200),
            documents in 1_u32..20_000,
            window in 1_u32..3_000,
        ) {
            let list = List { bytes: Cow::Borrowed(&bytes), documents };
            let (mut one, mut other) = (list.cursor(), list.cursor());
            for to in (0..=documents / window + 1).map(|number| number * window) {
                let (mut by_one, mut at_once) = (Vec::new(), Vec::new());
                by_one.extend(std::iter::from_fn(|| one.next_before(to)));
                other.each_before(to, |document, number| at_once.push((document, number)));
                proptest::prop_assert_eq!(by_one, at_once);
                proptest::prop_assert_eq!(one.is_whole(), other.is_whole());
            }
        }
    }
}
