//! A command that may write anywhere ran, and a file is different. Which of its new lines does the command explain? It types what stands in its own words
//! or in the script that it runs, puts one word into the place of another, moves, formats. Every other line may as well have been typed by a person
//! while it ran: nobody saw who wrote. Such lines are told as "this step or by hand", never as the agent's.

use std::collections::HashMap;

use words::has_nul;

use crate::line_diff::between;
use crate::lines::text::{is_lasting, is_solid};

/// A file with more lines between the first and the last difference is not compared.
const MOST_LINES: usize = 1 << 15;
/// A line with less is a sign of nobody by its letters alone: its words have to follow each other in what was said.
const SHORT: usize = 8;
/// What takes the place of something else stands near it where it is said: `s/old/new/`, `replace("old", "new")`.
const NEAR: usize = 160;
/// So much of a line a formatter broke out of another.
const FORMATTED: usize = 3;

/// What a command says: its own words, and the text of the scripts that it runs.
pub(crate) struct Said {
    solid: Vec<u8>,
    words: Vec<Vec<u8>>,
    formats: bool,
}

impl Said {
    pub(crate) fn of(text: &str, formats: bool) -> Self {
        let text = with_escapes(text);
        let words = words_of(text.as_bytes()).map(<[u8]>::to_vec).collect();
        Self { solid: solid(text.as_bytes()), words, formats }
    }

    /// The new lines that nothing of it explains, counted from zero. None: the file cannot be compared.
    pub(super) fn leaves(&self, was: &[u8], is: &[u8]) -> Option<Vec<usize>> {
        if has_nul(was) || has_nul(is) {
            return Some(Vec::new());
        }
        let [was_lines, is_lines] = [was, is].map(lines);
        let hunks = between(&was_lines, &is_lines, MOST_LINES)?;
        let mut gone: HashMap<Vec<u8>, usize> = HashMap::new();
        for line in hunks.iter().flat_map(|hunk| &was_lines[hunk.base.clone()]) {
            *gone.entry(solid(line)).or_insert(0) += 1;
        }
        let mut out = Vec::new();
        for hunk in &hunks {
            let base = &was_lines[hunk.base.clone()];
            let side = &is_lines[hunk.side.clone()];
            let formatted = if self.formats { formatted(base, side) } else { vec![false; side.len()] };
            let mut used = vec![false; base.len()];
            for (at, line) in side.iter().enumerate() {
                let bare = solid(line);
                if bare.is_empty() || formatted[at] || self.types(line, &bare) || self.types_beside(side, at)
                {
                    continue;
                }
                if let Some(count) = gone.get_mut(&bare).filter(|count| **count > 0) {
                    *count -= 1;
                    continue;
                }
                let made_of = (0..base.len()).find(|from| !used[*from] && self.changes(base[*from], line));
                match made_of {
                    Some(from) => used[from] = true,
                    None => out.push(hunk.side.start + at),
                }
            }
        }
        Some(out)
    }

    /// The line stands in one of these contents, or a word of one there took the place of another, as was said: both words, for a digit more or
    /// less makes many lines out of others.
    pub(super) fn makes_of(&self, contents: &[Vec<u8>], line: &[u8]) -> bool {
        let bare = solid(line);
        contents.iter().flat_map(|content| lines(content)).map(solid).any(|there| {
            let (out, came) = cores(&there, &bare);
            let is_swap = !out.is_empty() && !came.is_empty() && there.len() >= SHORT;
            !there.is_empty() && (there == bare || is_swap && self.swaps(out, came))
        })
    }

    /// The line stands in what was said.
    fn types(&self, line: &[u8], bare: &[u8]) -> bool {
        if !holds(&self.solid, bare) {
            return false;
        }
        if bare.len() >= SHORT {
            return true;
        }
        let words: Vec<&[u8]> = words_of(line).collect();
        // Brackets alone are everywhere.
        !words.is_empty()
            && self
                .words
                .windows(words.len())
                .any(|said| said.iter().zip(&words).all(|(one, two)| one == two))
    }

    /// A bracket stands in what was said right before or behind a line that does: the one that ends a block of a here document.
    fn types_beside(&self, side: &[&[u8]], at: usize) -> bool {
        let both = |from: usize, to: usize| -> Vec<u8> {
            side.get(from..=to).unwrap_or_default().iter().flat_map(|line| solid(line)).collect()
        };
        let is_said =
            |line: usize, both: &[u8]| self.types(side[line], &solid(side[line])) && holds(&self.solid, both);
        let is_solid = |line: &usize| side[*line].iter().copied().any(is_solid);
        let before = (0..at).rev().find(is_solid);
        let behind = (at + 1..side.len()).find(is_solid);
        before.is_some_and(|before| is_said(before, &both(before, at)))
            || behind.is_some_and(|behind| is_said(behind, &both(at, behind)))
    }

    /// What is different in the line was said to take the place of what stood there, at one place of it or word for word.
    fn changes(&self, old: &[u8], new: &[u8]) -> bool {
        let (old_bare, new_bare) = (solid(old), solid(new));
        let (out, came) = cores(&old_bare, &new_bare);
        if self.swaps(out, came) {
            return true;
        }
        self.renames(old, new)
    }

    /// Words of the line were said to take the place of others, and nothing else is different.
    pub(crate) fn renames(&self, old: &[u8], new: &[u8]) -> bool {
        is_same_frame(old, new)
            && words_of(old).zip(words_of(new)).filter(|(old, new)| old != new).all(|(old, new)| {
                let (out, came) = cores(old, new);
                self.swaps(out, came) || self.swaps(old, new)
            })
    }

    fn swaps(&self, out: &[u8], came: &[u8]) -> bool {
        if came.is_empty() && out.is_empty() {
            return true;
        }
        // A digit more or less proves nothing; `#` before a line does.
        let tells = |part: &[u8]| part.len() >= 2 || part.iter().any(u8::is_ascii_punctuation);
        if !(tells(out) || tells(came)) {
            return false;
        }
        if came.is_empty() || out.is_empty() {
            let part = if came.is_empty() { out } else { came };
            return tells(part) && holds(&self.solid, part);
        }
        let places = |part: &[u8]| -> Vec<usize> {
            let found = self.solid.windows(part.len()).enumerate();
            found.filter(|(_, window)| *window == part).map(|(at, _)| at).take(256).collect()
        };
        let (from, to) = (places(out), places(came));
        from.iter().any(|from| to.iter().any(|to| from.abs_diff(*to) <= NEAR + out.len().max(came.len())))
    }
}

/// What is different between the beginning and the end that both share.
fn cores<'t>(old: &'t [u8], new: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    let first = old.iter().zip(new).take_while(|(one, two)| one == two).count();
    let (old, new) = (&old[first..], &new[first..]);
    let last = old.iter().rev().zip(new.iter().rev()).take_while(|(one, two)| one == two).count();
    (&old[..old.len() - last], &new[..new.len() - last])
}

/// Which of the lines that stand there a formatter made of those before: not a word is different.
fn formatted(base: &[&[u8]], side: &[&[u8]]) -> Vec<bool> {
    let lasting = |lines: &[&[u8]]| -> Vec<u8> {
        lines.iter().copied().flatten().copied().filter(|byte| is_lasting(*byte)).collect()
    };
    let whole = lasting(base);
    if whole == lasting(side) {
        return vec![true; side.len()];
    }
    let mut from = 0;
    side.iter()
        .map(|line| {
            let rest = lasting(&[line]);
            if rest.len() < FORMATTED {
                return !rest.iter().any(u8::is_ascii_alphanumeric);
            }
            let found = whole[from..].windows(rest.len()).position(|window| window == rest.as_slice());
            from += found.map_or(0, |found| found + rest.len());
            found.is_some()
        })
        .collect()
}

/// A command line, and the same as `printf` and quotes mean it.
fn with_escapes(text: &str) -> String {
    let mut out = text.to_owned();
    if text.contains('\\') || text.contains('\'') {
        let plain =
            text.replace("'\\''", "'").replace("\\\\", "\u{1}").replace("\\n", "\n").replace("\\t", "\t");
        let plain = plain.replace("\\\"", "\"").replace("\\'", "'").replace("\\$", "$").replace("\\`", "`");
        out.push('\n');
        out.push_str(&plain.replace('\u{1}', "\\"));
    }
    out
}

fn lines(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}

fn solid(line: &[u8]) -> Vec<u8> {
    line.iter().copied().filter(|byte| is_solid(*byte)).collect()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn words_of(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty())
}

/// Nothing but words is different: as many of them, between the same signs.
pub(crate) fn is_same_frame(old: &[u8], new: &[u8]) -> bool {
    signs(&solid(old)) == signs(&solid(new)) && words_of(old).count() == words_of(new).count()
}

/// What stands between the words.
fn signs(bare: &[u8]) -> Vec<u8> {
    bare.iter().copied().filter(|byte| !is_word(*byte)).collect()
}

fn holds(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(said: &str, was: &str, is: &str) -> Vec<usize> {
        Said::of(said, false).leaves(was.as_bytes(), is.as_bytes()).unwrap()
    }

    #[test]
    fn what_a_command_says_is_its_own_and_nothing_else() {
        let was = "one = 1\ntwo = 2\n";
        assert_eq!(left("echo 'three = 3' >> f", was, "one = 1\ntwo = 2\nthree = 3\n"), [0_usize; 0]);
        assert_eq!(left("node x.js", was, "one = 1\ntwo = 2\nthree = 3\n"), [2]);
        assert_eq!(left("node x.js", was, "two = 2\none = 1\n"), [0_usize; 0]);
        // Short words by chance.
        assert_eq!(left("f(max=10)", was, "one = 1\ntwo = 2\nx=1\n"), [2]);
        assert_eq!(left("node '}'", was, "one = 1\ntwo = 2\n}\n"), [2]);
    }

    #[test]
    fn what_printf_and_a_here_document_type_is_told_by_their_words() {
        assert_eq!(left("printf 'a\\nb = \\\"x\\\"\\n}\\n' > f", "", "a\nb = \"x\"\n}\n"), [0_usize; 0]);
        let here = "cat >> f <<'EOF'\nfn short() {\n  x;\n}\nEOF";
        assert_eq!(left(here, "one\n", "one\nfn short() {\n  x;\n}\n"), [0_usize; 0]);
        assert_eq!(left(here, "one\n", "one\n}\nfn short() {\n  x;\n}\n"), [1]);
    }

    #[test]
    fn a_word_in_the_place_of_another_is_the_commands_if_both_were_said() {
        let sed = "sed -i 's/total/sum_of_all/g' f";
        assert_eq!(
            left(sed, "total\nf(total, total)\n", "sum_of_all\nf(sum_of_all, sum_of_all)\n"),
            [0_usize; 0]
        );
        assert_eq!(left(sed, "total = 1\n", "sum_of_all = 2\n"), [0]);
        assert_eq!(left("sed -i 's/^/# /' f", "a = 1\n", "# a = 1\n"), [0_usize; 0]);
        assert_eq!(left("python3 x.py", "LIMIT = 5\n", "LIMIT = 50\n"), [0]);
        let far = format!("true {} false", "x ".repeat(400));
        assert_eq!(left(&far, "debug = true\n", "debug = false\n"), [0]);
    }

    #[test]
    fn a_formatter_changes_no_word() {
        let said = Said::of("npx prettier --write .", true);
        let left = |was: &str, is: &str| said.leaves(was.as_bytes(), is.as_bytes()).unwrap();
        assert_eq!(left("f(x) {return x}\n", "f(x) {\n  return x;\n}\n"), [0_usize; 0]);
        assert_eq!(left("f(x) {return x}\n", "f(x) {\n  return x;\n}\nlet mine = 1;\n"), [3]);
        assert_eq!(left("a=5\nb=1\n", "a = 50\nb = 1\n"), [0]);
    }
}
