//! Lines, and whether a content has any.

/// So much of a content tells git whether it is text.
pub const HEAD: usize = 8000;

/// Git's rule: a NUL byte near the beginning. What is shown and counted is decided by it, as people know it from git.
pub fn is_binary(content: &[u8]) -> bool {
    has_nul(&content[..content.len().min(HEAD)])
}

/// The stricter rule, for whoever writes lines back: a NUL byte anywhere.
pub fn has_nul(content: &[u8]) -> bool {
    content.contains(&0)
}

/// How many lines end here.
pub fn line_breaks(content: &[u8]) -> usize {
    content.iter().filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_far_behind_is_text_to_git_and_not_to_who_writes() {
        let late = [&[b'a'; HEAD][..], &[0]].concat();
        assert!(!is_binary(&late) && has_nul(&late));
        assert!(is_binary(b"a\0b") && !is_binary(b"\xff\n") && !is_binary(b""));
        assert_eq!((line_breaks(b"a\r\nb\n\nc"), line_breaks(b"")), (3, 0));
    }
}
