//! Unified diffs, as tools and as models write them.

use super::{Reader, TextLine, path};
use crate::model::{Claim, FileAction, FilePatch, Format, Hunk, Kind, Line, Patch};

/// True if a file or a hunk begins at the present line.
pub(super) fn starts(reader: &Reader<'_>) -> bool {
    let Some(text) = reader.text_at(reader.at) else { return false };
    text.starts_with(b"diff --git ")
        || text.starts_with(b"@@")
        || is_file_header(reader, reader.at)
        || (reader.fence.is_some_and(|fence| fence.is_diff) && is_marked(text))
}

fn is_marked(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'+' | b'-'))
}

/// `--- x` with `+++ y` below it, or one of them alone right above a hunk.
fn is_file_header(reader: &Reader<'_>, at: usize) -> bool {
    let (Some(text), next) = (reader.text_at(at), reader.text_at(at + 1).unwrap_or_default()) else {
        return false;
    };
    let names =
        |text: &[u8], mark: &[u8]| text.strip_prefix(mark).is_some_and(|rest| !rest.trim_ascii().is_empty());
    (names(text, b"--- ") && (names(next, b"+++ ") || next.starts_with(b"@@ -")))
        || (names(text, b"+++ ") && next.starts_with(b"@@"))
}

/// Reads one file with its hunks, or hunks that name no file.
pub(super) fn read<'t>(reader: &mut Reader<'t>, patch: &mut Patch<'t>) {
    let Some(text) = reader.text_at(reader.at) else { return };
    let headless = !text.starts_with(b"diff --git ") && !is_file_header(reader, reader.at);
    if headless {
        // A hunk after words: of the file before it, unless the words named another one.
        let hint = reader.hint.take();
        if patch.files.is_empty() || hint.is_some() {
            patch.files.push(FilePatch {
                text_line: reader.at + 1,
                path_guessed: true,
                old_path: hint.clone(),
                new_path: hint,
                ..FilePatch::default()
            });
        }
        if let Some(file) = patch.files.last_mut() {
            read_hunks(reader, file);
        }
        return;
    }
    let mut file = read_header(reader);
    reader.hint = None;
    read_hunks(reader, &mut file);
    patch.files.push(file);
}

fn read_header<'t>(reader: &mut Reader<'t>) -> FilePatch<'t> {
    let mut file = FilePatch { text_line: reader.at + 1, format: Format::Unified, ..FilePatch::default() };
    let (mut old, mut new) = (None, None);
    let (mut old_given, mut new_given) = (false, false);
    let mut git = None;
    let mut moved: (Option<Vec<u8>>, Option<Vec<u8>>) = (None, None);
    if let Some(names) = reader.text_at(reader.at).and_then(|text| text.strip_prefix(b"diff --git ")) {
        git = path::git_names(names);
        reader.at += 1;
    }
    while let Some(text) = reader.text_at(reader.at) {
        let after = |word: &[u8]| text.strip_prefix(word).map(<[u8]>::trim_ascii);
        let name = |word: &[u8]| {
            after(word).map(|rest| path::quoted(rest).map_or_else(|| rest.to_vec(), |(name, _)| name))
        };
        let git_only = git.is_some();
        if let Some(mode) = after(b"new file mode ").filter(|_| git_only) {
            file.action = FileAction::Create;
            file.new_mode = octal(mode);
        } else if git_only && after(b"deleted file mode ").is_some() {
            file.action = FileAction::Delete;
        } else if let Some(mode) = after(b"new mode ").filter(|_| git_only) {
            file.new_mode = octal(mode);
        } else if let Some(path) = name(b"rename from ").filter(|_| git_only) {
            (file.action, moved.0) = (FileAction::Rename, Some(path));
        } else if let Some(path) = name(b"rename to ").filter(|_| git_only) {
            (file.action, moved.1) = (FileAction::Rename, Some(path));
        } else if let Some(path) = name(b"copy from ").filter(|_| git_only) {
            (file.action, moved.0) = (FileAction::Copy, Some(path));
        } else if let Some(path) = name(b"copy to ").filter(|_| git_only) {
            (file.action, moved.1) = (FileAction::Copy, Some(path));
        } else if git_only && (text.starts_with(b"Binary files ") || text.starts_with(b"GIT binary patch")) {
            file.binary = true;
        } else if !old_given && text.starts_with(b"--- ") {
            (old, old_given) = (path::header_name(&text[4..]), true);
        } else if !new_given && text.starts_with(b"+++ ") {
            (new, new_given) = (path::header_name(&text[4..]), true);
            reader.at += 1;
            break;
        } else if !(git_only && is_git_line(text)) {
            break;
        }
        reader.at += 1;
    }
    if file.binary {
        skip_binary(reader);
    }
    // A side that is given as `/dev/null` says that the file is new or goes away.
    if old_given && old.is_none() && file.action == FileAction::Modify {
        file.action = FileAction::Create;
    }
    if new_given && new.is_none() && file.action == FileAction::Modify {
        file.action = FileAction::Delete;
    }
    file.prefix_removed = path::strip_pair(&mut old, &mut new);
    if !old_given
        && !new_given
        && let Some((left, right)) = git
    {
        (old, new) = (Some(left), Some(right));
        file.prefix_removed = path::strip_pair(&mut old, &mut new);
        match file.action {
            FileAction::Create => old = None,
            FileAction::Delete => new = None,
            _ => {}
        }
    }
    file.old_path = moved.0.or(old);
    file.new_path = moved.1.or(new);
    file
}

fn octal(text: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(text).ok()?, 8).ok()
}

fn is_git_line(text: &[u8]) -> bool {
    [&b"index "[..], b"old mode ", b"similarity index ", b"dissimilarity index "]
        .iter()
        .any(|word| text.starts_with(word))
}

/// Base-85 data has no place here; it ends at the next file.
fn skip_binary(reader: &mut Reader<'_>) {
    while let Some(text) = reader.text_at(reader.at) {
        if text.starts_with(b"diff --git ") || reader.closes_fence(text) {
            return;
        }
        reader.at += 1;
    }
}

fn read_hunks<'t>(reader: &mut Reader<'t>, file: &mut FilePatch<'t>) {
    while let Some(text) = reader.text_at(reader.at) {
        if text.starts_with(b"@@") {
            let claim = read_claim(text);
            let text_line = reader.at + 1;
            reader.at += 1;
            push(file, read_body(reader, claim, text_line));
        } else if ends_hunk(reader, reader.at) {
            return;
        } else if file.hunks.is_empty() && has_body(reader) {
            // No `@@` at all.
            let text_line = reader.at + 1;
            push(file, read_body(reader, Claim::default(), text_line));
        } else if text.trim_ascii().is_empty() {
            reader.at += 1;
        } else {
            return;
        }
    }
}

fn push<'t>(file: &mut FilePatch<'t>, hunk: Hunk<'t>) {
    if hunk.has_changes() {
        file.hunks.push(hunk);
    }
}

/// There is a changed line before the next boundary.
fn has_body(reader: &Reader<'_>) -> bool {
    (reader.at..reader.lines.len())
        .take_while(|at| !ends_hunk(reader, *at))
        .any(|at| reader.text_at(at).is_some_and(is_marked))
}

/// `@@ -1,2 +3,4 @@ heading`, and everything shorter.
pub(super) fn read_claim(text: &[u8]) -> Claim<'_> {
    let inner = text.strip_prefix(b"@@").unwrap_or(text);
    let (numbers, heading) = match inner.windows(2).position(|pair| pair == b"@@") {
        Some(at) => (&inner[..at], &inner[at + 2..]),
        None => (inner, &b""[..]),
    };
    let mut claim = Claim::default();
    let mut understood = false;
    for word in numbers.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let (start, count) = match word.split_first() {
            Some((b'-', rest)) => (&mut claim.old_start, (rest, &mut claim.old_count)),
            Some((b'+', rest)) => (&mut claim.new_start, (rest, &mut claim.new_count)),
            _ => continue,
        };
        let (rest, count) = count;
        let mut parts = rest.splitn(2, |&byte| byte == b',');
        *start = parts.next().and_then(number);
        *count = match parts.next() {
            Some(part) => number(part),
            None if start.is_some() => Some(1),
            None => None,
        };
        understood |= start.is_some();
    }
    let words = if understood {
        heading
    } else if heading.trim_ascii().is_empty() {
        numbers
    } else {
        heading
    };
    let words = words.trim_ascii();
    if words.iter().any(u8::is_ascii_alphanumeric) {
        claim.heading = Some(words);
        claim.is_anchor = !understood;
    }
    claim
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Reads the lines of a hunk: by the counts if they lead exactly to the next boundary, else up to the boundary.
fn read_body<'t>(reader: &mut Reader<'t>, claim: Claim<'t>, text_line: usize) -> Hunk<'t> {
    if let Some((lines, at)) = by_counts(reader, &claim) {
        reader.at = at;
        let tail = lines.len();
        return Hunk { claim, lines, tail, text_line };
    }
    let mut lines = Vec::new();
    while let Some(line) = reader.line() {
        if ends_hunk(reader, reader.at) {
            break;
        }
        push_line(&mut lines, line);
        reader.at += 1;
    }
    finish(claim, lines, text_line)
}

/// Cuts blank lines without marker off the end, and marks where lines without any marker begin.
pub(super) fn finish<'t>(claim: Claim<'t>, mut lines: Vec<Line<'t>>, text_line: usize) -> Hunk<'t> {
    while lines.last().is_some_and(|line| line.bare && line.text.is_empty()) {
        lines.pop();
    }
    let tail = lines.iter().rposition(|line| !line.bare).map_or(0, |at| at + 1);
    Hunk { claim, lines, tail, text_line }
}

/// Adds one line of a hunk's body.
pub(super) fn push_line<'t>(lines: &mut Vec<Line<'t>>, line: TextLine<'t>) {
    let text = line.text;
    let (kind, text, raw, bare) = match text.split_first() {
        Some((b'\\', rest)) if rest.starts_with(b" ") && is_newline_note(rest) => {
            if let Some(last) = lines.last_mut() {
                last.no_newline = true;
            }
            return;
        }
        Some((b'-', rest)) => (Kind::Remove, rest, None, false),
        Some((b'+', rest)) => (Kind::Add, rest, None, false),
        Some((b' ', rest)) => (Kind::Context, rest, Some(text), false),
        _ => (Kind::Context, text, None, true),
    };
    lines.push(Line { kind, text, raw, cr: line.cr, no_newline: false, bare });
}

/// `\ No newline at end of file`, in whatever language the tool spoke.
fn is_newline_note(rest: &[u8]) -> bool {
    rest.len() > 8
}

fn by_counts<'t>(reader: &Reader<'t>, claim: &Claim<'t>) -> Option<(Vec<Line<'t>>, usize)> {
    let (mut old, mut new) = (claim.old_count?, claim.new_count?);
    let mut lines = Vec::new();
    let mut at = reader.at;
    while old > 0 || new > 0 {
        let line = *reader.lines.get(at)?;
        match line.text.first() {
            Some(b' ') | None => {
                old = old.checked_sub(1)?;
                new = new.checked_sub(1)?;
            }
            Some(b'-') => old = old.checked_sub(1)?,
            Some(b'+') => new = new.checked_sub(1)?,
            Some(b'\\') => {}
            _ => return None,
        }
        push_line(&mut lines, line);
        at += 1;
    }
    if reader.text_at(at).is_some_and(|text| text.starts_with(b"\\ ")) {
        push_line(&mut lines, *reader.lines.get(at)?);
        at += 1;
    }
    // What the counts left over must not look like more of the hunk.
    let mut next = at;
    while reader.text_at(next).is_some_and(<[u8]>::is_empty) {
        next += 1;
    }
    let over = match reader.text_at(next) {
        None => true,
        Some(_) if ends_hunk(reader, next) => true,
        Some(text) => next > at && !matches!(text.first(), Some(b' ' | b'+' | b'-' | b'\\' | b'\t')),
    };
    over.then_some((lines, at))
}

/// True if the hunk above ends before this line.
fn ends_hunk(reader: &Reader<'_>, at: usize) -> bool {
    let Some(text) = reader.text_at(at) else { return true };
    text.starts_with(b"@@")
        || text.starts_with(b"diff --git ")
        || text.starts_with(b"*** End Patch")
        || reader.closes_fence(text)
        || is_file_header(reader, at)
        || is_svn_header(reader, at)
        || is_mail_signature(reader, at)
}

fn is_svn_header(reader: &Reader<'_>, at: usize) -> bool {
    let next = reader.text_at(at + 1).unwrap_or_default();
    reader.text_at(at).is_some_and(|text| text.starts_with(b"Index: ")) && next.starts_with(b"=====")
}

/// `-- ` and a version number, at the end of a mail.
fn is_mail_signature(reader: &Reader<'_>, at: usize) -> bool {
    reader.text_at(at).is_some_and(|text| text == b"-- " || text == b"--")
        && reader.text_at(at + 1).is_some_and(|text| text.first().is_some_and(u8::is_ascii_digit))
        && (at + 2..reader.lines.len()).take(2).all(|at| reader.text_at(at).is_some_and(<[u8]>::is_empty))
}
