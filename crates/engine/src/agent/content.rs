//! What a file holds, as the spiral breaker wants to know it.

use ::map::Language;
use project::RelPath;

use super::predict::{mark, read};
use crate::Engine;
use crate::spiral::{Content, Syntax};

/// Longer files are not parsed between two steps of an agent: it would take more than a few milliseconds.
pub(super) const QUICKLY: usize = 32 << 10;
/// Longer files are not parsed at the end of a turn either.
pub(super) const AT_LEISURE: usize = 512 << 10;

/// What is in a file now; `None` if it is no file, or a very long one.
pub(super) fn content_of_file(engine: &Engine, path: &RelPath, longest: usize) -> Option<Content> {
    read(engine, path).map(|bytes| content_of(path, &bytes, longest))
}

/// What a text is, if it lies at this path. Longer ones than `longest` are not parsed.
pub(super) fn content_of(path: &RelPath, bytes: &[u8], longest: usize) -> Content {
    let syntax = if bytes.len() > longest { Syntax::Unknown } else { syntax(path.as_bytes(), bytes) };
    Content { hash: mark(bytes), size: bytes.len() as u64, syntax }
}

fn syntax(path: &[u8], bytes: &[u8]) -> Syntax {
    let Some(language) = Language::of(path, bytes) else { return Syntax::Unknown };
    match ::map::is_whole(language, bytes) {
        None => Syntax::Unknown,
        Some(true) => Syntax::Whole,
        Some(false) if language.grammar_is_exact() => Syntax::Broken,
        Some(false) => Syntax::Doubtful,
    }
}
