//! The process that holds an agent, so that nothing of it is left when it ends or when vib is killed.
//!
//! `vib` starts itself once more as the holder, and the holder starts itself once more as what becomes the agent:
//!
//! - The holder adopts whatever the agent leaves behind (`PR_SET_CHILD_SUBREAPER`), so that nothing escapes by losing its parent or by
//!   opening a session of its own. It ends everything when the agent ends, when it is told to (SIGTERM), and when vib is gone: it is told
//!   of that by the kernel (`PR_SET_PDEATHSIG`), and looks besides.
//! - What becomes the agent dies with the holder, puts up the fence, notes itself as an agent (what it runs is no person), and becomes
//!   the agent.
//!
//! Where the system has neither (macOS), the group of processes is ended, and the holder looks who its parent is.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use project::platform;

/// How often the holder looks.
const PAUSE: Duration = Duration::from_millis(40);
/// How often it counts processes.
const COUNTS: Duration = Duration::from_millis(500);
/// So long it goes on ending what will not end.
const ENDING: Duration = Duration::from_secs(5);
/// More processes than these are no work any more.
pub const MOST_PROCESSES: usize = 2_000;

/// The exit code of an agent that was not started.
pub const NOT_STARTED: u8 = 126;
/// The exit code of the holder when it ended everything because there were too many processes.
pub const TOO_MANY: u8 = 125;
/// The exit code when it was told to end everything, or vib was gone.
pub const ENDED: u8 = 124;

/// The words by which vib starts itself as the holder and as what becomes the agent.
pub const HOLD: &str = "hold";
/// See [`HOLD`].
pub const BECOME: &str = "become-agent";

/// Holds a command until it ends. Returns its exit code; a signal is 128 and its number.
#[cfg(unix)]
pub fn hold(program: &std::path::Path, words: &[OsString], most: usize) -> u8 {
    use rustix::process::{Pid, Signal, WaitOptions, wait};
    let parent = rustix::process::getppid();
    let told = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
        let _ = signal_hook::flag::register(signal, Arc::clone(&told));
    }
    let _ = adopt_orphans();
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
    // It may have gone before the kernel was asked to tell.
    if rustix::process::getppid() != parent {
        return ENDED;
    }
    let mut command = std::process::Command::new(program);
    command.arg(BECOME).args(words);
    platform::in_own_group(&mut command);
    let child = match command.spawn() {
        Ok(child) => child,
        Err(_) => return NOT_STARTED,
    };
    let agent = Pid::from_child(&child);
    let mut code = None;
    let mut counted = Instant::now();
    while code.is_none() {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == agent => code = Some(code_of(status)),
            Ok(Some(_)) => continue,
            Ok(None) => {}
            Err(_) => code = Some(ENDED),
        }
        if code.is_some() {
            break;
        }
        if told.load(Ordering::SeqCst) || rustix::process::getppid() != parent {
            code = Some(ENDED);
        } else if counted.elapsed() >= COUNTS {
            counted = Instant::now();
            if descendants(std::process::id()).len() > most {
                code = Some(TOO_MANY);
            }
        }
        if code.is_none() {
            std::thread::sleep(PAUSE);
        }
    }
    let _ = rustix::process::kill_process_group(agent, Signal::KILL);
    end_descendants();
    code.unwrap_or(ENDED)
}

/// There are no groups of processes here.
#[cfg(not(unix))]
pub fn hold(_program: &std::path::Path, _words: &[OsString], _most: usize) -> u8 {
    NOT_STARTED
}

/// From now on whatever loses its parent below this process becomes its child.
#[cfg(unix)]
pub fn adopt_orphans() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

/// From now on whatever loses its parent below this process becomes its child.
#[cfg(not(unix))]
pub fn adopt_orphans() -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn code_of(status: rustix::process::WaitStatus) -> u8 {
    let code = status.exit_status().or_else(|| status.terminating_signal().map(|signal| 128 + signal));
    u8::try_from(code.unwrap_or(1)).unwrap_or(255)
}

/// Ends everything below this process, and waits until it is gone.
#[cfg(unix)]
pub fn end_descendants() {
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};
    let began = Instant::now();
    loop {
        let below = descendants(std::process::id());
        for pid in &below {
            let Some(pid) = i32::try_from(*pid).ok().and_then(Pid::from_raw) else { continue };
            let _ = kill_process(pid, Signal::KILL);
        }
        // What was ended is waited for, or it would still be counted.
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        if below.is_empty() || began.elapsed() > ENDING {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Ends everything below this process.
#[cfg(not(unix))]
pub fn end_descendants() {}

/// Every process below this one, as the system tells.
pub fn descendants(above: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        if let Some(parent) = platform::parent_of(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let (mut found, mut next) = (Vec::new(), vec![above]);
    while let Some(pid) = next.pop() {
        for child in children.remove(&pid).unwrap_or_default() {
            found.push(child);
            next.push(child);
        }
    }
    found
}

/// What becomes the agent: its words on vib's own command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Becoming {
    /// The name under which vib knows the agent.
    pub named: String,
    /// The folder that the fence is put around; none: no fence.
    pub fence: Option<PathBuf>,
    /// Other places that are open for writing: the agent's own folders.
    pub open: Vec<PathBuf>,
    /// The agent and its words.
    pub command: Vec<OsString>,
}

impl Becoming {
    /// As words: `NAME [--fence FOLDER] [--open FOLDER]… -- COMMAND…`.
    pub fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![self.named.clone().into()];
        if let Some(folder) = &self.fence {
            words.extend(["--fence".into(), folder.clone().into_os_string()]);
        }
        for place in &self.open {
            words.extend(["--open".into(), place.clone().into_os_string()]);
        }
        words.push("--".into());
        words.extend(self.command.iter().cloned());
        words
    }

    /// From words.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let mut words = words.into_iter();
        let named = words.next()?.into_string().ok()?;
        let (mut fence, mut open) = (None, Vec::new());
        loop {
            let word = words.next()?;
            match word.to_str()? {
                "--fence" => fence = Some(PathBuf::from(words.next()?)),
                "--open" => open.push(PathBuf::from(words.next()?)),
                "--" => break,
                _ => return None,
            }
        }
        let command: Vec<OsString> = words.collect();
        (!command.is_empty()).then_some(Self { named, fence, open, command })
    }

    /// Becomes the agent; comes back only if that failed.
    pub fn carry_out(&self) -> String {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        let context = match project::Context::from_process() {
            Ok(context) => context,
            Err(error) => return format!("vib cannot see the folder it is in: {error}"),
        };
        person::seen::note_this(&context, &self.named);
        let Some((program, words)) = self.command.split_first() else {
            return "no agent is named".to_owned();
        };
        let Some(root) = &self.fence else {
            return fence::Fence::become_free_command(program, words, &[]).to_string();
        };
        let made = || -> fence::Result<fence::Fence> {
            let around = fence::Surroundings::of(&context, Some(root), std::env::current_exe().ok())?;
            if fence::probe::is_behind(&around.state) {
                return Ok(fence::Fence::everywhere());
            }
            let wishes = fence::Wishes { also: self.open.clone(), ..fence::Wishes::default() };
            fence::Fence::of(&around, &wishes)
        };
        match made() {
            Ok(fence) => fence.become_command(program, words, &[]).to_string(),
            Err(error) => error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_an_agent_is_read_as_it_was_written() {
        let becoming = Becoming {
            named: "gemini".to_owned(),
            fence: Some("/p".into()),
            open: vec!["/home/x/.gemini".into(), "/home/x/.cache".into()],
            command: vec!["gemini".into(), "--acp".into(), "--".into(), "--fence".into()],
        };
        assert_eq!(Becoming::read(becoming.words()), Some(becoming));
        for bad in [&["x"][..], &["x", "--"], &["x", "--fence"], &["x", "--what", "--", "a"]] {
            assert_eq!(Becoming::read(bad.iter().map(OsString::from)), None, "{bad:?}");
        }
    }
}
