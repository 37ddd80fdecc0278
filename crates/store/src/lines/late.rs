//! What a person typed before a step and nobody had looked at: an edit looks at its own file alone, so lines that it puts into one file may have been
//! typed into another, which is looked at only when a later step takes them away there.

use std::rc::Rc;

use super::Writer;
use super::carry::{NEW, carry};
use super::origin::LONGEST_OTHER;
use super::text::Text;
use super::walk::{LineWalk, Lines};
use crate::Result;
use crate::hash::ContentHash;
use crate::ledger::StepNumber;

impl LineWalk<'_> {
    /// A file as it was before the later look of `until`, for a step of the look of `seq`: what was found by hand in between may have been there already.
    /// Nobody goes through the file for that: others will ask about it as it was at their time. `is`: what it was then.
    pub(super) fn lines_seen_late(
        &mut self,
        key: &[u8],
        (seq, until): (i64, i64),
        is: &ContentHash,
        step: StepNumber,
    ) -> Result<Option<Rc<Lines>>> {
        let known = self.lines_before(key, seq)?;
        let mut by_hand = false;
        let between = self.changes_between(key, seq, until)?;
        for (steps, _) in &between {
            by_hand |= self.kind_of(steps)?.some_by_hand;
        }
        if !by_hand {
            return Ok(known);
        }
        let own = self.id(&Writer::Steps(vec![step]));
        let mut lines = known.clone();
        for (steps, after) in between {
            let Some(entry) = after.filter(|entry| entry.size <= LONGEST_OTHER) else {
                lines = None;
                continue;
            };
            let content = self.store.content(&entry.hash).ok();
            let Some(text) = content.and_then(|bytes| Text::of(bytes).ok()) else { return Ok(known) };
            let mut writers = match &lines {
                Some(lines) => carry(&lines.text, &lines.writers, &text, false).writers,
                None => vec![NEW; text.len()],
            };
            if self.kind_of(&steps)?.some_by_hand {
                let person = self.id(&Writer::Steps(steps.clone()));
                // Without a time it may have been copied from what the step wrote.
                let writer = match self.was_typed_before(key, &steps, step)? {
                    true => person,
                    false => self.either(&[own, person])?.unwrap_or(person),
                };
                writers.iter_mut().filter(|one| **one == NEW).for_each(|one| *one = writer);
            }
            lines = Some(Rc::new(Lines { hash: entry.hash, text, writers }));
        }
        Ok(lines.filter(|lines| lines.hash == *is).or(known))
    }

    /// The file was last touched before the step began.
    fn was_typed_before(&self, key: &[u8], by_hand: &[StepNumber], step: StepNumber) -> Result<bool> {
        let [by_hand] = by_hand else { return Ok(false) };
        let Some(began) = self.store.step(step)?.map(|step| step.started_ms) else { return Ok(false) };
        Ok(self.store.touched_at(*by_hand, key)?.is_some_and(|touched| touched <= began))
    }
}
