//! The whole of a value, as the gate takes it: past signs that end it elsewhere, and over all pieces of a list. (S19)

use super::gap::{self, Found};
use super::judge::{is_odd, is_secret};
use super::name::Name;
use super::{Kind, Wanted};

/// The value with all that belongs to it, if any of it is a secret.
pub(super) fn value(text: &[u8], name: &Name, value: Found, kind: Kind) -> Option<Found> {
    let judged = |value: &Found| is_secret(text, name, value, kind, Wanted::Gate);
    if !value.quoted {
        let end = gap::whole_end(text, value.start, value.end);
        let whole = Found { end: behind_block(text, value.start, end), ..value };
        return if judged(&value) || (end > value.end && judged(&whole)) { Some(whole) } else { None };
    }
    let value = arguments_of_format(text, value);
    let value = Found { end: behind_pieces(text, &value), ..value };
    let first = Found { end: first_end(text, &value), ..value };
    (judged(&first) || first.end < value.end && is_odd(&text[first.start..first.end], 2)).then_some(value)
}

/// `>-⏎  first⏎  second`: the end of the last line of a block of YAML that holds nothing but one long word.
fn behind_block(text: &[u8], start: usize, end: usize) -> usize {
    let near = start.saturating_sub(64);
    let Some(line) = memchr::memrchr(b'\n', &text[near..start]).map(|at| near + at + 1) else { return end };
    let indent = &text[line..start];
    let opened = text[near..line]
        .trim_ascii_end()
        .last()
        .is_some_and(|byte| matches!(byte, b'>' | b'|' | b'-' | b'+'));
    if !opened || indent.is_empty() || indent.iter().any(|byte| *byte != b' ') {
        return end;
    }
    let mut end = end;
    for _ in 0..16 {
        let Some(rest) = text[end..].strip_prefix(b"\n").and_then(|rest| rest.strip_prefix(indent)) else {
            break;
        };
        let length = rest.iter().take(200).take_while(|byte| crate::view::is_token_byte(**byte)).count();
        let alone = rest.get(length).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        // `name: value` and `- item` are no part of a word.
        if length < 4 || !alone || rest[..length].ends_with(b":") {
            break;
        }
        end += 1 + indent.len() + length;
    }
    end
}

/// The end of the first piece.
fn first_end(text: &[u8], value: &Found) -> usize {
    let quote = text[..value.start].last().copied().unwrap_or(b'"');
    memchr::memchr(quote, &text[value.start..value.end]).map_or(value.end, |at| value.start + at)
}

/// `["…", "…"]`: the end of the last piece of a list, where the pieces look alike.
fn behind_pieces(text: &[u8], value: &Found) -> usize {
    let Some(quote) = text.get(value.end).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`')) else {
        return value.end;
    };
    let mut end = value.end;
    for _ in 0..16 {
        let rest = &text[end + 1..text.len().min(end + 400)];
        let gap = rest.iter().take(40).take_while(|byte| matches!(byte, b' ' | b',' | b'\n' | b'\t')).count();
        if !rest[..gap].contains(&b',') || rest.get(gap) != Some(&quote) {
            break;
        }
        let Some(length) = memchr::memchr2(quote, b'\n', &rest[gap + 1..]) else { break };
        if !is_odd(&rest[gap + 1..gap + 1 + length], 3) {
            break;
        }
        end += 1 + gap + 1 + length;
    }
    end
}

/// `"{}{}".format("…", "…")`: the arguments are the value.
fn arguments_of_format(text: &[u8], value: Found) -> Found {
    let body = &text[value.start..value.end];
    let slots = body.iter().all(|byte| matches!(byte, b'{' | b'}' | b'%' | b's' | b'0'..=b'9'));
    let rest = &text[value.end..text.len().min(value.end + 24)];
    if !slots || rest.is_empty() {
        return value;
    }
    let call = rest[1..].iter().position(|byte| matches!(byte, b'"' | b'\''));
    let Some(open) = call.filter(|at| rest[1..1 + at].contains(&b'(')) else { return value };
    let start = value.end + 1 + open + 1;
    let quote = text[start - 1];
    let inside = &text[start..text.len().min(start + 400)];
    match memchr::memchr2(quote, b'\n', inside) {
        Some(length) if length > 0 => Found { start, end: start + length, ..value },
        _ => value,
    }
}
