//! What a verification says: one value, for `--json`, people and the gates.

use std::time::Duration;

use ::gates::CheckStanding;
use risk::GuardAnswer;
use serde::{Deserialize, Serialize};
use store::Checkpoint;

use super::checks::KnownCommand;
use super::results::Stored;
use super::review::{Review, ReviewRisk};
use super::steps;
use crate::guard::GuardReport;
use crate::private_copy::Caller;
use crate::{Engine, Notice};

/// The format of [`VerificationRun`].
const SCHEMA_VERSION: u32 = 1;
/// What guard found is named up to so many.
const MOST_ISSUES: usize = 50;

/// How thoroughly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// What changed is looked at: syntax, secrets, protected places. Nothing is run.
    Quick,
    /// And the project's checks are run.
    Standard,
    /// And each of them twice, so that one that answers now so, now so is seen.
    Deep,
}

impl Profile {
    /// As people write it.
    pub fn of_word(word: &str) -> Option<Self> {
        match word {
            "quick" => Some(Self::Quick),
            "standard" => Some(Self::Standard),
            "deep" => Some(Self::Deep),
            _ => None,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }

    /// How long all of it may take.
    pub fn limit(self) -> Duration {
        Duration::from_secs(match self {
            Self::Quick => 10,
            Self::Standard => 300,
            Self::Deep => 900,
        })
    }
}

/// The profile, and why this one: `asked`, `setting`, `has_checks`, `low_risk`, `medium_risk`, `high_risk`.
#[derive(Debug, Clone, Copy)]
pub struct ProfileChoice {
    /// The profile.
    pub profile: Profile,
    /// Why.
    pub why: &'static str,
}

/// What to verify.
#[derive(Debug, Clone, Default)]
pub struct VerifyQuery {
    /// How thoroughly; none: as the settings or the risk say.
    pub profile: Option<Profile>,
    /// Failures are held against the state after this step or checkpoint; none: against the one before the last request.
    pub base: Option<String>,
    /// Who asks: `cli`, `stop`.
    pub trigger: String,
    /// Kept results do not count.
    pub fresh: bool,
    /// How long all of it may take; none: as the profile says.
    pub limit: Option<Duration>,
    /// How much one check may write, bytes.
    pub most_disk: Option<u64>,
    /// What the checks get from the process that asks.
    pub caller: Caller,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Everything that was asked passed.
    Pass,
    /// Something is wrong that came with the work.
    Fail,
    /// Nothing is known to be wrong, and not everything gave an answer.
    Partial,
    /// Nothing new is wrong, and a check fails as it did before the work.
    StillFails,
    /// There was nothing to run.
    NothingToRun,
}

/// The state that failures were held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaseState {
    /// Before this request, or after this step or checkpoint.
    pub before: String,
    /// Its content.
    pub tree: String,
}

/// One run of a check, as far as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckPart {
    /// `passed`, `failed`, `timed_out`, `could_not_start`, `could_not_run`, `filled_disk`.
    pub status: String,
    /// The exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// How long it took.
    pub milliseconds: u64,
    /// The end of what it said, without secrets.
    pub output: String,
    /// There was more.
    pub cut: bool,
    /// The lines that name what failed.
    pub failures: Vec<String>,
}

/// How a check stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckOutcome {
    /// The command.
    pub command: String,
    /// The file that names it.
    pub found_in: String,
    /// Held against the state before.
    pub standing: CheckStanding,
    /// How it ended last.
    pub now: Option<CheckPart>,
    /// How it ended on the state before; only failures are asked about.
    pub before: Option<CheckPart>,
    /// How often it was run on what is there now.
    pub attempts: usize,
    /// What fails now and did not before.
    pub new_failures: Vec<String>,
}

impl CheckOutcome {
    pub(super) fn of(command: &KnownCommand, attempts: &[Stored]) -> Self {
        // Of several the failing one says more.
        let told =
            attempts.iter().rev().find(|attempt| attempt.passed != Some(true)).or_else(|| attempts.last());
        Self {
            command: command.line.clone(),
            found_in: command.found_in.clone(),
            standing: CheckStanding::NoAnswer,
            now: told.map(Stored::part),
            before: None,
            attempts: attempts.len(),
            new_failures: Vec::new(),
        }
    }
}

/// What a look at the files found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunIssue {
    /// `stop` or `prepare`.
    pub severity: String,
    /// The rule.
    pub source: String,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What is the matter.
    pub message: String,
}

/// A verification.
#[derive(Debug, Clone, Serialize)]
pub struct VerificationRun {
    /// The format.
    pub schema_version: u32,
    /// Its id.
    pub id: String,
    /// How thoroughly.
    pub profile: Profile,
    /// Why so: `asked`, `setting`, `has_checks`, `low_risk`, `medium_risk`, `high_risk`.
    pub profile_why: &'static str,
    /// Who asked.
    pub trigger: String,
    /// How it ended.
    pub status: RunStatus,
    /// The content that was checked.
    pub tree: String,
    /// Its checkpoint.
    pub checkpoint: String,
    #[serde(skip)]
    pub(super) seq: i64,
    /// The state that failures were held against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseState>,
    /// Every answer was kept from before: nothing was run.
    pub cached: bool,
    /// The checks.
    pub checks: Vec<CheckOutcome>,
    /// What a look at the files found.
    pub issues: Vec<RunIssue>,
    /// What fresh eyes found, in a deep look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// Checks that were found and that nobody allowed yet.
    pub not_allowed: Vec<String>,
    /// Whether the kernel kept the checks out of the project; none: nothing was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fenced: Option<bool>,
    /// Dependency folders that the copy had.
    pub carried: Vec<String>,
    /// Those that were too large to be copied.
    pub not_carried: Vec<String>,
    /// What is different in the project folder since the checks began.
    pub touched: Vec<String>,
    /// Files that lead the checks back into the project, so that they may have seen the code of now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leads_back: Vec<String>,
    /// What to do next.
    pub next_steps: Vec<String>,
    /// When it began.
    pub started_ms: i64,
    /// How long it took.
    pub took_ms: u64,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

impl VerificationRun {
    pub(super) fn begin(
        engine: &Engine,
        query: &VerifyQuery,
        choice: super::ProfileChoice,
        tree: &str,
        now: &Checkpoint,
    ) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            id: format!("v{:08x}", engine.context().random_u64() >> 32),
            profile: choice.profile,
            profile_why: choice.why,
            trigger: query.trigger.clone(),
            status: RunStatus::Pass,
            tree: tree.to_owned(),
            checkpoint: now.id.to_string(),
            seq: now.seq,
            base: None,
            cached: false,
            checks: Vec::new(),
            issues: Vec::new(),
            review: None,
            not_allowed: Vec::new(),
            fenced: None,
            carried: Vec::new(),
            not_carried: Vec::new(),
            touched: Vec::new(),
            leads_back: Vec::new(),
            next_steps: Vec::new(),
            started_ms: engine.context().now_ms(),
            took_ms: 0,
            notices: Vec::new(),
        }
    }

    /// What guard found. Old checks that do not count any more are what is being run here.
    pub(super) fn take_guard(&mut self, report: &GuardReport) {
        let found = report.violations.iter().filter(|one| one.rule != "stale-verification").take(MOST_ISSUES);
        self.issues = found
            .map(|one| RunIssue {
                severity: if one.level == GuardAnswer::Stop { "stop" } else { "prepare" }.to_owned(),
                source: one.rule.to_owned(),
                path: one.path.clone(),
                line: one.line,
                message: one.message.clone(),
            })
            .collect();
    }

    pub(super) fn end(&mut self, engine: &Engine, took: Duration) {
        let is_bad = self.checks.iter().any(|check| check.standing.is_bad())
            || self.issues.iter().any(|issue| issue.severity == "stop")
            || self.review.as_ref().is_some_and(|review| review.risk == ReviewRisk::High);
        // A check that answers now so, now so proves nothing.
        let gave_none = self
            .checks
            .iter()
            .any(|check| matches!(check.standing, CheckStanding::NoAnswer | CheckStanding::Flaky));
        self.status = if is_bad {
            RunStatus::Fail
        } else if gave_none || !self.not_allowed.is_empty() {
            RunStatus::Partial
        } else if self.checks.iter().any(|check| check.standing == CheckStanding::OldFailure) {
            RunStatus::StillFails
        } else if self.profile != Profile::Quick && self.checks.is_empty() {
            RunStatus::NothingToRun
        } else {
            RunStatus::Pass
        };
        self.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        self.next_steps = steps::next(engine, self);
    }
}
