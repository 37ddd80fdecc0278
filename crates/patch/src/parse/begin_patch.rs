//! The `*** Begin Patch` format: files named by `*** … File:` lines, places found by context and `@@ anchor` lines.

use super::unified::{finish, push_line, read_claim};
use super::{ParseError, Reader};
use crate::model::{FileAction, FilePatch, Format, Hunk, Kind, Line, Patch};

const WHAT: &str = "`*** Begin Patch` block";

/// True if a block begins with this line.
pub(super) fn starts(text: &[u8]) -> bool {
    text.trim_ascii_end() == b"*** Begin Patch" || action(text).is_some()
}

fn action(text: &[u8]) -> Option<(FileAction, &[u8])> {
    [
        (&b"*** Update File:"[..], FileAction::Modify),
        (b"*** Add File:", FileAction::Create),
        (b"*** Delete File:", FileAction::Delete),
    ]
    .into_iter()
    .find_map(|(word, action)| Some((action, text.strip_prefix(word)?.trim_ascii())))
}

/// Reads up to `*** End Patch` (or the end of the text: models forget it).
pub(super) fn read<'t>(reader: &mut Reader<'t>, patch: &mut Patch<'t>) -> Result<(), ParseError> {
    while let Some(text) = reader.text_at(reader.at) {
        if text.starts_with(b"*** End Patch") {
            reader.at += 1;
            return Ok(());
        }
        if reader.closes_fence(text) {
            return Ok(());
        }
        let Some((what, path)) = action(text) else {
            reader.at += 1;
            continue;
        };
        if path.is_empty() {
            return Err(ParseError::NoPath { what: WHAT, line: reader.at + 1 });
        }
        let mut file = FilePatch {
            format: Format::BeginPatch,
            action: what,
            old_path: (what != FileAction::Create).then(|| path.to_vec()),
            new_path: (what != FileAction::Delete).then(|| path.to_vec()),
            text_line: reader.at + 1,
            ..FilePatch::default()
        };
        reader.at += 1;
        match what {
            FileAction::Create => file.hunks.extend(read_new_file(reader)),
            FileAction::Delete => {}
            _ => read_update(reader, &mut file),
        }
        patch.files.push(file);
    }
    Ok(())
}

fn ends_file(reader: &Reader<'_>, text: &[u8]) -> bool {
    action(text).is_some() || text.starts_with(b"*** End Patch") || reader.closes_fence(text)
}

fn read_new_file<'t>(reader: &mut Reader<'t>) -> Option<Hunk<'t>> {
    let text_line = reader.at + 1;
    let mut lines = Vec::new();
    while let Some(line) = reader.line().filter(|line| !ends_file(reader, line.text)) {
        let text = line.text.strip_prefix(b"+").unwrap_or(line.text);
        lines.push(Line { cr: line.cr, ..Line::new(Kind::Add, text) });
        reader.at += 1;
    }
    let tail = lines.len();
    (tail > 0).then(|| Hunk { lines, tail, text_line, ..Hunk::default() })
}

fn read_update<'t>(reader: &mut Reader<'t>, file: &mut FilePatch<'t>) {
    if let Some(path) = reader.text_at(reader.at).and_then(|text| text.strip_prefix(b"*** Move to:")) {
        file.action = FileAction::Rename;
        file.new_path = Some(path.trim_ascii().to_vec());
        reader.at += 1;
    }
    while let Some(text) = reader.text_at(reader.at).filter(|text| !ends_file(reader, text)) {
        let text_line = reader.at + 1;
        let mut claim = read_claim(b"@@");
        if text.starts_with(b"@@") {
            claim = read_claim(text);
            reader.at += 1;
        }
        let mut lines = Vec::new();
        while let Some(line) = reader.line() {
            if line.text.starts_with(b"@@") || ends_file(reader, line.text) {
                break;
            }
            reader.at += 1;
            if line.text.starts_with(b"*** End of File") {
                claim.at_end = true;
                break;
            }
            push_line(&mut lines, line);
        }
        let hunk = finish(claim, lines, text_line);
        if hunk.has_changes() {
            file.hunks.push(hunk);
        }
    }
}
