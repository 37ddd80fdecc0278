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
}

/// The most words that may stand between a name and its value (`token string =`, `secret access code`).
const GLUE_WORDS: usize = 2;
/// Values longer than this are data, not credentials.
const LONGEST_VALUE: usize = 1200;

/// Finds the value behind `name`.
pub(super) fn value_after(text: &[u8], name: &Name) -> Option<Found> {
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
    })
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
