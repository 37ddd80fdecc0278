//! What changed between two moments, with both contents: from checkpoints, or from git where that is wanted.

use std::collections::HashMap;

use git::{RawChange, ask, output, raw_changes, read_blobs};
use project::RelPath;
use risk::{ChangedFile, Touched};
use store::{Difference, Entry, EntryKind, Progress, Store, View, WorkingTree};

use crate::baseline::{Baseline, baseline};
use crate::diff::content_of;
use crate::{Engine, Notice, Result, rename};

/// More files than this are counted and not read.
pub(crate) const MOST_FILES: usize = 3_000;

/// Longer content is not read.
const LONGEST: u64 = 4 << 20;

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Against {
    /// The newest safe checkpoint with now; git's last commit where there is no checkpoint.
    Safe,
    /// Two checkpoints, or one with now.
    Checkpoints {
        /// The earlier one; the newest safe one if none is given.
        from: Option<String>,
        /// The later one; now if none is given.
        to: Option<String>,
    },
    /// Git's last commit with now.
    Git,
    /// Git's last commit with what the next one would hold.
    Staged,
}

/// The moment that the present is compared with.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Base {
    /// A checkpoint.
    Checkpoint {
        /// Its id.
        id: String,
        /// Milliseconds since 1970.
        created_ms: i64,
    },
    /// Git's last commit.
    Commit,
    /// Nothing was saved before: there is nothing to compare with.
    Nothing,
}

/// The project as one look found it.
pub(crate) struct Now<'n, 's> {
    pub(crate) store: &'n Store<'s>,
    pub(crate) working: &'n WorkingTree,
}

/// Everything that is different.
#[derive(Debug)]
pub(crate) struct Changes {
    pub(crate) base: Base,
    /// The state that the present is compared with, where nothing else was asked.
    pub(crate) since: Option<Baseline>,
    pub(crate) to: String,
    /// All paths, also those that were not read.
    pub(crate) all: Vec<Touched>,
    pub(crate) files: Vec<ChangedFile>,
    /// Files that changed beyond what was read.
    pub(crate) left_out: usize,
    /// All files as they are now.
    pub(crate) present: Vec<(RelPath, Entry)>,
    pub(crate) notices: Vec<Notice>,
}

/// Finds what changed; at the most so many files are read.
pub(crate) fn collect(
    engine: &Engine,
    against: &Against,
    only: &[RelPath],
    most: usize,
    progress: &dyn Progress,
) -> Result<Changes> {
    let opened = engine.store(progress)?;
    let store = &opened.store;
    let (working, present) = store.working_tree_and_files(progress)?;
    let mut changes = collect_in(engine, &Now { store, working: &working }, against, only, most)?;
    changes.present = present;
    changes.notices = opened.notices;
    Ok(changes)
}

/// The same where somebody has looked already; at the most so many files are read, those that tell most.
pub(crate) fn collect_in(
    engine: &Engine,
    now: &Now<'_, '_>,
    against: &Against,
    only: &[RelPath],
    most: usize,
) -> Result<Changes> {
    let (store, view) = (now.store, &now.working.view);
    let since = match against {
        Against::Safe | Against::Checkpoints { from: None, .. } => baseline(store)?,
        _ => None,
    };
    let safe = since.as_ref().map(|since| since.checkpoint.clone());
    let mut changes = match against {
        Against::Git => from_git(engine, store, false, only, most)?,
        Against::Staged => from_git(engine, store, true, only, most)?,
        Against::Checkpoints { from, to } => {
            let from = match from {
                Some(id) => Some(store.resolve(id)?),
                None => safe,
            };
            let to = to.as_deref().map(|id| store.resolve(id)).transpose()?;
            from_store(engine, store, (from, to), view, only, most)?
        }
        Against::Safe => match safe {
            Some(safe) => from_store(engine, store, (Some(safe), None), view, only, most)?,
            None if has_commit(engine) => from_git(engine, store, false, only, most)?,
            None => Changes::none(),
        },
    };
    changes.since = since;
    Ok(changes)
}

impl Changes {
    /// The files that tell most, as [`collect_in`] would have chosen them; in order of path.
    pub(crate) fn most_telling(&self, most: usize) -> Vec<ChangedFile> {
        let mut files: Vec<&ChangedFile> = self.files.iter().collect();
        if files.len() > most {
            files.sort_by_cached_key(|file| (tells(&file.path, file.after.is_none()), file.path.clone()));
            files.truncate(most);
            files.sort_by(|a, b| a.path.cmp(&b.path));
        }
        files.into_iter().cloned().collect()
    }
}

/// Where there are too many files, those that tell most are read: programs, their tests and settings before all others, what
/// is gone after what is there, and what a program wrote last.
fn tells(path: &RelPath, gone: bool) -> u8 {
    use ::map::{Category, Language};
    match ::map::category(path.as_bytes()) {
        Category::Generated => 4,
        Category::Docs | Category::Other if Language::of_path(path.as_bytes()).is_none() => 3,
        Category::Docs => 3,
        _ if gone => 2,
        _ => 1,
    }
}

impl Changes {
    fn none() -> Self {
        Self {
            base: Base::Nothing,
            since: None,
            to: "now".to_owned(),
            all: Vec::new(),
            files: Vec::new(),
            left_out: 0,
            present: Vec::new(),
            notices: Vec::new(),
        }
    }
}

fn from_store(
    engine: &Engine,
    store: &Store<'_>,
    (from, to): (Option<store::Checkpoint>, Option<store::Checkpoint>),
    now: &View,
    only: &[RelPath],
    most: usize,
) -> Result<Changes> {
    let Some(from) = from else { return Ok(Changes::none()) };
    let before = store.view(&from, now)?;
    let after = match &to {
        Some(checkpoint) => store.view(checkpoint, now)?,
        None => now.clone(),
    };
    let root = engine.project().root();
    let differences = store.compare(&before, &after, only)?;
    let renames = rename::find(root, store, &differences);
    let targets: std::collections::HashSet<usize> = renames.values().copied().collect();
    let mut changes = Changes {
        base: Base::Checkpoint { id: from.id.to_string(), created_ms: from.created_ms },
        to: to.map_or_else(|| "now".to_owned(), |checkpoint| checkpoint.id.to_string()),
        ..Changes::none()
    };
    let mut worth: Vec<(u8, &RelPath, usize)> = Vec::new();
    for (at, difference) in differences.iter().enumerate() {
        if targets.contains(&at) || !is_content(difference) {
            continue;
        }
        let moved_to = renames.get(&at).map(|target| &differences[*target]);
        let path = moved_to.map_or(&difference.path, |target| &target.path);
        let gone = moved_to.is_none() && difference.after.is_none();
        let held = difference.before.is_some_and(|entry| entry.size > 0);
        changes.all.push(Touched {
            path: path.clone(),
            old_path: moved_to.map(|_| difference.path.clone()),
            gone,
            emptied: held && difference.after.is_some_and(|entry| entry.size == 0),
        });
        worth.push((tells(path, gone), path, at));
    }
    if worth.len() > most {
        worth.sort_unstable();
        changes.left_out = worth.len() - most;
        worth.truncate(most);
    }
    for (_, _, at) in worth {
        let difference = &differences[at];
        let moved_to = renames.get(&at).map(|target| &differences[*target]);
        let after = moved_to.map_or(difference.after, |target| target.after);
        let path = moved_to.map_or(&difference.path, |target| &target.path);
        let entries = [difference.before, after];
        let sensitive = entries.into_iter().flatten().any(|entry| entry.sensitive);
        let long = entries.into_iter().flatten().any(|entry| entry.size > LONGEST);
        let mut file = ChangedFile {
            path: path.clone(),
            old_path: moved_to.map(|_| difference.path.clone()),
            before: difference.before.map(|_| Vec::new()),
            after: after.map(|_| Vec::new()),
            sensitive,
            unread: long.then(|| "too long to read".to_owned()),
        };
        if !long {
            let read = |path: &RelPath, entry: Option<Entry>| {
                entry.map(|entry| content_of(root, store, path, Some(entry))).transpose()
            };
            match (read(&difference.path, difference.before), read(path, after)) {
                (Ok(before), Ok(after)) => (file.before, file.after) = (before, after),
                (Err(why), _) | (_, Err(why)) => file.unread = Some(why),
            }
        }
        changes.files.push(file);
    }
    changes.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(changes)
}

/// Content is different, not only permission bits or folders.
fn is_content(difference: &Difference) -> bool {
    let file =
        |entry: &Option<Entry>| entry.filter(|entry| entry.kind == EntryKind::File).map(|entry| entry.hash);
    file(&difference.before) != file(&difference.after)
}

fn has_commit(engine: &Engine) -> bool {
    output(&mut ask(engine.project().root(), &["rev-parse", "--verify", "--quiet", "HEAD"])).is_ok()
}

fn from_git(
    engine: &Engine,
    store: &Store<'_>,
    staged: bool,
    only: &[RelPath],
    most: usize,
) -> Result<Changes> {
    let root = engine.project().root();
    git::check(root)?;
    let mut arguments =
        vec!["diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--relative", "--ignore-submodules"];
    let unborn = !has_commit(engine);
    if staged {
        arguments.push("--cached");
    } else if !unborn {
        arguments.push("HEAD");
    }
    let mut rows = raw_changes(&output(&mut ask(root, &arguments))?);
    if !staged {
        let untracked = output(&mut ask(root, &["ls-files", "--others", "--exclude-standard", "-z"]))?;
        rows.extend(untracked.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(|path| {
            RawChange {
                old_mode: String::new(),
                old_id: String::new(),
                new_id: String::new(),
                old_path: None,
                path: path.to_vec(),
                status: b'A',
                is_file: true,
            }
        }));
    }
    let mut rows: Vec<(RelPath, RawChange)> =
        rows.into_iter().filter_map(|row| Some((RelPath::new(&row.path).ok()?, row))).collect();
    rows.retain(|(path, _)| only.is_empty() || only.iter().any(|folder| path.is_in(folder)));
    let mut wanted: Vec<(String, String)> = Vec::new();
    let left_out = rows.len().saturating_sub(most);
    let mut not_read = Vec::new();
    if left_out > 0 {
        rows.sort_by(|(a, row), (b, other)| {
            (tells(a, row.status == b'D'), a).cmp(&(tells(b, other.status == b'D'), b))
        });
        not_read = rows.split_off(most);
    }
    for (_, row) in &rows {
        for id in [&row.old_id, &row.new_id] {
            if is_blob(id) {
                wanted.push((id.clone(), id.clone()));
            }
        }
    }
    wanted.sort();
    wanted.dedup();
    let mut blobs: HashMap<String, Vec<u8>> = HashMap::new();
    read_blobs(root, &wanted, |id, content| {
        blobs.insert(id.to_owned(), content[..content.len().min(LONGEST as usize + 1)].to_vec());
    })?;
    let mut changes = Changes {
        base: if unborn { Base::Nothing } else { Base::Commit },
        to: if staged { "staged" } else { "now" }.to_owned(),
        left_out,
        ..Changes::none()
    };
    for (path, row) in not_read {
        let old_path = row.old_path.and_then(|path| RelPath::new(&path).ok());
        changes.all.push(Touched { path, old_path, gone: row.status == b'D', emptied: false });
    }
    for (path, row) in rows {
        let before = if row.status == b'A' { None } else { blobs.get(&row.old_id).cloned() };
        let after = match row.status {
            b'D' => None,
            _ if is_blob(&row.new_id) => blobs.get(&row.new_id).cloned(),
            _ => on_disk(engine, &path),
        };
        // A long file on the disk was not read either.
        let unread = after.as_ref().is_some_and(Vec::is_empty)
            && std::fs::symlink_metadata(path.to_path(root)).is_ok_and(|facts| facts.len() > LONGEST);
        let long =
            unread || [&before, &after].into_iter().flatten().any(|content| content.len() as u64 > LONGEST);
        if before == after {
            continue;
        }
        let old_path = row.old_path.and_then(|path| RelPath::new(&path).ok());
        let held = before.as_ref().is_some_and(|before| !before.is_empty());
        changes.all.push(Touched {
            path: path.clone(),
            old_path: old_path.clone(),
            gone: after.is_none(),
            emptied: held && !long && after.as_ref().is_some_and(Vec::is_empty),
        });
        changes.files.push(ChangedFile {
            sensitive: store.is_sensitive(&path)?,
            old_path,
            path,
            before,
            after,
            unread: long.then(|| "too long to read".to_owned()),
        });
    }
    changes.files.sort_by(|a, b| a.path.cmp(&b.path));
    changes.files.dedup_by(|later, earlier| later.path == earlier.path);
    changes.all.sort_by(|a, b| a.path.cmp(&b.path));
    changes.all.dedup_by(|later, earlier| later.path == earlier.path);
    Ok(changes)
}

fn on_disk(engine: &Engine, path: &RelPath) -> Option<Vec<u8>> {
    let file = path.to_path(engine.project().root());
    let facts = std::fs::symlink_metadata(&file).ok().filter(std::fs::Metadata::is_file)?;
    if facts.len() > LONGEST { Some(Vec::new()) } else { std::fs::read(&file).ok() }
}

fn is_blob(id: &str) -> bool {
    id.len() >= 40 && id.bytes().any(|byte| byte != b'0')
}
