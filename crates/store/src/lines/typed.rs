//! What a person typed lately, wherever: a script copies without naming anything, and what it brings of that is the person's. Known from the
//! changes by hand alone, so that no other file has to be gone through for it.

use std::collections::HashSet;
use std::rc::Rc;

use super::Writer;
use super::blocks::SAME_FILE;
use super::carry::NEW;
use super::origin::LONGEST_OTHER;
use super::text::Text;
use super::walk::LineWalk;
use crate::Result;
use crate::hash::ContentHash;
use crate::ledger::{Actor, StepNumber};

/// Changes by hand before a step that are looked through.
const MOST_CHANGES: usize = 64;
/// So many letters and digits a line has that stands alone.
const ALONE: usize = 8;

/// A change by hand.
pub(super) struct ByHand {
    seq: i64,
    step: StepNumber,
    before: Option<ContentHash>,
    after: ContentHash,
    /// The names of the lines that it brought, once somebody asked.
    lines: Option<Rc<HashSet<u64>>>,
}

impl LineWalk<'_> {
    /// Gives new lines of a command to the person who typed them before it. What stands in the command itself was typed by the agent.
    pub(super) fn take_typed(
        &mut self,
        seq: i64,
        text: &Text,
        command: &str,
        writers: &mut [u32],
    ) -> Result<()> {
        let last = self.by_hand()?.partition_point(|change| change.seq <= seq);
        let mut found: Vec<Option<StepNumber>> = vec![None; text.len()];
        for at in (last.saturating_sub(MOST_CHANGES)..last).rev() {
            let (step, lines) = self.typed_by(at)?;
            if lines.is_empty() {
                continue;
            }
            for (line, name) in text.bare().iter().enumerate() {
                if writers[line] == NEW && found[line].is_none() && lines.contains(name) {
                    found[line] = Some(step);
                }
            }
        }
        let mut line = 0;
        while line < found.len() {
            let length = found[line..].iter().take_while(|one| one.is_some()).count();
            let together: usize = (line..line + length).map(|line| text.weight(line)).sum();
            for at in line..line + length {
                let is_typed_now = contains(command.as_bytes(), text.line(at).trim_ascii());
                let is_enough = text.weight(at) >= ALONE || together >= SAME_FILE;
                if let Some(step) = found[at].filter(|_| is_enough && !is_typed_now) {
                    writers[at] = self.id(&Writer::Steps(vec![step]));
                }
            }
            line += length.max(1);
        }
        Ok(())
    }

    /// All changes by hand, the oldest first.
    fn by_hand(&mut self) -> Result<&[ByHand]> {
        if self.typed.is_none() {
            let mut statement = self.store.db.reader().prepare_cached(
                "SELECT c.seq, c.step, c.was_hash, c.is_hash FROM change c JOIN step s ON s.number = c.step
                 WHERE s.actor = ?1 AND c.is_hash IS NOT NULL AND c.is_size <= ?2 AND c.shared IS NULL ORDER BY c.seq",
            )?;
            let longest = i64::try_from(LONGEST_OTHER).unwrap_or(i64::MAX);
            let rows = statement.query_map((Actor::ByHand.code(), longest), |row| {
                Ok(ByHand {
                    seq: row.get(0)?,
                    step: StepNumber(row.get(1)?),
                    before: row.get(2)?,
                    after: row.get(3)?,
                    lines: None,
                })
            })?;
            self.typed = Some(rows.collect::<rusqlite::Result<Vec<ByHand>>>()?);
        }
        Ok(self.typed.as_deref().unwrap_or_default())
    }

    /// The lines that a change by hand brought. What is not kept any more brought none.
    fn typed_by(&mut self, at: usize) -> Result<(StepNumber, Rc<HashSet<u64>>)> {
        let store = self.store;
        let Some(change) = self.typed.as_mut().and_then(|all| all.get_mut(at)) else {
            return Ok((StepNumber(0), Rc::default()));
        };
        if let Some(lines) = &change.lines {
            return Ok((change.step, Rc::clone(lines)));
        }
        let read = |hash: &ContentHash| store.content(hash).ok().and_then(|bytes| Text::of(bytes).ok());
        let mut lines: HashSet<u64> = HashSet::new();
        if let Some(after) = read(&change.after) {
            let solid = (0..after.len()).filter(|line| after.weight(*line) > 0);
            lines.extend(solid.map(|line| after.bare()[line]));
        }
        if let Some(before) = change.before.as_ref().and_then(read) {
            for name in before.bare() {
                lines.remove(name);
            }
        }
        let lines = Rc::new(lines);
        change.lines = Some(Rc::clone(&lines));
        Ok((change.step, lines))
    }
}

/// Whether a text holds another one.
pub(super) fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}
