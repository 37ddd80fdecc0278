//! Episodes: a tool was used on something, it ended well or not, and what was changed in between made the difference. (MM9)

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::log::{Event, Outcome};
use crate::recall::Document;

/// So many edits between a failure and the success after it are its fix; more are a rewrite.
const MOST_FIXES: usize = 12;

/// One episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Episode {
    /// The task: a session, a turn, an issue.
    pub task: String,
    /// The tool.
    pub tool: String,
    /// The hash of what the tool was given.
    pub input: u64,
    /// What it was given, shortened.
    pub what: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The files that were changed between the failure and this success.
    pub fix: Vec<String>,
    /// How sure, from 0 to 1.
    pub confidence: f32,
    /// When, in milliseconds since 1970.
    pub time_ms: i64,
}

/// The hash that tells inputs apart.
pub fn input_of(event: &Event, document: &Document) -> u64 {
    xxh3_64(what_was_run(event, document).as_bytes())
}

/// The command alone: with its result, one that failed and one that passed would be two.
fn what_was_run(event: &Event, document: &Document) -> String {
    let command = event.body.get("command").and_then(serde_json::Value::as_str);
    command.map_or_else(|| document.text.clone(), str::to_owned)
}

/// The episodes in the events, in order: whatever names a tool and an outcome.
pub fn fold(events: &[Event]) -> Vec<Episode> {
    let mut episodes: Vec<Episode> = Vec::new();
    let mut edited: Vec<(String, Vec<String>)> = Vec::new();
    for event in events {
        let task = event.task.clone().unwrap_or_default();
        let Some(document) = Document::of_event(event) else { continue };
        if event.kind == "edit" {
            edited.push((task.clone(), document.paths.clone()));
        }
        // A command that was run, without how it ended; neither an edit nor a look. (M1)
        if !matches!(event.kind.as_str(), "command" | "verification") {
            continue;
        }
        let (Some(tool), Some(outcome)) = (&event.tool, event.outcome) else { continue };
        let what = what_was_run(event, &document);
        let input = xxh3_64(what.as_bytes());
        let same =
            |episode: &&Episode| episode.task == task && episode.tool == *tool && episode.input == input;
        let failed = episodes.iter().rev().find(same).filter(|last| last.outcome == Outcome::Failure);
        let mut fix: Vec<String> = Vec::new();
        if failed.is_some() && outcome == Outcome::Success {
            for path in edited.iter().filter(|(of, _)| *of == task).flat_map(|(_, paths)| paths) {
                if !fix.contains(path) {
                    fix.push(path.clone());
                }
            }
        }
        if outcome != Outcome::Failure {
            edited.retain(|(of, _)| *of != task);
        }
        // A fix that is everything explains nothing.
        let confidence = event.confidence.unwrap_or(if fix.len() > MOST_FIXES { 0.3 } else { 0.7 });
        fix.truncate(MOST_FIXES);
        let what = what.chars().take(200).collect();
        episodes.push(Episode {
            task,
            tool: tool.clone(),
            input,
            what,
            outcome,
            fix,
            confidence,
            time_ms: event.time_ms,
        });
    }
    episodes
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::log::{Provenance, Scope};

    pub(in crate::learn) fn ran(number: u64, task: &str, command: &str, outcome: Outcome) -> Event {
        let mut event = of(number, task, "command", &json!({"command": command}));
        event.tool = Some("shell".to_owned());
        event.outcome = Some(outcome);
        event
    }

    fn of(number: u64, task: &str, kind: &str, body: &Value) -> Event {
        let mut random = [0; 10];
        random[..8].copy_from_slice(&number.to_le_bytes());
        let time = i64::try_from(number).unwrap() * 3_600_000;
        let mut event = Event::new(time, random, Scope::Session, kind, Provenance::Observed, body.clone());
        event.task = Some(task.to_owned());
        event
    }

    #[test]
    fn what_was_edited_between_a_failure_and_a_success_is_the_fix() {
        let events = [
            ran(1, "s", "cargo test", Outcome::Failure),
            of(2, "s", "edit", &json!({"path": "src/a.rs"})),
            of(3, "t", "edit", &json!({"path": "elsewhere.rs"})),
            ran(4, "s", "cargo test", Outcome::Success),
            ran(5, "s", "cargo test", Outcome::Success),
        ];
        let episodes = fold(&events);
        let fixes: Vec<&[String]> = episodes.iter().map(|episode| episode.fix.as_slice()).collect();
        assert_eq!(fixes, [&[][..], &["src/a.rs".to_owned()], &[]]);
        assert_eq!((episodes[0].tool.as_str(), episodes[0].what.as_str()), ("shell", "cargo test"));
    }
}
