//! E-mail addresses, the user's and the machine's name, configured identifiers.

use super::{PrivacyContext, Private};

/// Login names that say nothing about anybody.
#[rustfmt::skip]
const COMMON_USERS: &[&str] = &[
    "root", "user", "users", "admin", "runner", "ubuntu", "debian", "node", "build", "test", "guest", "app",
    "dev", "git", "home", "vagrant", "docker", "jenkins", "ci", "default", "public", "agent", "claude",
    "codex", "private", "host", "name",
];

/// Finds e-mail addresses. `git@host:` is the usual remote, not a person.
pub(super) fn find_emails(text: &[u8], found: &mut Vec<Private>) {
    for at in memchr::memchr_iter(b'@', text) {
        let local = text[..at]
            .iter()
            .rev()
            .take(64)
            .take_while(|b| b.is_ascii_alphanumeric() || b"._%+-".contains(b))
            .count();
        let domain = text[at + 1..]
            .iter()
            .take(255)
            .take_while(|b| b.is_ascii_alphanumeric() || b".-".contains(b))
            .count();
        let mut end = at + 1 + domain;
        while end > at && matches!(text[end - 1], b'.' | b'-') {
            end -= 1;
        }
        let name = &text[at - local..at];
        let host = &text[(at + 1).min(end)..end];
        let ending = host.rsplit(|b| *b == b'.').next().unwrap_or_default();
        let is_domain = host.contains(&b'.')
            && ending.len() >= 2
            && ending.iter().all(u8::is_ascii_alphabetic)
            && host[0] != b'.';
        if let Some(host_end) = login_host(text, at + 1)
            && local > 0
            && name != b"git"
        {
            found.push(Private::marked(at - local, at, "user"));
            if host_end > 0 {
                found.push(Private::marked(at + 1, host_end, "host"));
            }
            continue;
        }
        if local == 0 || !is_domain || name == b"git" || !name.iter().any(u8::is_ascii_alphanumeric) {
            continue;
        }
        let lead = name.iter().take_while(|b| !b.is_ascii_alphanumeric()).count();
        found.push(Private::marked(at - local + lead, end, "email"));
    }
}

/// Whether a login's host begins here: an address (whose end is none of our business: 0), or a machine with a folder behind it, as in
/// a prompt or a copy command (`ann@box:~/src`).
fn login_host(text: &[u8], start: usize) -> Option<usize> {
    let rest = &text[start..text.len().min(start + 64)];
    let numbers = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let address =
        rest[..numbers].split(|b| *b == b'.').filter(|part| (1..=3).contains(&part.len())).count() == 4;
    if address {
        return Some(0);
    }
    let label = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    let behind = &rest[label..];
    let folder = behind.starts_with(b":~") || (behind.starts_with(b":/") && !behind.starts_with(b"://"));
    (label > 0 && folder).then_some(start + label)
}

/// Finds the names that the context gives.
pub(super) fn find_names(text: &[u8], context: &PrivacyContext, found: &mut Vec<Private>) {
    let user = context
        .user
        .as_deref()
        .filter(|user| user.len() >= 3 && !COMMON_USERS.contains(&&*user.to_ascii_lowercase()));
    let host = context
        .host
        .as_deref()
        .filter(|host| host.len() >= 3 && !matches!(*host, "localhost" | "host" | "private"));
    let short_host =
        host.and_then(|host| host.split_once('.')).map(|(short, _)| short).filter(|short| short.len() >= 4);
    for (name, what) in [(user, "user"), (host, "host"), (short_host, "host")] {
        if let Some(name) = name {
            find_word(text, name, what, found);
        }
    }
    for identifier in context.identifiers.iter().filter(|identifier| !identifier.trim().is_empty()) {
        find_word(text, identifier, "name", found);
    }
}

/// Finds a word wherever it stands alone, in any ASCII case.
fn find_word(text: &[u8], word: &str, what: &str, found: &mut Vec<Private>) {
    let word = word.as_bytes();
    let (first_low, first_up) = (word[0].to_ascii_lowercase(), word[0].to_ascii_uppercase());
    for start in memchr::memchr2_iter(first_low, first_up, text) {
        let end = start + word.len();
        let Some(here) = text.get(start..end) else { break };
        let before = start.checked_sub(1).map(|at| text[at]);
        let escaped = start >= 2 && text[start - 2] == b'\\' && matches!(text[start - 1], b'n' | b't' | b'r');
        let alone = (escaped || !before.is_some_and(|b| b.is_ascii_alphanumeric()))
            && !text.get(end).is_some_and(u8::is_ascii_alphanumeric);
        if alone && here.eq_ignore_ascii_case(word) {
            found.push(Private::marked(start, end, what));
        }
    }
}
