//! Lines that older commits added to a file, wherever they are: on a branch that was never merged, in the log of what `HEAD` was, in a stash. A command
//! that takes content out of git writes none of it. (B5) And what was there before vib may have been indented anew since. (M3)

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use project::RelPath;

use super::git::{Commit, answer};

/// Commits of a file that are read.
const MOST_COMMITS: &str = "400";
/// Other files that a command names with a revision: `git show old:a.js > b.js`.
const MOST_OTHERS: usize = 4;

/// A commit that added a line, and when it was committed.
#[derive(Debug, Clone)]
pub(super) struct Added {
    pub(super) commit: Commit,
    pub(super) committed_ms: i64,
}

/// What the commits of a file added, as far as somebody asked.
#[derive(Default)]
pub(super) struct History {
    known: HashMap<Vec<PathBuf>, Lines>,
}

/// Which commits added a line, the newest first.
#[derive(Default)]
struct Lines {
    commits: Vec<Added>,
    added_by: HashMap<Vec<u8>, Vec<usize>>,
}

impl History {
    /// The oldest of these commits that added such a line to one of these files, or to one that these commands name with a revision.
    pub(super) fn of(
        &mut self,
        root: &Path,
        names: &[RelPath],
        commands: &[&str],
        line: &[u8],
        fits: impl Fn(&Added) -> bool,
    ) -> Option<&Added> {
        let line = line.trim_ascii();
        if line.is_empty() {
            return None;
        }
        let mut paths: Vec<PathBuf> =
            names.iter().map(|name| project::platform::bytes_to_path(name.as_bytes())).collect();
        let others = commands.iter().flat_map(|command| named_with_revision(command)).take(MOST_OTHERS);
        paths.extend(others.map(PathBuf::from).collect::<Vec<_>>());
        paths.dedup();
        let known = self.known.entry(paths).or_insert_with_key(|paths| read(root, paths).unwrap_or_default());
        known.added_by.get(line)?.iter().rev().map(|at| &known.commits[*at]).find(|added| fits(added))
    }
}

/// `f:src/a.js` names `src/a.js`.
fn named_with_revision(command: &str) -> Vec<String> {
    let words = command.split(|c: char| c.is_whitespace() || ";&|()<>\"'`".contains(c));
    let paths = words.filter_map(|word| word.split_once(':').map(|(_, path)| path.trim_start_matches("./")));
    let is_plain =
        |path: &&str| !path.is_empty() && !path.starts_with(['/', '-', ':']) && !path.contains("..");
    paths.filter(is_plain).map(str::to_owned).collect()
}

fn read(root: &Path, paths: &[PathBuf]) -> Option<Lines> {
    let mut command = git::reader(root);
    command.args(["--literal-pathspecs", "log", "--all", "--reflog", "-n", MOST_COMMITS]);
    command.args(["--format=%x00%H%x00%at%x00%ct%x00%an%x00%s", "-p", "-U0", "--no-color", "--no-ext-diff"]);
    command.args([
        "--no-textconv",
        "--no-renames",
        "--no-show-signature",
        "--diff-merges=first-parent",
        "--",
    ]);
    command.args(paths);
    Some(parse(&answer(command)?))
}

fn parse(bytes: &[u8]) -> Lines {
    let mut out = Lines::default();
    let mut in_hunk = false;
    for line in bytes.split(|byte| *byte == b'\n') {
        if let Some(head) = line.strip_prefix(b"\0") {
            out.commits.extend(header(&String::from_utf8_lossy(head)));
            in_hunk = false;
        } else if line.starts_with(b"diff ") {
            in_hunk = false;
        } else if line.starts_with(b"@@") {
            in_hunk = true;
        } else if let (true, Some(text), Some(at)) =
            (in_hunk, line.strip_prefix(b"+"), out.commits.len().checked_sub(1))
        {
            let text = text.trim_ascii();
            let added_by = out.added_by.entry(text.to_vec()).or_default();
            if !text.is_empty() && added_by.last() != Some(&at) {
                added_by.push(at);
            }
        }
    }
    out
}

fn header(text: &str) -> Option<Added> {
    let mut parts = text.splitn(5, '\0');
    let mut next = || parts.next();
    let seconds = |text: &str| text.parse::<i64>().ok().map(|seconds| seconds.saturating_mul(1_000));
    let (id, time_ms, committed_ms) = (next()?.to_owned(), seconds(next()?)?, seconds(next()?)?);
    let (author, summary) = (next()?.to_owned(), next().unwrap_or_default().to_owned());
    Some(Added { commit: Commit { id, author, time_ms, summary }, committed_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_lines_are_known_with_their_commits_the_newest_first() {
        let told = b"\0bbbb\x0020\x0021\0B\0again\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -0,0 +1,2 @@\n+  one\n+++ two\n\
                     \0aaaa\x005\x006\0A\0first\n\ndiff --git a/f b/f\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+one\n";
        let lines = parse(told);
        let of = |text: &str| {
            lines.added_by[text.as_bytes()].iter().map(|at| &lines.commits[*at]).collect::<Vec<_>>()
        };
        let ids: Vec<(&str, i64)> =
            of("one").iter().map(|added| (added.commit.id.as_str(), added.committed_ms)).collect();
        assert_eq!(ids, [("bbbb", 21_000), ("aaaa", 6_000)]);
        assert_eq!(of("++ two")[0].commit.author, "B");
    }

    #[test]
    fn paths_behind_a_revision_are_found() {
        assert_eq!(named_with_revision("git show f:src/a.js > b.js"), ["src/a.js"]);
        assert!(named_with_revision("curl http://x; git show HEAD").is_empty());
    }
}
