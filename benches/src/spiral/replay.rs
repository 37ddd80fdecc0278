//! A recorded run, as the hooks would have seen it.

use std::collections::HashSet;

use engine::spiral::{Limits, Outcome, Step, Tool, Tracker, is_check, normalise_call, normalise_error};

use super::runs::{Recorded, Run};
use super::shell::{Done, Files};
use super::{Stop, hash};

/// The step at which the breaker says that it is a spiral; or at which it first denies an edit.
pub fn first(run: &Run, limits: &Limits, denied: bool) -> Option<Stop> {
    let (mut tracker, mut files) = (Tracker::default(), Files::default());
    let mut known: HashSet<String> = HashSet::new();
    for (at, recorded) in run.steps.iter().enumerate() {
        let done = files.run(&recorded.args);
        for (path, before) in &done.paths {
            if known.insert(path.clone()) {
                tracker.found(path, *before);
            }
            if let Some(spiral) = tracker.before_edit_within(path, Some(files.content(path)), limits) {
                return Some(Stop { at, rule: spiral.rule.code() });
            }
        }
        let mut told = None;
        for step in steps(recorded, &done, &files) {
            told = tracker.observe_within(&step, limits).or(told);
        }
        if let Some(spiral) = told.filter(|_| !denied) {
            return Some(Stop { at, rule: spiral.rule.code() });
        }
    }
    None
}

/// One step for each file that was written, and one for the command if it did more than that.
fn steps<'a>(recorded: &Recorded, done: &'a Done, files: &Files) -> Vec<Step<'a>> {
    let outcome = if recorded.err {
        Outcome::Failed { error: normalise_error(&recorded.output()) }
    } else {
        Outcome::Ok
    };
    let command = Step {
        turn: "1",
        signature: normalise_call(&recorded.tool, &recorded.args),
        tool: Tool::Shell,
        path: None,
        content: None,
        writes: done.writes,
        outcome,
        result: Some(hash(&recorded.obs_nsha)),
        check: is_check(&recorded.args).then(|| hash(&recorded.args)),
    };
    let edit = |path: &'a str| Step {
        tool: Tool::Edit,
        path: Some(path),
        content: Some(files.content(path)),
        // How the command ended says nothing about the file.
        outcome: if done.more { Outcome::Unknown } else { outcome },
        check: None,
        ..command
    };
    let mut steps: Vec<Step<'a>> = done.paths.iter().map(|(path, _)| edit(path)).collect();
    if done.more || steps.is_empty() {
        steps.push(command);
    }
    steps
}
