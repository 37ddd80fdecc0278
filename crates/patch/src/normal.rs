//! What two lines have in common when they mean the same: whitespace and punctuation aside.

use std::borrow::Cow;

/// How closely a line of a patch and a line of the file agree, closest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Byte for byte (line endings aside).
    Exact,
    /// Whitespace at the end of lines differs.
    TrailingSpace,
    /// Context lines are written without their leading space.
    MissingSpace,
    /// Indentation differs.
    Indentation,
    /// Typographic punctuation or inner spacing differs.
    Punctuation,
    /// Context lines are wrong or missing, within bounds.
    Repaired,
}

/// Both ends trimmed of ASCII whitespace.
pub(crate) fn trim(line: &[u8]) -> &[u8] {
    line.trim_ascii()
}

/// The leading whitespace.
pub(crate) fn indent(line: &[u8]) -> &[u8] {
    let length = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &line[..length]
}

/// True for a line with nothing but whitespace.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// The form in which lines are looked up: ends trimmed, runs of whitespace as one space, typographic punctuation as
/// its ASCII twin.
pub(crate) fn normal(line: &[u8]) -> Cow<'_, [u8]> {
    let line = trim(line);
    // Nearly every line is plain already: one quick look.
    let mut before = 0;
    let plain = line.iter().all(|&byte| {
        let fine = byte > b' ' && byte < 0x80 || byte == b' ' && before != b' ';
        before = byte;
        fine
    });
    if plain {
        return Cow::Borrowed(line);
    }
    let mut out = Vec::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        for character in chunk.valid().chars() {
            push_plain(&mut out, character);
        }
        out.extend_from_slice(chunk.invalid());
    }
    while out.last() == Some(&b' ') {
        out.pop();
    }
    Cow::Owned(out)
}

fn push_plain(out: &mut Vec<u8>, character: char) {
    let plain: &[u8] = match character {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' => b"'",
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' => b"\"",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => b"-",
        '\u{2026}' => b"...",
        // Invisible: zero width space and joiners, byte order mark, soft hyphen.
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{00ad}' => return,
        _ if character.is_whitespace() => {
            if out.last().is_some_and(|byte| *byte != b' ') {
                out.push(b' ');
            }
            return;
        }
        _ => {
            let mut buffer = [0; 4];
            out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
            return;
        }
    };
    out.extend_from_slice(plain);
}

/// A line that says something: it has letters or digits enough to be told from others.
pub(crate) fn is_telling(line: &[u8]) -> bool {
    line.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80).count() >= 3
}

/// True if two lines are at least so alike; cheap when they clearly are not.
pub(crate) fn similar_enough(a: &[u8], b: &[u8], least: f64) -> bool {
    let (left, right) = (normal(a), normal(b));
    let mut counts = [0_i32; 256];
    for &byte in left.iter() {
        counts[usize::from(byte)] += 1;
    }
    let mut shared = 0;
    for &byte in right.iter() {
        let count = &mut counts[usize::from(byte)];
        shared += usize::from(*count > 0);
        *count -= 1;
    }
    // No common subsequence is longer than what the two have in common at all.
    let most = shared as f64 * 2.0 / (left.len() + right.len()).max(1) as f64;
    (left.is_empty() && right.is_empty()) || (most >= least && similarity(a, b) >= least)
}

/// How alike two lines are, from 0 to 1: the share of characters in a longest common subsequence, on the normal forms.
pub(crate) fn similarity(a: &[u8], b: &[u8]) -> f64 {
    /// Longer lines are compared by their beginnings.
    const LONGEST: usize = 400;
    let (a, b) = (normal(a), normal(b));
    let (a, b) = (&a[..a.len().min(LONGEST)], &b[..b.len().min(LONGEST)]);
    if a.is_empty() || b.is_empty() {
        return if a.len() == b.len() { 1.0 } else { 0.0 };
    }
    let mut row = vec![0_u32; b.len() + 1];
    for &left in a {
        let mut diagonal = 0;
        for (at, &right) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if left == right { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    f64::from(row[b.len()]) * 2.0 / (a.len() + b.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_and_spacing_do_not_count() {
        assert_eq!(&*normal("\t“it’s” — a\u{a0}b…  ".as_bytes()), b"\"it's\" - a b...");
        assert_eq!(&*normal(b"  a b "), b"a b");
        assert_eq!(&*normal(b"a\xff  b"), b"a\xff b");
    }

    #[test]
    fn similarity_is_between_none_and_all() {
        assert!(similarity(b"name = \"grep\"", b"namex = \"grep\"") > 0.9);
        assert!(similarity(b"let a = 1;", b"}") < 0.2);
        assert!((similarity(b"", b" ") - 1.0).abs() < 1e-9);
    }
}
