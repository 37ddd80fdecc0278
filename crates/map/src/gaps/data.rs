//! JSON and TOML as people and programs write them.

use super::blank;

/// Commas before a closing bracket, and numbers that are none. Comments the grammar knows.
pub(super) fn json(text: &mut [u8]) {
    let mut at = 0;
    let mut comma = None;
    while at < text.len() {
        match text[at] {
            b'"' => {
                comma = None;
                at = string_end(text, at);
                continue;
            }
            b'/' if matches!(text.get(at + 1), Some(b'/' | b'*')) => {
                at = comment_end(text, at);
                continue;
            }
            b',' => comma = Some(at),
            b'}' | b']' => {
                if let Some(comma) = comma.take() {
                    text[comma] = b' ';
                }
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => {
                comma = None;
                at = number_that_is_none(text, at);
            }
        }
        at += 1;
    }
}

/// `NaN`, `Infinity`, `-Infinity`: a number instead. Says where it ends.
fn number_that_is_none(text: &mut [u8], at: usize) -> usize {
    for word in [&b"NaN"[..], b"-Infinity", b"+Infinity", b"Infinity"] {
        let end = at + word.len();
        if text[at..].starts_with(word) && !text.get(end).is_some_and(u8::is_ascii_alphanumeric) {
            blank(&mut text[at..end]);
            text[at] = b'0';
            return end - 1;
        }
    }
    at
}

fn string_end(text: &[u8], start: usize) -> usize {
    let quote = text[start];
    let mut at = start + 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

fn comment_end(text: &[u8], start: usize) -> usize {
    if text[start + 1] == b'/' {
        return start + text[start..].iter().position(|byte| *byte == b'\n').unwrap_or(text.len() - start);
    }
    crate::language::find(&text[start..], b"*/").map_or(text.len(), |length| start + length + 2)
}

/// TOML 1.1: tables in braces over several lines, with comments and a comma at the end; `\e` and `\x41`; times without seconds.
pub(super) fn toml(text: &mut [u8]) {
    let (mut at, mut comma) = (0, None);
    // What is open: `{` or `[`.
    let mut open: Vec<u8> = Vec::new();
    while at < text.len() {
        let in_table = open.last() == Some(&b'{');
        match text[at] {
            b'"' | b'\'' => {
                comma = None;
                at = toml_string(text, at);
                continue;
            }
            b'#' => {
                let end = at + text[at..].iter().position(|byte| *byte == b'\n').unwrap_or(text.len() - at);
                if in_table {
                    blank(&mut text[at..end]);
                }
                at = end;
                continue;
            }
            b'\n' if in_table => text[at] = b' ',
            byte @ (b'{' | b'[') => {
                comma = None;
                open.push(byte);
            }
            b'}' => {
                open.pop();
                if let Some(comma) = comma.take() {
                    text[comma] = b' ';
                }
            }
            b']' => {
                open.pop();
                comma = None;
            }
            b',' => comma = Some(at),
            byte if byte.is_ascii_whitespace() => {}
            _ => {
                comma = None;
                at = time_without_seconds(text, at);
            }
        }
        at += 1;
    }
}

/// Goes over a text in quotes and makes new escapes old ones.
fn toml_string(text: &mut [u8], start: usize) -> usize {
    let quote = text[start];
    let long = text[start..].starts_with(&[quote; 3]);
    let mut at = start + if long { 3 } else { 1 };
    while at < text.len() {
        match text[at] {
            b'\\' if quote == b'"' => {
                at += 1;
                if let Some(letter @ (b'e' | b'x')) = text.get_mut(at) {
                    *letter = b't';
                }
            }
            b'\n' if !long => return at,
            byte if byte == quote && (!long || text[at..].starts_with(&[quote; 3])) => {
                return at + if long { 3 } else { 1 };
            }
            _ => {}
        }
        at += 1;
    }
    at
}

/// `07:32`, `1979-05-27T07:32Z`. Says where the word ends.
fn time_without_seconds(text: &mut [u8], at: usize) -> usize {
    let length = text[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'+' | b'.' | b'_'))
        .count();
    let word = &mut text[at..at + length];
    let Some(colon) = word.iter().position(|byte| *byte == b':') else {
        return at + length.saturating_sub(1);
    };
    let digits = |part: Option<&[u8]>| part.is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    let is_time = colon >= 2 && digits(word.get(colon - 2..colon)) && digits(word.get(colon + 1..colon + 3));
    if is_time && word.get(colon + 3) != Some(&b':') {
        let from = (colon - 2).saturating_sub(1);
        blank(&mut word[from..]);
        if colon == 2 {
            word[0] = b'1';
        }
    }
    at + length.saturating_sub(1)
}
