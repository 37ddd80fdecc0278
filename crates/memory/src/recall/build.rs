//! Turns documents, or pieces of other segments, into the bytes of a segment.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hasher;

use super::document::Document;
use super::error::{Error, Result};
use super::format::{
    Entry, HEADER, Header, Kind, NONE, Part, Row, SECTIONS, SPAN, Section, bucket, put_text, put_varint, sum,
    sum_of_part, term,
};
use super::sketch::Sketch;

/// About this many entries share a bucket of the dictionary.
const PER_BUCKET: u32 = 16;
/// Documents are numbered with 32 bits.
const MOST: u32 = u32::MAX / 2;

/// The postings of one term, in the making.
#[derive(Debug, Default)]
pub(super) struct Postings {
    pub documents: u32,
    last: Option<u32>,
    bytes: Vec<u8>,
}

impl Postings {
    /// Adds a document; they come in rising order.
    pub fn push(&mut self, document: u32, number: u8) {
        let gap = self.last.map_or(document, |last| document - last - 1);
        put_varint(&mut self.bytes, gap);
        self.bytes.push(number);
        self.last = Some(document);
        self.documents += 1;
    }
}

/// What each document has besides its terms.
#[derive(Debug, Default)]
pub(super) struct Columns {
    rows: Vec<u8>,
    spans: Vec<(u32, u32)>,
    names: BTreeMap<String, u16>,
    listed: Vec<u8>,
    places: Vec<u8>,
    records: Vec<u8>,
    documents: u32,
    length: u64,
}

impl Columns {
    /// Adds a document with so many words.
    pub fn push(&mut self, document: &Document, length: u16, sketch: &Sketch) -> Result<()> {
        let seconds = u32::try_from(document.time_ms.max(0) / 1000).unwrap_or(u32::MAX);
        let row = Row {
            session: document.session.as_deref().map_or(0, |name| term(Kind::Session, name)),
            seconds,
            length,
            class: self.name(&document.class)?,
            scope: self.name(&document.scope)?,
            importance: (document.importance.clamp(0.0, 1.0) * 255.0).round() as u8,
        };
        row.encode(self.documents, &mut self.rows);
        if self.documents.is_multiple_of(SPAN) {
            self.spans.push((seconds, seconds));
        } else if let Some((first, last)) = self.spans.last_mut() {
            (*first, *last) = ((*first).min(seconds), (*last).max(seconds));
        }
        self.places.extend((self.records.len() as u64).to_le_bytes());
        let start = self.records.len();
        encode(document, sketch, &mut self.records);
        let check = sum(u64::from(self.documents), &self.records[start..]);
        self.records.extend(check.to_le_bytes());
        if self.documents == MOST {
            return Err(Error::TooLarge("too many memories"));
        }
        self.documents += 1;
        self.length += u64::from(length);
        Ok(())
    }

    fn name(&mut self, name: &str) -> Result<u16> {
        if let Some(number) = self.names.get(name) {
            return Ok(*number);
        }
        let number = u16::try_from(self.names.len()).ok().filter(|number| *number != NONE);
        let number = number.ok_or(Error::TooLarge("more than 65,000 different scopes and classes"))?;
        put_text(&mut self.listed, name);
        self.names.insert(name.to_owned(), number);
        Ok(number)
    }

    /// Puts the file together. The terms come sorted by hash.
    pub fn finish(mut self, terms: impl Iterator<Item = Result<(u64, Postings)>>) -> Result<Vec<u8>> {
        let mut postings = Vec::new();
        let mut entries = Vec::new();
        for item in terms {
            let (hash, list) = item?;
            let offset = postings.len() as u64;
            let check = sum(hash, &list.bytes);
            postings.extend(&list.bytes);
            postings.extend(check.to_le_bytes());
            let len =
                u32::try_from(list.bytes.len()).map_err(|_| Error::TooLarge("one word is everywhere"))?;
            entries.push(Entry { hash, documents: list.documents, offset, len });
        }
        let count = u32::try_from(entries.len()).map_err(|_| Error::TooLarge("too many words"))?;
        let bits = (count / PER_BUCKET).next_power_of_two().trailing_zeros();
        let (directory, dictionary) = dictionary(&entries, bits);
        self.places.extend((self.records.len() as u64).to_le_bytes());
        let spans = self.spans.iter().flat_map(|(first, last)| [first.to_le_bytes(), last.to_le_bytes()]);
        let spans: Vec<u8> = spans.flatten().collect();
        let parts: [(Part, Vec<u8>); SECTIONS] = [
            (Part::Directory, directory),
            (Part::Dictionary, dictionary),
            (Part::Postings, postings),
            (Part::Rows, self.rows),
            (Part::Spans, spans),
            (Part::Names, self.listed),
            (Part::Places, self.places),
            (Part::Records, self.records),
        ];
        let mut header = Header {
            documents: self.documents,
            terms: count,
            bits,
            length: self.length,
            ..Header::default()
        };
        let mut out = vec![0; HEADER];
        for (part, bytes) in parts {
            let sum = sum_of_part(&bytes);
            header.sections[part as usize] =
                Section { offset: out.len() as u64, len: bytes.len() as u64, sum };
            out.extend(bytes);
        }
        out[..HEADER].copy_from_slice(&header.encode());
        Ok(out)
    }
}

fn dictionary(entries: &[Entry], bits: u32) -> (Vec<u8>, Vec<u8>) {
    let (mut directory, mut dictionary) = (Vec::new(), Vec::new());
    let mut next = 0;
    for number in 0..1_u32 << bits {
        directory.extend((next as u32).to_le_bytes());
        let start = dictionary.len();
        while let Some(entry) = entries.get(next).filter(|entry| bucket(entry.hash, bits) == number) {
            entry.encode(&mut dictionary);
            next += 1;
        }
        let check = sum(u64::from(number), &dictionary[start..]);
        dictionary.extend(check.to_le_bytes());
    }
    directory.extend((next as u32).to_le_bytes());
    (directory, dictionary)
}

fn encode(document: &Document, sketch: &Sketch, out: &mut Vec<u8>) {
    out.extend(sketch.0);
    put_text(out, &document.id);
    put_text(out, &document.text);
    put_texts(out, &document.paths);
    out.extend(document.time_ms.to_le_bytes());
    put_text(out, &document.scope);
    out.push(u8::from(document.session.is_some()));
    put_text(out, document.session.as_deref().unwrap_or_default());
    put_text(out, &document.class);
    out.extend(document.importance.to_le_bytes());
    put_texts(out, &document.readers);
    out.extend(document.until_ms.unwrap_or(i64::MAX).to_le_bytes());
    put_text(out, &document.note);
}

fn put_texts(out: &mut Vec<u8>, texts: &[String]) {
    put_varint(out, u32::try_from(texts.len()).unwrap_or(u32::MAX));
    for text in texts {
        put_text(out, text);
    }
}

/// The segment of some documents.
pub(super) fn build<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Result<Vec<u8>> {
    let mut columns = Columns::default();
    let mut lists: HashMap<u64, Postings, Known> = HashMap::default();
    for document in documents {
        let number = columns.documents;
        let terms = document.terms();
        columns.push(document, terms.length, &terms.sketch)?;
        for (hash, count) in terms.numbers {
            lists.entry(hash).or_default().push(number, count);
        }
    }
    let mut lists: Vec<(u64, Postings)> = lists.into_iter().collect();
    lists.sort_unstable_by_key(|(hash, _)| *hash);
    columns.finish(lists.into_iter().map(Ok))
}

/// Terms are hashes already.
pub(super) type Known = std::hash::BuildHasherDefault<AsItIs>;

#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 ^ u64::from(*byte);
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}
