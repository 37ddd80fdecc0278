//! Labels in other languages than English: `비밀번호: …`, `密码：…`, `パスワードは「…」`, `Passwort: …`, `mot de passe : …`, `пароль — …`. (S19)
//!
//! Here no name has a form of its own: particles grow onto the word, a short word of the language says "is", signs are as wide as
//! letters. So what lies between label and value is stepped over as long as it can be language, and the value alone has to show that
//! nobody chose it as a word.

use super::judge::{is_generated, is_odd, is_reference, is_strong_key, trim_sentence};
use super::{KEYED_PASSWORD, KEYED_SECRET, Kind, Wanted, place};
use crate::finding::Span;
use crate::random::Makeup;
use crate::value::{is_name_byte, is_placeholder};

/// So many bytes may lie between a label and its value.
const LONGEST_GAP: usize = 64;
/// Values are not longer than this.
const LONGEST_VALUE: usize = 1200;

/// Judges the label at `start..end`.
pub(super) fn check(text: &[u8], start: usize, end: usize, kind: Kind, wanted: Wanted) -> Option<Span> {
    let label = &text[start..end];
    let before = start.checked_sub(1).map_or(b' ', |at| text[at]);
    // `enclave`, `monclé`: part of another word. Scripts without spaces have no such border.
    // German puts words together: `Zugangsschlüssel`.
    let compound = [&b"schl"[..], b"pass", b"kenn"].iter().any(|word| label[..4].eq_ignore_ascii_case(word));
    if label[0].is_ascii() && before.is_ascii_alphabetic() && text[start].is_ascii_lowercase() && !compound {
        return None;
    }
    let (from, tied) = value_start(text, end)?;
    let (to, quoted) = value_end(text, from)?;
    let body = &text[from..to];
    let body = if quoted { body } else { trim_sentence(body) };
    let to = from + body.len();
    let password = kind == Kind::SpokenPassword;
    let real = match wanted {
        Wanted::Gate => {
            is_generated(body)
                || is_odd(body, 2)
                || is_strong_key(body) && !is_placeholder(body) && !is_reference(body)
        }
        Wanted::Report(place) => {
            let random = is_strong_key(body)
                && Makeup::of(body).turns >= 4
                && !is_placeholder(body)
                && !is_reference(body);
            let chosen = password
                && (is_generated(body) || tied && is_odd(body, 3) && Makeup::of(body).wordiness() < 0.45);
            (random || chosen) && place::believes(place, label, body, kind)
        }
    };
    let rule = if password { KEYED_PASSWORD } else { KEYED_SECRET };
    real.then_some(Span { start: from, end: to, rule, rank: u16::MAX })
}

/// Signs that part a label from its value, and what opens a quotation.
const SIGNS: &[&str] = &["：", "＝", "—", "–", "→", "」", "』", "”", "»"];
const OPENINGS: &[&str] = &["「", "『", "“", "„", "«", "‘", "（", "【"];

/// Where the value begins, and whether a sign or a quotation ties it to the label.
fn value_start(text: &[u8], end: usize) -> Option<(usize, bool)> {
    let most = text.len().min(end + LONGEST_GAP);
    let (mut at, mut words, mut tied) = (end, 0, false);
    while at < most {
        let rest = &text[at..];
        let byte = rest[0];
        if byte == b'\n' || byte == b'\r' {
            return None;
        }
        if matches!(byte, b':' | b'=') {
            tied = true;
            at += 1;
        } else if matches!(byte, b' ' | b'\t' | b'-' | b'>' | b'(' | b'*' | b'\\') {
            at += 1;
        } else if matches!(byte, b'"' | b'\'' | b'`') {
            at += 1;
            // A quote that closes around the label (`"пароль": "…"`) is stepped over, one that opens begins the value.
            if rest.get(1).is_some_and(|next| {
                next.is_ascii_graphic() && !matches!(next, b':' | b',' | b'=' | b']' | b')' | b'}')
            }) {
                return Some((at, true));
            }
        } else if let Some(sign) = starts_with_any(rest, SIGNS) {
            tied = true;
            at += sign;
        } else if let Some(sign) = starts_with_any(rest, OPENINGS) {
            return Some((skip_spaces(text, at + sign), true));
        } else if byte >= 0x80 {
            at += 1;
        } else {
            // A word of the language, or the value.
            let length = rest.iter().take(80).take_while(|b| is_name_byte(**b)).count();
            let word = &rest[..length];
            let plain = length > 0
                && length <= 10
                && word.iter().all(u8::is_ascii_alphabetic)
                && rest.get(length).is_some_and(|b| matches!(b, b' ' | b'\'' | b':' | b'=') || *b >= 0x80);
            if !plain || tied || words == 4 {
                return Some((at, tied));
            }
            words += 1;
            at += length + usize::from(rest.get(length) == Some(&b'\''));
        }
    }
    None
}

/// Where it ends: at the quote, the end of the word, or where other letters than ASCII begin.
fn value_end(text: &[u8], from: usize) -> Option<(usize, bool)> {
    let opened = text[..from].last().copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let body = &text[from..text.len().min(from + LONGEST_VALUE)];
    let length = match opened {
        Some(quote) => body.iter().position(|byte| *byte == quote || *byte == b'\n')?,
        None => body
            .iter()
            .position(|byte| !byte.is_ascii_graphic() || matches!(byte, b'"' | b'`'))
            .unwrap_or(body.len()),
    };
    (length >= 8).then_some((from + length, opened.is_some()))
}

fn starts_with_any(rest: &[u8], signs: &[&str]) -> Option<usize> {
    (rest[0] >= 0x80)
        .then(|| signs.iter().find(|sign| rest.starts_with(sign.as_bytes())).map(|sign| sign.len()))?
}

fn skip_spaces(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take(3).take_while(|byte| **byte == b' ').count()
}
