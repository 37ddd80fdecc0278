//! What to do after a verification, in plain words.

use ::gates::CheckStanding;

use super::report::{Profile, VerificationRun};
use super::review::ReviewRisk;
use crate::Engine;

/// Never more than these.
const MOST: usize = 5;

pub(super) fn next(engine: &Engine, run: &VerificationRun) -> Vec<String> {
    let mut steps = Vec::new();
    for check in &run.checks {
        match check.standing {
            CheckStanding::Regression => steps.push(format!(
                "`{0}` passed before the work and fails now: repair it, or see which step broke it with `vib bisect -- {0}`",
                check.command
            )),
            CheckStanding::Fails => steps.push(format!("`{}` fails: repair it, then `vib verify` again", check.command)),
            CheckStanding::OldFailure => steps.push(format!(
                "`{}` failed before the work as well: this work did not break it; it is still to be repaired",
                check.command
            )),
            CheckStanding::Flaky => steps.push(format!(
                "`{}` answers now so, now so on the same files: its answer proves nothing until that is repaired",
                check.command
            )),
            CheckStanding::NoAnswer => steps.push(match check.now.as_ref().map(|part| part.status.as_str()) {
                Some("could_not_start") => {
                    format!("`{}` could not be started: is the program installed?", check.command)
                }
                Some("could_not_run") => format!(
                    "`{0}` needs something that the private copy does not have (git's own folder, or a file that is not saved): run it here, with `vib verify -- {0}`",
                    check.command
                ),
                Some("filled_disk") => {
                    format!("`{}` wrote more than it may and was ended: look at what it writes", check.command)
                }
                _ => format!("`{}` did not end in time: `--profile deep` gives it more", check.command),
            }),
            CheckStanding::Passes => {}
        }
    }
    if run.issues.iter().any(|issue| issue.severity == "stop") {
        steps.push("`vib guard` shows what it found in the files, and how to put it right".to_owned());
    }
    if run.review.as_ref().is_some_and(|review| review.risk == ReviewRisk::High) {
        steps
            .push("who looked through the work objects: read its note, put it right or answer it".to_owned());
    }
    if !run.not_allowed.is_empty() {
        steps.push(format!(
            "nobody allowed vib to run {} yet: you say yes once, with `vib verify --profile {}` in your own terminal",
            run.not_allowed.iter().map(|line| format!("`{line}`")).collect::<Vec<_>>().join(", "),
            run.profile.word(),
        ));
    }
    if run.profile != Profile::Quick && run.checks.is_empty() && run.not_allowed.is_empty() {
        let root = engine.project().root().file_name().map(|name| name.to_string_lossy().into_owned());
        steps.push(format!(
            "no check was found in {}: name one with `vib config set verify.checks \"COMMAND\"`",
            root.as_deref().unwrap_or("the project")
        ));
    }
    steps.truncate(MOST);
    steps
}
