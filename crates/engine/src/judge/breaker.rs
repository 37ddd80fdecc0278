//! A circuit breaker: after three failures in a row the other program is left in peace for a minute.
//!
//! Its state is one small file in the state folder, so that it holds across the many short processes of a hook. Two
//! processes that write at once can lose a count; that costs one more try and nothing else.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Failures in a row that open the breaker.
const MAX_FAILURES: u32 = 3;

/// How long it stays open.
const PAUSE_MS: i64 = 60_000;

/// What is known about the last tries.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct State {
    version: u32,
    failures: u32,
    paused_until_ms: i64,
}

/// The breaker of one state folder.
#[derive(Debug)]
pub(super) struct Breaker {
    file: PathBuf,
    state: State,
}

impl Breaker {
    /// Reads what earlier processes left. A file that cannot be read counts as new.
    pub(super) fn load(state_folder: &Path) -> Self {
        let file = state_folder.join("second-opinion.json");
        let state = std::fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str(&text).ok());
        Self { file, state: state.unwrap_or_default() }
    }

    /// Milliseconds until the next try is allowed; nothing when it is now.
    pub(super) fn pause_ms(&self, now_ms: i64) -> Option<i64> {
        let left = self.state.paused_until_ms.saturating_sub(now_ms);
        // A clock that was set back must not pause for longer than a pause is.
        (1..=PAUSE_MS).contains(&left).then_some(left)
    }

    /// Notes how a try went.
    pub(super) fn note(&mut self, worked: bool, now_ms: i64) {
        let failures = if worked { 0 } else { self.state.failures.saturating_add(1) };
        let next = if failures >= MAX_FAILURES {
            State { version: 1, failures: 0, paused_until_ms: now_ms.saturating_add(PAUSE_MS) }
        } else {
            State { version: 1, failures, paused_until_ms: 0 }
        };
        if next != self.state {
            self.state = next;
            self.save();
        }
    }

    /// Without the file the count starts anew with every process, which is no reason to fail.
    fn save(&self) {
        let Some(folder) = self.file.parent() else { return };
        if project::platform::make_private_dir(folder).is_err() {
            return;
        }
        if let Ok(text) = serde_json::to_string(&self.state) {
            let beside = self.file.with_extension(format!("{}.tmp", std::process::id()));
            let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &self.file));
            if written.is_err() {
                let _ = std::fs::remove_file(&beside);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_failures_in_a_row_pause_for_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let note = |worked| Breaker::load(folder.path()).note(worked, 1_000);
        let pause = |now| Breaker::load(folder.path()).pause_ms(now);
        note(false);
        note(false);
        note(true);
        note(false);
        note(false);
        assert_eq!(pause(1_000), None, "a success in between starts the count anew");
        note(false);
        assert_eq!(pause(1_000), Some(60_000));
        assert_eq!(pause(60_999), Some(1));
        assert_eq!(pause(61_000), None);
        assert_eq!(pause(-10_000_000), None, "a clock set back does not pause for ever");
        note(false);
        assert_eq!(pause(61_000), None, "after the pause three more are needed");
    }

    #[test]
    fn a_damaged_file_counts_as_new() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("second-opinion.json"), "{\"failures\": \"many\"").unwrap();
        assert_eq!(Breaker::load(folder.path()).pause_ms(0), None);
    }
}
