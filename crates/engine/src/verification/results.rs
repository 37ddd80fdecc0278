//! Results, kept by content: what was found out about these files need not be found out again.

use std::path::PathBuf;

use ::gates::CheckStanding;
use ::memory::log::Provenance;
use ::memory::work::{self, CheckResult};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use store::{Checkpoint, Store};

use super::report::{CheckPart, RunIssue, VerificationRun};
use crate::memory::{append_seen, event};
use crate::private_copy::Ran;
use crate::{Engine, Result, private_file};

/// Results that are kept; the oldest go.
const MOST_KEPT: usize = 400;
/// Hashes of trees that are remembered.
const MOST_TREES: usize = 100;
/// Runs of one check on one state that are kept.
const MOST_ATTEMPTS: usize = 6;

/// One run, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// It passed; none: it gave no answer.
    pub passed: Option<bool>,
    /// How it ended, in a word.
    pub status: String,
    /// Its exit code.
    pub exit: Option<i32>,
    /// How long it took.
    pub milliseconds: u64,
    /// The end of what it said.
    pub output: String,
    /// There was more.
    pub cut: bool,
    /// What failed.
    pub failures: Vec<String>,
    /// When.
    pub time_ms: i64,
}

impl Stored {
    pub(super) fn of(ran: &Ran, clean: &mut dyn FnMut(&str) -> String, time_ms: i64) -> Self {
        let (passed, status) = match (ran.exit_code, &ran.not_started) {
            (_, Some(_)) => (None, "could_not_start"),
            _ if ran.timed_out => (None, "timed_out"),
            _ if ran.filled_disk => (None, "filled_disk"),
            (Some(0), _) => (Some(true), "passed"),
            // What shells say of a program that is not there.
            (Some(126 | 127), _) => (None, "could_not_start"),
            _ => (Some(false), "failed"),
        };
        let output = ran.not_started.as_deref().unwrap_or(&ran.tail);
        Self {
            passed,
            status: status.to_owned(),
            exit: ran.exit_code,
            milliseconds: u64::try_from(ran.took.as_millis()).unwrap_or(u64::MAX),
            output: clean(output).trim().to_owned(),
            cut: ran.cut,
            failures: ran.failures.iter().map(|line| clean(line)).collect(),
            time_ms,
        }
    }

    pub(super) fn part(&self) -> CheckPart {
        CheckPart {
            status: self.status.clone(),
            exit: self.exit,
            milliseconds: self.milliseconds,
            output: self.output.clone(),
            cut: self.cut,
            failures: self.failures.clone(),
        }
    }
}

fn folder(engine: &Engine) -> PathBuf {
    engine.project().state().join("verified")
}

fn file(engine: &Engine, tree: &str, line: &str) -> PathBuf {
    let hash = Sha256::new().chain_update(tree).chain_update([0]).chain_update(line).finalize();
    let name: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    folder(engine).join(format!("{name}.json"))
}

/// What is known of a check on these files. What gave no answer is not known.
pub(super) fn kept(engine: &Engine, tree: &str, line: &str) -> Vec<Stored> {
    let read = || serde_json::from_slice::<Vec<Stored>>(&std::fs::read(file(engine, tree, line)).ok()?).ok();
    read().unwrap_or_default().into_iter().filter(|attempt| attempt.passed.is_some()).collect()
}

/// Keeps it. Failing costs a second run.
pub(super) fn keep(engine: &Engine, tree: &str, line: &str, attempts: &[Stored]) {
    let from = attempts.len().saturating_sub(MOST_ATTEMPTS);
    if let Ok(text) = serde_json::to_vec(&attempts[from..]) {
        let _ = private_file::write(&file(engine, tree, line), &text);
    }
    forget_oldest(engine);
}

fn forget_oldest(engine: &Engine) {
    let entries = std::fs::read_dir(folder(engine)).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .filter(|(_, path)| !path.ends_with("trees.json") && !path.ends_with("newest.json"))
        .collect();
    if files.len() <= MOST_KEPT {
        return;
    }
    files.sort();
    let extra = files.len() - MOST_KEPT;
    for (_, path) in files.into_iter().take(extra) {
        let _ = std::fs::remove_file(path);
    }
}

/// What a look at these files found, held against those.
pub(super) fn kept_issues(engine: &Engine, tree: &str, since: &str) -> Option<Vec<RunIssue>> {
    serde_json::from_slice(&std::fs::read(file(engine, tree, &format!("guard since {since}"))).ok()?).ok()
}

/// Keeps it.
pub(super) fn keep_issues(engine: &Engine, tree: &str, since: &str, issues: &[RunIssue]) {
    if let Ok(text) = serde_json::to_vec(issues) {
        let _ = private_file::write(&file(engine, tree, &format!("guard since {since}")), &text);
    }
}

/// The content of a checkpoint, as one hash; computed once.
pub(super) fn tree_of(engine: &Engine, store: &Store<'_>, checkpoint: &Checkpoint) -> Result<String> {
    let file = folder(engine).join("trees.json");
    let read = || serde_json::from_slice::<Vec<(String, String)>>(&std::fs::read(&file).ok()?).ok();
    let mut known = read().unwrap_or_default();
    let id = checkpoint.id.to_string();
    if let Some((_, tree)) = known.iter().find(|(known, _)| *known == id) {
        return Ok(tree.clone());
    }
    let tree = store.tree_hash(&store.recorded_state_at(checkpoint.seq))?.to_hex();
    known.push((id, tree.clone()));
    let from = known.len().saturating_sub(MOST_TREES);
    if let Ok(text) = serde_json::to_vec(&known[from..]) {
        let _ = private_file::write(&file, &text);
    }
    Ok(tree)
}

/// What the gates need of the newest run: small, read at the end of every turn that claims something.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewestRun {
    /// The number of the checkpoint that was checked.
    pub seq: i64,
    /// Its id.
    pub checkpoint: String,
    /// How thoroughly.
    pub profile: String,
    /// The checks, how each stands, and what fails.
    pub checks: Vec<(String, Option<CheckStanding>, Vec<String>)>,
    /// What a look at the files found that must not stay.
    pub stops: Vec<String>,
    /// What the one who looked through the work has against it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_objects: Option<String>,
    /// When.
    pub time_ms: i64,
}

/// The newest run; nothing if there was none.
pub fn newest(engine: &Engine) -> Option<NewestRun> {
    serde_json::from_slice(&std::fs::read(folder(engine).join("newest.json")).ok()?).ok()
}

/// The newest run, if it was about what the state with this number holds.
pub fn newest_of(engine: &Engine, seq: Option<i64>) -> Option<NewestRun> {
    let (run, seq) = (newest(engine)?, seq?);
    if run.seq == seq {
        return Some(run);
    }
    let opened = engine.store(&store::Silent).ok()?;
    let (then, now) = (opened.store.recorded_state_at(run.seq), opened.store.recorded_state_at(seq));
    let is_same = opened.store.compare(&then, &now, &[]).ok()?.is_empty();
    is_same.then_some(run)
}

pub(super) fn keep_run(engine: &Engine, run: &VerificationRun) {
    let newest = NewestRun {
        seq: run.seq,
        checkpoint: run.checkpoint.clone(),
        profile: run.profile.word().to_owned(),
        checks: run
            .checks
            .iter()
            .map(|check| {
                let failures = if check.new_failures.is_empty() {
                    check.now.as_ref().map(|part| part.failures.clone()).unwrap_or_default()
                } else {
                    check.new_failures.clone()
                };
                (check.command.clone(), Some(check.standing), failures)
            })
            .collect(),
        stops: run
            .issues
            .iter()
            .filter(|issue| issue.severity == "stop")
            .map(|issue| issue.message.clone())
            .collect(),
        review_objects: run.review.as_ref().and_then(super::review::Review::objection),
        time_ms: run.started_ms,
    };
    if let Ok(text) = serde_json::to_vec(&newest) {
        let _ = private_file::write(&folder(engine).join("newest.json"), &text);
    }
}

/// What was run is remembered like any other check: with the content of the files it is about.
pub(super) fn remember(engine: &Engine, changed: &[String], run: &VerificationRun) {
    if run.cached || run.checks.is_empty() {
        return;
    }
    let scope = crate::memory::marks(engine, changed);
    let events: Vec<_> = run
        .checks
        .iter()
        .filter_map(|check| {
            let result = match check.standing {
                CheckStanding::Passes => CheckResult::Passed,
                CheckStanding::Regression | CheckStanding::OldFailure | CheckStanding::Fails => {
                    CheckResult::Failed
                }
                CheckStanding::Flaky | CheckStanding::NoAnswer => return None,
            };
            let (kind, mut body) = work::verification(&check.command, result, &scope);
            body["verification_run"] = json!(run.id);
            body["standing"] = json!(check.standing);
            let mut event = event(engine, kind, Provenance::Observed, body);
            event.agent = Some("vib".to_owned());
            Some(event)
        })
        .collect();
    let _ = append_seen(engine, &events);
}
