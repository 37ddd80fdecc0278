//! Was it broken before? One check, run on two states, and more than once where it failed.

use serde::{Deserialize, Serialize};

use crate::failure_name;

/// One run of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckAttempt {
    /// It passed; `None`: it gave no answer (it took too long, or could not be started).
    pub passed: Option<bool>,
    /// The lines that name what failed.
    pub failures: Vec<String>,
}

/// How a check stands, held against the state before the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStanding {
    /// It passes.
    Passes,
    /// It passed before and fails now, or fails in a place in which it did not.
    Regression,
    /// It failed before, in the same places.
    OldFailure,
    /// It answers now so, now so, on the same files.
    Flaky,
    /// It fails, and nobody knows how it was before.
    Fails,
    /// It gave no answer.
    NoAnswer,
}

impl CheckStanding {
    /// Something is wrong that came with the work, as far as anybody knows.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Regression | Self::Fails)
    }
}

/// Compares the runs on the present state with those on the state before. Also says which failures are new.
pub fn compare(now: &[CheckAttempt], before: &[CheckAttempt]) -> (CheckStanding, Vec<String>) {
    let answers = |runs: &[CheckAttempt]| -> Vec<bool> { runs.iter().filter_map(|run| run.passed).collect() };
    let (now_says, before_says) = (answers(now), answers(before));
    let failures = |runs: &[CheckAttempt]| -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for line in runs.iter().filter(|run| run.passed == Some(false)).flat_map(|run| &run.failures) {
            if !all.contains(line) {
                all.push(line.clone());
            }
        }
        all
    };
    if now_says.is_empty() {
        return (CheckStanding::NoAnswer, Vec::new());
    }
    if now_says.iter().all(|passed| *passed) {
        return (CheckStanding::Passes, Vec::new());
    }
    let found = failures(now);
    if now_says.iter().any(|passed| *passed) {
        return (CheckStanding::Flaky, found);
    }
    if before_says.is_empty() {
        return (CheckStanding::Fails, found);
    }
    if before_says.iter().all(|passed| *passed) {
        return (CheckStanding::Regression, found);
    }
    if before_says.iter().any(|passed| *passed) {
        return (CheckStanding::Flaky, found);
    }
    let known: Vec<String> = failures(before).iter().map(|line| failure_name(line)).collect();
    let fresh: Vec<String> = found.into_iter().filter(|line| !known.contains(&failure_name(line))).collect();
    // A failure that only lost its name is no new one: what both runs name has to be comparable.
    if fresh.is_empty() || known.is_empty() {
        return (CheckStanding::OldFailure, Vec::new());
    }
    (CheckStanding::Regression, fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(passed: bool, failures: &[&str]) -> CheckAttempt {
        CheckAttempt {
            passed: Some(passed),
            failures: failures.iter().map(|&line| line.to_owned()).collect(),
        }
    }

    #[test]
    fn an_old_failure_is_told_from_a_new_one() {
        let fails = || vec![run(false, &["not ok - cart 3 ms"])];
        let passes = || vec![run(true, &[])];
        assert_eq!(compare(&passes(), &[]).0, CheckStanding::Passes);
        assert_eq!(compare(&fails(), &passes()).0, CheckStanding::Regression);
        assert_eq!(compare(&fails(), &[run(false, &["not ok - cart 8 ms"])]).0, CheckStanding::OldFailure);
        assert_eq!(compare(&fails(), &[]).0, CheckStanding::Fails);
        assert_eq!(compare(&[run(false, &["x"]), run(true, &[])], &[]).0, CheckStanding::Flaky);
        assert_eq!(compare(&fails(), &[run(false, &["a"]), run(true, &[])]).0, CheckStanding::Flaky);
        let both = vec![run(false, &["not ok - cart", "not ok - tax"])];
        let (standing, fresh) = compare(&both, &[run(false, &["not ok - cart"])]);
        assert_eq!((standing, fresh), (CheckStanding::Regression, vec!["not ok - tax".to_owned()]));
        let silent = CheckAttempt { passed: None, failures: Vec::new() };
        assert_eq!(compare(std::slice::from_ref(&silent), &passes()).0, CheckStanding::NoAnswer);
        assert_eq!(compare(&fails(), &[silent]).0, CheckStanding::Fails);
    }
}
