//! Which files changed together, by the history that git keeps.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use project::RelPath;
use serde::Serialize;

/// Two files that changed in the same commits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CoChange {
    /// One.
    pub a: RelPath,
    /// The other.
    pub b: RelPath,
    /// In how many commits.
    pub times: u32,
}

/// Commits that are looked at.
const COMMITS: &str = "500";

/// A commit with more files says nothing about any two of them.
const MOST_FILES: usize = 30;

/// Most text that is read of git's answer.
const LONGEST: u64 = 16 << 20;

/// Pairs of files that changed together at least twice in the newest commits, most often first. Empty where there is no
/// git or no history. Git is asked in a way that runs no program of the repository and writes nothing.
pub fn co_change(root: &Path) -> Vec<CoChange> {
    let mut command = git::reader(root);
    command
        .args([
            "log",
            "-n",
            COMMITS,
            "--no-merges",
            "--no-renames",
            "--name-only",
            "--relative",
            "-z",
            "--format=%x01",
        ])
        .args(["--no-ext-diff", "--no-textconv", "--ignore-submodules"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return Vec::new() };
    let mut text = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        let _ = stdout.take(LONGEST).read_to_end(&mut text);
    }
    let _ = child.wait();
    pairs(&text)
}

fn pairs(text: &[u8]) -> Vec<CoChange> {
    let mut counts: HashMap<(&[u8], &[u8]), u32> = HashMap::new();
    for commit in text.split(|byte| *byte == 1) {
        let mut files: Vec<&[u8]> = commit
            .split(|byte| *byte == 0)
            .map(|file| file.strip_prefix(b"\n").unwrap_or(file))
            .filter(|file| !file.is_empty())
            .collect();
        files.sort_unstable();
        files.dedup();
        if files.len() > MOST_FILES {
            continue;
        }
        for (at, a) in files.iter().enumerate() {
            for b in &files[at + 1..] {
                *counts.entry((a, b)).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<CoChange> = counts
        .into_iter()
        .filter(|(_, times)| *times >= 2)
        .filter_map(|((a, b), times)| {
            Some(CoChange { a: RelPath::new(a).ok()?, b: RelPath::new(b).ok()?, times })
        })
        .collect();
    pairs.sort_by(|x, y| y.times.cmp(&x.times).then_with(|| (&x.a, &x.b).cmp(&(&y.a, &y.b))));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_together_twice_is_a_pair() {
        let log = b"\x01\0\na.rs\0b.rs\0\x01\0\na.rs\0b.rs\0c.rs\0\x01\0\nc.rs\0";
        let pairs = pairs(log);
        assert_eq!(pairs.len(), 1);
        assert_eq!(
            (pairs[0].a.as_bytes(), pairs[0].b.as_bytes(), pairs[0].times),
            (&b"a.rs"[..], &b"b.rs"[..], 2)
        );
    }

    #[test]
    fn no_git_no_pairs() {
        let folder = tempfile::tempdir().unwrap();
        assert!(co_change(&folder.path().join("nowhere")).is_empty());
    }
}
