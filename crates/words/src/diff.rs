//! Comparing two texts line by line.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices_deadline, group_diff_ops};

use crate::lines::is_binary;

/// Texts longer than this are counted as changed, not compared.
pub const LIMIT: usize = 4 << 20;

/// Comparing two long, entirely different texts stops here and gives a coarser answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// Text, with its hunks in unified form if they were asked for.
    Text {
        /// New lines.
        added: u64,
        /// Lines that are gone.
        removed: u64,
        /// The hunks.
        hunks: Option<String>,
    },
    /// At least one side is not text.
    Binary,
    /// Too long to compare.
    TooLarge,
}

/// Compares. With `context`, the hunks are written out with so many lines around each change.
pub fn compare(old: &[u8], new: &[u8], context: Option<usize>) -> Compared {
    if is_binary(old) || is_binary(new) {
        return Compared::Binary;
    }
    if old.len() > LIMIT || new.len() > LIMIT {
        return Compared::TooLarge;
    }
    let (old_lines, new_lines) = (split(old), split(new));
    let ops = diff(&old_lines, &new_lines);
    let (mut added, mut removed) = (0, 0);
    for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
        removed += op.old_range().len() as u64;
        added += op.new_range().len() as u64;
    }
    let hunks = context.map(|context| {
        String::from_utf8(write(&old_lines, &new_lines, ops, context))
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    });
    Compared::Text { added, removed, hunks }
}

/// The hunks to the byte, for content that need not be UTF-8.
pub fn unified(old: &[u8], new: &[u8], context: usize) -> Vec<u8> {
    let (old, new) = (split(old), split(new));
    let ops = diff(&old, &new);
    write(&old, &new, ops, context)
}

/// Lines as git sees them: a lone carriage return ends none.
fn split(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}

fn diff(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(Instant::now() + PATIENCE))
}

fn write(old: &[&[u8]], new: &[&[u8]], ops: Vec<DiffOp>, context: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for group in group_diff_ops(ops, context) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let gone = range(first.old_range().start, last.old_range().end);
        let came = range(first.new_range().start, last.new_range().end);
        out.extend_from_slice(format!("@@ -{gone} +{came} @@\n").as_bytes());
        for op in &group {
            if op.tag() == DiffTag::Equal {
                put(b' ', &old[op.old_range()], &mut out);
            } else {
                put(b'-', &old[op.old_range()], &mut out);
                put(b'+', &new[op.new_range()], &mut out);
            }
        }
    }
    out
}

fn put(sign: u8, lines: &[&[u8]], out: &mut Vec<u8>) {
    for line in lines {
        out.push(sign);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// `first,count` with the first line counted from 1; where there is none, the line before the gap.
fn range(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        count => format!("{},{count}", start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_shows_lines() {
        let Compared::Text { added, removed, hunks } = compare(b"a\nb\nc\n", b"a\nB\nc\nd\n", Some(1)) else {
            panic!()
        };
        assert_eq!((added, removed), (2, 1));
        assert_eq!(hunks.unwrap(), "@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+d\n");
    }

    #[test]
    fn lines_end_where_git_ends_them() {
        let hunks = |old: &[u8], new: &[u8]| String::from_utf8(unified(old, new, 0)).unwrap();
        assert_eq!(hunks(b"a\rb\n", b"a\rB\n"), "@@ -1 +1 @@\n-a\rb\n+a\rB\n");
        assert_eq!(hunks(b"a\r\n", b"a\n"), "@@ -1 +1 @@\n-a\r\n+a\n");
        assert_eq!(hunks(b"", b"a\r"), "@@ -0,0 +1 @@\n+a\r\n\\ No newline at end of file\n");
        assert_eq!(hunks(b"a\nb", b"a\nb\n"), "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n");
        assert_eq!(unified(b"\xff\n", b"", 3), b"@@ -1 +0,0 @@\n-\xff\n");
    }

    #[test]
    fn text_that_is_not_utf8_is_still_text_and_nul_is_not() {
        assert!(matches!(compare(b"\xff\n", b"\xfe\n", None), Compared::Text { added: 1, removed: 1, .. }));
        assert_eq!(compare(b"a\0b", b"a", None), Compared::Binary);
    }
}
