//! Projects inside a project: git work trees (`.worktrees/f1`), clones, submodules.
//!
//! A folder with a `.git` of its own is a project of its own for whoever works in it. For the project around it the question is
//! another one: what does it save? A submodule is a part of it. A clone that nobody ever worked in with vib is, too: a tool may
//! just have made it. A work tree, and a clone that is known as a project, belong to themselves: the project around them neither
//! saves them nor takes anything back in them.

use std::path::{Path, PathBuf};

use crate::identity;

/// The longest `.git` file that is read.
const LONGEST: u64 = 4096;

/// What a folder's `.git` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitMark {
    /// A repository.
    Repository,
    /// One of several work trees of a repository.
    WorkTree,
    /// A part of the repository around it.
    Submodule,
}

/// What the `.git` in a folder says, if there is one.
pub fn git_mark(folder: &Path) -> Option<GitMark> {
    let mark = folder.join(".git");
    let facts = mark.symlink_metadata().ok()?;
    if !facts.is_file() || facts.len() > LONGEST {
        return Some(GitMark::Repository);
    }
    Some(std::fs::read(&mark).map_or(GitMark::Repository, |text| mark_in(&text)))
}

/// What the text of a `.git` file says.
pub fn mark_in(text: &[u8]) -> GitMark {
    let text = String::from_utf8_lossy(text).replace('\\', "/");
    let Some(place) = text.trim().strip_prefix("gitdir:").map(str::trim) else {
        return GitMark::Repository;
    };
    let parts: Vec<&str> = place.split('/').collect();
    match parts.as_slice() {
        [.., "worktrees", _] => GitMark::WorkTree,
        parts if parts.windows(2).any(|pair| pair == [".git", "modules"]) => GitMark::Submodule,
        _ => GitMark::Repository,
    }
}

/// Whether a folder inside another project belongs to itself.
pub fn is_own_project(folder: &Path) -> bool {
    match git_mark(folder) {
        Some(GitMark::WorkTree) => true,
        Some(GitMark::Repository) => folder.join(identity::FOLDER).join("id").is_file(),
        Some(GitMark::Submodule) | None => false,
    }
}

/// The project of its own, below `root`, that a path lies in; the nearest one.
pub fn own_project_of(root: &Path, path: &Path) -> Option<PathBuf> {
    path.ancestors()
        .take_while(|folder| folder.starts_with(root) && *folder != root)
        .find(|folder| is_own_project(folder))
        .map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_trees_clones_and_submodules_b2() {
        for (text, mark) in [
            ("gitdir: /home/u/app/.git/worktrees/f1\n", GitMark::WorkTree),
            ("gitdir: ../../.git/worktrees/f1", GitMark::WorkTree),
            ("gitdir: C:\\code\\app\\.git\\worktrees\\f1\r\n", GitMark::WorkTree),
            ("gitdir: /home/u/app.git/worktrees/f1", GitMark::WorkTree),
            ("gitdir: ../.git/modules/lib", GitMark::Submodule),
            ("gitdir: ../../.git/modules/lib/modules/deep", GitMark::Submodule),
            ("gitdir: /home/u/.git-stores/app", GitMark::Repository),
            ("nonsense", GitMark::Repository),
        ] {
            assert_eq!(mark_in(text.as_bytes()), mark, "{text}");
        }
    }

    #[test]
    fn a_clone_is_its_own_once_vib_knows_it_b2() {
        let base = tempfile::tempdir().unwrap();
        let (root, clone) = (base.path(), base.path().join("libs/clone"));
        std::fs::create_dir_all(clone.join(".git")).unwrap();
        assert_eq!(own_project_of(root, &clone.join("src/a.rs")), None);
        std::fs::create_dir(clone.join(".vibelign")).unwrap();
        std::fs::write(clone.join(".vibelign/id"), "0123456789abcdef0123\n").unwrap();
        assert_eq!(own_project_of(root, &clone.join("src/a.rs")), Some(clone.clone()));
        assert_eq!(own_project_of(&clone, &clone.join("src/a.rs")), None);
    }
}
