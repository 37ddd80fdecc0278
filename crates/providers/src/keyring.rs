//! The system's keyring, asked through the program that the system has for it.
//!
//! The libraries for it bring either an async runtime or a C library along; `secret-tool` (Linux, from libsecret) and `security` (macOS) are there
//! where a keyring is. vib only reads: a person puts a key in with the same program.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::secret::Secret;

/// The service under which vib's keys are kept.
pub const SERVICE: &str = "vibelign";
/// A keyring may ask the person for its password.
const PATIENCE: Duration = Duration::from_secs(30);
/// No key is longer.
const LONGEST: u64 = 16 << 10;

/// The command that a person types to put a key in; none where this system has no such program.
pub fn how_to_put(account: &str) -> Option<String> {
    if cfg!(target_os = "linux") {
        Some(format!("secret-tool store --label 'VibeLign {account}' service {SERVICE} account {account}"))
    } else if cfg!(target_os = "macos") {
        Some(format!("security add-generic-password -s {SERVICE} -a {account} -w"))
    } else {
        None
    }
}

fn command(account: &str) -> Option<Command> {
    let (program, words) = if cfg!(target_os = "linux") {
        ("secret-tool", vec!["lookup", "service", SERVICE, "account", account])
    } else if cfg!(target_os = "macos") {
        ("security", vec!["find-generic-password", "-s", SERVICE, "-a", account, "-w"])
    } else {
        return None;
    };
    let mut command = Command::new(program);
    command.args(words);
    Some(command)
}

/// An account is a plain word: it stands on a command line.
fn is_plain(account: &str) -> bool {
    !account.is_empty()
        && account.len() <= 64
        && !account.starts_with('-')
        && account.chars().all(|one| one.is_ascii_alphanumeric() || "._-@".contains(one))
}

/// Looks a key up. `Err`: why the keyring cannot be asked, in words.
pub(crate) fn look_up(account: &str) -> Result<Option<Secret>, String> {
    if !is_plain(account) {
        return Err("the account has to be one plain word".to_owned());
    }
    let Some(command) = command(account) else {
        return Err("on this system vib cannot ask the keyring: put the key into a variable".to_owned());
    };
    run(command, PATIENCE)
}

fn run(mut command: Command, patience: Duration) -> Result<Option<Secret>, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("`{program}` could not be started: {error}"))?;
    // It writes a line; what is longer than the pipe holds is no key, and the program is ended.
    let until = Instant::now() + patience;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("`{program}` took too long"));
            }
        }
    };
    let mut text = String::new();
    if let Some(output) = child.stdout.take() {
        let read = output.take(LONGEST).read_to_string(&mut text);
        read.map_err(|_| format!("`{program}` gave something that is no key"))?;
    }
    let found = Some(text).filter(|text| status.success() && !text.trim().is_empty());
    Ok(found.map(|text| Secret::new(&text)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_program_gives_a_key_none_or_a_reason_and_never_hangs() {
        let short = Duration::from_millis(300);
        let long = Duration::from_secs(20);
        assert_eq!(run(sh("echo sk-1"), long), Ok(Some(Secret::new("sk-1"))));
        assert_eq!(run(sh("echo sk-1; exit 1"), long), Ok(None));
        assert_eq!(run(sh("exit 0"), long), Ok(None));
        assert!(run(sh("exec sleep 30"), short).unwrap_err().contains("too long"));
        assert!(run(Command::new("no-such-keyring"), long).unwrap_err().contains("could not be started"));
    }

    #[test]
    fn an_account_is_a_plain_word() {
        for bad in ["", "-w", "a b", "a;b", "a\nb"] {
            assert!(look_up(bad).unwrap_err().contains("plain word"), "{bad}");
        }
        assert!(is_plain("anthropic") && is_plain("me@work.example"));
    }
}
