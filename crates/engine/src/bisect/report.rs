//! What a search found, for every surface.

use serde::Serialize;
use store::{Request, Step, StepNumber};

use super::search::Verdict;
use super::weak::WeakTest;
use crate::Notice;
use crate::story::StepFile;

/// How the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The step is found.
    Found,
    /// It is one of several: the states between them cannot be judged, or are not kept any more.
    OneOf,
    /// The check fails already in the state that was taken to be good.
    AlreadyFailing,
    /// It passes in the state that was taken to be bad.
    PassesNow,
    /// Nothing was changed between the two.
    NothingBetween,
    /// The check answers now so, now so, and repeating it did not help.
    Undecided,
    /// No state was seen in which it passes, because the older ones cannot be judged: no step can be blamed.
    NeverPassed,
    /// No state could be judged: every run said that it cannot be built, or the check is not there.
    NothingBuilt,
}

/// A step that broke it, or may have.
#[derive(Debug, Clone, Serialize)]
pub struct Culprit {
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// What the person asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Request>,
    /// What it changed.
    pub changes: Vec<StepFile>,
    /// The command that takes back exactly this; none: there is nothing left of it to take back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// Files in which it cannot simply be taken back, because they were changed since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The state, counted from the good one.
    pub state: usize,
    /// The last step in it; none: the good state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<StepNumber>,
    /// What it says.
    pub verdict: Verdict,
    /// The check's exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// It was ended because it took too long.
    pub timed_out: bool,
    /// How long it took, milliseconds.
    pub took_ms: u64,
    /// How long it took to bring the copy to the state.
    pub moved_ms: u64,
}

/// What was found.
#[derive(Debug, Clone, Serialize)]
pub struct BisectReport {
    /// The check.
    pub check: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The steps that broke it; more than one: one of these.
    pub culprits: Vec<Culprit>,
    /// How many states there were after the good one.
    pub states: usize,
    /// Runs that gave an answer.
    pub answered: usize,
    /// States that could not be judged.
    pub skipped: usize,
    /// The check answered differently on the same state.
    pub flaky: bool,
    /// The two states around the named step were run until it could be no chance that they answer differently; else once or twice each, which is
    /// enough for a check that is not flaky.
    pub held_against_chance: bool,
    /// It failed after these steps before, and was mended in between.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<StepNumber>,
    /// A step after which it was good again, and from which a search can go on where no run was left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub go_on_from: Option<StepNumber>,
    /// States between the steps that are told, of which the check could have told more, were let go by the clean-up.
    pub not_kept: usize,
    /// States that were asked for and are not kept any more: the nearest kept one was taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ends_not_kept: Vec<String>,
    /// Every run, in order.
    pub runs: Vec<Run>,
    /// The end of what the check said when it failed last, through the gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// Dependency folders that were in the copy as they are now.
    pub carried: Vec<String>,
    /// What the project has and the copy has not, because it is not saved; told where the check failed everywhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The check, or a file that it names, is not in the states that were passed over.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub check_not_there: bool,
    /// Tests that were emptied or made weaker for a while: where the check passed meanwhile, that was not counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weak_tests: Vec<WeakTest>,
    /// States that were not counted for this reason; they are among those that could not be judged.
    pub passed_weakly: usize,
    /// How the check ends on the present state, where it was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes_now: Option<bool>,
    /// What is different in the project folder since the search began.
    pub touched: Vec<String>,
    /// The check could not write there: the kernel kept the folder closed.
    pub closed: bool,
    /// Files that lead the check back into the project, so that it may have seen today's code: the answer cannot be trusted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leads_back: Vec<String>,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

impl BisectReport {
    /// Nothing was run yet.
    pub(super) fn of(check: String, states: usize, notices: Vec<Notice>) -> Self {
        Self {
            check,
            outcome: Outcome::NothingBetween,
            culprits: Vec::new(),
            states,
            answered: 0,
            skipped: 0,
            flaky: false,
            held_against_chance: false,
            earlier: Vec::new(),
            go_on_from: None,
            not_kept: 0,
            ends_not_kept: Vec::new(),
            runs: Vec::new(),
            said: None,
            carried: Vec::new(),
            missing: Vec::new(),
            check_not_there: false,
            weak_tests: Vec::new(),
            passed_weakly: 0,
            passes_now: None,
            touched: Vec::new(),
            closed: false,
            leads_back: Vec::new(),
            notices,
        }
    }
}
