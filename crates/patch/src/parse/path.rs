//! File names as they stand in headers.

/// A name from a `---` or `+++` line: quotes undone, time stamp cut off. `None` for `/dev/null`.
pub(super) fn header_name(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii_start();
    if text.first() == Some(&b'"')
        && let Some((name, _)) = quoted(text)
    {
        return not_null(name);
    }
    let text = text.split(|&byte| byte == b'\t').next().unwrap_or_default();
    let text = without_time(text.trim_ascii());
    let text = strip_around(text, b'`');
    not_null(text.to_vec())
}

fn not_null(name: Vec<u8>) -> Option<Vec<u8>> {
    (name != b"/dev/null" && !name.is_empty()).then_some(name)
}

/// `name 2024-05-06 07:08:09.000 +0000`, as some tools write with spaces.
fn without_time(text: &[u8]) -> &[u8] {
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|&byte| byte == b' ').map(|at| from + at) {
        let rest = &text[at..].trim_ascii_start();
        let digit = |index: usize| rest.get(index).is_some_and(u8::is_ascii_digit);
        let dash = |index: usize| rest.get(index) == Some(&b'-');
        if (0..4).all(digit) && dash(4) && digit(5) && digit(6) && dash(7) && digit(8) && digit(9) {
            return text[..at].trim_ascii_end();
        }
        from = at + 1;
    }
    text
}

fn strip_around(text: &[u8], mark: u8) -> &[u8] {
    match text {
        [first, inner @ .., last] if *first == mark && *last == mark => inner,
        _ => text,
    }
}

/// A name in double quotes with C escapes, and what follows it.
pub(super) fn quoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (&escape, after) = rest.split_first()?;
                rest = after;
                match escape {
                    b'0'..=b'7' => {
                        let mut value = u32::from(escape - b'0');
                        for _ in 0..2 {
                            match rest.split_first() {
                                Some((digit @ b'0'..=b'7', after)) => {
                                    value = value * 8 + u32::from(digit - b'0');
                                    rest = after;
                                }
                                _ => break,
                            }
                        }
                        name.push((value & 0xff) as u8);
                    }
                    b'n' => name.push(b'\n'),
                    b't' => name.push(b'\t'),
                    b'r' => name.push(b'\r'),
                    other => name.push(other),
                }
            }
            other => name.push(other),
        }
    }
}

/// Takes `a/` and `b/` (or git's other pairs) off a pair of names. Says whether it did.
pub(super) fn strip_pair(old: &mut Option<Vec<u8>>, new: &mut Option<Vec<u8>>) -> bool {
    const PAIRS: [(&[u8], &[u8]); 6] =
        [(b"a/", b"b/"), (b"c/", b"i/"), (b"i/", b"w/"), (b"c/", b"w/"), (b"o/", b"w/"), (b"b/", b"a/")];
    let starts =
        |name: &Option<Vec<u8>>, prefix: &[u8]| name.as_ref().is_none_or(|name| name.starts_with(prefix));
    let found = PAIRS.iter().take(5).find(|(left, right)| starts(old, left) && starts(new, right));
    // One side only, or both sides alike (`--- a/x`, `+++ a/x`), but never a bare coincidence on other letters.
    let sloppy = || {
        let either = |name: &Option<Vec<u8>>| {
            name.as_ref().is_some_and(|name| name.starts_with(b"a/") || name.starts_with(b"b/"))
        };
        let rest = |name: &[u8]| -> Vec<u8> {
            name.strip_prefix(b"a/").or_else(|| name.strip_prefix(b"b/")).unwrap_or(name).to_vec()
        };
        match (&*old, &*new) {
            (Some(left), Some(right)) => (either(old) || either(new)) && rest(left) == rest(right),
            _ => false,
        }
    };
    let stripped = found.is_some() && (old.is_some() || new.is_some());
    let stripped = stripped || sloppy();
    if stripped {
        for name in [&mut *old, &mut *new].into_iter().flatten() {
            if name.get(1) == Some(&b'/') {
                name.drain(..2);
            }
        }
    }
    for name in [old, new].into_iter().flatten() {
        while name.starts_with(b"./") {
            name.drain(..2);
        }
    }
    stripped
}

/// The two names of `diff --git a/x b/x`. Names with spaces are split where both halves agree.
pub(super) fn git_names(text: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = text.trim_ascii();
    if text.starts_with(b"\"") {
        let (old, rest) = quoted(text)?;
        let rest = rest.trim_ascii_start();
        let new = quoted(rest).map_or_else(|| rest.to_vec(), |(new, _)| new);
        return Some((old, new));
    }
    let spaces = || text.iter().enumerate().filter(|(_, byte)| **byte == b' ').map(|(at, _)| at);
    let split = |at: usize| (text[..at].to_vec(), text[at + 1..].to_vec());
    let tail = |name: &[u8]| name.get(2..).map(<[u8]>::to_vec);
    spaces()
        .map(split)
        .find(|(old, new)| tail(old).is_some() && tail(old) == tail(new))
        .or_else(|| spaces().map(split).find(|(_, new)| new.starts_with(b"b/")))
        .or_else(|| spaces().next().map(split))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Option<String> {
        header_name(text.as_bytes()).map(|name| String::from_utf8_lossy(&name).into_owned())
    }

    #[test]
    fn names_lose_their_decoration() {
        assert_eq!(name("a/src/x.rs\t2024-01-01 00:00:00"), Some("a/src/x.rs".into()));
        assert_eq!(name("x y.rs 2024-01-01 00:00:00.0 +0000"), Some("x y.rs".into()));
        assert_eq!(name("\"a/\\303\\251.txt\""), Some("a/é.txt".into()));
        assert_eq!(name("`src/x.rs`"), Some("src/x.rs".into()));
        assert_eq!(name("/dev/null"), None);
    }

    #[test]
    fn pairs_are_stripped_together() {
        let strip = |old: &str, new: &str| {
            let some = |text: &str| (!text.is_empty()).then(|| text.as_bytes().to_vec());
            let (mut old, mut new) = (some(old), some(new));
            let done = strip_pair(&mut old, &mut new);
            let show = |name: Option<Vec<u8>>| {
                name.map(|name| String::from_utf8_lossy(&name).into_owned()).unwrap_or_default()
            };
            (done, show(old), show(new))
        };
        assert_eq!(strip("a/x", "b/x"), (true, "x".into(), "x".into()));
        assert_eq!(strip("", "b/x"), (true, String::new(), "x".into()));
        assert_eq!(strip("a/x", "x"), (true, "x".into(), "x".into()));
        assert_eq!(strip("src/x", "src/x"), (false, "src/x".into(), "src/x".into()));
        assert_eq!(strip("./x", "./x"), (false, "x".into(), "x".into()));
    }

    #[test]
    fn git_lines_with_spaces_are_split_where_the_halves_agree() {
        let names = git_names(b"a/my file b/my file").unwrap();
        assert_eq!(names, (b"a/my file".to_vec(), b"b/my file".to_vec()));
    }
}
