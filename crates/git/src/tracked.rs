//! What git tracks: the names in its index, read from the file itself.

/// More than this is no index that anybody waits for.
pub const LONGEST_INDEX: u64 = 256 << 20;

/// The names in git's index, from the top of the working tree.
#[derive(Debug, Default)]
pub struct Tracked {
    names: Vec<Vec<u8>>,
}

impl Tracked {
    /// Reads the content of an index file. What cannot be read names nothing.
    pub fn read(index: &[u8]) -> Self {
        // An id has 20 bytes, or 32 in newer repositories; the length of each name tells which it is.
        let names = names(index, 20).or_else(|| names(index, 32));
        Self { names: names.unwrap_or_default() }
    }

    /// True if this file is tracked, or something in this folder.
    pub fn holds(&self, path: &[u8]) -> bool {
        self.names.iter().any(|name| name == path) || self.below(path)
    }

    /// True if something in this folder is tracked.
    pub fn below(&self, folder: &[u8]) -> bool {
        self.names.iter().any(|name| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with(b"/")))
    }
}

/// The names of an index whose ids have this many bytes; nothing if it does not read like one.
fn names(index: &[u8], id: usize) -> Option<Vec<Vec<u8>>> {
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?));
    if index.get(..4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut names: Vec<Vec<u8>> = Vec::new();
    let mut at = 12;
    for _ in 0..count {
        // Ten numbers, the id, and the flags.
        let flags_at = at + 40 + id;
        let flags = u16::from_be_bytes(index.get(flags_at..flags_at + 2)?.try_into().ok()?);
        let is_longer = version >= 3 && flags & 0x4000 != 0;
        let mut from = flags_at + if is_longer { 4 } else { 2 };
        let mut name = Vec::new();
        if version == 4 {
            let (strip, next) = offset(index, from)?;
            let last = names.last().map_or(&[][..], Vec::as_slice);
            name.extend_from_slice(last.get(..last.len().checked_sub(strip)?)?);
            from = next;
        }
        let length = index.get(from..)?.iter().position(|&byte| byte == 0)?;
        name.extend_from_slice(&index[from..from + length]);
        let told = usize::from(flags & 0xfff);
        if name.is_empty() || told != name.len().min(0xfff) {
            return None;
        }
        at = match version {
            4 => from + length + 1,
            _ => at + ((from + length - at) / 8 + 1) * 8,
        };
        names.push(name);
    }
    Some(names)
}

/// A number as git writes them where they are usually small.
fn offset(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_shl(7)? | usize::from(byte & 0x7f);
    }
    Some((value, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_index_of_a_real_repository_is_read_in_every_form() {
        for version in ["2", "3", "4"] {
            let tmp = tempfile::tempdir().expect("a folder");
            let git = |words: &[&str]| {
                let done = Command::new("git").args(words).current_dir(tmp.path()).output().expect("git");
                assert!(done.status.success(), "{words:?}: {done:?}");
            };
            git(&["init", "-q"]);
            for file in ["a.txt", "src/one.js", "src/deep/two.js", "srcs/three.js"] {
                let path = tmp.path().join(file);
                std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
                std::fs::write(path, file).expect("written");
            }
            git(&["add", "a.txt", "src"]);
            git(&["update-index", "--index-version", version]);
            let tracked = Tracked::read(&std::fs::read(tmp.path().join(".git/index")).expect("an index"));
            assert!(tracked.below(b"src") && tracked.below(b"src/deep"), "version {version}");
            assert!(!tracked.below(b"srcs") && !tracked.below(b"sr") && !tracked.below(b"a.txt"));
        }
    }

    #[test]
    fn what_is_no_index_names_nothing() {
        for bytes in
            [&b""[..], b"DIRC", b"DIRC\0\0\0\x02\0\0\0\x09short", b"hello there, this is no index at all"]
        {
            assert!(!Tracked::read(bytes).below(b"src"));
        }
    }
}
