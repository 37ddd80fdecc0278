//! What a session remembers for the gates: small, and kept small.

use std::path::Path;

use ::gates::stop::KnownCheck;
use ::gates::{TaskItem, failing_lines, failure_name};
use project::RelPath;
use serde::{Deserialize, Serialize};
use spiral::{CheckId, Tool, checks_in};

use super::{TaskNews, recipes};
use crate::Engine;
use crate::agent::{Finished, SessionState, says_that_nothing_ran};
use crate::check_command::check_of;

/// Checks that are remembered; the oldest go.
const MOST_CHECKS: usize = 6;
/// Lines of a failure that are kept.
const LINES_KEPT: usize = 6;
/// Longest check command that is kept.
const LONGEST: usize = 200;
/// Files that no test is about, by their end.
const PROSE: [&str; 8] = ["md", "txt", "rst", "adoc", "mdx", "markdown", "log", "lcov"];
/// And by their name.
const PROSE_NAMES: [&str; 10] = [
    ".gitignore",
    ".gitattributes",
    ".editorconfig",
    "license",
    "licence",
    "notice",
    "authors",
    "codeowners",
    ".coverage",
    "junit.xml",
];
/// Folders of what checks and builds make themselves.
const MADE: [&str; 16] = [
    "coverage",
    "htmlcov",
    ".nyc_output",
    "test-results",
    "test-reports",
    "playwright-report",
    "reports",
    "allure-results",
    ".pytest_cache",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    "node_modules",
    "dist",
    "target",
    ".next",
];

/// Folders of what people write.
const SOURCES: [&str; 5] = ["src", "lib", "app", "source", "sources"];

/// How a check ended that the agent ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeenCheck {
    /// The check.
    pub command: String,
    /// It passed; none: nobody knows.
    pub passed: Option<bool>,
    /// Which checks it runs, and how much of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<CheckId>,
    /// The turn in which it was run.
    pub turn: u64,
    /// The last step that might have written by then: its end is the content that was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<i64>,
    /// How many steps had changed files that checks are about by then.
    pub at: u64,
    /// What failed.
    pub failures: Vec<String>,
    /// What failed before the session had changed anything, without numbers and times. It stays until the check passes.
    pub failed_before: Vec<String>,
}

impl SeenCheck {
    pub(super) fn known(&self, changes: u64) -> KnownCheck {
        KnownCheck {
            command: self.command.clone(),
            passed: self.passed,
            stale: self.at < changes,
            old: self.is_old(),
            standing: None,
            failures: self.failures.clone(),
            tests: self.runs_tests(),
            own: None,
        }
    }

    /// What was kept before the checks of a line were told apart counts as tests.
    pub(super) fn runs_tests(&self) -> bool {
        self.ids.is_empty() || self.ids.iter().any(|id| id.tests)
    }

    /// It passed, in whole, and runs tests.
    pub(super) fn is_whole_pass(&self) -> bool {
        self.passed == Some(true) && self.ids.iter().any(|id| id.tests && id.is_whole())
    }

    /// It fails where it failed before the work, and nowhere else.
    fn is_old(&self) -> bool {
        self.passed == Some(false)
            && !self.failed_before.is_empty()
            && self.failures.iter().all(|line| self.failed_before.contains(&failure_name(line)))
    }
}

/// The agent's own list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskList {
    /// In which turn it was written last.
    pub turns: u64,
    /// Its items.
    pub items: Vec<TaskItem>,
}

/// Items that are kept.
const MOST_ITEMS: usize = 40;

impl TaskList {
    pub(super) fn take(&mut self, turns: u64, news: TaskNews) {
        self.turns = turns;
        match news {
            TaskNews::Whole(items) => self.items = items,
            TaskNews::New(item) => self.items.push(item),
            TaskNews::Changed { id, state } => {
                if let Some(item) = self.items.iter_mut().find(|item| item.id == id) {
                    item.state = state;
                }
            }
        }
        let extra = self.items.len().saturating_sub(MOST_ITEMS);
        self.items.drain(..extra);
    }
}

/// What counts at the end of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StopState {
    /// Steps that changed files.
    pub changes: u64,
    /// Those of them that changed something that checks are about.
    pub code_changes: u64,
    /// The last step that might have written.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_step: Option<i64>,
    /// How many there were when the turn began.
    turn_from: u64,
    /// This turn changed something that checks are about.
    pub code_changed: bool,
    /// In which folders, and how many steps had changed such files by then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) folders: Vec<(String, u64)>,
    /// The newest result of each check.
    pub checks: Vec<SeenCheck>,
    /// How often the agent had to go on in this turn.
    pub blocks: u64,
    /// It was let go all the same.
    pub released: bool,
    /// What it was told last.
    asked: Option<String>,
    /// The person said that it is fine, up to this turn.
    passed_until: Option<u64>,
    /// They have just said so: it counts from the next prompt on, too.
    passed_now: bool,
    /// The turn ended before its last words were written down: the client's record, and the newest checkpoint of then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unjudged: Option<(String, Option<i64>)>,
    /// Errors of this session, without what differs from time to time, and how often each came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<(u64, u32)>,
    /// One of them has just come for the second time.
    #[serde(skip_serializing_if = "is_false")]
    again: bool,
    /// What changed was looked at in this turn because of that.
    #[serde(skip_serializing_if = "is_false")]
    looked: bool,
}

/// Folders that are remembered; the oldest go.
const MOST_FOLDERS: usize = 24;
/// Errors that are remembered; the oldest go.
const MOST_ERRORS: usize = 12;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "that is how serde asks")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl StopState {
    /// The turn changed files.
    pub fn changed_in_turn(&self) -> bool {
        self.changes > self.turn_from
    }

    /// A file that checks are about was changed.
    fn changed_in(&mut self, path: &str) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.folders.retain(|(known, _)| known != folder);
        self.folders.push((folder.to_owned(), self.code_changes));
        let extra = self.folders.len().saturating_sub(MOST_FOLDERS);
        self.folders.drain(..extra);
    }

    /// A prompt of the person opens a turn.
    pub(crate) fn new_turn(&mut self, turns: u64) {
        self.turn_from = self.changes;
        self.code_changed = false;
        self.folders.clear();
        self.blocks = 0;
        self.released = false;
        self.asked = None;
        self.unjudged = None;
        self.looked = false;
        if std::mem::take(&mut self.passed_now) {
            self.passed_until = Some(turns);
        }
    }

    /// This prompt is what the agent was told to go on with: some clients hand it on as a prompt. It opens no turn.
    pub fn is_our_own(&self, prompt: &str) -> bool {
        self.asked.as_ref().is_some_and(|asked| prompt.contains(asked.as_str()))
    }

    pub(super) fn block(&mut self, asked: &str) {
        self.blocks += 1;
        // Clients wrap it and may cut it.
        self.asked = asked.lines().next().map(str::to_owned);
    }

    pub(super) fn release(&mut self) {
        self.released = true;
    }

    pub(super) fn settle(&mut self) {
        self.blocks = 0;
        self.asked = None;
    }

    pub(super) fn pass(&mut self) {
        self.passed_now = true;
    }

    /// A step failed with this error.
    pub(crate) fn failed(&mut self, error: u64) {
        let before =
            self.errors.iter().position(|(known, _)| *known == error).map(|at| self.errors.remove(at).1);
        let times = before.unwrap_or(0).saturating_add(1);
        self.again |= times == 2;
        self.errors.push((error, times));
        let extra = self.errors.len().saturating_sub(MOST_ERRORS);
        self.errors.drain(..extra);
    }

    /// An error came for the second time, and nobody has looked in this turn. Whoever asks looks.
    pub(super) fn take_again(&mut self) -> bool {
        let again = std::mem::take(&mut self.again) && !self.looked;
        self.looked |= again;
        again
    }

    /// Whether [`Self::take_again`] would say yes, or has something to forget.
    pub(super) fn has_again(&self) -> bool {
        self.again
    }

    pub(super) fn is_passed(&self, turns: u64) -> bool {
        self.passed_now || self.passed_until.is_some_and(|until| turns <= until)
    }
}

/// A step has ended: did it change files, and such that checks are about?
pub(crate) fn note_step(state: &mut StopState, finished: &Finished<'_>) {
    if let Some(step) = finished.ended.step {
        state.last_step = Some(step.0);
    }
    let edited = finished.failed != Some(true) && finished.kind == Tool::Edit;
    let named: &[RelPath] = if edited { finished.paths } else { &[] };
    let shell = finished.kind != Tool::Edit;
    let changed = !named.is_empty()
        || (shell && (!finished.ended.changed.is_empty() || finished.ended.tree_changed == Some(true)));
    if !changed {
        return;
    }
    state.changes += 1;
    let paths = if named.is_empty() { &finished.ended.changed[..] } else { named };
    let checked: Vec<&RelPath> = paths.iter().filter(|path| is_checked(path)).collect();
    // Very many are not named.
    if paths.is_empty() || !checked.is_empty() {
        state.code_changes += 1;
        state.code_changed = true;
    }
    for path in checked {
        state.changed_in(&path.to_string());
    }
}

/// Whether checks are about this file: it is no prose, no report and nothing that a build made.
pub(super) fn is_checked(path: &RelPath) -> bool {
    let name = path.to_string().to_ascii_lowercase();
    let file = Path::new(&name);
    let last = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let end = file.extension().map(|end| end.to_string_lossy().into_owned()).unwrap_or_default();
    let is_prose = PROSE.contains(&end.as_str())
        || PROSE_NAMES
            .iter()
            .any(|known| last == *known || last.strip_suffix(&format!(".{end}")) == Some(known));
    // A folder that is new is told as one.
    // Below the sources, a folder of that name is somebody's work: `src/reports/`.
    let mut parts = name.split('/').take_while(|part| !SOURCES.contains(part));
    !is_prose && !parts.any(|part| MADE.contains(&part))
}

/// The checks of a line in this project.
pub(super) fn ids_of(engine: &Engine, line: &str, folder: &str) -> Vec<CheckId> {
    let root = engine.project().root();
    let script = |program: &str, folder: &str, name: &str| recipes::of(root, program, folder, name);
    let place = root.display().to_string();
    let ids = checks_in(line, &place, folder, &script);
    // Some clients tell the folder in which the command has ended: then its own `cd` is in it already.
    if !folder.is_empty() && ids.iter().any(|id| !root.join(&id.folder).is_dir()) {
        return checks_in(line, &place, "", &script);
    }
    ids
}

/// A check has ended. Of one that was run again and of which nobody knows how it ended nothing is known any more: neither that it failed,
/// as it did before, nor that it was not run. (A1, A2)
pub(crate) fn note_check(
    engine: &Engine,
    state: &mut SessionState,
    line: &str,
    passed: Option<bool>,
    output: &str,
    finished: &Finished<'_>,
) {
    let ids = ids_of(engine, line, finished.folder);
    if ids.is_empty() {
        return;
    }
    let shown = check_of(line).unwrap_or_else(|| line.chars().take(LONGEST).collect());
    let mut gate = engine.own_gate();
    let command = gate.clean(&shown).into_string();
    let Some(passed) = passed else {
        note_unknown(state, command, ids, finished);
        return;
    };
    let failures: Vec<String> = if passed {
        Vec::new()
    } else {
        failing_lines(output).iter().take(LINES_KEPT).map(|line| gate.clean(line).into_string()).collect()
    };
    let turn = state.turns;
    let stop = &mut state.stop;
    for check in &mut stop.checks {
        if check.ids.is_empty() {
            check.ids = ids_of(engine, &check.command, "");
        }
        // A recipe that could not be read then may be there now.
        for at in (0..check.ids.len()).rev() {
            let Some(name) =
                check.ids[at].runner.strip_prefix("script ").filter(|_| check.ids[at].is_whole())
            else {
                continue;
            };
            let read = ids_of(engine, &format!("npm run {name}"), &check.ids[at].folder);
            if !read.is_empty() && !read.iter().any(|id| id.runner.starts_with("script ")) {
                check.ids.splice(at..=at, read);
            }
        }
    }
    let mut failed_before: Vec<String> = Vec::new();
    if !passed {
        // The project was found so. What the session itself broke in an earlier turn is not excused.
        if stop.changes == 0 {
            failed_before.extend(failures.iter().map(|line| failure_name(line)));
        }
        let same =
            |check: &&SeenCheck| check.ids.iter().any(|id| ids.iter().any(|new| new.is_same_check(id)));
        for name in stop.checks.iter().filter(same).flat_map(|check| &check.failed_before) {
            if !failed_before.contains(name) {
                failed_before.push(name.clone());
            }
        }
    }
    let covered = |id: &CheckId| ids.iter().any(|new| new.covers(id));
    stop.checks.retain_mut(|check| match (passed, check.passed) {
        (_, None) => !check.ids.iter().any(covered),
        // What this run ran too, it settles.
        (true, Some(false)) => {
            check.ids.retain(|id| !covered(id));
            !check.ids.is_empty()
        }
        (true, Some(true)) | (false, Some(false)) => !check.ids.iter().all(covered),
        // What passed with it passes no longer.
        (false, Some(true)) => {
            !check.ids.iter().any(|id| covered(id) || ids.iter().any(|new| id.covers(new)))
        }
    });
    let step = finished.ended.step.map(|step| step.0).or(stop.last_step);
    let passed = Some(passed);
    stop.checks.push(SeenCheck {
        command,
        passed,
        ids,
        turn,
        step,
        at: stop.code_changes,
        failures,
        failed_before,
    });
    let extra = stop.checks.len().saturating_sub(MOST_CHECKS);
    stop.checks.drain(..extra);
}

/// It ran, and how it ended is not known (yet). What passed before stands: it is held against the changes since.
fn note_unknown(state: &mut SessionState, command: String, ids: Vec<CheckId>, finished: &Finished<'_>) {
    let ran = finished.unfinished || !finished.output.trim().is_empty();
    if !ran || says_that_nothing_ran(finished.output) {
        return;
    }
    let turn = state.turns;
    let stop = &mut state.stop;
    let covered = |id: &CheckId| ids.iter().any(|new| new.covers(id));
    let failed_before = stop
        .checks
        .iter()
        .filter(|check| check.ids.iter().any(covered))
        .flat_map(|check| check.failed_before.clone())
        .collect();
    stop.checks.retain(|check| check.passed == Some(true) || !check.ids.iter().all(covered));
    let step = finished.ended.step.map(|step| step.0).or(stop.last_step);
    let at = stop.code_changes;
    stop.checks.push(SeenCheck {
        command,
        passed: None,
        ids,
        turn,
        step,
        at,
        failures: Vec::new(),
        failed_before,
    });
    let extra = stop.checks.len().saturating_sub(MOST_CHECKS);
    stop.checks.drain(..extra);
}

#[cfg(test)]
mod tests {
    use super::is_checked;
    use project::RelPath;

    #[test]
    fn reports_and_prose_are_no_code_and_sources_are_whatever_their_folder_is_called_m4() {
        for (path, wanted) in [
            ("sum.js", true),
            ("src/reports/total.js", true),
            ("packages/a/src/target/aim.ts", true),
            ("reports/junit.xml", false),
            ("packages/a/coverage/index.html", false),
            ("dist/main.js", false),
            ("README.md", false),
            (".gitignore", false),
            ("LICENSE", false),
        ] {
            assert_eq!(is_checked(&RelPath::new(path.as_bytes()).unwrap()), wanted, "{path}");
        }
    }
}
