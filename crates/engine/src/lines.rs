//! Comparing two texts line by line.

use std::time::Duration;

use similar::{Algorithm, ChangeTag, TextDiff};

/// Texts longer than this are counted as changed, not compared.
pub(crate) const LIMIT: usize = 4 << 20;

/// Comparing two long, entirely different texts stops here and gives a coarser answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Compared {
    /// Text, with its hunks in unified form if they were asked for.
    Text { added: u64, removed: u64, hunks: Option<String> },
    /// At least one side is not text.
    Binary,
    /// Too long to compare.
    TooLarge,
}

/// Compares. With `context`, the hunks are written out with so many lines around each change.
pub(crate) fn compare(old: &[u8], new: &[u8], context: Option<usize>) -> Compared {
    if is_binary(old) || is_binary(new) {
        return Compared::Binary;
    }
    if old.len() > LIMIT || new.len() > LIMIT {
        return Compared::TooLarge;
    }
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).timeout(PATIENCE).diff_lines(old, new);
    let (mut added, mut removed) = (0, 0);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => added += 1,
            ChangeTag::Delete => removed += 1,
            ChangeTag::Equal => {}
        }
    }
    let hunks = context.map(|context| {
        let mut hunks = Vec::new();
        // Writing to memory does not fail.
        let _ = diff.unified_diff().context_radius(context).to_writer(&mut hunks);
        String::from_utf8(hunks)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    });
    Compared::Text { added, removed, hunks }
}

/// How much of a content tells whether it is text.
pub(crate) const HEAD: usize = 8000;

/// Git's rule: a NUL byte near the beginning.
pub(crate) fn is_binary(content: &[u8]) -> bool {
    content[..content.len().min(HEAD)].contains(&0)
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
    fn text_that_is_not_utf8_is_still_text_and_nul_is_not() {
        assert!(matches!(compare(b"\xff\n", b"\xfe\n", None), Compared::Text { added: 1, removed: 1, .. }));
        assert_eq!(compare(b"a\0b", b"a", None), Compared::Binary);
    }
}
