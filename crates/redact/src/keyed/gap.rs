//! What lies between a name and its value, and where the value ends: `=`, `:`, `=>`, `", "`, `>`, a type, or just a space.

use super::name::Name;
use crate::value::is_name_byte;

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
}

/// The most words that may stand between a name and its value (`token string =`, `secret access code`).
const GLUE_WORDS: usize = 2;
/// Values longer than this are data, not credentials.
const LONGEST_VALUE: usize = 1200;

/// Finds the value behind `name`.
pub(super) fn value_after(text: &[u8], name: &Name) -> Option<Found> {
    if let Some(at) = pair_value(text, name.end) {
        return value_at(text, at, Tie::Assigned);
    }
    let mut at = name.end;
    let mut tie = Tie::Beside;
    let mut words = 0;
    // Up to the value: closing quotes and brackets, spaces, an operator, a few plain words.
    loop {
        at = skip(text, at, 6, |b| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'`' | b']' | b'}' | b'\\'));
        let here = *text.get(at)?;
        match here {
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
                // A call: `set("TOKEN", "…")`, `token("…")`. Only with a quoted value.
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
        words += 1;
        at += word;
    }
    value_at(text, at, tie)
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
        None => body.iter().position(|b| ends_bare_value(*b)).unwrap_or(body.len()),
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
    })
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

fn ends_bare_value(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b';' | b',' | b'&' | b'|' | 0)
}

fn skip(text: &[u8], at: usize, most: usize, test: impl Fn(u8) -> bool) -> usize {
    at + text.get(at..).unwrap_or_default().iter().take(most).take_while(|b| test(**b)).count()
}

/// Whether the text around a bare value shows that it is code: a call, an index, a member.
pub(super) fn is_expression(text: &[u8], value: &Found) -> bool {
    if value.quoted {
        return false;
    }
    let body = &text[value.start..value.end];
    // Behind `=>` and before `;` stands code, which has its literals in quotes.
    let statement =
        text.get(value.end) == Some(&b';') || text[..value.start].trim_ascii_end().ends_with(b"=>");
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
    let assigned_after = {
        let rest = &text[value.end..text.len().min(value.end + 3)];
        rest.starts_with(b" =") || rest.starts_with(b" +") || rest.starts_with(b" .")
    };
    (named && call.is_some_and(name_before))
        || memchr::memmem::find(body, b"::").is_some()
        || memchr::memmem::find(body, b"->").is_some()
        || assigned_after
}
