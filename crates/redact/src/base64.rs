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
/// Stretches that were `judged` already are left out.
pub(crate) fn wrapped(text: &[u8], judged: &dyn Fn(usize, usize) -> bool) -> Vec<Wrapped> {
    let mut found = Vec::new();
    // A stretch that is long enough has a byte at one of these places; most of prose is never looked at.
    let mut probe = SHORTEST - 1;
    while probe < text.len() {
        if !is_digit(text[probe]) {
            probe += SHORTEST;
            continue;
        }
        let before = text[..probe].iter().rev().take_while(|byte| is_digit(**byte)).count();
        let after = text[probe..].iter().take_while(|byte| is_digit(**byte)).count();
        let (start, end) = (probe - before, probe + after);
        if end - start >= SHORTEST && !judged(start, end) {
            let run = &text[start..end];
            let padding = text[end..].iter().take(2).take_while(|b| **b == b'=').count();
            for run in (0..4).map(|skip| &run[skip..]).filter(|run| reads_as_text(run)) {
                let decoded = decoded(run).collect();
                found.push(Wrapped { start, end: end + padding, text: decoded });
            }
        }
        probe = end + SHORTEST;
    }
    found
}

/// Every stretch of hex digits whose content reads as text.
pub(crate) fn hex_wrapped(text: &[u8], judged: &dyn Fn(usize, usize) -> bool) -> Vec<Wrapped> {
    const SHORTEST: usize = 32;
    let mut found = Vec::new();
    let mut probe = SHORTEST - 1;
    while probe < text.len() {
        if !text[probe].is_ascii_hexdigit() {
            probe += SHORTEST;
            continue;
        }
        let before = text[..probe].iter().rev().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let after = text[probe..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let (start, end) = (probe - before, probe + after);
        let run = &text[start..end];
        // Letters and signs are 2 to 7 in their first digit; random digits are given up at once.
        if run.len() >= SHORTEST
            && run.len().is_multiple_of(2)
            && !judged(start, end)
            && run.iter().step_by(2).take(8).all(|digit| matches!(digit, b'2'..=b'7' | b'0'))
        {
            let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
            let decoded: Vec<u8> =
                run.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect();
            let readable = |byte: &&u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
            if decoded.iter().filter(readable).count() * 10 >= decoded.len() * 9 {
                found.push(Wrapped { start, end, text: decoded });
            }
        }
        probe = end + SHORTEST;
    }
    found
}

/// What each byte stands for; [`NONE`] if it is no digit of either alphabet.
static VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let plain = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut value = 0;
    while value < 64 {
        values[plain[value] as usize] = value as u8;
        value += 1;
    }
    values[b'-' as usize] = 62;
    values[b'_' as usize] = 63;
    values
};
const NONE: u8 = 0xff;

/// 1 for what is neither a letter, a digit, a sign nor white space.
static UNREADABLE: [u8; 256] = {
    let (mut bytes, mut byte) = ([1; 256], 0_u8);
    while byte < 128 {
        bytes[byte as usize] = !(byte.is_ascii_graphic() || byte.is_ascii_whitespace()) as u8;
        byte += 1;
    }
    bytes
};

fn is_digit(byte: u8) -> bool {
    VALUES[usize::from(byte)] != NONE
}

fn decoded(run: &[u8]) -> impl Iterator<Item = u8> + '_ {
    run.chunks(4).flat_map(|group| {
        let value = |byte: &u8| u32::from(VALUES[usize::from(*byte)]);
        let bits = group.iter().fold(0, |bits, byte| bits << 6 | value(byte)) << (6 * (4 - group.len()));
        bits.to_be_bytes().into_iter().skip(1).take(group.len() - 1)
    })
}

/// What a stretch of base64 says, up to its first foreign sign.
pub(crate) fn text_of(run: &[u8]) -> Vec<u8> {
    let length = run.iter().take_while(|byte| is_digit(**byte)).count();
    decoded(&run[..length]).collect()
}

/// Four of five bytes are letters, digits, signs or white space. Most names and paths are given up after a few.
fn reads_as_text(run: &[u8]) -> bool {
    let length = run.len() / 4 * 3 + (run.len() % 4).saturating_sub(1);
    if length < 12 {
        return false;
    }
    let mut bearable = length * 2 / 10;
    let mut bear = |byte: u32| {
        let strange = usize::from(UNREADABLE[byte as usize & 0xff]);
        let fine = strange <= bearable;
        bearable = bearable.saturating_sub(strange);
        fine
    };
    let value = |byte: u8| u32::from(VALUES[usize::from(byte)]);
    let groups = run.chunks_exact(4);
    let rest = groups.remainder();
    for group in groups {
        let bits = value(group[0]) << 18 | value(group[1]) << 12 | value(group[2]) << 6 | value(group[3]);
        if !(bear(bits >> 16) && bear(bits >> 8) && bear(bits)) {
            return false;
        }
    }
    decoded(rest).all(|byte| bear(u32::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_reads_as_text() {
        let found = wrapped(b"x: aGVsbG8gd29ybGQsIGhlbGxvIQ== end", &|_, _| false);
        assert_eq!(found[0].text, b"hello world, hello!");
        assert_eq!((found[0].start, found[0].end), (3, 31));
        assert!(wrapped(b"just some ordinary words here", &|_, _| false).is_empty());
    }

    proptest::proptest! {
        /// Looking only at every sixteenth byte finds every stretch.
        #[test]
        fn no_stretch_is_missed(text in "([A-Za-z0-9+/_-]{0,24}[ .\n=é]{0,3}){0,12}") {
            let text = text.as_bytes();
            let mut wanted = Vec::new();
            let mut at = 0;
            while at < text.len() {
                let length = text[at..].iter().take_while(|byte| is_digit(**byte)).count();
                for skip in (0..4).filter(|_| length >= SHORTEST) {
                    let decoded: Vec<u8> = decoded(&text[at + skip..at + length]).collect();
                    let readable =
                        decoded.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count();
                    if decoded.len() >= 12 && readable * 10 >= decoded.len() * 8 {
                        wanted.push((at, decoded));
                    }
                }
                at += length + 1;
            }
            let found: Vec<_> = wrapped(text, &|_, _| false).into_iter().map(|found| (found.start, found.text)).collect();
            proptest::prop_assert_eq!(found, wanted);
        }
    }
}
