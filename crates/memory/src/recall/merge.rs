//! Several segments into one, without looking at the text again.

use std::iter::Peekable;

use super::build::{Columns, Postings};
use super::error::Result;
use super::format::Entry;
use super::segment::Segment;

/// The documents of all segments one after the other: the same bytes as if they had been indexed at once.
pub(super) fn merge(segments: &[&Segment]) -> Result<Vec<u8>> {
    let mut columns = Columns::default();
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut base = 0;
    for segment in segments {
        for item in segment.all() {
            let (document, length, sketch) = item?;
            columns.push(&document, length, &sketch)?;
        }
        parts.push(Part { segment, base, entries: segment.entries()?.into_iter().peekable() });
        base += segment.documents();
    }
    columns.finish(std::iter::from_fn(|| next(&mut parts).transpose()))
}

struct Part<'a> {
    segment: &'a Segment,
    base: u32,
    entries: Peekable<std::vec::IntoIter<Entry>>,
}

/// The term with the smallest hash, from all segments that have it.
fn next(parts: &mut [Part<'_>]) -> Result<Option<(u64, Postings)>> {
    let Some(hash) = parts.iter_mut().filter_map(|part| part.entries.peek().map(|entry| entry.hash)).min()
    else {
        return Ok(None);
    };
    let mut list = Postings::default();
    for part in parts {
        let base = part.base;
        if let Some(entry) = part.entries.next_if(|entry| entry.hash == hash) {
            part.segment.postings(&entry, |document, number| list.push(base + document, number))?;
        }
    }
    Ok(Some((hash, list)))
}
