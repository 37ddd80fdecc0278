//! Looks into base64: where it lies in a text, and what it says.

/// A stretch of base64 that decodes to text.
#[derive(Debug)]
pub(crate) struct Wrapped {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: Vec<u8>,
}

/// Shorter stretches cannot hold a secret worth the name.
const SHORTEST: usize = 16;

/// Every stretch of base64 (plain or URL alphabet) in `text` whose content reads as text.
///
/// A stretch may have grown together with a word before it (`path/QUtJ…`), so all four alignments are tried.
pub(crate) fn wrapped(text: &[u8]) -> Vec<Wrapped> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|b| value(**b).is_some()).count();
        if length >= SHORTEST {
            let run = &text[at..at + length];
            let padding = text[at + length..].iter().take(2).take_while(|b| **b == b'=').count();
            for skip in 0..4 {
                let decoded = decode(&run[skip..]);
                if reads_as_text(&decoded) {
                    found.push(Wrapped { start: at, end: at + length + padding, text: decoded });
                }
            }
        }
        at += length + 1;
    }
    found
}

fn value(byte: u8) -> Option<u32> {
    Some(match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

fn decode(run: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(run.len() * 3 / 4);
    for group in run.chunks(4) {
        let bits = group.iter().fold(0, |bits, byte| bits << 6 | value(*byte).unwrap_or(0))
            << (6 * (4 - group.len()));
        out.extend(bits.to_be_bytes()[1..].iter().take(group.len() - 1));
    }
    out
}

fn reads_as_text(decoded: &[u8]) -> bool {
    let readable = decoded.iter().filter(|b| b.is_ascii_graphic() || b.is_ascii_whitespace()).count();
    decoded.len() >= 12 && readable * 10 >= decoded.len() * 8
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn decodes_what_reads_as_text() {
        let found = wrapped(b"x: aGVsbG8gd29ybGQsIGhlbGxvIQ== end");
        assert_eq!(found[0].text, b"hello world, hello!");
        assert_eq!((found[0].start, found[0].end), (3, 31));
        assert!(wrapped(b"just some ordinary words here").is_empty());
    }
}
