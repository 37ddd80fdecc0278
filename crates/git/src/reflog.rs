//! What git wrote down about its own moves, read from its logs: commits, checkouts, resets, stashes.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::Folder;

/// So much of the end of a log is read.
const TAIL: u64 = 64 << 10;

/// One row of a log: something came to point to another commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The commit it pointed to before; zeros for the first row.
    pub from: String,
    /// The commit it points to since.
    pub hash: String,
    /// Milliseconds since 1970. Git counts in seconds.
    pub time_ms: i64,
    /// What git says about it: `commit: subject`, `reset: moving to HEAD~2`.
    pub message: String,
}

impl Folder {
    /// The newest rows of the log of `HEAD`, the oldest first.
    pub fn moves(&self) -> Vec<Move> {
        read(&self.own.join("logs/HEAD"))
    }

    /// What was stashed and is still there, the oldest first.
    pub fn stashes(&self) -> Vec<Move> {
        read(&self.common.join("logs/refs/stash"))
    }
}

impl Move {
    /// The first line of the message of a commit that was made here; none for what was fetched, checked out or amended (which is the
    /// same piece of work).
    pub fn commit(&self) -> Option<&str> {
        let (kind, subject) = self.message.split_once(':')?;
        matches!(kind, "commit" | "commit (initial)" | "commit (merge)").then(|| subject.trim())
    }

    /// It made a commit, of whatever: typed here, amended, or taken from elsewhere as by a rebase.
    pub fn made_commit(&self) -> bool {
        let kind = self.message.split_once(':').map_or("", |(kind, _)| kind);
        kind.starts_with("commit")
            || matches!(kind, "cherry-pick" | "revert" | "am")
            || ["(pick)", "(squash)", "(fixup)", "(reword)", "(edit)", "(continue)"]
                .iter()
                .any(|how| kind.ends_with(how))
    }

    /// What the commit is called, for [`Self::made_commit`].
    pub fn subject(&self) -> &str {
        self.message.split_once(':').map_or("", |(_, subject)| subject.trim())
    }

    /// The command that did it: `reset`, `checkout`, `rebase`.
    pub fn command(&self) -> &str {
        self.message.split([':', ' ', '(']).next().unwrap_or_default()
    }
}

fn read(path: &Path) -> Vec<Move> {
    let text = tail(path).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().filter_map(parse).collect()
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
fn parse(line: &str) -> Option<Move> {
    let (head, message) = line.split_once('\t')?;
    let mut words = head.split(' ');
    let (from, hash) = (words.next()?.to_owned(), words.next()?);
    let seconds: i64 = head.rsplit(' ').nth(1)?.parse().ok()?;
    let time_ms = seconds.saturating_mul(1000);
    Some(Move { from, hash: hash.to_owned(), time_ms, message: message.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(seconds: i64, what: &str) -> String {
        format!("{} {seconds:040x} Ana B <ana@example.org> {seconds} +0900\t{what}\n", "0".repeat(40))
    }

    #[test]
    fn commits_are_told_from_other_moves() {
        let base = tempfile::tempdir().unwrap();
        let log = base.path().join(".git/logs/HEAD");
        std::fs::create_dir_all(log.parent().unwrap()).unwrap();
        let folder = Folder::of(base.path()).unwrap();
        assert_eq!(folder.moves(), []);
        let rows = [
            line(10, "commit (initial): start"),
            line(20, "checkout: moving from main to x"),
            line(30, "commit: fix: the login"),
            line(40, "commit (amend): fix: the login"),
            line(50, "pull --rebase: Fast-forward"),
            "nonsense\n".to_owned(),
            line(60, "commit (merge): reset everything"),
        ];
        std::fs::write(&log, rows.concat()).unwrap();
        let found = folder.moves();
        let commits: Vec<&str> = found.iter().filter_map(Move::commit).collect();
        assert_eq!(commits, ["start", "fix: the login", "reset everything"]);
        let commands: Vec<&str> = found.iter().map(Move::command).collect();
        assert_eq!(commands, ["commit", "checkout", "commit", "commit", "pull", "commit"]);
        assert_eq!((found[1].time_ms, found[1].hash.len()), (20_000, 40));
    }

    #[test]
    fn a_long_log_is_read_from_its_end() {
        let base = tempfile::tempdir().unwrap();
        let logs = base.path().join(".git/logs/refs");
        std::fs::create_dir_all(&logs).unwrap();
        let rows: String = (0..5_000).map(|at| line(at, "WIP on main")).collect();
        std::fs::write(logs.join("stash"), rows).unwrap();
        let found = Folder::of(base.path()).unwrap().stashes();
        assert!(found.len() > 100 && found.len() < 1_000, "{}", found.len());
        assert_eq!(found.last().unwrap().time_ms, 4_999_000);
    }
}
