//! TEST: vib runs the project's own checks, on what is in the lane now, in a private copy. What a model says about tests is never believed.

use engine::Engine;
use engine::run::model::CheckEvidence;
use engine::secret_values::SecretValues;
use engine::verification::{self, Caller, CheckOutcome, Profile, VerificationRun, VerifyQuery};
use gates::CheckStanding;

use crate::ActionRefusal;

/// What a look at the lane found.
#[derive(Debug, Clone, Default)]
pub struct LaneCheck {
    /// The hash of the files that were looked at.
    pub tree: String,
    /// The checkpoint that holds them.
    pub checkpoint: String,
    /// How each check stands.
    pub checks: Vec<CheckEvidence>,
    /// What the guard found.
    pub findings: Vec<String>,
    /// Tests that went or check less.
    pub weakened: Vec<String>,
    /// What speaks against being done, one line each.
    pub against: Vec<String>,
    /// Checks that are there and that nobody allowed.
    pub not_allowed: Vec<String>,
}

/// Runs the checks on the lane. Failures are held against the state `base`.
pub fn run(
    lane: &Engine,
    base: &str,
    caller: &Caller,
    stop: &dyn Fn() -> bool,
) -> Result<LaneCheck, ActionRefusal> {
    let query = VerifyQuery {
        profile: Some(Profile::Standard),
        base: Some(base.to_owned()),
        trigger: "run".to_owned(),
        caller: caller.clone(),
        ..VerifyQuery::default()
    };
    let run = verification::verify(lane, &query, stop, &store::Silent)
        .map_err(|error| ActionRefusal::from(&error))?;
    let mut out = found(&run);
    out.hide(&SecretValues::of(lane).map_err(|error| ActionRefusal::from(&error))?);
    if !base.is_empty() {
        let states = (run.checkpoint.as_str(), base);
        let changed = verification::changed_between(lane, &query, states, &run.checks, stop, &store::Silent)
            .map_err(|error| ActionRefusal::from(&error))?;
        out.weakened.extend(changed.iter().map(verification::ChangedCheck::to_text));
    }
    Ok(out)
}

fn found(run: &VerificationRun) -> LaneCheck {
    let mut out = LaneCheck {
        tree: run.tree.clone(),
        checkpoint: run.checkpoint.clone(),
        not_allowed: run.not_allowed.clone(),
        ..LaneCheck::default()
    };
    for check in &run.checks {
        out.checks.push(evidence(check));
        if check.standing.is_bad() {
            let part = check.now.as_ref();
            let mut lines: Vec<&str> = check.new_failures.iter().map(String::as_str).take(8).collect();
            if lines.is_empty() {
                lines = part.map(|part| super::tail(&part.output, 1_000)).into_iter().collect();
            }
            out.against.push(format!("`{}` fails: {}", check.command, lines.join(" | ")));
        }
    }
    for line in &run.not_allowed {
        let status = "not_run".to_owned();
        out.checks.push(CheckEvidence {
            command: line.clone(),
            status,
            exit: None,
            milliseconds: 0,
            tail: String::new(),
        });
    }
    for issue in &run.issues {
        let place = match (&issue.path, issue.line) {
            (Some(path), Some(line)) => format!(" {path}:{line}"),
            (Some(path), None) => format!(" {path}"),
            _ => String::new(),
        };
        if issue.source.starts_with("test-") {
            out.weakened.push(format!("{}{place}: {}", issue.source, issue.message));
        } else {
            // `stop RULE PLACE` or `prepare RULE PLACE`, as attempts are compared by.
            out.findings.push(format!("{} {}{place}: {}", issue.severity, issue.source, issue.message));
        }
        if issue.severity == "stop" {
            out.against.push(format!("{}{place}: {}", issue.source, issue.message));
        }
    }
    out
}

fn evidence(check: &CheckOutcome) -> CheckEvidence {
    let part = check.now.as_ref();
    let status = match check.standing {
        CheckStanding::Passes => "passed",
        CheckStanding::OldFailure => "still_fails",
        CheckStanding::Flaky => "flaky",
        CheckStanding::Regression | CheckStanding::Fails => "failed",
        CheckStanding::NoAnswer => match part.map(|part| part.status.as_str()) {
            Some("timed_out") => "timed_out",
            _ => "not_run",
        },
    };
    CheckEvidence {
        command: check.command.clone(),
        status: status.to_owned(),
        exit: part.and_then(|part| part.exit),
        milliseconds: part.map_or(0, |part| part.milliseconds),
        tail: part.map(|part| super::tail(&part.output, 2_000).to_owned()).unwrap_or_default(),
    }
}

impl LaneCheck {
    /// What a check says may hold what stands in files that nobody shows to a model.
    fn hide(&mut self, values: &SecretValues) {
        let tails = self.checks.iter_mut().map(|check| &mut check.tail);
        for text in tails.chain(&mut self.findings).chain(&mut self.weakened).chain(&mut self.against) {
            *text = values.hide(text);
        }
    }

    /// As the model reads it.
    pub fn told(&self) -> String {
        let mut out = String::new();
        for check in &self.checks {
            out.push_str(&format!("{}: {} ({} ms)\n", check.command, check.status, check.milliseconds));
            if !matches!(check.status.as_str(), "passed" | "not_run") {
                out.push_str(&format!("{}\n", check.tail));
            }
        }
        for line in self.weakened.iter().chain(&self.findings).take(20) {
            out.push_str(&format!("found: {line}\n"));
        }
        match (self.checks.is_empty(), self.not_allowed.is_empty()) {
            (true, _) => out.push_str("the project names no check\n"),
            (false, false) => out.push_str("checks that nobody allowed yet were not run\n"),
            (false, true) => {}
        }
        out
    }
}
