//! The version of a client: from its package, without running it, where that is possible.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::call::{Exit, Sandbox, run};

/// Some clients unpack themselves at the first start.
const PATIENCE: Duration = Duration::from_secs(5);

/// The version of the client that this program starts.
pub(super) fn of(program: &Path, sandbox: &Sandbox) -> Option<String> {
    let real = program.canonicalize().ok()?;
    in_package(&real).or_else(|| in_path(&real)).or_else(|| asked(program, sandbox))
}

/// npm puts a program into its package's folder.
fn in_package(real: &Path) -> Option<String> {
    let text = real
        .ancestors()
        .skip(1)
        .take(4)
        .find_map(|folder| std::fs::read_to_string(folder.join("package.json")).ok())?;
    let package: serde_json::Value = serde_json::from_str(&text).ok()?;
    Some(package.get("version")?.as_str()?.to_owned())
}

/// Installers that keep several versions name their folders after them.
fn in_path(real: &Path) -> Option<String> {
    let name = |part: std::path::Component<'_>| part.as_os_str().to_str().map(str::to_owned);
    real.components().rev().filter_map(name).find(|part| is_version(part))
}

fn asked(program: &Path, sandbox: &Sandbox) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version");
    sandbox.confine(&mut command);
    let ran = run(&mut command, "", PATIENCE);
    if ran.exit != Exit::Code(Some(0)) {
        return None;
    }
    let word = |word: &str| word.trim_start_matches('v').trim_matches(['(', ')', ',']).to_owned();
    ran.stdout.split_whitespace().map(word).find(|word| is_version(word))
}

/// `1.2.3`, perhaps with something behind it.
fn is_version(word: &str) -> bool {
    let numbers = word.split(['-', '+']).next().unwrap_or(word);
    numbers.split('.').count() >= 3
        && numbers.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_from_words() {
        for word in ["1.2.3", "2.1.325", "1.0.0-beta.1", "2026.11.15"] {
            assert!(is_version(word), "{word}");
        }
        for word in ["", "1.2", "claude", "a.b.c", "1..2", "v1.2.3"] {
            assert!(!is_version(word), "{word}");
        }
        assert_eq!(in_path(Path::new("/x/claude/versions/2.1.325")).as_deref(), Some("2.1.325"));
    }
}
