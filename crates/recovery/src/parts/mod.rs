//! Parts of a file that went while the rest was rewritten: rows of a table, entries of a JSON text, blocks of lines. And the present
//! text with them in their place again, and nothing else changed. (R7)

mod blocks;
mod form;
mod json;
mod table;

pub(crate) use form::form_lost;
pub use form::{Form, bring_form};
use serde::Serialize;

use crate::paths;
use crate::text::is_binary;

/// Longer texts are left to people.
const LIMIT: usize = 1 << 20;

/// What went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Rows of a table.
    Rows,
    /// Entries of an object, items of a list.
    Entries,
    /// Lines that stood together.
    Lines,
}

/// Parts that went, and the text with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// What they are.
    pub kind: PartKind,
    /// How many.
    pub count: u64,
    /// The present text with them.
    pub content: Vec<u8>,
}

/// The parts of `before` that `now` lacks; none: nothing went, or it cannot be told apart from what was rewritten.
pub fn bring_parts(path: &str, before: &[u8], now: &[u8]) -> Option<Parts> {
    if before.len() > LIMIT || now.len() > LIMIT || is_binary(before) || is_binary(now) {
        return None;
    }
    let (was, is) = (std::str::from_utf8(before).ok()?, std::str::from_utf8(now).ok()?);
    if was.trim().is_empty() || is.trim().is_empty() {
        return None;
    }
    let (kind, found) = match paths::ending(path).as_str() {
        "csv" | "tsv" => (PartKind::Rows, table::bring(was, is)),
        "json" | "ipynb" | "geojson" | "webmanifest" | "arb" => (PartKind::Entries, json::bring(was, is)),
        _ => (PartKind::Lines, blocks::bring(was, is)),
    };
    let found = found.map(|(count, content)| Parts { kind, count, content: content.into_bytes() });
    found.filter(|parts| parts.count > 0 && parts.content != now)
}
