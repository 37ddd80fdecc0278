//! Lines, in and out.

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A longer line is not kept: no agent says that much at once.
pub(crate) const LONGEST: usize = 64 << 20;

/// One line, or why there is none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// With its end.
    Whole(Vec<u8>),
    /// It was longer than [`LONGEST`]: this is its beginning, the rest was read and left out.
    TooLong(Vec<u8>),
    /// Nothing more comes.
    End,
}

/// The next line. The last one may have no end.
pub(crate) fn next(from: &mut impl BufRead) -> std::io::Result<Line> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let chunk = match from.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(match (line.is_empty(), is_too_long) {
                (_, true) => Line::TooLong(line),
                (true, _) => Line::End,
                (false, _) => Line::Whole(line),
            });
        }
        let (used, is_end) = match chunk.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (chunk.len(), false),
        };
        let room = LONGEST.saturating_sub(line.len());
        is_too_long |= used > room;
        line.extend_from_slice(&chunk[..used.min(room)]);
        from.consume(used);
        if is_end {
            return Ok(if is_too_long { Line::TooLong(line) } else { Line::Whole(line) });
        }
    }
}

/// Where one side listens. Whole lines go out one after the other, whoever sends them.
#[derive(Clone)]
pub struct Out(Arc<Mutex<Option<Box<dyn Write + Send>>>>);

impl Out {
    /// Over this.
    pub fn new(to: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Some(Box::new(to)))))
    }

    /// Sends a line; false: nobody listens any more.
    pub(crate) fn send(&self, line: &[u8]) -> bool {
        let mut to = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(out) = to.as_mut() else { return false };
        let sent = out
            .write_all(line)
            .and_then(|()| if line.ends_with(b"\n") { Ok(()) } else { out.write_all(b"\n") });
        if sent.and_then(|()| out.flush()).is_err() {
            *to = None;
            return false;
        }
        true
    }

    /// Nothing more comes: the other side sees the end.
    pub(crate) fn close(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_as_they_are() {
        let mut from = std::io::BufReader::with_capacity(3, &b"one\n\n\xff\x00two\nlast"[..]);
        let mut lines = Vec::new();
        while let Line::Whole(line) = next(&mut from).expect("read") {
            lines.push(line);
        }
        assert_eq!(lines, [&b"one\n"[..], b"\n", b"\xff\x00two\n", b"last"]);
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let mut text = vec![b'x'; LONGEST + 5];
        text.extend_from_slice(b"\nnext\n");
        let mut from = std::io::BufReader::new(&text[..]);
        assert!(matches!(next(&mut from).expect("read"), Line::TooLong(line) if line.len() == LONGEST));
        assert_eq!(next(&mut from).expect("read"), Line::Whole(b"next\n".to_vec()));
        assert_eq!(next(&mut from).expect("read"), Line::End);
    }
}
