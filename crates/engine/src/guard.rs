//! May this go on? What changed since the newest safe state is looked at, and only that: secrets, protected files, keep regions,
//! anchors, syntax, tests, conflict markers, checks that no longer hold. (GD3)

mod hook;

use std::time::Duration;

use memory::work::CheckResult;
use risk::checks::{self, CheckRun, CheckStatus};
use risk::{ChangedFile, Facts, GuardAnswer, NewSecret, Study, Violation};
use store::Progress;

pub use hook::{HookInstalled, install_hook};

pub use crate::changes::Base;
use crate::changes::{self, Against};
use crate::secrets::{baseline, text};
use crate::{Engine, Notice, Result, protect};

/// What guard found.
#[derive(Debug, serde::Serialize)]
pub struct GuardReport {
    /// The answer.
    pub verdict: GuardAnswer,
    /// How risky it is, and why: what every command says. The answer above may be worse, where more files were read.
    #[serde(flatten)]
    pub risk: crate::verdict::Verdict,
    /// What the present was compared with.
    pub base: Base,
    /// What was looked at: `now` or `staged`.
    pub to: String,
    /// What speaks against going on, the weightiest first.
    pub violations: Vec<Violation>,
    /// The project's own checks.
    pub checks: Vec<CheckRun>,
    /// Files that changed.
    pub files: usize,
    /// Files that changed and were not looked at, because there are too many.
    pub left_out: usize,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// What a person asked for.
#[derive(Debug, Clone, Default)]
pub struct GuardOptions {
    /// Run the project's own checks.
    pub run: bool,
    /// Look at what the next commit would hold.
    pub staged: bool,
    /// Most time for each check.
    pub check_timeout: Option<Duration>,
}

/// Looks at what changed.
pub fn guard(engine: &Engine, options: &GuardOptions, progress: &dyn Progress) -> Result<GuardReport> {
    let against = if options.staged { Against::Staged } else { Against::Safe };
    let changes = changes::collect(engine, &against, &[], changes::MOST_FILES, progress)?;
    let staged = changes.to == "staged";
    let mut violations = violations(engine, &changes.files, &Study::all(&changes.files), staged)?;
    violations.extend(stale_check(engine)?);
    let risk = crate::verdict::of_a_wider_look(engine, &changes, progress)?;
    if !staged {
        violations.extend(risk::beyond(&risk.reasons));
    }
    violations.sort_by(|a, b| {
        b.level.cmp(&a.level).then_with(|| (&a.path, a.line, a.rule).cmp(&(&b.path, b.line, b.rule)))
    });
    let mut gate = engine.gate();
    let detected = checks::detect(engine.project().root());
    let checks: Vec<CheckRun> = if options.run {
        let timeout = options.check_timeout.unwrap_or(checks::PATIENCE);
        detected.iter().map(|check| checks::run(engine.project().root(), check, timeout, &mut gate)).collect()
    } else {
        detected.iter().map(CheckRun::not_run).collect()
    };
    let failed =
        checks.iter().any(|check| matches!(check.status, CheckStatus::Failed | CheckStatus::TimedOut));
    let could_not = checks.iter().any(|check| check.status == CheckStatus::CouldNotStart);
    let mut verdict = violations.iter().map(|violation| violation.level).max().unwrap_or(GuardAnswer::Pass);
    if failed {
        verdict = GuardAnswer::Stop;
    } else if could_not {
        verdict = verdict.max(GuardAnswer::Prepare);
    }
    Ok(GuardReport {
        verdict,
        risk,
        base: changes.base,
        to: changes.to,
        violations,
        checks,
        files: changes.files.len() + changes.left_out,
        left_out: changes.left_out,
        notices: changes.notices,
    })
}

/// What these files, looked into, have against going on: gathers what the rules have to know.
pub(crate) fn violations(
    engine: &Engine,
    files: &[ChangedFile],
    studies: &[Study],
    staged: bool,
) -> Result<Vec<Violation>> {
    let protected = protect::list(engine)?;
    let known = baseline::read(&engine.project().own_folder().join(baseline::NAME))?;
    let new_secrets = |file: &ChangedFile| {
        let path = file.path.to_string();
        let look = |content: &Option<Vec<u8>>| {
            content.as_ref().map(|content| text::look(&path, content, 1)).unwrap_or_default()
        };
        let (old, new) = (look(&file.before), look(&file.after));
        new.into_iter()
            .filter(|found| !old.iter().any(|other| other.same_secret(found)))
            .filter(|found| !known.as_ref().is_some_and(|known| known.knows(found)))
            .map(|found| NewSecret { line: found.line, about: found.about.to_string(), rule: found.rule })
            .collect()
    };
    Ok(risk::violations(files, studies, &Facts { protected: &protected, new_secrets: &new_secrets, staged }))
}

/// The last check that a person recorded, if it does not hold any more.
fn stale_check(engine: &Engine) -> Result<Option<Violation>> {
    let report = crate::memory::show(engine)?;
    let Some(check) = report.memory.verification.last() else { return Ok(None) };
    let (message, fix) = match (&check.stale, check.result) {
        (Some(why), _) => (
            format!("the last check, `{}`, does not count any more: {why}", check.command),
            "run it again, then record it with `vib memory verify`",
        ),
        (None, CheckResult::Failed) => (
            format!("the last check, `{}`, failed", check.command),
            "repair it, run it again, then record it with `vib memory verify`",
        ),
        _ => return Ok(None),
    };
    Ok(Some(Violation {
        rule: "stale-verification",
        level: GuardAnswer::Prepare,
        path: None,
        line: None,
        name: None,
        message,
        fix: fix.to_owned(),
    }))
}
