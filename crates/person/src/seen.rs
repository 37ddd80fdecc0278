//! The clients that called vib's hooks: whoever does is an agent, whatever its program is called.
//!
//! `<state>/clients/<pid>-<start>`, one small file per client process, written once. Number, beginning and boot of the machine name one
//! process for good; files of processes that are gone are taken away when the next one is written.

use std::path::{Path, PathBuf};

use platform::Process;
use project::{Context, platform};
use serde::{Deserialize, Serialize};

use crate::signs;

const VERSION: u32 = 1;
/// More clients than anybody runs at once.
const MOST: usize = 256;
/// Shells between a client and its hook.
const MOST_SHELLS: usize = 4;

/// A client that is running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its process.
    pub pid: u32,
    /// When that began.
    pub start: u64,
    /// The name it calls vib's hooks with.
    pub client: String,
}

impl Seen {
    /// True if it is this process.
    pub(crate) fn is(&self, process: &Process) -> bool {
        (self.pid, self.start) == (process.pid, process.start)
    }
}

#[derive(Serialize, Deserialize)]
struct Note {
    version: u32,
    client: String,
    boot: Option<String>,
    /// The namespace of processes in which its number counts.
    #[serde(default)]
    space: Option<String>,
}

/// Notes which process called the hook that this process is. Best effort: a hook has better things to do than to fail here.
pub fn note(context: &Context, client: &str) {
    if let Some(caller) = caller() {
        write(context, client, &caller);
    }
}

/// Notes that this process is about to become an agent: what runs below it is no person's. Best effort.
pub fn note_this(context: &Context, client: &str) {
    if let Some(own) = platform::process(std::process::id()) {
        write(context, client, &own);
    }
}

fn write(context: &Context, client: &str, process: &Process) {
    let Ok(state) = context.state() else { return };
    let folder = folder(state);
    let file = folder.join(format!("{}-{}", process.pid, process.start));
    if file.exists() {
        return;
    }
    let note = Note {
        version: VERSION,
        client: client.to_owned(),
        boot: platform::boot_id(),
        space: platform::process_space(),
    };
    let Ok(bytes) = serde_json::to_vec(&note) else { return };
    if !folder.is_dir() && platform::make_private_dir(&folder).is_err() {
        return;
    }
    let _ = project::write_view(&file, &bytes);
    forget_gone(&folder);
}

/// The process that called: the first above this one that is no shell for one line, if it can be a client.
fn caller() -> Option<Process> {
    let mut here = platform::parent_of(std::process::id())?;
    for _ in 0..MOST_SHELLS {
        let process = platform::process(here)?;
        if !signs::is_shell_for_one_line(&process) {
            return signs::may_be_client(&process).then_some(process);
        }
        here = process.parent;
    }
    None
}

/// The clients that called and are running: those in this state folder and in the usual one, for a variable can lead to another.
pub fn running(context: &Context) -> Vec<Seen> {
    let boot = platform::boot_id();
    let mut all: Vec<Seen> = states(context)
        .iter()
        .flat_map(|state| names(&folder(state)))
        .filter_map(|(path, pid, start)| {
            let note: Note = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
            let is_it =
                note.version == VERSION && note.boot == boot && platform::process_start(pid) == Some(start);
            is_it.then_some(Seen { pid, start, client: note.client })
        })
        .collect();
    all.dedup();
    all
}

/// True if a client called hooks from another namespace of processes since the machine was started, and this process cannot see it: it
/// runs in one of its own, as in a container or below `unshare`.
pub(crate) fn is_apart(context: &Context) -> bool {
    let Some(own) = platform::process_space().filter(|own| own != platform::FIRST_SPACE) else {
        return false;
    };
    let boot = platform::boot_id();
    let is_elsewhere = |path: &Path| {
        let note = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Note>(&bytes).ok());
        note.is_some_and(|note| note.boot == boot && note.space.is_some_and(|space| space != own))
    };
    states(context).iter().flat_map(|state| names(&folder(state))).any(|(path, ..)| is_elsewhere(&path))
}

/// The state folders that matter: the one of this run, and where it is when no variable says otherwise.
pub(crate) fn states(context: &Context) -> Vec<PathBuf> {
    let home = context.home().map(|home| home.as_os_str().to_owned());
    let usual =
        platform::state_folder(&|name| home.clone().filter(|_| name == "HOME" || name == "USERPROFILE"));
    let mut all: Vec<PathBuf> =
        context.state().ok().map(Path::to_path_buf).into_iter().chain(usual).collect();
    all.dedup();
    all
}

fn folder(state: &Path) -> PathBuf {
    state.join("clients")
}

/// The files of a folder, and the process that the name of each is about.
fn names(folder: &Path) -> Vec<(PathBuf, u32, u64)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let read = |path: PathBuf| {
        let (pid, start) = path.file_name()?.to_str()?.split_once('-')?;
        let (pid, start) = (pid.parse().ok()?, start.parse().ok()?);
        Some((path, pid, start))
    };
    entries.flatten().take(MOST).filter_map(|entry| read(entry.path())).collect()
}

fn forget_gone(folder: &Path) {
    let (own, boot) = (platform::process_space(), platform::boot_id());
    // What runs in another namespace of processes cannot be seen from here: only a new start of the machine ends it.
    let may_run = |path: &Path| {
        let note = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Note>(&bytes).ok());
        note.is_some_and(|note| note.boot == boot && note.space.is_some() && note.space != own)
    };
    for (path, pid, start) in names(folder) {
        if platform::process_start(pid) != Some(start) && !may_run(&path) {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
#[expect(clippy::expect_used, reason = "a test fails where it stands")]
mod tests {
    use super::*;

    fn context(base: &Path, state: &str) -> Context {
        let variables = [("VIBELIGN_STATE", base.join(state)), ("HOME", base.join("home"))];
        let get = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone().into());
        Context::with_environment(base.to_path_buf(), &get)
    }

    fn put(state: &Path, pid: u32, start: u64, boot: Option<String>) -> PathBuf {
        put_in(state, pid, start, boot, None)
    }

    fn put_in(state: &Path, pid: u32, start: u64, boot: Option<String>, space: Option<&str>) -> PathBuf {
        let file = folder(state).join(format!("{pid}-{start}"));
        std::fs::create_dir_all(folder(state)).expect("a folder");
        let note =
            Note { version: VERSION, client: "codex".to_owned(), boot, space: space.map(str::to_owned) };
        std::fs::write(&file, serde_json::to_vec(&note).expect("json")).expect("written");
        file
    }

    #[test]
    fn only_what_is_running_counts_and_the_usual_state_is_looked_at_too_s5() {
        let tmp = tempfile::tempdir().expect("a folder");
        let context = context(tmp.path(), "state");
        let own = std::process::id();
        let start = platform::process_start(own).expect("it runs");
        assert_eq!(running(&context), []);
        put(&tmp.path().join("state"), own, start + 1, platform::boot_id());
        put(&tmp.path().join("state"), own, start, Some("another boot".to_owned()));
        assert_eq!(running(&context), [], "numbers come again");
        let usual = tmp.path().join("home/.local/state/vibelign");
        put(&usual, own, start, platform::boot_id());
        assert_eq!(running(&context), [Seen { pid: own, start, client: "codex".to_owned() }]);
        let gone = put(&usual, own, start + 2, platform::boot_id());
        forget_gone(&folder(&usual));
        assert!(!gone.exists());
        assert_eq!(running(&context).len(), 1);
    }

    #[test]
    fn a_client_in_another_space_of_processes_stays_known_b4() {
        let tmp = tempfile::tempdir().expect("a folder");
        let context = context(tmp.path(), "state");
        let state = tmp.path().join("state");
        let own = std::process::id();
        let other = put_in(&state, own, 1, platform::boot_id(), Some("pid:[1]"));
        let before = put_in(&state, own, 2, Some("another boot".to_owned()), Some("pid:[1]"));
        forget_gone(&folder(&state));
        assert!(other.exists() && !before.exists());
        // The first space of a machine sees everybody.
        let is_first = platform::process_space().as_deref() == Some(platform::FIRST_SPACE);
        assert_eq!(is_apart(&context), !is_first);
    }
}
