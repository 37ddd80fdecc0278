//! A difference as git writes it, so that `git apply` and every tool that reads patches take it.
//!
//! What git's format has no words for (folders, permission bits other than "can be run", content that is not shown) stands in lines that
//! begin with `#` before the file they are about: `git apply` passes over such lines. Content that is no text is in the patch as git writes it
//! ([`crate::git_binary`]); a file whose content is not shown, or not kept any more, is no part of it, and such a line says so. What is in
//! the patch is whole: `git apply` takes all of it. (M2)

use project::RelPath;
use sha1::{Digest, Sha1};
use store::{Entry, EntryKind};

use words::diff as lines;

use crate::git_binary;

/// One `diff --git` with what belongs to it. A file that became a link has two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Remarks, headers, names; always in UTF-8.
    pub head: String,
    /// The hunks to the byte; none where they are those of [`crate::diff::FileDiff::diff`].
    pub hunks: Option<Vec<u8>>,
    /// All of it for a program, where that is not what a person wants to see.
    pub instead: Option<Vec<u8>>,
}

impl Section {
    fn remarks(text: String) -> Self {
        Self { head: text, hunks: Some(Vec::new()), instead: None }
    }
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

    /// Its content may be shown, or there is none.
    fn is_known(&self) -> bool {
        self.content.is_some() || self.kept().is_none()
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
            if old.is_known() && new.is_known() {
                vec![part(old, &gone), part(&came, new)]
            } else {
                Vec::new()
            }
        }
        (None, None) => Vec::new(),
        // Only something that git has no words for.
        (Some(a), Some(b)) if a.hash == b.hash && mode(a) == mode(b) && old.path == new.path => Vec::new(),
        // Another name or other permissions, and the content need not be known.
        (Some(a), Some(b)) if a.hash == b.hash => {
            vec![Section { head: head(old, new, hunks), hunks: None, instead: None }]
        }
        _ if hunks.is_none() && !(old.is_known() && new.is_known()) => Vec::new(),
        _ => vec![Section { head: head(old, new, hunks), hunks: None, instead: binary(old, new, hunks) }],
    };
    match sections.first_mut() {
        Some(first) => {
            first.head.insert_str(0, &remark);
            if let Some(instead) = &mut first.instead {
                instead.splice(0..0, remark.bytes());
            }
        }
        None if remark.is_empty() => {}
        None => sections.push(Section::remarks(remark)),
    }
    sections
}

/// A section with hunks of its own.
fn part(old: &Side<'_>, new: &Side<'_>) -> Section {
    let hunks = match (old.content, new.content) {
        (Some(a), Some(b)) if !words::is_binary(a) && !words::is_binary(b) => Some(lines::unified(a, b, 3)),
        _ => None,
    };
    let shown = hunks.as_ref().map(|hunks| String::from_utf8_lossy(hunks));
    let instead = binary(old, new, shown.as_deref());
    Section { head: head(old, new, shown.as_deref()), hunks: Some(hunks.unwrap_or_default()), instead }
}

/// A section of content that is not compared by lines, for a program.
fn binary(old: &Side<'_>, new: &Side<'_>, hunks: Option<&str>) -> Option<Vec<u8>> {
    let (Some(was), Some(is), None) = (old.content, new.content, hunks) else { return None };
    let mut out = names_and_modes(old, new, hunks, WHOLE).into_bytes();
    out.extend(git_binary::patch(was, is));
    Some(out)
}

fn head(old: &Side<'_>, new: &Side<'_>, hunks: Option<&str>) -> String {
    let (before, after) = (old.kept(), new.kept());
    let mut out = names_and_modes(old, new, hunks, SHORT);
    if before.zip(after).is_some_and(|(a, b)| a.hash == b.hash) {
        return out;
    }
    let name = |side: Option<Entry>, prefix: &str, path: &[u8]| {
        if side.is_some() { quoted(prefix, path) } else { "/dev/null".to_owned() }
    };
    let from = name(before, "a/", old.path.as_bytes());
    let to = name(after, "b/", new.path.as_bytes());
    match hunks {
        Some("") => {}
        // A name with a space ends in a tab, or what reads it may take the rest for a date.
        Some(_) => out.push_str(&format!("--- {}\n+++ {}\n", closed(from), closed(to))),
        None => out.push_str(&format!("Binary files {from} and {to} differ\n")),
    }
    out
}

/// From `diff --git` to the line with the contents' names, of which so many letters are written.
fn names_and_modes(old: &Side<'_>, new: &Side<'_>, hunks: Option<&str>, letters: usize) -> String {
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
    let (was, is) = (blob(before, old.content, letters), blob(after, new.content, letters));
    out.push_str(&format!("index {was}..{is}{mode}\n"));
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
    if let Some(note) = note {
        let what = match (old.kept(), new.kept()) {
            (None, _) => "new",
            (_, None) => "gone",
            _ => "changed",
        };
        let is_part = old.is_known() && new.is_known();
        remarks.push(if is_part {
            note.to_owned()
        } else {
            format!("{what}, and no part of this patch: {note}")
        });
    }
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
fn blob(entry: Option<Entry>, content: Option<&[u8]>, letters: usize) -> String {
    let Some(content) = content.filter(|_| entry.is_some()) else { return "0".repeat(letters) };
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", content.len()));
    hash.update(content);
    let mut name: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    name.truncate(letters);
    name
}

/// So many letters of a name are written, as in git.
const SHORT: usize = 7;
/// A patch of content that is no text has to name it whole.
const WHOLE: usize = 40;

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
        assert_eq!(blob(Some(entry), Some(b"hello\n"), SHORT), "ce01362");
        assert_eq!(blob(Some(entry), Some(b""), SHORT), "e69de29");
        assert_eq!(blob(Some(entry), None, SHORT), "0000000");
        assert_eq!(blob(None, Some(b""), SHORT), "0000000");
    }
}
