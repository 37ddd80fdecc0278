//! A run as it stands, folded from its log. Pure: the same events give the same run, in whatever order they come, and nothing of it is kept
//! anywhere else.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Undone;
use super::compare::ToldReason;
use super::model::{By, CardRisk, CardStatus, CheckEvidence, FileChange, Limits, Logged};
use crate::report::usage::Tokens;

/// A run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// What a person asked for.
    pub task: String,
    /// The checkpoint of the project that it began with.
    pub from: String,
    /// Who works.
    pub by: Vec<By>,
    /// How many attempts each card gets.
    pub attempts: u32,
    /// What it may use.
    pub limits: Limits,
    /// Its cards, in the order of the plan.
    pub cards: Vec<Card>,
    /// What it used so far.
    pub spent: Spent,
    /// What it waits for.
    pub paused: Option<Pause>,
    /// How it ended: `done`, `blocked`, `stopped`, `failed`.
    pub ended: Option<String>,
    /// When it began, milliseconds since 1970.
    pub began_ms: i64,
    /// When something last happened.
    pub last_ms: i64,
    /// How much of each budget (`card`, `run`, `day`) is used, in percent, as it was last noted.
    pub budgets: BTreeMap<String, u32>,
    /// Other providers or models that took over, outside of a card.
    pub switches: Vec<Switch>,
    /// Its branch in the person's repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<RunBranch>,
}

/// The branch of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunBranch {
    /// Its name.
    pub name: String,
    /// The commit that it stands on.
    pub tip: Option<String>,
    /// What of the work in progress is not in it, and why.
    pub left_out: Vec<String>,
}

/// A commit of a card on the run's branch, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CardCommit {
    /// Which.
    pub commit: Option<String>,
    /// The lane's checkpoint that it was made from.
    pub at: String,
    /// Why there is none.
    pub why: Option<String>,
    /// What is not in it, and why.
    pub left_out: Vec<String>,
}

/// A piece of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Card {
    /// `c1`, `c2`…
    pub id: String,
    /// What it is about.
    pub title: String,
    /// When it is done.
    pub acceptance: Vec<String>,
    /// How it is to be done.
    pub steps: Vec<String>,
    /// Where it stands.
    pub status: CardStatus,
    /// The stable code of why it stands there.
    pub code: Option<String>,
    /// The reason in words.
    pub why: Option<String>,
    /// Who tried it, in the order in which they began.
    pub attempts: Vec<Attempt>,
    /// What was done for it.
    pub evidence: Evidence,
    /// How risky a reviewer found it; none: nobody looked.
    pub risk: Option<CardRisk>,
    /// The reviewer's note.
    pub note: Option<String>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// The attempt that the comparison recommends.
    pub recommended: Option<String>,
    /// Why, and why not the others.
    pub reasons: Vec<String>,
    /// The same as codes and data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparison: Vec<ToldReason>,
    /// The attempt whose changes are in the project.
    pub landed: Option<String>,
    /// The step of the project's history with which they came.
    pub landed_step: Option<u64>,
    /// It was taken back in the project since, as the project's history says; no log knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone: Option<Undone>,
    /// Its commits on the run's branch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<CardCommit>,
}

/// Somebody's work on a card, in a lane.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Attempt {
    /// `a1`, `a2`…
    pub id: String,
    /// Who.
    pub by: Option<By>,
    /// The lane; empty: nobody wrote down which.
    pub lane: String,
    /// The lane's checkpoint before the first change.
    pub before: Option<String>,
    /// The lane's checkpoint after the last change.
    pub after: Option<String>,
    /// The hash of the lane's files after it.
    pub tree: Option<String>,
    /// How it ended; none: it has not.
    pub ended: Option<String>,
    /// The last words.
    pub text: String,
    /// What changed.
    pub files: Vec<FileChange>,
    /// The checks that vib ran.
    pub checks: Vec<CheckEvidence>,
    /// The hash of the files that were checked: what differs from `tree` proves nothing about it.
    pub checked_tree: Option<String>,
    /// What the guard found.
    pub findings: Vec<String>,
    /// Test files that went or lost cases.
    pub weakened: Vec<String>,
    /// Tokens, as far as they are told.
    pub tokens: Option<Tokens>,
    /// Dollars, where they are known.
    pub dollars: Option<f64>,
    /// How long it took.
    pub milliseconds: u64,
    /// When it began.
    pub began_ms: i64,
    /// Its lane was put away.
    pub dropped: bool,
}

/// What was done for a card.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// The diffs that were applied, in order.
    pub diffs: Vec<KeptDiff>,
    /// The commands that were run.
    pub commands: Vec<CommandEvidence>,
    /// How often each action was asked for.
    pub calls: BTreeMap<String, u64>,
    /// What the model said that was no action, or none that it may ask for.
    pub rejected: Vec<RejectedAction>,
    /// Actions of which nobody knows what came of them: they are shown, never repeated.
    pub unfinished: Vec<OpenAction>,
    /// Other providers or models that took over.
    pub switches: Vec<Switch>,
    /// What was asked again or made smaller, as codes.
    pub adapted: Vec<String>,
    /// What it used.
    pub spent: Spent,
    /// When somebody first began.
    pub began_ms: Option<i64>,
    /// When somebody last ended.
    pub ended_ms: Option<i64>,
}

/// A diff that was applied in a lane.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptDiff {
    /// The action's number.
    pub n: u64,
    /// Of which attempt, where that is known.
    pub attempt: Option<String>,
    /// The files.
    pub files: Vec<FileChange>,
    /// Where it is kept, in the run's folder.
    pub diff: String,
    /// The lane's safety checkpoint before it.
    pub safety: String,
}

/// A command that was run in a lane.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommandEvidence {
    /// The action's number.
    pub n: u64,
    /// The command.
    pub command: String,
    /// Its exit code; none: it was ended.
    pub exit: Option<i32>,
    /// How long it took.
    pub milliseconds: u64,
    /// The last of what it said.
    pub tail: String,
}

/// An answer of a model that was no action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RejectedAction {
    /// Its number.
    pub n: u64,
    /// A stable code.
    pub code: String,
    /// What is wrong with it.
    pub message: String,
}

/// An action that began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenAction {
    /// Its number.
    pub n: u64,
    /// Who asked for it.
    pub role: String,
    /// Which.
    pub name: String,
}

/// Another provider or model took over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Switch {
    /// Who did.
    pub from: String,
    /// Who does.
    pub to: String,
    /// Why, as a stable code.
    pub why: String,
    /// What the new one cannot do.
    pub lost: Vec<String>,
}

/// What was used. Calls of vib's own loop count one by one; of a driven agent counts what it told at its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Tokens.
    pub tokens: Tokens,
    /// Dollars, as far as they are known.
    pub dollars: f64,
    /// Calls and attempts of which nobody knows what they cost.
    pub unpriced: u64,
    /// How often a model was asked by vib itself.
    pub calls: u64,
    /// How long the attempts took, one after another.
    pub milliseconds: u64,
}

/// What a run waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pause {
    /// The card.
    pub card: Option<String>,
    /// A stable code.
    pub code: String,
    /// In words.
    pub why: String,
    /// What the person can answer.
    pub options: Vec<String>,
    /// Since when, milliseconds since 1970.
    pub since_ms: i64,
}

impl Run {
    /// The run that these events tell of.
    pub fn of(id: &str, events: &[Logged]) -> Self {
        let mut run = Self { id: id.to_owned(), attempts: 1, ..Self::default() };
        for logged in events {
            run.hear(logged);
        }
        run
    }

    /// Its cards get several attempts that are held against each other, or other agents carry them out.
    pub fn compares(&self) -> bool {
        self.attempts > 1 || self.by.iter().any(|by| matches!(by, By::Client { .. }))
    }

    /// It neither ended nor waits for anybody.
    pub fn is_open(&self) -> bool {
        self.ended.is_none() && self.paused.is_none()
    }

    /// The card with this id.
    pub fn card(&self, id: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.id == id)
    }
}

impl Card {
    /// Its changes are in the project, or some of them.
    pub fn is_in_project(&self) -> bool {
        self.landed.is_some() && self.undone != Some(Undone::Wholly)
    }

    /// The attempt that counts: what landed, else what is recommended, else the only one that was carried to its end and not put away.
    pub fn chosen(&self) -> Option<&Attempt> {
        let named = self.landed.as_ref().or(self.recommended.as_ref());
        if let Some(named) = named {
            return self.attempts.iter().find(|attempt| attempt.id == *named);
        }
        let mut open = self.attempts.iter().filter(|attempt| attempt.after.is_some() && !attempt.dropped);
        match (open.next(), open.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// There is something to show for it.
    pub fn has_evidence(&self) -> bool {
        let evidence = &self.evidence;
        !evidence.diffs.is_empty()
            || !evidence.commands.is_empty()
            || self.attempts.iter().any(|attempt| !attempt.files.is_empty() || !attempt.checks.is_empty())
    }
}

impl Attempt {
    /// The checks were run on exactly what the attempt left behind.
    pub fn is_proven(&self) -> bool {
        self.checked_tree.is_some() && self.checked_tree == self.tree
    }
}

impl Spent {
    pub(super) fn add_tokens(&mut self, more: Tokens) {
        let tokens = &mut self.tokens;
        tokens.input = tokens.input.saturating_add(more.input);
        tokens.output = tokens.output.saturating_add(more.output);
        tokens.cache_read = tokens.cache_read.saturating_add(more.cache_read);
        tokens.cache_write = tokens.cache_write.saturating_add(more.cache_write);
    }

    pub(super) fn add_dollars(&mut self, dollars: Option<f64>) {
        match dollars {
            Some(dollars) => self.dollars += dollars,
            None => self.unpriced = self.unpriced.saturating_add(1),
        }
    }
}
