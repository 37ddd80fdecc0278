//! A limit before parsing: the parser is recursive, so a line nested too deep is refused before it is parsed.
//!
//! The count is an upper bound on what the parser can nest: every opening bracket, substitution or keyword that starts a
//! block adds one and nothing but its partner takes it away. Quotes are not looked at, which can only count too much.

/// Longest command line that is judged, in bytes.
pub(crate) const MAX_BYTES: usize = 256 * 1024;

/// Deepest nesting that is parsed.
pub(crate) const MAX_NESTING: usize = 120;

/// Up to here the ordinary stack is enough for the parser.
pub(crate) const ORDINARY_NESTING: usize = 12;

/// Brackets and `case` blocks double the parser's work for every level that is left open.
const MAX_DOUBLING: (usize, usize) = (18, 8);

/// Whether the parser could need more time than a hook has.
pub(crate) fn may_be_slow(text: &str) -> bool {
    let (mut brackets, mut deepest) = (0usize, 0usize);
    for byte in text.bytes() {
        match byte {
            b'(' => brackets += 1,
            b')' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(brackets);
    }
    let cases = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| *word == "case").count();
    deepest > MAX_DOUBLING.0 || cases > MAX_DOUBLING.1
}

/// Whether the text is short and flat enough for the parser.
pub(crate) fn is_parseable(text: &str) -> bool {
    text.len() <= MAX_BYTES && depth(text) <= MAX_NESTING && !text.contains('\0')
}

/// How deep the text may nest.
pub(crate) fn depth(text: &str) -> usize {
    let (mut open, mut deepest, mut bangs) = (0usize, 0usize, 0usize);
    let mut word = String::new();
    for c in text.chars() {
        match c {
            '(' | '{' => open += 1,
            ')' | '}' => open = open.saturating_sub(1),
            '!' => bangs += 1,
            _ => {}
        }
        if c.is_ascii_alphabetic() {
            word.push(c);
            if word.len() > 8 {
                word.truncate(8);
            }
        } else {
            match word.as_str() {
                "then" | "do" | "case" => open += 1,
                "fi" | "done" | "esac" => open = open.saturating_sub(1),
                _ => {}
            }
            word.clear();
        }
        deepest = deepest.max(open);
    }
    deepest.max(bangs / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_nesting_is_refused_and_long_prose_is_not() {
        assert!(!is_parseable(&"$(".repeat(5000)));
        assert!(!is_parseable(&"if true; then ".repeat(200)));
        assert!(is_parseable(&"echo if_a (b) {c} ;".repeat(200)));
    }
}
