//! The parallel walk: one job per folder, no content read.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use project::is_reserved_name;
use project::platform::{DirHandle, FileKind, FileStat};

use super::index::{
    DIR_RACY, DIR_SKIPPED, ENTRY_RACY, ENTRY_SENSITIVE, ENTRY_UNSAVED, ENTRY_WATCHED, IndexDir, IndexEntry,
    StatIndex,
};
use super::rules::{IGNORE_FILES, RuleNode, Rules, is_own_project};
use super::{Problem, ScanCounts, hurry};
use crate::hash::ContentHash;
use crate::progress::Progress;

/// The folder is inside an ignored one; only files on the include list are saved, and the folder itself is not.
pub(crate) const DIR_IGNORED: u8 = 4;

/// A name in a folder that was looked at anew.
#[derive(Debug)]
pub(crate) struct SeenEntry {
    pub(crate) name: Box<[u8]>,
    pub(crate) stat: FileStat,
    pub(crate) flags: u8,
    /// `None`: the content has to be read.
    pub(crate) hash: Option<ContentHash>,
}

/// A folder after the walk.
#[derive(Debug)]
pub(crate) enum SeenDir {
    /// Exactly as in the index.
    Same(usize),
    /// Something is different, or new.
    Other { path: Vec<u8>, stat: FileStat, flags: u8, entries: Vec<SeenEntry> },
}

/// The result of the walk.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) dirs: Vec<SeenDir>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) counts: ScanCounts,
    /// Folders that could not be opened: what was known below them still stands.
    pub(crate) unreadable: Vec<Vec<u8>>,
    /// Folders that belong to themselves: what was saved of them once stands, and nothing new is.
    pub(crate) left_alone: Vec<Vec<u8>>,
    /// By ordinal in the index.
    pub(crate) visited: Vec<bool>,
}

struct Job {
    path: Vec<u8>,
    rules: Arc<RuleNode>,
    /// The rules above changed, so known names cannot be trusted.
    relist: bool,
    ignored: bool,
}

struct Shared<'a> {
    root: &'a DirHandle,
    index: &'a StatIndex,
    rules: &'a Rules,
    progress: &'a dyn Progress,
    visited: Vec<AtomicBool>,
    queue: Mutex<Vec<Job>>,
    wake: Condvar,
    /// Jobs queued or being worked on; the walk ends when there are none.
    open_jobs: AtomicUsize,
    queued: AtomicUsize,
    threads: usize,
}

/// How many threads look at files. More than a few only wait for each other in the kernel.
pub(crate) fn thread_count() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 8)
}

/// Walks the whole tree.
pub(crate) fn scan(root: &DirHandle, index: &StatIndex, rules: &Rules, progress: &dyn Progress) -> Scan {
    let threads = thread_count();
    let relist = index.fingerprint != rules.fingerprint();
    let first = Job { path: Vec::new(), rules: RuleNode::root(), relist, ignored: false };
    let shared = Shared {
        root,
        index,
        rules,
        progress,
        visited: (0..index.len()).map(|_| AtomicBool::new(false)).collect(),
        queue: Mutex::new(vec![first]),
        wake: Condvar::new(),
        open_jobs: AtomicUsize::new(1),
        queued: AtomicUsize::new(1),
        threads,
    };
    let mut scan = Scan::default();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(&shared))).collect();
        merge(&mut scan, work(&shared));
        for other in others {
            if let Ok(part) = other.join() {
                merge(&mut scan, part);
            }
        }
    });
    scan.visited = shared.visited.into_iter().map(AtomicBool::into_inner).collect();
    scan
}

fn merge(into: &mut Scan, mut part: Scan) {
    into.dirs.append(&mut part.dirs);
    into.problems.append(&mut part.problems);
    into.unreadable.append(&mut part.unreadable);
    into.left_alone.append(&mut part.left_alone);
    into.counts.files += part.counts.files;
    into.counts.folders += part.counts.folders;
    into.counts.ignored += part.counts.ignored;
}

fn work(shared: &Shared<'_>) -> Scan {
    let mut worker =
        Worker { shared, out: Scan::default(), own: Vec::new(), buffer: Vec::new(), path: Vec::new() };
    while let Some(job) = worker.next_job() {
        let before = worker.out.counts.files;
        worker.visit(&job);
        shared.progress.advance(worker.out.counts.files - before);
        worker.share_jobs();
        if shared.open_jobs.fetch_sub(1, Ordering::AcqRel) == 1 {
            shared.wake.notify_all();
        }
    }
    worker.out
}

struct Worker<'a> {
    shared: &'a Shared<'a>,
    out: Scan,
    own: Vec<Job>,
    buffer: Vec<u8>,
    path: Vec<u8>,
}

impl<'a> Worker<'a> {
    fn next_job(&mut self) -> Option<Job> {
        if let Some(job) = self.own.pop() {
            return Some(job);
        }
        let mut queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(job) = queue.pop() {
                self.shared.queued.store(queue.len(), Ordering::Relaxed);
                return Some(job);
            }
            if self.shared.open_jobs.load(Ordering::Acquire) == 0 {
                self.shared.wake.notify_all();
                return None;
            }
            let waited = self.shared.wake.wait_timeout(queue, std::time::Duration::from_millis(1));
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Gives half of the own jobs away when the others have little left.
    fn share_jobs(&mut self) {
        if self.own.len() > 1 && self.shared.queued.load(Ordering::Relaxed) < self.shared.threads * 4 {
            let half = self.own.len() / 2;
            let mut queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
            // The oldest ones lie nearest to the root: the largest pieces.
            queue.extend(self.own.drain(..half));
            self.shared.queued.store(queue.len(), Ordering::Relaxed);
            drop(queue);
            self.shared.wake.notify_all();
        }
    }

    fn add_job(&mut self, parent: &Job, name: &[u8], relist: bool, ignored: bool) {
        let path = join(&parent.path, name);
        let rules = RuleNode::child(&parent.rules, &path);
        self.shared.open_jobs.fetch_add(1, Ordering::AcqRel);
        self.own.push(Job { path, rules, relist, ignored });
    }

    fn visit(&mut self, job: &Job) {
        if hurry::is_late() {
            self.problem(&job.path, hurry::NOT_YET, hurry::LATER);
            self.out.unreadable.push(job.path.clone());
            return;
        }
        let opened =
            self.shared.root.open_dir(&job.path).and_then(|dir| dir.stat_self().map(|stat| (dir, stat)));
        let (dir, stat) = match opened {
            Ok(opened) => opened,
            Err(error) if is_gone(&error) => return,
            Err(error) => {
                self.problem(&job.path, "unreadable", &format!("this folder could not be opened: {error}"));
                self.out.unreadable.push(job.path.clone());
                return;
            }
        };
        self.out.counts.folders += 1;
        let known = self.shared.index.find(&job.path);
        if let Some((ordinal, _)) = known {
            self.shared.visited[ordinal].store(true, Ordering::Relaxed);
        }
        // The time before anything is looked at: what changes later than this looks too recent to be trusted.
        let now = now_ns();
        if let Some((ordinal, base)) = known
            && !job.relist
            && base.flags & DIR_RACY == 0
            && same_dir(&base.stat, &stat)
            && self.visit_known(job, &dir, &stat, ordinal, &base, now)
        {
            return;
        }
        self.visit_listing(job, &dir, stat, known.map(|(_, base)| base), now);
    }

    /// The folder's names are as they were: only the files have to be looked at. `false`: it has to be listed after all.
    fn visit_known(
        &mut self,
        job: &Job,
        dir: &DirHandle,
        stat: &FileStat,
        ordinal: usize,
        base: &IndexDir<'_>,
        now: i64,
    ) -> bool {
        let mut different: Vec<(usize, FileStat)> = Vec::new();
        let mut files = 0;
        for (at, entry) in base.entries().enumerate() {
            if entry.stat.kind == FileKind::Dir {
                continue;
            }
            let Ok(stat) = dir.stat(entry.name) else {
                return false;
            };
            if stat.kind == FileKind::Dir {
                return false;
            }
            files += 1;
            let same = same_file(&entry.stat, &stat);
            if (!same || entry.flags & ENTRY_RACY != 0) && IGNORE_FILES.contains(&entry.name) {
                return false;
            }
            if entry.flags & (ENTRY_UNSAVED | ENTRY_RACY) != 0 || !same {
                different.push((at, stat));
            }
        }
        self.out.counts.files += files;
        job.rules.names_seen(base.entries().map(|entry| entry.name));
        for entry in base.entries().filter(|entry| entry.stat.kind == FileKind::Dir) {
            self.add_job(job, entry.name, false, base.flags & DIR_IGNORED != 0 || job.ignored);
        }
        if different.is_empty() {
            self.out.dirs.push(SeenDir::Same(ordinal));
            return true;
        }
        let mut changes = different.into_iter().peekable();
        let mut entries = Vec::new();
        for (at, entry) in base.entries().enumerate() {
            let seen = match changes.next_if(|(changed, _)| *changed == at) {
                Some((_, stat)) => {
                    let hash = None;
                    let keep = entry.flags & (ENTRY_SENSITIVE | ENTRY_WATCHED);
                    self.judge(job, SeenEntry { name: entry.name.into(), stat, flags: keep, hash }, now)
                }
                None => seen_again(&entry),
            };
            entries.push(seen);
        }
        self.out.dirs.push(SeenDir::Other {
            path: job.path.clone(),
            stat: *stat,
            flags: base.flags,
            entries,
        });
        true
    }

    /// The folder is new or changed: list it and ask the ignore rules.
    fn visit_listing(
        &mut self,
        job: &Job,
        dir: &DirHandle,
        stat: FileStat,
        base: Option<IndexDir<'a>>,
        now: i64,
    ) {
        let mut names: Vec<(Box<[u8]>, Option<FileKind>)> = Vec::new();
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut has_git = false;
        let listed = dir.list(&mut buffer, |name, kind| {
            if !is_reserved_name(name) {
                names.push((name.into(), kind));
            } else {
                has_git |= name == b".git";
            }
        });
        self.buffer = buffer;
        if let Err(error) = listed {
            self.problem(&job.path, "unreadable", &format!("this folder could not be listed: {error}"));
            self.out.unreadable.push(job.path.clone());
            return;
        }
        names.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        job.rules.names_seen(names.iter().map(|(name, _)| &**name));
        let racy = if is_racy(&stat, now) { DIR_RACY } else { 0 };
        if !job.path.is_empty() {
            // A mark that comes into a folder which is saved does not take it out again: somebody worked there. (B5)
            let was_saved = base.as_ref().is_some_and(|base| {
                base.flags & (DIR_SKIPPED | DIR_IGNORED) == 0 && base.entries().next().is_some()
            });
            let is_marked = || {
                let names = names.iter().map(|(name, _)| &**name);
                self.shared.rules.is_marked_cache(self.shared.root, dir, &job.path, names)
            };
            let is_own = has_git && is_own_project(dir);
            if is_own {
                self.out.left_alone.push(job.path.clone());
            }
            if is_own || !was_saved && is_marked() {
                self.out.counts.ignored += 1;
                let flags = DIR_SKIPPED | racy;
                self.out.dirs.push(SeenDir::Other {
                    path: job.path.clone(),
                    stat,
                    flags,
                    entries: Vec::new(),
                });
                return;
            }
        }
        let known: HashMap<&[u8], IndexEntry<'_>> =
            base.iter().flat_map(IndexDir::entries).map(|entry| (entry.name, entry)).collect();
        let relist_below = job.relist || ignore_files_changed(dir, &names, &known);

        let mut entries = Vec::with_capacity(names.len());
        for (name, kind) in names {
            self.list_name(job, dir, name, kind, &known, relist_below, now, &mut entries);
        }
        let ignored = if job.ignored { DIR_IGNORED } else { 0 };
        let flags = racy | ignored;
        self.out.dirs.push(SeenDir::Other { path: job.path.clone(), stat, flags, entries });
    }

    #[expect(clippy::too_many_arguments, reason = "one step of one loop")]
    fn list_name(
        &mut self,
        job: &Job,
        dir: &DirHandle,
        name: Box<[u8]>,
        kind: Option<FileKind>,
        known: &HashMap<&[u8], IndexEntry<'_>>,
        relist_below: bool,
        now: i64,
        entries: &mut Vec<SeenEntry>,
    ) {
        let mut path = std::mem::take(&mut self.path);
        join_into(&mut path, &job.path, &name);
        let (kind, mut stat) = match kind {
            Some(kind) => (kind, None),
            None => match dir.stat(&name) {
                Ok(stat) => (stat.kind, Some(stat)),
                Err(_) => {
                    self.path = path;
                    return;
                }
            },
        };
        let is_dir = kind == FileKind::Dir;
        let rules = self.shared.rules;
        // Where the rules are as they were, they need not be asked again about a name that they let in before. Matching
        // takes longer than everything else about a folder in which one file changed.
        let let_in_before = !relist_below
            && known.get(&*name).is_some_and(|old| match old.stat.kind {
                FileKind::Dir => {
                    let record = self.shared.index.find(&path);
                    is_dir && record.is_some_and(|(_, dir)| dir.flags & (DIR_IGNORED | DIR_SKIPPED) == 0)
                }
                _ => !is_dir && old.flags & (ENTRY_WATCHED | ENTRY_SENSITIVE) == 0,
            });
        let mut ignored =
            job.ignored || (!let_in_before && job.rules.ignores(self.shared.root, rules, &path, is_dir));
        let mut flags = 0;
        if is_dir {
            ignored = ignored || rules.is_cache(self.shared.root, &path);
            if ignored && !rules.include_reaches_into(&path) {
                self.out.counts.ignored += 1;
            } else {
                let empty = FileStat { kind, mode: 0, size: 0, mtime_ns: 0, ctime_ns: 0, ino: 0, dev: 0 };
                self.add_job(job, &name, relist_below, ignored);
                entries.push(SeenEntry {
                    name,
                    stat: empty,
                    flags,
                    hash: Some(ContentHash::from_bytes([0; 32])),
                });
            }
            self.path = path;
            return;
        }
        ignored = ignored || !let_in_before && rules.is_left_by_editor(self.shared.root, &path);
        if ignored && !IGNORE_FILES.contains(&&*name) && !rules.includes(&path, 0) {
            self.out.counts.ignored += 1;
            self.path = path;
            return;
        }
        if stat.is_none() {
            match dir.stat(&name) {
                Ok(found) => stat = Some(found),
                Err(error) if is_gone(&error) => {}
                Err(error) => self.problem(&path, "unreadable", &error.to_string()),
            }
        }
        // Gone between listing and looking, or replaced by a folder: the folder's own times will tell next time.
        let Some(stat) = stat.filter(|stat| stat.kind != FileKind::Dir) else {
            self.path = path;
            return;
        };
        if ignored {
            if rules.includes(&path, stat.size) {
                flags |= ENTRY_SENSITIVE;
            } else if IGNORE_FILES.contains(&&*name) {
                flags |= ENTRY_WATCHED;
            } else {
                self.out.counts.ignored += 1;
                self.path = path;
                return;
            }
        } else if rules.is_sensitive(&path) {
            flags |= ENTRY_SENSITIVE;
        }
        self.out.counts.files += 1;
        let unread = ENTRY_RACY | ENTRY_UNSAVED;
        let hash = known
            .get(&*name)
            .filter(|old| old.flags & unread == 0 && old.flags & ENTRY_WATCHED == flags & ENTRY_WATCHED)
            .filter(|old| same_file(&old.stat, &stat))
            .map(|old| old.hash);
        let entry = self.judge(job, SeenEntry { name, stat, flags, hash }, now);
        entries.push(entry);
        self.path = path;
    }

    /// Settles what can be settled without reading: kinds and sizes that are not saved, files that are only watched.
    fn judge(&mut self, job: &Job, mut entry: SeenEntry, now: i64) -> SeenEntry {
        let limit = self.shared.rules.max_file_size;
        let zero = Some(ContentHash::from_bytes([0; 32]));
        if entry.stat.kind == FileKind::Special {
            let path = join(&job.path, &entry.name);
            self.problem(&path, "special", "a pipe, socket or device has no content to save");
            entry.flags |= ENTRY_UNSAVED;
            entry.hash = zero;
        } else if limit > 0 && entry.stat.size > limit {
            let path = join(&job.path, &entry.name);
            self.problem(&path, "too_large", "larger than the setting `checkpoint.max_file_size` allows");
            entry.flags |= ENTRY_UNSAVED;
            entry.hash = zero;
        } else if entry.flags & ENTRY_WATCHED != 0 {
            entry.flags |= if is_racy(&entry.stat, now) { ENTRY_RACY } else { 0 };
            entry.hash = zero;
        }
        entry
    }

    fn problem(&mut self, path: &[u8], code: &'static str, detail: &str) {
        self.out.problems.push(Problem::new(path, code, detail));
    }
}

fn seen_again(entry: &IndexEntry<'_>) -> SeenEntry {
    SeenEntry { name: entry.name.into(), stat: entry.stat, flags: entry.flags, hash: Some(entry.hash) }
}

/// True if an ignore file came, went, or is not as it was.
fn ignore_files_changed(
    dir: &DirHandle,
    names: &[(Box<[u8]>, Option<FileKind>)],
    known: &HashMap<&[u8], IndexEntry<'_>>,
) -> bool {
    IGNORE_FILES.iter().any(|&file| {
        let here = names.iter().any(|(name, _)| **name == *file);
        match (known.get(file), here) {
            (None, false) => false,
            (Some(old), true) => {
                old.flags & ENTRY_RACY != 0 || !dir.stat(file).is_ok_and(|stat| same_file(&old.stat, &stat))
            }
            _ => true,
        }
    })
}

/// The file system's data prove that the content is the same.
pub(crate) fn same_file(old: &FileStat, new: &FileStat) -> bool {
    old.kind == new.kind
        && old.size == new.size
        && old.mtime_ns == new.mtime_ns
        && old.ctime_ns == new.ctime_ns
        && old.ino == new.ino
        && old.mode == new.mode
}

fn same_dir(old: &FileStat, new: &FileStat) -> bool {
    old.mtime_ns == new.mtime_ns
        && old.ctime_ns == new.ctime_ns
        && old.ino == new.ino
        && old.dev == new.dev
        && old.mode == new.mode
        // Without a change time that programs cannot set, a folder's times prove nothing.
        && new.ctime_ns != 0
}

/// Git's "racy" rule: a file that changed within the clock's resolution of the look may change again without showing
/// it. The change time counts, since no program can set it back. A clock that went backwards makes everything racy,
/// which costs time and loses nothing.
pub(crate) fn is_racy(stat: &FileStat, now: i64) -> bool {
    let changed = if stat.ctime_ns != 0 { stat.ctime_ns } else { stat.mtime_ns };
    let resolution = if changed % 1_000_000_000 == 0 { 2_000_000_000 } else { 20_000_000 };
    changed.saturating_add(resolution) >= now
}

pub(crate) fn now_ns() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// The name is not there any more, or is something else now.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

pub(crate) fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(folder.len() + 1 + name.len());
    join_into(&mut path, folder, name);
    path
}

fn join_into(path: &mut Vec<u8>, folder: &[u8], name: &[u8]) {
    path.clear();
    if !folder.is_empty() {
        path.extend_from_slice(folder);
        path.push(b'/');
    }
    path.extend_from_slice(name);
}
