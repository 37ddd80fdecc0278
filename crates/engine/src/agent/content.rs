//! What a file holds, as the spiral breaker wants to know it.

use ::map::{Language, Reading};
use project::RelPath;

use super::predict::{mark, read};
use crate::Engine;
use spiral::{Content, Syntax, sample_of_lines};

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
    let lines = u32::try_from(words::line_breaks(bytes)).unwrap_or(u32::MAX);
    let content = Content {
        hash: mark(bytes),
        size: bytes.len() as u64,
        lines,
        syntax: Syntax::Unknown,
        faults: 0,
        damage: 0,
        open: None,
    };
    if bytes.len() > longest {
        return content;
    }
    let Some(language) = Language::of(path.as_bytes(), bytes) else { return content };
    let not_whole = if language.grammar_is_exact() { Syntax::Broken } else { Syntax::Doubtful };
    match ::map::reading(language, bytes) {
        None => content,
        Some(Reading::Whole) => Content { syntax: Syntax::Whole, ..content },
        Some(Reading::Odd { faults, damage }) => Content { syntax: not_whole, faults, damage, ..content },
        Some(Reading::Broken { damage, open }) => {
            let open = open.then(|| sample_of_lines(bytes));
            Content { syntax: not_whole, damage, open, ..content }
        }
    }
}
