//! As much HTTP as the clients need: one request and one answer per connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A request's raw parts.
pub struct Incoming {
    pub method: String,
    pub path: String,
    pub body: Vec<u8>,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub kind: &'static str,
    pub body: String,
}

impl Answer {
    /// A JSON document.
    pub fn json(value: &serde_json::Value) -> Self {
        Self { status: 200, kind: "application/json", body: value.to_string() }
    }

    /// A stream of events, sent at once.
    pub fn events(body: String) -> Self {
        Self { status: 200, kind: "text/event-stream", body }
    }

    /// A refusal.
    pub fn refused(status: u16) -> Self {
        Self { status, kind: "application/json", body: "{}".to_owned() }
    }
}

/// Reads one request; none if the other side went away or sent something that isn't HTTP.
pub fn read(stream: &TcpStream) -> Option<Incoming> {
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut words = first.split_whitespace();
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (mut length, mut chunked, mut waits) = (0, false, false);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
            "expect" => waits = true,
            _ => {}
        }
    }
    if waits {
        let mut stream = stream;
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
    }
    let body = if chunked { read_chunks(&mut reader)? } else { read_exactly(&mut reader, length)? };
    Some(Incoming { method, path, body })
}

fn read_exactly(reader: &mut impl Read, length: usize) -> Option<Vec<u8>> {
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(body)
}

fn read_chunks(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let size = line.trim().split(';').next().unwrap_or_default();
        let size = usize::from_str_radix(size, 16).ok()?;
        body.extend(read_exactly(reader, size)?);
        reader.read_line(&mut String::new()).ok()?;
        if size == 0 {
            return Some(body);
        }
    }
}

/// Sends the answer. A client that left early is its own affair.
pub fn write(mut stream: &TcpStream, answer: &Answer) {
    let reason = if answer.status == 200 { "OK" } else { "Refused" };
    let head = format!(
        "HTTP/1.1 {} {reason}\r\ncontent-type: {}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(answer.body.as_bytes()));
}
