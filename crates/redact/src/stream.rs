//! Cleaning without end: text of any length, block by block, with one gate and bounded memory.
//!
//! A block ends where no secret does: the gate looks at what lies around the cut, before and behind, and moves the cut out of
//! whatever it finds there. So a key over many lines is never split between two blocks.

use std::io::{self, ErrorKind, Read};

use crate::clean::{Clean, Counts};
use crate::gate::{Gate, secrets};
use crate::wide;

/// Text is cleaned in blocks of about this size.
const BLOCK: usize = 1 << 20;

/// How far around a cut the gate looks; longer than any secret it knows.
const MARGIN: usize = 32 << 10;

/// So many places for a cut are tried; the second is nearly always good.
const MOST_TRIES: usize = 60;

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
        let (mut ended, mut wide) = (false, None);
        while !(ended && buffer.is_empty()) {
            while !ended && buffer.len() < BLOCK + MARGIN {
                let before = buffer.len();
                ended = fill(&mut input, &mut buffer, &mut streamed.bytes)? == 0;
                // The beginning says whether a letter has two bytes; then all that comes is turned into UTF-8 first. (S19)
                if before == 0 && wide.is_none() && streamed.bytes == buffer.len() as u64 {
                    wide = wide::order(&buffer).map(wide::Decoder::new);
                }
                if let Some(decoder) = &mut wide {
                    let text = decoder.decode(&buffer[before..], ended);
                    buffer.truncate(before);
                    buffer.extend_from_slice(text.as_bytes());
                }
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

/// Where to end a block of a full buffer: where both sides hold the same secrets apart as they do together.
///
/// Behind a line break if there is one, else behind another border of words; never inside a secret, and never between a secret and
/// what makes it one (its name, the head of a key block).
fn cut(buffer: &[u8]) -> usize {
    let from = BLOCK - MARGIN;
    let window = &buffer[from..(BLOCK + MARGIN).min(buffer.len())];
    let together = spans(window, 0);
    let outside = |at: usize| !together.iter().any(|(start, end)| *start < at && at < *end);
    let apart = |at: usize| {
        let mut both = spans(&window[..at], 0);
        both.extend(spans(&window[at..], at));
        both == together
    };
    let behind = |test: fn(u8) -> bool| {
        let places = (1..=MARGIN).rev().filter(move |at| test(window[at - 1]));
        places.filter(|at| outside(*at)).take(MOST_TRIES).find(|at| apart(*at))
    };
    // No byte inside a character begins with other bits than 10, so a cut before any other byte falls between characters.
    let between = || (1..=MARGIN).rev().find(|at| window[*at] & 0xc0 != 0x80 && outside(*at));
    let place = behind(|byte| byte == b'\n')
        .or_else(|| behind(|byte| matches!(byte, b' ' | b',' | b';' | b'>')))
        .or_else(between)
        .unwrap_or(MARGIN);
    from + place
}

fn spans(text: &[u8], offset: usize) -> Vec<(usize, usize)> {
    secrets(text).iter().map(|secret| (offset + secret.span.start, offset + secret.span.end)).collect()
}

fn read_as_text<'b>(bytes: &'b [u8], invalid: &mut u64) -> std::borrow::Cow<'b, str> {
    *invalid += bytes.utf8_chunks().map(|chunk| chunk.invalid().len() as u64).sum::<u64>();
    String::from_utf8_lossy(bytes)
}
