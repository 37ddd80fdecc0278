//! What applying cards, or taking one back, would do: worked out without changing anything, shown, and carried out after a yes to exactly that.

use ::change::landing::Why;
use ::change::{Shown, Yes};
use serde::Serialize;
use store::{Account, Plan, Progress, Purpose, StepNumber};

use super::fold::{Card, Run};
use super::model::CardStatus;
use super::moves::{self, CardConflict, Move, Moved, Target};
use crate::audit::{Event, Outcome, Row};
use crate::diff::{self, Detail, DiffReport};
use crate::lane::{self, LandChecks};
use crate::undo::Confirmation;
use crate::verification::VerifyQuery;
use crate::{Engine, Notice, Result, change, may, private_copy};

/// How to look.
#[derive(Debug, Clone, Default)]
pub struct CardOptions {
    /// Which checks are run on the result; none: none.
    pub checks: Option<VerifyQuery>,
    /// With the text of the changes.
    pub text: bool,
    /// Leave files in which the same places were changed otherwise, and do the rest.
    pub leave: bool,
}

/// A card that is applied or taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CardName {
    /// `c1`.
    pub card: String,
    /// What it is about.
    pub title: String,
    /// The attempt whose work it is.
    pub attempt: String,
    /// The lane in which it was done.
    pub lane: String,
    /// So many files.
    #[serde(skip)]
    pub(super) files: usize,
}

/// What would be done.
#[derive(Debug, Serialize)]
pub struct CardPreview {
    /// The run.
    pub run: String,
    /// It takes something back.
    pub revert: bool,
    /// The cards, in the order of the plan.
    pub cards: Vec<CardName>,
    /// The lane whose files would change; none: those of the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_lane: Option<String>,
    /// From what is there now to what would be.
    pub changes: DiffReport,
    /// Files that were changed since, too, and that were put together without a question.
    pub merged: Vec<String>,
    /// Places that were changed otherwise: nothing of these files changes.
    pub conflicts: Vec<CardConflict>,
    /// Earlier cards of the same lane that are not in the project, and are not among these.
    pub without: Vec<String>,
    /// Later cards that changed the same files, and stay.
    pub later: Vec<String>,
    /// Tests that went or check less in one of the cards, and checks that were themselves changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weakened: Vec<String>,
    /// How the checks stand on the result; none: they were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<LandChecks>,
    /// Everything is so already: only the log has to be told.
    pub already: bool,
    /// Time of the report.
    pub now_ms: i64,
    /// What the person should know.
    pub notices: Vec<Notice>,
    #[serde(skip)]
    shown: Shown,
}

/// What was done.
#[derive(Debug, Serialize)]
pub struct CardsDone {
    /// The run.
    pub run: String,
    /// It took something back.
    pub revert: bool,
    /// The cards.
    pub cards: Vec<CardName>,
    /// Cards of which nothing was done: all of their files were left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stays: Vec<CardName>,
    /// The lane whose files changed; none: those of the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_lane: Option<String>,
    /// The step in the history of the place that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Paths that were written or removed.
    pub paths: u64,
    /// Files that were left, because they were changed otherwise.
    pub left: Vec<String>,
    /// The state before; none: nothing had to change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety: Option<store::Checkpoint>,
    /// How the yes was given.
    pub confirmed_via: Confirmation,
    /// What the person should know.
    pub notices: Vec<Notice>,
}

/// What happened to the files.
pub(super) struct Carried {
    pub(super) step: Option<StepNumber>,
    pub(super) paths: u64,
    pub(super) safety: Option<store::Checkpoint>,
    pub(super) notices: Vec<Notice>,
}

/// What is to be looked at.
pub(super) struct Wish<'w> {
    pub(super) run: &'w Run,
    pub(super) moves: Vec<(Move, CardName)>,
    /// The lane that changes; none: the project.
    pub(super) in_lane: Option<String>,
    pub(super) revert: bool,
    /// The number of the target's checkpoint since which others may have changed the same.
    pub(super) since: i64,
}

impl CardPreview {
    /// Files of which nothing would change.
    pub fn left(&self) -> Vec<String> {
        let mut left: Vec<String> = self.conflicts.iter().map(|one| one.conflict.path.to_string()).collect();
        left.sort();
        left.dedup();
        left
    }

    /// The files of one card of which nothing would change.
    pub fn left_of(&self, name: &CardName) -> Vec<String> {
        let own = self.conflicts.iter().filter(|one| one.card == name.card);
        let mut left: Vec<String> = own.map(|one| one.conflict.path.to_string()).collect();
        left.sort();
        left.dedup();
        left
    }

    /// Something of this card would come, or is there already.
    pub fn lands(&self, name: &CardName) -> bool {
        let left = self.left_of(name).len();
        left == 0 || left < name.files
    }

    /// Nothing would change.
    pub fn is_empty(&self) -> bool {
        self.shown.plan.is_empty()
    }

    /// A name for exactly these changes: a yes to something else is no yes to this.
    pub fn digest(&self) -> String {
        self.shown.digest()
    }

    /// `run3/c1`, or the run where several cards are meant.
    pub fn name(&self) -> String {
        match self.cards.as_slice() {
            [one] => format!("{}/{}", self.run, one.card),
            _ => self.run.clone(),
        }
    }
}

/// Works it out. The target is saved, nothing is changed.
pub(super) fn look(
    engine: &Engine,
    target: &Engine,
    wish: Wish<'_>,
    options: &CardOptions,
    stop: &dyn Fn() -> bool,
    progress: &dyn Progress,
) -> Result<CardPreview> {
    let mut opened = target.store(progress)?;
    // Checks run on saved states; and what was done by hand is told as that.
    private_copy::save_now(&mut opened.store, "landing", progress)?;
    let now = opened.store.working_tree(progress)?.view;
    let moves: Vec<Move> = wish.moves.iter().map(|(one, _)| one.clone()).collect();
    let Moved { changes, contents, merged, conflicts } =
        moves::carry(engine, &Target { engine: target, store: &opened.store, now: &now }, &moves, progress)?;
    for content in &contents {
        opened.store.hold(content.clone());
    }
    let detail = if options.text { Detail::Text } else { Detail::Counts };
    let to = if wish.revert { "taken back" } else { "applied" };
    let report = diff::describe(target, &opened.store, &changes, "now", to, detail)?;
    let mut told = Vec::with_capacity(conflicts.len());
    for (card, conflict) in conflicts {
        let since = lane::intents::since(&opened.store, &conflict.path, wish.since)?;
        told.push(CardConflict { card, conflict, since });
    }
    let cards: Vec<CardName> = wish.moves.into_iter().map(|(_, name)| name).collect();
    let plan = Plan { target: String::new(), purpose: Purpose::Patch, changes };
    let mut notices = opened.notices.clone();
    notices.extend(may::protected_notice(target, &plan));
    let checks = match &options.checks {
        Some(query) if !plan.is_empty() => {
            let merged = now
                .clone()
                .with(plan.changes.iter().map(|change| (change.path.as_bytes().to_vec(), change.after)));
            let lock = opened.store.lock_tree("landing")?;
            opened.store.save_contents(&lock, contents.iter().map(Vec::as_slice))?;
            drop(lock);
            Some(lane::land_checks(target, &opened.store, (&merged, &now), query, stop)?)
        }
        _ => None,
    };
    let what = words(wish.run, &cards, wish.revert);
    let tool = if wish.revert { "revert" } else { "land" };
    let shown = Shown {
        plan,
        account: Account { what: Some(what.clone()), ..Account::of(tool) },
        contents,
        title: format!("before {what}"),
        name: if wish.revert { "reverting" } else { "landing" }.to_owned(),
        all_or_nothing: true,
    };
    Ok(CardPreview {
        run: wish.run.id.clone(),
        revert: wish.revert,
        without: if wish.revert { Vec::new() } else { without(wish.run, &cards) },
        later: if wish.revert { later(wish.run, &cards) } else { Vec::new() },
        weakened: if wish.revert { Vec::new() } else { weakened(wish.run, &cards) },
        cards,
        in_lane: wish.in_lane,
        changes: report,
        merged,
        already: shown.plan.is_empty() && told.is_empty(),
        conflicts: told,
        checks,
        now_ms: engine.context().now_ms(),
        notices,
        shown,
    })
}

/// Does what was shown.
pub(super) fn carry_out(
    target: &Engine,
    preview: &CardPreview,
    via: Confirmation,
    progress: &dyn Progress,
) -> Result<Carried> {
    if preview.is_empty() {
        return Ok(Carried { step: None, paths: 0, safety: None, notices: Vec::new() });
    }
    let yes = Yes::to(&preview.shown, via);
    let row = Row::new(Event::PatchApply, "cli", Outcome::Failed);
    let changed = change::apply(target, &preview.shown, &yes, Some(row), None, &mut |_| Ok(()), progress)?;
    let result = changed.carried.result;
    Ok(Carried {
        step: result.step,
        paths: (result.restored.len() + result.removed.len()) as u64,
        safety: Some(changed.carried.safety),
        notices: changed.notices,
    })
}

/// What the history says about it.
fn words(run: &Run, cards: &[CardName], revert: bool) -> String {
    let verb = if revert { "taking back" } else { "landing" };
    match cards {
        [one] if one.title.is_empty() => format!("{verb} {}/{}", run.id, one.card),
        [one] => format!("{verb} {}/{}: {}", run.id, one.card, one.title),
        _ => format!("{verb} {} ({} cards): {}", run.id, cards.len(), run.task),
    }
}

/// Earlier cards of the same lanes that are nowhere in the project.
fn without(run: &Run, cards: &[CardName]) -> Vec<String> {
    let Some(last) = run.cards.iter().rposition(|card| cards.iter().any(|one| one.card == card.id)) else {
        return Vec::new();
    };
    let is_put_away = |card: &Card| matches!(card.status, CardStatus::Reverted | CardStatus::Dropped);
    let is_meant = |card: &Card| cards.iter().any(|one| one.card == card.id);
    let shares = |card: &Card| {
        card.chosen().is_some_and(|attempt| {
            !attempt.files.is_empty() && cards.iter().any(|one| one.lane == attempt.lane)
        })
    };
    let earlier = run.cards[..last].iter();
    earlier
        .filter(|card| !card.is_in_project() && !is_meant(card) && !is_put_away(card) && shares(card))
        .map(|card| card.id.clone())
        .collect()
}

/// What vib found of these attempts that checks less than before.
fn weakened(run: &Run, cards: &[CardName]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in cards {
        let attempts = run.card(&name.card).into_iter().flat_map(|card| &card.attempts);
        for line in attempts.filter(|one| one.id == name.attempt).flat_map(|one| &one.weakened) {
            if !all.contains(line) {
                all.push(line.clone());
            }
        }
    }
    all
}

/// Later cards that changed one of the same files.
pub(super) fn later(run: &Run, cards: &[CardName]) -> Vec<String> {
    let Some(at) = run.cards.iter().position(|card| cards.iter().any(|one| one.card == card.id)) else {
        return Vec::new();
    };
    let files = |card: &Card| -> Vec<String> {
        let chosen = card.chosen();
        chosen.map(|attempt| attempt.files.iter().map(|file| file.path.clone()).collect()).unwrap_or_default()
    };
    let own = files(&run.cards[at]);
    let others = run.cards[at + 1..].iter();
    others
        .filter(|card| files(card).iter().any(|path| own.contains(path)))
        .map(|card| card.id.clone())
        .collect()
}

/// A conflict in a few words: the place, and who changed it.
pub(super) fn place_words(one: &CardConflict) -> String {
    let path = &one.conflict.path;
    let place = match &one.conflict.why {
        Why::Lines { line, .. } => format!("`{path}` line {line}"),
        _ => format!("`{path}`"),
    };
    match one.since.first() {
        Some(wanted) if wanted.who == "by_hand" => {
            format!("{place} was changed by hand since ({})", wanted.step)
        }
        Some(wanted) => format!("{place} was changed since ({}, {})", wanted.who, wanted.step),
        None => format!("{place} is not as the card left it"),
    }
}
