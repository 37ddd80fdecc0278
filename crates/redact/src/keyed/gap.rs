//! What lies between a name and its value, and where the value ends: `=`, `:`, `=>`, `", "`, `>`, a type, or just a space.

use super::name::Name;

/// How the name is tied to the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// By an operator or a tag.
    Assigned,
    /// By white space only.
    Beside,
}

/// A value behind a name.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) tie: Tie,
    pub(super) quoted: bool,
    /// The only argument of a call: `bytes.fromhex("…")`.
    pub(super) wrapped: bool,
    /// The next argument of the call that the name is an argument of.
    pub(super) argument: bool,
    /// The argument of a call of that name: `token("…")`.
    pub(super) called: bool,
}

/// The most words that may stand between a name and its value (`token string =`, `secret access code`).
const GLUE_WORDS: usize = 2;
/// Values longer than this are data, not credentials.
const LONGEST_VALUE: usize = 1200;

/// Finds the value behind `name`.
pub(super) fn value_after(text: &[u8], name: &Name) -> Option<Found> {
    // `user[:password]@host` explains, it does not assign.
    if text[..name.start].ends_with(b"[:") {
        return None;
    }
    if let Some(at) = pair_value(text, name.end) {
        return value_at(text, at, Tie::Assigned);
    }
    let mut at = name.end;
    let mut tie = Tie::Beside;
    let mut words = 0;
    let (mut argument, mut called) = (false, false);
    // Up to the value: closing quotes and brackets, spaces, an operator, a few plain words.
    loop {
        at = skip(text, at, 6, |b| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'`' | b']' | b'}' | b'\\'));
        let here = *text.get(at)?;
        match here {
            // `a | b` and `a + b` are expressions, `||`, `|=` and `+=` give a value.
            b'|' | b'+' if !matches!(text.get(at + 1), Some(b'|' | b'=')) => return None,
            b'=' | b':' | b'?' | b'|' | b'!' | b'+' | b'>' => {
                at = skip(text, at, 4, |b| matches!(b, b'=' | b':' | b'?' | b'|' | b'!' | b'+' | b'>'));
                tie = Tie::Assigned;
                break;
            }
            b'.' if text.get(at + 1) == Some(&b'=') => {
                at += 2;
                tie = Tie::Assigned;
                break;
            }
            b',' | b'(' | b')' => {
                // A call: `set("TOKEN", "…")`, `token("…")`. Only with a quoted value; not a list, not a method of the secret.
                let closed = text[name.end..at].contains(&b'}');
                if closed
                    || (here == b','
                        && (is_listed(text, name.start) || is_before_field(text, name.start, at)))
                    || (here == b'(' && name.is_method(text))
                {
                    return None;
                }
                argument = true;
                called = here == b'(' && at == name.end;
                at = skip(text, at, 4, |b| matches!(b, b',' | b'(' | b' ' | b')' | b':' | b'='));
                matches!(text.get(at), Some(b'"' | b'\'' | b'`')).then_some(())?;
                tie = Tie::Assigned;
                break;
            }
            _ if at == name.end => return None,
            _ => {}
        }
        if text[at - 1] != b' ' && text[at - 1] != b'\t' {
            break;
        }
        let word = text[at..]
            .iter()
            .take(16)
            .take_while(|b| b.is_ascii_alphabetic() || matches!(**b, b'_' | b'&' | b'*'))
            .count();
        let number = text[at..].iter().take(3).take_while(|b| b.is_ascii_digit()).count();
        let word = if word == 0 && text.get(at + number) == Some(&b':') { number } else { word };
        let ends_plain = text.get(at + word).is_none_or(|b| matches!(b, b' ' | b'\t' | b'=' | b':'));
        if word == 0 || word >= 14 || words == GLUE_WORDS || !ends_plain {
            break;
        }
        // `key id: …` names the key.
        if text[at..at + word].eq_ignore_ascii_case(b"id") || text[at..at + word].eq_ignore_ascii_case(b"ids")
        {
            return None;
        }
        words += 1;
        at += word;
    }
    value_at(text, at, tie).map(|found| Found { argument, called, ..found })
}

/// Whether the name is one string of several: `"a_key", "b_key"`.
fn is_listed(text: &[u8], start: usize) -> bool {
    let before = &text[..start];
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    before.trim_ascii_end().last() == Some(&b',')
}

/// Whether the name is the value of a field, and behind the comma another field begins: `"result":"pass","violations":…`.
fn is_before_field(text: &[u8], start: usize, comma: usize) -> bool {
    let before = text[..start].trim_ascii_end();
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    let from = skip(text, comma + 1, 8, |b| matches!(b, b' ' | b'"' | b'\''));
    let to = skip(text, from, 64, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'$'));
    let behind = skip(text, to, 2, |b| matches!(b, b' ' | b'"' | b'\''));
    before.trim_ascii_end().last() == Some(&b':') && to > from && text.get(behind) == Some(&b':')
}

/// Words that announce the value of a pair whose name was given before.
const VALUE_WORDS: &[&str] = &["value", "default", "defaultvalue", "val", "content"];

/// Behind the operator of the second half of a pair: `name: TOKEN⏎ value: …`, `"name": "TOKEN", "value": …`, `variable "token" {⏎
/// default = …`.
fn pair_value(text: &[u8], end: usize) -> Option<usize> {
    let is_quote = |b: u8| matches!(b, b'"' | b'\'');
    let at = skip(text, end, 1, is_quote);
    let from = skip(text, at, 60, |b| b.is_ascii_whitespace() || matches!(b, b',' | b'{'));
    text[at..from].iter().any(|b| matches!(b, b'\n' | b',')).then_some(())?;
    let from = skip(text, from, 1, is_quote);
    let word = text[from..].iter().take(14).take_while(|b| b.is_ascii_alphabetic()).count();
    VALUE_WORDS.iter().find(|known| text[from..from + word].eq_ignore_ascii_case(known.as_bytes()))?;
    let at = skip(text, from + word, 1, is_quote);
    let at = skip(text, at, 4, |b| matches!(b, b' ' | b'\t'));
    matches!(text.get(at), Some(b':' | b'=')).then_some(at + 1)
}

/// Calls that look a value up rather than hold it.
const LOOK_UPS: &[&str] = &[
    "get", "find", "read", "load", "env", "fetch", "query", "hash", "select", "request", "look", "path",
    "file", "name", "open",
];

/// The value that starts at or just behind `at`.
fn value_at(text: &[u8], mut at: usize, tie: Tie) -> Option<Found> {
    let tag = at > 0 && text[at - 1] == b'>';
    at = skip(text, at, 24, |b| matches!(b, b' ' | b'\t') || (tag && matches!(b, b'\r' | b'\n')));
    if text.get(at) == Some(&b'\n') || text.get(at) == Some(&b'\r') {
        // A quoted value on the next line still belongs to an assignment.
        let next = skip(text, at, 40, |b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
        (tie == Tie::Assigned && matches!(text.get(next), Some(b'"' | b'\'' | b'`'))).then_some(())?;
        at = next;
    }
    at = skip(text, at, 2, |b| matches!(b, b'[' | b'(' | b'\\'));
    if matches!(text.get(at), Some(b'b' | b'r' | b'f' | b'u' | b'@' | b'$'))
        && matches!(text.get(at + 1), Some(b'"' | b'\''))
    {
        at += 1;
    }
    let quote = text.get(at).copied().filter(|b| matches!(b, b'"' | b'\'' | b'`'));
    let start = if quote.is_some() { skip(text, at, 3, |b| Some(b) == quote || b == b'\\') } else { at };
    let body = &text[start..text.len().min(start + LONGEST_VALUE + 1)];
    let length = match quote {
        Some(quote) => body.iter().position(|b| *b == quote || matches!(b, b'\n' | b'\r'))?,
        None => body.iter().position(|b| ENDS_BARE_VALUE[usize::from(*b)]).unwrap_or(body.len()),
    };
    if quote.is_none() && body[..length].ends_with(b"(") {
        let call = body[..length].to_ascii_lowercase();
        let looks_up = LOOK_UPS.iter().any(|word| memchr::memmem::find(&call, word.as_bytes()).is_some());
        let inner = start + length;
        return (!looks_up && matches!(text.get(inner), Some(b'"' | b'\'')))
            .then(|| value_at(text, inner, Tie::Assigned))
            .flatten()
            .map(|found| Found { wrapped: true, ..found });
    }
    let mut end = start + length;
    while end > start && matches!(text[end - 1], b'\\' | b' ') {
        end -= 1;
    }
    if let Some(escape) = text[start..end]
        .windows(2)
        .position(|pair| pair[0] == b'\\' && matches!(pair[1], b'n' | b'r' | b't' | b'"' | b'\''))
    {
        end = start + escape;
    }
    (end > start && end - start <= LONGEST_VALUE).then_some(Found {
        start,
        end,
        tie,
        quoted: quote.is_some(),
        wrapped: false,
        argument: false,
        called: false,
    })
}

/// The bytes at which a value without quotes ends. A table: a text of secret words asks for each byte many times.
static ENDS_BARE_VALUE: [bool; 256] = {
    let mut ends = [false; 256];
    let signs = b" \t\n\r\x0c\"'`<;,&|\0";
    let mut at = 0;
    while at < signs.len() {
        ends[signs[at] as usize] = true;
        at += 1;
    }
    ends
};

fn skip(text: &[u8], at: usize, most: usize, test: impl Fn(u8) -> bool) -> usize {
    at + text.get(at..).unwrap_or_default().iter().take(most).take_while(|b| test(**b)).count()
}
