//! An agent as a process: started below the one that holds it, ended with everything it started.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::hold::{Becoming, HOLD};

/// So long an agent may take to end by itself when nothing more comes.
pub const GRACE: Duration = Duration::from_secs(2);
/// So long the holder may take to end everything.
const ENDING: Duration = Duration::from_secs(6);
const PAUSE: Duration = Duration::from_millis(10);

/// How an agent is started.
#[derive(Debug, Clone)]
pub struct Start {
    /// The vib that holds it.
    pub vib: PathBuf,
    /// What becomes of the process.
    pub becoming: Becoming,
    /// Where it works.
    pub folder: PathBuf,
    /// Variables that it gets besides those of this process.
    pub variables: Vec<(String, OsString)>,
    /// What it says on the side: shown, or thrown away.
    pub stderr: bool,
}

/// A running agent.
#[derive(Debug)]
pub struct Running {
    holder: Child,
}

impl Start {
    /// Starts it. The pipes lead to the agent itself.
    pub fn start(&self) -> io::Result<(Running, ChildStdin, ChildStdout)> {
        // If the holder itself is killed, what it held comes to this process and is ended by it.
        let _ = crate::hold::adopt_orphans();
        let mut command = Command::new(&self.vib);
        command.arg(HOLD).args(self.becoming.words()).current_dir(&self.folder).env("PWD", &self.folder);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if self.stderr { Stdio::inherit() } else { Stdio::null() });
        // A stop typed at a terminal is for vib, which ends the agent in order.
        project::platform::in_own_group(&mut command);
        let mut holder = command.spawn()?;
        let (Some(to), Some(from)) = (holder.stdin.take(), holder.stdout.take()) else {
            let _ = holder.kill();
            return Err(io::Error::other("the agent has no pipes"));
        };
        Ok((Running { holder }, to, from))
    }
}

impl Running {
    /// Its number, for whoever looks at processes.
    pub fn pid(&self) -> u32 {
        self.holder.id()
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.holder.try_wait()
    }

    /// Waits so long for it to end by itself, then ends it and everything it started. Returns its exit code and whether it ended itself.
    pub fn finish(&mut self, grace: Duration) -> (u8, bool) {
        if let Some(status) = self.wait(grace) {
            return (code(status), true);
        }
        self.ask_to_end();
        let status = self.wait(ENDING);
        if status.is_none() {
            let _ = self.holder.kill();
            let _ = self.holder.wait();
        }
        // Nothing of it is left, whatever became of the holder.
        crate::hold::end_descendants();
        (status.map_or(crate::hold::ENDED, code), false)
    }

    fn wait(&mut self, at_most: Duration) -> Option<ExitStatus> {
        let began = Instant::now();
        loop {
            match self.holder.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if began.elapsed() < at_most => std::thread::sleep(PAUSE),
                _ => return None,
            }
        }
    }

    fn ask_to_end(&self) {
        #[cfg(unix)]
        let _ = rustix::process::kill_process(
            rustix::process::Pid::from_child(&self.holder),
            rustix::process::Signal::TERM,
        );
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.holder.try_wait(), Ok(None)) {
            self.finish(Duration::ZERO);
        }
    }
}

fn code(status: ExitStatus) -> u8 {
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(crate::hold::ENDED)
}

/// A program as the system would find it: by its path, or on `PATH`.
pub fn find(program: &Path, path: Option<&OsString>) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_path_buf());
    }
    let folders = path.map(std::env::split_paths).into_iter().flatten();
    folders.map(|folder| folder.join(program)).find(|file| install::is_executable(file))
}
