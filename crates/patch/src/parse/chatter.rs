//! File names in the words around an edit. They are guesses: whoever uses one checks that the file exists.

/// A name after the language of a code fence: ```` ```rust src/lib.rs ````, ```` ```diff:src/lib.rs ````.
pub(super) fn path_in_fence(info: &[u8]) -> Option<Vec<u8>> {
    info.split(|byte| matches!(byte, b' ' | b':' | b'=' | b'"' | b'{' | b'}' | b','))
        .rfind(|word| looks_like_path(word))
        .map(<[u8]>::to_vec)
}

/// A name in a line of words: in backticks, in stars, after `File:`, or the whole line.
pub(super) fn path_in_words(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.trim_ascii();
    if line.len() > 400 {
        return None;
    }
    let in_backticks = || {
        let words = line.split(|&byte| byte == b'`').skip(1).step_by(2);
        words.filter(|word| looks_like_path(word)).last().map(<[u8]>::to_vec)
    };
    let in_stars = || {
        let words = line.split(|&byte| byte == b'*').skip(1);
        words.filter(|word| looks_like_path(word)).last().map(<[u8]>::to_vec)
    };
    in_backticks().or_else(in_stars).or_else(|| {
        let bare = line.trim_ascii_start();
        let bare = [&b"File:"[..], b"file:", b"Filename:", b"Path:", b"Index:", b"#", b"//"]
            .iter()
            .find_map(|word| bare.strip_prefix(*word))
            .unwrap_or(bare)
            .trim_ascii();
        let bare = bare.strip_suffix(b":").unwrap_or(bare);
        looks_like_path(bare).then(|| bare.to_vec())
    })
}

/// One word with an ending or a folder, and nothing that names do not have.
fn looks_like_path(word: &[u8]) -> bool {
    let word = word.trim_ascii();
    let plain = word.iter().all(|byte| {
        byte.is_ascii_alphanumeric()
            || byte >= &0x80
            || matches!(byte, b'/' | b'.' | b'_' | b'-' | b'+' | b'@')
    });
    let has_ending = word
        .iter()
        .rposition(|&byte| byte == b'.')
        .is_some_and(|at| at + 1 < word.len() && word[at + 1..].iter().all(u8::is_ascii_alphanumeric));
    let has_folder = word.contains(&b'/') && word.last() != Some(&b'/');
    word.len() > 1 && plain && (has_ending || has_folder) && word.iter().any(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_words() {
        for (line, path) in [
            (&b"Here is the change to `src/a.rs`:"[..], Some(&b"src/a.rs"[..])),
            (b"**src/a.rs**", Some(b"src/a.rs")),
            (b"File: Makefile.am", Some(b"Makefile.am")),
            (b"src/a.rs:", Some(b"src/a.rs")),
            (b"Let me know if you need anything else!", None),
            (b"", None),
        ] {
            assert_eq!(path_in_words(line).as_deref(), path);
        }
        assert_eq!(path_in_fence(b"diff:src/a.rs").as_deref(), Some(&b"src/a.rs"[..]));
        assert_eq!(path_in_fence(b"python"), None);
    }
}
