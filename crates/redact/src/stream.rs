//! Cleaning without end: text of any length, block by block, with one gate and bounded memory.
//!
//! A block ends where no secret does: the gate looks at what lies around the cut, before and behind, and moves the cut out of
//! whatever it finds there. So a key over many lines is never split between two blocks.

use std::io::{self, ErrorKind, Read};

use crate::clean::{Clean, Counts};
use crate::gate::{Gate, secrets};

/// Text is cleaned in blocks of about this size.
const BLOCK: usize = 1 << 20;

/// How far around a cut the gate looks; longer than any secret it knows.
const MARGIN: usize = 32 << 10;

/// What went through a stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Streamed {
    /// What the gate took out of all blocks together.
    pub counts: Counts,
    /// Bytes read.
    pub bytes: u64,
    /// Bytes that were no text (invalid UTF-8); each stretch of them came out as the sign `\u{fffd}`.
    pub invalid_bytes: u64,
}

impl Gate {
    /// Cleans everything `input` gives and hands it on in order, block by block.
    pub fn clean_stream(
        &mut self,
        mut input: impl Read,
        mut out: impl FnMut(&Clean) -> io::Result<()>,
    ) -> io::Result<Streamed> {
        let mut streamed = Streamed::default();
        let mut buffer = Vec::new();
        let mut ended = false;
        while !(ended && buffer.is_empty()) {
            while !ended && buffer.len() < BLOCK + MARGIN {
                ended = fill(&mut input, &mut buffer, &mut streamed.bytes)? == 0;
            }
            let cut = if ended && buffer.len() <= BLOCK + MARGIN { buffer.len() } else { cut(&buffer) };
            if cut == 0 {
                break;
            }
            let text = read_as_text(&buffer[..cut], &mut streamed.invalid_bytes);
            let clean = self.clean(&text);
            streamed.counts.add(clean.counts());
            out(&clean)?;
            buffer.drain(..cut);
        }
        Ok(streamed)
    }
}

fn fill(input: &mut impl Read, buffer: &mut Vec<u8>, bytes: &mut u64) -> io::Result<usize> {
    let before = buffer.len();
    buffer.resize(before + (64 << 10), 0);
    let read = loop {
        match input.read(&mut buffer[before..]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => break other?,
        }
    };
    buffer.truncate(before + read);
    *bytes += read as u64;
    Ok(read)
}

/// Where to end a block of a full buffer: behind a line break if there is one, and never inside a secret.
fn cut(buffer: &[u8]) -> usize {
    let (from, to) = (BLOCK - MARGIN, (BLOCK + MARGIN).min(buffer.len()));
    let spans: Vec<(usize, usize)> = secrets(&buffer[from..to])
        .iter()
        .map(|secret| (from + secret.span.start, from + secret.span.end))
        .collect();
    let outside = |at: usize| !spans.iter().any(|(start, end)| *start < at && at < *end);
    let here =
        |test: &dyn Fn(u8) -> bool| (from + 1..=BLOCK).rev().find(|at| test(buffer[at - 1]) && outside(*at));
    // A byte of a character never begins with the bits 10, so a cut before any other byte falls between characters.
    let between = || (from + 1..=BLOCK).rev().find(|at| buffer[*at] & 0xc0 != 0x80 && outside(*at));
    here(&|byte| byte == b'\n')
        .or_else(|| here(&|byte| matches!(byte, b' ' | b',' | b';' | b'>')))
        .or_else(between)
        .unwrap_or(BLOCK)
}

fn read_as_text<'b>(bytes: &'b [u8], invalid: &mut u64) -> std::borrow::Cow<'b, str> {
    *invalid += bytes.utf8_chunks().map(|chunk| chunk.invalid().len() as u64).sum::<u64>();
    String::from_utf8_lossy(bytes)
}
