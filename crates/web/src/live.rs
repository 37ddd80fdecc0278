//! What changed, as it happens. There is no daemon: while a page is open, the server looks a few times a second at the times and
//! lengths of the files that every vib process writes, and tells the pages which part of the project is new.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::watch;

use crate::app::App;

/// How often files are looked at while somebody watches.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Runs whose logs are looked at; nobody works on an older one without beginning it anew.
const NEWEST_RUNS: usize = 256;

/// A part of the project, and the files that change when it does.
const TOPICS: [(&str, &[&str]); 7] = [
    ("store", &["store.db", "store.db-wal", "looks.waiting"]),
    ("memory", &["memory", "memory/project.jsonl"]),
    ("sessions", &["sessions"]),
    ("audit", &["memory_audit.jsonl"]),
    ("permissions", &["grants.json", "approvals", "approvals.json", "grants"]),
    ("patches", &["events.jsonl"]),
    ("calls", &["calls"]),
];

/// A change: its number and what it is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) number: u64,
    pub(crate) topics: Vec<&'static str>,
}

#[derive(Debug)]
pub(crate) struct Live {
    state: PathBuf,
    runs: PathBuf,
    root: PathBuf,
    sender: watch::Sender<Change>,
    streams: AtomicUsize,
    /// The last look, while somebody watches.
    known: Mutex<Option<Vec<u64>>>,
}

/// A page that watches; counted as long as it lives.
#[derive(Debug)]
pub(crate) struct Watching {
    app: Arc<App>,
    pub(crate) changes: watch::Receiver<Change>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.app.live.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Live {
    pub(crate) fn new(state: &Path, runs: &Path, root: &Path) -> Self {
        let (sender, _) = watch::channel(Change::default());
        let (state, runs, root) = (state.to_path_buf(), runs.to_path_buf(), root.to_path_buf());
        Self { state, runs, root, sender, streams: AtomicUsize::new(0), known: Mutex::default() }
    }

    /// Begins to watch, unless too many do. `seen` is what the page was made from: what changed between that and now is the
    /// first thing it hears of.
    pub(crate) fn begin(app: &Arc<App>, seen: &str) -> Option<(Watching, Vec<&'static str>)> {
        let before = app.live.streams.fetch_add(1, Ordering::Relaxed);
        let watching = Watching { app: Arc::clone(app), changes: app.live.sender.subscribe() };
        if before >= app.limits.streams {
            return None;
        }
        let now = app.live.look();
        if let Ok(mut known) = app.live.known.lock() {
            known.get_or_insert_with(|| now.clone());
        }
        let seen: Vec<u64> = seen.split('-').filter_map(|part| u64::from_str_radix(part, 16).ok()).collect();
        let missed = if seen.len() == now.len() { changed(&seen, &now) } else { Vec::new() };
        Some((watching, missed))
    }

    /// The state of everything that is watched, for a page to remember.
    pub(crate) fn seen(&self) -> String {
        self.look().iter().map(|number| format!("{number:x}")).collect::<Vec<_>>().join("-")
    }

    /// Tells the pages about something that the server itself did.
    pub(crate) fn tell(&self, topic: &'static str) {
        self.sender.send_modify(|change| {
            change.number += 1;
            change.topics = vec![topic];
        });
    }

    /// Looks, as long as the server runs.
    pub(crate) async fn watch(app: Arc<App>) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            if app.live.nobody_watches() {
                continue;
            }
            let looking = Arc::clone(&app);
            let Ok(topics) = tokio::task::spawn_blocking(move || looking.live.compare()).await else {
                continue;
            };
            if !topics.is_empty() {
                app.live.sender.send_modify(|change| {
                    change.number += 1;
                    change.topics = topics;
                });
            }
        }
    }

    /// Whether there is nobody to tell; then the last look is worth nothing.
    fn nobody_watches(&self) -> bool {
        let nobody = self.streams.load(Ordering::Relaxed) == 0;
        if nobody && let Ok(mut known) = self.known.lock() {
            *known = None;
        }
        nobody
    }

    /// What changed since the last look.
    fn compare(&self) -> Vec<&'static str> {
        let Ok(mut known) = self.known.lock() else { return Vec::new() };
        let now = self.look();
        let topics = known.as_ref().map(|before| changed(before, &now)).unwrap_or_default();
        *known = Some(now);
        topics
    }

    /// One number for each topic; another number means that something changed.
    fn look(&self) -> Vec<u64> {
        let in_state =
            TOPICS.iter().map(|(_, files)| fingerprint(files.iter().map(|file| self.state.join(file))));
        let lessons = fingerprint([self.root.join("LESSONS.md")]);
        let settings = fingerprint([self.root.join(".vibelign/config.toml")]);
        in_state.chain([lessons, settings, of_runs(&self.runs)]).collect()
    }
}

/// The topics whose numbers are different.
fn changed(before: &[u64], now: &[u64]) -> Vec<&'static str> {
    let names = TOPICS.iter().map(|(name, _)| *name).chain(["lessons", "settings", "runs"]);
    names.zip(before.iter().zip(now)).filter(|(_, (a, b))| a != b).map(|(name, _)| name).collect()
}

fn fingerprint(files: impl IntoIterator<Item = PathBuf>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in files {
        mark(&file, &mut hasher);
        // Folders of small files: each of them is replaced as a whole when it changes.
        let Ok(entries) = std::fs::read_dir(&file) else { continue };
        let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).take(512).collect();
        inside.sort();
        inside.iter().for_each(|file| mark(file, &mut hasher));
    }
    hasher.finish()
}

/// The logs of the newest runs, and whatever comes and goes beside them.
fn of_runs(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut runs: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    // `run10` is newer than `run9`.
    runs.sort_by_key(|run| std::cmp::Reverse((run.as_os_str().len(), run.clone())));
    let mut hasher = DefaultHasher::new();
    for run in runs.iter().take(NEWEST_RUNS) {
        mark(run, &mut hasher);
        mark(&run.join("events.jsonl"), &mut hasher);
    }
    runs.len().hash(&mut hasher);
    hasher.finish()
}

fn mark(file: &Path, hasher: &mut DefaultHasher) {
    let Ok(facts) = std::fs::metadata(file) else { return };
    file.hash(hasher);
    facts.len().hash(hasher);
    if let Ok(time) = facts.modified() {
        time.hash(hasher);
    }
}
