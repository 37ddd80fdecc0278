//! The same error again: what changed is looked at before the third try. (HK9)

use ::gates::CheckStanding;

use crate::agent::{SessionFile, Who};
use crate::verification::{Profile, VerificationRun};
use crate::{Engine, Result};

/// Lines that are told.
const LINES: usize = 8;

/// Which look is wanted now: `verify.on_failure`, when an error came for the second time, once in a turn.
pub fn wants_a_look(engine: &Engine, who: &Who) -> Result<Option<Profile>> {
    let Some(profile) = Profile::of_word(engine.project().config().word("verify.on_failure")) else {
        return Ok(None);
    };
    let file = SessionFile::of(engine, who);
    if who.agent.is_some() || !file.read().stop.has_again() {
        return Ok(None);
    }
    Ok(file.update(|state| state.stop.take_again())?.then_some(profile))
}

/// What it found, for the agent.
pub fn look_in_words(run: &VerificationRun) -> String {
    let mut lines: Vec<String> = Vec::new();
    for issue in &run.issues {
        let place = match (&issue.path, issue.line) {
            (Some(path), Some(line)) => format!("{path}:{line}: "),
            (Some(path), None) => format!("{path}: "),
            _ => String::new(),
        };
        lines.push(format!("- {place}{}", issue.message));
    }
    for check in &run.checks {
        let told = match check.standing {
            CheckStanding::Regression => "passed before this work and fails now",
            CheckStanding::Fails => "fails",
            CheckStanding::OldFailure => "failed before this work as well: it is not what you broke",
            CheckStanding::Flaky => "answers now so, now so on the same files: its answer proves nothing",
            CheckStanding::Passes | CheckStanding::NoAnswer => continue,
        };
        lines.push(format!("- `{}` {told}", check.command));
        let failures = if check.new_failures.is_empty() {
            check.now.as_ref().map(|part| part.failures.as_slice()).unwrap_or_default()
        } else {
            &check.new_failures
        };
        lines.extend(failures.iter().take(2).map(|line| format!("    {line}")));
    }
    if lines.is_empty() {
        return "The same error came twice. vib looked at what changed and found nothing wrong in the files themselves (syntax, conflict \
                markers, protected places): look for the cause elsewhere before you try the same again."
            .to_owned();
    }
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    let more = if more > 0 { format!("\nand {more} more: `vib verify`") } else { String::new() };
    format!("The same error came twice. vib looked at what changed and found:\n{}{more}", lines.join("\n"))
}
