//! What a command that may write anywhere is said to have changed, held against what it said ([`super::explained`]). The change stays the step's, so
//! that going back takes all of it; the lines that nothing explains are written down with the step, and whoever tells of lines says "or by hand".

use std::collections::{BTreeMap, HashMap};

use rusqlite::Transaction;

use super::attribute::{Found, LookAt};
use super::claims::Claims;
use super::explained::Said;
use super::habit::says_it_was_made;
use super::step::StepNumber;
use super::told::Told;
use super::usual::is_written_by_checks;
use super::write::{Running, set_told, told_of};
use crate::entry::{Entry, EntryKind};
use crate::lines::origin::{is_formatter, is_git_restore};
use crate::lines::text::{is_solid, name_of};
use crate::{Result, Store};

/// More text than this is not compared for one look.
const MOST_BYTES: u64 = 8 << 20;
/// A longer file is not.
const LONGEST: u64 = 1 << 20;
/// Of more files than this only that there are so many is written down.
const MOST_FILES: usize = 64;
/// Of more lines of a file only that it is all of them.
const MOST_LINES: usize = 48;
/// In less nobody saves a file that a command is just writing.
const LONG_ENOUGH_MS: i64 = 1_000;
/// So many files in a folder that came with them are no person's in that time.
const SCAFFOLD: usize = 3;

/// Writes down what the changes of a look hold that the commands did not say. `surely`: those that are told as the work of one step.
pub(super) fn note(
    transaction: &Transaction<'_>,
    look: &LookAt<'_>,
    going_on: &[Running],
    surely: &[(StepNumber, &Found)],
) -> Result<()> {
    let mut budget = MOST_BYTES;
    for one in going_on.iter().filter(|one| !one.is_vib && one.told.edits.is_empty()) {
        let Some(text) = words_of(look, one) else { continue };
        // Git knows what it wrote, and is asked when somebody wants to know.
        if is_git_restore(text) {
            continue;
        }
        let own: Vec<&Found> =
            surely.iter().filter(|(step, _)| *step == one.number).map(|(_, found)| *found).collect();
        if own.is_empty() {
            continue;
        }
        let said = Said::of(text, is_formatter(text));
        let scaffolds = scaffolds(&own);
        let mut unproven: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut is_too_much = false;
        for found in own {
            let Some(is) = found.is.filter(is_file) else { continue };
            let was = found.was.filter(is_file);
            if is_written_by_checks(&found.name)
                || was.is_none()
                    && (one.claims != Claims::Anywhere
                        || is_inside(&scaffolds, found)
                        || one.told.names(&found.name))
                || says_it_was_made(&(look.head)(&found.name))
            {
                continue;
            }
            let size = is.size + was.map_or(0, |was| was.size);
            if size > LONGEST || size > budget || unproven.len() >= MOST_FILES {
                is_too_much = true;
                continue;
            }
            budget -= size;
            let before = was.map_or(Some(Vec::new()), |was| (look.content)(&was.hash));
            let (Some(before), Some(now)) = (before, (look.content)(&is.hash)) else { continue };
            // `> f` leaves nothing of what was there: nobody types into that.
            let is_named = one.claims != Claims::Anywhere || one.told.names(&found.name);
            if is_named && !keeps_half(&before, &now) {
                continue;
            }
            let Some(left) = said.leaves(&before, &now) else {
                is_too_much = true;
                continue;
            };
            let Ok(path) = String::from_utf8(found.name.as_bytes().to_vec()) else { continue };
            let lines: Vec<&[u8]> = now.split_inclusive(|byte| *byte == b'\n').collect();
            let mut buffer = Vec::new();
            let mut names: Vec<u32> =
                left.iter().map(|line| short(name_of(lines[*line], is_solid, &mut buffer))).collect();
            names.sort_unstable();
            names.dedup();
            if !names.is_empty() {
                unproven.insert(path, if names.len() > MOST_LINES { Vec::new() } else { names });
            }
        }
        if is_too_much || !unproven.is_empty() {
            let mut told = told_of(transaction, one.number)?;
            told.unproven_all |= is_too_much;
            told.unproven.extend(unproven);
            set_told(transaction, one.number, &told)?;
        }
    }
    Ok(())
}

/// What a command said, if it has to explain what it is said to have changed. One that names its files does if it ran so long that a person may have saved
/// the same file meanwhile. (M6)
fn words_of<'r>(look: &LookAt<'_>, one: &'r Running) -> Option<&'r str> {
    if one.claims == Claims::Anywhere {
        return one.told.said.as_deref();
    }
    let ended = look.ending.filter(|(number, _)| *number == one.number);
    let is_long = ended.and_then(|(_, outcome)| outcome.took_ms).is_some_and(|took| took >= LONG_ENOUGH_MS);
    // Of a long command the ledger keeps only the beginning.
    one.what.as_deref().filter(|what| is_long && !what.ends_with('…') && what.contains(char::is_whitespace))
}

fn is_file(entry: &Entry) -> bool {
    entry.kind == EntryKind::File
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the lower half of a name is name enough within one change"
)]
fn short(name: u64) -> u32 {
    name as u32
}

fn keeps_half(was: &[u8], is: &[u8]) -> bool {
    let lines = |text: &'_ [u8]| -> HashMap<Vec<u8>, usize> {
        let mut out = HashMap::new();
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            *out.entry(line.trim_ascii().to_vec()).or_insert(0) += 1;
        }
        out
    };
    let (was, is) = (lines(was), lines(is));
    let kept: usize = was.iter().map(|(line, count)| is.get(line).map_or(0, |other| *count.min(other))).sum();
    kept * 2 >= was.values().sum::<usize>()
}

/// Folders with files that all came with this look.
fn scaffolds(own: &[&Found]) -> HashMap<Vec<u8>, usize> {
    let mut out: HashMap<Vec<u8>, usize> = HashMap::new();
    for found in own.iter().filter(|found| found.is.is_some_and(|is| is_file(&is))) {
        let path = found.name.as_bytes();
        let Some(at) = path.iter().rposition(|byte| *byte == b'/') else { continue };
        let count = out.entry(path[..at].to_vec()).or_insert(0);
        // One that was there before: nothing but files that came counts.
        *count = if found.was.is_some() || *count == usize::MAX { usize::MAX } else { *count + 1 };
    }
    out.retain(|_, count| *count != usize::MAX && *count >= SCAFFOLD);
    out
}

fn is_inside(scaffolds: &HashMap<Vec<u8>, usize>, found: &Found) -> bool {
    let path = found.name.as_bytes();
    path.iter().rposition(|byte| *byte == b'/').is_some_and(|at| scaffolds.contains_key(&path[..at]))
}

/// Lines of a step that it may not have written.
pub(crate) enum Unproven {
    All,
    Lines(Vec<u32>),
}

impl Unproven {
    pub(crate) fn holds(&self, name: u64) -> bool {
        match self {
            Self::All => true,
            Self::Lines(names) => names.binary_search(&short(name)).is_ok(),
        }
    }
}

impl Store<'_> {
    /// When a file was last touched that this step changed by hand, if that was asked.
    pub(crate) fn touched_at(&self, step: StepNumber, path: &[u8]) -> Result<Option<i64>> {
        let mut statement = self.db.reader().prepare_cached("SELECT told FROM step WHERE number = ?1")?;
        let mut rows = statement.query([step.0])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let text: Option<String> = row.get(0)?;
        let told = Told::from_text(text.as_deref());
        Ok(std::str::from_utf8(path).ok().and_then(|path| told.touched.get(path).copied()))
    }

    /// What a step may not have written of a file, while it is the only one that is known to have.
    pub(crate) fn unproven_of(&self, step: StepNumber, path: &[u8]) -> Result<Option<Unproven>> {
        let mut statement = self.db.reader().prepare_cached("SELECT told FROM step WHERE number = ?1")?;
        let mut rows = statement.query([step.0])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let text: Option<String> = row.get(0)?;
        let Some(text) = text.filter(|text| text.contains("unproven")) else { return Ok(None) };
        let told = Told::from_text(Some(&text));
        let named = std::str::from_utf8(path).ok().and_then(|path| told.unproven.get(path));
        Ok(match named {
            Some(lines) if lines.is_empty() => Some(Unproven::All),
            Some(lines) => Some(Unproven::Lines(lines.clone())),
            None => told.unproven_all.then_some(Unproven::All),
        })
    }
}
