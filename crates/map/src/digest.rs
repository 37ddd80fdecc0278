//! Digests of a symbol's text.

use xxhash_rust::xxh3::Xxh3;

/// How much of the spacing says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// Any run of spaces and line breaks is as good as one.
    Free,
    /// The beginning of a line says where it belongs.
    Indented,
}

/// The digest of a text, and the one without the bytes of `name` (a range of the text).
pub(crate) fn digests(text: &[u8], name: Option<std::ops::Range<usize>>, spacing: Spacing) -> (u64, u64) {
    let whole = digest(&[text], spacing);
    let shape = match name {
        Some(name) if name.end <= text.len() && name.start <= name.end => {
            digest(&[&text[..name.start], &text[name.end..]], spacing)
        }
        _ => whole,
    };
    (whole, shape)
}

fn digest(parts: &[&[u8]], spacing: Spacing) -> u64 {
    let mut hasher = Xxh3::new();
    for part in parts {
        match spacing {
            Spacing::Free => {
                for word in part.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                    hasher.update(word);
                    hasher.update(b" ");
                }
            }
            Spacing::Indented => {
                for line in part.split(|byte| *byte == b'\n') {
                    let line = line.trim_ascii_end();
                    if !line.is_empty() {
                        hasher.update(line);
                        hasher.update(b"\n");
                    }
                }
            }
        }
        hasher.update(b"\0");
    }
    hasher.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_counts_only_where_it_says_something() {
        let free = |text: &str| digests(text.as_bytes(), None, Spacing::Free).0;
        assert_eq!(free("a  b\n c"), free("a b c "));
        assert_ne!(free("a b"), free("ab"));
        let indented = |text: &str| digests(text.as_bytes(), None, Spacing::Indented).0;
        assert_eq!(indented("a:\n  b  \n"), indented("a:\n\n  b\n"));
        assert_ne!(indented("a:\n  b\n"), indented("a:\nb\n"));
    }

    #[test]
    fn the_shape_is_the_same_under_another_name() {
        let shape = |text: &str, name: &str| {
            let at = text.find(name).unwrap_or_default();
            digests(text.as_bytes(), Some(at..at + name.len()), Spacing::Free).1
        };
        assert_eq!(shape("fn login() { 1 }", "login"), shape("fn sign_in() { 1 }", "sign_in"));
        assert_ne!(shape("fn login() { 1 }", "login"), shape("fn login() { 2 }", "login"));
    }
}
