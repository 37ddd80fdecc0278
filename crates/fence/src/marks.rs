//! Marks: which commands are to run behind the fence. The hook that judged a command leaves one before the client runs it; the launcher
//! that the client's shell calls finds it again by the command's text.
//!
//! Each call has a mark of its own, and calls that may run free have one too, while they last: a line is known by the longest mark that
//! it holds, so that `make` behind the fence does not catch `git commit -m "make it"` beside it. A mark goes when its call has
//! ended. The folder of the fenced ones is there only while there are any: the shell looks at it before it starts a program. (B4, B5)

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use project::platform::{self, make_private_dir};
use serde::{Deserialize, Serialize};

use crate::allowed::key;
use crate::{Result, folder};

/// The format of the files.
const VERSION: u32 = 2;
/// Marks of calls that never ended are taken away after so long.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);
/// Of calls without an id: a second judgement within this time is one of several calls of the same words that were made at once.
const AT_ONCE: Duration = Duration::from_secs(60);
/// Most marks that are looked at.
const MOST: usize = 500;
/// How a launch is noted: by the client's own shell, and that it was counted for a call.
const SEEN: &[u8] = b"seen";
const COUNTED: &[u8] = b" counted";
/// So many processes above a hook are noted: the client is among them.
const CALLERS: usize = 3;

/// A command that was judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FenceMark {
    /// Of the format; set when it is written.
    #[serde(default)]
    pub version: u32,
    /// When it was left, in milliseconds since 1970; set when it is written. The file's own time can be changed from behind the fence.
    #[serde(default)]
    pub left_ms: u64,
    /// Whose it is.
    pub call: MarkedCall,
    /// Its text, as the client told it.
    pub command: String,
    /// The project.
    pub root: PathBuf,
    /// The folder that it runs in, where that is known.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// It may run as it is.
    #[serde(default)]
    pub is_free: bool,
    /// Places that are not to be read.
    #[serde(default)]
    pub hide: Vec<String>,
    /// Files outside that it names and that were saved.
    #[serde(default)]
    pub named: Vec<PathBuf>,
    /// Vib's own trial: what a person opened once stays open for the command they meant.
    #[serde(default)]
    pub is_trial: bool,
    /// The processes above who left it. Only a shell that one of them started is the client's own; set when it is written.
    #[serde(default)]
    pub callers: Vec<u32>,
}

/// Which call a mark belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkedCall {
    /// The client and its session.
    pub session: String,
    /// The client's id of the call, where it has one.
    pub id: Option<String>,
}

/// Whether a marked command was launched behind the fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launch {
    /// By the client's own shell.
    Seen,
    /// It was, but not by a shell that the client started: that says nothing about the client. (B7)
    Apart,
    /// It was not.
    Missed,
}

fn marks(state: &Path) -> PathBuf {
    folder(state).join("marks")
}

/// The folder that is there while a command is marked.
pub fn fenced(state: &Path) -> PathBuf {
    marks(state).join("fenced")
}

/// The folder around it.
pub fn all(state: &Path) -> PathBuf {
    marks(state)
}

fn free(state: &Path) -> PathBuf {
    marks(state).join("free")
}

fn ran(state: &Path, name: &str) -> PathBuf {
    marks(state).join("ran").join(name)
}

impl FenceMark {
    fn name(&self) -> String {
        let call = self.call.id.as_deref().unwrap_or(&self.command);
        key(format!("{}\0{call}\0{}", self.call.session, self.root.display()).as_bytes())
    }

    /// In doubt it is: too much behind the fence is told, too little is not.
    fn is_for(&self, cwd: &Path) -> bool {
        match &self.cwd {
            None => true,
            Some(own) => own == cwd || cwd.starts_with(&self.root),
        }
    }
}

/// Marks a command, as one to be fenced or one that may run as it is.
pub fn put(state: &Path, mark: &FenceMark) -> Result<()> {
    for folder in [state, &folder(state), &marks(state), &free(state), &marks(state).join("ran")] {
        make_private_dir(folder)?;
    }
    let name = mark.name();
    let before = read(&fenced(state).join(&name));
    let is_at_once = mark.call.id.is_none()
        && before.is_some_and(|before| now_ms().saturating_sub(before.left_ms) < millis(AT_ONCE));
    if !is_at_once {
        let _ = std::fs::remove_file(ran(state, &name));
    }
    let cwd = mark.cwd.as_ref().map(|cwd| cwd.canonicalize().unwrap_or_else(|_| cwd.clone()));
    let mark = FenceMark { version: VERSION, left_ms: now_ms(), cwd, callers: callers(), ..mark.clone() };
    let bytes = serde_json::to_vec(&mark).unwrap_or_default();
    if mark.is_free {
        project::write_view(&free(state).join(&name), &bytes)?;
        remove_fenced(state, &name);
        return Ok(());
    }
    // Another call's end may take the empty folder away in between.
    let mut left = Ok(());
    for _ in 0..5 {
        make_private_dir(&fenced(state))?;
        left = project::write_view(&fenced(state).join(&name), &bytes);
        if left.is_ok() {
            break;
        }
    }
    left?;
    let _ = std::fs::remove_file(free(state).join(&name));
    Ok(())
}

/// The call is over, or nothing about it is to be fenced any more. What was not launched yet may still be: one in the background.
pub fn ended(state: &Path, mark: &FenceMark) {
    let name = mark.name();
    let is_launched = ran(state, &name).exists();
    if mark.is_free || is_launched && mark.call.id.is_some() {
        take_away(state, mark);
    }
}

/// Takes a mark away.
pub fn take_away(state: &Path, mark: &FenceMark) {
    let name = mark.name();
    let _ = std::fs::remove_file(free(state).join(&name));
    let _ = std::fs::remove_file(ran(state, &name));
    remove_fenced(state, &name);
}

fn remove_fenced(state: &Path, name: &str) {
    if std::fs::remove_file(fenced(state).join(name)).is_ok() {
        // Only an empty one goes.
        let _ = std::fs::remove_dir(fenced(state));
    }
}

/// The mark of a call; `command` and `root` as they were when it was left.
pub fn of(state: &Path, call: &MarkedCall, root: &Path, command: &str) -> Option<FenceMark> {
    let name = FenceMark {
        call: call.clone(),
        root: root.to_path_buf(),
        command: command.to_owned(),
        ..FenceMark::default()
    }
    .name();
    read(&fenced(state).join(&name)).or_else(|| read(&free(state).join(&name)))
}

/// Whether a marked command was really launched behind the fence since it was marked.
pub fn launch(state: &Path, mark: &FenceMark) -> Launch {
    let own = ran(state, &mark.name());
    // Of calls with the same words that were made at once nobody knows which shell is whose: one launch counts for one of them.
    let twin = || {
        let twins = list(&fenced(state)).into_iter().filter(|other| {
            other.command == mark.command && other.root == mark.root && other.name() != mark.name()
        });
        let launches = twins.map(|twin| ran(state, &twin.name()));
        launches.into_iter().find(|file| std::fs::read(file).is_ok_and(|how| !how.ends_with(COUNTED)))
    };
    let file = if own.exists() { Some(own.clone()) } else { twin() };
    let Some(file) = file else { return Launch::Missed };
    let mut how = std::fs::read(&file).unwrap_or_default();
    let is_seen = how.starts_with(SEEN);
    if file != own {
        let _ = std::fs::remove_file(&file);
    }
    if !how.ends_with(COUNTED) {
        how.extend_from_slice(COUNTED);
        let _ = std::fs::write(&own, how);
    }
    if is_seen { Launch::Seen } else { Launch::Apart }
}

/// The launcher is about to put the fence up, in place of the client's shell.
pub fn launched(state: &Path, mark: &FenceMark) -> Result<()> {
    let is_seen = mark.callers.contains(&parent());
    Ok(std::fs::write(ran(state, &mark.name()), if is_seen { SEEN } else { b"apart" })?)
}

/// The mark that is meant by what a shell was told to run in this folder, if it is to be fenced. A client wraps the command in words of its
/// own and in quotes; so it is looked for in the text with all quoting taken out. Of several the longest is meant.
pub fn find(state: &Path, text: &str, cwd: &Path) -> Option<FenceMark> {
    let text = bare(text);
    let fenced = list(&fenced(state));
    if fenced.is_empty() {
        return None;
    }
    let all = fenced.into_iter().chain(list(&free(state)));
    let meant = all.filter(|mark| mark.is_for(cwd)).filter_map(|mark| {
        let command = bare(&mark.command);
        holds(&text, &command)
            .then(|| (command.len(), !mark.is_free, !ran(state, &mark.name()).exists(), mark))
    });
    let meant = meant.max_by_key(|(length, is_fenced, is_new, _)| (*length, *is_fenced, *is_new));
    meant.map(|(.., mark)| mark).filter(|mark| !mark.is_free)
}

/// Takes away what is old, and what an older vib left.
pub fn tidy(state: &Path) {
    let _ = std::fs::remove_file(marks(state).join("any"));
    for entry in std::fs::read_dir(marks(state)).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|end| end == "json" || end == "ran") {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    for mark in list(&fenced(state)).into_iter().chain(list(&free(state))) {
        if now_ms().saturating_sub(mark.left_ms) > millis(OLD) {
            take_away(state, &mark);
        }
    }
}

fn list(folder: &Path) -> Vec<FenceMark> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST);
    entries.filter_map(|entry| read(&entry.path())).collect()
}

fn read(file: &Path) -> Option<FenceMark> {
    let mark: FenceMark = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    // One of a newer vib is still a mark: in doubt behind the fence.
    (mark.version >= VERSION).then_some(mark)
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// This process and those right above it.
fn callers() -> Vec<u32> {
    let mut callers = vec![std::process::id(), parent()];
    while callers.len() <= CALLERS {
        match callers.last().and_then(|last| platform::process(*last)).map(|process| process.parent) {
            Some(above) if above > 1 && !callers.contains(&above) => callers.push(above),
            _ => break,
        }
    }
    // Whatever lost its parent belongs to the first process.
    callers.retain(|caller| *caller > 1);
    callers
}

#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
fn parent() -> u32 {
    0
}

/// Without everything that quotes, with one space wherever there is any, and without the empty input that clients give commands.
fn bare(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for letter in text.trim().chars().filter(|letter| !matches!(letter, '\'' | '"' | '\\')) {
        match letter.is_whitespace() {
            true if bare.ends_with(' ') => {}
            true => bare.push(' '),
            false => bare.push(letter),
        }
    }
    bare.truncate(bare.trim_end().len());
    bare.replace(" < /dev/null", "")
}

/// Whether one is in the other as words of its own: `make` is not in `/home/make-up`.
fn holds(text: &str, command: &str) -> bool {
    let is_edge = |letter: Option<char>| {
        letter.is_none_or(|letter| {
            letter.is_whitespace() || matches!(letter, ';' | '(' | ')' | '{' | '}' | '&' | '|' | '<' | '>')
        })
    };
    !command.is_empty()
        && text.match_indices(command).any(|(at, found)| {
            is_edge(text[..at].chars().next_back()) && is_edge(text[at + found.len()..].chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(root: &Path, command: &str, id: &str) -> FenceMark {
        FenceMark {
            call: MarkedCall { session: "s".to_owned(), id: Some(id.to_owned()) },
            command: command.to_owned(),
            root: root.to_path_buf(),
            cwd: Some(root.join("sub")),
            ..FenceMark::default()
        }
    }

    fn found(state: &Path, text: &str, root: &Path) -> Option<String> {
        find(state, text, root).map(|mark| mark.command)
    }

    #[test]
    fn a_mark_is_found_in_what_a_client_makes_of_the_command() {
        let tmp = tempfile::tempdir().unwrap();
        let (state, root) = (tmp.path().join("state"), tmp.path().join("project"));
        let command = "python3 - <<'EOF'\nprint(\"it's 한국어\")\nEOF";
        let own = mark(&root, command, "1");
        put(&state, &own).unwrap();
        assert!(fenced(&state).exists());
        let quoted = format!(
            "source /s.sh 2>/dev/null || true && eval '{}' \\< /dev/null && pwd -P >| /tmp/c",
            command.replace('\'', r#"'"'"'"#)
        );
        for text in [command.to_owned(), quoted, format!("{{ {command}; }}; __code=$?; exit $__code;")] {
            assert_eq!(found(&state, &text, &root).as_deref(), Some(command), "{text}");
        }
        assert_eq!(found(&state, "python3 other.py", &root), None);
        let elsewhere = Path::new("/elsewhere");
        assert_eq!(found(&state, command, elsewhere), None, "another project's command of the same text");
        let own = of(&state, &own.call, &root, command).unwrap();
        assert_eq!(launch(&state, &own), Launch::Missed);
        ended(&state, &own);
        assert!(found(&state, command, &root).is_some(), "one in the background may be launched later");
        launched(&state, &own).unwrap();
        assert_eq!(launch(&state, &own), Launch::Seen);
        put(&state, &own).unwrap();
        assert_eq!(launch(&state, &own), Launch::Missed, "each judgement asks anew");
        launched(&state, &own).unwrap();
        ended(&state, &own);
        assert_eq!(of(&state, &own.call, &root, command), None);
        assert!(!fenced(&state).exists(), "nothing is marked, so nothing is started");
    }

    #[test]
    fn a_line_of_the_same_words_is_not_caught_by_another_calls_mark_b4() {
        let tmp = tempfile::tempdir().unwrap();
        let (state, root) = (tmp.path().join("state"), tmp.path().join("project"));
        for (at, command) in ["make", "make test", "make test && make install"].iter().enumerate() {
            put(&state, &mark(&root, command, &at.to_string())).unwrap();
        }
        assert_eq!(found(&state, "eval 'make test' < /dev/null", &root).as_deref(), Some("make test"));
        for other in ["cd /home/make-up && ls", "cmake .", "source /make/s.sh; eval pwd < /dev/null"] {
            assert_eq!(found(&state, other, &root), None, "{other}");
        }
        for (at, free) in
            ["git commit -m \"make test pass\"", "echo make", "cp a b && echo make test"].iter().enumerate()
        {
            let free_one = FenceMark { is_free: true, ..mark(&root, free, &format!("free {at}")) };
            put(&state, &free_one).unwrap();
            assert_eq!(found(&state, &format!("eval '{free}'"), &root), None, "{free}");
            ended(&state, &free_one);
        }
        assert!(list(&free(&state)).is_empty());
        let both = mark(&root, "make test", "free too");
        put(&state, &FenceMark { is_free: true, ..both }).unwrap();
        assert!(found(&state, "make test", &root).is_some(), "in doubt behind the fence");
    }

    #[test]
    fn calls_of_the_same_words_at_once_are_each_seen_b5() {
        let tmp = tempfile::tempdir().unwrap();
        let (state, root) = (tmp.path().join("state"), tmp.path().join("project"));
        let calls = ["a", "b", "c"].map(|id| mark(&root, "make", id));
        for call in &calls {
            put(&state, call).unwrap();
        }
        let shells = [(); 2].map(|()| {
            let found = find(&state, "make", &root).unwrap();
            launched(&state, &found).unwrap();
            found.call.id
        });
        assert_ne!(shells[0], shells[1], "each shell takes a call of its own");
        let seen: Vec<Launch> = calls.iter().map(|call| launch(&state, call)).collect();
        assert_eq!(seen.iter().filter(|launch| **launch == Launch::Seen).count(), 2, "{seen:?}");
        // Without ids they are one mark, and the second judgement does not take back what was seen.
        let nameless = FenceMark {
            call: MarkedCall { session: "s".to_owned(), id: None },
            ..mark(&root, "make all", "")
        };
        put(&state, &nameless).unwrap();
        launched(&state, &find(&state, "make all", &root).unwrap()).unwrap();
        put(&state, &nameless).unwrap();
        assert_eq!(launch(&state, &nameless), Launch::Seen);
    }

    #[test]
    fn a_shell_that_the_client_did_not_start_proves_nothing_b7() {
        let tmp = tempfile::tempdir().unwrap();
        let (state, root) = (tmp.path().join("state"), tmp.path().join("project"));
        let own = mark(&root, "make", "1");
        put(&state, &own).unwrap();
        let found = find(&state, "make", &root).unwrap();
        launched(&state, &FenceMark { callers: vec![std::process::id()], ..found }).unwrap();
        assert_eq!(launch(&state, &own), Launch::Apart);
    }

    #[test]
    fn marks_that_are_old_or_of_an_older_vib_go() {
        let tmp = tempfile::tempdir().unwrap();
        let (state, root) = (tmp.path().join("state"), tmp.path().join("project"));
        let own = mark(&root, "make", "1");
        put(&state, &own).unwrap();
        std::fs::write(marks(&state).join("any"), "").unwrap();
        std::fs::write(marks(&state).join("0a.json"), r#"{"version": 1, "command": "make", "root": "/x"}"#)
            .unwrap();
        tidy(&state);
        assert!(found(&state, "make", &root).is_some(), "it is of today, whatever its file's time says");
        assert!(!marks(&state).join("any").exists() && !marks(&state).join("0a.json").exists());
        let old = FenceMark { version: VERSION, left_ms: 1, ..own };
        let file = fenced(&state).join(old.name());
        std::fs::write(file, serde_json::to_vec(&old).unwrap()).unwrap();
        tidy(&state);
        assert!(!fenced(&state).exists());
    }
}
