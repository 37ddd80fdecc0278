//! Absolute paths, in any system's notation: relative to the project, to the home folder (`~`), or just the last part.

use super::{PrivacyContext, Private};

/// First folders of POSIX paths that lead to somebody's own files.
#[rustfmt::skip]
const PRIVATE_ROOTS: &[&str] = &[
    "home", "Users", "root", "mnt", "media", "Volumes", "srv", "opt", "var", "tmp", "private", "data",
    "work", "workspace", "workspaces", "builds", "scratch", "export", "nfs", "storage", "backup", "run",
    "code", "projects", "repos", "runner",
];

/// First folders on a Windows drive that are the same everywhere.
const COMMON_WINDOWS: &[&str] = &["windows", "program files", "program files (x86)", "programdata"];

/// Finds absolute paths.
pub(super) fn find(text: &[u8], context: &PrivacyContext, found: &mut Vec<Private>) {
    find_known(text, context.project_root.as_deref(), Known::Project, found);
    find_known(text, context.home.as_deref(), Known::Home, found);
    let extra =
        [&context.project_root, &context.home].into_iter().flatten().filter_map(|path| first_folder(path));
    let roots: Vec<&str> = PRIVATE_ROOTS.iter().copied().chain(extra).collect();
    // What lies inside a path is part of it: each stretch of the text is looked at once.
    let mut upto = 0;
    for at in memchr::memchr_iter(b'/', text) {
        if at >= upto
            && starts_path(text, at)
            && (is_rooted(&text[at + 1..], &roots) || is_drive(&text[at + 1..]))
        {
            upto = push(text, at, found);
        }
    }
    upto = 0;
    for at in memchr::memchr2_iter(b':', b'\\', text) {
        if let Some(start) = windows_start(text, at).filter(|start| *start >= upto) {
            upto = push(text, start, found);
        }
    }
}

#[derive(Clone, Copy)]
enum Known {
    Project,
    Home,
}

/// A folder that the context names: found literally, so that spaces in it do not matter.
fn find_known(text: &[u8], folder: Option<&str>, known: Known, found: &mut Vec<Private>) {
    let Some(folder) =
        folder.map(|folder| folder.trim_end_matches(['/', '\\'])).filter(|folder| folder.len() > 1)
    else {
        return;
    };
    let mut upto = 0;
    for start in memchr::memmem::find_iter(text, folder.as_bytes()) {
        // What lies inside a path that was found is part of it.
        if start < upto {
            continue;
        }
        let end = start + folder.len();
        let inner = text.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        let glued = start > 0 && text[start - 1].is_ascii_alphanumeric();
        if inner || glued {
            continue;
        }
        let stop = path_end(text, end, folder.starts_with('/'));
        upto = stop;
        let rest = String::from_utf8_lossy(&text[end..stop]).replace('\\', "/");
        let rest = rest.trim_start_matches('/');
        let replacement = match known {
            Known::Project if rest.is_empty() => ".".to_owned(),
            Known::Project => rest.to_owned(),
            Known::Home => shorten("~", rest),
        };
        let start = if text[..start].ends_with(b"file://") { start - 7 } else { start };
        found.push(Private { start, end: stop, replacement });
    }
}

/// Adds the path that begins here; gives its end.
fn push(text: &[u8], start: usize, found: &mut Vec<Private>) -> usize {
    let end = with_spaced_name(text, start, path_end(text, start, text[start] == b'/'));
    let path = String::from_utf8_lossy(&text[start..end]).replace('\\', "/");
    let start = if text[..start].ends_with(b"file://") { start - 7 } else { start };
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 && parts.first() != Some(&"root") {
        return end;
    }
    let replacement = match home_parts(&parts) {
        Some(own) => shorten("~", &parts[own..].join("/")),
        None => shorten("…", parts.last().copied().unwrap_or_default()),
    };
    found.push(Private { start, end, replacement });
    end
}

/// In quotes, a home folder may have a space in its name: `"/Users/Ann Lee/x"`. The end of the path, then.
fn with_spaced_name(text: &[u8], start: usize, end: usize) -> usize {
    let quoted = start > 0 && matches!(text[start - 1], b'"' | b'\'' | b'`');
    let path = String::from_utf8_lossy(&text[start..end]).replace('\\', "/");
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if !quoted || text.get(end) != Some(&b' ') || home_parts(&parts) != Some(parts.len()) {
        return end;
    }
    let rest = path_end(text, end + 1, text[start] == b'/');
    let next = &text[end + 1..rest];
    let goes_on = next.iter().any(|b| matches!(b, b'/' | b'\\')) && !matches!(next[0], b'/' | b'-' | b'\\');
    if goes_on { rest } else { end }
}

/// How many of the parts make up somebody's home folder.
fn home_parts(parts: &[&str]) -> Option<usize> {
    let lower: Vec<String> = parts.iter().take(5).map(|part| part.to_ascii_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    match lower.as_slice() {
        ["root", ..] => Some(1),
        ["home" | "users", _, ..] => Some(2),
        [drive, "users" | "home", _, ..] if drive.ends_with(':') || drive.len() == 1 => Some(3),
        ["mnt", _, "users", _, ..] => Some(4),
        ["wsl$" | "wsl.localhost", _, "home", _, ..] => Some(4),
        ["var", "home", _, ..] => Some(3),
        _ => None,
    }
}

/// `base/rest` with the middle of `rest` left out.
fn shorten(base: &str, rest: &str) -> String {
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [] => base.to_owned(),
        [one] => format!("{base}/{one}"),
        [one, two] if base == "~" => format!("{base}/{one}/{two}"),
        [.., last] => format!("{base}/…/{last}").replace("…/…", "…"),
    }
}

/// Whether a `/` begins a path rather than continuing one, a URL or a fraction.
fn starts_path(text: &[u8], at: usize) -> bool {
    match at.checked_sub(1).map(|before| text[before]) {
        None => true,
        Some(b'/') => text[..at].ends_with(b"file://"),
        // `-I/home/…`: a flag and its path.
        Some(flag) if flag.is_ascii_alphabetic() => {
            let before = &text[..at - 1];
            before.ends_with(b" -") || before.ends_with(b"\n-") || before == b"-"
        }
        Some(before) => {
            !before.is_ascii_alphanumeric()
                && before.is_ascii()
                && !matches!(
                    before,
                    b'.' | b'_' | b'-' | b'~' | b'*' | b'%' | b'$' | b'}' | b')' | b']' | b'\\'
                )
        }
    }
}

/// `/c/Users/…`, as Git Bash writes drives.
fn is_drive(rest: &[u8]) -> bool {
    matches!(rest, [drive, b'/', ..] if drive.is_ascii_alphabetic())
        && [&b"Users/"[..], b"home/"].iter().any(|folder| rest[2..].starts_with(folder))
}

fn is_rooted(rest: &[u8], roots: &[&str]) -> bool {
    roots.iter().any(|root| {
        rest.starts_with(root.as_bytes())
            && (rest.get(root.len()).is_some_and(|b| *b == b'/')
                || (*root == "root" && !rest.get(4).is_some_and(|b| is_path_byte(*b))))
    })
}

/// The start of `C:\…`, `C:/…`, `\\host\share` or `\\wsl$\…` whose colon or backslash is at `at`.
fn windows_start(text: &[u8], at: usize) -> Option<usize> {
    let border = |start: usize| start == 0 || !text[start - 1].is_ascii_alphanumeric();
    if text[at] == b':' {
        let start = at.checked_sub(1)?;
        (text[start].is_ascii_alphabetic() && border(start)).then_some(())?;
        let slashes = text[at + 1..].iter().take(4).take_while(|b| matches!(b, b'\\' | b'/')).count();
        let url = slashes >= 2 && text[at + 1] == b'/';
        (slashes > 0 && !url).then_some(())?;
        let rest = text[at + 1 + slashes..].iter().take(24).map(u8::to_ascii_lowercase).collect::<Vec<_>>();
        rest.first().filter(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'))?;
        let common = COMMON_WINDOWS.iter().any(|folder| rest.starts_with(folder.as_bytes()));
        return (!common).then_some(start);
    }
    let slashes = text[at..].iter().take(5).take_while(|b| **b == b'\\').count();
    let first = at == 0 || text[at - 1] != b'\\';
    let host = text[at + slashes..]
        .iter()
        .take(64)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'$'))
        .count();
    let share = text.get(at + slashes + host) == Some(&b'\\')
        && text.get(at + slashes + host + 1).is_some_and(|b| is_path_byte(*b));
    (first && border(at) && matches!(slashes, 2 | 4) && host >= 2 && share).then_some(at)
}

/// Where a path ends: white space, quotes, brackets or a colon that no path holds.
fn path_end(text: &[u8], start: usize, posix: bool) -> usize {
    let mut end = start;
    while let Some(byte) = text.get(end) {
        let drive = *byte == b':' && end == start + 1;
        if !is_path_byte(*byte) && !drive {
            break;
        }
        // In a POSIX path a backslash belongs to what follows (`\n`, `\"`); in a Windows path it parts the folders.
        if *byte == b'\\' && (posix || text.get(end + 1).is_none_or(|next| matches!(next, b'"' | b'\''))) {
            break;
        }
        end += 1;
    }
    while end > start && matches!(text[end - 1], b'.' | b',' | b'!' | b'?') {
        end -= 1;
    }
    end
}

fn is_path_byte(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && byte >= 0x20 && !b"\"'`<>|:;,()[]{}*?&=#".contains(&byte)
}

fn first_folder(path: &str) -> Option<&str> {
    let mut parts = path.strip_prefix('/')?.split('/');
    let first = parts.next().filter(|first| !first.is_empty())?;
    const SHARED: &[&str] = &["usr", "bin", "etc", "dev", "proc", "sys", "lib", "lib64", "sbin", "boot"];
    (!SHARED.contains(&first)).then_some(first)
}
