//! Git, read second and from its own files: is something unfinished, did something move the whole tree?

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Stdio;

use git::{Folder, Move};
use project::RelPath;
use recovery::{Actor, Git, GitMove, GitState, GitStateKind, Signals, Step};
use store::{ContentHash, Entry, EntryKind, Passage, StepNumber, Store, WorkingTree};

use super::gather::{Owned, Scope};
use crate::diff::content_of;
use crate::{Engine, Result};

/// What git's own files tell. No process, no lock.
pub(super) fn look(root: &Path) -> Git {
    let Some(folder) = Folder::of(root) else { return Git::default() };
    // A stash puts the tree back with a reset of its own, which the log of `HEAD` calls one.
    let stashed: Vec<i64> = folder.stashes().iter().map(|row| row.time_ms).collect();
    let told = |one: GitMove| {
        let of_stash = one.what == "reset" && stashed.iter().any(|time| (time - one.time_ms).abs() <= 2_000);
        if of_stash { GitMove { what: "stash".to_owned(), ..one } } else { one }
    };
    Git {
        present: true,
        unfinished: folder.unfinished().map(str::to_owned),
        moves: folder.moves().iter().filter_map(moved).map(told).collect(),
        states: Vec::new(),
    }
}

fn moved(row: &Move) -> Option<GitMove> {
    const MOVES: [&str; 7] = ["reset", "checkout", "merge", "rebase", "pull", "cherry-pick", "revert"];
    let what = row.command();
    MOVES.contains(&what).then(|| GitMove { what: what.to_owned(), time_ms: row.time_ms })
}

/// What git keeps and no checkpoint does: the last commit, what was stashed, commits that a reset left behind. (R1)
///
/// On the first day there is nothing else. Later it is asked for files that were named and that no checkpoint knows, and for what was
/// lost before the first look. Nothing of git's is written, and nothing in a repository's settings is run.
pub(super) fn add(
    engine: &Engine,
    store: &Store<'_>,
    working: &WorkingTree,
    scope: &Scope<'_>,
    signals: &mut Signals,
    owned: &mut Vec<Owned>,
    places: &mut HashMap<(i64, Option<StepNumber>), usize>,
) -> Result<()> {
    if !signals.git.present || (signals.has_history && !scope.all) {
        return Ok(());
    }
    let root = engine.project().root();
    let known: HashSet<RelPath> = owned.iter().map(|one| one.passage.path.clone()).collect();
    let named = |path: &str| scope.phrase.objects.iter().any(|name| name.names_path(path));
    let within = |path: &RelPath| scope.only.is_empty() || scope.only.iter().any(|folder| path.is_in(folder));
    let mut found: Vec<Owned> = Vec::new();
    let mut seen: HashSet<RelPath> = known;
    let all = Cell::new(0);
    for (at, (state, files)) in states(root, &named, &all).into_iter().enumerate() {
        let look = -1 - i64::try_from(at).unwrap_or(0);
        let files: Vec<&Blob> =
            files.iter().filter(|file| within(&file.path) && !seen.contains(&file.path)).collect();
        let contents = read(root, &files);
        let mut any = false;
        for (file, content) in files.iter().zip(contents) {
            let Some(content) = content else { continue };
            let now = store.entry_in(&working.view, file.path.as_bytes())?;
            let Some(before) = entry(store, file, content, now, root) else { continue };
            any = true;
            seen.insert(file.path.clone());
            let passage = Passage {
                path: file.path.clone(),
                before: Some(before),
                after: now,
                last_seen: look,
                first_seen: None,
            };
            found.push(Owned { passage, owner: None, look });
        }
        if any {
            places.insert((look, None), signals.steps.len());
            signals.steps.push(Step {
                seq: look,
                checkpoint: state.id.clone(),
                time_ms: state.time_ms,
                // What was there before vib's first look is a person's, unless something is clearly lost.
                actor: if signals.has_history { Actor::Person } else { Actor::Unknown },
                tool: None,
                command: None,
                session: None,
                turn: None,
                prompt: None,
            });
            signals.git.states.push(state);
        }
    }
    if !signals.has_history && signals.files == 0 {
        signals.files = all.get();
    }
    found.append(owned);
    *owned = found;
    Ok(())
}

/// A file in a commit.
struct Blob {
    path: RelPath,
    id: String,
    mode: u32,
}

/// Bytes of a content that are read, and contents in all.
const LONGEST: usize = 8 << 20;
const MOST_FILES: usize = 5_000;
/// Moves of the last commit that are looked through.
const MOST_MOVES: &str = "40";

/// The states to look at with their files that may be different now: the last commit; for what was named also what was stashed and
/// what a reset left behind.
fn states(root: &Path, named: &dyn Fn(&str) -> bool, all: &Cell<u64>) -> Vec<(GitState, Vec<Blob>)> {
    let mut out = Vec::new();
    let format = "--format=%h%x00%ct%x00%s";
    let Some(head) =
        ask(root, &["log", "-1", format, "HEAD"]).and_then(|text| state(&text, GitStateKind::Head))
    else {
        return out;
    };
    let mut paths: BTreeSet<Vec<u8>> = BTreeSet::new();
    for question in
        [&["diff-files", "-z", "--name-only"][..], &["diff-index", "--cached", "-z", "--name-only", "HEAD"]]
    {
        let listed = ask(root, question).unwrap_or_default();
        paths.extend(listed.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec));
    }
    let files = tree(root, "HEAD", &|path| {
        all.set(all.get() + 1);
        paths.contains(path)
    });
    out.push((head, files));
    // Only what somebody misses by its name is looked for further.
    let stashes = ask(root, &["log", "-g", "-5", format, "refs/stash"]).unwrap_or_default();
    for line in stashes.split(|byte| *byte == b'\n') {
        let Some(stash) = state(line, GitStateKind::Stash) else { continue };
        let changed = changed_in(root, &stash.id);
        let files = tree(root, &stash.id, &|path| changed.contains(path) && is_named(path, named));
        out.push((stash, files));
    }
    let moves = ask(root, &["log", "-g", "-n", MOST_MOVES, format, "HEAD"]).unwrap_or_default();
    let mut looked: BTreeSet<String> = BTreeSet::new();
    for line in moves.split(|byte| *byte == b'\n') {
        let Some(left) = state(line, GitStateKind::Left) else { continue };
        if !looked.insert(left.id.clone()) || looked.len() > 12 || is_reachable(root, &left.id) {
            continue;
        }
        let changed = changed_in(root, &left.id);
        let files = tree(root, &left.id, &|path| changed.contains(path) && is_named(path, named));
        out.push((left, files));
    }
    out
}

fn is_named(path: &[u8], named: &dyn Fn(&str) -> bool) -> bool {
    std::str::from_utf8(path).is_ok_and(named)
}

fn is_reachable(root: &Path, id: &str) -> bool {
    let mut command = git::reader(root);
    let status = command
        .args(["merge-base", "--is-ancestor", id, "HEAD"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    // Where git cannot say, nothing is offered.
    status.is_ok_and(|status| status.code() != Some(1))
}

/// `short id NUL seconds NUL subject`
fn state(line: &[u8], kind: GitStateKind) -> Option<GitState> {
    let text = String::from_utf8_lossy(line);
    let mut parts = text.trim_end().splitn(3, '\0');
    let id = parts
        .next()
        .filter(|id| id.len() >= 4 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))?
        .to_owned();
    let seconds: i64 = parts.next()?.parse().ok()?;
    let subject = parts.next().unwrap_or_default().to_owned();
    Some(GitState { id, kind, time_ms: seconds.saturating_mul(1000), subject })
}

/// Paths that a commit changed, compared with the one before it.
fn changed_in(root: &Path, id: &str) -> BTreeSet<Vec<u8>> {
    let parent = format!("{id}^1");
    let listed = ask(root, &["diff-tree", "-r", "-z", "--name-only", &parent, id]).unwrap_or_default();
    listed.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect()
}

/// Files of a commit.
fn tree(root: &Path, id: &str, wanted: &dyn Fn(&[u8]) -> bool) -> Vec<Blob> {
    let listed = ask(root, &["ls-tree", "-r", "-z", "--full-tree", id]).unwrap_or_default();
    let mut files = Vec::new();
    for line in listed.split(|byte| *byte == 0) {
        let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
        let (head, path) = (String::from_utf8_lossy(&line[..tab]).into_owned(), &line[tab + 1..]);
        let mut parts = head.split(' ');
        let (Some(mode), Some("blob"), Some(blob)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        if !wanted(path) || files.len() >= MOST_FILES {
            continue;
        }
        if let (Ok(path), Ok(mode)) = (RelPath::new(path), u32::from_str_radix(mode, 8)) {
            files.push(Blob { path, id: blob.to_owned(), mode });
        }
    }
    files
}

/// Their contents, in the same order.
fn read(root: &Path, files: &[&Blob]) -> Vec<Option<Vec<u8>>> {
    let mut out: Vec<Option<Vec<u8>>> = vec![None; files.len()];
    if files.is_empty() {
        return out;
    }
    let mut command = git::reader(root);
    command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return out };
    let question: String = files.iter().map(|file| format!("{}\n", file.id)).collect();
    let writer = child.stdin.take().map(|mut input| {
        std::thread::spawn(move || {
            let _ = input.write_all(question.as_bytes());
        })
    });
    if let Some(output) = child.stdout.take() {
        let mut output = BufReader::new(output);
        for slot in &mut out {
            let mut line = String::new();
            if output.read_line(&mut line).is_err() {
                break;
            }
            let size: Option<usize> = line.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok());
            let (Some(size), true) = (size, line.contains(" blob ")) else { continue };
            let mut content = vec![0; size + 1];
            if output.read_exact(&mut content).is_err() {
                break;
            }
            content.truncate(size);
            *slot = (size <= LONGEST).then_some(content);
        }
    }
    let _ = child.wait();
    if let Some(writer) = writer {
        let _ = writer.join();
    }
    out
}

/// What the file was, if it is not that now. Line ends that a checkout adds are no difference, and a pointer of git's LFS is no content.
fn entry(store: &Store<'_>, file: &Blob, content: Vec<u8>, now: Option<Entry>, root: &Path) -> Option<Entry> {
    if content.starts_with(b"version https://git-lfs") {
        return None;
    }
    let kind = if file.mode == 0o120_000 { EntryKind::Symlink } else { EntryKind::File };
    let runnable = file.mode & 0o111 != 0;
    let mode = match (kind, now) {
        (EntryKind::Symlink, _) => 0,
        (_, Some(now)) if now.kind == EntryKind::File && (now.mode & 0o111 != 0) == runnable => now.mode,
        _ if runnable => 0o755,
        _ => 0o644,
    };
    let hash = ContentHash::of(&content);
    let before = Entry {
        kind,
        mode,
        size: content.len() as u64,
        hash,
        sensitive: now.is_some_and(|now| now.sensitive),
    };
    if now.is_some_and(|now| now.same_on_disk(&before)) {
        return None;
    }
    if let Some(now) = now
        && let Ok(is) = content_of(root, store, &file.path, Some(now))
        && is.len() > content.len()
        && is.iter().filter(|byte| **byte != b'\r').eq(content.iter())
    {
        return None;
    }
    store.hold(content);
    Some(before)
}

/// Of these files, those whose secret stands in the last commit, and whether that commit left this machine. (R15)
pub(super) fn committed_secrets(root: &Path, paths: &[String]) -> (Vec<String>, bool) {
    const MOST: usize = 20;
    let has_secret = |path: &&String| {
        let named = format!("HEAD:{path}");
        let content = ask(root, &["cat-file", "blob", &named]).filter(|content| content.len() <= LONGEST);
        content.is_some_and(|content| !redact::Scanner::shared().scan(&content[..], Some(path)).is_empty())
    };
    let found: Vec<String> = paths.iter().take(MOST).filter(has_secret).cloned().collect();
    let pushed = !found.is_empty()
        && ask(root, &["for-each-ref", "--count=1", "--contains", "HEAD", "refs/remotes"])
            .is_some_and(|refs| !refs.is_empty());
    (found, pushed)
}

fn ask(root: &Path, question: &[&str]) -> Option<Vec<u8>> {
    let mut command = git::reader(root);
    let output = command.args(question).stderr(Stdio::null()).output().ok()?;
    output.status.success().then_some(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_tells_what_moved_the_tree() {
        let row = |message: &str| Move {
            from: "aa".into(),
            hash: "bb".into(),
            time_ms: 1_767_268_800_000,
            message: message.into(),
        };
        let found = moved(&row("reset: moving to HEAD~2")).unwrap();
        assert_eq!((found.what.as_str(), found.time_ms), ("reset", 1_767_268_800_000));
        assert!(moved(&row("commit: reset everything")).is_none());
    }
}
