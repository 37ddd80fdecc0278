//! Hiding places from reading. The kernel knows only what is open, so everything beside a hidden place is opened by name.

use std::path::{Path, PathBuf};

/// Files and folders that together hold everything that is not hidden. None if there are more than `most`.
pub(crate) fn beside(hidden: &[PathBuf], most: usize) -> Option<Vec<PathBuf>> {
    let hidden: Vec<PathBuf> = hidden.iter().filter_map(|place| place.canonicalize().ok()).collect();
    let mut open = Vec::new();
    look(Path::new("/"), &hidden, most, &mut open)?;
    Some(open)
}

fn look(folder: &Path, hidden: &[PathBuf], most: usize, open: &mut Vec<PathBuf>) -> Option<()> {
    if hidden.iter().any(|place| place == folder) {
        return Some(());
    }
    if !hidden.iter().any(|place| place.starts_with(folder)) {
        open.push(folder.to_path_buf());
        return (open.len() <= most).then_some(());
    }
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        // Where a link leads is opened, or hidden, under its own name.
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            look(&entry.path(), hidden, most, open)?;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_beside_a_hidden_place_is_named() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        for folder in [".ssh", ".aws/deep", "code"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
        }
        std::fs::write(base.join(".aws/credentials"), "x").unwrap();
        std::os::unix::fs::symlink(base.join(".ssh"), base.join("keys")).unwrap();
        let open =
            beside(&[base.join(".ssh"), base.join(".aws/credentials"), base.join("gone")], 10_000).unwrap();
        let below: Vec<_> = open.iter().filter(|path| path.starts_with(&base)).cloned().collect();
        assert!(below.contains(&base.join("code")) && below.contains(&base.join(".aws/deep")), "{below:?}");
        for not in [".ssh", ".aws", ".aws/credentials", "keys"] {
            assert!(!below.contains(&base.join(not)), "{not}");
        }
        assert!(open.contains(&PathBuf::from("/usr")), "what is elsewhere is open as a whole");
        assert_eq!(beside(&[base.join(".ssh")], 2), None);
    }
}
