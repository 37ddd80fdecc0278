//! A content as lines that can be compared quickly.

use std::cell::OnceCell;

use xxhash_rust::xxh3::xxh3_64;

use super::{MOST_BYTES, NoLines};

/// A text and names for its lines: equal lines have equal names.
#[derive(Debug)]
pub(super) struct Text {
    bytes: Vec<u8>,
    /// Where each line ends, line end included.
    ends: Vec<usize>,
    names: Vec<u64>,
    bare: OnceCell<Vec<u64>>,
}

/// The name of a line that has nothing but blanks.
pub(super) const BLANK: u64 = 0;

impl Text {
    pub(super) fn of(bytes: Vec<u8>) -> Result<Self, NoLines> {
        if bytes.len() > MOST_BYTES {
            return Err(NoLines::TooLong);
        }
        if bytes.contains(&0) {
            return Err(NoLines::Binary);
        }
        let mut ends: Vec<usize> =
            bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        if ends.last().copied().unwrap_or(0) < bytes.len() {
            ends.push(bytes.len());
        }
        let mut text = Self { bytes, ends, names: Vec::new(), bare: OnceCell::new() };
        // A last line without its end is the same line.
        text.names = (0..text.len()).map(|line| xxh3_64(ended(text.line(line)))).collect();
        Ok(text)
    }

    /// A content in UTF-16 with its mark, as the same lines in UTF-8.
    pub(super) fn of_wide(bytes: &[u8]) -> Option<Self> {
        let unit = match bytes.get(..2)? {
            [0xff, 0xfe] => u16::from_le_bytes,
            [0xfe, 0xff] => u16::from_be_bytes,
            _ => return None,
        };
        let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let text: String = char::decode_utf16(units).collect::<Result<_, _>>().ok()?;
        Self::of(text.into_bytes()).ok()
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many bytes it has.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn line(&self, line: usize) -> &[u8] {
        let start = if line == 0 { 0 } else { self.ends[line - 1] };
        &self.bytes[start..self.ends[line]]
    }

    pub(super) fn names(&self) -> &[u64] {
        &self.names
    }

    /// Names of the lines without their blanks; [`BLANK`] where nothing is left.
    pub(super) fn bare(&self) -> &[u64] {
        self.bare.get_or_init(|| {
            let mut buffer = Vec::new();
            (0..self.len()).map(|line| name_of(self.line(line), is_solid, &mut buffer)).collect()
        })
    }

    /// How many letters and digits a line has.
    pub(super) fn weight(&self, line: usize) -> usize {
        self.line(line).iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80).count()
    }
}

fn ended(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

/// It is no blank.
pub(crate) fn is_solid(byte: u8) -> bool {
    !byte.is_ascii_whitespace()
}

/// A formatter would not put it in or take it out.
pub(crate) fn is_lasting(byte: u8) -> bool {
    is_solid(byte) && !matches!(byte, b',' | b';' | b'(' | b')' | b'\'' | b'"' | b'`' | b'\\')
}

/// The name of what is left of a line.
pub(crate) fn name_of(line: &[u8], keep: fn(u8) -> bool, buffer: &mut Vec<u8>) -> u64 {
    buffer.clear();
    buffer.extend(line.iter().copied().filter(|byte| keep(*byte)));
    // A line of nothing but brackets still has a name.
    if buffer.is_empty() {
        buffer.extend(line.iter().copied().filter(|byte| is_solid(*byte)));
    }
    if buffer.is_empty() { BLANK } else { xxh3_64(buffer).max(1) }
}
