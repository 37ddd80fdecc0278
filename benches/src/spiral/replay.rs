//! A recorded run, as the hooks would have seen it.

use std::collections::HashSet;

use ::spiral::{
    Content, Limits, Outcome, Step, Syntax, Tool, Tracker, is_check, normalise_error, passes_for_sure,
    signature, speaks_of_failure,
};

use super::runs::{Recorded, Run};
use super::shell::{Done, Files};
use super::{Stop, hash};

/// The step that the breaker denies first; or before which it warns, if that counts.
pub fn first(run: &Run, limits: &Limits, warned: bool) -> Option<Stop> {
    let (mut tracker, mut files) = (Tracker::default(), Files::default());
    let mut known: HashSet<String> = HashSet::new();
    tracker.new_turn("1", "");
    for (at, recorded) in run.steps.iter().enumerate() {
        let what = signature("", &recorded.tool, &recorded.args);
        if let Some(spiral) = tracker.before_call_within(what, &recorded.args, limits) {
            return Some(Stop { at, rule: spiral.rule.code() });
        }
        let done = files.run(&recorded.args);
        for (path, before) in &done.paths {
            if known.insert(path.clone()) {
                tracker.found(path, content(*before));
            }
            if let Some(spiral) = tracker.before_edit_within(path, Some(content(files.content(path))), limits)
            {
                return Some(Stop { at, rule: spiral.rule.code() });
            }
        }
        let mut told = None;
        let output = recorded.output();
        for step in steps(recorded, &output, &done, &files) {
            told = tracker.observe_within(&step, limits).or(told);
        }
        // Before the next command that may write, vib looks at the tree: what the recording does not show did not change.
        tracker.looked(false, true);
        if let Some(spiral) = told.filter(|_| warned) {
            return Some(Stop { at, rule: spiral.rule.code() });
        }
    }
    None
}

/// The recording has no contents: their sizes and whether they parse are not known.
fn content(hash: u64) -> Content {
    Content { hash, size: 1_000, lines: 40, syntax: Syntax::Unknown, faults: 0, damage: 0, open: None }
}

/// One step for each file that was written, and one for the command if it did more than that.
fn steps<'a>(recorded: &Recorded, output: &'a str, done: &'a Done, files: &Files) -> Vec<Step<'a>> {
    let check = is_check(&recorded.args);
    let failed = recorded.err || (check && !passes_for_sure(&recorded.args) && speaks_of_failure(output));
    // The recording keeps the two ends of an output, and a hash of the whole.
    let error = hash(&format!("{}{}", normalise_error(output), recorded.obs_nsha));
    let outcome = if failed { Outcome::Failed { error } } else { Outcome::Ok };
    let command = Step {
        turn: "1",
        signature: signature("", &recorded.tool, &recorded.args),
        tool: Tool::Shell,
        path: None,
        after: None,
        writes: done.writes,
        waits: false,
        outcome,
        result: Some(hash(&recorded.obs_sha)),
        check: check.then(|| hash(&recorded.args)),
        output,
        unfinished: false,
        put_back: false,
        at: 0,
    };
    let edit = |path: &'a str| Step {
        path: Some(path),
        after: Some(content(files.content(path))),
        // How the command ended says nothing about the file.
        outcome: if done.more { Outcome::Unknown } else { outcome },
        check: None,
        ..command
    };
    let mut steps: Vec<Step<'a>> = done.paths.iter().map(|(path, _)| edit(path)).collect();
    steps.push(command);
    steps
}
