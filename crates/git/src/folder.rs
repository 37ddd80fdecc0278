//! Where git keeps what it knows about a folder.

use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The longest `.git` file that is read.
const LONGEST: u64 = 4096;
/// So many tags are looked at.
const MOST_TAGS: usize = 2_000;

/// The folders with git's data of one working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// What belongs to this working tree: `HEAD` and its log, the index, what is unfinished.
    pub own: PathBuf,
    /// What all working trees of the repository share: settings, branches, the stash, objects.
    pub common: PathBuf,
}

impl Folder {
    /// The repository that a folder lies in, found as git finds it: upwards, but past folders that hold everything (a stray `.git` in
    /// the temp folder is nobody's). A work tree and a submodule have a file that names the place.
    pub fn of(root: &Path) -> Option<Self> {
        let above = root.ancestors().take_while(|folder| project::holds_everything(folder).is_none());
        for here in above {
            let git = here.join(".git");
            if git.is_dir() {
                return Some(Self { own: git.clone(), common: git });
            }
            if let Some(text) = small(&git) {
                let own = here.join(text.strip_prefix("gitdir:")?.trim());
                let common =
                    small(&own.join("commondir")).map_or_else(|| own.clone(), |to| own.join(to.trim()));
                return Some(Self { own, common });
            }
        }
        None
    }

    /// What git is in the middle of, in its own word: `merge`, `rebase`, `cherry-pick`, `revert`.
    pub fn unfinished(&self) -> Option<&'static str> {
        const MARKS: [(&str, &str); 5] = [
            ("MERGE_HEAD", "merge"),
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"),
        ];
        MARKS.iter().find(|(name, _)| self.own.join(name).exists()).map(|(_, word)| *word)
    }
}

impl Folder {
    /// The tag that was made last, and when (milliseconds since 1970); none if all are packed away, which only old ones are.
    pub fn newest_tag(&self) -> Option<(String, i64)> {
        let mut newest: Option<(String, i64)> = None;
        let mut folders = vec![(self.common.join("refs/tags"), String::new())];
        let mut looked_at = 0;
        while let Some((folder, prefix)) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                looked_at += 1;
                if looked_at > MOST_TAGS {
                    return newest;
                }
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                let Ok(facts) = entry.metadata() else { continue };
                if facts.is_dir() {
                    folders.push((entry.path(), format!("{name}/")));
                    continue;
                }
                let time =
                    facts.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
                let time_ms = time.and_then(|time| i64::try_from(time.as_millis()).ok()).unwrap_or(0);
                if newest.as_ref().is_none_or(|(_, before)| time_ms > *before) {
                    newest = Some((name, time_ms));
                }
            }
        }
        newest
    }
}

fn small(path: &Path) -> Option<String> {
    let mut text = String::new();
    std::fs::File::open(path).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_for_a_repository_a_folder_in_it_a_work_tree_and_a_submodule_a3() {
        let base = tempfile::tempdir().unwrap();
        let at = |name: &str| base.path().join(name);
        assert_eq!(Folder::of(base.path()), None);
        for folder in ["main/.git/worktrees/w", "main/.git/modules/lib", "main/src", "main/lib", "w/src"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        let main = Folder::of(&at("main")).unwrap();
        assert_eq!((&main.own, &main.common), (&at("main/.git"), &at("main/.git")));
        assert_eq!(Folder::of(&at("main/src")), Some(main.clone()));
        std::fs::write(at("w/.git"), format!("gitdir: {}\n", at("main/.git/worktrees/w").display())).unwrap();
        std::fs::write(at("main/.git/worktrees/w/commondir"), "../..\n").unwrap();
        let tree = Folder::of(&at("w/src")).unwrap();
        assert_eq!(tree.own, at("main/.git/worktrees/w"));
        assert_eq!(tree.common.canonicalize().unwrap(), main.own.canonicalize().unwrap());
        std::fs::write(at("main/lib/.git"), "gitdir: ../.git/modules/lib\n").unwrap();
        let lib = Folder::of(&at("main/lib")).unwrap();
        assert_eq!(lib.own, lib.common);
        assert_eq!(lib.own, at("main/lib/../.git/modules/lib"));
        assert_eq!(lib.unfinished(), None);
        std::fs::write(lib.own.join("MERGE_HEAD"), "").unwrap();
        assert_eq!(lib.unfinished(), Some("merge"));
        std::fs::write(at("main/lib/.git"), "nonsense").unwrap();
        assert_eq!(Folder::of(&at("main/lib")), None);
    }
}
