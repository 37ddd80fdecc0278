//! The last calls of hooks: what came in, what was answered, how long it took, and where it failed. (A5)
//!
//! Hooks run unseen, so nobody can say afterwards what went wrong. Each call leaves one short line in a file of vib's own; the file is
//! cut when it is long, so there are always a few hundred of them. No text of prompts, commands or files is in it.

use std::io::Write;
use std::path::{Path, PathBuf};

use project::platform;
use serde::{Deserialize, Serialize};

const FILE: &str = "hook-calls.jsonl";
const OLDER: &str = "hook-calls.older.jsonl";
/// A file of this length is put aside, and the one that was aside goes: a few hundred calls are always there.
const LONGEST: u64 = 64 << 10;
/// A name of an event or a tool is not longer; what is comes from somebody who tries things.
const LONGEST_NAME: usize = 48;

/// One call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallNote {
    /// When it came, milliseconds since 1970.
    pub at_ms: i64,
    /// The version of vib that answered.
    pub version: String,
    /// Who called.
    pub client: String,
    /// What the client calls the event; empty if the payload could not be read.
    pub event: String,
    /// The tool it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What was decided: `pass`, `approve`, `ask`, `deny`, `hold`; `late`: the answer for whoever waits too long; `failed`.
    pub answer: String,
    /// How long it took.
    pub ms: u64,
    /// Where vib's own code failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<String>,
}

/// Writes it down. Failing costs nothing but the note.
pub fn keep(state: &Path, note: &CallNote) {
    let Ok(mut line) = serde_json::to_vec(note) else { return };
    line.push(b'\n');
    let path = state.join(FILE);
    let Ok(mut file) = platform::open_private_append(&path) else { return };
    let is_long = file.metadata().is_ok_and(|facts| facts.len() > LONGEST);
    let _ = file.write_all(&line);
    if is_long {
        // Two at once put the same file aside, or a very short one: calls are missing then, and nothing else.
        let _ = std::fs::rename(&path, state.join(OLDER));
    }
}

/// The last calls, the newest last.
pub fn last(state: &Path, most: usize) -> Vec<CallNote> {
    let read = |name: &str| {
        let path: PathBuf = state.join(name);
        let is_short = std::fs::metadata(&path).is_ok_and(|facts| facts.len() <= 2 * LONGEST);
        let text = is_short.then(|| std::fs::read_to_string(&path).ok()).flatten();
        text.unwrap_or_default()
    };
    let text = read(OLDER) + &read(FILE);
    let mut notes: Vec<CallNote> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    notes.drain(..notes.len().saturating_sub(most));
    notes
}

/// A name as it may be kept: short, and nothing in it that a terminal would obey.
pub(crate) fn name(text: &str) -> String {
    let plain =
        |letter: char| if letter.is_alphanumeric() || "_-.:/".contains(letter) { letter } else { '?' };
    text.chars().take(LONGEST_NAME).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_stays_short_and_the_newest_are_there_a5() {
        let state = tempfile::tempdir().unwrap();
        let note = |at_ms| CallNote {
            at_ms,
            client: "codex".to_owned(),
            answer: "pass".to_owned(),
            ..CallNote::default()
        };
        for at in 0..3_000 {
            keep(state.path(), &note(at));
        }
        let kept = last(state.path(), 100);
        assert_eq!(kept.len(), 100);
        assert_eq!(kept.last(), Some(&note(2_999)));
        assert!(kept.windows(2).all(|pair| pair[0].at_ms < pair[1].at_ms));
        let length: u64 = [FILE, OLDER]
            .iter()
            .filter_map(|name| std::fs::metadata(state.path().join(name)).ok())
            .map(|facts| facts.len())
            .sum();
        assert!(length < 3 * LONGEST, "{length}");
        std::fs::write(state.path().join(FILE), "{\"at_ms\":1\n\u{fffd}\n").unwrap();
        assert!(last(state.path(), 5).len() <= 5, "what is damaged is passed over");
    }

    #[test]
    fn a_name_is_short_and_harmless() {
        assert_eq!(name("PreToolUse"), "PreToolUse");
        assert_eq!(name("mcp__fs__read \u{1b}[2J"), "mcp__fs__read???2J");
        assert_eq!(name(&"x".repeat(500)).len(), LONGEST_NAME);
    }
}
