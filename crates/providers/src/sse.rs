//! Server-sent events out of bytes, however they are cut into pieces. Bounded: a line or an event that is too long is a fault, not memory.

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its lines of data, joined.
    pub(crate) data: String,
}

/// A line or an event has more bytes than are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Reads a stream piece by piece.
#[derive(Debug)]
pub(crate) struct Reader {
    line: Vec<u8>,
    data: Option<String>,
    limit: usize,
    /// The last byte was a carriage return: a line feed right behind it belongs to it.
    after_return: bool,
    is_first_line: bool,
}

impl Reader {
    pub(crate) fn new(limit: usize) -> Self {
        Self { line: Vec::new(), data: None, limit, after_return: false, is_first_line: true }
    }

    /// The events that end within these bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut events = Vec::new();
        for &byte in bytes {
            let is_second_half = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            match byte {
                _ if is_second_half => {}
                b'\n' | b'\r' => events.extend(self.end_line()?),
                _ if self.line.len() >= self.limit => return Err(TooLong),
                _ => self.line.push(byte),
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Result<Option<Event>, TooLong> {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let mut text = text.as_ref();
        if std::mem::take(&mut self.is_first_line) {
            text = text.strip_prefix('\u{feff}').unwrap_or(text);
        }
        if text.is_empty() {
            return Ok(self.data.take().map(|data| Event { data }));
        }
        let (field, value) = text.split_once(':').unwrap_or((text, ""));
        // Names of events are in the data as well; comments, ids and waits mean nothing here.
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            let so_far = self.data.get_or_insert_default();
            if so_far.len() + value.len() >= self.limit {
                return Err(TooLong);
            }
            if !so_far.is_empty() {
                so_far.push('\n');
            }
            so_far.push_str(value);
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let mut reader = Reader::new(1000);
        pieces.iter().flat_map(|piece| reader.feed(piece).unwrap()).map(|event| event.data).collect()
    }

    #[test]
    fn events_are_the_same_however_they_are_cut() {
        let stream = "\u{feff}event: a\ndata: {\"x\":1}\n\n: ping\r\n\r\ndata:two\r\ndata: lines\r\n\r\ndata: ümlaut\r\rdata: unfinished".as_bytes();
        let whole = read(&[stream]);
        assert_eq!(whole, ["{\"x\":1}", "two\nlines", "ümlaut"]);
        for at in 0..stream.len() {
            let (head, tail) = stream.split_at(at);
            assert_eq!(read(&[head, tail]), whole, "cut at {at}");
        }
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(read(&bytes), whole);
    }

    #[test]
    fn a_line_or_an_event_that_is_too_long_is_said() {
        assert_eq!(Reader::new(10).feed(b"data: 12345678901"), Err(TooLong));
        let many = "data: 1234\n".repeat(10);
        assert_eq!(Reader::new(20).feed(many.as_bytes()), Err(TooLong));
        assert!(Reader::new(20).feed(b"data: 1234\n\n".repeat(10).as_slice()).is_ok());
    }
}
