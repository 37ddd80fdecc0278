//! Programs that are started and ended with everything they start.

use std::ffi::OsStr;
use std::process::{Child, Command};

/// Lets a program that is about to be started have a group of its own, with all that it starts.
pub fn in_own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Lets this process have a session of its own: it goes on when the terminal it was started from is closed. Where the system has none, or it
/// has one, nothing happens.
pub fn in_own_session() {
    #[cfg(unix)]
    let _ = rustix::process::setsid();
}

/// Ends a program and everything in its group, at once.
pub fn end_group(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
    let _ = child.kill();
    let _ = child.wait();
}

/// Ends every process that was started with this variable, wherever it has gone since. Where the system does not tell of other processes'
/// variables there is nothing to end. Says how many.
pub fn end_marked(name: &str, value: &str) -> usize {
    let own = std::process::id();
    let mut ended = 0;
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let is_marked = pid != own
            && super::environment_of(pid).is_some_and(|variables| {
                variables.iter().any(|(known, is)| known == OsStr::new(name) && is == OsStr::new(value))
            });
        if is_marked && end(pid) {
            ended += 1;
        }
    }
    ended
}

/// The processes that work in this folder or below it, without this one. Where the system does not tell there are none.
pub fn working_in(folder: &std::path::Path) -> Vec<u32> {
    let own = std::process::id();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let works_there =
            std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
        if pid != own && works_there {
            found.push(pid);
        }
    }
    found
}

/// Ends every process that works in this folder or below it. Where the system does not tell there is nothing to end. Says how many.
pub fn end_in_folder(folder: &std::path::Path) -> usize {
    working_in(folder).into_iter().filter(|pid| end(*pid)).count()
}

#[cfg(unix)]
fn end(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| rustix::process::kill_process(pid, rustix::process::Signal::KILL).is_ok())
}

#[cfg(not(unix))]
fn end(_pid: u32) -> bool {
    false
}
