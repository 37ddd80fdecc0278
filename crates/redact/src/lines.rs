//! The comment that keeps one line out of a scan report.

/// What a person writes on a line to say that this secret is meant to be there.
pub const ALLOW_COMMENT: &str = "vibelign: allow-secret";

/// Looks for the comment, in the order of the text. A line is looked at once, however long it is and whatever is found in it.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Where the lines that were looked at last begin and end.
    start: usize,
    end: usize,
    allowed: bool,
}

impl Lines {
    /// Whether a line touched by `start..end` carries the comment. Only reports ask; the gate never does.
    pub(crate) fn allow(&mut self, text: &[u8], start: usize, end: usize) -> bool {
        if self.end == 0 || start < self.start || end > self.end {
            self.start = memchr::memrchr(b'\n', &text[..start]).map_or(0, |at| at + 1);
            self.end = memchr::memchr(b'\n', &text[end..]).map_or(text.len(), |at| end + at);
            self.allowed =
                memchr::memmem::find(&text[self.start..self.end], ALLOW_COMMENT.as_bytes()).is_some();
        }
        self.allowed
    }
}
