//! What came to the project and was taken back there since: `vib undo` knows steps and no runs, so no log of a run says it. Whoever looks asks the
//! history.

use std::cell::RefCell;
use std::collections::HashMap;

use serde::Serialize;
use store::{Silent, StepChange, StepNumber};

use super::fold::{Card, Run};
use super::model::CardStatus;
use crate::{Engine, Result};

/// How much of a card that was applied is out of the project again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Undone {
    /// Some of its files.
    Partly,
    /// All of it: it waits for a yes again.
    Wholly,
}

/// The code of a card that waits again because it was taken back.
pub const UNDONE: &str = "undone";
/// The code of one of which some files were taken back.
pub const UNDONE_PARTLY: &str = "undone_partly";

/// A card that was applied: the step with which it came, and its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Applied {
    step: StepNumber,
    paths: Vec<String>,
}

impl Applied {
    /// What has to be known of a card; none: it was not applied, or its files were so already.
    pub(super) fn of(card: &Card) -> Option<Self> {
        let step = card.landed_step.and_then(|step| i64::try_from(step).ok())?;
        let attempt = card.attempts.iter().find(|attempt| Some(&attempt.id) == card.landed.as_ref())?;
        let paths = attempt.files.iter().map(|file| file.path.clone()).collect();
        Some(Self { step: StepNumber(step), paths })
    }
}

/// The history of a project, asked about several cards. It is opened when the first of them was applied at all, and each step is read once.
pub(super) struct History<'e> {
    engine: &'e Engine,
    read: RefCell<HashMap<i64, Vec<StepChange>>>,
}

impl<'e> History<'e> {
    pub(super) fn of(engine: &'e Engine) -> Self {
        Self { engine, read: RefCell::default() }
    }

    /// How much of it is taken back; none: nothing.
    pub(super) fn undone(&self, applied: &Applied) -> Result<Option<Undone>> {
        let mut read = self.read.borrow_mut();
        let changes = match read.entry(applied.step.0) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(empty) => {
                empty.insert(self.engine.store(&Silent)?.store.changes_of(applied.step)?)
            }
        };
        let own = changes.iter().filter(|change| applied.paths.contains(&change.path.to_string()));
        let (back, all) =
            own.fold((0, 0), |(back, all), change| (back + usize::from(change.undone_by.is_some()), all + 1));
        Ok(match back {
            0 => None,
            some if some == all => Some(Undone::Wholly),
            _ => Some(Undone::Partly),
        })
    }
}

/// Where a card stands that was taken back: what is wholly out of the project waits for a yes again.
pub(super) fn standing(undone: Undone, status: CardStatus) -> (CardStatus, &'static str) {
    match undone {
        Undone::Wholly => (CardStatus::Preview, UNDONE),
        Undone::Partly => (status, UNDONE_PARTLY),
    }
}

/// A run as it stands, with what was taken back since.
pub(super) fn settle(engine: &Engine, run: &mut Run) -> Result<()> {
    let history = History::of(engine);
    for card in &mut run.cards {
        let Some(applied) = Applied::of(card) else { continue };
        card.undone = history.undone(&applied)?;
        if let Some(undone) = card.undone.filter(|_| card.status == CardStatus::Done) {
            let (status, code) = standing(undone, card.status);
            (card.status, card.code, card.why) = (status, Some(code.to_owned()), None);
        }
    }
    Ok(())
}
