//! What git holds: the index and the history, read through the `git` program, which is never asked to write.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use store::{Phase, Progress};

use super::Look;
use super::patch::{Patches, Piece};
use super::text::{self, Found};
use crate::{Error, Result};

/// Staged files above this size are counted as unread.
const LARGEST_BLOB: u64 = 256 << 20;

/// How patches are to be printed, whatever the settings say.
#[rustfmt::skip]
const PATCH: &[&str] = &[
    "-p", "-U0", "--inter-hunk-context=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--relative",
    "--ignore-submodules", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/",
];

/// What the next commit would add. Files are looked at as a whole, for the sake of context; only added lines count.
pub(super) fn look_at_staged(
    cwd: &Path,
    root: &Path,
    typed: &[PathBuf],
    progress: &dyn Progress,
) -> Result<Look> {
    check(root)?;
    let only = pathspecs(cwd, typed);
    progress.begin(Phase::Searching, None);
    let mut raw = git(
        root,
        &[
            "diff",
            "--cached",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-renames",
            "--relative",
            "--diff-filter=ACMT",
        ],
    );
    let raw = output(raw.arg("--").args(&only))?;
    let staged = blobs(&raw);
    let mut added: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    let mut diff = git(root, &["diff", "--cached"]);
    read_patches(diff.args(PATCH).arg("--").args(&only), |piece, _| {
        added.entry(piece.path.clone()).or_default().extend(piece.ranges());
    })?;
    let mut look = Look::default();
    read_blobs(root, &staged, |path, content| {
        progress.advance(1);
        look.files += 1;
        look.bytes += content.len() as u64;
        let ranges = added.get(path).map_or(&[][..], Vec::as_slice);
        let is_added = |found: &Found| {
            // A binary file has no lines to compare: it is new or changed as a whole.
            found.rule == text::SECRET_FILE
                || ranges.iter().any(|(from, to)| found.line < *to && found.end_line >= *from)
        };
        look.found.extend(text::look(path, content, 1).into_iter().filter(is_added));
    })?;
    Ok(look)
}

/// What any commit of any branch ever added, newest first, as git prints it.
pub(super) fn look_at_history(
    cwd: &Path,
    root: &Path,
    typed: &[PathBuf],
    most_commits: Option<u64>,
    progress: &dyn Progress,
) -> Result<Look> {
    check(root)?;
    progress.begin(Phase::SearchingHistory, None);
    let mut log = git(root, &["log", "--all", "--full-history", "--cc", "--format=%x00%H %ct"]);
    if let Some(most) = most_commits {
        log.arg(format!("--max-count={most}"));
    }
    let mut look = Look { commits: Some(0), ..Look::default() };
    // One secret in one file is one finding, however many commits carried it; the oldest seen is named.
    let mut oldest: HashMap<(String, &'static str, [u8; 32]), Found> = HashMap::new();
    let mut seen = 0;
    let commits = read_patches(log.args(PATCH).arg("--").args(pathspecs(cwd, typed)), |piece, commits| {
        progress.advance(commits - seen);
        seen = commits;
        look.files += 1;
        look.bytes += piece.text.len() as u64;
        for mut found in text::look(&piece.path, &piece.text, 1) {
            found.end_line = piece.line_in_file(found.end_line);
            found.line = piece.line_in_file(found.line);
            if let Some(commit) = &piece.commit {
                found.commit = Some(commit.id.clone());
                found.committed_s = Some(commit.seconds);
            }
            oldest.insert((found.path.clone(), found.rule, found.digest.hash), found);
        }
    })?;
    look.commits = Some(commits);
    look.found = oldest.into_values().collect();
    Ok(look)
}

pub(crate) fn git(root: &Path, arguments: &[&str]) -> Command {
    let mut command = project::git_reader(root);
    command.args(arguments);
    command
}

/// Says early, and in words, that there is no git here.
pub(crate) fn check(root: &Path) -> Result<()> {
    match output(&mut git(root, &["rev-parse", "--git-dir"])) {
        Ok(_) => Ok(()),
        Err(Error::GitFailed(detail)) if detail.contains("not a git repository") => {
            Err(Error::NotGit(root.to_path_buf()))
        }
        Err(error) => Err(error),
    }
}

fn pathspecs(cwd: &Path, typed: &[PathBuf]) -> Vec<PathBuf> {
    typed.iter().map(|path| cwd.join(path)).collect()
}

fn start(command: &mut Command) -> Result<Child> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            Error::GitMissing
        } else {
            Error::GitFailed(error.to_string())
        }
    })
}

pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = start(command)?.wait_with_output().map_err(|error| Error::GitFailed(error.to_string()))?;
    if output.status.success() { Ok(output.stdout) } else { Err(failed(&output.stderr)) }
}

fn failed(stderr: &[u8]) -> Error {
    let text = String::from_utf8_lossy(stderr);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it ended without a word");
    Error::GitFailed(first.trim_start_matches("fatal: ").to_owned())
}

/// Runs git and hands every piece of its patches on, with the number of commits so far.
fn read_patches(command: &mut Command, mut each: impl FnMut(&Piece, u64)) -> Result<u64> {
    let mut child = start(command)?;
    let errors = child.stderr.take().map(|mut stderr| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.by_ref().take(64 << 10).read_to_end(&mut text);
            // Whatever else it has to say must not block it.
            let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            text
        })
    });
    let Some(stdout) = child.stdout.take() else {
        return Err(Error::GitFailed("it gave no output".to_owned()));
    };
    let mut patches = Patches::new(BufReader::with_capacity(256 << 10, stdout));
    let read = loop {
        match patches.next() {
            Ok(Some(piece)) => each(&piece, patches.commits),
            Ok(None) => break Ok(patches.commits),
            Err(error) => break Err(Error::GitFailed(error.to_string())),
        }
    };
    drop(patches.input);
    let status = child.wait().map_err(|error| Error::GitFailed(error.to_string()))?;
    let said = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
    let commits = read?;
    if status.success() { Ok(commits) } else { Err(failed(&said)) }
}

/// Object id and path of every staged file, out of `--raw -z`.
fn blobs(raw: &[u8]) -> Vec<(String, String)> {
    let mut fields = raw.split(|byte| *byte == 0);
    let mut blobs = Vec::new();
    while let (Some(about), Some(path)) = (fields.next(), fields.next()) {
        let about = String::from_utf8_lossy(about);
        let mut about = about.split(' ');
        let (mode, id) = (about.nth(1).unwrap_or_default(), about.nth(1).unwrap_or_default());
        // A submodule (160000) is another repository, a link (120000) has no content.
        if mode.starts_with("100") {
            blobs.push((id.to_owned(), String::from_utf8_lossy(path).into_owned()));
        }
    }
    blobs
}

/// Reads objects one after another.
pub(crate) fn read_blobs(
    root: &Path,
    wanted: &[(String, String)],
    mut each: impl FnMut(&str, &[u8]),
) -> Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let lost = |error: std::io::Error| Error::GitFailed(error.to_string());
    let mut child = start(git(root, &["cat-file", "--batch"]).stdin(Stdio::piped()))?;
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Error::GitFailed("it gave no output".to_owned()));
    };
    let mut stdout = BufReader::new(stdout);
    let mut content = Vec::new();
    for (id, path) in wanted {
        writeln!(stdin, "{id}").and_then(|()| stdin.flush()).map_err(lost)?;
        let mut head = String::new();
        stdout.read_line(&mut head).map_err(lost)?;
        let size: u64 = head
            .trim_end()
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse().ok())
            .ok_or_else(|| Error::GitFailed(format!("`{path}` cannot be read from the index")))?;
        content.clear();
        stdout.by_ref().take(size.min(LARGEST_BLOB)).read_to_end(&mut content).map_err(lost)?;
        let rest = size - size.min(LARGEST_BLOB) + 1;
        std::io::copy(&mut stdout.by_ref().take(rest), &mut std::io::sink()).map_err(lost)?;
        each(path, &content);
    }
    drop(stdin);
    child.wait().map_err(lost)?;
    Ok(())
}
