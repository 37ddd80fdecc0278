//! Search/replace blocks. The lines that both halves share become context, so that the file keeps its own bytes there.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{ParseError, Reader, TextLine};
use crate::model::{FileAction, FilePatch, Format, Hunk, Kind, Line, Patch};

const WHAT: &str = "search/replace block";

/// True if a block begins with this line.
pub(super) fn starts(text: &[u8]) -> bool {
    marker(text, b'<', &[b"SEARCH", b"ORIGINAL"]) || marker(text, b'-', &[b"SEARCH"])
}

fn marker(text: &[u8], mark: u8, words: &[&[u8]]) -> bool {
    let length = text.iter().take_while(|&&byte| byte == mark).count();
    let rest = text[length..].trim_ascii();
    (5..=9).contains(&length) && words.contains(&rest)
}

fn is_divider(text: &[u8]) -> bool {
    marker(text, b'=', &[b""])
}

fn is_end(text: &[u8]) -> bool {
    marker(text, b'>', &[b"REPLACE", b"UPDATED"]) || marker(text, b'+', &[b"REPLACE"])
}

/// Reads one block; blocks for the same file are joined.
pub(super) fn read<'t>(reader: &mut Reader<'t>, patch: &mut Patch<'t>) -> Result<(), ParseError> {
    let text_line = reader.at + 1;
    reader.at += 1;
    let old = lines_until(reader, is_divider).ok_or(ParseError::Unfinished {
        what: WHAT,
        line: text_line,
        missing: "=======",
    })?;
    let new = lines_until(reader, is_end).ok_or(ParseError::Unfinished {
        what: WHAT,
        line: text_line,
        missing: ">>>>>>> REPLACE",
    })?;
    let lines = as_lines(&old, &new);
    let tail = lines.len();
    let hunk = Hunk { lines, tail, text_line, ..Hunk::default() };
    let hint = reader.hint.take();
    let same_file = |file: &FilePatch<'_>| {
        file.format == Format::SearchReplace
            && hint.as_ref().is_none_or(|path| file.new_path.as_ref() == Some(path))
    };
    match patch.files.last_mut() {
        Some(file) if same_file(file) => file.hunks.push(hunk),
        _ => patch.files.push(FilePatch {
            format: Format::SearchReplace,
            action: if old.is_empty() { FileAction::Create } else { FileAction::Modify },
            old_path: hint.clone().filter(|_| !old.is_empty()),
            new_path: hint,
            path_guessed: true,
            hunks: vec![hunk],
            text_line,
            ..FilePatch::default()
        }),
    }
    Ok(())
}

fn lines_until<'t>(reader: &mut Reader<'t>, ends: fn(&[u8]) -> bool) -> Option<Vec<TextLine<'t>>> {
    let mut lines = Vec::new();
    while let Some(line) = reader.line() {
        reader.at += 1;
        if ends(line.text) {
            return Some(lines);
        }
        lines.push(line);
    }
    None
}

fn as_lines<'t>(old: &[TextLine<'t>], new: &[TextLine<'t>]) -> Vec<Line<'t>> {
    let texts = |lines: &[TextLine<'t>]| lines.iter().map(|line| line.text).collect::<Vec<_>>();
    let (old_texts, new_texts) = (texts(old), texts(new));
    let make = |kind, line: &TextLine<'t>| Line { cr: line.cr, ..Line::new(kind, line.text) };
    let mut lines = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old_texts, &new_texts) {
        match op {
            DiffOp::Equal { old_index, len, .. } => {
                lines.extend(old[old_index..old_index + len].iter().map(|line| make(Kind::Context, line)));
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                lines.extend(old[old_index..old_index + old_len].iter().map(|line| make(Kind::Remove, line)));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                lines.extend(new[new_index..new_index + new_len].iter().map(|line| make(Kind::Add, line)));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                lines.extend(old[old_index..old_index + old_len].iter().map(|line| make(Kind::Remove, line)));
                lines.extend(new[new_index..new_index + new_len].iter().map(|line| make(Kind::Add, line)));
            }
        }
    }
    lines
}
