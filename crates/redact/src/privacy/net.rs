//! Private and loopback addresses, internal host names.

use super::{PrivacyContext, Private};

/// Endings that only internal hosts have.
const INTERNAL: &[&str] =
    &["lan", "intranet", "corp", "localdomain", "home.arpa", "cluster.local", "internal", "local", "private"];
/// Of those, the ones that code uses for members and files as well (`thread.local`, `settings.local`).
const AMBIGUOUS: &[&str] = &["internal", "local", "private", "corp"];

/// Every machine's name for itself.
pub(super) fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || name == "::1" || name.starts_with("127.")
}

/// Finds private, loopback and link-local addresses.
pub(super) fn find_addresses(text: &[u8], found: &mut Vec<Private>) {
    let mut at = 0;
    while at < text.len() {
        if !(text[at].is_ascii_digit() || text[at] == b':' || matches!(text[at], b'f' | b'F')) {
            at += 1;
            continue;
        }
        let border = at == 0
            || !(text[at - 1].is_ascii_alphanumeric() || matches!(text[at - 1], b'.' | b':' | b'_'))
            || text[..at].ends_with(b"\\n");
        let length = if border { v4_length(&text[at..]).or_else(|| v6_length(&text[at..])) } else { None };
        match length {
            Some(length) => {
                found.push(Private::marked(at, at + length, "ip"));
                at += length;
            }
            None => at += 1,
        }
    }
}

/// Length of a private IPv4 address at the start of `rest`.
fn v4_length(rest: &[u8]) -> Option<usize> {
    let mut parts = [0u16; 4];
    let mut at = 0;
    for (index, part) in parts.iter_mut().enumerate() {
        if index > 0 {
            (rest.get(at) == Some(&b'.')).then_some(())?;
            at += 1;
        }
        let digits = rest[at..].iter().take(4).take_while(|b| b.is_ascii_digit()).count();
        (1..=3).contains(&digits).then_some(())?;
        *part = std::str::from_utf8(&rest[at..at + digits]).ok()?.parse().ok()?;
        at += digits;
    }
    let goes_on = rest.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
        || (rest.get(at) == Some(&b'.') && rest.get(at + 1).is_some_and(u8::is_ascii_digit));
    let private = match parts {
        [10 | 127, ..] | [192, 168, ..] | [169, 254, ..] => true,
        [172, second, ..] => (16..=31).contains(&second),
        [100, second, ..] => (64..=127).contains(&second),
        _ => false,
    };
    (private && !goes_on && parts.iter().all(|part| *part <= 255)).then_some(at)
}

/// Length of a loopback, unique-local or link-local IPv6 address at the start of `rest`.
fn v6_length(rest: &[u8]) -> Option<usize> {
    // `::1`, `fe80:…`, `fc…`, `fd…`: no other sign begins one.
    matches!(rest.first(), Some(b':' | b'f' | b'F')).then_some(())?;
    let length = rest.iter().take(46).take_while(|b| b.is_ascii_hexdigit() || **b == b':').count();
    let body = std::str::from_utf8(&rest[..length]).ok()?.to_ascii_lowercase();
    let groups = body.split(':').count();
    let double = body.contains("::");
    let local = body == "::1"
        || ((body.starts_with("fe8") || body.starts_with("fc") || body.starts_with("fd"))
            && body.find(':') == Some(4)
            && (groups == 8 || (double && groups >= 3)));
    let goes_on = rest.get(length).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    (local && !goes_on && !body.ends_with(":::")).then_some(length)
}

/// Finds `localhost`, machine names and hosts of internal domains.
pub(super) fn find_hosts(text: &[u8], context: &PrivacyContext, found: &mut Vec<Private>) {
    let mut at = 0;
    while at < text.len() {
        if !text[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let length = text[at..].iter().take(260).take_while(|b| is_host_byte(**b)).count();
        let mut end = at + length;
        while end > at && matches!(text[end - 1], b'.' | b'-') {
            end -= 1;
        }
        let plain = (at == 0 || !matches!(text[at - 1], b'_' | b'.' | b'$' | b'-'))
            && !text.get(end).is_some_and(|b| matches!(b, b'_' | b'('));
        let lone = is_lone_host(text, at, end);
        if lone {
            found.push(Private::marked(at, end, "host"));
        } else if plain && (text[at..end].contains(&b'.') || text[at..end].contains(&b'-') || length == 9) {
            let name = String::from_utf8_lossy(&text[at..end]).to_ascii_lowercase();
            if is_internal(&name, text, at, end, context) {
                found.push(Private::marked(at, end, "host"));
            }
        }
        at += length.max(1);
    }
}

/// `http://intranet/wiki`: only an internal host has no dot in its name.
fn is_lone_host(text: &[u8], start: usize, end: usize) -> bool {
    #[rustfmt::skip]
    const STAND_INS: &[&[u8]] = &[
        b"host", b"hostname", b"server", b"domain", b"example", b"foo", b"bar", b"baz", b"url", b"user", b"path", b"site",
        b"address", b"endpoint", b"your-host", b"proxy-host",
    ];
    let web = [&b"http://"[..], b"https://", b"ws://", b"wss://"];
    let name = &text[start..end];
    start > 3
        && text[start - 1] == b'/'
        && web.iter().any(|scheme| text[..start].ends_with(scheme))
        && name.len() > 1
        && !name.contains(&b'.')
        && text.get(end).is_none_or(|b| matches!(b, b'/' | b':' | b'"' | b'\'' | b' ' | b'\n' | b')' | b'?'))
        && !STAND_INS.iter().any(|word| name.eq_ignore_ascii_case(word))
}

fn is_internal(name: &str, text: &[u8], start: usize, end: usize, context: &PrivacyContext) -> bool {
    if name == "localhost" || name == "localhost.localdomain" || name == "host.docker.internal" {
        return true;
    }
    if context.internal_domains.iter().any(|domain| {
        let domain = domain.trim_start_matches('.').to_ascii_lowercase();
        name == domain || name.strip_suffix(&domain).is_some_and(|host| host.ends_with('.'))
    }) {
        return true;
    }
    if is_machine_name(name) {
        return true;
    }
    let Some((ending, host)) = INTERNAL.iter().find_map(|ending| {
        name.strip_suffix(ending).and_then(|host| host.strip_suffix('.')).map(|host| (*ending, host))
    }) else {
        return false;
    };
    if host.is_empty()
        || start > 0
            && matches!(text[start - 1], b'/' | b'\\')
            && !text[..start].ends_with(b"//")
            && !text[..start].ends_with(b"\\\\")
    {
        return false;
    }
    let addressed = text[..start].ends_with(b"://")
        || start > 0 && text[start - 1] == b'@'
        || text.get(end) == Some(&b':') && text.get(end + 1).is_some_and(u8::is_ascii_digit)
        || text.get(end) == Some(&b'/');
    let first = host.split('.').next().unwrap_or_default();
    let telling = host.split('.').count() >= 2 || first.bytes().any(|b| b.is_ascii_digit() || b == b'-');
    addressed || telling || !AMBIGUOUS.contains(&ending)
}

/// Names that systems give machines by themselves.
fn is_machine_name(name: &str) -> bool {
    let coded = ["desktop-", "laptop-", "win-"].iter().any(|prefix| {
        name.strip_prefix(prefix).is_some_and(|code| {
            (7..=11).contains(&code.len())
                && code.bytes().all(|b| b.is_ascii_alphanumeric())
                && code.bytes().any(|b| b.is_ascii_digit())
        })
    });
    coded || ["s-macbook", "s-imac", "s-mac-mini", "s-mbp"].iter().any(|part| name.contains(part))
}

fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
}
