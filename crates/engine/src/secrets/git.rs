//! What git holds: the index and the history, read through the `git` program, which is never asked to write.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(super) use git::check;
use git::{Error, ask, failed, output, raw_changes, read_blobs, start};
use store::{Phase, Progress};

use super::Look;
use super::patch::{Patches, Piece};
use super::text::{self, Found};
use crate::Result;

/// Of a longer object only so much is read.
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
    let mut raw = ask(
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
    let staged = files(&raw);
    let mut added: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    let mut diff = ask(root, &["diff", "--cached"]);
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
    let mut log = ask(root, &["log", "--all", "--full-history", "--cc", "--format=%x00%H %ct"]);
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

/// Object id and path of every file in a list of differences.
fn files(raw: &[u8]) -> Vec<(String, String)> {
    raw_changes(raw)
        .into_iter()
        .filter(|change| change.is_file)
        .map(|change| (change.new_id, String::from_utf8_lossy(&change.path).into_owned()))
        .collect()
}

/// The top folder of the repository around a folder.
pub(super) fn top(folder: &Path) -> Result<PathBuf> {
    let out = output(&mut ask(folder, &["rev-parse", "--show-toplevel"]))?;
    Ok(PathBuf::from(String::from_utf8_lossy(&out).trim_end_matches(['\n', '\r']).to_owned()))
}

/// Object id and path of everything that is staged and differs from the last commit.
pub(super) fn staged(top: &Path) -> Result<Vec<(String, String)>> {
    let arguments = ["diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--diff-filter=ACMT"];
    Ok(files(&output(&mut ask(top, &arguments))?))
}

/// Paths of changed files that are not staged; with `new_too` also those that git does not know and does not ignore.
pub(super) fn changed(top: &Path, new_too: bool) -> Result<Vec<String>> {
    let names = |out: Vec<u8>| -> Vec<String> {
        let names = out.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    };
    let mut paths =
        names(output(&mut ask(top, &["diff", "--name-only", "-z", "--no-renames", "--diff-filter=ACMT"]))?);
    if new_too {
        paths.extend(names(output(&mut ask(top, &["ls-files", "--others", "--exclude-standard", "-z"]))?));
    }
    Ok(paths)
}

/// What the last commit holds in the files of these findings.
pub(super) fn in_head(top: &Path, live: &[Found]) -> Vec<Found> {
    let mut names: Vec<(String, String)> =
        live.iter().map(|found| (format!("HEAD:{}", found.path), found.path.clone())).collect();
    names.sort();
    names.dedup();
    let mut before = Vec::new();
    // No commit yet: nothing is in already.
    let _ = each_named(top, &names, |_, path, content| before.extend(text::look(path, content, 1)));
    before
}

/// Whether git ignores a file; `None` where there is no git.
pub(super) fn is_ignored(root: &Path, file: &Path) -> Option<bool> {
    // This command knows no literal paths and takes what it is given as one.
    let status = ask(root, &["--no-literal-pathspecs", "check-ignore", "-q", "--"])
        .arg(file)
        .stderr(Stdio::null())
        .status()
        .ok()?;
    match status.code() {
        Some(0) => Some(true),
        Some(1) => Some(false),
        _ => None,
    }
}

/// The newest branches that remotes have, as far as git knows here.
pub(super) fn remote_refs(root: &Path) -> Result<Vec<String>> {
    let arguments =
        ["for-each-ref", "--count=16", "--sort=-committerdate", "--format=%(refname)", "refs/remotes"];
    let out = output(&mut ask(root, &arguments))?;
    let names = String::from_utf8_lossy(&out);
    Ok(names.lines().filter(|name| !name.ends_with("/HEAD")).map(str::to_owned).collect())
}

/// A remote branch that has this commit.
pub(super) fn remote_with(root: &Path, commit: &str) -> Result<Option<String>> {
    let contains = format!("--contains={commit}");
    let arguments = ["for-each-ref", "--count=1", "--format=%(refname)", &contains, "refs/remotes"];
    let out = output(&mut ask(root, &arguments))?;
    let name = String::from_utf8_lossy(&out);
    Ok(name.trim().strip_prefix("refs/remotes/").map(str::to_owned))
}

/// Reads objects until `each` says that it is enough; larger ones are left out. True: all were read.
pub(super) fn each_object(
    root: &Path,
    wanted: &[(String, String)],
    largest: u64,
    each: &mut dyn FnMut(&str, &[u8]) -> bool,
) -> Result<bool> {
    let mut whole = true;
    for part in wanted.chunks(64) {
        let mut go_on = true;
        read_blobs(root, part, |path, content| {
            if go_on && content.len() as u64 <= largest {
                go_on = each(path, content);
            }
        })?;
        if !go_on {
            whole = false;
            break;
        }
    }
    Ok(whole)
}

/// Reads what names such as `HEAD:./src/a.rs` mean; those that mean nothing are left out.
pub(super) fn each_named(
    root: &Path,
    names: &[(String, String)],
    mut each: impl FnMut(&str, &str, &[u8]),
) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let lost = |error: std::io::Error| Error::Failed(error.to_string());
    let mut child = start(ask(root, &["cat-file", "--batch"]).stdin(Stdio::piped()))?;
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Error::Failed("it gave no output".to_owned()).into());
    };
    let mut stdout = BufReader::new(stdout);
    for (name, path) in names.iter().filter(|(name, _)| !name.contains('\n')) {
        writeln!(stdin, "{name}").and_then(|()| stdin.flush()).map_err(lost)?;
        let mut head = String::new();
        stdout.read_line(&mut head).map_err(lost)?;
        let mut words = head.trim_end().rsplit(' ');
        let Some(size) = words.next().and_then(|size| size.parse::<u64>().ok()) else { continue };
        let is_file = words.next() == Some("blob");
        let mut content = Vec::new();
        stdout.by_ref().take(size.min(LARGEST_BLOB)).read_to_end(&mut content).map_err(lost)?;
        let rest = size - size.min(LARGEST_BLOB) + 1;
        std::io::copy(&mut stdout.by_ref().take(rest), &mut std::io::sink()).map_err(lost)?;
        if is_file {
            each(name, path, &content);
        }
    }
    drop(stdin);
    child.wait().map_err(lost)?;
    Ok(())
}

fn pathspecs(cwd: &Path, typed: &[PathBuf]) -> Vec<PathBuf> {
    typed.iter().map(|path| cwd.join(path)).collect()
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
        return Err(Error::Failed("it gave no output".to_owned()).into());
    };
    let mut patches = Patches::new(BufReader::with_capacity(256 << 10, stdout));
    let read = loop {
        match patches.next() {
            Ok(Some(piece)) => each(&piece, patches.commits),
            Ok(None) => break Ok(patches.commits),
            Err(error) => break Err(Error::Failed(error.to_string())),
        }
    };
    drop(patches.input);
    let status = child.wait().map_err(|error| Error::Failed(error.to_string()))?;
    let said = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
    let commits = read?;
    if status.success() { Ok(commits) } else { Err(failed(&said).into()) }
}
