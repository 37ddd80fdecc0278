//! What a commit would take in, looked at before git makes it. (G5)
//!
//! An agent's command line is read for `git commit`; then the index is looked at and, where the line adds files first or commits all
//! changes, the changed files too. All of it within a budget: what does not fit is said, never silently left out.

use std::path::Path;
use std::time::{Duration, Instant};

use super::git;
use super::incoming::{Incoming, not_allowed};
use super::text::{self, Found};
use crate::{Engine, Result};

/// How much of a hook's time a look may take.
const PATIENCE: Duration = Duration::from_millis(900);
/// How many bytes are looked at.
const MOST_BYTES: u64 = 24 << 20;
/// Larger files are data.
const LARGEST_FILE: u64 = 4 << 20;

/// What a command line would commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Commits {
    /// It commits.
    pub commits: bool,
    /// With all changes of known files.
    pub all: bool,
    /// New files are added first.
    pub adds: bool,
}

/// What was seen of a commit.
#[derive(Debug, Default)]
pub struct Look {
    /// Live-looking keys that nobody allowed.
    pub incoming: Vec<Incoming>,
    /// There was more than could be looked at in time.
    pub cut: bool,
}

/// Whether a command line commits, and what.
pub fn commits(command: &str) -> Commits {
    let mut seen = Commits::default();
    if !command.contains("commit") || !command.contains("git") {
        return seen;
    }
    for part in command.split(['\n', ';', '|', '&']) {
        let mut words =
            part.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')', '{', '}']));
        if !words.any(|word| word == "git" || word.ends_with("/git")) {
            continue;
        }
        let words: Vec<&str> = words.collect();
        let Some(at) = words.iter().position(|word| matches!(*word, "commit" | "add" | "stage")) else {
            continue;
        };
        // Before the subcommand only options and their values may stand.
        if words[..at]
            .iter()
            .any(|word| matches!(*word, "log" | "show" | "diff" | "help" | "config" | "grep"))
        {
            continue;
        }
        if words[at] != "commit" {
            seen.adds = true;
            continue;
        }
        seen.commits = true;
        for word in &words[at + 1..] {
            let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            let letters = short.map(|rest| rest.split(['=', 'm']).next().unwrap_or_default());
            seen.all |= *word == "--all" || letters.is_some_and(|letters| letters.contains('a'));
            seen.all |= *word == "--only" || *word == "--include" || *word == "-o" || *word == "-i";
        }
        // `git commit src/a.ts` takes the file as it is.
        seen.all |= words[at + 1..].iter().any(|word| word.contains('.') && !word.starts_with('-'));
    }
    seen
}

/// Looks at what a commit in this folder would take in.
pub fn look(engine: &Engine, folder: &Path, what: Commits) -> Result<Look> {
    let mut look = Look::default();
    if !what.commits {
        return Ok(look);
    }
    let Ok(top) = git::top(folder) else { return Ok(look) };
    let until = Instant::now() + PATIENCE;
    let mut live: Vec<Found> = Vec::new();
    let mut bytes = 0;
    let mut each = |path: &str, content: &[u8]| {
        bytes += content.len() as u64;
        live.extend(text::look(path, content, 1).into_iter().filter(|found| found.live));
        bytes < MOST_BYTES && Instant::now() < until
    };
    let staged = git::staged(&top)?;
    let mut whole = git::each_object(&top, &staged, LARGEST_FILE, &mut each)?;
    if whole && (what.all || what.adds) {
        for path in git::changed(&top, what.adds)? {
            let file = top.join(&path);
            let small = std::fs::symlink_metadata(&file)
                .is_ok_and(|facts| facts.is_file() && facts.len() <= LARGEST_FILE);
            if small
                && let Ok(content) = std::fs::read(&file)
                && !each(&path, &content)
            {
                whole = false;
                break;
            }
        }
    }
    look.cut = !whole;
    // What the last commit has in the same file is in already: this commit does not bring it.
    let before = git::in_head(&top, &live);
    live.retain(|found| !before.iter().any(|known| known.path == found.path && known.same_secret(found)));
    look.incoming = not_allowed(engine, live);
    Ok(look)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_read_for_commits_g5() {
        let told = |line: &str| {
            let Commits { commits, all, adds } = commits(line);
            (commits, all, adds)
        };
        assert_eq!(told("git commit -m 'x'"), (true, false, false));
        assert_eq!(told("git add -A && git commit -m \"add a thing\""), (true, false, true));
        assert_eq!(told("git -C . commit -am x"), (true, true, false));
        assert_eq!(told("git commit --all --message=x"), (true, true, false));
        assert_eq!(told("cd sub; /usr/bin/git stage . ; git commit"), (true, false, true));
        assert_eq!(told("git log --grep commit"), (false, false, false));
        assert_eq!(told("echo commit"), (false, false, false));
        assert_eq!(told("npm run git-commit-check"), (false, false, false));
    }
}
