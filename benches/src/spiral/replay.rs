//! A recorded run, as the hooks would have seen it.

use engine::spiral::{Limits, Outcome, Step, Tool, Tracker, is_check, normalise_error};

use super::runs::{Recorded, Run};
use super::shell::Files;
use super::{Stop, hash};

/// The step at which the breaker says that it is a spiral; or at which it first denies an edit.
pub fn first(run: &Run, limits: &Limits, denied: bool) -> Option<Stop> {
    let (mut tracker, mut files) = (Tracker::default(), Files::default());
    for (at, recorded) in run.steps.iter().enumerate() {
        let stop = |rule: engine::spiral::Rule| Some(Stop { at, rule: rule.code() });
        let before: Vec<(String, u64)> = {
            let mut ahead = Files::default();
            ahead
                .run(&recorded.args)
                .paths
                .into_iter()
                .map(|path| (path.clone(), files.content(&path)))
                .collect()
        };
        let done = files.run(&recorded.args);
        for (path, content) in &before {
            if !tracker_knows(run, at, path) {
                tracker.found(path, *content);
            }
        }
        for path in &done.paths {
            if let Some(spiral) = tracker.before_edit_within(path, Some(files.content(path)), limits) {
                return stop(spiral.rule);
            }
        }
        let mut told = None;
        for step in steps(recorded, &done.paths, done.more, done.writes, &files) {
            let spiral = tracker.observe_within(&step, limits);
            told = told.or(spiral);
        }
        if let Some(spiral) = told.filter(|_| !denied) {
            return stop(spiral.rule);
        }
    }
    None
}

/// Whether an earlier step wrote the file.
fn tracker_knows(run: &Run, at: usize, path: &str) -> bool {
    run.steps[..at].iter().any(|step| {
        step.args.contains(path) && Files::default().run(&step.args).paths.iter().any(|p| p == path)
    })
}

fn steps<'a>(
    recorded: &Recorded,
    paths: &'a [String],
    more: bool,
    writes: bool,
    files: &Files,
) -> Vec<Step<'a>> {
    let outcome = if recorded.err {
        Outcome::Failed { error: normalise_error(&recorded.output()) }
    } else {
        Outcome::Ok
    };
    let command = Step {
        turn: "1",
        signature: hash(&recorded.args),
        tool: Tool::Shell,
        path: None,
        content: None,
        writes,
        outcome,
        result: Some(hash(&recorded.obs_nsha)),
        check: is_check(&recorded.args).then(|| hash(&recorded.args)),
    };
    let edit = |path: &'a String| Step {
        tool: Tool::Edit,
        path: Some(path),
        content: Some(files.content(path)),
        outcome: if more { Outcome::Ok } else { outcome },
        check: None,
        ..command
    };
    let mut steps: Vec<Step<'a>> = paths.iter().map(edit).collect();
    if more || paths.is_empty() {
        steps.push(command);
    }
    steps
}
