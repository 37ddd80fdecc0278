//! How risky is what stands now, and why? One verdict, computed in one place and shown everywhere: `vib`, `vib status`,
//! `vib explain`, `vib guard`, `vib recover --explain`, the page. (H3)
//!
//! It speaks of what changed since [`crate::baseline`], and of what is the matter now: an agent that rests because it ran in
//! circles, a check that failed. How much going back would cost is another question; that risk belongs to each way back.
//!
//! It is bounded: of very many changed files those that tell most are read, and [`LeftOut`] says how many were not.

mod words;

use memory::work::CheckResult;
use project::RelPath;
use risk::Findings;
pub use risk::{Reason, Risk, Why};
use store::{Entry, Progress};

pub use words::{reason_in_words, risk_in_words};

use crate::baseline::{Baseline, Since};
use crate::changes::{self, Against, Changes, Now};
use crate::explain::{self, Reach, Told};
use crate::{Engine, Result, agent, guard, memory as work, protect};

/// So many changed files are read.
pub(crate) const MOST_STUDIED: usize = 300;

/// How risky, and why.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Verdict {
    /// How risky it is: that of the weightiest reason.
    pub risk: Risk,
    /// Why, the weightiest first.
    pub reasons: Vec<Reason>,
    /// How many files changed.
    pub files_changed: usize,
    /// What was not looked at.
    #[serde(skip_serializing_if = "LeftOut::is_nothing")]
    pub not_looked_at: LeftOut,
    /// What the present was compared with; none: nothing is saved, or something else was asked.
    #[serde(skip)]
    pub since: Option<Baseline>,
}

/// What was not looked at, because there is too much of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct LeftOut {
    /// Changed files whose content was not read.
    pub changed_files: usize,
    /// Files in which nobody looked for uses of what is gone.
    pub possible_users: usize,
}

impl LeftOut {
    /// Everything was looked at.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl Verdict {
    /// The weightiest reason.
    pub fn first(&self) -> Option<&Reason> {
        self.reasons.first()
    }

    /// Files are gone, emptied or broken by loss: going back helps.
    pub fn is_something_lost(&self) -> bool {
        self.reasons.iter().any(|reason| reason.why.is_loss())
    }

    fn of(mut reasons: Vec<Reason>, changes: &Changes, not_searched: usize) -> Self {
        reasons.sort_by_cached_key(Reason::order);
        reasons.dedup();
        Self {
            risk: reasons.first().map_or(Risk::Low, |reason| reason.risk),
            reasons,
            files_changed: changes.all.len(),
            not_looked_at: LeftOut {
                changed_files: changes.all.len().saturating_sub(
                    changes.files.iter().filter(|file| file.unread.is_none() || file.after.is_none()).count(),
                ),
                possible_users: not_searched,
            },
            since: changes.since.clone(),
        }
    }
}

/// The verdict on the project as it stands.
pub fn verdict(engine: &Engine, progress: &dyn Progress) -> Result<Verdict> {
    let opened = engine.store(progress)?;
    let (working, present) = opened.store.working_tree_and_files(progress)?;
    verdict_in(engine, &Now { store: &opened.store, working: &working }, present, progress)
}

/// The same where somebody has opened the store and looked at the tree already.
pub(crate) fn verdict_in(
    engine: &Engine,
    now: &Now<'_, '_>,
    present: Vec<(RelPath, Entry)>,
    progress: &dyn Progress,
) -> Result<Verdict> {
    let mut changes = changes::collect_in(engine, now, &Against::Safe, &[], MOST_STUDIED)?;
    changes.present = present;
    let told = Told::of(engine, &changes, Reach::NearIfNeeded, progress)?;
    of_now(engine, &changes, &told)
}

/// The verdict on changes that were looked into, and on what is the matter now.
pub(crate) fn of_now(engine: &Engine, changes: &Changes, told: &Told) -> Result<Verdict> {
    let mut reasons = of_files(engine, changes, told)?;
    reasons.extend(circles(engine));
    reasons.extend(last_check(engine)?);
    Ok(Verdict::of(reasons, changes, told.not_searched))
}

/// The verdict on these changes alone: somebody asked for other moments than the usual ones.
pub(crate) fn of_changes(engine: &Engine, changes: &Changes, told: &Told) -> Result<Verdict> {
    Ok(Verdict::of(of_files(engine, changes, told)?, changes, told.not_searched))
}

fn of_files(engine: &Engine, changes: &Changes, told: &Told) -> Result<Vec<Reason>> {
    let prompt = match changes.since.as_ref().map(|since| &since.since) {
        Some(Since::Request { request }) => request.prompt.as_deref(),
        _ => None,
    };
    let violations = guard::violations(engine, &changes.files, &told.studies, changes.to == "staged")?;
    Ok(risk::reasons(&Findings {
        touched: &changes.all,
        stories: &told.stories,
        violations: &violations,
        protected: &protect::list(engine)?,
        was_asked_for: &|path| recovery::asked_to_delete(prompt, path),
    }))
}

/// Agents that rest because they ran in circles.
fn circles(engine: &Engine) -> Vec<Reason> {
    let resting = agent::spiral_status(engine).resting.into_iter();
    resting
        .map(|one| Reason {
            risk: Risk::High,
            why: Why::Circling { client: one.client, path: one.path, call: one.call, times: one.times },
        })
        .collect()
}

/// The last check that somebody ran, if it failed or does not hold any more.
fn last_check(engine: &Engine) -> Result<Option<Reason>> {
    let report = work::show(engine)?;
    let Some(check) = report.memory.verification.last() else { return Ok(None) };
    let clean = |text: &str| engine.gate().clean(text).into_string();
    Ok(match (&check.stale, check.result) {
        (Some(because), _) => Some(Reason {
            risk: Risk::Medium,
            why: Why::CheckStale { command: clean(&check.command), because: clean(because) },
        }),
        (None, CheckResult::Failed) => {
            Some(Reason { risk: Risk::High, why: Why::CheckFailed { command: clean(&check.command) } })
        }
        _ => None,
    })
}

/// The usual verdict from a look that read more files than the verdict does.
pub(crate) fn of_a_wider_look(
    engine: &Engine,
    changes: &Changes,
    progress: &dyn Progress,
) -> Result<Verdict> {
    let narrow = Changes {
        base: changes.base.clone(),
        since: changes.since.clone(),
        to: changes.to.clone(),
        all: changes.all.clone(),
        files: changes.most_telling(MOST_STUDIED),
        left_out: 0,
        present: changes.present.clone(),
        notices: Vec::new(),
    };
    let told = explain::Told::of(engine, &narrow, Reach::NearIfNeeded, progress)?;
    if changes.to == "now" { of_now(engine, &narrow, &told) } else { of_changes(engine, &narrow, &told) }
}
