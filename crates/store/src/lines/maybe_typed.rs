//! Lines that a person wrote or may have written, wherever in the project and however long ago. A script copies without naming anything, so a line that
//! stands in one of these word by word is never the script's alone: it is "one of" the script and the person.
//!
//! What it costs is bounded: so many changes, so much text, and nobody asks before a command has a line that nothing else explains.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Place;

use super::Writer;
use super::carry::NEW;
use super::text::{BLANK, Text};
use super::typed::contains;
use super::walk::LineWalk;
use crate::entry::EntryKind;
use crate::hash::ContentHash;
use crate::ledger::unproven::Unproven;
use crate::ledger::{Actor, StepNumber};
use crate::{Result, versions};

/// The newest changes that are looked through.
const MOST_CHANGES: i64 = 1_024;
/// Files that were there when vib came.
const MOST_FILES: usize = 1_024;
/// Text that is read in all, and of one file.
const MOST_BYTES: u64 = 8 << 20;
const LONGEST: u64 = 128 << 10;
/// So many letters and digits a line has that tells of a person; of a person nobody knows, who wrote before vib came, it takes more.
const LEAST: usize = 3;
const LEAST_BEFORE: usize = 8;

/// Lines by their names: since which look somebody may have written them, and who.
pub(super) type MaybeTyped = HashMap<u64, (i64, u32)>;

/// A change in which a person may have written.
struct Source {
    seq: i64,
    steps: Vec<StepNumber>,
    before: Option<ContentHash>,
    after: ContentHash,
    /// Only these lines of it.
    only: Option<Unproven>,
}

impl LineWalk<'_> {
    /// Says of new lines of a command that a person may have written them. What stands in the command itself was typed by the agent.
    pub(super) fn doubt_typed(
        &mut self,
        seq: i64,
        text: &Text,
        command: &str,
        steps: &[StepNumber],
        writers: &mut [u32],
    ) -> Result<()> {
        let is_asked = |line: usize, writers: &[u32]| {
            writers[line] == NEW && !contains(command.as_bytes(), text.line(line).trim_ascii())
        };
        if !(0..text.len()).any(|line| text.weight(line) >= LEAST && is_asked(line, writers)) {
            return Ok(());
        }
        let known = match self.maybe_typed.take() {
            Some(known) => known,
            None => self.all_that_may_be_typed()?,
        };
        let own = self.id(&Writer::Steps(steps.to_vec()));
        let mut doubted: Vec<usize> = Vec::new();
        for line in 0..text.len() {
            if text.weight(line) < LEAST || !is_asked(line, writers) {
                continue;
            }
            let found = known.get(&text.bare()[line]).filter(|(since, _)| *since <= seq);
            if let Some((_, writer)) = found
                && let Some(either) = self.either(&[own, *writer])?
            {
                writers[line] = either;
                doubted.push(line);
            }
        }
        self.maybe_typed = Some(known);
        // The bracket that ends what was copied.
        for line in doubted {
            for beside in [line.checked_sub(1), Some(line + 1)].into_iter().flatten() {
                let is_bracket = |at: usize| text.weight(at) == 0 && text.bare()[at] != BLANK;
                if beside < text.len() && is_bracket(beside) && is_asked(beside, writers) {
                    writers[beside] = writers[line];
                }
            }
        }
        Ok(())
    }

    fn all_that_may_be_typed(&mut self) -> Result<MaybeTyped> {
        let mut out = MaybeTyped::new();
        let mut left = MOST_BYTES;
        let mut sources = self.by_hand_or_doubtful()?;
        // The newest first: what is copied is seldom old.
        sources.sort_by_key(|source| std::cmp::Reverse(source.seq));
        for source in sources {
            let Some(after) = self.read(&source.after, &mut left) else { continue };
            let before = source.before.and_then(|hash| self.read(&hash, &mut left));
            let writer = self.id(&Writer::Steps(source.steps.clone()));
            for line in (0..after.len()).filter(|line| after.weight(*line) >= LEAST) {
                let name = after.bare()[line];
                let was_there = before.as_ref().is_some_and(|before| before.bare().contains(&name));
                let is_meant = source.only.as_ref().is_none_or(|only| only.holds(name));
                if !was_there && is_meant {
                    note(&mut out, name, source.seq, writer);
                }
            }
        }
        let writer = self.id(&Writer::Steps(vec![StepNumber::A_PERSON]));
        for hash in self.first_contents()? {
            let Some(text) = self.read(&hash, &mut left) else { continue };
            for line in (0..text.len()).filter(|line| text.weight(*line) >= LEAST_BEFORE) {
                out.entry(text.bare()[line]).or_insert((i64::MIN, writer));
            }
        }
        Ok(out)
    }

    fn read(&self, hash: &ContentHash, left: &mut u64) -> Option<Text> {
        if *left == 0 {
            return None;
        }
        let bytes = self.store.content(hash).ok()?;
        *left = left.saturating_sub(bytes.len() as u64);
        Text::of(bytes).ok()
    }

    /// Changes by hand, those that may have been made by hand, and those of commands in which there is more than they said.
    fn by_hand_or_doubtful(&mut self) -> Result<Vec<Source>> {
        let store = self.store;
        let mut statement = store.db.reader().prepare_cached(
            "SELECT c.seq, c.step, c.shared, c.was_hash, c.is_hash, s.actor, p.path FROM change c
             JOIN step s ON s.number = c.step JOIN path p ON p.id = c.path
             WHERE (s.actor = ?1 OR s.told LIKE '%\"unproven%') AND c.is_kind = ?2 AND c.is_size <= ?3
             ORDER BY c.seq DESC LIMIT ?4",
        )?;
        let longest = i64::try_from(LONGEST).unwrap_or(i64::MAX);
        let rows = statement.query_map(
            (Actor::ByHand.code(), EntryKind::File.code(), longest, MOST_CHANGES),
            |row| {
                let (step, shared): (i64, Option<String>) = (row.get(1)?, row.get(2)?);
                let shared = shared.unwrap_or_default();
                let mut steps: Vec<StepNumber> =
                    shared.split(',').filter_map(|number| number.parse().ok()).map(StepNumber).collect();
                if steps.is_empty() {
                    steps.push(StepNumber(step));
                }
                let is_by_hand = row.get::<_, u8>(5)? == Actor::ByHand.code();
                let source =
                    Source { seq: row.get(0)?, steps, before: row.get(3)?, after: row.get(4)?, only: None };
                Ok((source, StepNumber(step), is_by_hand, row.get::<_, Vec<u8>>(6)?))
            },
        )?;
        let mut out = Vec::new();
        for row in rows {
            let (mut source, step, is_by_hand, path) = row?;
            if !is_by_hand {
                let Some(unproven) = store.unproven_of(step, &path)? else { continue };
                source.only = Some(unproven);
                source.steps.push(StepNumber::A_PERSON);
            }
            out.push(source);
        }
        Ok(out)
    }

    /// What files held when vib came.
    fn first_contents(&self) -> Result<Vec<ContentHash>> {
        let reader = self.store.db.reader();
        let Some(first) = versions::oldest(reader)? else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        versions::all_at(reader, first, |_, entry| {
            if entry.kind == EntryKind::File
                && entry.size <= LONGEST
                && entry.size > 0
                && out.len() < MOST_FILES
            {
                out.push(entry.hash);
            }
            Ok(())
        })?;
        Ok(out)
    }
}

/// The first who may have written it.
fn note(all: &mut MaybeTyped, name: u64, seq: i64, writer: u32) {
    match all.entry(name) {
        Place::Vacant(place) => {
            place.insert((seq, writer));
        }
        Place::Occupied(mut place) if place.get().0 > seq => {
            place.insert((seq, writer));
        }
        Place::Occupied(_) => {}
    }
}
