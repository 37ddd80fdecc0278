//! Blanks that mean something: a line that only got other blanks keeps its writer, but who changed them is told as well. (M9)

use super::text::is_solid;

/// Files in which the blanks at the beginning of a line are part of what it says.
const BY_INDENT: &[&str] = &[
    "py", "pyi", "pyx", "yml", "yaml", "haml", "pug", "jade", "slim", "sass", "styl", "nim", "hs", "elm",
    "fs", "coffee", "mk", "md", "rst", "gd",
];

/// Whether the indent of a line of this file says something.
pub(super) fn indent_tells(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    let end = name.rsplit(|&byte| byte == b'.').next().unwrap_or(name).to_ascii_lowercase();
    BY_INDENT.iter().any(|known| known.as_bytes() == end) || name.to_ascii_lowercase().ends_with(b"makefile")
}

/// These two lines are equal but for blanks: may those mean something? `indent`: of this file.
pub(super) fn may_mean_something(old: &[u8], new: &[u8], indent: bool) -> bool {
    let ends = |line: &[u8]| line.trim_ascii_end().to_vec();
    let (old, new) = (ends(old), ends(new));
    let split = |line: &[u8]| {
        let start = line.iter().position(|byte| is_solid(*byte)).unwrap_or(line.len());
        (line[..start].to_vec(), line[start..].to_vec())
    };
    let ((old_indent, old_rest), (new_indent, new_rest)) = (split(&old), split(&new));
    indent && old_indent != new_indent
        || between_words(&old_rest) != between_words(&new_rest)
        || quoted(&old_rest) != quoted(&new_rest)
}

/// Where blanks part two words: `a b` is not `ab`, while `f( a )` is `f(a)`.
fn between_words(line: &[u8]) -> Vec<usize> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let (mut out, mut solid, mut last, mut blank) = (Vec::new(), 0, None, false);
    for byte in line {
        if !is_solid(*byte) {
            blank = true;
            continue;
        }
        if blank && last.is_some_and(is_word) && is_word(*byte) {
            out.push(solid);
        }
        (last, blank) = (Some(*byte), false);
        solid += 1;
    }
    out
}

/// What stands between quotes, with its blanks; a quote that never ends begins nothing.
fn quoted(line: &[u8]) -> Vec<Vec<u8>> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(start) = line[at..].iter().position(|byte| matches!(byte, b'"' | b'\'' | b'`')) {
        let open = at + start;
        let Some(length) = line[open + 1..].iter().position(|byte| *byte == line[open]) else { break };
        out.push(line[open + 1..open + 1 + length].to_vec());
        at = open + length + 2;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_in_strings_between_words_and_indents_that_tell_are_known() {
        assert!(may_mean_something(b"    run()\n", b"run()\n", true));
        assert!(!may_mean_something(b"    run()\n", b"run()\n", false));
        assert!(may_mean_something(b"pad = \"a b\"\n", b"pad = \"ab\"\n", false));
        assert!(may_mean_something(b"x = '; '\n", b"x = ';'\n", false));
        assert!(may_mean_something(b"else if x\n", b"elseif x\n", false));
        for (old, new) in [("f( a,b )", "f(a, b)"), ("a=1", "a = 1"), ("x  y", "x y"), ("x;", "x;  ")] {
            assert!(!may_mean_something(old.as_bytes(), new.as_bytes(), false), "{old}");
        }
        assert!(indent_tells(b"src/a.py") && indent_tells(b"Makefile") && !indent_tells(b"a.js"));
    }
}
