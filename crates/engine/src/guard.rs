//! May this go on? What changed since the newest safe state is looked at, and only that: secrets, protected files, keep regions,
//! anchors, syntax, tests, conflict markers, checks that no longer hold. (GD3)

pub mod checks;
mod hook;
pub(crate) mod rules;
pub(crate) mod weaker;

use std::time::Duration;

use store::Progress;

pub(crate) use checks::detect as project_checks;
pub use checks::{CheckRun, CheckStatus, ProjectCheck};
pub use hook::{HookInstalled, install_hook};

pub use crate::changes::Base;
use crate::changes::{self, Against};
use crate::explain::Study;
use crate::{Engine, Notice, Result};

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing speaks against going on.
    Pass,
    /// Look at something first.
    Prepare,
    /// Something must be put right first.
    Stop,
}

/// One thing that speaks against going on.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Violation {
    /// The rule's id.
    pub rule: &'static str,
    /// How much it weighs: `prepare` or `stop`.
    pub level: Verdict,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The test or the named place it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is the matter.
    pub message: String,
    /// How to put it right.
    pub fix: String,
}

/// What guard found.
#[derive(Debug, serde::Serialize)]
pub struct GuardReport {
    /// The answer.
    pub verdict: Verdict,
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
    let mut violations = rules::look(engine, &changes.files, &Study::all(&changes.files), staged)?;
    rules::stale_check(engine, &mut violations)?;
    let risk = crate::verdict::of_a_wider_look(engine, &changes, progress)?;
    if !staged {
        violations.extend(rules::beyond(&risk));
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
    let mut verdict = violations.iter().map(|violation| violation.level).max().unwrap_or(Verdict::Pass);
    if failed {
        verdict = Verdict::Stop;
    } else if could_not {
        verdict = verdict.max(Verdict::Prepare);
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
