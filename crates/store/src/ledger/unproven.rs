//! What a command is said to have changed, held against what it said ([`super::explained`]). The change stays the step's, so that going back takes
//! all of it; the lines that nothing explains are written down with the step, and whoever tells of lines says "or by hand".
//!
//! That a command names the file proves nothing of a single line: between the look before it and the look after it a person may save the same file,
//! however short the command runs, because its client tells of its end only later.

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
use crate::lines::origin::is_formatter;
use crate::lines::text::{is_solid, name_of};
use crate::{Result, Store, versions};

/// More text than this is not compared for one look.
const MOST_BYTES: u64 = 8 << 20;
/// A longer file is not.
const LONGEST: u64 = 1 << 20;
/// So many words of a command are taken for files, so many of which are read, each no longer than this.
const MOST_WORDS: usize = 200;
const MOST_SOURCES: usize = 8;
const LONGEST_SOURCE: u64 = 128 << 10;
/// Of more files than this only that there are so many is written down.
const MOST_FILES: usize = 64;
/// Of more lines of a file only that it is all of them.
const MOST_LINES: usize = 48;
/// So many files in a folder that came with them are no person's in that time.
const SCAFFOLD: usize = 3;

/// Writes down what the changes of a look hold that the steps did not say. `known`: those that are told as the work of one step, or of one of several.
pub(super) fn note(
    transaction: &Transaction<'_>,
    look: &LookAt<'_>,
    going_on: &[Running],
    known: &[(Vec<StepNumber>, &Found)],
) -> Result<()> {
    let mut budget = MOST_BYTES;
    let mut done: Vec<&[StepNumber]> = Vec::new();
    for (owners, _) in known {
        if done.contains(&owners.as_slice()) {
            continue;
        }
        done.push(owners);
        let steps: Vec<&Running> = going_on.iter().filter(|one| owners.contains(&one.number)).collect();
        let own: Vec<&Found> =
            known.iter().filter(|(others, _)| others == owners).map(|(_, found)| *found).collect();
        let noted = match steps.as_slice() {
            [] => None,
            // What an edit announced is proven another way.
            [one] if one.is_vib || !one.told.edits.is_empty() => None,
            _ => left_over(transaction, look, &steps, &own, &mut budget),
        };
        if let (Some((unproven, is_too_much)), Some(first)) = (noted, steps.first()) {
            let mut told = told_of(transaction, first.number)?;
            told.unproven_all |= is_too_much;
            told.unproven.extend(unproven);
            set_told(transaction, first.number, &told)?;
        }
    }
    Ok(())
}

/// Files with lines that none of these steps said, and whether there was more than could be compared. None: nothing is left over.
fn left_over(
    transaction: &Transaction<'_>,
    look: &LookAt<'_>,
    steps: &[&Running],
    own: &[&Found],
    budget: &mut u64,
) -> Option<(BTreeMap<String, Vec<u32>>, bool)> {
    let words: Vec<String> = steps.iter().map(|one| words_of(one)).collect::<Option<_>>()?;
    // What a command took out of git nothing here explains; git is asked when somebody wants to know.
    let said = Said::of(&words.join("\n"), words.iter().any(|text| is_formatter(text)));
    let scaffolds = scaffolds(own);
    let mut unproven: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut is_too_much = false;
    let mut sources: Option<Vec<Vec<u8>>> = None;
    for found in own.iter().copied() {
        let Some(is) = found.is.filter(is_file) else { continue };
        let was = found.was.filter(is_file);
        let is_named = steps.iter().any(|one| one.claims != Claims::Anywhere || one.told.names(&found.name));
        if is_written_by_checks(&found.name)
            || was.is_none() && !is_named && is_inside(&scaffolds, found)
            || says_it_was_made(&(look.head)(&found.name))
        {
            continue;
        }
        let Ok(path) = String::from_utf8(found.name.as_bytes().to_vec()) else { continue };
        let size = is.size + was.map_or(0, |was| was.size);
        if size > *budget || unproven.len() >= MOST_FILES {
            is_too_much = true;
            continue;
        }
        if size > LONGEST {
            unproven.insert(path, Vec::new());
            continue;
        }
        *budget -= size;
        let before = was.map_or(Some(Vec::new()), |was| (look.content)(&was.hash));
        let (Some(before), Some(now)) = (before, (look.content)(&is.hash)) else { continue };
        let Some(mut left) = said.leaves(&before, &now) else {
            unproven.insert(path, Vec::new());
            continue;
        };
        let lines: Vec<&[u8]> = now.split_inclusive(|byte| *byte == b'\n').collect();
        if !left.is_empty() && left.len() <= MOST_LINES {
            let known = sources.get_or_insert_with(|| named_contents(transaction, look, &words, own));
            // Of what this look found different only what it was before: what it is now may have been typed.
            let others = own.iter().filter(|other| other.path != found.path).filter_map(|other| other.was);
            let others = others.filter(|was| is_file(was) && was.size <= LONGEST_SOURCE).take(MOST_SOURCES);
            let were: Vec<Vec<u8>> = others.filter_map(|was| (look.content)(&was.hash)).collect();
            left.retain(|line| !said.makes_of(known, lines[*line]) && !said.makes_of(&were, lines[*line]));
        }
        let mut buffer = Vec::new();
        let mut names: Vec<u32> =
            left.iter().map(|line| short(name_of(lines[*line], is_solid, &mut buffer))).collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() {
            unproven.insert(path, if names.len() > MOST_LINES { Vec::new() } else { names });
        }
    }
    (is_too_much || !unproven.is_empty()).then_some((unproven, is_too_much))
}

/// What is in the files of the project that these words name and that are as they were: `cp a b && sed -i … b` makes its lines of those of `a`.
fn named_contents(
    transaction: &Transaction<'_>,
    look: &LookAt<'_>,
    words: &[String],
    changed: &[&Found],
) -> Vec<Vec<u8>> {
    let is_end = |c: char| c.is_whitespace() || ";&|()<>\"'`=,:".contains(c);
    let words = words.iter().flat_map(|text| text.split(is_end)).filter(|word| !word.is_empty());
    let entry = |word: &str| -> Option<Entry> {
        let path = word.strip_prefix("./").unwrap_or(word);
        let id = versions::find_path(transaction, path.as_bytes()).ok()??;
        if changed.iter().any(|found| found.path == id) {
            return None;
        }
        versions::at(transaction, i64::MAX, id).ok()?.filter(is_file)
    };
    let entries = words.take(MOST_WORDS).filter_map(entry).filter(|entry| entry.size <= LONGEST_SOURCE);
    entries.take(MOST_SOURCES).filter_map(|entry| (look.content)(&entry.hash)).collect()
}

/// What a step said: a command with its scripts, an edit with its texts.
fn words_of(one: &Running) -> Option<String> {
    if one.told.edits.is_empty() {
        return one.told.said.clone();
    }
    let swaps = one.told.edits.iter().flat_map(|edit| &edit.swaps).flat_map(|swap| [&swap.old, &swap.new]);
    let whole = one.told.edits.iter().filter_map(|edit| edit.whole.as_ref());
    Some(swaps.chain(whole).map(String::as_str).collect::<Vec<_>>().join("\n"))
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
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Lines(mut names), Self::Lines(more)) => {
                names.extend(more);
                names.sort_unstable();
                Self::Lines(names)
            }
            _ => Self::All,
        }
    }

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
