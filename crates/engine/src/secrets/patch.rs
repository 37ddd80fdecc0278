//! Reads the added lines out of what `git log -p` and `git diff` print, as it comes, with bounded memory.
//!
//! Lines are counted by the hunk headers, so nothing in a file's content can pass for a header of the patch.

use std::io::{self, BufRead, Read};

/// More added text than this is handed out in several pieces.
const LARGEST_PIECE: usize = 8 << 20;

/// Added lines of one file in one commit.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) commit: Option<Commit>,
    pub(super) path: String,
    /// All added lines, one after another.
    pub(super) text: Vec<u8>,
    /// For each hunk: which line of `text` it begins with (from 0), and which line of the file that is (from 1).
    pub(super) hunks: Vec<(usize, usize)>,
    lines: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) seconds: i64,
}

impl Piece {
    /// The line of the file that a line of `text` (from 1) is.
    pub(super) fn line_in_file(&self, line: usize) -> usize {
        let at = self.hunks.partition_point(|(first, _)| *first < line).saturating_sub(1);
        self.hunks.get(at).map_or(line, |(first, real)| real + line - 1 - first)
    }

    /// First and last line of each hunk in the file.
    pub(super) fn ranges(&self) -> Vec<(usize, usize)> {
        let ends = self.hunks.iter().skip(1).map(|(first, _)| *first).chain([self.lines]);
        self.hunks.iter().zip(ends).map(|((first, real), end)| (*real, real + end - first)).collect()
    }
}

/// Reads patches.
pub(super) struct Patches<R> {
    pub(super) input: R,
    commit: Option<Commit>,
    path: Option<String>,
    /// Commits begun so far.
    pub(super) commits: u64,
}

/// What a hunk header announces.
struct Hunk {
    /// How many columns of signs a line has: one for each parent.
    columns: usize,
    /// Lines still to come that are in the new file.
    new: usize,
    /// Lines still to come that are only in the old ones.
    old: usize,
    first: usize,
}

impl<R: BufRead> Patches<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, commit: None, path: None, commits: 0 }
    }

    /// The next file with added lines, or the next part of a large one. `None`: there is no more.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        let mut piece = Piece::default();
        let mut line = Vec::new();
        loop {
            let here = self.input.fill_buf()?;
            // A piece is whole when the next file or commit begins.
            let ended = here.is_empty() || matches!(here[0], 0 | b'd');
            if (ended && !piece.text.is_empty()) || piece.text.len() >= LARGEST_PIECE {
                return Ok(Some(piece));
            }
            if here.is_empty() {
                return Ok(None);
            }
            read_line(&mut self.input, &mut line)?;
            if let Some(head) = line.strip_prefix(b"\0") {
                self.commit = commit(head);
                self.path = None;
                self.commits += 1;
            } else if line.starts_with(b"diff ") {
                self.path = None;
            } else if let Some(name) = line.strip_prefix(b"+++ ") {
                self.path = new_name(name);
            } else if let Some(hunk) = hunk(&line) {
                piece.commit.clone_from(&self.commit);
                piece.path = self.path.clone().unwrap_or_default();
                self.read_hunk(hunk, &mut piece, &mut line)?;
            }
        }
    }

    fn read_hunk(&mut self, mut hunk: Hunk, piece: &mut Piece, line: &mut Vec<u8>) -> io::Result<()> {
        let mut number = hunk.first;
        let mut in_run = false;
        while hunk.new > 0 || hunk.old > 0 {
            if read_line(&mut self.input, line)? == 0 {
                return Ok(());
            }
            if line.starts_with(b"\\") {
                continue;
            }
            let (signs, body) = line.split_at(hunk.columns.min(line.len()));
            if signs.contains(&b'-') {
                // A line can be in some of several old files and not in others; each hunk counts it once for each.
                hunk.old = hunk.old.saturating_sub(signs.iter().filter(|sign| **sign == b'-').count());
                continue;
            }
            hunk.new = hunk.new.saturating_sub(1);
            hunk.old = hunk.old.saturating_sub(signs.iter().filter(|sign| **sign == b' ').count());
            if signs.contains(&b'+') {
                if !in_run {
                    piece.hunks.push((piece.lines, number));
                    in_run = true;
                }
                piece.text.extend_from_slice(body);
                piece.text.push(b'\n');
                piece.lines += 1;
            } else {
                in_run = false;
            }
            number += 1;
        }
        Ok(())
    }
}

/// Reads one line without its end; of a line without end, only the beginning is kept.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let read = input.by_ref().take(LARGEST_PIECE as u64).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(read);
    }
    // Let the rest of an endless line go by.
    loop {
        let here = input.fill_buf()?;
        let (length, done) = match here.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (here.len(), here.is_empty()),
        };
        input.consume(length);
        if done {
            return Ok(read);
        }
    }
}

fn commit(head: &[u8]) -> Option<Commit> {
    let (id, seconds) = std::str::from_utf8(head).ok()?.trim().split_once(' ')?;
    Some(Commit { id: id.to_owned(), seconds: seconds.parse().ok()? })
}

/// `@@ -1,2 +3,4 @@`, or with one more `@` and one more range for each further parent.
fn hunk(line: &[u8]) -> Option<Hunk> {
    if !line.starts_with(b"@@") {
        return None;
    }
    let columns = line.iter().take_while(|byte| **byte == b'@').count().checked_sub(1)?;
    let text = String::from_utf8_lossy(&line[columns + 1..]);
    let mut ranges = text.split("@@").next()?.split_whitespace();
    let range = |text: &str| -> Option<(usize, usize)> {
        match text.split_once(',') {
            Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let mut old = 0;
    for _ in 0..columns {
        old += range(ranges.next()?.strip_prefix('-')?)?.1;
    }
    let (first, new) = range(ranges.next()?.strip_prefix('+')?)?;
    Some(Hunk { columns, new, old, first })
}

/// `b/src/a.rs`, `"b/a\tb"` or `/dev/null`.
fn new_name(name: &[u8]) -> Option<String> {
    let name = match name.strip_prefix(b"\"") {
        Some(quoted) => unquote(quoted),
        None => name.strip_suffix(b"\t").unwrap_or(name).to_vec(),
    };
    name.strip_prefix(b"b/").map(|name| String::from_utf8_lossy(name).into_owned())
}

/// Undoes git's C-style quotes, up to the closing one.
fn unquote(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'"' => break,
            b'\\' => {
                let octal = rest.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
                if let Some(byte) = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
                    out.push(byte);
                    rest = &rest[3..];
                } else if let Some((letter, after)) = rest.split_first() {
                    out.push(match letter {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'r' => b'\r',
                        other => *other,
                    });
                    rest = after;
                }
            }
            byte => out.push(*byte),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(patch: &str) -> Vec<Piece> {
        let mut patches = Patches::new(patch.as_bytes());
        std::iter::from_fn(|| patches.next().unwrap()).collect()
    }

    #[test]
    fn added_lines_come_with_commit_path_and_place() {
        let pieces = all(
            "\0abc 17\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -3,0 +4,2 @@ fn y\n+one\n+two\n\
            @@ -9 +11 @@\n-old\n+new\n\\ No newline at end of file\ndiff --git a/y b/y\nnew file mode 100644\n--- /dev/null\n\
            +++ \"b/y\\303\\251\\t\"\n@@ -0,0 +1 @@\n++++ b/z\n\0def 18\n",
        );
        assert_eq!(pieces.len(), 2);
        assert_eq!(pieces[0].commit, Some(Commit { id: "abc".to_owned(), seconds: 17 }));
        assert_eq!((pieces[0].path.as_str(), pieces[0].text.as_slice()), ("x", &b"one\ntwo\nnew\n"[..]));
        assert_eq!([1, 2, 3].map(|line| pieces[0].line_in_file(line)), [4, 5, 11]);
        assert_eq!(pieces[0].ranges(), [(4, 6), (11, 12)]);
        assert_eq!((pieces[1].path.as_str(), pieces[1].text.as_slice()), ("yé\t", &b"+++ b/z\n"[..]));
    }

    #[test]
    fn what_only_a_merge_added_is_read_as_well() {
        let pieces = all(
            "\0abc 17\n\ndiff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,2 -1,2 +1,3 @@@\n  same\n++evil\n +theirs\n- ours\n",
        );
        assert_eq!(pieces[0].text, b"evil\ntheirs\n");
        assert_eq!(pieces[0].line_in_file(1), 2);
    }
}
