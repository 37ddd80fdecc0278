//! What git itself wrote down about commits, read from its own files: no git process, and nothing where there is no git.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// So much of the end of the list of commits is read.
const TAIL: u64 = 64 << 10;

/// A commit as git's log of `HEAD` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    /// Its hash.
    pub hash: String,
    /// Milliseconds since 1970.
    pub time_ms: i64,
    /// The first line of its message.
    pub subject: String,
}

/// The newest commits that were made here (not fetched, not checked out), the oldest first.
pub(crate) fn commits(root: &Path) -> Vec<Commit> {
    let Some(folder) = git_folder(root) else {
        return Vec::new();
    };
    let text = tail(&folder.join("logs").join("HEAD")).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().filter_map(parse).collect()
}

/// How many commits were made since then. The list is read once for many questions.
pub(crate) fn count_since(commits: &[Commit], time_ms: i64) -> u32 {
    // Git counts in seconds: a commit of the same second is not later.
    let later = commits.iter().filter(|commit| commit.time_ms > time_ms).count();
    u32::try_from(later).unwrap_or(u32::MAX)
}

/// The folder with git's data of this working tree; a worktree and a submodule have a file that names it.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let mut folder = Some(root);
    while let Some(here) = folder.filter(|here| project::holds_everything(here).is_none()) {
        let git = here.join(".git");
        if git.is_dir() {
            return Some(git);
        }
        if let Ok(text) = std::fs::read_to_string(&git) {
            let named = Path::new(text.strip_prefix("gitdir:")?.trim());
            return Some(if named.is_absolute() { named.to_path_buf() } else { here.join(named) });
        }
        folder = here.parent();
    }
    None
}

/// The end of a file, from a whole line on.
fn tail(path: &Path) -> Option<Vec<u8>> {
    let mut file = std::fs::File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let start = length.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut text = Vec::new();
    file.take(TAIL).read_to_end(&mut text).ok()?;
    if start > 0 {
        let first = text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| at + 1);
        text.drain(..first);
    }
    Some(text)
}

/// `<old> <new> Name <mail> 1700000000 +0100<TAB>commit: subject`
fn parse(line: &str) -> Option<Commit> {
    let (head, what) = line.split_once('\t')?;
    let (kind, subject) = what.split_once(':')?;
    // An amended commit is the same piece of work.
    if !matches!(kind, "commit" | "commit (initial)" | "commit (merge)") {
        return None;
    }
    let hash = head.split(' ').nth(1)?;
    let seconds: i64 = head.rsplit(' ').nth(1)?.parse().ok()?;
    Some(Commit {
        hash: hash.to_owned(),
        time_ms: seconds.saturating_mul(1000),
        subject: subject.trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(seconds: i64, what: &str) -> String {
        format!("{} {seconds:040x} Ana B <ana@example.org> {seconds} +0900\t{what}\n", "0".repeat(40))
    }

    #[test]
    fn commits_are_counted_and_other_moves_of_head_are_not() {
        let base = tempfile::tempdir().unwrap();
        assert_eq!(commits(base.path()), []);
        let log = base.path().join(".git/logs/HEAD");
        std::fs::create_dir_all(log.parent().unwrap()).unwrap();
        let rows = [
            line(10, "commit (initial): start"),
            line(20, "checkout: moving from main to x"),
            line(30, "commit: fix: the login"),
            line(40, "commit (amend): fix: the login"),
            line(50, "pull: Fast-forward"),
            "nonsense\n".to_owned(),
            line(60, "commit (merge): merge x"),
        ];
        std::fs::write(&log, rows.concat()).unwrap();
        let found = commits(base.path());
        assert_eq!(
            found.iter().map(|c| c.subject.as_str()).collect::<Vec<_>>(),
            ["start", "fix: the login", "merge x"]
        );
        assert_eq!(
            (count_since(&found, 0), count_since(&found, 30_000), count_since(&found, 60_000)),
            (3, 1, 0)
        );
        let below = base.path().join("src");
        std::fs::create_dir_all(&below).unwrap();
        assert_eq!(commits(&below).len(), 3);
    }

    #[test]
    fn a_worktree_has_its_list_elsewhere_and_a_long_list_is_read_from_its_end() {
        let base = tempfile::tempdir().unwrap();
        let data = base.path().join("main/.git/worktrees/w");
        std::fs::create_dir_all(data.join("logs")).unwrap();
        let rows: String = (0..5_000).map(|at| line(at, "commit: x")).collect();
        std::fs::write(data.join("logs/HEAD"), rows).unwrap();
        let tree = base.path().join("w");
        std::fs::create_dir_all(&tree).unwrap();
        std::fs::write(tree.join(".git"), format!("gitdir: {}\n", data.display())).unwrap();
        let found = commits(&tree);
        assert!(found.len() > 100 && found.len() < 1_000, "{}", found.len());
        assert_eq!(found.last().unwrap().time_ms, 4_999_000);
    }
}
