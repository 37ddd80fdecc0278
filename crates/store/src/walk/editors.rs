//! What editors leave beside a file while it is open or being saved: nobody's work, and gone again by itself. (M7)

/// Endings that nothing else has.
const ENDINGS: &[&[u8]] = &[
    b"___jb_tmp___",
    b"___jb_old___",
    b"___jb_bak___",
    b".vsctmp",
    b".kate-swp",
    b".un~",
    b".swp~",
    b".crswap",
];

/// Beginnings that nothing else has, with at least one letter behind them.
const BEGINNINGS: &[&[u8]] = &[b".goutputstream-", b".#", b".fuse_hidden", b".nfs0", b"~$"];

/// Vim tries whether it may write in a folder with names like this, and takes them away at once.
const TRIALS: &[&[u8]] = &[b"4913", b"5036", b"5159", b"5282", b"5405"];

/// What a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// An editor's own for certain.
    Certain,
    /// A copy of the file of this length of name, if there is one beside it.
    CopyOf(usize),
    /// A trial, if it is empty.
    Trial,
}

/// Whether an editor leaves files of this name.
pub(super) fn left_by_editor(name: &[u8]) -> Option<Left> {
    let is_swap = || {
        let length = name.len();
        name.starts_with(b".")
            && length >= 5
            && name[length - 4..].starts_with(b".sw")
            && name[length - 1].is_ascii_lowercase()
            && name[length - 1] >= b'h'
    };
    let is_between = |first: &[u8], last: &[u8]| {
        name.len() > first.len() + last.len() && name.starts_with(first) && name.ends_with(last)
    };
    let ends = ENDINGS.iter().any(|end| name.len() > end.len() && name.ends_with(end));
    let begins = BEGINNINGS.iter().any(|begin| name.len() > begin.len() && name.starts_with(begin));
    if ends
        || begins
        || is_swap()
        || is_between(b"#", b"#")
        || is_between(b".~lock.", b"#")
        || is_written_anew(name)
    {
        return Some(Left::Certain);
    }
    if TRIALS.contains(&name) {
        return Some(Left::Trial);
    }
    is_between(b"", b"~").then(|| Left::CopyOf(name.len() - 1))
}

/// `cart.js.tmp.4711.1763412345678`: a file that is about to take the place of another, with the number of the process and the time.
fn is_written_anew(name: &[u8]) -> bool {
    let Some(at) = name.windows(5).position(|part| part == b".tmp.") else { return false };
    let numbers: Vec<&[u8]> = name[at + 5..].split(|byte| *byte == b'.').collect();
    let is_number = |part: &&[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_hexdigit);
    at > 0 && numbers.len() == 2 && numbers.iter().all(is_number) && numbers[0].iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_editors_leave_is_told_from_what_people_write_m7() {
        for name in [
            ".cart.js.swp",
            ".cart.js.swo",
            ".swp.swp",
            "#cart.js#",
            ".#cart.js",
            "cart.js___jb_tmp___",
            "cart.js___jb_old___",
            ".cart.js.kate-swp",
            ".goutputstream-ABC123",
            "cart.js.vsctmp",
            ".~lock.a.odt#",
            ".cart.js.un~",
            "cart.js.tmp.4711.1763412345678",
            "~$brief.docx",
            ".nfs000000000123",
        ] {
            assert_eq!(left_by_editor(name.as_bytes()), Some(Left::Certain), "{name}");
        }
        assert_eq!(left_by_editor(b"cart.js~"), Some(Left::CopyOf(7)));
        assert_eq!(left_by_editor(b"4913"), Some(Left::Trial));
        for name in [
            "cart.js",
            ".swp",
            "a.swp",
            ".env",
            "#",
            "##",
            ".gitignore",
            "~",
            "4914",
            "swap.swift",
            ".x.swift",
            "a#b#c",
            "notes.tmp",
            "x.tmp.1",
            "x.tmp.a.b",
            ".nfs",
            ".config.swg",
            "#readme",
            "___jb_tmp___",
        ] {
            assert_eq!(left_by_editor(name.as_bytes()), None, "{name}");
        }
    }
}
