//! The comment that keeps one line out of a scan report.

/// What a person writes on a line to say that this secret is meant to be there.
pub const ALLOW_COMMENT: &str = "vibelign: allow-secret";

/// Whether a line touched by `start..end` carries the comment. Only reports ask; the gate never does.
pub(crate) fn is_allowed(text: &[u8], start: usize, end: usize) -> bool {
    let line_start = memchr::memrchr(b'\n', &text[..start]).map_or(0, |at| at + 1);
    let line_end = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |at| end + at);
    memchr::memmem::find(&text[line_start..line_end], ALLOW_COMMENT.as_bytes()).is_some()
}
