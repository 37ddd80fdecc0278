//! The name around a secret word: `ACME_API_KEY`, `acmeToken`, `acme SECRET`.

use super::Kind;
use super::judge::is_inlined_key;
use crate::value::is_name_byte;
use crate::words::Words;

/// The name a value stands beside.
#[derive(Debug)]
pub(super) struct Name {
    /// First byte of the name.
    pub(super) start: usize,
    /// First byte of the secret word.
    word_start: usize,
    /// One past the secret word.
    pub(super) word_end: usize,
    /// One past the name.
    pub(super) end: usize,
}

/// Names longer than this are not names.
const LONGEST: usize = 64;

/// Words whose presence says that the value is no secret, wherever in the name.
#[rustfmt::skip]
const HARMLESS: Words = Words::new(&[
    "accessib", "accessor", "accesspoint", "authenticity", "author", "bogus", "cache_key", "cachekey", "camerakit",
    "checksum", "commit", "continuation", "csrf", "cursor", "dedup", "digest", "dummy", "encrypted", "etag", "fake",
    "fingerprint", "foreign", "formkey", "hash", "idempot", "identifierkey", "integrity", "invalid", "keyboard", "keycode", "keyfile",
    "keyframe", "keylen", "keymap", "keypress", "keyring", "keysize", "keyspace", "keystore", "keytab", "keyword",
    "md5", "mock", "next_token", "nexttoken", "nonce", "nonmatch", "page_token", "pagetoken",
    "partition_key", "partitionkey", "primary", "pubkey", "public", "publish", "recv", "resourcekey", "resume_token",
    "resumetoken", "sealed", "secretsize", "sha1", "sha256", "sha512", "site.key", "site_key", "sitekey", "sort_key", "sortkey",
    "srcrev", "sync_token", "synctoken", "thumbprint", "verify", "verifying", "version", "websocket", "wrong",
    "xsrf",
]);

/// Endings that say: this names the secret, points to it or measures it, but is not it.
#[rustfmt::skip]
const HARMLESS_ENDINGS: &[&str] = &[
    "id", "ids", "name", "names", "type", "path", "file", "url", "uri", "size", "length", "count", "ttl",
    "expiry", "expires", "index", "algorithm", "policy", "label", "variable", "version", "arn", "ref",
    "host", "endpoint", "format", "prefix", "suffix", "field", "header", "hash", "email", "user",
    "username", "scope", "scopes", "class", "date", "time", "at", "vault", "pair", "store", "map", "usage",
    "alias", "location", "server", "region", "domain", "account", "bits", "level", "mode", "state",
    "status", "source", "mtime", "error", "errors", "code", "message", "msg", "strength", "hint", "title", "page", "route", "reset",
    "icon", "button", "input", "placeholder", "regex", "pattern", "rule", "rules", "event", "action", "salt", "encryption", "hasher", "hashers", "flags", "rights", "mask", "magic", "enum", "protected", "required", "enabled",
];

/// Ordinary words that end in a secret word.
#[rustfmt::skip]
const LOOK_ALIKES: &[&str] = &[
    "monkey", "turkey", "donkey", "hockey", "jockey", "whiskey", "lackey", "turnkey", "hotkey", "compass",
    "bypass", "surpass", "unauth",
];

/// Words that name no owner.
#[rustfmt::skip]
const GENERIC: Words = Words::new(&[
    "a", "access", "add", "an", "and", "api", "app", "as", "auth", "authentication", "authorization", "bearer", "by",
    "client", "config", "const", "credential", "credentials", "d", "data", "default", "dev", "e", "each", "env",
    "export", "final", "for", "from", "g", "header", "hex", "id", "if", "in", "is", "json", "key", "let", "map",
    "my", "new", "nonmatching", "oauth", "oauth2", "object", "of", "old", "or", "other", "p", "pass", "passwd",
    "password", "private", "prod", "refresh", "same", "secret", "self", "session", "set", "some", "static", "string",
    "test", "that", "the", "this", "to", "token", "use", "user", "using", "value", "var", "with", "x", "your",
]);

/// Finds the name around the word, or `None` if the word is only part of another one (`author`, `passing`).
pub(super) fn around(text: &[u8], start: usize, end: usize) -> Option<Name> {
    let word = &text[start..end];
    let after = text.get(end).copied().unwrap_or(b' ');
    let shouted = word.iter().any(u8::is_ascii_uppercase) && !word.iter().any(u8::is_ascii_lowercase);
    let continued = word.eq_ignore_ascii_case(b"cred") && text[end..].starts_with(b"ential");
    let plural = after == b's' && text.get(end + 1).is_none_or(|b| !is_name_byte(*b));
    if after.is_ascii_lowercase() && !(shouted || continued || plural) {
        return None;
    }
    let before = start.checked_sub(1).map_or(b' ', |at| text[at]);
    let lower = word.to_ascii_lowercase();
    if matches!(lower.as_slice(), b"pass" | b"auth" | b"_pat" | b"_pw" | b"pwd" | b"_psk") {
        let grown_left = before.is_ascii_lowercase() && word[0].is_ascii_lowercase();
        let grown_right = if shouted { after.is_ascii_uppercase() } else { after.is_ascii_alphabetic() };
        if grown_left || grown_right {
            return None;
        }
    }
    let left = text[..start]
        .iter()
        .rev()
        .take(LONGEST)
        .take_while(|b| is_name_byte(**b) || matches!(**b, b'-' | b'.'))
        .count();
    let mut name_end = end;
    while let Some(byte) = text.get(name_end) {
        let dotted =
            matches!(byte, b'.' | b'-') && text.get(name_end + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(is_name_byte(*byte) || dotted) || name_end - end > 600 {
            break;
        }
        name_end += 1;
    }
    (left < LONGEST).then_some(Name { start: start - left, word_start: start, word_end: end, end: name_end })
}

impl Name {
    /// Whether the name says that its value is no secret (`public_key`, `token_count`).
    pub(super) fn is_harmless(&self, text: &[u8]) -> bool {
        // The shell's working folder.
        if matches!(&text[self.start..self.end], b"PWD" | b"OLDPWD") {
            return true;
        }
        // `eof_action=pass:…`, `did:key:…`: what stands behind another name is its value.
        let before = self.start.checked_sub(1).map_or(b' ', |at| text[at]);
        if text[self.start..self.end].eq_ignore_ascii_case(b"pass") && before == b'='
            || text[..self.start].ends_with(b"did:")
        {
            return true;
        }
        // `PASS: name of a test`, `#include <pwd.h>`, `next page token`.
        let passed = &text[self.start..self.end] == b"PASS" && text.get(self.end) == Some(&b':');
        let file = [&b".h"[..], b".c", b".py", b".js", b".go", b".rs", b".md", b".txt", b".html"];
        let before = previous_word(text, self.start).to_ascii_lowercase();
        let paged = [&b"page"[..], b"next", b"continuation", b"sync", b"csrf", b"public"];
        if passed || file.contains(&&text[self.word_end..self.end]) || paged.contains(&before.as_slice()) {
            return true;
        }
        let mut lower = text[self.start..self.word_end].to_ascii_lowercase();
        // `cache-key` is `cache_key`.
        lower.iter_mut().filter(|b| **b == b'-').for_each(|b| *b = b'_');
        let lower = std::str::from_utf8(&lower).unwrap_or_default();
        if LOOK_ALIKES.iter().any(|word| lower.ends_with(word)) || HARMLESS.is_in(lower.as_bytes()) {
            return true;
        }
        let tail = text[self.word_end..self.end.min(self.word_end + 48)].to_ascii_lowercase();
        let tail = std::str::from_utf8(&tail).unwrap_or_default();
        HARMLESS.is_in(tail.as_bytes()) || ends_harmless(tail)
    }

    /// Whether it names an owner or purpose besides the secret word itself (`acme_token`, not just `token`).
    pub(super) fn is_compound(&self, text: &[u8], kind: Kind) -> bool {
        names_owner(&text[self.start..self.word_start])
            || names_owner(previous_word(text, self.start))
            || (kind == Kind::Token && names_owner(self.tail(text)))
    }

    /// What follows the secret word, unless it is too long to be part of a name.
    fn tail<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        if self.end - self.word_end < 24 { &text[self.word_end..self.end] } else { &[] }
    }

    /// Whether it names something that the secret does: `password.encode`.
    pub(super) fn is_method(&self, text: &[u8]) -> bool {
        let tail = self.tail(text).to_ascii_lowercase();
        let gives = [&b"set"[..], b"put", b"with", b"add", b"default", b"value"];
        tail.starts_with(b".") && !gives.iter().any(|word| memchr::memmem::find(&tail, word).is_some())
    }

    /// A value grown together with its name: `acme-secret-key-5us4rjh9ebx…`.
    pub(super) fn inlined_value(&self, text: &[u8]) -> Option<(usize, usize)> {
        // Behind an operator or a quote it is a value itself, and its own name judges it.
        if text[..self.start].trim_ascii_end().last().is_some_and(|before| b"=:\"'`".contains(before)) {
            return None;
        }
        // In the middle of random text the word is there by chance.
        let turns = |pair: &&[u8]| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic();
        if text[self.start..self.word_start].windows(2).filter(turns).count() >= 2 {
            return None;
        }
        let mut at = self.word_end;
        while at < self.end {
            while at < self.end && matches!(text[at], b'-' | b'_' | b'.') {
                at += 1;
            }
            let word = text[at..self.end].iter().take_while(|b| b.is_ascii_alphabetic()).count();
            let generic = GENERIC.holds(&text[at..at + word].to_ascii_lowercase());
            if word == 0 || !generic || at + word >= self.end || text[at + word].is_ascii_digit() {
                break;
            }
            at += word;
        }
        (at > self.word_end && is_inlined_key(&text[at..self.end])).then_some((at, self.end))
    }
}

fn ends_harmless(tail: &str) -> bool {
    if tail.is_empty() {
        return false;
    }
    let last = tail.trim_end_matches(|c: char| c.is_ascii_digit());
    HARMLESS_ENDINGS.iter().any(|ending| {
        last.strip_suffix(ending)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with(['_', '-', '.']) || rest.len() > 3)
    })
}

/// Whether a piece of a name holds a word that is not generic.
fn names_owner(piece: &[u8]) -> bool {
    let mut word = Vec::new();
    let mut owner = false;
    let mut previous_lower = false;
    for byte in piece.iter().copied().chain([b' ']) {
        let new_word = !byte.is_ascii_alphanumeric() || (previous_lower && byte.is_ascii_uppercase());
        if new_word {
            let lower = word.to_ascii_lowercase();
            owner |= lower.len() >= 2 && lower.iter().any(u8::is_ascii_alphabetic) && !GENERIC.holds(&lower);
            word.clear();
        }
        if byte.is_ascii_alphanumeric() {
            word.push(byte);
        }
        previous_lower = byte.is_ascii_lowercase();
    }
    owner
}

/// The word before the name, if only spaces lie between.
pub(super) fn previous_word(text: &[u8], start: usize) -> &[u8] {
    let spaces = text[..start].iter().rev().take_while(|b| **b == b' ').count();
    let end = start - spaces;
    if spaces == 0 || spaces > 2 {
        return &[];
    }
    let length = text[..end].iter().rev().take(32).take_while(|b| is_name_byte(**b) || **b == b'-').count();
    &text[end - length..end]
}
