//! Whether a value beside a name is a secret.
//!
//! The looser the tie between name and value, and the less the name says, the more random the value has to be.

use super::Kind;
use super::code::{is_code_name, is_expression, is_pattern};
use super::gap::{Found, Tie};
use super::name::Name;
use crate::random::{Makeup, is_uuid};
use crate::value::{entropy, holds_stand_in, is_mark, is_monotonous, is_placeholder, is_template};
use crate::words::Words;

/// The least a value must have: some length, and a digit, a symbol or much length.
pub(super) fn is_worth_a_look(body: &[u8]) -> bool {
    body.len() >= 6
        && (body.len() >= 16
            || body.iter().any(|b| b.is_ascii_digit() || !(b.is_ascii_alphabetic() || b"_-. ".contains(b))))
}

/// Judges the value found behind a name.
pub(super) fn is_secret(text: &[u8], name: &Name, value: &Found, kind: Kind) -> bool {
    let body = default_of(&text[value.start..value.end]);
    if is_expression(text, value) || is_pattern(body) || (value.quoted && is_code_name(body)) {
        return false;
    }
    if repeats_name(body, &text[name.start..name.end]) {
        return false;
    }
    if value.wrapped {
        let body = trim_tail(body);
        return !is_vague(text, name) && !is_placeholder(body) && !is_reference(body) && is_strong_key(body);
    }
    if kind == Kind::Password
        && value.tie == Tie::Assigned
        && is_password(body, value.quoted)
        && !(value.argument && is_plain_word(body))
    {
        return true;
    }
    // `storePassword 'x'`, as build files write it.
    if kind == Kind::Password
        && value.tie == Tie::Beside
        && value.quoted
        && name.end == name.word_end
        // Not the verb: `pass "1h30"`.
        && !text[name.start..name.word_end].eq_ignore_ascii_case(b"pass")
        && body.len() >= 8
        && !is_plain_word(body)
        && is_password(body, true)
    {
        return true;
    }
    if value.quoted
        && value.tie == Tie::Assigned
        && is_scrambled(body)
        && !is_template(body)
        && !is_mark(body)
        && !holds_stand_in(body)
        && !is_reference(body)
    {
        return true;
    }
    if body.ends_with(b"..") {
        return false;
    }
    let body = trim_tail(body);
    if body.len() < 8 || is_placeholder(body) || is_reference(body) {
        return false;
    }
    // What is stored encrypted beside the word password is longer than any password.
    if kind == Kind::Password && body.len() > LONGEST_PASSWORD {
        return false;
    }
    let bare_name = !name.is_compound(text, kind);
    if bare_name && is_vague(text, name) {
        return false;
    }
    match value.tie {
        Tie::Assigned if bare_name => {
            is_strong_key(body)
                || (is_uuid(body) && !is_counted(body) && names_api(&text[name.start..name.end]))
        }
        Tie::Assigned if value.called => is_strong_key(body) || is_uuid(body),
        Tie::Assigned => is_key(body, 10),
        Tie::Beside => {
            !bare_name
                && !text[name.start..name.word_end].to_ascii_lowercase().ends_with(b"license")
                && is_word_like(body)
                && is_key(body, 14)
                && is_loose_key(body)
        }
    }
}

/// Of `${NAME:-default}`, the default.
fn default_of(body: &[u8]) -> &[u8] {
    let Some(rest) = body.strip_prefix(b"${") else { return body };
    match memchr::memmem::find(rest, b":-") {
        Some(at) if rest[..at].iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') => {
            let default = &rest[at + 2..];
            default.strip_suffix(b"}").unwrap_or(default)
        }
        _ => body,
    }
}

/// `urllib2`, `latin1`: a word with a number behind it.
fn is_plain_word(body: &[u8]) -> bool {
    let letters = body.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    letters > 0 && body.len() - letters <= 3 && body[letters..].iter().all(u8::is_ascii_digit)
}

/// Longer values beside a bare `key` or `token` are data: cursors, blobs, cipher text.
const LONGEST_BARE: usize = 256;

/// Longer values beside a password word are encrypted or data.
const LONGEST_PASSWORD: usize = 160;

/// `KEY_MESHING = "key-meshing"`: a value that only says its own name again.
fn repeats_name(body: &[u8], name: &[u8]) -> bool {
    let plain = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    let (body, name) = (plain(body), plain(name));
    body.len() >= 6
        && (memchr::memmem::find(&name, &body).is_some()
            || (name.len() >= 8
                && body.len() <= name.len() + 3
                && memchr::memmem::find(&body, &name).is_some()))
}

/// `a1b2c3d4-e5f6-7890-abcd-ef1234567890`: letters and digits that only count up, as in examples.
fn is_counted(body: &[u8]) -> bool {
    let steps = |kind: fn(&u8) -> bool| {
        let signs: Vec<u8> = body.iter().copied().filter(kind).collect();
        let up =
            signs.windows(2).filter(|pair| pair[1] == pair[0] + 1 || pair == b"90" || pair == b"fa").count();
        (up, signs.len().saturating_sub(1))
    };
    let ((letters, all_letters), (digits, all_digits)) =
        (steps(u8::is_ascii_alphabetic), steps(u8::is_ascii_digit));
    (letters + digits) * 10 >= (all_letters + all_digits) * 7
}

/// Names for which providers hand out UUIDs.
fn names_api(name: &[u8]) -> bool {
    let plain: Vec<u8> =
        name.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    [&b"apikey"[..], b"apitoken", b"apisecret", b"clientsecret", b"secretkey"]
        .iter()
        .any(|end| plain.ends_with(end))
}

/// Made of many kinds of signs, as generators of passwords do and people, patterns and code do not.
fn is_scrambled(body: &[u8]) -> bool {
    if !(12..=LONGEST_PASSWORD).contains(&body.len()) || body.iter().any(|b| !b.is_ascii_graphic()) {
        return false;
    }
    let mut kinds: Vec<u8> = body.iter().copied().filter(|b| !b.is_ascii_alphanumeric()).collect();
    let signs = kinds.len();
    kinds.sort_unstable();
    kinds.dedup();
    #[rustfmt::skip]
    const CODE: Words = Words::new(&[
        "\"]", "%d", "%s", "&&", "']", "('", "()", "(?", "(\"", ");", ".*", ".+", "/>", "://", "</", "==", "=>", "['",
        "[0-9", "[A-Z", "[\"", "[^", "[a-z", "\\b", "\\d", "\\s", "\\u", "\\w", "\\x", "{\"", "||",
    ]);
    let letters = body.iter().filter(|b| b.is_ascii_alphabetic()).count();
    kinds.len() >= 6
        && letters >= 4
        && signs * 5 >= body.len()
        && signs * 5 <= body.len() * 4
        && !CODE.is_in(body)
}

/// `auth`, `access` and `private` alone say too little about what follows.
fn is_vague(text: &[u8], name: &Name) -> bool {
    let word = &text[name.start..name.end];
    [&b"auth"[..], b"oauth", b"access", b"private", b"license", b"bearer"]
        .iter()
        .any(|vague| word.eq_ignore_ascii_case(vague))
}

/// Whether the rest of a name is a key that grew together with it.
pub(super) fn is_inlined_key(body: &[u8]) -> bool {
    let makeup = Makeup::of(body);
    body.len() >= 16
        && makeup.digits >= 3
        && makeup.letters() >= 3
        && makeup.turns >= 3
        && !is_uuid(body)
        && !is_placeholder(body)
        && makeup.wordiness() < 0.2
        && makeup.others <= 3
        && entropy(body) >= 3.0
}

/// Tied to its name by a space only: a word with a number in it is not enough.
fn is_loose_key(body: &[u8]) -> bool {
    let makeup = Makeup::of(body);
    (makeup.digits >= 2 && makeup.turns >= 3) || makeup.digits >= 6 || (makeup.hex_only && body.len() >= 30)
}

/// Beside a name that says whose key it is.
fn is_key(body: &[u8], least: usize) -> bool {
    let makeup = Makeup::of(body);
    if body.len() < least || makeup.others * 3 > makeup.length || body.iter().any(|b| !b.is_ascii_graphic()) {
        return false;
    }
    if is_uuid(body) {
        return true;
    }
    // The more a value jumps between letters and digits, the less its word-like pieces mean.
    let bearable = (0.34 + 0.03 * makeup.turns as f32).min(0.55);
    if makeup.wordiness() > bearable && !(makeup.hex_only && body.len() >= 16) {
        return false;
    }
    let bits = entropy(body);
    match (makeup.digits, makeup.letters()) {
        (0, 0) => false,
        (_, 0) => body.len() >= 24 && bits >= 2.5,
        (0, _) if makeup.hex_only => body.len() >= 24 && bits >= 2.4,
        (0, _) => {
            body.len() >= 16
                && makeup.wordiness() < 0.2
                && (makeup.turns >= 5 || body.len() >= 24)
                && bits >= 3.3
        }
        (1, _) => makeup.turns >= 2 && body.len() >= 12 && bits >= 3.0,
        _ if makeup.hex_only => bits >= 2.4,
        _ => {
            (makeup.turns >= 2 || (makeup.digits >= 5 && makeup.wordy == 0 && body.len() >= 12))
                && bits >= 2.7
        }
    }
}

/// Beside a name that only says `key` or `token`.
fn is_strong_key(body: &[u8]) -> bool {
    let makeup = Makeup::of(body);
    (20..=LONGEST_BARE).contains(&body.len())
        && !is_uuid(body)
        && is_key(body, 20)
        && entropy(body) >= 3.3
        && (makeup.digits >= 2 || (makeup.digits == 1 && makeup.turns >= 6 && body.len() >= 28))
}

/// A password somebody chose: at least two kinds of characters, and not a word of explanation.
fn is_password(body: &[u8], quoted: bool) -> bool {
    let body = if quoted { body } else { trim_tail(body) };
    if !(6..=120).contains(&body.len())
        || is_template(body)
        || is_mark(body)
        || holds_stand_in(body)
        || is_monotonous(body)
    {
        return false;
    }
    let makeup = Makeup::of(body);
    let spaced = body.iter().any(u8::is_ascii_whitespace);
    let strange = body.iter().filter(|b| !b.is_ascii_alphanumeric() && !b"_-. /:".contains(b)).count();
    if body.iter().any(|b| !b.is_ascii_graphic() && *b != b' ') || spaced || is_reference(body) {
        return false;
    }
    // The rest of something else: `<password>@host`, `Flag + "=value"`, `root:x:0:0:…`.
    if matches!(body[0], b'@' | b'=' | b')' | b'\\')
        || body.starts_with(b"--")
        || body.iter().filter(|b| **b == b':').count() >= 3
    {
        return false;
    }
    let mixed = makeup.digits > 0 && makeup.letters() > 0;
    let symbols = strange > 0 && makeup.letters() >= 3;
    if !mixed && !symbols {
        return false;
    }
    // `password1`, `test123`, `secret_2`: the word for a password is not one.
    let letters: Vec<u8> =
        body.iter().filter(|b| b.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect();
    #[rustfmt::skip]
    const WORDS: &[&[u8]] = &[
        b"password", b"passwd", b"pass", b"test", b"testpass", b"testpassword", b"secret", b"admin",
        b"user", b"foo", b"bar", b"qwerty", b"mypassword", b"newpassword", b"oldpassword", b"string",
        b"pwd", b"abc", b"hello", b"default", b"none", b"null", b"root", b"p",
    ];
    !WORDS.contains(&letters.as_slice())
}

/// Names of algorithms hold digits and jumps like keys do.
#[rustfmt::skip]
const ALGORITHMS: Words = Words::new(&[
    "aes-", "aes128", "aes256", "ecdsa", "ed25519", "hmac", "nistp", "rsa-", "sha1", "sha2", "sha3", "sha5",
    "x25519",
]);

/// A path, URL, e-mail address, version, type or file name: names something, opens nothing.
fn is_reference(body: &[u8]) -> bool {
    const DIGESTS: Words = Words::new(&["sha1-", "sha256-", "sha256:", "sha384-", "sha512-"]);
    if body.windows(3).any(|three| three == b"://")
        || body.starts_with(b"/")
        || body.starts_with(b"./")
        || body.starts_with(b"../")
        || body.starts_with(b"~/")
    {
        return true;
    }
    if body.iter().filter(|b| **b == b'\\').count() >= 2 && Makeup::of(body).wordiness() > 0.2 {
        return true;
    }
    // How public keys in DER begin: P-256, P-384, Ed25519, RSA.
    const PUBLIC: &[&[u8]] =
        &[b"MFkwEwYHKoZIzj0", b"MHYwEAYHKoZIzj0", b"MCowBQYDK2Vw", b"MIIBIjANBgkqhkiG9w0BAQEFAAOC", b"ssh-"];
    if PUBLIC.iter().any(|start| body.starts_with(start)) {
        return true;
    }
    if DIGESTS.is_in(body)
        || body.starts_with(b"0x") && body.len() < 60 && body[2..].iter().all(u8::is_ascii_hexdigit)
    {
        return true;
    }
    if body.contains(&b'@')
        && body.rsplit(|b| *b == b'@').next().is_some_and(|host| host.contains(&b'.') && is_word_like(host))
    {
        return true;
    }
    let last_dot = body.iter().rposition(|b| *b == b'.');
    let extension = last_dot.map_or(&[][..], |at| &body[at + 1..]);
    let file = (1..=4).contains(&extension.len())
        && extension.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        && body.len() < 60
        && Makeup::of(body).wordiness() > 0.3;
    let lower = if body.len() < 60 { body.to_ascii_lowercase() } else { Vec::new() };
    let algorithm = ALGORITHMS.is_in(&lower);
    let folders = body.iter().filter(|b| **b == b'/').count() >= 2 && Makeup::of(body).wordiness() > 0.3;
    // `uploads/2024/3f5a.jpg`: folders and an ending; keys have one or the other.
    let in_folder = body.contains(&b'/')
        && (2..=5).contains(&extension.len())
        && extension.iter().all(u8::is_ascii_alphanumeric)
        && extension[0].is_ascii_lowercase();
    let dots = body.iter().filter(|b| **b == b'.').count();
    let dated = body.first().is_some_and(u8::is_ascii_digit) && dots >= 2 && body.len() < 24;
    file || dated || in_folder || folders || algorithm
}

/// Only characters that keys are made of.
fn is_word_like(body: &[u8]) -> bool {
    body.iter()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'+' | b'/' | b'=' | b'.' | b'~'))
}

/// Closing punctuation behind a bare value is not part of it.
fn trim_tail(body: &[u8]) -> &[u8] {
    let mut end = body.len();
    while end > 0 && matches!(body[end - 1], b')' | b']' | b'}' | b'.' | b'!' | b':' | b'>') {
        end -= 1;
    }
    &body[..end]
}
