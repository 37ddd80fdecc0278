//! Text of two bytes a letter (UTF-16), as Windows programs write it: turned into UTF-8 before anything is looked for. (S19)

/// Which byte of a letter comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The lower one.
    Little,
    /// The higher one.
    Big,
}

/// Fewer bytes say nothing.
const LEAST: usize = 8;
/// So many bytes are looked at.
const LOOKED_AT: usize = 4096;

/// Whether the text is UTF-16: by the mark at its beginning, or because every second byte is zero and the others are not.
pub fn order(bytes: &[u8]) -> Option<Order> {
    match bytes {
        [0xff, 0xfe, ..] => return Some(Order::Little),
        [0xfe, 0xff, ..] => return Some(Order::Big),
        _ => {}
    }
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    if head.len() < LEAST || memchr::memchr(0, head).is_none() {
        return None;
    }
    let zeros = |from: usize| head.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, letters) = (zeros(0), zeros(1), head.len() / 2);
    let mostly = |many: usize, few: usize| many * 10 >= letters * 6 && few * 20 <= letters;
    if mostly(odd, even) {
        return Some(Order::Little);
    }
    mostly(even, odd).then_some(Order::Big)
}

/// Turns UTF-16 into UTF-8, piece by piece.
#[derive(Debug)]
pub struct Decoder {
    order: Order,
    /// The bytes of a letter whose rest is still to come.
    rest: Vec<u8>,
    begun: bool,
}

impl Decoder {
    /// For text in this order.
    pub fn new(order: Order) -> Self {
        Self { order, rest: Vec::new(), begun: false }
    }

    /// Decodes what came; with `last`, what is left over is not waited for.
    pub fn decode(&mut self, bytes: &[u8], last: bool) -> String {
        self.rest.extend_from_slice(bytes);
        let unit = |pair: &[u8]| match self.order {
            Order::Little => u16::from_le_bytes([pair[0], pair[1]]),
            Order::Big => u16::from_be_bytes([pair[0], pair[1]]),
        };
        let mut units: Vec<u16> = self.rest.chunks_exact(2).map(unit).collect();
        // The first half of a pair waits for the second.
        if !last && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            units.pop();
        }
        let taken = units.len() * 2;
        self.rest.drain(..taken);
        let mut text: String =
            char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        if last && !self.rest.is_empty() {
            self.rest.clear();
            text.push(char::REPLACEMENT_CHARACTER);
        }
        if !self.begun && !text.is_empty() {
            self.begun = true;
            if text.starts_with('\u{feff}') {
                text.remove(0);
            }
        }
        text
    }
}

/// The whole of a text in UTF-16.
pub fn decode(bytes: &[u8], order: Order) -> String {
    Decoder::new(order).decode(bytes, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_text_is_known_with_its_mark_and_without_s19() {
        let text = "비밀번호: abc 🎉 end";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "\u{feff}token = x".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(order(&big), Some(Order::Big));
        assert_eq!(decode(&big, Order::Big), "token = x");
        let plain: Vec<u8> = "token = abcdef".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(order(&plain), Some(Order::Little));
        assert_eq!(order("plain text, no zeros".as_bytes()), None);
        let mut decoder = Decoder::new(Order::Little);
        let pieces: String = little.chunks(3).map(|piece| decoder.decode(piece, false)).collect();
        assert_eq!(pieces + &decoder.decode(&[], true), text);
    }
}
