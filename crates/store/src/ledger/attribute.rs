//! Whose is a change? Found by a look, it belongs to whoever can be shown to have made it.
//!
//! 1. **Proven.** An edit owns what it announced, and nothing else ([`super::proof`]). A file in which it wrote and somebody else too is divided:
//!    the look then stands in the ledger as two, one after the other ([`settle`]).
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

use std::collections::{BTreeMap, BTreeSet, HashMap};

use project::RelPath;
use rusqlite::Transaction;

use super::claims::{Claims, Fit};
use super::habit::{says_it_was_made, was_made_before};
use super::proof::{self, Share};
use super::step::{Ending, Outcome, StepNumber};
use super::told::{Told, Trade};
use super::unproven;
use super::usual::is_written_by_checks;
use super::write::{Running, by_hand, note_made, running, set_told, settle_loose_ends};
use crate::Result;
use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;

/// A command that ran longer than this proves nothing about what it did not name: a person has time to write in between.
pub(super) const LONG_MS: i64 = 60_000;
/// Of more changes than this at once nobody asks what else speaks for a person.
const MOST_ASKED: usize = 64;
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
    fn ends(&self, step: &Running) -> bool {
        self.ending.is_some_and(|(number, _)| number == step.number)
    }
}

/// What announced edits own of a look.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    owners: HashMap<RelPath, Owner>,
    /// A command names it that waited for the person, and there is more in it than the command tells: it may have been typed meanwhile.
    typed_into: BTreeSet<RelPath>,
    /// The steps that go on.
    going_on: Vec<Running>,
}

#[derive(Debug)]
enum Owner {
    /// It is proven.
    Proven(StepNumber),
    /// One of these may have made it, or somebody else.
    Unclear(Vec<StepNumber>),
}

/// What settling needs of the store.
pub(crate) trait Contents {
    /// What a path was recorded as last.
    fn recorded(&self, path: &RelPath) -> Result<Option<Entry>>;
    /// A content.
    fn content(&self, hash: &ContentHash) -> Result<Vec<u8>>;
    /// Enters a look at this file that nobody made: between the work of one and that of another.
    fn enter_between(&mut self, path: &RelPath, entry: Entry, content: &[u8]) -> Result<(i64, Found)>;
}

/// Finds announced edits in what a look found, before that is entered. Where one is only a part of what happened to its file, that part is
/// entered as a look of its own. `seen`: what the look saw at a path, if it saw it.
pub(crate) fn settle(
    transaction: &Transaction<'_>,
    look: &LookAt<'_>,
    seen: &dyn Fn(&RelPath) -> Result<Option<Option<Entry>>>,
    contents: &mut dyn Contents,
) -> Result<Settled> {
    let mut owners = HashMap::new();
    let going_on = running(transaction, look.now)?;
    let open = going_on.iter().flat_map(|one| &one.told.edits).filter(|edit| !edit.made);
    let paths: BTreeSet<&str> = open.map(|edit| edit.path.as_str()).collect();
    for path in paths.into_iter().filter_map(|path| RelPath::new(path.as_bytes()).ok()) {
        let Some(is) = seen(&path)? else { continue };
        let about: Vec<&Running> = going_on
            .iter()
            .filter(|one| one.told.about(path.as_bytes()).is_some_and(|edit| !edit.made))
            .collect();
        let owner = settle_file(transaction, look, &path, is, &about, contents)?;
        owners.extend(owner.map(|owner| (path, owner)));
    }
    let typed_into = typed_while_waiting(look, &going_on, seen, contents)?;
    Ok(Settled { owners, typed_into, going_on })
}

/// Files that a command names and that may have been typed into while its client waited for the person (M1), or since it was killed (B2).
fn typed_while_waiting(
    look: &LookAt<'_>,
    going_on: &[Running],
    seen: &dyn Fn(&RelPath) -> Result<Option<Option<Entry>>>,
    contents: &dyn Contents,
) -> Result<BTreeSet<RelPath>> {
    let mut out = BTreeSet::new();
    // Nobody said yet that it ended, or that it ran at all: its client may have been killed, or the person said no. (B2)
    let waited = |one: &&Running| {
        let ends = look.ending.filter(|(number, _)| *number == one.number);
        let is_command = || one.what.as_deref().is_some_and(|what| what.trim().contains(char::is_whitespace));
        match ends {
            Some((_, outcome)) => has_waited(one, outcome, look.now),
            // Another call that ends shows that nobody was killed: calls that run side by side explain themselves.
            None => look.ending.is_none() && !one.is_vib && one.told.edits.is_empty() && is_command(),
        }
    };
    for one in going_on.iter().filter(waited) {
        let claimed = match &one.claims {
            Claims::Named(paths) => paths.clone(),
            _ => Vec::new(),
        };
        let told = one.told.named.iter().filter_map(|path| RelPath::new(path.as_bytes()).ok());
        for path in claimed.into_iter().chain(told).take(MOST_ASKED) {
            let short = |entry: &Entry| entry.kind == EntryKind::File && entry.size <= proof::LONGEST;
            let Some(Some(is)) = seen(&path)? else { continue };
            let Some(was) = contents.recorded(&path)?.filter(|was| short(was) && short(&is)) else {
                continue;
            };
            if was.hash == is.hash {
                continue;
            }
            let (Ok(was), Ok(is)) = (contents.content(&was.hash), contents.content(&is.hash)) else {
                continue;
            };
            if proof::holds_more(&was, &is, one.what.as_deref().unwrap_or_default()) {
                out.insert(path);
            }
        }
    }
    Ok(out)
}

/// One file, with those that announced an edit of it.
fn settle_file(
    transaction: &Transaction<'_>,
    look: &LookAt<'_>,
    path: &RelPath,
    is: Option<Entry>,
    about: &[&Running],
    contents: &mut dyn Contents,
) -> Result<Option<Owner>> {
    // Nearly always: it is as it was announced.
    let becomes = is.filter(|entry| entry.kind == EntryKind::File).map(|entry| entry.hash.to_hex());
    let exactly = about.iter().find(|one| {
        let edit = one.told.about(path.as_bytes());
        edit.is_some_and(|edit| {
            if edit.goes { is.is_none() } else { edit.becomes.is_some() && edit.becomes == becomes }
        })
    });
    if let Some(one) = exactly.filter(|one| about.len() == 1 && look.ends(one)) {
        return Ok(Some(Owner::Proven(one.number)));
    }
    let was = contents.recorded(path)?;
    let unchanged = match (was, is) {
        (Some(was), Some(is)) => was.hash == is.hash && was.kind == is.kind,
        (None, None) => true,
        _ => false,
    };
    if unchanged {
        return Ok(None);
    }
    if let Some(one) = exactly {
        // With several at work the way there may be that of more than one.
        if about.len() == 1 {
            note_made(transaction, look, one, path)?;
            return Ok(Some(Owner::Proven(one.number)));
        }
    }
    let ended =
        |one: &Running| look.ending.is_some_and(|(step, outcome)| step == one.number && was_made(outcome));
    let text = |entry: Option<Entry>| -> Option<Vec<u8>> {
        match entry {
            None => Some(Vec::new()),
            Some(entry) if entry.kind == EntryKind::File && entry.size <= proof::LONGEST => {
                contents.content(&entry.hash).ok()
            }
            Some(_) => None,
        }
    };
    let (Some(is_entry), Some(mut at), Some(goal)) = (is, text(was), text(is)) else {
        // It went, or it is nothing that can be compared: the client's word counts, else nobody's.
        let told = about.iter().find(|one| ended(one) && is.is_some());
        let unclear: Vec<StepNumber> = match is {
            Some(_) => about.iter().map(|one| one.number).collect(),
            None => Vec::new(),
        };
        return Ok(match (exactly.or(told), unclear.is_empty()) {
            (Some(one), _) => {
                note_made(transaction, look, one, path)?;
                Some(Owner::Proven(one.number))
            }
            (None, false) => Some(Owner::Unclear(unclear)),
            (None, true) => None,
        });
    };
    // Several edits, one after the other, and nothing else.
    if about.len() > 1
        && let Some(steps) = one_after_the_other(about, path, &at, &goal)
    {
        let Some(((last, _), first)) = steps.split_last() else { return Ok(None) };
        for (one, content) in first {
            enter_part(transaction, look, one, path, (was, is_entry), content, contents)?;
        }
        note_made(transaction, look, last, path)?;
        return Ok(Some(Owner::Proven(last.number)));
    }
    let mut unclear = Vec::new();
    let mut left: Vec<&Running> = about.to_vec();
    // First what is proven word for word, then what a client says.
    for by_word in [false, true] {
        let mut next = Vec::new();
        for one in left {
            let Some(edit) = one.told.about(path.as_bytes()) else { continue };
            if by_word != ended(one) {
                next.push(one);
                continue;
            }
            let found = if edit.unclear && !by_word {
                Share::Unclear
            } else {
                proof::share(edit, &at, &goal, by_word)
            };
            match found {
                Share::All => {
                    note_made(transaction, look, one, path)?;
                    return Ok(Some(Owner::Proven(one.number)));
                }
                Share::Part(content) => {
                    enter_part(transaction, look, one, path, (was, is_entry), &content, contents)?;
                    unclear.retain(|number| *number != one.number);
                    at = content;
                }
                Share::Unclear => {
                    if !unclear.contains(&one.number) {
                        unclear.push(one.number);
                    }
                    next.push(one);
                }
                Share::Nothing => next.push(one),
            }
        }
        left = next;
    }
    Ok((!unclear.is_empty()).then_some(Owner::Unclear(unclear)))
}

/// The client said that it did it.
fn was_made(outcome: &Outcome) -> bool {
    matches!(outcome.ending, Ending::Ran | Ending::Unknown)
}

/// The contents on the way, if these edits in the order of their steps, or of some of them, lead to it.
fn one_after_the_other<'r>(
    about: &[&'r Running],
    path: &RelPath,
    was: &[u8],
    goal: &[u8],
) -> Option<Vec<(&'r Running, Vec<u8>)>> {
    let mut at = was.to_vec();
    let mut steps = Vec::new();
    for one in about {
        let next = one.told.about(path.as_bytes()).and_then(|edit| edit.applied_to(&at));
        if let Some(next) = next.filter(|next| *next != at) {
            at.clone_from(&next);
            steps.push((*one, next));
            if at == goal {
                return Some(steps);
            }
        }
    }
    None
}

fn enter_part(
    transaction: &Transaction<'_>,
    look: &LookAt<'_>,
    one: &Running,
    path: &RelPath,
    (was, is): (Option<Entry>, Entry),
    content: &[u8],
    contents: &mut dyn Contents,
) -> Result<()> {
    let mode = was.map_or(is.mode, |was| was.mode);
    let entry = Entry { mode, size: content.len() as u64, hash: ContentHash::of(content), ..is };
    let (seq, found) = contents.enter_between(path, entry, content)?;
    insert(transaction, one.number, seq, &found, None)?;
    count_files(transaction, one.number)?;
    note_made(transaction, look, one, path)
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
        made_before: &made_before,
    };
    let mut nobodys: Option<StepNumber> = None;
    let mut touched: Vec<StepNumber> = Vec::new();
    let mut surely: Vec<(StepNumber, &Found)> = Vec::new();
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
        if let [owner] = owners.as_slice()
            && !change.is_folder()
            && Some(*owner) != nobodys
        {
            surely.push((*owner, change));
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
    unproven::note(transaction, look, &settled.going_on, &surely)?;
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

/// How good a step's claim to a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    No,
    Weak,
    /// Such a command writes such files, if nobody is there who is more likely to.
    Usual,
    Possible,
    Named,
}

struct Asking<'a> {
    look: &'a LookAt<'a>,
    settled: &'a Settled,
    going_on: &'a [Running],
    /// So few changes that each can be asked about.
    few: bool,
    /// So few that each can be asked when it was touched.
    timed: bool,
    /// Whether such a command is known to make this file.
    made_before: &'a dyn Fn(&Running, &Found) -> bool,
}

impl Asking<'_> {
    /// The steps that made a change, and whether it is sure that it was one of them.
    fn owners_of(&self, change: &Found) -> (Vec<StepNumber>, bool) {
        let path = &change.name;
        // Vib writes what it says, under the lock of the tree, and nothing else.
        if let Some(vib) = self.going_on.iter().find(|one| one.is_vib && one.claims.fit(path) == Fit::Named) {
            return (vec![vib.number], true);
        }
        let mut unclear = match self.settled.owners.get(path) {
            Some(Owner::Proven(step)) => return (vec![*step], true),
            Some(Owner::Unclear(steps)) => steps.clone(),
            None => Vec::new(),
        };
        let claims: Vec<(StepNumber, Strength)> = self
            .going_on
            .iter()
            .map(|one| (one.number, self.strength(one, change)))
            .filter(|(_, strength)| *strength > Strength::No)
            .collect();
        let Some(best) = claims.iter().map(|(_, strength)| *strength).max() else {
            // A step may write what it did not announce: if it ends with this very look and is alone, nobody else was seen.
            let last = self.going_on.first().filter(|one| {
                self.going_on.len() == 1
                    && self.look.ending.is_some_and(|(step, _)| step == one.number)
                    && one.told.is_empty()
                    && one.claims.fit(path) == Fit::No
            });
            let sure = last.is_some() && unclear.is_empty();
            unclear.extend(last.map(|one| one.number));
            return (unclear, sure);
        };
        let best_ones: Vec<StepNumber> =
            claims.into_iter().filter(|(_, strength)| *strength == best).map(|(number, _)| number).collect();
        // Nobody said that one of these ended, and there is more in it than they tell: it may have been typed since. (B2)
        let ends = |number: &StepNumber| self.look.ending.is_some_and(|(step, _)| step == *number);
        let may_be_typed =
            best == Strength::Named && self.settled.typed_into.contains(path) && !best_ones.iter().any(ends);
        unclear.extend(best_ones);
        (unclear, best > Strength::Weak && !may_be_typed)
    }

    fn strength(&self, one: &Running, change: &Found) -> Strength {
        let path = &change.name;
        let ends = self.look.ending.filter(|(step, _)| *step == one.number).map(|(_, outcome)| outcome);
        // What it announced is settled; what a cut off edit did not announce was not its work; what was refused did nothing.
        let is_refused =
            ends.is_some_and(|outcome| matches!(outcome.ending, Ending::Refused | Ending::Stopped));
        if one.is_cut_off || is_refused || self.announced(one, change) {
            return Strength::No;
        }
        if self.is_older(one, change, ends) {
            return Strength::No;
        }
        let age = ends.and_then(|outcome| outcome.took_ms).unwrap_or(self.look.now - one.started_ms);
        let is_long = age > LONG_MS;
        // An edit makes the folders around its files, and nothing else in them.
        let is_edit = !one.told.edits.is_empty();
        match one.claims.fit(path) {
            Fit::No => Strength::No,
            Fit::Named if is_edit && !one.claims.has(path) => Strength::No,
            Fit::Named if ends.is_none() && is_long => Strength::Weak,
            Fit::Named | Fit::Possible if self.may_be_typed(one, change, ends) => Strength::Weak,
            Fit::Named => Strength::Named,
            Fit::Possible if one.told.names(path) => Strength::Named,
            Fit::Possible => self.possible(one, change, ends, is_long),
        }
    }

    /// It announced this very file, or a folder comes or goes of which it announced only a file.
    fn announced(&self, one: &Running, change: &Found) -> bool {
        let path = &change.name;
        one.told.edits.iter().any(|edit| {
            edit.path.as_bytes() == path.as_bytes()
                || RelPath::new(edit.path.as_bytes()).is_ok_and(|edited| edited.is_in(path))
        })
    }

    /// It was last touched before the command ran: its client waited for the person until then. (M1)
    fn is_older(&self, one: &Running, change: &Found, ends: Option<&Outcome>) -> bool {
        let Some(from) = ends.and_then(|outcome| outcome.ran_from_ms).filter(|_| self.timed) else {
            return false;
        };
        let touched = (self.look.touched)(&change.name);
        // It changed after the look before: a time before that is one of another clock, and says nothing.
        touched.is_some_and(|at| at < from - SLACK_MS && at >= one.started_ms - SLACK_MS)
    }

    /// It waited for the person, who may have written this meanwhile: touched right before it ran, or there is more in it than it tells (M1)
    fn may_be_typed(&self, one: &Running, change: &Found, ends: Option<&Outcome>) -> bool {
        let Some(outcome) = ends.filter(|outcome| has_waited(one, outcome, self.look.now)) else {
            return false;
        };
        let from = outcome.ran_from_ms.filter(|_| self.timed);
        let is_right_before = from.is_some_and(|from| {
            (self.look.touched)(&change.name).is_some_and(|at| at < from - LATE_MS && at >= from - SLACK_MS)
        });
        is_right_before || self.settled.typed_into.contains(&change.name)
    }

    fn possible(&self, one: &Running, change: &Found, ends: Option<&Outcome>, is_long: bool) -> Strength {
        let path = &change.name;
        let in_editor = self.few && (self.look.trace)(path).in_editor;
        // It waited for the person, and nobody tells how much of the time it ran.
        let is_told = ends.is_some_and(|outcome| outcome.ran_from_ms.is_some());
        let may_have_waited = one.told.waited && !is_told && self.look.now - one.started_ms > AT_ONCE_MS;
        let is_others_trade = match one.told.trade {
            Trade::Writes => false,
            Trade::Builds => change.was.is_some(),
            Trade::Reports => true,
        };
        let is_doubtful = is_long || is_others_trade || in_editor || may_have_waited;
        if !is_doubtful {
            return Strength::Possible;
        }
        let is_usual = is_written_by_checks(path)
            || self.few
                && !in_editor
                && ((self.made_before)(one, change) || self.says_it_was_made(one, change));
        if is_usual { Strength::Usual } else { Strength::Weak }
    }

    /// What a build or a check leaves may say itself that a program wrote it.
    fn says_it_was_made(&self, one: &Running, change: &Found) -> bool {
        let is_file = change.is.is_some_and(|entry| entry.kind == EntryKind::File);
        one.told.trade != Trade::Writes && is_file && says_it_was_made(&(self.look.head)(&change.name))
    }
}

/// Its client waited for the person before it let it run: it says so, or tells that it ran much later than it was announced. (M1)
fn has_waited(one: &Running, outcome: &Outcome, now: i64) -> bool {
    match outcome.ran_from_ms {
        // What failed may have written nothing at all.
        _ if outcome.ending == Ending::Failed => true,
        Some(from) => from - one.started_ms > AT_ONCE_MS,
        None => one.told.waited && now - one.started_ms > AT_ONCE_MS,
    }
}

/// Nobody reads a question, writes in a file and answers in less.
const AT_ONCE_MS: i64 = 1_000;
/// By so much the time at which a command is said to have begun may be too late: its client has to start the hook first.
const LATE_MS: i64 = 500;
/// Clocks of file systems and clients are not that exact.
const SLACK_MS: i64 = 2_000;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Claims;

    fn path(text: &str) -> RelPath {
        RelPath::new(text.as_bytes()).unwrap()
    }

    fn going(number: i64, named: Option<&[&str]>) -> Running {
        let claims = named
            .map_or(Claims::Anywhere, |named| Claims::Named(named.iter().map(|one| path(one)).collect()));
        let told = Told::default();
        Running {
            number: StepNumber(number),
            claims,
            told,
            what: None,
            is_vib: false,
            is_cut_off: false,
            started_ms: 0,
        }
    }

    /// Owners, and whether they are sure.
    fn owners(name: &str, ending: Option<i64>, going_on: &[Running]) -> (Vec<i64>, bool) {
        at(name, ending, going_on, 1_000, Trace::default())
    }

    fn at(name: &str, ending: Option<i64>, going_on: &[Running], now: i64, trace: Trace) -> (Vec<i64>, bool) {
        with(name, ending.map(|step| (step, Outcome::of(Ending::Ran))).as_ref(), going_on, now, (trace, None))
    }

    fn with(
        name: &str,
        ending: Option<&(i64, Outcome)>,
        going_on: &[Running],
        now: i64,
        (trace, touched): (Trace, Option<i64>),
    ) -> (Vec<i64>, bool) {
        let look = LookAt {
            ending: ending.map(|(step, outcome)| (StepNumber(*step), outcome)),
            whole_tree: true,
            by_name: &[],
            now,
            trace: &|_| trace,
            touched: &|_| touched,
            head: &|_| Vec::new(),
            content: &|_| None,
        };
        let settled = Settled::default();
        let made_before = |_: &Running, _: &Found| false;
        let asking = Asking {
            look: &look,
            settled: &settled,
            going_on,
            few: true,
            timed: true,
            made_before: &made_before,
        };
        let found = Found { path: 1, name: path(name), was: None, is: None };
        let (owners, sure) = asking.owners_of(&found);
        (owners.into_iter().map(|step| step.0).collect(), sure)
    }

    #[test]
    fn who_names_a_path_owns_it_before_who_may_write_anywhere() {
        let going_on = [going(1, None), going(2, Some(&["src/a.rs"]))];
        assert_eq!(owners("src/a.rs", Some(1), &going_on), (vec![2], true));
        assert_eq!(owners("src/b.rs", Some(1), &going_on), (vec![1], true));
        assert_eq!(owners("src/b.rs", Some(2), &going_on), (vec![1], true));
    }

    #[test]
    fn two_that_may_have_written_share_it() {
        let going_on = [going(1, None), going(2, None)];
        assert_eq!(owners("a", Some(1), &going_on), (vec![1, 2], true));
    }

    #[test]
    fn nobody_going_on_means_by_hand() {
        assert_eq!(owners("a", None, &[]), (vec![], false));
        assert_eq!(owners("a", None, &[going(1, Some(&["b"]))]), (vec![], false));
    }

    #[test]
    fn a_folder_that_came_with_a_named_file_is_its_makers() {
        let going_on = [going(1, Some(&["new/deep/a.rs"]))];
        assert_eq!(owners("new", Some(1), &going_on), (vec![1], true));
    }

    #[test]
    fn a_check_proves_nothing_about_files_that_are_not_its_trade_b4() {
        let told = Told { trade: Trade::Reports, named: vec!["log.txt".to_owned()], ..Told::default() };
        let check = || Running { told: told.clone(), ..going(1, None) };
        assert_eq!(owners("src/a.rs", Some(1), &[check()]), (vec![1], false));
        assert_eq!(owners("log.txt", Some(1), &[check()]), (vec![1], true));
        assert_eq!(owners("Cargo.lock", Some(1), &[check()]), (vec![1], true));
        assert_eq!(owners("tests/__snapshots__/a.snap", Some(1), &[check()]), (vec![1], true));
        // Another command that writes is the better answer.
        for path in ["src/a.rs", "gen/out.txt"] {
            assert_eq!(owners(path, Some(1), &[check(), going(2, None)]), (vec![2], true));
        }
    }

    #[test]
    fn what_speaks_for_a_person_makes_it_doubtful_b4() {
        let command = || [going(1, None)];
        assert_eq!(owners("a", Some(1), &command()), (vec![1], true));
        assert_eq!(at("a", Some(1), &command(), LONG_MS + 1, Trace::default()), (vec![1], false));
        let open = Trace { in_editor: true };
        assert_eq!(at("a", Some(1), &command(), 1_000, open), (vec![1], false));
    }

    #[test]
    fn what_was_touched_while_a_command_waited_for_the_person_is_by_hand_m1() {
        let ran =
            |from: i64| Outcome { ran_from_ms: Some(from), took_ms: Some(500), ..Outcome::of(Ending::Ran) };
        for going_on in [[going(1, None)], [going(1, Some(&["a"]))]] {
            let at = |time: i64| {
                with("a", Some(&(1, ran(20_000))), &going_on, 20_500, (Trace::default(), Some(time)))
            };
            assert_eq!(at(10_000), (vec![], false));
            assert_eq!(at(20_100), (vec![1], true));
            // A disk with another clock.
            assert_eq!(at(-100_000), (vec![1], true));
        }
        // Nobody tells how long it ran: then nobody knows whose it is, unless it is named.
        let waited = |named| {
            let mut one = going(1, named);
            one.told.waited = true;
            [one]
        };
        assert_eq!(at("a", Some(1), &waited(None), 20_500, Trace::default()), (vec![1], false));
        assert_eq!(at("a", Some(1), &waited(None), 900, Trace::default()), (vec![1], true));
        assert_eq!(at("a", Some(1), &waited(Some(&["a"])), 20_500, Trace::default()), (vec![1], true));
        // Touched a second before it ran: it may have been the person, who said yes then.
        let ran = Outcome { ran_from_ms: Some(20_000), took_ms: Some(500), ..Outcome::of(Ending::Ran) };
        for (touched, sure) in [(18_900, false), (19_900, true)] {
            let told =
                with("a", Some(&(1, ran.clone())), &waited(None), 20_500, (Trace::default(), Some(touched)));
            assert_eq!(told, (vec![1], sure));
        }
    }
}
