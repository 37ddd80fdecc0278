//! Limits before parsing: the parser is recursive, so the shape of a text decides where, and whether, it is parsed.
//!
//! The count is an upper bound on how deep the parser can nest: everything that can open a level counts, and nothing
//! takes away from it. Quotes are not looked at, which can only count too much.

/// Longest text that is judged, in bytes.
pub(crate) const MAX_BYTES: usize = 256 * 1024;

/// Up to here the ordinary stack of a thread is enough for parsing and walking.
const ORDINARY_OPENERS: usize = 40;

/// Up to here the large stack is.
const MAX_OPENERS: usize = 3000;

/// Round brackets, `case` blocks and braces up to which the parser is quick whatever the rest is: each of them that is
/// left open multiplies its work by two to four.
const QUICK: (usize, usize, usize) = (10, 4, 14);

/// So many brackets, or `case` blocks, open at the end of the text: it is broken, and the parser would need for ever
/// to say so.
const MAX_LEFT_OPEN: (usize, usize) = (12, 4);

/// What the parser would meet in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Everything that may open a level.
    openers: usize,
    brackets: usize,
    braces: usize,
    cases: usize,
    parseable: bool,
}

impl Shape {
    /// Looks at a text once.
    pub(crate) fn of(text: &str) -> Self {
        let parseable = text.len() <= MAX_BYTES && !crate::here_tags::could_loop(text);
        let mut shape = Self { parseable, ..Self::default() };
        if !shape.parseable {
            return shape;
        }
        let (mut open, mut open_cases, mut start) = (0usize, 0usize, None);
        let bytes = text.as_bytes();
        let mut tests = false;
        let mut joints = 0;
        for (at, byte) in bytes.iter().copied().chain([b' ']).enumerate() {
            match byte {
                b'(' => {
                    open += 1;
                    shape.brackets += 1;
                }
                b')' => open = open.saturating_sub(1),
                b'{' => shape.braces += 1,
                b'!' | b'`' => shape.openers += 1,
                b'[' if at > 0 && bytes[at - 1] == b'$' => {
                    open += 1;
                    shape.brackets += 1;
                }
                b'[' => tests |= bytes.get(at + 1) == Some(&b'['),
                b'&' | b'|' => joints += 1,
                0 => shape.parseable = false,
                _ => {}
            }
            if byte.is_ascii_alphabetic() {
                start = start.or(Some(at));
            } else if let Some(from) = start.take() {
                match &bytes[from..at] {
                    b"if" | b"elif" | b"else" | b"while" | b"until" | b"for" | b"do" | b"then"
                    | b"select" | b"coproc" | b"function" | b"time" => shape.openers += 1,
                    b"case" => {
                        shape.openers += 1;
                        shape.cases += 1;
                        open_cases += 1;
                    }
                    b"esac" => open_cases = open_cases.saturating_sub(1),
                    _ => {}
                }
            }
        }
        shape.openers += shape.brackets + shape.braces;
        // Inside `[[ ]]` every `&&` and `||` is a level of the tree.
        if tests {
            shape.openers += joints / 2;
        }
        let broken = (open > MAX_LEFT_OPEN.0 || open_cases > MAX_LEFT_OPEN.1) && !text.contains("<<");
        shape.parseable &= shape.openers <= MAX_OPENERS && !broken;
        shape
    }

    /// Whether it is short and flat enough for the parser at all.
    pub(crate) fn is_parseable(self) -> bool {
        self.parseable
    }

    /// Whether it may need more stack than a thread usually has.
    pub(crate) fn is_deep(self) -> bool {
        self.openers > ORDINARY_OPENERS
    }

    /// Whether the parser could need more time than a hook has.
    pub(crate) fn may_be_slow(self) -> bool {
        self.brackets > QUICK.0 || self.cases > QUICK.1 || self.braces > QUICK.2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_nest_too_deep_is_refused_and_long_prose_is_not() {
        for opener in ["$(", "if true; then ", "if echo 'fi' \n ", "( ')' ", "! ", "while ", "{ "] {
            assert!(!Shape::of(&opener.repeat(5000)).is_parseable(), "{opener}");
        }
        assert!(Shape::of(&"echo a (b) {c} ;".repeat(200)).is_parseable());
        assert!(!Shape::of("a\0b").is_parseable());
        assert!(!Shape::of(&"a".repeat(MAX_BYTES + 1)).is_parseable());
    }

    #[test]
    fn ordinary_lines_stay_on_the_ordinary_stack() {
        let line = "for f in $(git ls-files); do if [[ -f $f ]]; then wc -l \"$f\"; fi; done";
        assert!(!Shape::of(line).is_deep() && !Shape::of(line).may_be_slow());
        assert!(Shape::of(&"[[ a && b ]] ".repeat(50)).is_deep());
        assert!(Shape::of(&"(".repeat(12)).may_be_slow());
    }
}
