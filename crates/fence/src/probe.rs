//! Trying the fence: a marked command, run by a shell as a client would run it, tries to write where nothing may.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use project::platform::make_private_dir;
use serde::Serialize;

use crate::kernel::{self, Kernel};
use crate::{Fence, Result, Surroundings, Wishes, folder, marks, mend, shell_file};

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The write was refused, and the rest of the command ran.
    Holds,
    /// The write went through.
    Open,
    /// The command did not run as it should.
    Broken,
    /// There is no fence here.
    None,
    /// Vib's own state lies in an open place (below `/tmp`), so there is nothing to try.
    Exposed,
}

/// A trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trial {
    /// What the kernel offers.
    pub kernel: Kernel,
    /// What came of it.
    pub outcome: Outcome,
    /// What was seen, in words.
    pub detail: String,
}

/// How a client's shell comes to read the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeWay {
    /// `BASH_ENV` names it.
    Variable,
    /// A line before the command does.
    Line,
}

/// A file in vib's own state that nothing behind a fence may write.
fn witness(state: &Path) -> PathBuf {
    folder(state).join("witness")
}

/// Whether this process is behind a fence already: one of its own files, which anybody else of this person may write, is refused to it. Rights
/// that somebody took away are given back first: they are no fence. (M2)
pub fn is_behind(state: &Path) -> bool {
    let file = witness(state);
    let is_refused = || match std::fs::OpenOptions::new().append(true).open(&file) {
        Ok(_) => false,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let made = make_private_dir(state)
                .and_then(|()| make_private_dir(&folder(state)))
                .and_then(|()| std::fs::write(&file, b""));
            made.is_err_and(|error| is_refusal(&error))
        }
        Err(error) => is_refusal(&error),
    };
    is_refused() && mend::rights(state, None).is_ok() && writable(&file) && is_refused()
}

/// The fence's own answer. A file that nobody may change, or a disk that is only read, answers otherwise.
fn is_refusal(error: &std::io::Error) -> bool {
    const EACCES: i32 = 13;
    error.raw_os_error() == Some(EACCES)
        || error.raw_os_error().is_none() && error.kind() == std::io::ErrorKind::PermissionDenied
}

/// Gives its owner the right to write this file, where it is there.
fn writable(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        match file.metadata() {
            Ok(_) => std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).is_ok(),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        true
    }
}

/// The kernel alone: is a write to vib's state refused behind this fence?
pub fn kernel_holds(around: &Surroundings) -> bool {
    #[cfg(target_os = "linux")]
    {
        let file = witness(&around.state);
        let made = make_private_dir(&around.state)
            .and_then(|()| make_private_dir(&folder(&around.state)))
            .and_then(|()| std::fs::write(&file, b""));
        let Ok(fence) = Fence::of(around, &Wishes::default()) else { return false };
        let open = || std::fs::OpenOptions::new().append(true).open(&file).is_ok();
        made.is_ok()
            && open()
            && kernel::trial(fence.open, {
                let file = file.clone();
                move || std::fs::OpenOptions::new().append(true).open(file).is_err()
            })
            .unwrap_or(false)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = around;
        kernel::kernel().is_there()
    }
}

/// The whole way: shell, file, launcher, kernel.
pub fn run(around: &Surroundings, vib: &Path, shell: &str, way: ProbeWay) -> Result<Trial> {
    let kernel = kernel::kernel();
    if !kernel.is_there() {
        let detail = format!("there is no fence here: {}", kernel.words());
        return Ok(Trial { kernel, outcome: Outcome::None, detail });
    }
    let state = &around.state;
    shell_file::write(state, vib)?;
    if Fence::of(around, &Wishes::default())?.is_open(&state.canonicalize()?) {
        let detail =
            format!("`{}` is vib's own and lies in an open place, so nothing was tried", state.display());
        return Ok(Trial { kernel, outcome: Outcome::Exposed, detail });
    }
    let (file, number) = (witness(state), std::process::id());
    std::fs::write(&file, b"")?;
    // A number of its own: trials may run side by side.
    let command = format!("(echo {number} >> '{}') 2>/dev/null && echo open; echo ran", file.display());
    let root = around.root.clone().unwrap_or_else(|| state.clone());
    let call = marks::MarkedCall { session: "trial".to_owned(), id: Some(number.to_string()) };
    let mark = marks::FenceMark {
        call,
        command: command.clone(),
        root,
        is_trial: true,
        ..marks::FenceMark::default()
    };
    marks::put(state, &mark)?;
    let mut asked = Command::new(shell);
    let text = match way {
        ProbeWay::Variable => command.clone(),
        ProbeWay::Line => format!("{}eval '{}'", shell_file::line(state), command.replace('\'', r"'\''")),
    };
    if way == ProbeWay::Variable {
        asked.envs(shell_file::variables(state));
    }
    asked.arg("-c").arg(text).stdin(Stdio::null()).env_remove(crate::SEEN).env("VIBELIGN_STATE", state);
    let said = asked.output();
    let launch = marks::launch(state, &mark);
    marks::take_away(state, &mark);
    let (outcome, detail) = match said {
        Err(error) => (Outcome::Broken, format!("`{shell}` could not be started: {error}")),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            match (text.contains("open"), text.contains("ran"), launch) {
                (true, ..) => (Outcome::Open, format!("a write to `{}` went through", file.display())),
                (false, true, marks::Launch::Seen) => (
                    Outcome::Holds,
                    "a write outside was refused, and the rest of the command ran".to_owned(),
                ),
                _ => {
                    let told = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                    (Outcome::Broken, format!("the command did not run behind the fence ({told})"))
                }
            }
        }
    };
    Ok(Trial { kernel, outcome, detail })
}
