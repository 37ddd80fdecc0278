//! Where a path really leads.

use std::path::{Path, PathBuf};

/// So many links are followed; a longer chain leads nowhere for the system either.
const MOST_LINKS: u32 = 40;

/// The place that a write to this path ends up at. Links are followed also where nothing is there yet: writing through such a link
/// makes what it names.
pub(super) fn written(path: &Path) -> PathBuf {
    follow(path, &mut { MOST_LINKS })
}

/// The place of the name itself: a link at its end is not followed, because deleting takes the link.
pub(super) fn named(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => follow(folder, &mut { MOST_LINKS }).join(name),
        _ => path.to_path_buf(),
    }
}

fn follow(path: &Path, left: &mut u32) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return path.to_path_buf() };
    if *left == 0 {
        return path.to_path_buf();
    }
    *left -= 1;
    match std::fs::read_link(path) {
        Ok(to) => follow(&folder.join(to), left),
        Err(_) => follow(folder, left).join(name),
    }
}

/// The number by which the file system knows a file that has other names too; none: this is its only name, or nothing is there.
#[cfg(unix)]
pub(super) fn shared_number(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let facts = std::fs::metadata(path).ok()?;
    (facts.is_file() && facts.nlink() > 1).then(|| (facts.dev(), facts.ino()))
}

/// The number of a file.
#[cfg(unix)]
pub(super) fn number(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let facts = std::fs::symlink_metadata(path).ok()?;
    facts.is_file().then(|| (facts.dev(), facts.ino()))
}

/// Both names lead to the same file.
#[cfg(unix)]
pub(super) fn same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |path: &Path| std::fs::metadata(path).ok().map(|facts| (facts.dev(), facts.ino()));
    number(one).is_some_and(|found| number(other) == Some(found))
}

/// Both names lead to the same file.
#[cfg(not(unix))]
pub(super) fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Where the system does not tell, no two names are known to be one file.
#[cfg(not(unix))]
pub(super) fn shared_number(_: &Path) -> Option<(u64, u64)> {
    None
}

/// The number of a file.
#[cfg(not(unix))]
pub(super) fn number(_: &Path) -> Option<(u64, u64)> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_also_to_what_is_not_there_yet_s13() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("real")).unwrap();
        symlink("real", base.join("folder")).unwrap();
        symlink("folder/new.txt", base.join("link")).unwrap();
        symlink(base.join("link"), base.join("far")).unwrap();
        assert_eq!(written(&base.join("folder/sub/new.txt")), base.join("real/sub/new.txt"));
        assert_eq!(written(&base.join("link")), base.join("real/new.txt"));
        assert_eq!(written(&base.join("far")), base.join("real/new.txt"));
        assert_eq!(named(&base.join("far")), base.join("far"));
        assert_eq!(named(&base.join("folder/x")), base.join("real/x"));
        symlink("b", base.join("a")).unwrap();
        symlink("a", base.join("b")).unwrap();
        written(&base.join("a"));
    }
}
