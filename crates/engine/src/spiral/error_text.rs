//! The same error twice is rarely the same text twice.

/// So many lines that speak of an error are looked at.
const LINES: usize = 24;
/// Longer lines say nothing new at their end.
const LONGEST_LINE: usize = 300;

/// A number for an error that stays the same when only numbers, addresses, times, durations, line numbers, temporary names
/// or the order of the lines change.
pub fn normalise_error(text: &str) -> u64 {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut hashes: Vec<u64> =
        lines().filter(|line| speaks_of_error(line)).take(LINES).map(line_hash).collect();
    if hashes.is_empty() {
        hashes.extend(lines().last().map(line_hash));
    }
    hashes.sort_unstable();
    hashes.dedup();
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    hash(&bytes)
}

fn speaks_of_error(line: &str) -> bool {
    const WORDS: [&str; 14] = [
        "error",
        "fail",
        "exception",
        "panic",
        "assert",
        "not found",
        "no such",
        "cannot",
        "can't",
        "undefined",
        "unexpected",
        "expected",
        "denied",
        "fatal",
    ];
    let line: String = line.chars().take(LONGEST_LINE).flat_map(char::to_lowercase).collect();
    WORDS.iter().any(|word| line.contains(word))
}

fn line_hash(line: &str) -> u64 {
    let mut plain = String::with_capacity(line.len().min(LONGEST_LINE));
    for word in line.split_whitespace().take(60) {
        if plain.len() > LONGEST_LINE {
            break;
        }
        plain_word(word, &mut plain);
        plain.push(' ');
    }
    hash(plain.as_bytes())
}

/// A word without what differs from run to run.
fn plain_word(word: &str, to: &mut String) {
    if is_temporary(word) {
        to.push('~');
        return;
    }
    for part in word.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
        let name = part.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let end = &part[name.len()..];
        if is_address(name) {
            to.push('#');
        } else {
            let mut digits = false;
            for character in name.chars() {
                let digit = character.is_ascii_digit();
                if digit && !digits {
                    to.push('#');
                } else if !digit {
                    to.push(character);
                }
                digits = digit;
            }
        }
        // `1.25`, `12:30:01`: one number.
        if !(to.ends_with('#') && matches!(end, "." | ":" | ",")) {
            to.push_str(end);
        }
    }
}

/// `0x7ffd…`, or a hash of eight digits and more.
fn is_address(name: &str) -> bool {
    let hex = name.strip_prefix("0x").or_else(|| name.strip_prefix("0X"));
    match hex {
        Some(hex) => !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit()),
        None => {
            name.len() >= 8
                && name.bytes().all(|b| b.is_ascii_hexdigit())
                && name.bytes().any(|b| b.is_ascii_digit())
        }
    }
}

fn is_temporary(word: &str) -> bool {
    ["/tmp/", "/var/folders/", "/private/tmp/", "\\Temp\\", "/dev/shm/"]
        .iter()
        .any(|place| word.contains(place))
}

/// FNV-1a, mixed once more at the end: stable over versions and machines.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}
