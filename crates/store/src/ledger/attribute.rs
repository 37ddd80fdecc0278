//! Whose is a change? Found by a look, it belongs to whoever can be shown to have made it.
//!
//! 1. **Proven.** An edit owns what it announced, and nothing else ([`super::proof`]). A file in which it wrote and somebody else too is divided:
//!    the look then stands in the ledger as two, one after the other ([`super::settle`]).
//! 2. **Named.** A command owns what it names, or is known to write.
//! 3. **Possible.** A command that may write anywhere owns what else changed while it ran, if it ended within [`LONG_MS`] and nothing speaks for
//!    somebody else.
//! 4. **Weak.** Tests and linters are not there to write files of the project, nor builds to write in those that they read, unless they are
//!    known to make them ([`super::habit`]); a command that ran for long proves nothing; nor does one that nobody said had ended, or that
//!    waited for a person and nobody tells for how long. What only such a step may have made stands under it *and* under "by hand", and says so.
//!
//! A command made nothing before it ran: what was last touched while it still waited for the person is by hand, whatever it names. (M1)
//!
//! The best of these wins; where two steps are equally good, it stands under both and says so. Nobody: then it was made by hand or by
//! another program. It is never guessed.

use std::collections::BTreeMap;

use project::RelPath;
use rusqlite::Transaction;

use super::claimants::Asking;
use super::habit::was_made_before;
use super::settle::Settled;
use super::step::{Actor, Ending, Outcome, StepNumber};
use super::told::Told;
use super::unproven;
use super::write::{RECENT_STEPS, Running, by_hand, set_told, settle_loose_ends};
use crate::Result;
use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;

/// A command that ran longer than this proves nothing about what it did not name: a person has time to write in between.
pub(super) const LONG_MS: i64 = 60_000;
/// Of more changes than this at once nobody asks what else speaks for a person.
pub(super) const MOST_ASKED: usize = 64;
/// Nor, of more than this, when they were touched.
const MOST_TIMED: usize = 4_096;

/// A path that a look found different.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) path: i64,
    pub(crate) name: RelPath,
    pub(crate) was: Option<Entry>,
    pub(crate) is: Option<Entry>,
}

impl Found {
    fn is_folder(&self) -> bool {
        self.is.or(self.was).is_some_and(|entry| entry.kind == EntryKind::Dir)
    }
}

/// Who made the files in a folder, those first of whom it is certain.
fn makers_inside(files: &BTreeMap<&RelPath, Vec<StepNumber>>, folder: &RelPath) -> Option<Vec<StepNumber>> {
    let begins = |path: &RelPath| path.as_bytes().starts_with(folder.as_bytes());
    let inside = || {
        let near = files.range::<&RelPath, _>(folder..).take_while(|(path, _)| begins(path));
        near.filter(|(path, _)| path.is_in(folder)).map(|(_, owners)| owners)
    };
    inside().find(|owners| owners.len() == 1).or_else(|| inside().next()).cloned()
}

/// What the disk says about a file besides its content.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Trace {
    /// Somebody has it open in an editor.
    pub(crate) in_editor: bool,
}

/// A look, as far as it matters for the question.
pub(crate) struct LookAt<'a> {
    /// The step that it ends, and how.
    pub(crate) ending: Option<(StepNumber, &'a Outcome)>,
    /// The whole tree was looked at.
    pub(crate) whole_tree: bool,
    /// Paths that were looked at by name.
    pub(crate) by_name: &'a [RelPath],
    pub(crate) now: i64,
    /// Asks the disk about a file.
    pub(crate) trace: &'a dyn Fn(&RelPath) -> Trace,
    /// When a file was last touched, milliseconds since 1970.
    pub(crate) touched: &'a dyn Fn(&RelPath) -> Option<i64>,
    /// A content, as it is kept.
    pub(crate) content: &'a dyn Fn(&ContentHash) -> Option<Vec<u8>>,
    /// The beginning of a file.
    pub(crate) head: &'a dyn Fn(&RelPath) -> Vec<u8>,
}

impl LookAt<'_> {
    pub(super) fn ends(&self, step: &Running) -> bool {
        self.ending.is_some_and(|(number, _)| number == step.number)
    }
}

/// Whether a step of an agent was cut off since the last look at everything before this one.
fn one_was_cut_off(transaction: &Transaction<'_>, seq: i64) -> Result<bool> {
    Ok(transaction
        .prepare_cached(
            "SELECT 1 FROM step WHERE number > (SELECT max(number) FROM step) - ?2 AND ending = ?3 AND actor = ?4
               AND ended_ms >= (SELECT created_ms FROM checkpoint WHERE seq < ?1 AND whole_tree = 1 ORDER BY seq DESC LIMIT 1)",
        )?
        .exists((seq, RECENT_STEPS, Ending::CutOff.code(), Actor::Agent.code()))?)
}

/// Enters what the look of checkpoint `seq` found.
pub(crate) fn attribute(
    transaction: &Transaction<'_>,
    seq: i64,
    look: &LookAt<'_>,
    settled: &Settled,
    found: &[Found],
) -> Result<()> {
    let made_before =
        |one: &Running, change: &Found| was_made_before(transaction, one, change).unwrap_or(false);
    let asking = Asking {
        look,
        settled,
        going_on: &settled.going_on,
        few: found.len() <= MOST_ASKED,
        timed: found.len() <= MOST_TIMED,
        one_was_cut_off: !found.is_empty() && one_was_cut_off(transaction, seq)?,
        made_before: &made_before,
    };
    let mut nobodys: Option<StepNumber> = None;
    let mut touched: Vec<StepNumber> = Vec::new();
    let mut known: Vec<(Vec<StepNumber>, &Found)> = Vec::new();
    let mut in_folders: BTreeMap<&RelPath, Vec<StepNumber>> = BTreeMap::new();
    let mut times: BTreeMap<String, i64> = BTreeMap::new();
    let (folders, files): (Vec<&Found>, Vec<&Found>) = found.iter().partition(|change| change.is_folder());
    for change in files.into_iter().chain(folders) {
        // A folder comes and goes with what is in it.
        let inside = if change.is_folder() { makers_inside(&in_folders, &change.name) } else { None };
        let owners = match inside {
            Some(owners) => owners,
            None => {
                let (mut owners, sure) = asking.owners_of(change);
                if !sure {
                    let number = match nobodys {
                        Some(number) => number,
                        None => by_hand(transaction, seq, look.now)?,
                    };
                    nobodys = Some(number);
                    owners.push(number);
                }
                owners
            }
        };
        if !change.is_folder() && !nobodys.is_some_and(|number| owners.contains(&number)) {
            known.push((owners.clone(), change));
        }
        if asking.few
            && !change.is_folder()
            && change.is.is_some()
            && nobodys.is_some_and(|number| owners == [number])
            && let (Ok(name), Some(at)) =
                (std::str::from_utf8(change.name.as_bytes()), (look.touched)(&change.name))
        {
            times.insert(name.to_owned(), at);
        }
        let shared = shared_text(&owners);
        for owner in &owners {
            insert(transaction, *owner, seq, change, shared.as_deref())?;
            if !touched.contains(owner) {
                touched.push(*owner);
            }
        }
        if !change.is_folder() {
            in_folders.insert(&change.name, owners);
        }
    }
    if let Some(number) = nobodys.filter(|_| !times.is_empty()) {
        set_told(transaction, number, &Told { touched: times, ..Told::default() })?;
    }
    for step in touched {
        count_files(transaction, step)?;
    }
    unproven::note(transaction, look, &settled.going_on, &known)?;
    settle_loose_ends(transaction, look)
}

pub(super) fn shared_text(owners: &[StepNumber]) -> Option<String> {
    (owners.len() > 1).then(|| {
        let numbers: Vec<String> = owners.iter().map(|owner| owner.0.to_string()).collect();
        numbers.join(",")
    })
}

pub(super) fn count_files(transaction: &Transaction<'_>, step: StepNumber) -> Result<()> {
    transaction
        .prepare_cached(
            "UPDATE step SET files = (SELECT count(DISTINCT path) FROM change WHERE step = ?1) WHERE number = ?1",
        )?
        .execute([step.0])?;
    Ok(())
}

pub(super) fn insert(
    transaction: &Transaction<'_>,
    step: StepNumber,
    seq: i64,
    change: &Found,
    shared: Option<&str>,
) -> Result<()> {
    let (was, is) = (change.was.as_ref(), change.is.as_ref());
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO change (step, path, seq, was_kind, was_mode, was_size, was_hash, was_sensitive,
                 is_kind, is_mode, is_size, is_hash, is_sensitive, shared)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .execute(rusqlite::params![
            step.0,
            change.path,
            seq,
            was.map(|entry| entry.kind.code()),
            was.map(|entry| entry.mode),
            was.map(|entry| entry.size),
            was.map(|entry| entry.hash),
            was.map(|entry| entry.sensitive),
            is.map(|entry| entry.kind.code()),
            is.map(|entry| entry.mode),
            is.map(|entry| entry.size),
            is.map(|entry| entry.hash),
            is.map(|entry| entry.sensitive),
            shared,
        ])?;
    Ok(())
}
