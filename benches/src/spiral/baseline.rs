//! The rules that did best before: what [`::spiral`] has to beat.
//!
//! A cycle of 1–4 calls repeated 3×; the same call with the same result 3× in 12 steps without a write between; an edit followed
//! by the same normalised error 4×; 4 failing edits of one file in 10 steps; 6 failures in a row.

use std::collections::HashMap;

use super::runs::Run;

/// The step at which the first of the rules fires.
pub fn first(run: &Run) -> Option<(usize, &'static str)> {
    let steps = &run.steps;
    let mut errors: HashMap<&str, u32> = HashMap::new();
    let mut failed_edits: HashMap<&str, Vec<usize>> = HashMap::new();
    let (mut failures, mut after_edit) = (0, false);
    for (at, step) in steps.iter().enumerate() {
        let cycle = |length: usize| {
            at + 1 >= 3 * length
                && (0..2 * length).all(|back| steps[at - back].args == steps[at - back - length].args)
        };
        if (1..=4).any(cycle) {
            return Some((at, "cycle"));
        }
        let before = steps[at.saturating_sub(11)..at].iter().rev().take_while(|other| !other.edit);
        let same = before.filter(|other| other.args == step.args && other.obs_nsha == step.obs_nsha).count();
        if same + 1 >= 3 {
            return Some((at, "same answer"));
        }
        after_edit |= step.edit;
        failures = if step.err { failures + 1 } else { 0 };
        if step.err && after_edit {
            after_edit = false;
            let times = errors.entry(&step.obs_nsha).or_default();
            *times += 1;
            if *times >= 4 {
                return Some((at, "same error after edits"));
            }
        }
        if let (true, true, Some(path)) = (step.err, step.edit, &step.path) {
            let failed = failed_edits.entry(path).or_default();
            failed.push(at);
            if failed.iter().filter(|&&other| at - other < 10).count() >= 4 {
                return Some((at, "failing edits"));
            }
        }
        if failures >= 6 {
            return Some((at, "failures in a row"));
        }
    }
    None
}
