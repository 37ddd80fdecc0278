//! The tests around a pattern: the cheap ones before it runs, the strict ones after it matched.

use std::ops::Range;

use regex_automata::meta::Regex;

use crate::finding::Span;
use crate::random::Makeup;
use crate::rule::Rule;
use crate::value::{entropy, holds_stand_in, is_mark, is_monotonous, is_placeholder, is_template};

/// Cheap tests that spare most hits the pattern: a word border before, and enough of a word behind.
pub(crate) fn is_possible(rule: &Rule, text: &[u8], start: usize) -> bool {
    if let Some(needed) = rule.needs
        && memchr::memchr(needed, &text[start..text.len().min(start + 200)]).is_none()
    {
        return false;
    }
    if rule.before > 0 {
        let left = text[..start].iter().rev().take(rule.before).take_while(|b| is_solid(**b)).count();
        return !rule.solid
            || left + text[start..].iter().take(rule.least).take_while(|b| is_solid(**b)).count()
                >= rule.least;
    }
    if !rule.joined
        && start > 0
        && text[start - 1].is_ascii_alphanumeric()
        && text[start].is_ascii_alphanumeric()
    {
        return is_escape_before(text, start);
    }
    if rule.solid {
        let word = text[start..].iter().take(rule.least).take_while(|b| is_solid(**b)).count();
        return word >= rule.least;
    }
    true
}

/// The word around `start`, within `from..to`: no match of a solid rule reaches over its ends.
pub(crate) fn solid_around(text: &[u8], start: usize, from: usize, to: usize) -> (usize, usize) {
    let left = text[from..start].iter().rev().take_while(|byte| is_solid(**byte)).count();
    let right = text[start..to].iter().take_while(|byte| is_solid(**byte)).count();
    (start - left, start + right)
}

/// A byte that a match of a solid rule can hold.
fn is_solid(byte: u8) -> bool {
    byte > b' ' && !matches!(byte, b'"' | b'\'' | b'`')
}

/// Whether something before the match says what it is: a quote, an operator, a tag, a URL parameter.
pub(crate) fn is_named(text: &[u8], start: usize) -> bool {
    let before = &text[..start];
    let near = before.trim_ascii_end();
    let same_line = !before[near.len()..].contains(&b'\n') && !near.is_empty();
    let tag = near.last() == Some(&b'>');
    (same_line && near.last().is_some_and(|b| b"\"'`=:,(/".contains(b))) || tag
}

/// The `n` of a `\n` in escaped text, or the `m` that ends a colour code, is no letter of a longer word.
fn is_escape_before(text: &[u8], start: usize) -> bool {
    if start >= 2 && text[start - 2] == b'\\' && matches!(text[start - 1], b'n' | b'r' | b't') {
        return true;
    }
    text[start - 1] == b'm'
        && text[..start].iter().rev().skip(1).take(12).find(|b| !(b.is_ascii_digit() || **b == b';'))
            == Some(&b'[')
}

/// A match that reads as words is a name or an example. Random text reads so once in a while, hence only for reports.
pub(crate) fn is_made_of_words(secret: &[u8]) -> bool {
    let makeup = Makeup::of(secret);
    makeup.digits <= 2 && makeup.wordiness() > 0.6
}

/// In the middle of a long stretch of base64 any few letters turn up: pictures, fonts, certificates.
pub(crate) fn is_inside_blob(text: &[u8], start: usize, end: usize) -> bool {
    let digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let before = text[..start].iter().rev().take(BLOB).take_while(|byte| digit(byte)).count();
    let after = text[end..].iter().take(BLOB).take_while(|byte| digit(byte)).count();
    before >= BLOB || before + after >= BLOB && before > 0 && after > 0
}

/// So much base64 beside a match makes it a part of something else.
const BLOB: usize = 80;

/// A key block whose inside is code or dots: constants of programs that read keys.
pub(crate) fn has_no_key(rule: &Rule, secret: &[u8]) -> bool {
    if rule.id == "private-key-base64" {
        // A head and an end with nothing between them.
        return secret.len() < 160;
    }
    if rule.id != "private-key" {
        return false;
    }
    let mut run = 0;
    !secret.iter().any(|byte| {
        run = if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=') { run + 1 } else { 0 };
        run >= 40
    }) || memchr::memmem::find(secret, b"\n...").is_some()
}

/// The tests behind the pattern: borders, entropy, placeholders, allow patterns.
pub(crate) fn is_real(rule: &Rule, allow: &[Regex], text: &[u8], span: Span, whole: Range<usize>) -> bool {
    let Range { start, end } = whole;
    let secret = &text[span.start..span.end];
    if !rule.joined {
        let first = text[start];
        if start > 0
            && first.is_ascii_alphanumeric()
            && text[start - 1].is_ascii_alphanumeric()
            && !is_escape_before(text, start)
        {
            return false;
        }
        let last = text[end - 1];
        if last == b'.' && text.get(end).is_some_and(|b| is_word(*b)) {
            return false;
        }
        let next = text.get(end).copied().unwrap_or(b' ');
        if is_word(last)
            && (is_word(next) && next != b'-'
                || (next == b'-' && text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)))
        {
            return false;
        }
    }
    let harmless = if rule.literal {
        is_template(secret) || is_mark(secret) || is_chosen_stand_in(text, span, start)
    } else {
        is_placeholder(secret)
    };
    let harmless = harmless || goes_on_harmlessly(&text[end..]);
    !harmless && entropy(secret) >= rule.entropy && !allow.iter().any(|pattern| pattern.is_match(secret))
}

/// What follows shows that the match is the start of something else: a file name, or a key that somebody masked.
fn goes_on_harmlessly(rest: &[u8]) -> bool {
    const ASSETS: &[&[u8]] =
        &[b".png", b".jpg", b".jpeg", b".gif", b".svg", b".js", b".css", b".html", b".ico", b".webp"];
    const MASKS: &[&[u8]] = &[b"...", b"***", b"-***", b"-###", b"###", b"xxxx", "…".as_bytes()];
    let first = &rest[..rest.len().min(8)];
    MASKS.iter().any(|mask| first.starts_with(mask))
        || ASSETS
            .iter()
            .any(|asset| first.starts_with(asset) && !first.get(asset.len()).is_some_and(|b| is_word(*b)))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// For URLs: a password that is a stand-in (`password`, the user's own name, `****`).
fn is_chosen_stand_in(text: &[u8], span: Span, start: usize) -> bool {
    let secret = &text[span.start..span.end];
    if secret.len() > 40 {
        return false;
    }
    let lower = secret.to_ascii_lowercase();
    #[rustfmt::skip]
    const WORDS: &[&[u8]] = &[
        b"password", b"pass", b"passwd", b"pwd", b"user", b"username", b"admin", b"root", b"test",
        b"changeme", b"token", b"postgres", b"mysql", b"guest", b"foo", b"bar", b"abc", b"mypassword",
        b"mysecretpassword", b"dbpassword", b"pw", b"p4ssw0rd", b"example", b"mypass", b"hunter2",
    ];
    if WORDS.contains(&lower.as_slice()) || is_monotonous(secret) || holds_stand_in(secret) {
        return true;
    }
    if lower.iter().all(|b| *b == secret[0]) || lower.iter().all(|b| b"*x.".contains(b)) {
        return true;
    }
    // `auth:user:password@server`: words for what belongs there.
    let mut words = lower.split(|b| *b == b':');
    let explained = lower.contains(&b':')
        && words.all(|word| {
            WORDS.contains(&word) || [&b"auth"[..], b"authtype", b"login", b"secret"].contains(&word)
        });
    let hosts = [&b"@host"[..], b"@example", b"@server:port"];
    if explained || hosts.iter().any(|host| text[span.end..].starts_with(host)) {
        return true;
    }
    let before = &text[start..span.start];
    let user = before.strip_suffix(b":").unwrap_or(before);
    let user = user.rsplit(|b| *b == b'/').next().unwrap_or_default();
    if user.is_empty() || user.eq_ignore_ascii_case(secret) {
        return !user.is_empty();
    }
    // `shop_reader:shop@localhost/shop`: what a set-up on one's own machine repeats is no secret.
    let rest = text[span.end..].strip_prefix(b"@").unwrap_or_default();
    let rest = &rest[..rest.len().min(160)];
    let host =
        rest.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_')).count();
    let own = [&b"localhost"[..], b"127.0.0.1", b"0.0.0.0", b"host.docker.internal"].contains(&&rest[..host]);
    let named = rest.iter().position(|b| *b == b'/').map_or(&[][..], |at| &rest[at + 1..]);
    let database = named.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')).count();
    own && secret.len() >= 3 && (user.starts_with(secret) || named[..database].eq_ignore_ascii_case(secret))
}
