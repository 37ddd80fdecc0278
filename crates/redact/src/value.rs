//! Judges a candidate value: is it a placeholder, how much entropy has it?
//!
//! Most false alarms of secret scanners are values somebody wrote to show where a secret goes (`xxxx`, `<your-key>`,
//! `${TOKEN}`, `AKIA…EXAMPLE`). What random text looks like is in [`crate::random`].

use crate::random::Makeup;
use crate::words::Words;

/// Shannon entropy in bits a character.
///
/// With `c` of a character among `n`: `log2 n - Σ c·log2 c / n`. The sum is kept as the counts grow, so nothing is asked of characters
/// that do not occur.
pub(crate) fn entropy(value: &[u8]) -> f32 {
    if value.is_empty() {
        return 0.0;
    }
    let mut counts = [0_u16; 256];
    let mut sum = 0.0;
    for byte in value.iter().take(usize::from(u16::MAX)) {
        let count = &mut counts[usize::from(*byte)];
        sum += STEPS.get(usize::from(*count)).copied().unwrap_or_else(|| step(f32::from(*count)));
        *count += 1;
    }
    let total = value.len().min(usize::from(u16::MAX)) as f32;
    total.log2() - sum / total
}

/// What the sum of [`entropy`] grows by when a count goes from `count` to the next.
fn step(count: f32) -> f32 {
    let of = |count: f32| if count > 0.0 { count * count.log2() } else { 0.0 };
    of(count + 1.0) - of(count)
}

/// [`step`] of the counts that occur: 0, 1, 2…
#[rustfmt::skip]
const STEPS: [f32; 12] = [
    0.0, 2.0, 2.754_887_5, 3.245_112_4, 3.609_640_5, 3.900_134_6, 4.141_709_3, 4.348_516, 4.529_325,
    4.689_955_6, 4.834_466_6, 4.965_802_6,
];

/// Words that people put where a secret goes.
#[rustfmt::skip]
const STAND_INS: Words = Words::new(&[
    "####", "****", "-here", "....", "_here", "anonymous", "bogus", "change-me", "change_me", "changeme", "dummy",
    "example", "fake", "fixme", "foobar", "insert", "invalid", "keyhere", "mock", "not-a-", "not_a_", "notreal",
    "placeholder", "redacted", "replace", "sample", "secrethere", "short", "stringhere", "todo", "tokenhere",
    "undefined", "xxxxx", "your",
]);

/// Whether the value only marks the place of a secret.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    // The key of every Azure storage emulator, as its manual has it.
    value.starts_with(b"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq")
        || is_template(value)
        || is_mark(value)
        || holds_stand_in(value)
        || is_monotonous(value)
        || is_sequence(value)
        || ends_monotonous(value)
}

/// `48E92789-57A3-466A-9959-1A1A1A1A1A1A`: a UUID that somebody began and filled up.
fn ends_monotonous(value: &[u8]) -> bool {
    crate::random::is_uuid(value) && {
        let last = &value[24..];
        last.iter().skip(2).eq(&last[..10])
    }
}

/// Whether the value holds a word such as `example` or `xxxxx`.
///
/// Four letters in a row turn up in random text by chance, so a short word counts only where it stands as a word, or where
/// the rest reads as words too.
pub(crate) fn holds_stand_in(value: &[u8]) -> bool {
    let lower = value.get(..200).unwrap_or(value).to_ascii_lowercase();
    STAND_INS.any(&lower, |at, word| {
        let letter =
            |at: Option<usize>| at.and_then(|at| lower.get(at)).is_some_and(u8::is_ascii_alphanumeric);
        let alone = !letter(at.checked_sub(1)) && !letter(Some(at + word.len()));
        word.len() > 5
            || !word.as_bytes()[0].is_ascii_alphabetic()
            || alone
            || value.len() < 16
            || Makeup::of(value).wordiness() > 0.3
    })
}

/// Whether the value is filled in later: `${X}`, `$X`, `{{ x }}`, `<x>`, `%s`, `%(x)s`, `$(cmd)`, `#{x}`, `{x}`.
pub(crate) fn is_template(value: &[u8]) -> bool {
    // Nearly every value has none of the signs.
    if !value.iter().any(|byte| matches!(byte, b'$' | b'{' | b'#' | b'<' | b'%' | b'[' | b'&')) {
        return false;
    }
    let inner = |open: &[u8], close: &[u8]| {
        memchr::memmem::find_iter(value, open).any(|at| {
            let rest = &value[at + open.len()..];
            // `row-${++this.count}`, `${!ready}`.
            let signs = rest.iter().take(2).take_while(|b| matches!(b, b'+' | b'-' | b'!')).count();
            let rest = &rest[signs..];
            match memchr::memmem::find(rest, close) {
                Some(end) => rest[..end].iter().all(|b| is_name_byte(*b) || b" .:-()|'\"[]>$@?".contains(b)),
                None => rest.iter().all(|b| is_name_byte(*b)),
            }
        })
    };
    let quotes = value.iter().take_while(|b| b"\"'`\\".contains(b)).count();
    match &value[quotes..] {
        [b'$', rest @ ..]
            if rest.len() < 40 && rest.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') =>
        {
            let name = rest.iter().take_while(|b| is_name_byte(**b)).count();
            name == rest.len()
                || matches!(rest[name], b'.' | b'[' | b'-' | b'/' | b':' | b'(' | b'$' | b'\'' | b'"')
        }
        [b'$', b'{', rest @ ..] if is_checked_variable(rest) => true,
        [b'%', b's' | b'd' | b'v' | b'q' | b'@', ..] | [b'%', b'(', ..] | [b'%', b'%', ..] => true,
        [b'#', b'{', ..] | [b'{', b'{' | b'%', ..] | [b'<', b'%' | b'?', ..] => true,
        [b'$', b'(' | b'$', ..] | [b'<', ..] | [b'[', ..] | [b'&', b'l', b't', b';', ..] => true,
        [b'%', rest @ .., b'%'] => rest.iter().all(|b| is_name_byte(*b)),
        [b'{', rest @ .., b'}'] => rest.iter().all(|b| is_name_byte(*b) || b" .{}".contains(b)),
        _ => {
            inner(b"${", b"}")
                || inner(b"{{", b"}}")
                || inner(b"#{", b"}")
                || (memchr::memchr(b'>', value).is_some() && inner(b"<", b">"))
                || inner(b"$(", b")")
                || inner(b"{$", b"}")
                || inner(b"#{@", b"}")
                || has_numbered_slot(value)
        }
    }
}

/// `token="{0.token}";`: what `format` fills in, by number.
fn has_numbered_slot(value: &[u8]) -> bool {
    value.windows(3).any(|three| matches!(three, [b'{', b'0'..=b'9', b'.' | b'}' | b'[']))
}

/// `NAME:?message` and `NAME:+other`, as shells write them between `${` and `}`.
fn is_checked_variable(rest: &[u8]) -> bool {
    let name = rest.iter().take_while(|b| is_name_byte(**b)).count();
    name > 0 && matches!(&rest[name..], [b':', b'?' | b'+', ..] | [b'?' | b'+', ..])
}

/// Whether the value is a mark that the gate put there.
pub(crate) fn is_mark(value: &[u8]) -> bool {
    value.starts_with(b"[redacted:") || value.starts_with(b"[private:")
}

/// Whether the gate put a mark, or its word for a whole text, somewhere into this one: it is no longer what it was.
pub fn holds_mark(text: &str) -> bool {
    ["[redacted:", "[private:", crate::gate::WITHHELD].iter().any(|mark| text.contains(mark))
}

/// Few different characters, one character many times, or one short piece over and over.
pub(crate) fn is_monotonous(value: &[u8]) -> bool {
    if value.len() < 6 {
        return false;
    }
    let mut seen = [0_u64; 4];
    let mut run = 1;
    let mut longest = 1;
    seen[usize::from(value[0] / 64)] |= 1 << (value[0] % 64);
    for pair in value.windows(2) {
        seen[usize::from(pair[1] / 64)] |= 1 << (pair[1] % 64);
        run = if pair[0] == pair[1] { run + 1 } else { 1 };
        longest = longest.max(run);
    }
    let different: u32 = seen.iter().map(|bits| bits.count_ones()).sum();
    if longest >= 8 || (longest >= 5 && longest * 2 >= value.len()) || different <= 3 {
        return true;
    }
    // Many different characters are no short piece over and over.
    if different > 12 {
        return false;
    }
    let plain: Vec<u8> = value.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    plain.len() >= 12
        && (1..=5).any(|period| plain.iter().skip(period).eq(plain.iter().take(plain.len() - period)))
}

/// `abcdefghijklmnop`, `1234567890123456`: the alphabet rather than a key.
pub(crate) fn is_sequence(value: &[u8]) -> bool {
    let mut run = 1;
    let mut in_runs = 0;
    let mut longest = 1;
    let mut last = 0_u8;
    // `1234567890-abcdef-ghijklmno`: what parts it does not count.
    for byte in value.iter().filter(|byte| !matches!(byte, b'-' | b'_')) {
        let (a, b) = (last, byte.to_ascii_lowercase());
        last = b;
        // Hex digits go on with letters.
        if b == a.wrapping_add(1) || matches!((a, b), (b'9', b'0') | (b'9' | b'0', b'a')) {
            run += 1;
        } else {
            if run >= 8 {
                in_runs += run;
            }
            run = 1;
        }
        longest = longest.max(run);
    }
    if run >= 8 {
        in_runs += run;
    }
    (longest >= 14 && in_runs * 2 >= value.len()) || in_runs * 5 >= value.len() * 4
}

/// A byte that can stand in an identifier.
pub(crate) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_known() {
        for value in [
            "${TOKEN}",
            "$TOKEN",
            "{{ .Values.x }}",
            "<your-key>",
            "%s",
            "xxxxxxxxxxxx",
            "00000000-0000-0000-0000-000000000000",
            "asdfasdfasdfasdf",
            "abcdefghijklmnopqrstuvwxyz123456",
            "AKIAIOSFODNN7EXAMPLE",
            "$(cat file)",
            "[redacted:x#1]",
            "{password}",
            "$secrets.DB_PASSWORD",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        for value in ["m{{h}o)p${e]nob(ody[finds>-_$#thisone}}", "hunter2", "$2b$12$abc", "a1b2c3d4e5f6g7h8"]
        {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn entropy_is_in_bits() {
        assert!(entropy(b"aaaa") < 0.01);
        assert!((entropy(b"abcd") - 2.0).abs() < 0.01);
    }
}
