//! The git folder of a project where it lies elsewhere: a work tree's, a submodule's, or that of a repository around the project.

use std::path::{Path, PathBuf};

/// A `.git` file is one short line.
const LONGEST: u64 = 4096;

/// Places outside `root` that git writes to for a commit in it.
///
/// A project's own `.git` may be anything by now: a file or a link in it names no other repository, unless that repository names this work tree
/// in turn, where nothing behind the fence can write. What it then opens is what a commit needs, not its settings or hooks. (B2)
pub(crate) fn outside(root: &Path) -> Vec<PathBuf> {
    let mark =
        root.ancestors().map(|folder| folder.join(".git")).find(|mark| mark.symlink_metadata().is_ok());
    let Some((mark, kind)) =
        mark.and_then(|mark| Some((mark.clone(), mark.symlink_metadata().ok()?.file_type())))
    else {
        return Vec::new();
    };
    let mut folders = if kind.is_dir() {
        // The repository around a project that is a part of it.
        Vec::from_iter(mark.canonicalize().ok().filter(|git| is_git_folder(git)))
    } else if kind.is_file() {
        of_work_tree(&mark).or_else(|| of_submodule(&mark)).unwrap_or_default()
    } else {
        Vec::new()
    };
    folders.retain(|folder| !folder.starts_with(root));
    folders
}

/// `REPOSITORY/worktrees/NAME`, whose `gitdir` names this very file.
fn of_work_tree(mark: &Path) -> Option<Vec<PathBuf>> {
    let own = named_in(mark)?;
    let common = own.parent().filter(|folder| folder.ends_with("worktrees"))?.parent()?.to_path_buf();
    let back = read(&own.join("gitdir"))?;
    let is_known = own.join(back.trim()).canonicalize().ok()? == mark.canonicalize().ok()?;
    if !is_known || !is_git_folder(&common) || own.starts_with(mark.parent()?) {
        return None;
    }
    let shared = ["objects", "refs", "logs", "lfs", "rr-cache"].map(|name| common.join(name));
    // A folder of these that is a link leads somewhere else.
    let shared =
        shared.into_iter().filter(|folder| folder.symlink_metadata().is_ok_and(|facts| facts.is_dir()));
    Some(std::iter::once(own.clone()).chain(shared).collect())
}

/// `REPOSITORY/modules/NAME`, whose settings name this work tree.
fn of_submodule(mark: &Path) -> Option<Vec<PathBuf>> {
    let own = named_in(mark)?;
    let settings = read(&own.join("config"))?;
    let tree =
        settings.lines().find_map(|line| line.trim().strip_prefix("worktree")?.trim().strip_prefix('='))?;
    let tree = own.join(tree.trim().trim_matches('"')).canonicalize().ok()?;
    let is_known = tree == mark.parent()?.canonicalize().ok()?;
    let is_inside_one = own.ancestors().any(|folder| folder.ends_with("modules"));
    (is_known && is_inside_one && is_git_folder(&own) && !own.starts_with(&tree)).then(|| vec![own])
}

fn is_git_folder(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir()
}

fn named_in(mark: &Path) -> Option<PathBuf> {
    let text = read(mark)?;
    let named = text.trim().strip_prefix("gitdir:")?.trim();
    mark.parent()?.join(named).canonicalize().ok()
}

fn read(file: &Path) -> Option<String> {
    let is_small = file.metadata().is_ok_and(|facts| facts.is_file() && facts.len() <= LONGEST);
    is_small.then(|| std::fs::read_to_string(file).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct World {
        _tmp: tempfile::TempDir,
        git: PathBuf,
        own: PathBuf,
        tree: PathBuf,
        base: PathBuf,
    }

    /// A repository with a second work tree.
    fn world() -> World {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        let (git, own, tree) =
            (base.join("main/.git"), base.join("main/.git/worktrees/one"), base.join("one"));
        for folder in
            [git.join("objects"), git.join("refs"), git.join("hooks"), own.clone(), tree.join("deep")]
        {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(own.join("HEAD"), "ref: refs/heads/one\n").unwrap();
        std::fs::write(own.join("commondir"), "../..\n").unwrap();
        std::fs::write(own.join("gitdir"), format!("{}\n", tree.join(".git").display())).unwrap();
        std::fs::write(tree.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        World { _tmp: tmp, git, own, tree, base }
    }

    const NOTHING: [PathBuf; 0] = [];

    #[test]
    fn a_work_tree_has_its_git_folder_elsewhere() {
        let World { git, own, tree, base, .. } = &world();
        let open = [own.clone(), git.join("objects"), git.join("refs")];
        assert_eq!(outside(tree), open, "what a commit needs, not the settings and hooks of all work trees");
        assert_eq!(outside(&tree.join("deep")), open, "a project inside a work tree");
        assert_eq!(outside(&base.join("main")), NOTHING, "its own folder is in it");
        std::fs::create_dir(base.join("main/part")).unwrap();
        assert_eq!(
            outside(&base.join("main/part")),
            std::slice::from_ref(git),
            "a project that is a part of a repository"
        );
        std::fs::write(tree.join(".git"), "gitdir: /etc\n").unwrap();
        assert_eq!(outside(tree), NOTHING, "not every folder is a git folder");
    }

    /// Each of these can be made by a command that may write in the project only. (B2)
    #[test]
    fn a_forged_git_folder_opens_no_other_repository_b2() {
        let World { git, own, tree, base, .. } = &world();
        let forged = base.join("forged");
        let text = |path: &Path| format!("gitdir: {}\n", path.display());
        let anew = || {
            let _ = std::fs::remove_dir_all(&forged);
            std::fs::create_dir(&forged).unwrap();
        };
        for named in [git, own, &base.join("main"), &git.join("worktrees")] {
            anew();
            std::fs::write(forged.join(".git"), text(named)).unwrap();
            assert_eq!(outside(&forged), NOTHING, "a file that names {}", named.display());
        }
        anew();
        std::os::unix::fs::symlink(git, forged.join(".git")).unwrap();
        assert_eq!(outside(&forged), NOTHING, "a link");
        anew();
        std::os::unix::fs::symlink(tree.join(".git"), forged.join(".git")).unwrap();
        assert_eq!(outside(&forged), NOTHING, "a link to a work tree's file");
        anew();
        std::fs::create_dir_all(forged.join(".git/objects")).unwrap();
        std::fs::write(forged.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(forged.join(".git/commondir"), git.display().to_string()).unwrap();
        assert_eq!(outside(&forged), NOTHING, "a folder that names a common one");
        anew();
        let fake = forged.join("x/worktrees/y");
        std::fs::create_dir_all(&fake).unwrap();
        std::fs::write(fake.join("HEAD"), "x").unwrap();
        std::fs::write(fake.join("commondir"), git.display().to_string()).unwrap();
        std::fs::write(fake.join("gitdir"), forged.join(".git").display().to_string()).unwrap();
        std::fs::write(forged.join(".git"), text(&fake)).unwrap();
        assert_eq!(outside(&forged), NOTHING, "a work tree's folder of its own");
        anew();
        std::fs::create_dir_all(forged.join("x")).unwrap();
        std::os::unix::fs::symlink(git, forged.join("x/.git")).unwrap();
        std::fs::write(forged.join(".git"), text(&forged.join("x/.git/worktrees/one"))).unwrap();
        assert_eq!(outside(&forged), NOTHING, "through a link");
    }

    #[test]
    fn a_submodule_is_known_by_its_repository() {
        let tmp = tempfile::tempdir().unwrap();
        let base = tmp.path().canonicalize().unwrap();
        let (own, tree) = (base.join("main/.git/modules/sub"), base.join("main/sub"));
        std::fs::create_dir_all(own.join("objects")).unwrap();
        std::fs::create_dir_all(&tree).unwrap();
        std::fs::write(own.join("HEAD"), "x").unwrap();
        std::fs::write(own.join("config"), "[core]\n\tworktree = ../../../sub\n").unwrap();
        std::fs::write(tree.join(".git"), "gitdir: ../.git/modules/sub\n").unwrap();
        assert_eq!(outside(&tree), std::slice::from_ref(&own));
        let forged = base.join("forged");
        std::fs::create_dir_all(&forged).unwrap();
        std::fs::write(forged.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        assert_eq!(outside(&forged), NOTHING, "it names another work tree (B2)");
    }
}
