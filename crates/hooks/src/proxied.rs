//! Who looks at tool calls where both could: the hooks of a client that run under ACP too, or the proxy.
//!
//! The proxy gives the agent a variable that names a folder of its own. A hook that is called below it leaves prompts and the ends of turns
//! to the proxy, and does tool calls itself: it comes before the call and can give its reason to the model. It says so by a file in that
//! folder, and from then on the proxy leaves tool calls to the hooks.

use std::path::{Path, PathBuf};

use project::{Context, platform};

/// The variable that names the folder.
pub const VARIABLE: &str = "VIBELIGN_ACP";
const TOOLS: &str = "tools";
/// Longer chains of processes are not looked at.
const MOST_PARENTS: usize = 64;

/// The folder of one proxy. It goes when the proxy ends.
#[derive(Debug)]
pub struct Marks(PathBuf);

impl Marks {
    /// For this process.
    pub fn new(context: &Context) -> Option<Self> {
        let all = context.state().ok()?.join("acp");
        tidy(&all);
        let own = std::process::id();
        let folder = all.join(format!("{own}-{}", platform::process_start(own)?));
        platform::make_private_dir(&folder).ok()?;
        Some(Self(folder))
    }

    /// Its place.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Hooks were called for a tool below this proxy.
    pub fn tools_are_hooked(&self) -> bool {
        self.0.join(TOOLS).exists()
    }
}

impl Drop for Marks {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Folders of proxies that are gone.
fn tidy(all: &Path) {
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten().take(100) {
        if process_of(&entry.path()).is_none() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The running process that a folder names.
fn process_of(folder: &Path) -> Option<u32> {
    let (pid, start) = folder.file_name()?.to_str()?.split_once('-')?;
    let (pid, start) = (pid.parse().ok()?, start.parse::<u64>().ok()?);
    (platform::process_start(pid) == Some(start)).then_some(pid)
}

/// True if the proxy that this folder names is above this process: a variable alone says nothing.
pub fn is_above(folder: &Path) -> bool {
    let Some(proxy) = process_of(folder).filter(|_| folder.is_dir()) else { return false };
    let mut here = std::process::id();
    for _ in 0..MOST_PARENTS {
        match platform::parent_of(here) {
            Some(parent) if parent == proxy => return true,
            Some(parent) if parent > 1 => here = parent,
            _ => return false,
        }
    }
    false
}

/// A hook says that it was called for a tool.
pub(crate) fn note_tool(folder: &Path) {
    let _ = platform::open_private_append(&folder.join(TOOLS));
}
