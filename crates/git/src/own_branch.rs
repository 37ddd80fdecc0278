//! Commits on a branch of vib's own, by plumbing: with an index of its own and the files of another folder. The person's `HEAD`, index, work
//! tree, settings and stash are neither written nor locked; no hook, filter or signing program of theirs is started.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::program::writer_of_paths;
use crate::{Error, Folder, RawChange, Result, failed, output, raw_changes, start, writer};

/// Beyond what [`writer`] switches off: nothing here signs, looks away from files or changes what a commit is written in.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "-c", "commit.gpgSign=false", "-c", "i18n.commitEncoding=UTF-8", "-c", "core.safecrlf=false", "-c", "core.sparseCheckout=false",
    "-c", "index.sparse=false", "-c", "core.splitIndex=false",
];

/// Variables that would lead git somewhere else.
#[rustfmt::skip]
const ELSEWHERE: &[&str] = &[
    "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_ATTR_SOURCE", "GIT_PREFIX",
    "GIT_QUARANTINE_PATH", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_INDEX_VERSION",
];

/// Who writes commits.
const WRITER: (&str, &str) = ("vib", "vib@localhost");

/// Writes commits of a folder's files into a repository, beside everything that is the person's.
#[derive(Debug, Clone)]
pub struct OwnBranch {
    git_dir: PathBuf,
    files: PathBuf,
    index: PathBuf,
}

/// One file in an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Its path.
    pub path: Vec<u8>,
    /// It belongs to a submodule.
    pub is_submodule: bool,
}

impl OwnBranch {
    /// Into this repository, with the files of this folder, by this index file, which is made.
    pub fn new(folder: &Folder, files: &Path, index: &Path) -> Result<Self> {
        let absolute =
            |path: &Path| std::path::absolute(path).map_err(|error| Error::Failed(error.to_string()));
        Ok(Self { git_dir: absolute(&folder.own)?, files: absolute(files)?, index: absolute(index)? })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        self.set(writer(&self.files), arguments)
    }

    fn set(&self, mut command: Command, arguments: &[&str]) -> Command {
        command.args(PLAIN).args(arguments);
        for variable in ELSEWHERE {
            command.env_remove(variable);
        }
        command
            .env("GIT_DIR", &self.git_dir)
            .env("GIT_WORK_TREE", &self.files)
            .env("GIT_INDEX_FILE", &self.index)
            .env("GIT_COMMITTER_NAME", WRITER.0)
            .env("GIT_COMMITTER_EMAIL", WRITER.1)
            .env("GIT_NO_REPLACE_OBJECTS", "1");
        command
    }

    fn word(&self, arguments: &[&str]) -> Result<String> {
        let out = output(&mut self.command(arguments))?;
        Ok(String::from_utf8_lossy(&out).trim().to_owned())
    }

    /// Lets the index hold exactly what a commit holds; nothing: it is empty.
    pub fn read(&self, commit: Option<&str>) -> Result<()> {
        // One that a kill left behind half written is no reason to stop.
        let _ = std::fs::remove_file(self.index.with_extension("lock"));
        let _ = std::fs::remove_file(&self.index);
        self.word(&["read-tree", commit.unwrap_or("--empty")]).map(drop)
    }

    /// Everything in the index.
    pub fn held(&self) -> Result<Vec<Held>> {
        let out = output(&mut self.command(&["ls-files", "-s", "-z"]))?;
        let rows = out.split(|byte| *byte == 0).filter_map(|row| {
            let tab = row.iter().position(|byte| *byte == b'\t')?;
            Some(Held { path: row[tab + 1..].to_vec(), is_submodule: row.starts_with(b"160000") })
        });
        Ok(rows.collect())
    }

    /// Which of these paths git leaves out by its rules, as long as they are not in the index.
    pub fn ignored(&self, paths: &[Vec<u8>]) -> Result<HashSet<Vec<u8>>> {
        let from_here: Vec<Vec<u8>> = paths.iter().map(|path| [b"./", path.as_slice()].concat()).collect();
        let mut command = self.set(writer_of_paths(&self.files), &["check-ignore", "-z", "--stdin"]);
        let done = fed(&mut command, joined(&from_here))?;
        match done.status.code() {
            Some(0 | 1) => Ok(parts(&done.stdout)
                .map(|path| path.strip_prefix(b"./").map(<[u8]>::to_vec).unwrap_or(path))
                .collect()),
            _ => Err(failed(&done.stderr)),
        }
    }

    /// Which of these paths git would hand to another program before it keeps them.
    pub fn filtered(&self, paths: &[Vec<u8>]) -> Result<HashSet<Vec<u8>>> {
        let done = fed(&mut self.command(&["check-attr", "-z", "--stdin", "filter"]), joined(paths))?;
        if !done.status.success() {
            return Err(failed(&done.stderr));
        }
        let all: Vec<Vec<u8>> = done.stdout.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect();
        let is_set = |value: &[u8]| !matches!(value, b"unspecified" | b"unset");
        Ok(all.chunks_exact(3).filter(|row| is_set(&row[2])).map(|row| row[0].clone()).collect())
    }

    /// Takes these paths into the index as they are in the folder; those that are not there go.
    pub fn take(&self, paths: &[Vec<u8>]) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let words = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
        let done = fed(&mut self.command(&words), joined(paths))?;
        if done.status.success() { Ok(()) } else { Err(failed(&done.stderr)) }
    }

    /// Lets one path be again as it was before.
    pub fn put_back(&self, change: &RawChange) -> Result<()> {
        let was_there = change.old_id.bytes().any(|byte| byte != b'0');
        let mode = if was_there { change.old_mode.as_str() } else { "0" };
        let line = [format!("{mode} {}\t", change.old_id).as_bytes(), &change.path, &[0]].concat();
        let done = fed(&mut self.command(&["update-index", "-z", "--index-info"]), line)?;
        if done.status.success() { Ok(()) } else { Err(failed(&done.stderr)) }
    }

    /// What the index holds otherwise than a tree.
    pub fn changes(&self, tree: &str) -> Result<Vec<RawChange>> {
        let words = ["diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", tree, "--"];
        Ok(raw_changes(&output(&mut self.command(&words))?))
    }

    /// The content of an object.
    pub fn content(&self, id: &str) -> Result<Vec<u8>> {
        output(&mut self.command(&["cat-file", "blob", id]))
    }

    /// Writes the index as a tree.
    pub fn tree(&self) -> Result<String> {
        self.word(&["write-tree"])
    }

    /// Writes a commit. The same tree, parent, words and time are the same commit. The author is who git says; where it says nobody, vib is.
    pub fn commit(&self, tree: &str, parent: Option<&str>, words: &str, seconds: i64) -> Result<String> {
        let when = format!("{seconds} +0000");
        let mut arguments = vec!["commit-tree", "--no-gpg-sign", tree];
        arguments.extend(parent.iter().flat_map(|parent| ["-p", parent]));
        let mut command = self.command(&arguments);
        command.env("GIT_AUTHOR_DATE", &when).env("GIT_COMMITTER_DATE", &when);
        // Nobody's name is guessed from the machine.
        let author = self.command(&["-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"]).output();
        if !author.is_ok_and(|asked| asked.status.success()) {
            command.env("GIT_AUTHOR_NAME", WRITER.0).env("GIT_AUTHOR_EMAIL", WRITER.1);
        }
        let done = fed(&mut command, words.as_bytes().to_vec())?;
        if !done.status.success() {
            return Err(failed(&done.stderr));
        }
        Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
    }

    /// Where a branch stands.
    pub fn stands(&self, branch: &str) -> Option<String> {
        self.word(&["rev-parse", "--verify", "--quiet", &format!("refs/heads/{branch}")]).ok()
    }

    /// The work tree in which somebody has this branch checked out.
    pub fn checked_out(&self, branch: &str) -> Result<Option<String>> {
        let name = format!("refs/heads/{branch}");
        let place = self.word(&["for-each-ref", "--format=%(worktreepath)", &name])?;
        Ok(Some(place).filter(|place| !place.is_empty()))
    }

    /// Moves a branch from one commit to the next, or makes it. One that stands elsewhere stays there.
    pub fn advance(&self, branch: &str, to: &str, from: Option<&str>) -> Result<()> {
        let stands = self.stands(branch);
        if stands.as_deref() == Some(to) {
            return Ok(());
        }
        if stands.as_deref() != from {
            return Err(Error::Failed(format!("the branch `{branch}` was moved by somebody else")));
        }
        if let Some(place) = self.checked_out(branch)? {
            return Err(Error::Failed(format!("the branch `{branch}` is checked out in `{place}`")));
        }
        let name = format!("refs/heads/{branch}");
        self.word(&["update-ref", "-m", "vib run", "--no-deref", &name, to, from.unwrap_or_default()])
            .map(drop)
    }
}

fn joined(paths: &[Vec<u8>]) -> Vec<u8> {
    paths.iter().flat_map(|path| path.iter().copied().chain([0])).collect()
}

fn parts(text: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    text.split(|byte| *byte == 0).filter(|part| !part.is_empty()).map(<[u8]>::to_vec)
}

/// What it says to this.
fn fed(command: &mut Command, text: Vec<u8>) -> Result<Output> {
    let mut child = start(command.stdin(Stdio::piped()))?;
    let stdin = child.stdin.take();
    let said = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&text)));
    let done = child.wait_with_output().map_err(|error| Error::Failed(error.to_string()))?;
    let _ = said.join();
    Ok(done)
}
