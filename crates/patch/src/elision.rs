//! Lines that stand for other lines: `...` in context is a gap; in added lines it is code that was never written.

use crate::normal::{normal, trim};

/// A context line that says "and so on": only dots, perhaps in a comment, perhaps with words such as "existing code".
pub(crate) fn is_gap(line: &[u8]) -> bool {
    let line = normal(line);
    let inner = without_comment_marks(&line);
    matches!(inner, b"..." | b"....") || is_placeholder(&line)
}

/// An added line that stands for code which was not written out, such as `// ... existing code ...`.
pub(crate) fn is_placeholder(line: &[u8]) -> bool {
    const WORDS: [&str; 14] = [
        "existing",
        "rest of",
        "the rest",
        "remaining",
        "unchanged",
        "remains the same",
        "remain the same",
        "stays the same",
        "same as before",
        "as before",
        "other code",
        "previous code",
        "omitted",
        "keep the",
    ];
    let line = normal(line);
    if line.len() > 160 {
        return false;
    }
    let inner = without_comment_marks(&line);
    let is_comment = inner.len() < line.len();
    let dots = inner.starts_with(b"...") || inner.ends_with(b"...");
    let bracketed = matches!(
        (inner.first(), inner.last()),
        (Some(b'('), Some(b')')) | (Some(b'['), Some(b']')) | (Some(b'<'), Some(b'>'))
    );
    let both_dots = inner.len() > 6 && inner.starts_with(b"...") && inner.ends_with(b"...");
    if !(is_comment && (dots || bracketed) || both_dots) {
        return false;
    }
    let words = String::from_utf8_lossy(inner).to_lowercase();
    WORDS.iter().any(|word| words.contains(word))
}

/// The text of a comment: its marks taken off both ends.
fn without_comment_marks(line: &[u8]) -> &[u8] {
    const OPEN: [&[u8]; 12] =
        [b"<!--", b"{/*", b"/*", b"//", b"{-", b"(*", b"--", b"#", b";", b"%", b"*", b"'"];
    const CLOSE: [&[u8]; 5] = [b"-->", b"*/}", b"*/", b"-}", b"*)"];
    let mut inner = trim(line);
    for mark in OPEN {
        if let Some(rest) = inner.strip_prefix(mark) {
            inner = rest;
            while matches!(inner.first(), Some(b'/' | b'#' | b';' | b'%' | b'!')) {
                inner = &inner[1..];
            }
            break;
        }
    }
    for mark in CLOSE {
        if let Some(rest) = inner.strip_suffix(mark) {
            inner = rest;
            break;
        }
    }
    trim(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_recognised_in_many_comment_styles() {
        for line in [
            "// ... existing code ...",
            "    # ... rest of the function unchanged ...",
            "/* ... remaining code ... */",
            "// (keep the rest as is)",
            "<!-- ... rest of the page ... -->",
            "-- ... existing columns ...",
            "// … existing imports …",
            "... rest of file ...",
            "{/* ... existing elements ... */}",
        ] {
            assert!(is_placeholder(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn ordinary_code_is_no_placeholder() {
        for line in [
            "// ... however, we only need to find the N preceding lines based",
            "    ...",
            "print(\"loading existing files...\")",
            "// Keep the existing order of the entries.",
            "def f(x): ...",
            "# The rest of the arguments are passed on (see above)",
            "rest of the text goes on",
        ] {
            assert!(!is_placeholder(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn dots_alone_are_a_gap_in_context_only() {
        for line in ["...", "    ...", "// ...", "# ...", "/* ... */", "/* ...", "…"] {
            assert!(is_gap(line.as_bytes()), "{line}");
        }
        assert!(!is_gap(b"foo(...)"));
    }
}
