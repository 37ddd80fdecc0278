//! Reading what a model wrote: words, code fences, and somewhere in it edits in one of three formats.
//!
//! The reader is generous: it takes numbers, counts and headers as hints and every line that could belong to an edit as
//! a line of it. Whether the edit is right is decided later, against the file.

mod begin_patch;
mod chatter;
mod error;
mod path;
mod search_replace;
mod unified;

pub use error::ParseError;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::model::{FileAction, FilePatch, Patch};

/// Longer texts are refused.
pub const LONGEST_TEXT: usize = 64 << 20;

/// Reads all edits in a text. An answer without any edit is an error, so that nothing is ever "applied" by mistake.
pub fn parse(text: &[u8]) -> Result<Patch<'_>, ParseError> {
    if text.len() > LONGEST_TEXT {
        return Err(ParseError::TooLong { bytes: text.len(), most: LONGEST_TEXT });
    }
    let mut reader = Reader::new(text);
    let mut patch = Patch::default();
    while let Some(line) = reader.line() {
        let before = reader.at;
        if reader.take_fence() {
            continue;
        }
        if begin_patch::starts(line.text) {
            begin_patch::read(&mut reader, &mut patch)?;
        } else if search_replace::starts(line.text) {
            search_replace::read(&mut reader, &mut patch)?;
        } else if unified::starts(&reader) {
            unified::read(&mut reader, &mut patch);
        } else {
            reader.note_chatter(line.text);
        }
        if reader.at == before {
            reader.at += 1;
        }
    }
    patch.files.retain(|file| !file.hunks.is_empty() || says_something(file));
    join_repeated(&mut patch);
    if patch.files.is_empty() {
        return Err(ParseError::NoEdits);
    }
    Ok(patch)
}

/// A file that is named again further down is the same file: its hunks belong together.
fn join_repeated(patch: &mut Patch<'_>) {
    let mut joined: Vec<FilePatch<'_>> = Vec::with_capacity(patch.files.len());
    let mut first = HashMap::new();
    for file in std::mem::take(&mut patch.files) {
        let plain = file.action == FileAction::Modify
            && file.new_mode.is_none()
            && file.new_path.is_some()
            && !file.binary;
        if plain {
            let key = (file.format, file.old_path.clone(), file.new_path.clone());
            match first.entry(key) {
                Entry::Occupied(at) => {
                    let at: usize = *at.get();
                    joined[at].hunks.extend(file.hunks);
                    continue;
                }
                Entry::Vacant(free) => {
                    free.insert(joined.len());
                }
            }
        }
        joined.push(file);
    }
    patch.files = joined;
}

/// A file without hunks can still be an edit: a new name, a new mode, an empty file, a deletion.
fn says_something(file: &FilePatch<'_>) -> bool {
    file.binary || file.new_mode.is_some() || file.action != FileAction::Modify
}

/// One line of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextLine<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) cr: bool,
}

/// A code fence that is open.
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: u8,
    length: usize,
    /// Its language says that a diff follows.
    is_diff: bool,
}

/// The text, line by line, and what was seen around the edits.
pub(crate) struct Reader<'t> {
    lines: Vec<TextLine<'t>>,
    at: usize,
    fence: Option<Fence>,
    /// A file name seen in the words before the edit.
    hint: Option<Vec<u8>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8]) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut lines: Vec<TextLine<'t>> = text
            .split(|&byte| byte == b'\n')
            .map(|line| match line.strip_suffix(b"\r") {
                Some(line) => TextLine { text: line, cr: true },
                None => TextLine { text: line, cr: false },
            })
            .collect();
        // What follows the last line ending is not a line.
        if lines.last().is_some_and(|line| line.text.is_empty() && !line.cr) {
            lines.pop();
        }
        Self { lines, at: 0, fence: None, hint: None }
    }

    fn line(&self) -> Option<TextLine<'t>> {
        self.lines.get(self.at).copied()
    }

    fn text_at(&self, at: usize) -> Option<&'t [u8]> {
        self.lines.get(at).map(|line| line.text)
    }

    /// Opens or closes a code fence, if the present line is one.
    fn take_fence(&mut self) -> bool {
        let Some(line) = self.line() else { return false };
        if self.closes_fence(line.text) {
            self.fence = None;
            self.at += 1;
            return true;
        }
        let Some((mark, length)) = fence_mark(line.text) else { return false };
        if self.fence.is_some() {
            return false;
        }
        let info = line.text[length..].trim_ascii();
        let word = info.split(|byte| matches!(byte, b' ' | b':' | b'{')).next().unwrap_or_default();
        let is_diff = matches!(word, b"diff" | b"patch" | b"udiff" | b"unidiff");
        self.fence = Some(Fence { mark, length, is_diff });
        if let Some(path) = chatter::path_in_fence(info) {
            self.hint = Some(path);
        }
        self.at += 1;
        true
    }

    fn closes_fence(&self, text: &[u8]) -> bool {
        let Some(fence) = self.fence else { return false };
        let text = text.trim_ascii_end();
        text.len() >= fence.length && text.iter().all(|&byte| byte == fence.mark)
    }

    fn note_chatter(&mut self, text: &[u8]) {
        if let Some(path) = chatter::path_in_words(text) {
            self.hint = Some(path);
        }
        self.at += 1;
    }
}

/// The mark and its length, if a line opens or closes a code fence.
fn fence_mark(text: &[u8]) -> Option<(u8, usize)> {
    let mark = *text.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = text.iter().take_while(|&&byte| byte == mark).count();
    (length >= 3 && !text[length..].contains(&b'`')).then_some((mark, length))
}
