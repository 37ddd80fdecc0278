//! What the system tells about processes: who started whom, with which program, words and variables.
//!
//! Linux has `/proc`. Where there is none nothing is known, and whoever asks has to live with that.

use std::ffi::OsString;
use std::path::PathBuf;

use super::bytes_to_path;

/// What is known of one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Who started it, or took it over.
    pub parent: u32,
    /// The leader of its session.
    pub session: u32,
    /// Its terminal, as the system numbers it; zero: none.
    pub terminal: i64,
    /// When it began, in the system's own measure; with its number it names one process for good.
    pub start: u64,
    /// The name it goes by, which it may change.
    pub name: String,
    /// The file it runs.
    pub program: Option<PathBuf>,
    /// The words it was started with, as far as it has not written over them.
    pub words: Vec<String>,
}

/// Everything about a process. Nothing where it is gone, or the system does not tell.
pub fn process(pid: u32) -> Option<Process> {
    let text = stat(pid)?;
    let (head, rest) = text.rsplit_once(") ")?;
    let name = head.split_once('(').map_or("", |(_, name)| name).to_owned();
    // The third field of the file is the first one here.
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |field: usize| fields.get(field - 3);
    Some(Process {
        pid,
        parent: number(4)?.parse().ok()?,
        session: number(6)?.parse().ok()?,
        terminal: number(7)?.parse().ok()?,
        start: number(22)?.parse().ok()?,
        name,
        program: program_of(pid),
        words: words_of(pid),
    })
}

/// When a process began, in the system's own measure; with its number it names one process for good. Nothing where the system does not
/// tell.
pub fn process_start(pid: u32) -> Option<u64> {
    stat_field(pid, 22)?.parse().ok()
}

/// The process that started this one. Nothing where the system does not tell.
pub fn parent_of(pid: u32) -> Option<u32> {
    stat_field(pid, 4)?.parse().ok()
}

/// The program that a process runs. Nothing where the system does not tell.
pub fn program_of(pid: u32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/exe")).ok()
}

/// The namespace of processes that a machine begins with: whoever is in it sees all processes.
pub const FIRST_SPACE: &str = "pid:[4026531836]";

/// The namespace of processes that this one is in: numbers of processes mean something only there. Nothing where the system does not
/// tell.
pub fn process_space() -> Option<String> {
    Some(std::fs::read_link("/proc/self/ns/pid").ok()?.to_string_lossy().into_owned())
}

/// True if the list of processes is not there, or is not the system's own, on a system that has one.
#[cfg(target_os = "linux")]
pub fn hides_processes() -> bool {
    const PROCESSES: u64 = 0x9fa0;
    let is_real = rustix::fs::statfs("/proc").is_ok_and(|facts| u64::try_from(facts.f_type) == Ok(PROCESSES));
    !is_real || process_start(std::process::id()).is_none()
}

/// True if the list of processes is not there, or is not the system's own, on a system that has one.
#[cfg(not(target_os = "linux"))]
pub fn hides_processes() -> bool {
    false
}

/// True if a process holds the far end of a terminal: it opened one, and types into it.
pub fn opened_terminals(pid: u32) -> bool {
    let Ok(files) = std::fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
    files.flatten().filter_map(|file| std::fs::read_link(file.path()).ok()).any(|file| file.ends_with("ptmx"))
}

/// The environment that a process was started with. Nothing where the system does not tell.
pub fn environment_of(pid: u32) -> Option<Vec<(OsString, OsString)>> {
    let bytes = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let text = |bytes: &[u8]| bytes_to_path(bytes).into_os_string();
    let pair = |entry: &[u8]| {
        let at = entry.iter().position(|&byte| byte == b'=')?;
        Some((text(&entry[..at]), text(&entry[at + 1..])))
    };
    Some(bytes.split(|&byte| byte == 0).filter_map(pair).collect())
}

/// The group of processes that the system keeps a process in, whoever its parent is now. Nothing where there are none.
pub fn cgroup_of(pid: u32) -> Option<String> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("0::")).map(str::to_owned)
}

fn words_of(pid: u32) -> Vec<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = bytes.split(|&byte| byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

fn stat(pid: u32) -> Option<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A field of `/proc/PID/stat`, counted from one. The second is a name that may hold anything; it ends at the last bracket.
fn stat_field(pid: u32, number: usize) -> Option<String> {
    let text = stat(pid)?;
    let (_, rest) = text.rsplit_once(") ")?;
    rest.split_ascii_whitespace().nth(number - 3).map(str::to_owned)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_told_with_its_parent_program_and_words_s5() {
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .env("VIB_PROBE", "1")
            .spawn()
            .expect("sleep is there");
        // For a moment it is still this program.
        let has_begun = |found: &Process| found.words.first().is_some_and(|word| word == "sleep");
        let found = loop {
            let found = process(child.id()).expect("it runs");
            if has_begun(&found) {
                break found;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        let variables = environment_of(child.id()).expect("it is ours");
        let _ = child.kill();
        let _ = child.wait();
        assert_eq!((found.pid, found.parent), (child.id(), std::process::id()));
        assert_eq!(found.words, ["sleep", "30"]);
        assert!(found.start > 0 && found.program.is_some());
        assert!(variables.iter().any(|(name, value)| name == "VIB_PROBE" && value == "1"));
        assert!(process(u32::MAX).is_none());
    }
}
