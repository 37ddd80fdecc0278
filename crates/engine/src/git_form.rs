//! A difference as git writes it, so that `git apply` and every tool that reads patches take it.
//!
//! What git's format has no words for (folders, permission bits other than "can be run", content that is not shown) stands in lines that
//! begin with `#` before the file they are about: `git apply` passes over such lines. Content that is not shown is called binary, and that
//! part `git apply` refuses, instead of doing half of it.

use project::RelPath;
use sha1::{Digest, Sha1};
use store::{Entry, EntryKind};

use crate::lines;

/// One `diff --git` with what belongs to it. A file that became a link has two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Remarks, headers, names; always in UTF-8.
    pub head: String,
    /// The hunks to the byte; none where they are those of [`crate::diff::FileDiff::diff`].
    pub hunks: Option<Vec<u8>>,
}

/// One side of a file: its path, what is known of it, and its content if it may be shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'c> {
    pub(crate) path: &'c RelPath,
    pub(crate) entry: Option<Entry>,
    pub(crate) content: Option<&'c [u8]>,
}

impl Side<'_> {
    /// The entry, if git would keep such a thing.
    fn kept(&self) -> Option<Entry> {
        self.entry.filter(|entry| entry.kind != EntryKind::Dir)
    }
}

/// The sections of one file. `hunks` are those between the two contents, if these were compared; `note` says why not.
pub(crate) fn sections(
    old: &Side<'_>,
    new: &Side<'_>,
    hunks: Option<&str>,
    note: Option<&str>,
) -> Vec<Section> {
    let remark = remark(old, new, note);
    let (before, after) = (old.kept(), new.kept());
    let mut sections = match (before, after) {
        (Some(a), Some(b)) if a.kind != b.kind => {
            let gone = Side { entry: None, content: Some(&[]), ..*new };
            let came = Side { entry: None, content: Some(&[]), ..*old };
            vec![part(old, &gone), part(&came, new)]
        }
        (None, None) => Vec::new(),
        // Only something that git has no words for.
        (Some(a), Some(b)) if a.hash == b.hash && mode(a) == mode(b) && old.path == new.path => Vec::new(),
        _ => vec![Section { head: head(old, new, hunks), hunks: None }],
    };
    match sections.first_mut() {
        Some(first) => first.head.insert_str(0, &remark),
        None if remark.is_empty() => {}
        None => sections.push(Section { head: remark, hunks: Some(Vec::new()) }),
    }
    sections
}

/// A section with hunks of its own.
fn part(old: &Side<'_>, new: &Side<'_>) -> Section {
    let hunks = match (old.content, new.content) {
        (Some(a), Some(b)) if !lines::is_binary(a) && !lines::is_binary(b) => Some(lines::unified(a, b, 3)),
        _ => None,
    };
    let shown = hunks.as_ref().map(|hunks| String::from_utf8_lossy(hunks));
    Section { head: head(old, new, shown.as_deref()), hunks: Some(hunks.unwrap_or_default()) }
}

fn head(old: &Side<'_>, new: &Side<'_>, hunks: Option<&str>) -> String {
    let (before, after) = (old.kept(), new.kept());
    let (from, to) = (old.path.as_bytes(), new.path.as_bytes());
    let mut out = format!("diff --git {} {}\n", quoted("a/", from), quoted("b/", to));
    let (old_mode, new_mode) = (before.map(mode), after.map(mode));
    match (old_mode, new_mode) {
        (None, Some(mode)) => out.push_str(&format!("new file mode {mode:o}\n")),
        (Some(mode), None) => out.push_str(&format!("deleted file mode {mode:o}\n")),
        (Some(old), Some(new)) if old != new => {
            out.push_str(&format!("old mode {old:o}\nnew mode {new:o}\n"));
        }
        _ => {}
    }
    let same = before.zip(after).is_some_and(|(a, b)| a.hash == b.hash);
    if from != to {
        let similar = if same { 100 } else { similarity(old, new, hunks.unwrap_or_default()) };
        out.push_str(&format!("similarity index {similar}%\n"));
        out.push_str(&format!("rename from {}\nrename to {}\n", quoted("", from), quoted("", to)));
    }
    if same {
        return out;
    }
    let mode = match (old_mode, new_mode) {
        (Some(old), Some(new)) if old == new => format!(" {new:o}"),
        _ => String::new(),
    };
    // Never left out: without a line like this `git apply` takes the whole file for a remark and passes over it.
    out.push_str(&format!("index {}..{}{mode}\n", blob(before, old.content), blob(after, new.content)));
    let name = |side: Option<Entry>, prefix: &str, path: &[u8]| {
        if side.is_some() { quoted(prefix, path) } else { "/dev/null".to_owned() }
    };
    let (from, to) = (name(before, "a/", from), name(after, "b/", to));
    match hunks {
        Some("") => {}
        // A name with a space ends in a tab, or what reads it may take the rest for a date.
        Some(_) => out.push_str(&format!("--- {}\n+++ {}\n", closed(from), closed(to))),
        None => out.push_str(&format!("Binary files {from} and {to} differ\n")),
    }
    out
}

fn closed(name: String) -> String {
    if name.contains(' ') { format!("{name}\t") } else { name }
}

/// What git has no words for.
fn remark(old: &Side<'_>, new: &Side<'_>, note: Option<&str>) -> String {
    let folder = |entry: Option<Entry>| entry.is_some_and(|entry| entry.kind == EntryKind::Dir);
    let name = quoted("", new.path.as_bytes());
    let mut remarks = Vec::new();
    match (folder(old.entry), folder(new.entry)) {
        (false, true) => remarks.push("a new folder".to_owned()),
        (true, false) => remarks.push("a folder that is gone".to_owned()),
        _ => {}
    }
    if let (Some(a), Some(b)) = (old.entry, new.entry)
        && a.kind == b.kind
        && a.mode != b.mode
        && (mode(a) == mode(b) || a.kind == EntryKind::Dir)
    {
        remarks.push(format!("permissions {:o}, then {:o}", a.mode, b.mode));
    }
    remarks.extend(note.map(str::to_owned));
    remarks.iter().map(|remark| format!("# {name}: {remark}\n")).collect()
}

/// All that git knows of permissions: can it be run?
fn mode(entry: Entry) -> u32 {
    match entry.kind {
        EntryKind::Symlink => 0o120_000,
        _ if entry.mode & 0o100 != 0 => 0o100_755,
        _ => 0o100_644,
    }
}

/// The beginning of the name that git gives to a content; zeros if there is none, or if it is not known or not to be shown.
fn blob(entry: Option<Entry>, content: Option<&[u8]>) -> String {
    let Some(content) = content.filter(|_| entry.is_some()) else { return "0".repeat(SHORT) };
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", content.len()));
    hash.update(content);
    let mut name: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    name.truncate(SHORT);
    name
}

/// So many letters of a name are written, as in git.
const SHORT: usize = 7;

/// How much of the longer content is in both, in percent; 100 only if nothing is different.
fn similarity(old: &Side<'_>, new: &Side<'_>, hunks: &str) -> usize {
    let length = |side: &Side<'_>| side.entry.map_or(0, |entry| entry.size as usize);
    let gone: usize = hunks.lines().filter(|line| line.starts_with('-')).map(str::len).sum();
    (length(old).saturating_sub(gone) * 100 / length(old).max(length(new)).max(1)).min(99)
}

/// A path as git writes it with `core.quotePath` off: letters of every language as they are; a name that could not be read back, or could
/// drive a terminal, in quotes.
fn quoted(prefix: &str, path: &[u8]) -> String {
    let plain = std::str::from_utf8(path).ok();
    if let Some(plain) = plain.filter(|plain| !plain.chars().any(|c| c.is_control() || c == '"' || c == '\\'))
    {
        return format!("{prefix}{plain}");
    }
    let mut out = format!("\"{prefix}");
    for chunk in path.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                character if character.is_control() => {
                    let mut bytes = [0; 4];
                    character.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&octal(byte)));
                }
                character => out.push(character),
            }
        }
        chunk.invalid().iter().for_each(|byte| out.push_str(&octal(*byte)));
    }
    out.push('"');
    out
}

fn octal(byte: u8) -> String {
    format!("\\{byte:03o}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_only_where_they_have_to_be() {
        assert_eq!(quoted("a/", b"src/my file.rs"), "a/src/my file.rs");
        assert_eq!(quoted("a/", "한글/파일.txt".as_bytes()), "a/한글/파일.txt");
        assert_eq!(quoted("b/", b"say \"hi\"\\\n\x1b[2J"), r#""b/say \"hi\"\\\n\033[2J""#);
        assert_eq!(quoted("", b"caf\xe9"), r#""caf\351""#);
    }

    #[test]
    fn a_content_has_the_name_that_git_gives_it() {
        let entry = Entry {
            kind: EntryKind::File,
            mode: 0o644,
            size: 6,
            hash: store::ContentHash::of(b"hello\n"),
            sensitive: false,
        };
        assert_eq!(blob(Some(entry), Some(b"hello\n")), "ce01362");
        assert_eq!(blob(Some(entry), Some(b"")), "e69de29");
        assert_eq!(blob(Some(entry), None), "0000000");
        assert_eq!(blob(None, Some(b"")), "0000000");
    }
}
