//! In a very large project, users of what is gone are looked for in the files nearest to what changed.

use std::collections::HashMap;

use map::Language;
use project::RelPath;

use crate::ChangedFile;

/// So many files are looked through.
const MOST: usize = 1_500;

/// The nearest files.
#[derive(Debug)]
pub struct Near<E> {
    /// They, in order of path.
    pub files: Vec<(RelPath, E)>,
    /// Programs that are not among them.
    pub left_out: usize,
}

/// The files with the longest common way of folders with one that changed; none where all can be looked through.
pub fn nearest<E: Clone>(present: &[(RelPath, E)], changed: &[ChangedFile]) -> Option<Near<E>> {
    if present.len() <= MOST {
        return None;
    }
    // Every folder above a changed file, with how deep it is.
    let mut above: HashMap<&[u8], usize> = HashMap::new();
    for path in changed.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]).flatten() {
        above.extend(folders(path.as_bytes()).enumerate().map(|(depth, folder)| (folder, depth + 1)));
    }
    let mut all: Vec<(usize, &(RelPath, E))> = present
        .iter()
        .filter(|(path, _)| Language::of_path(path.as_bytes()).is_some())
        .map(|file| {
            let depth = folders(file.0.as_bytes()).map_while(|folder| above.get(folder)).last();
            (depth.copied().unwrap_or(0), file)
        })
        .collect();
    // The order of paths is that of `present`; it stays among the equally near.
    all.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
    let left_out = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    let mut files: Vec<(RelPath, E)> = all.into_iter().map(|(_, file)| file.clone()).collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    Some(Near { files, left_out })
}

/// The folders of a path, outermost first.
fn folders(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &path[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_outermost_first() {
        let all: Vec<&[u8]> = folders(b"a/b/c.rs").collect();
        assert_eq!(all, [&b"a"[..], b"a/b"]);
        assert_eq!(folders(b"c.rs").count(), 0);
    }
}
