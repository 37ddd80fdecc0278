//! Content that is no text, as git writes it into a patch (`GIT binary patch`): packed and in letters, both ways, so that `git apply` can check it,
//! do it and take it back.

/// Git's alphabet for numbers to the base of 85.
const LETTERS: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// Bytes in one line.
const LINE: usize = 52;

/// How hard content is packed: enough, without waiting for it.
const LEVEL: u8 = 6;

/// The way from one content to another and back.
pub(crate) fn patch(old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = b"GIT binary patch\n".to_vec();
    for content in [new, old] {
        literal(content, &mut out);
    }
    out
}

/// A whole content.
fn literal(content: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(format!("literal {}\n", content.len()).as_bytes());
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(content, LEVEL);
    for line in packed.chunks(LINE) {
        out.push(length_letter(line.len()));
        line.chunks(4).for_each(|four| five_letters(four, out));
        out.push(b'\n');
    }
    out.push(b'\n');
}

/// How many bytes a line stands for: `A` to `Z` for 1 to 26, `a` to `z` for 27 to 52.
fn length_letter(length: usize) -> u8 {
    let number = u8::try_from(length).unwrap_or(0);
    if number <= 26 { b'A' + number.saturating_sub(1) } else { b'a' + (number - 27) }
}

/// Up to four bytes, filled up with zeros.
fn five_letters(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = (0..4).fold(0u32, |sum, at| (sum << 8) | u32::from(bytes.get(at).copied().unwrap_or(0)));
    let mut letters = [0; 5];
    for letter in letters.iter_mut().rev() {
        *letter = LETTERS[(rest % 85) as usize];
        rest /= 85;
    }
    out.extend_from_slice(&letters);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lengths_are_those_of_git_m2() {
        let mut out = Vec::new();
        // What git writes for nothing at all.
        five_letters(&[0x78, 0x01, 0x03, 0x00], &mut out);
        five_letters(&[0x00, 0x00, 0x00, 0x01], &mut out);
        assert_eq!(out, b"cmV?d00001");
        assert_eq!([1, 8, 26, 27, 52].map(length_letter), [b'A', b'H', b'Z', b'a', b'z']);
    }

    #[test]
    fn what_is_written_is_what_was_there_m2() {
        let many: Vec<u8> = (0..=255).cycle().take(9_999).collect();
        for content in [&b""[..], b"\0\x01\x02", &[7; 1000], many.as_slice()] {
            let mut out = Vec::new();
            literal(content, &mut out);
            let text = String::from_utf8(out).unwrap();
            let mut packed = Vec::new();
            for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
                let first = line.as_bytes()[0];
                let length = usize::from(if first <= b'Z' { first - b'A' + 1 } else { first - b'a' + 27 });
                let bytes: Vec<u8> = line.as_bytes()[1..]
                    .chunks(5)
                    .flat_map(|five| {
                        let digit =
                            |letter: &u8| LETTERS.iter().position(|one| one == letter).unwrap() as u32;
                        five.iter()
                            .fold(0u32, |sum, letter| sum.wrapping_mul(85).wrapping_add(digit(letter)))
                            .to_be_bytes()
                    })
                    .collect();
                packed.extend_from_slice(&bytes[..length]);
            }
            assert_eq!(miniz_oxide::inflate::decompress_to_vec_zlib(&packed).unwrap(), content);
        }
    }
}
