//! Whether a value beside a name is a secret.
//!
//! The looser the tie between name and value, and the less the name says, the more random the value has to be.

use super::code::{is_code_name, is_expression, is_pattern};
use super::gap::{Found, Tie};
use super::name::Name;
use super::{Kind, Wanted, place};
use crate::random::{Makeup, is_uuid};
use crate::value::{entropy, holds_stand_in, is_mark, is_monotonous, is_placeholder, is_template};
use crate::words::Words;

/// The least a value must have: some length, and a digit, a symbol or much length.
pub(super) fn is_worth_a_look(body: &[u8], careful: bool) -> bool {
    // In the gate the value may go on behind a sign that ends it elsewhere.
    if !careful {
        return body.len() >= 3;
    }
    body.len() >= 6
        && (body.len() >= 16
            || body.iter().any(|b| b.is_ascii_digit() || !(b.is_ascii_alphabetic() || b"_-. ".contains(b))))
}

/// Judges the value found behind a name.
pub(super) fn is_secret(text: &[u8], name: &Name, value: &Found, kind: Kind, wanted: Wanted) -> bool {
    let body = default_of(&text[value.start..value.end]);
    // In the gate a text full of keys is most of the work: what nobody can take for anything else is known at once.
    if wanted == Wanted::Gate
        && (is_plain_key(body)
            || kind == Kind::Password && value.tie == Tie::Assigned && is_plain_password(body))
    {
        return true;
    }
    if is_expression(text, value) || is_pattern(body) || (value.quoted && is_code_name(body)) {
        return false;
    }
    match wanted {
        Wanted::Gate => {
            is_reported(text, name, value, kind, body) || may_be_secret(text, name, value, kind, body)
        }
        Wanted::Report(place) => {
            is_reported(text, name, value, kind, body)
                && place::believes(place, &text[name.start..name.end], body, kind)
        }
    }
}

/// Whether the name speaks of a secret itself and not only of a key or of access.
fn names_secret(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    [&b"token"[..], b"secret", b"pass", b"pwd", b"cred", b"_pat"]
        .iter()
        .any(|word| memchr::memmem::find(&lower, word).is_some())
}

/// `api_key`, `access-key`, `auth_key`, `license_key`: keys that are handed out.
fn names_owner_api(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    [
        &b"api"[..],
        b"access",
        b"private",
        b"sign",
        b"encrypt",
        b"service",
        b"license",
        b"client",
        b"authkey",
        b"auth_key",
        b"app_key",
        b"appkey",
        b"account",
        b"subscription",
        b"seed",
        b"master",
        b"storage",
    ]
    .iter()
    .any(|word| memchr::memmem::find(&lower, word).is_some())
}

/// An MD5, SHA-1 or SHA-256 in hex.
fn is_sum(body: &[u8]) -> bool {
    matches!(body.len(), 32 | 40 | 64) && body.iter().all(u8::is_ascii_hexdigit)
}

/// Letters and digits that alternate as they do in generated keys only.
fn is_plain_key(body: &[u8]) -> bool {
    let fits = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    if !(16..=LONGEST_BARE).contains(&body.len()) || !body.iter().all(fits) || body[0] == b'/' {
        return false;
    }
    let makeup = Makeup::of(body);
    makeup.others * 8 <= body.len()
        && makeup.digits >= 2
        && makeup.lower >= 2
        && makeup.upper >= 2
        && makeup.turns * 4 >= body.len()
        && makeup.wordy * 5 <= body.len()
        && !is_monotonous(body)
}

/// The same of a password with signs in it: no words, and none of the signs that code and templates have.
fn is_plain_password(body: &[u8]) -> bool {
    let fits = |b: &u8| b.is_ascii_alphanumeric() || b"!#%&*+-?@^_~".contains(b);
    if !(8..=64).contains(&body.len()) || !body.iter().all(fits) || !body[0].is_ascii_alphanumeric() {
        return false;
    }
    let makeup = Makeup::of(body);
    makeup.digits >= 1
        && makeup.lower >= 2
        && makeup.upper >= 2
        && (1..=body.len() / 3).contains(&makeup.others)
        && makeup.turns * 4 >= body.len()
        && makeup.wordy == 0
        && !is_monotonous(body)
}

/// What a report wants: with few false alarms.
fn is_reported(text: &[u8], name: &Name, value: &Found, kind: Kind, body: &[u8]) -> bool {
    // `'_password='.$value`: the quote closed what stands before.
    let goes_on = matches!(body, [b'.', b'$' | b' ' | b'a'..=b'z', ..])
        // Swift: `"?password=\(link.password)"`.
        || text[..value.start].ends_with(b"\\(");
    // Go: `json:"new_password"`. Markup and signatures: `<set-password>(String)`. Swift and Kotlin: `CharArray?`.
    let tag = memchr::memmem::find(body, b":\"").is_some()
        || body.contains(&b'<') && body.contains(&b'>')
        || is_call(body)
        || body.ends_with(b",omitempty")
        || is_stored_hash(body)
        || is_validation(body)
        // SHA-384 and SHA-512 in hex: nobody types these.
        || kind == Kind::Password && matches!(body.len(), 96 | 128) && body.iter().all(u8::is_ascii_hexdigit)
        || memchr::memmem::find_iter(body, b"\\u").count() >= 2
        || body.strip_suffix(b"?").is_some_and(|name| name.iter().all(u8::is_ascii_alphabetic));
    if tag || goes_on || is_template(body) || memchr::memmem::find(body, b"...").is_some() {
        return false;
    }
    if repeats_name(body, &text[name.start..name.end]) || says_words(body) {
        return false;
    }
    if value.listed {
        let makeup = Makeup::of(body);
        return is_strong_key(body)
            && makeup.digits >= 3
            && makeup.turns >= 4
            && !is_placeholder(body)
            && !is_reference(body);
    }
    if value.tie == Tie::Said {
        let body = trim_sentence(body);
        return if kind == Kind::Password {
            is_generated(body)
        } else {
            is_strong_key(body)
                && is_loose_key(body)
                && is_word_like(body)
                && !is_placeholder(body)
                && !is_reference(body)
        };
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
    // `with user ann and password x`.
    if kind == Kind::Password
        && value.tie == Tie::Beside
        && !value.quoted
        && is_generated(trim_sentence(body))
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
    let hash = || is_labelled_hash(body) && !names_api(&text[name.start..name.end]);
    if bare_name && (is_vague(text, name) || hash()) {
        return false;
    }
    // `user:token:<md5>`: a key of a cache, of which the word is one part.
    let part = name.start > 0 && text[name.start - 1] == b':' && text.get(name.end) == Some(&b':');
    if part && text.get(name.end + 1) != Some(&b' ') && is_sum(body) {
        return false;
    }
    // `theme_key = <uuid>`, `microsoft-auth: <md5>`: ids and sums of something that has such a name.
    let makes_key = names_secret(&text[name.start..name.end]);
    if !makes_key && (is_uuid(body) || is_sum(body)) && !names_owner_api(&text[name.start..name.end]) {
        return false;
    }
    match value.tie {
        Tie::Said => false,
        Tie::Assigned if bare_name => {
            is_strong_key(body)
                || (is_uuid(body) && !is_counted(body) && hands_out_uuids(&text[name.start..name.end]))
                || (is_short_key(body) && names_api(&text[name.start..name.end]))
        }
        Tie::Assigned if value.called => is_strong_key(body) || is_uuid(body),
        Tie::Assigned => is_key(body, 10),
        Tie::Beside if bare_name => {
            let makeup = Makeup::of(body);
            !value.quoted
                && is_word_like(body)
                && is_strong_key(body)
                && body.len() >= 24
                && makeup.turns >= 8
                && !makeup.hex_only
                && makeup.others <= 2
        }
        Tie::Beside => {
            !text[name.start..name.word_end].to_ascii_lowercase().ends_with(b"license")
                && is_word_like(body)
                && is_key(body, 14)
                && is_loose_key(body)
        }
    }
}

/// `c2VjcmV0IGlzIHNlY3VyZQ==`: base64 of words, of the alphabet or of what stands for a secret.
pub(crate) fn says_words(body: &[u8]) -> bool {
    let digits = body.strip_suffix(b"==").or_else(|| body.strip_suffix(b"=")).unwrap_or(body);
    if !body.len().is_multiple_of(4) || !(12..=LONGEST_BARE).contains(&body.len()) {
        return false;
    }
    let said = crate::base64::text_of(digits);
    said.len() >= digits.len() / 4 * 3
        // SASL parts its fields with 0 and 1.
        && said.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace() || *byte <= 1)
        && (Makeup::of(&said).wordiness() > 0.5 || is_placeholder(&said))
}

/// `page_3c88e493311dc72090a349c901222a3c`, `views/key/<md5>`: a word and a hash, as keys of caches are.
fn is_labelled_hash(body: &[u8]) -> bool {
    let hash = body.iter().rev().take_while(|b| b.is_ascii_hexdigit()).count();
    let label = &body[..body.len() - hash];
    matches!(hash, 32 | 40 | 64)
        && label.last().is_some_and(|b| matches!(b, b'_' | b'-' | b':' | b'.' | b'/' | b'#'))
        && label.len() >= 3
        && label
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.' | b'/' | b'#'))
}

/// What the gate takes besides: eight and more characters that nobody chose as a word. (S19)
fn may_be_secret(text: &[u8], name: &Name, value: &Found, kind: Kind, body: &[u8]) -> bool {
    if repeats_name(body, &text[name.start..name.end]) {
        return false;
    }
    if kind == Kind::Password && value.quoted && value.tie == Tie::Assigned && is_phrase(body) {
        return true;
    }
    let body = if value.quoted { body } else { trim_sentence(trim_tail(body)) };
    if is_vague(text, name) && value.tie == Tie::Beside && body.len() < 12 {
        return false;
    }
    match value.tie {
        Tie::Assigned | Tie::Said => is_odd(body, 2),
        Tie::Beside => {
            let makeup = Makeup::of(body);
            is_odd(body, 3)
                && makeup.wordiness() < 0.45
                && (makeup.digits >= 2 || makeup.digits == 1 && makeup.turns >= 3)
        }
    }
}

/// Eight and more characters without a meaning.
pub(super) fn is_odd(body: &[u8], turns: usize) -> bool {
    if !(8..=LONGEST_BARE).contains(&body.len())
        || body.iter().any(|b| !b.is_ascii_graphic())
        || is_placeholder(body)
        || is_reference(body)
        || is_uuid(body)
    {
        return false;
    }
    let makeup = Makeup::of(body);
    if makeup.others * 2 > makeup.length || makeup.letters() < 2 {
        return false;
    }
    // `2024-11-15T10:00:00Z`, `v1.2.3-rc1`, `sha256sum`, `win32api`.
    let numbers = makeup.digits > 0 && (makeup.turns >= turns || makeup.digits >= 3 && makeup.turns >= 1);
    let dated = makeup.others >= 2 && makeup.letters() <= 2;
    let jumps = makeup.turns >= 4 && makeup.others == 0;
    !dated && (numbers || jumps) && makeup.wordiness() < 0.65
}

/// A password in prose: signs, digits and letters, and no words.
pub(super) fn is_generated(body: &[u8]) -> bool {
    let makeup = Makeup::of(body);
    let signs = body.iter().filter(|b| b"!@#$%^&*~".contains(b)).count();
    (8..=64).contains(&body.len())
        && body.iter().all(u8::is_ascii_graphic)
        && signs >= 1
        && (makeup.digits >= 1 || makeup.turns >= 3)
        && makeup.letters() >= 2
        && makeup.others * 2 <= makeup.length
        && makeup.wordiness() < 0.5
        && is_password(body, true)
}

/// A pass phrase in quotes: a few words with signs and digits in them.
fn is_phrase(body: &[u8]) -> bool {
    let makeup = Makeup::of(body);
    let signs = body.iter().filter(|b| b"!@#$%^&*+=?~;|<>".contains(b)).count();
    (8..=80).contains(&body.len())
        && body.contains(&b' ')
        && body.iter().all(|b| b.is_ascii_graphic() || *b == b' ')
        && signs >= 1
        && makeup.digits >= 1
        && makeup.wordiness() < 0.5
        && !is_placeholder(body)
}

/// Beside a name that says by itself what it is (`API_KEY`, `clientSecret`): shorter, but plainly random. (X2)
fn is_short_key(body: &[u8]) -> bool {
    let makeup = Makeup::of(body);
    (14..20).contains(&body.len())
        && is_key(body, 14)
        && !is_uuid(body)
        && makeup.digits >= 1
        && makeup.turns >= 4
        && makeup.others <= 1
        && makeup.wordiness() < 0.35
        && entropy(body) >= 3.0
}

/// Without the sign that ends a sentence.
pub(super) fn trim_sentence(body: &[u8]) -> &[u8] {
    let end =
        body.iter().rposition(|b| !matches!(b, b'.' | b',' | b':' | b';' | b')')).map_or(0, |at| at + 1);
    &body[..end]
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
fn hands_out_uuids(name: &[u8]) -> bool {
    names_api(name) && {
        let lower = name.to_ascii_lowercase();
        [&b"api"[..], b"client", b"secret"].iter().any(|word| memchr::memmem::find(&lower, word).is_some())
    }
}

/// Names that say by themselves that their value is a credential.
pub(super) fn names_api(name: &[u8]) -> bool {
    let plain: Vec<u8> =
        name.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    #[rustfmt::skip]
    const ENDINGS: &[&[u8]] = &[
        b"apikey", b"apitoken", b"apisecret", b"clientsecret", b"secretkey", b"accesstoken", b"authtoken", b"accesskey",
        b"webhooksecret", b"signingsecret", b"jwtsecret", b"appsecret", b"authkey",
    ];
    ENDINGS.iter().any(|end| plain.ends_with(end))
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
        "\"]", "%d", "%s", "&&", "']", "(&", "('", "()", "(?", "(\"", ");", ".*", ".+", "/>", "://", "</", "==", "=>", "['",
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
pub(super) fn is_strong_key(body: &[u8]) -> bool {
    let makeup = Makeup::of(body);
    (20..=LONGEST_BARE).contains(&body.len())
        && !is_uuid(body)
        && is_key(body, 20)
        && entropy(body) >= 3.3
        && (makeup.digits >= 2 || (makeup.digits == 1 && makeup.turns >= 6 && body.len() >= 28))
}

/// A password somebody chose: at least two kinds of characters, and not a word of explanation.
pub(super) fn is_password(body: &[u8], quoted: bool) -> bool {
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
    // A few words in a row, with a number among them: names of flags, messages and routes.
    let pieces =
        body.split(|b| matches!(b, b'-' | b'_' | b'.' | b'/')).filter(|piece| !piece.is_empty()).count();
    // A list of settings, a time.
    let settings = body.iter().filter(|b| **b == b'=').count() >= 2 && !body.ends_with(b"=");
    let time =
        body.len() >= 10 && body[4] == b'-' && body[7] == b'-' && body[..4].iter().all(u8::is_ascii_digit);
    if settings || time || body.ends_with(b"=0") {
        return false;
    }
    if strange == 0 && pieces >= 3 && makeup.wordiness() > 0.4
        || is_uuid(body)
        || is_route(body)
        || is_stored_hash(body)
    {
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
    let own_name = [&b"password"[..], b"passwd", b"paword", b"changeme"]
        .iter()
        .any(|word| memchr::memmem::find(&letters, word).is_some() && letters.len() <= word.len() + 4);
    !own_name && !WORDS.contains(&letters.as_slice())
}

/// `MaxSize(255)`, `Required;MaxSize(255)`.
fn is_call(body: &[u8]) -> bool {
    body.ends_with(b")")
        && body.iter().position(|b| *b == b'(').is_some_and(|at| {
            at > 1
                && body[..at]
                    .iter()
                    .all(|b| b.is_ascii_alphabetic() || matches!(b, b';' | b'_' | b'.' | b':'))
        })
}

/// `required|string|min:6|confirmed`: what a value has to be, not the value.
fn is_validation(body: &[u8]) -> bool {
    let word = |part: &[u8]| {
        part.first().is_some_and(u8::is_ascii_lowercase)
            && part.iter().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'-'))
    };
    let mut named = 0;
    let rules = body.split(|b| *b == b'|').all(|part| {
        let (rule, argument) = match part.iter().position(|b| *b == b':') {
            Some(at) => (&part[..at], &part[at + 1..]),
            None => (part, &[][..]),
        };
        named += usize::from(rule.len() >= 3);
        let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_-,.".contains(b);
        word(rule) && argument.len() <= 40 && argument.iter().all(plain)
    });
    // Between bars stand words; a password has at most one of them by chance.
    rules && named >= 2 && Makeup::of(body).digits <= 6
}

/// `users#remove_password`: a controller and its action.
fn is_route(body: &[u8]) -> bool {
    let plain = |part: &[u8]| {
        part.len() >= 2 && part.iter().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'/' | b'-'))
    };
    body.iter().position(|b| *b == b'#').is_some_and(|at| plain(&body[..at]) && plain(&body[at + 1..]))
}

/// What is stored in the place of a password; hashes have a rule of their own.
fn is_stored_hash(body: &[u8]) -> bool {
    // `{bcrypt}$2a$…`, `{SSHA}…`: how it is stored stands before it.
    let kind = body
        .strip_prefix(b"{")
        .map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count());
    if kind >= 3 && body.get(kind + 1) == Some(&b'}') {
        return true;
    }
    [
        &b"$argon2"[..],
        b"$2a$",
        b"$2b$",
        b"$2y$",
        b"$5$",
        b"$6$",
        b"pbkdf2",
        b"scrypt",
        b"bcrypt",
        b"{SSHA",
        b"{CRYPT",
    ]
    .iter()
    .any(|start| body.starts_with(start))
}

/// Names of algorithms hold digits and jumps like keys do.
#[rustfmt::skip]
const ALGORITHMS: Words = Words::new(&[
    "aes-", "aes/", "aes128", "aes256", "argon2", "ecdsa", "ed25519", "hmac", "mgf1", "nistp", "rsa-", "rsa/", "scram-", "sha-", "sha1", "sha2",
    "sha3", "sha5", "withsha", "x25519",
]);

/// A path, URL, e-mail address, version, type or file name: names something, opens nothing.
pub(super) fn is_reference(body: &[u8]) -> bool {
    const DIGESTS: Words = Words::new(&["sha1-", "sha256-", "sha256:", "sha384-", "sha512-"]);
    if body.windows(3).any(|three| three == b"://")
        || body.starts_with(b"urn:")
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
    const PUBLIC: &[&[u8]] = &[
        b"MFkwEwYHKoZIzj0",
        b"MHYwEAYHKoZIzj0",
        b"MCowBQYDK2Vw",
        b"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS",
        b"MIIBIjANBgkqhkiG9w0BAQEFAAOC",
        b"ssh-",
        // SSH's own form: RSA, Ed25519, ECDSA.
        b"AAAAB3NzaC1",
        b"AAAAC3NzaC1",
        b"AAAAE2VjZHNh",
    ];
    // RSA's public keys of any length: the name of the algorithm and behind it a string of bits, which private keys have not.
    const RSA: &[&[u8]] = &[b"DQYJKoZIhvcNAQEBBQAD", b"A0GCSqGSIb3DQEBAQUAA4", b"ANBgkqhkiG9w0BAQEFAAOC"];
    let head = &body[..body.len().min(40)];
    if head.starts_with(b"M") && RSA.iter().any(|name| memchr::memmem::find(head, name).is_some()) {
        return true;
    }
    // Public keys as DIDs write them (multicodec in base58): Ed25519, X25519, P-256, secp256k1.
    const MULTIBASE: &[&[u8]] = &[b"z6Mk", b"z6LS", b"zDna", b"zQ3s"];
    let multibase = (46..=50).contains(&body.len())
        && body.iter().all(u8::is_ascii_alphanumeric)
        && MULTIBASE.iter().any(|start| body.starts_with(start));
    if multibase || PUBLIC.iter().any(|start| body.starts_with(start)) {
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
    let plain = body.strip_prefix(b"v").unwrap_or(body);
    let dated = plain.first().is_some_and(u8::is_ascii_digit)
        && dots >= 2
        && body.len() < if plain.contains(&b'-') { 48 } else { 24 };
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
