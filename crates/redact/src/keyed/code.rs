//! Tells code from values: what stands bare behind a name is an expression more often than a secret.

use super::gap::{Found, Tie};
use crate::value::is_name_byte;
use crate::words::Words;

/// Whether a bare value is code: a call, an index, a member, a pointer, a number, a constant, a type.
pub(super) fn is_expression(text: &[u8], value: &Found) -> bool {
    if value.quoted {
        return false;
    }
    let body = &text[value.start..value.end];
    // Behind `=>` and before `;` stands code, which has its literals in quotes.
    let statement =
        text.get(value.end) == Some(&b';') || text[..value.start].trim_ascii_end().ends_with(b"=>");
    // Go: `(*conn)(nil)`; Elixir: `%Schema{…}`, `Site.is_public?(link)`; Swift and others: `Self.key1)`.
    if is_pointer_cast(body) || is_struct(body) || is_own_member(body) {
        return true;
    }
    if has_stray_bracket(body) && !statement {
        return false;
    }
    let call = body.iter().position(|b| matches!(b, b'(' | b'[' | b'{'));
    let named = body
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b']' | b'*' | b'&' | b'(' | b'!'));
    let name_before = |at: usize| {
        body[..at]
            .iter()
            .all(|b| is_name_byte(*b) || matches!(b, b']' | b'.' | b':' | b'>' | b'-' | b'*' | b'&' | b'!'))
    };
    let rest = &text[value.end..text.len().min(value.end + 40)];
    let assigned_after =
        [&b" ="[..], b" +", b" . ", b" .$", b" &&", b" ||", b" !="].iter().any(|sign| rest.starts_with(sign));
    // A cast: `(Type)value`.
    let cast = body.iter().filter(|b| **b == b')').count() == 1
        && !body.ends_with(b")")
        && body.iter().all(|b| is_name_byte(*b) || matches!(b, b')' | b'.'))
        && !body.iter().any(u8::is_ascii_digit);
    let called_after =
        body.iter().all(|b| is_name_byte(*b) || *b == b'.') && rest.trim_ascii_start().starts_with(b"(");
    (named && call.is_some_and(name_before))
        || body.windows(2).any(|two| matches!(two, b"::" | b"->" | b"?." | b"?)" | b"?[" | b"?("))
        || matches!(body.first(), Some(b'.' | b'?'))
        || assigned_after
        || cast
        || called_after
        || is_defined(text, value)
        || opens_with_sign(body)
        || is_number(body)
        || is_constant(body)
        || is_member(body)
        || holds_type_word(body)
}

/// `*conn)(nil)`, behind the bracket that opens it.
fn is_pointer_cast(body: &[u8]) -> bool {
    let Some(name) = body.strip_prefix(b"*").or_else(|| body.strip_prefix(b"&")) else { return false };
    let length = name.iter().take_while(|b| is_name_byte(**b) || **b == b'.').count();
    length > 0 && name[length..].starts_with(b")(")
}

/// `%Schema{`, and what follows.
fn is_struct(body: &[u8]) -> bool {
    let Some(name) = body.strip_prefix(b"%").filter(|name| name.first().is_some_and(u8::is_ascii_uppercase))
    else {
        return false;
    };
    let length = name.iter().take_while(|b| is_name_byte(**b) || **b == b'.').count();
    name.get(length) == Some(&b'{') && !name[..length].iter().any(u8::is_ascii_digit)
}

/// `Self.key1`, `this.token2)`: a member of what the code stands in.
fn is_own_member(body: &[u8]) -> bool {
    let owners = [&b"Self."[..], b"self.", b"this.", b"super.", b"cls."];
    let Some(member) = owners.iter().find_map(|owner| body.strip_prefix(*owner)) else { return false };
    member.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && member.iter().all(|b| is_name_byte(*b) || b".()[],;?!".contains(b))
}

/// Between the beginning of a line with `#define` and its value there is no more than this.
const LONGEST_DEFINITION: usize = 512;

/// Behind `#define NAME`, and before `;` or `,` where nothing ties the two: types and names.
fn is_defined(text: &[u8], value: &Found) -> bool {
    // A definition is a short line; a line without end is looked back along no further.
    let near = value.start.saturating_sub(LONGEST_DEFINITION);
    let line = memchr::memrchr(b'\n', &text[near..value.start]).map(|at| near + at + 1);
    let line = line.or((near == 0).then_some(0)).unwrap_or(value.start);
    text[line..value.start].trim_ascii_start().starts_with(b"#define")
        || (value.tie == Tie::Beside && matches!(text.get(value.end), Some(b';' | b',')))
}

/// Whether a quoted value is a name that code uses: of a setting, of a type.
pub(super) fn is_code_name(body: &[u8]) -> bool {
    let digits = body.iter().filter(|b| b.is_ascii_digit()).count();
    let short = body.len() < 40 && digits <= 3;
    let plain: Vec<u8> = body.iter().copied().filter(|b| *b != b':').collect();
    short && (is_constant(body) || holds_type_word(&plain))
}

/// `math.MaxInt32`, `unix.NFT_CT_L3PROTOCOL`: a module and what it holds.
fn is_member(body: &[u8]) -> bool {
    // Ruby's `entries.all?`, TypeScript's `process.env.KEY!`.
    let body = body.strip_suffix(b"?").or_else(|| body.strip_suffix(b"!")).unwrap_or(body);
    let mut parts = body.split(|b| *b == b'.');
    let module = parts.next().unwrap_or_default();
    let is_part = |part: &[u8]| {
        part.len() <= 24
            && part.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            && part.iter().all(|b| is_name_byte(*b))
    };
    let mut others = 0;
    let named = parts.all(|part| {
        others += 1;
        is_part(part)
    });
    others > 0
        && named
        && (1..=16).contains(&module.len())
        && (module.iter().all(u8::is_ascii_lowercase)
            || module.iter().all(u8::is_ascii_alphabetic)
                && crate::random::Makeup::of(body).wordiness() > 0.6)
        && body.iter().filter(|b| b.is_ascii_digit()).count() <= 4
}

/// `*const`, `&self.key`, `{missing`, `[first`: a sign that code begins with, and a name behind it.
fn opens_with_sign(body: &[u8]) -> bool {
    let name = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b':' | b'.');
    match body {
        [b'!', b'$' | b'(' | b'@', ..] => true,
        [b'!', rest @ ..] => {
            rest.iter().all(|b| is_name_byte(*b) || matches!(b, b'.' | b')'))
                && !rest.iter().any(u8::is_ascii_digit)
        }
        [b'*' | b'&', second, rest @ ..] => {
            name(second) && rest.iter().all(|b| is_name_byte(*b) || b".:,>)[]".contains(b))
        }
        [b'{' | b'[' | b'(', second, rest @ ..] => name(second) && !rest.iter().any(u8::is_ascii_digit),
        _ => false,
    }
}

/// `268435456u32`, `1_000L`, `0x1F_u8`.
fn is_number(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"-").unwrap_or(body);
    if let Some(hex) = body.strip_prefix(b"0x").filter(|hex| hex.len() <= 20) {
        return hex.iter().all(|b| b.is_ascii_hexdigit() || matches!(b, b'_' | b'L' | b'l' | b'u' | b'U'));
    }
    let digits = body.iter().take_while(|b| b.is_ascii_digit() || matches!(b, b'_' | b'.')).count();
    let suffix: &[u8] = &body[digits..];
    #[rustfmt::skip]
    const SUFFIXES: &[&[u8]] = &[
        b"u8", b"u16", b"u32", b"u64", b"u128", b"usize", b"i8", b"i16", b"i32", b"i64", b"i128", b"isize",
        b"f32", b"f64", b"l", b"ul", b"ull", b"ll", b"u", b"n",
    ];
    // Ruby: `6.hours`.
    let unit =
        body[..digits].ends_with(b".") && suffix.iter().all(u8::is_ascii_lowercase) && suffix.len() >= 3;
    digits > 0 && (unit || SUFFIXES.contains(&suffix.to_ascii_lowercase().as_slice()))
}

/// `KEY_WOW64_32KEY`: capitals in short pieces.
fn is_constant(body: &[u8]) -> bool {
    body.contains(&b'_')
        && body.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
        && body.split(|b| *b == b'_').all(|piece| piece.len() <= 9)
}

/// `Ed25519PrivateKey`, `win32api.RegEnumKey`: a name that speaks of keys is not one.
fn holds_type_word(body: &[u8]) -> bool {
    const WORDS: Words = Words::new(&["Auth", "Credential", "Key", "Passwd", "Password", "Secret", "Token"]);
    body.iter().all(|b| is_name_byte(*b) || *b == b'.')
        && WORDS.any(body, |_, word| !body.starts_with(word.as_bytes()))
}

/// Regular expressions, format strings and queries hold signs for their own reasons.
pub(super) fn is_pattern(body: &[u8]) -> bool {
    #[rustfmt::skip]
    const SIGNS: Words = Words::new(&[
        "%d", "%s", "&&", "()", "(?", ")?", ".*", ".+", "==", "[-", "[0-9", "[:", "[A-Z", "[^", "[a-z", "\\(", "\\<",
        "\\d", "\\s", "\\w", "\\x", "\\|", "{.",
    ]);
    // Base64 ends in `==`.
    let body = body.strip_suffix(b"==").unwrap_or(body);
    SIGNS.is_in(body)
}

/// A bracket closes that was not opened, or not with this kind: code does not do that, generated passwords do.
fn has_stray_bracket(body: &[u8]) -> bool {
    let mut open = Vec::new();
    // The last bracket may close one that stands before the value.
    for byte in body.trim_ascii_end().strip_suffix(b")").unwrap_or(body) {
        match byte {
            b'(' | b'[' | b'{' => open.push(*byte),
            b')' | b']' | b'}' => match (open.pop(), byte) {
                (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}') => {}
                (Some(_), _) => return true,
                (None, _) => return false,
            },
            _ => {}
        }
    }
    false
}
