//! What vib sees by itself while an agent works: edits, commits, checks, circles. (MM2)
//!
//! Sights are evidence, never decisions. A look is no event; a file that is edited again in the same turn is no second event.
//! Everything that one hook call saw is one append.

use ::memory::log::{Event, Outcome, Provenance};
use ::memory::work::{self, COMMIT, CheckResult, EDIT, FileMark, ROLLBACK, SPIRAL};
use project::RelPath;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::present::hash_of;
use super::turns::{Run, ran};
use super::write;
use crate::agent::{Finished, Who};
use crate::check_command::check_of;
use crate::{Engine, Result};
use spiral::{Spiral, Tool, is_check, passes_for_sure};

/// Most files that are remembered as touched by one session.
const MOST_TOUCHED: usize = 100;
/// Most files that one event names.
const MOST_PATHS: usize = 50;

/// What a session has to know so that nothing is noted twice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Noted {
    /// The turn that the next list is about.
    turn: String,
    /// Files whose edit was noted in this turn.
    in_turn: Vec<String>,
    /// Files that this session changed, the newest last.
    pub touched: Vec<String>,
    /// Those of them that came after the last commit.
    uncommitted: Vec<String>,
    /// Steps that changed files.
    pub edits: u64,
    /// Lines that were put in and are in no event yet.
    lines: u64,
    /// The last commit that was noted.
    commit: String,
    /// The last tag that was noted.
    tag: String,
    /// Commands of this turn that are in no log yet.
    runs: Vec<Run>,
    /// Something of this turn is not in the session's log yet.
    open: bool,
    /// The last edit was of a file that the session had not touched before.
    pub(super) fresh_file: bool,
}

impl Noted {
    /// Files of the last turn that edited something.
    pub(crate) fn last_edits(&self) -> &[String] {
        &self.in_turn
    }

    /// Files that were changed after the last commit that was seen.
    pub(crate) fn uncommitted(&self) -> &[String] {
        &self.uncommitted
    }

    /// There is something for the session's own log.
    pub(super) fn has_news(&self) -> bool {
        self.open || !self.runs.is_empty()
    }

    /// What the session's own log needs of the turn: its number, files and commands.
    pub(super) fn take_turn(&mut self) -> (String, Vec<String>, Vec<Run>) {
        self.open = false;
        (self.turn.clone(), self.in_turn.clone(), std::mem::take(&mut self.runs))
    }

    /// Takes a step that changed files; says which of them have to be noted, and with how many lines.
    fn edit(&mut self, turn: &str, paths: &[RelPath], lines: u64) -> (Vec<String>, u64) {
        if self.turn != turn {
            turn.clone_into(&mut self.turn);
            self.in_turn.clear();
        }
        self.edits += 1;
        self.open = true;
        self.fresh_file = paths.iter().any(|path| !self.touched.contains(&path.to_string()));
        self.lines = self.lines.saturating_add(lines);
        let mut fresh = Vec::new();
        for path in paths {
            let path = path.to_string();
            for list in [&mut self.touched, &mut self.uncommitted] {
                list.retain(|known| *known != path);
                list.push(path.clone());
                let extra = list.len().saturating_sub(MOST_TOUCHED);
                list.drain(..extra);
            }
            if !self.in_turn.contains(&path) && self.in_turn.len() < MOST_TOUCHED {
                self.in_turn.push(path.clone());
                fresh.push(path);
            }
        }
        fresh.truncate(MOST_PATHS);
        let lines = if fresh.is_empty() { 0 } else { std::mem::take(&mut self.lines) };
        (fresh, lines)
    }
}

/// What a finished step was, decided inside the session's lock; written outside of it.
#[derive(Debug, Default)]
pub(crate) struct Sight {
    turn: String,
    edited: Vec<String>,
    lines: u64,
    check: Option<CheckResult>,
    scope: Vec<String>,
    commit: Option<(git::Move, Vec<String>)>,
    tag: Option<String>,
}

/// Looks at a finished step. The session's lock is held.
pub(crate) fn look(engine: &Engine, noted: &mut Noted, turn: &str, finished: &Finished<'_>) -> Sight {
    let mut sight = Sight { turn: turn.to_owned(), ..Sight::default() };
    let minimal = is_minimal(engine);
    if finished.failed != Some(true) && !finished.paths.is_empty() && finished.kind != Tool::Read {
        let (edited, lines) = noted.edit(turn, finished.paths, finished.lines);
        if !minimal {
            (sight.edited, sight.lines) = (edited, lines);
        }
    }
    let Some(command) = finished.command else {
        return sight;
    };
    // A check that cannot be given back is not kept: nobody could run it again.
    if check_of(command).is_some() {
        sight.check = match finished.failed {
            Some(true) => Some(CheckResult::Failed),
            Some(false) if passes_for_sure(command) => Some(CheckResult::Passed),
            // The exit code is that of `tail`, or of nothing at all: nobody knows how the check ended.
            Some(false) => Some(CheckResult::Unknown),
            None => None,
        };
        sight.scope.clone_from(&noted.touched);
    } else if let (false, false, Some(failed)) = (minimal, is_check(command), finished.failed) {
        ran(engine, &mut noted.runs, finished.tool, command, failed);
    }
    if !minimal && finished.failed != Some(true) && command.contains("commit") {
        // Git's own list says whether there is a new commit, whatever the command looked like.
        let newest = git::Folder::of(engine.project().root())
            .and_then(|folder| folder.moves().into_iter().rfind(|moved| moved.commit().is_some()));
        let recent = engine.context().now_ms().saturating_sub(10 * 60_000);
        if let Some(commit) = newest.filter(|commit| commit.hash != noted.commit && commit.time_ms >= recent)
        {
            noted.commit.clone_from(&commit.hash);
            sight.commit = Some((commit, std::mem::take(&mut noted.uncommitted)));
        }
    }
    if !minimal && finished.failed != Some(true) && command.contains("tag") {
        let recent = engine.context().now_ms().saturating_sub(10 * 60_000);
        let newest = git::Folder::of(engine.project().root()).and_then(|folder| folder.newest_tag());
        if let Some((name, _)) = newest.filter(|(name, time_ms)| *time_ms >= recent && *name != noted.tag) {
            noted.tag.clone_from(&name);
            sight.tag = Some(name);
        }
    }
    sight
}

/// Writes down what was seen: one append, or none.
pub(crate) fn note(
    engine: &Engine,
    who: &Who,
    finished: &Finished<'_>,
    sight: &Sight,
    spiral: Option<&Spiral>,
) -> Result<()> {
    let mut events = Vec::new();
    let base = |kind: &str, mut body: Value, outcome: Option<Outcome>| {
        body["turn"] = json!(sight.turn);
        let mut event = write::event(engine, kind, Provenance::Observed, body);
        event.agent = Some(who.client.clone());
        event.role = who.acts_as();
        event.task = Some(who.session.clone());
        event.tool = Some(finished.tool.to_owned());
        event.outcome = outcome;
        event
    };
    if !sight.edited.is_empty() {
        let marks = marks(engine, &sight.edited);
        let body = json!({"paths": sight.edited, "files": marks, "lines": sight.lines});
        events.push(base(EDIT, body, Some(Outcome::Success)));
    }
    if let Some(result) = sight.check {
        let command = finished.command.and_then(check_of).unwrap_or_default();
        let clean = engine.gate().clean(&command).into_string();
        let (kind, mut body) = work::verification(&clean, result, &marks(engine, &sight.scope));
        body["paths"] = json!(sight.scope.iter().rev().take(MOST_PATHS).collect::<Vec<_>>());
        events.push(base(kind, body, Some(super::outcome_of(result))));
    }
    if let Some((commit, paths)) = &sight.commit {
        let text = engine.gate().clean(commit.commit().unwrap_or_default()).into_string();
        let paths: Vec<&String> = paths.iter().rev().take(MOST_PATHS).collect();
        let body = json!({"text": text, "commit": commit.hash, "paths": paths});
        events.push(base(COMMIT, body, Some(Outcome::Success)));
    }
    if let Some(name) = &sight.tag {
        let (kind, body) = super::asked::tag(&engine.gate().clean(name).into_string());
        events.push(base(kind, body, Some(Outcome::Success)));
    }
    if let Some(spiral) = spiral.filter(|_| !is_minimal(engine)) {
        let paths: Vec<&String> = spiral.path.iter().collect();
        let body = json!({"paths": paths, "rule": spiral.rule.code(), "times": spiral.times});
        events.push(base(SPIRAL, body, Some(Outcome::Failure)));
    }
    write::append_seen(engine, &events)
}

/// Files went back to an earlier state, because somebody said so.
pub(crate) fn rolled_back(engine: &Engine, via: &str, target: &str, paths: &[String]) -> Result<()> {
    if is_minimal(engine) {
        return Ok(());
    }
    let shown: Vec<&String> = paths.iter().take(MOST_PATHS).collect();
    let body = json!({"paths": shown, "files": paths.len(), "target": target});
    let mut event = write::event(engine, ROLLBACK, Provenance::Observed, body);
    event.agent = Some(via.to_owned());
    event.tool = Some("vib undo".to_owned());
    event.outcome = Some(Outcome::RolledBack);
    write::append_seen(engine, &[event])
}

/// Only goal, next step and checks are kept.
pub(super) fn is_minimal(engine: &Engine) -> bool {
    engine.project().config().flag("memory.minimal")
}

/// The content of these files now, the newest ones.
pub(crate) fn marks(engine: &Engine, paths: &[String]) -> Vec<FileMark> {
    let newest = paths.iter().rev().take(MOST_PATHS);
    newest
        .filter_map(|path| {
            let inside = RelPath::new(path.as_bytes()).ok()?;
            Some(FileMark { path: path.clone(), hash: hash_of(engine, &inside) })
        })
        .collect()
}

/// The files that an event names.
pub(crate) fn paths_of(event: &Event) -> Vec<String> {
    event.body.get("paths").and_then(|paths| serde_json::from_value(paths.clone()).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> RelPath {
        RelPath::new(name.as_bytes()).unwrap()
    }

    #[test]
    fn a_file_is_noted_once_a_turn_and_no_line_is_lost() {
        let mut noted = Noted::default();
        assert_eq!(noted.edit("1", &[path("a")], 3), (vec!["a".to_owned()], 3));
        assert_eq!(noted.edit("1", &[path("a")], 4), (vec![], 0));
        assert_eq!(noted.edit("1", &[path("a"), path("b")], 1), (vec!["b".to_owned()], 5));
        assert_eq!(noted.edit("2", &[path("a")], 0), (vec!["a".to_owned()], 0));
        assert_eq!((noted.edits, noted.touched), (4, vec!["b".to_owned(), "a".to_owned()]));
    }

    #[test]
    fn a_session_of_a_thousand_turns_stays_small() {
        let mut noted = Noted::default();
        for turn in 0..1_000 {
            for file in 0..20 {
                noted.edit(&turn.to_string(), &[path(&format!("src/{turn}/{file}.rs"))], 10);
            }
        }
        let size = serde_json::to_string(&noted).unwrap().len();
        assert!(size < 8_000, "{size}");
    }
}
