//! Is the work on a branch that goes on another one as well? Then its deletion loses nothing.

use std::path::Path;

/// Whether every commit of these branches can be reached from a branch or tag that stays. Asked of git only when somebody is about to
/// delete a branch by force.
pub(super) fn are_held(root: &Path, branches: &[&str]) -> bool {
    let gone: Vec<String> = branches.iter().map(|name| format!("refs/heads/{name}")).collect();
    gone.len() <= 20 && gone.iter().all(|branch| is_held(root, branch, &gone))
}

/// Which of these branches there are; nothing when git does not say.
pub(super) fn there(root: &Path, branches: &[&str]) -> Option<Vec<String>> {
    if branches.len() > 20 {
        return None;
    }
    let asked = git::reader(root)
        .args(["for-each-ref", "--format=%(refname)"])
        .args(branches.iter().map(|name| format!("refs/heads/{name}")))
        .output();
    let answer = asked.ok().filter(|answer| answer.status.success())?;
    // On some disks one name stands for several spellings: then it is not said that a branch is missing.
    let named = String::from_utf8_lossy(&answer.stdout).into_owned();
    let loose = |name: &str| {
        git::Folder::of(root).is_some_and(|git| git.common.join("refs/heads").join(name).exists())
    };
    let is_there = |name: &&&str| {
        named.lines().any(|line| line.strip_prefix("refs/heads/") == Some(**name)) || loose(name)
    };
    Some(branches.iter().filter(is_there).map(|name| (*name).to_owned()).collect())
}

fn is_held(root: &Path, branch: &str, gone: &[String]) -> bool {
    let asked = git::reader(root)
        .args([
            "for-each-ref",
            "--format=%(refname)",
            "--contains",
            branch,
            "refs/heads",
            "refs/remotes",
            "refs/tags",
        ])
        .output();
    let Ok(answer) = asked else { return false };
    let named = String::from_utf8_lossy(&answer.stdout);
    // `origin/HEAD` only repeats another one, and may lead to nothing.
    let stays =
        |name: &&str| !name.is_empty() && !name.ends_with("/HEAD") && !gone.iter().any(|one| one == name);
    answer.status.success() && named.lines().any(|name| stays(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merged_branch_is_held_by_the_one_it_went_into() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let git = |words: &[&str]| {
            let mut command = git::writer(root);
            command.args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.com",
                "-c",
                "commit.gpgsign=false",
            ]);
            assert!(command.args(words).output().unwrap().status.success(), "{words:?}");
        };
        git(&["init", "-q", "-b", "main"]);
        git(&["commit", "-q", "--allow-empty", "-m", "one"]);
        git(&["checkout", "-q", "-b", "done"]);
        git(&["commit", "-q", "--allow-empty", "-m", "two"]);
        git(&["checkout", "-q", "main"]);
        git(&["merge", "-q", "--no-ff", "-m", "three", "done"]);
        git(&["checkout", "-q", "-b", "open"]);
        git(&["commit", "-q", "--allow-empty", "-m", "four"]);
        git(&["branch", "twin"]);
        assert!(are_held(root, &["done"]));
        assert!(are_held(root, &["twin"]), "the same work is on `open`");
        assert!(!are_held(root, &["twin", "open"]), "both go");
        assert!(!are_held(root, &["no-such-branch"]));
        assert!(!are_held(root, &["done", "no-such-branch"]));
        assert_eq!(there(root, &["done", "no-such-branch"]), Some(vec!["done".to_owned()]));
        assert_eq!(there(root, &["no-such-branch"]), Some(Vec::new()));
        assert_eq!(there(folder.path().join("nothing").as_path(), &["done"]), None);
    }
}
