//! What a run is made of. The log of events is the truth; cards, evidence and tables are folded from it.

use serde::{Deserialize, Serialize};

use super::compare::ToldReason;
use crate::report::usage::Tokens;

/// Who carries a card out: vib's own loop, or another agent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Vib's own loop, with a provider's model (`anthropic/claude-x`).
    Vib {
        /// The provider's name in the settings, and the model.
        model: String,
    },
    /// An agent that is driven (`claude-code`, `codex`, `gemini`, `opencode`, `copilot`).
    Client {
        /// Its name.
        name: String,
    },
}

/// What a run may use. Nothing: as much as it takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Actions of one card.
    pub actions: Option<u32>,
    /// Dollars of the whole run.
    pub dollars: Option<f64>,
    /// Tokens of the whole run.
    pub tokens: Option<u64>,
    /// Seconds of the whole run.
    pub seconds: Option<u64>,
}

/// Where a card stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardStatus {
    /// Nobody began.
    Todo,
    /// Somebody works on it.
    Running,
    /// Done in the lane; its changes wait for a person's yes.
    Preview,
    /// A reviewer looks, or a person has to choose between attempts.
    Review,
    /// Its changes are in the project, or it is proven and needs none.
    Done,
    /// It cannot go on by itself; the reason says why.
    Blocked,
    /// It was taken back.
    Reverted,
    /// Put away; everything of it is kept.
    Dropped,
}

/// A card as it was planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedCard {
    /// `c1`, `c2`…
    pub id: String,
    /// What it is about.
    pub title: String,
    /// When it is done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acceptance: Vec<String>,
    /// How it is to be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
}

/// How risky a reviewer finds a card. A reviewer that failed or was not paid for finds it unknown, never low.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardRisk {
    /// Low.
    Low,
    /// Medium.
    Medium,
    /// High.
    High,
    /// Nobody could say.
    Unknown,
}

/// A file that somebody changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Which.
    pub path: String,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
}

/// How one check stands. Run by vib, never believed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckEvidence {
    /// The command.
    pub command: String,
    /// `passed`, `failed`, `still_fails`, `flaky`, `timed_out`, `not_run`: the words of `verification::CheckOutcome`.
    pub status: String,
    /// Its exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// How long it took.
    pub milliseconds: u64,
    /// The last of what it said, cleaned.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
}

/// What can happen in a run, in the order in which it did. One line of the log each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RunEvent {
    /// It began.
    Started {
        /// What a person asked for, cleaned.
        task: String,
        /// The checkpoint of the project that it began with.
        from: String,
        /// Who works.
        by: Vec<By>,
        /// How many attempts each card gets (best of N).
        attempts: u32,
        /// What it may use.
        limits: Limits,
    },
    /// The cards.
    Planned {
        /// All of them; a later plan replaces those that are still to do.
        cards: Vec<PlannedCard>,
    },
    /// A card stands somewhere else now.
    Status {
        /// Which.
        card: String,
        /// Where.
        status: CardStatus,
        /// A stable code of the reason (`invalid_actions`, `spiral`, `gate`, `budget`, `not_allowed`…).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// The reason in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Somebody begins to work on a card, in a lane.
    AttemptBegan {
        /// The card.
        card: String,
        /// `a1`, `a2`…
        attempt: String,
        /// Who.
        by: By,
        /// The lane.
        lane: String,
        /// The lane's checkpoint before the first change.
        before: String,
    },
    /// Somebody has ended working on a card.
    AttemptEnded {
        /// The card.
        card: String,
        /// Which.
        attempt: String,
        /// `done`, `refused`, `cancelled`, `limit`, `silent`, `forks`, `crashed`, `budget`, `blocked`.
        ended: String,
        /// The last words, cleaned.
        text: String,
        /// The lane's checkpoint after the last change.
        after: String,
        /// The hash of the lane's files.
        tree: String,
        /// What changed.
        files: Vec<FileChange>,
        /// What was used, as far as it is told.
        tokens: Option<Tokens>,
        /// Dollars, where they are known.
        dollars: Option<f64>,
        /// How long it took.
        milliseconds: u64,
    },
    /// An action begins. Without its end, nobody knows what came of it: it is shown, never repeated.
    ActionBegan {
        /// The card.
        card: String,
        /// Its number in the run.
        n: u64,
        /// Who asked for it: `executor`, `researcher`, `reviewer`.
        role: String,
        /// `READ`, `GREP`, `EDIT_DIFF`…
        name: String,
        /// A hash of what was asked for.
        digest: String,
    },
    /// An action has ended.
    ActionEnded {
        /// The card.
        card: String,
        /// Its number.
        n: u64,
        /// It did what was asked.
        ok: bool,
        /// Why not, as a stable code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// How long it took.
        milliseconds: u64,
        /// Bytes of the answer.
        bytes: u64,
    },
    /// What the model said was no action, or none that it may ask for. Nothing was done.
    Rejected {
        /// The card.
        card: String,
        /// Its number.
        n: u64,
        /// A stable code.
        code: String,
        /// What is wrong with it.
        message: String,
    },
    /// A diff was applied in the lane.
    Patched {
        /// The card.
        card: String,
        /// The action's number.
        n: u64,
        /// The files.
        files: Vec<FileChange>,
        /// The file of the run's folder in which the diff is kept (`diffs/c1-7.diff`).
        diff: String,
        /// The lane's safety checkpoint before it.
        safety: String,
    },
    /// A command was run in the lane.
    CommandRan {
        /// The card.
        card: String,
        /// The action's number.
        n: u64,
        /// The command, cleaned.
        command: String,
        /// Its exit code; none: it was ended.
        exit: Option<i32>,
        /// How long it took.
        milliseconds: u64,
        /// The last of what it said, cleaned.
        tail: String,
    },
    /// Vib ran the project's checks.
    Checked {
        /// The card.
        card: String,
        /// Of which attempt.
        attempt: String,
        /// The hash of the files that were checked.
        tree: String,
        /// How each stands.
        checks: Vec<CheckEvidence>,
        /// What the guard found, as stable codes with the place.
        findings: Vec<String>,
        /// Test files that went or lost cases.
        weakened: Vec<String>,
    },
    /// A model was asked.
    ModelCalled {
        /// The card; none: the plan.
        card: Option<String>,
        /// The role.
        role: String,
        /// The provider's name.
        provider: String,
        /// The model, as the server names it.
        model: String,
        /// What was used, as the server counts it.
        tokens: Tokens,
        /// Dollars, where the price is known.
        dollars: Option<f64>,
        /// How long it took.
        milliseconds: u64,
    },
    /// Another provider or model answers from now on. Never silently.
    Switched {
        /// The card.
        card: Option<String>,
        /// Who did.
        from: String,
        /// Who does.
        to: String,
        /// Why, as a stable code.
        why: String,
        /// What the new one cannot do.
        lost: Vec<String>,
    },
    /// A provider was asked again, or what was asked for was made smaller.
    Adapted {
        /// The card.
        card: Option<String>,
        /// What happened, as a stable code (`retry_429`, `shortened`…).
        what: String,
    },
    /// A share of a budget is used.
    Budget {
        /// Which: `card`, `run`, `day`.
        of: String,
        /// In percent.
        used: u32,
    },
    /// A reviewer's word.
    Meta {
        /// The card.
        card: String,
        /// How risky.
        risk: CardRisk,
        /// A note.
        note: String,
        /// What was taken for granted.
        assumptions: Vec<String>,
    },
    /// It waits for a person.
    Paused {
        /// The card.
        card: Option<String>,
        /// A stable code: `question`, `approval`, `budget`, `weaker_model`, `stopped`, `keep_region`, `provider`.
        code: String,
        /// What it waits for, in words.
        why: String,
        /// What the person can answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        options: Vec<String>,
    },
    /// A person lets it go on.
    Resumed {
        /// Their answer.
        answer: Option<String>,
    },
    /// Attempts were held against each other.
    Compared {
        /// The card.
        card: String,
        /// The best, if one is.
        recommended: Option<String>,
        /// Why, one sentence each, in English; also why the others are not.
        reasons: Vec<String>,
        /// The same as codes and data, for whoever says it in another language.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        told: Vec<ToldReason>,
    },
    /// An attempt's changes are in the project.
    Landed {
        /// The card.
        card: String,
        /// Which.
        attempt: String,
        /// The step in the project's history.
        step: Option<u64>,
    },
    /// A card was taken back.
    Reverted {
        /// Which.
        card: String,
        /// The step in the history of the place in which it was taken back.
        step: Option<u64>,
    },
    /// A lane of the run was put away.
    Dropped {
        /// The card.
        card: String,
        /// The attempt.
        attempt: String,
    },
    /// The run has a branch of its own in the person's repository, because they asked for one.
    Branched {
        /// Its name (`vib/run1`).
        branch: String,
        /// The commit that it stands on; none: nothing was there to commit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tip: Option<String>,
        /// What of the work in progress is not in it, and why.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<String>,
    },
    /// What was done for a card is a commit on the run's branch, or is not, and why.
    Committed {
        /// The card.
        card: String,
        /// The commit; none: there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commit: Option<String>,
        /// The lane's checkpoint that it was made from.
        at: String,
        /// Why there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// What is not in it, and why.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<String>,
    },
    /// It is over.
    Ended {
        /// `done`, `blocked`, `stopped`, `failed`.
        why: String,
    },
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Logged {
    /// When.
    pub at_ms: i64,
    /// What.
    #[serde(flatten)]
    pub event: RunEvent,
}
