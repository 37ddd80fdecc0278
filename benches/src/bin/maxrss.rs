//! `maxrss FILE COMMAND…`: runs the command and writes the most memory it held at once, in bytes, to the file.
//!
//! A process of its own, because the system only tells the largest of *all* children, and because a child starts out
//! with the size of the process that starts it.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("maxrss: {error:#}");
            ExitCode::from(125)
        }
    }
}

#[cfg(unix)]
fn run() -> anyhow::Result<ExitCode> {
    use anyhow::Context as _;
    use nix::sys::resource::{UsageWho, getrusage};

    let mut args = std::env::args_os().skip(1);
    let file = args.next().context("no file to write to")?;
    let program = args.next().context("no command to run")?;
    let status = Command::new(&program)
        .args(args)
        .status()
        .with_context(|| format!("cannot start `{}`", program.display()))?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    // Linux counts in KB, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    fs_err::write(file, (usage.max_rss() * unit).to_string())?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(125)))
}

#[cfg(not(unix))]
fn run() -> anyhow::Result<ExitCode> {
    anyhow::bail!("this system is not supported")
}
