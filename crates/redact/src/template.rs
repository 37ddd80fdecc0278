//! Expands the example templates of `rules.toml`: `<hex:32>` becomes 32 random hex digits.
//!
//! Templates keep secret-shaped text out of the repository, and let the property tests draw a fresh secret each time.

/// Expands every `<class:n>` in `template`, the same way for the same `seed`.
///
/// Random parts always hold a digit, an upper-case and a lower-case letter where their class has one, as issued keys do.
pub fn expand(template: &str, seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03);
    let mut out = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        match parse_slot(rest) {
            Some((class, count, length)) => {
                fill(&mut out, class, count, &mut dice);
                rest = &rest[length..];
            }
            None => {
                out.push('<');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn parse_slot(text: &str) -> Option<(&str, usize, usize)> {
    let close = text.find('>')?;
    let (class, count) = text[1..close].split_once(':')?;
    (alphabet(class).is_some() || class == "uuid").then_some(())?;
    Some((class, count.parse().ok()?, close + 1))
}

fn alphabet(class: &str) -> Option<&'static [u8]> {
    Some(match class {
        "an" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "lower" => b"abcdefghijklmnopqrstuvwxyz0123456789",
        "upper" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "alpha" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "hex" => b"0123456789abcdef",
        "HEX" => b"0123456789ABCDEF",
        "digit" => b"0123456789",
        "b32" => b"abcdefghijklmnopqrstuvwxyz234567",
        "b64" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "url" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
        _ => return None,
    })
}

fn fill(out: &mut String, class: &str, count: usize, dice: &mut Dice) {
    if class == "uuid" {
        for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
            if index > 0 {
                out.push('-');
            }
            fill(out, "hex", length, dice);
        }
        return;
    }
    let Some(letters) = alphabet(class) else { return };
    loop {
        // The ends are letters or digits, so that a border check never depends on the draw.
        let part: String = (0..count).map(|_| char::from(letters[dice.roll(letters.len())])).collect();
        let ends_plain = part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.ends_with(|c: char| c.is_ascii_alphanumeric());
        let needs =
            |test: fn(&u8) -> bool| count < 8 || !letters.iter().any(test) || part.bytes().any(|b| test(&b));
        let mixed =
            needs(u8::is_ascii_digit) && needs(u8::is_ascii_lowercase) && needs(u8::is_ascii_uppercase);
        if count == 0 || (ends_plain && mixed) {
            out.push_str(&part);
            return;
        }
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // splitmix64: small, and good enough to make examples.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn expands_slots_and_leaves_other_text() {
        let text = expand("<a> x=<hex:8> <uuid:1> <nope:3>", 7);
        assert!(text.starts_with("<a> x="));
        assert!(text.ends_with("<nope:3>"));
        assert_eq!(text.len(), "<a> x= ".len() + 8 + 36 + " <nope:3>".len());
        assert_eq!(text, expand("<a> x=<hex:8> <uuid:1> <nope:3>", 7));
        assert_ne!(text, expand("<a> x=<hex:8> <uuid:1> <nope:3>", 8));
    }
}
