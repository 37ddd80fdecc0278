//! Where a path really leads, and who keeps what lies there.

use std::path::{Component, Path, PathBuf};

use project::{Context, git_mark, holds_everything, known_project_of};
use shell::Place;

use crate::judge;

/// Who keeps what lies at a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keeper {
    /// The project that the session is about.
    Inside,
    /// Another project, with this root.
    Project(PathBuf),
    /// The store of loose files below this top of the file system.
    Loose(PathBuf),
    /// Nobody: throw-away files, the system's own, vib's own.
    Nobody,
}

/// The path as the disk has it: every link of the folders above resolved, and one at its end too if it is followed. What is not there yet stands
/// behind the nearest folder that is.
pub(crate) fn real_path(path: &Path, follow: bool) -> PathBuf {
    let mut here = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                // `..` behind a link leaves the folder that the link leads to.
                here = here.canonicalize().unwrap_or(here);
                here.pop();
            }
            other => here.push(other),
        }
    }
    if follow {
        if let Ok(real) = here.canonicalize() {
            return real;
        }
        // Writing through a link that leads nowhere yet makes what it leads to.
        if let (Ok(target), Some(folder)) = (here.read_link(), here.parent()) {
            here = folder.join(target);
        }
    }
    let mut missing = Vec::new();
    let mut above = here.as_path();
    while let (Some(folder), Some(name)) = (above.parent(), above.file_name()) {
        missing.push(name);
        if let Ok(real) = folder.canonicalize() {
            return missing.iter().rev().fold(real, |path, name| path.join(name));
        }
        above = folder;
    }
    here
}

/// Who keeps what lies at this path, which is one that [`real_path`] gave. `root` is the project of the session, if
/// there is one.
pub(super) fn keeper_of(context: &Context, root: Option<&Path>, path: &Path) -> Keeper {
    if root.is_some_and(|root| path.starts_with(root)) {
        return Keeper::Inside;
    }
    let place = judge::place_in(context, root, &path.to_string_lossy());
    if matches!(place, Place::VibState | Place::Stream | Place::Device) {
        return Keeper::Nobody;
    }
    if let Some(known) = known_project_of(context, path) {
        return Keeper::Project(known);
    }
    let is_kept = match place {
        Place::System | Place::Home | Place::Remote => false,
        Place::Temp => is_in_repository(path),
        _ => true,
    };
    match path.ancestors().last() {
        Some(top) if is_kept && top.is_absolute() => Keeper::Loose(top.to_path_buf()),
        _ => Keeper::Nobody,
    }
}

/// A clone among throw-away files is somebody's work all the same.
fn is_in_repository(path: &Path) -> bool {
    path.ancestors()
        .skip(1)
        .take_while(|folder| holds_everything(folder).is_none())
        .any(|folder| git_mark(folder).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_resolved_above_a_name_and_at_it_only_where_it_is_followed_t8() {
        use std::os::unix::fs::symlink;
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("real/deep")).unwrap();
        std::fs::write(base.join("real/file"), "x").unwrap();
        symlink("real", base.join("folder")).unwrap();
        symlink("real/file", base.join("link")).unwrap();
        symlink("real/later", base.join("dangling")).unwrap();
        for (typed, entry, followed) in [
            ("folder/file", "real/file", "real/file"),
            ("folder/new/x", "real/new/x", "real/new/x"),
            ("folder/deep/../file", "real/file", "real/file"),
            ("folder/../folder/file", "real/file", "real/file"),
            ("link", "link", "real/file"),
            ("dangling", "dangling", "real/later"),
            ("./real/./file", "real/file", "real/file"),
        ] {
            assert_eq!(real_path(&base.join(typed), false), base.join(entry), "{typed}");
            assert_eq!(real_path(&base.join(typed), true), base.join(followed), "{typed}, followed");
        }
    }
}
