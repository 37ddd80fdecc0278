//! What git knows of lines that were there before vib: read from the last commit, never from the tree, so that no filter of the
//! repository runs. (S15)

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use project::RelPath;

use super::brought::Brought;
use super::history::{Added, History};
use super::source::{Fact, Source, unpacks};

/// Git may take its time with a long history; nobody waits longer than this for it.
const PATIENCE: Duration = Duration::from_secs(5);
/// More than any file has that lines are told of, with a name for each.
const MOST_OUTPUT: u64 = 64 << 20;
const MOST_LINES: usize = 1 << 18;

/// A commit, as a line of a file is told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(super) id: String,
    pub(super) author: String,
    pub(super) time_ms: i64,
    pub(super) summary: String,
}

/// The lines of a file that the last commit has; git is asked when the first of them is wanted.
pub(crate) struct Committed<'l> {
    root: PathBuf,
    names: Vec<RelPath>,
    lines: &'l [&'l [u8]],
    found: Option<Vec<Option<Commit>>>,
    /// The lines of this file in other commits, as far as they were asked for.
    others: HashMap<String, HashSet<Vec<u8>>>,
    history: History,
}

/// So many letters and digits a line has that is looked for by what it says alone.
const TELLING: usize = 3;

impl<'l> Committed<'l> {
    pub(crate) fn new(root: &Path, path: &RelPath, earlier: &[RelPath], lines: &'l [&'l [u8]]) -> Self {
        let names = std::iter::once(path).chain(earlier).cloned().collect();
        Self {
            root: root.to_path_buf(),
            names,
            lines,
            found: None,
            others: HashMap::new(),
            history: History::default(),
        }
    }

    /// The source of a line, counted from zero: the commit where git knows better.
    pub(crate) fn settle(&mut self, brought: &Brought, source: Source, line: usize) -> Source {
        if let Some(taken) = self.taken_from_git(brought, &source, line) {
            return taken;
        }
        if !brought.may_know(&source) {
            return source;
        }
        if self.found.is_none() {
            self.found = Some(self.ask());
        }
        let found = self.found.as_ref().and_then(|found| found.get(line)?.clone());
        let Some(commit) = found else { return self.before_vib(brought, source, line) };
        let text = self.lines.get(line).map(|text| ended(text).to_vec()).unwrap_or_default();
        let mut in_old = |id: &str| self.stands_in(id, &text);
        if brought.is_gits(&source, &commit, &mut in_old) { source.given_to(&commit) } else { source }
    }

    /// A command took content out of git: what was committed before it began, on whichever branch, it only brought here. What it unpacked that
    /// nobody can find any more is not its own, either: a stash that is popped is gone. (B5)
    fn taken_from_git(&mut self, brought: &Brought, source: &Source, line: usize) -> Option<Source> {
        let Source::Step { facts, .. } = source else { return None };
        let commands: Vec<&str> = facts.iter().filter_map(Fact::takes_from_git).collect();
        if !brought.is_there() || commands.len() != facts.len() {
            return None;
        }
        let text = ended(self.lines.get(line)?).trim_ascii();
        // What the agent typed into its command is its own.
        if text.is_empty() || commands.iter().any(|command| typed_in(command, text)) {
            return None;
        }
        let from_ms = facts.iter().map(|fact| fact.from_ms).min()?;
        let is_older = |added: &Added| !brought.is_since(&added.commit.id, added.committed_ms, from_ms);
        if let Some(added) = self.history.of(&self.root, &self.names, &commands, text, is_older) {
            return Some(source.given_to(&added.commit));
        }
        let unpacks = commands.iter().any(|command| unpacks(command));
        unpacks.then(|| Source::FromGit { brought_by: facts[0].step })
    }

    /// It was there before vib and does not stand so in the last commit: indented anew, or its file is not there any more. (M3)
    fn before_vib(&mut self, brought: &Brought, source: Source, line: usize) -> Source {
        if !matches!(source, Source::BeforeVib | Source::Unseen) || !brought.is_there() {
            return source;
        }
        let text = self.lines.get(line).map(|text| ended(text)).unwrap_or_default();
        let weight = text.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80).count();
        if weight < TELLING {
            return source;
        }
        match self.history.of(&self.root, &self.names, &[], text, |_| true) {
            Some(added) => source.given_to(&added.commit),
            None => source,
        }
    }

    /// Whether this file has such a line in a commit.
    fn stands_in(&mut self, id: &str, line: &[u8]) -> bool {
        if !self.others.contains_key(id) {
            let content = self.names.iter().find_map(|name| shown(&self.root, id, name)).unwrap_or_default();
            let lines = content.split(|byte| *byte == b'\n').map(|line| line.trim_ascii_end().to_vec());
            self.others.insert(id.to_owned(), lines.collect());
        }
        self.others.get(id).is_some_and(|lines| lines.contains(line))
    }

    fn ask(&self) -> Vec<Option<Commit>> {
        let mut out = vec![None; self.lines.len()];
        let is_repository =
            self.root.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok());
        if !is_repository {
            return out;
        }
        let Some(committed) = self.names.iter().find_map(|name| blame(&self.root, name)) else { return out };
        let now: Vec<&[u8]> = self.lines.iter().map(|line| ended(line)).collect();
        let then: Vec<&[u8]> = committed.iter().map(|(text, _)| text.trim_ascii_end()).collect();
        let Some(hunks) = store::line_diff::between(&then, &now, MOST_LINES) else { return out };
        let (mut from, mut to) = (0, 0);
        let end = store::line_diff::Hunk { base: then.len()..then.len(), side: now.len()..now.len() };
        for hunk in hunks.iter().chain([&end]) {
            while from < hunk.base.start && to < hunk.side.start {
                out[to] = Some(committed[from].1.clone());
                from += 1;
                to += 1;
            }
            (from, to) = (hunk.base.end, hunk.side.end);
        }
        out
    }
}

fn typed_in(command: &str, line: &[u8]) -> bool {
    String::from_utf8(line.to_vec()).is_ok_and(|line| command.contains(&line))
}

fn ended(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line).trim_ascii_end()
}

/// Every line of a file in the last commit with the commit that wrote it; none if git cannot or will not say.
fn blame(root: &Path, name: &RelPath) -> Option<Vec<(Vec<u8>, Commit)>> {
    let mut command = git::reader(root);
    command.args(["blame", "--porcelain", "--no-textconv", "HEAD", "--"]);
    command.arg(project::platform::bytes_to_path(name.as_bytes()));
    parse(&answer(command)?)
}

/// A file as a commit has it.
fn shown(root: &Path, id: &str, name: &RelPath) -> Option<Vec<u8>> {
    let mut object = std::ffi::OsString::from(format!("{id}:./"));
    object.push(project::platform::bytes_to_path(name.as_bytes()));
    let mut command = git::reader(root);
    command.args(["cat-file", "blob"]).arg(object);
    answer(command)
}

/// What git says, if it says it in time.
pub(super) fn answer(mut command: std::process::Command) -> Option<Vec<u8>> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let out = child.stdout.take()?;
    let reading = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        out.take(MOST_OUTPUT).read_to_end(&mut bytes).map(|_| bytes)
    });
    let until = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break Some(status),
            None if Instant::now() >= until => break None,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let bytes = reading.join().ok()?.ok()?;
    status.filter(std::process::ExitStatus::success)?;
    Some(bytes)
}

/// `git blame --porcelain`: a head with the commit's id, facts of it where it is named first, then the line after a tab.
fn parse(bytes: &[u8]) -> Option<Vec<(Vec<u8>, Commit)>> {
    let mut known: std::collections::HashMap<String, Commit> = std::collections::HashMap::new();
    let mut current: Option<Commit> = None;
    let mut out = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if let Some(text) = line.strip_prefix(b"\t") {
            let commit = current.take()?;
            known.insert(commit.id.clone(), commit.clone());
            out.push((text.to_vec(), commit));
            continue;
        }
        let line = String::from_utf8_lossy(line);
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match (&mut current, word) {
            (None, id) => {
                let id = id.to_owned();
                let empty =
                    Commit { id: id.clone(), author: String::new(), time_ms: 0, summary: String::new() };
                current = Some(known.get(&id).cloned().unwrap_or(empty));
            }
            (Some(commit), "author") => commit.author = rest.to_owned(),
            (Some(commit), "author-time") => {
                commit.time_ms = rest.parse::<i64>().unwrap_or(0).saturating_mul(1000);
            }
            (Some(commit), "summary") => commit.summary = rest.to_owned(),
            _ => {}
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_commit_are_told_once_and_hold_for_all_its_lines() {
        let told = b"aaaa 1 1 2\nauthor A person\nauthor-time 1767268800\nsummary The beginning\nfilename a\n\tone\naaaa 2 2\n\ttwo\n\
                     bbbb 1 3 1\nauthor B\nauthor-time 5\nsummary s\nfilename a\n\tthree\n";
        let lines = parse(told).unwrap_or_default();
        let texts: Vec<&[u8]> = lines.iter().map(|(text, _)| text.as_slice()).collect();
        assert_eq!(texts, [&b"one"[..], b"two", b"three"]);
        assert_eq!(lines[1].1.author, "A person");
        assert_eq!((lines[1].1.time_ms, lines[2].1.time_ms), (1_767_268_800_000, 5_000));
    }
}
