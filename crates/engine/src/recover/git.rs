//! Git, read second and from its own files: is something unfinished, did something move the whole tree?

use std::path::{Path, PathBuf};

use recovery::{Git, GitMove};

/// So much of the end of the log is read.
const READ: usize = 64 << 10;

/// What git's own files tell. No process, no lock.
pub(super) fn look(root: &Path) -> Git {
    let Some(folder) = git_folder(root) else { return Git::default() };
    let unfinished = [
        ("MERGE_HEAD", "merge"),
        ("rebase-merge", "rebase"),
        ("rebase-apply", "rebase"),
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
    ];
    let unfinished =
        unfinished.iter().find(|(name, _)| folder.join(name).exists()).map(|(_, word)| (*word).to_owned());
    let log = std::fs::read(folder.join("logs/HEAD")).unwrap_or_default();
    let tail = &log[log.len().saturating_sub(READ)..];
    let moves = String::from_utf8_lossy(tail).lines().filter_map(moved).collect();
    Git { present: true, unfinished, moves }
}

fn git_folder(root: &Path) -> Option<PathBuf> {
    let at = root.join(".git");
    if at.is_dir() {
        return Some(at);
    }
    let text = std::fs::read_to_string(&at).ok()?;
    let target = Path::new(text.strip_prefix("gitdir:")?.trim()).to_path_buf();
    Some(if target.is_absolute() { target } else { root.join(target) })
}

/// `old new Name <mail> seconds zone<TAB>message`
fn moved(line: &str) -> Option<GitMove> {
    let (head, message) = line.split_once('\t')?;
    let what = message.split([':', ' ', '(']).next()?.to_owned();
    if !matches!(what.as_str(), "reset" | "checkout" | "merge" | "rebase" | "pull" | "cherry-pick" | "revert")
    {
        return None;
    }
    let seconds: i64 = head.rsplit(' ').nth(1)?.parse().ok()?;
    Some(GitMove { what, time_ms: seconds.saturating_mul(1000) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_tells_what_moved_the_tree() {
        let line = "aa bb Kim <k@example.org> 1767268800 +0900\treset: moving to HEAD~2";
        let found = moved(line).unwrap();
        assert_eq!((found.what.as_str(), found.time_ms), ("reset", 1_767_268_800_000));
        assert!(moved("aa bb Kim <k@example.org> 1767268800 +0900\tcommit: reset everything").is_none());
    }
}
