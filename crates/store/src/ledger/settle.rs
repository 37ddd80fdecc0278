//! Finds announced edits in what a look found, and who may have typed into what a waiting command names, before anything of it is entered.

use std::collections::{BTreeSet, HashMap};

use project::RelPath;
use rusqlite::Transaction;

use super::attribute::{Found, LookAt, MOST_ASKED, count_files, insert};
use super::claimants::has_waited;
use super::claims::Claims;
use super::proof::{self, Share};
use super::step::{Ending, Outcome, StepNumber};
use super::write::{Running, note_made, running};
use crate::Result;
use crate::entry::{Entry, EntryKind};
use crate::hash::ContentHash;

/// What announced edits own of a look.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    pub(super) owners: HashMap<RelPath, Owner>,
    /// A command names it that waited for the person, and there is more in it than the command tells: it may have been typed meanwhile.
    pub(super) typed_into: BTreeSet<RelPath>,
    /// The steps that go on.
    pub(super) going_on: Vec<Running>,
}

#[derive(Debug)]
pub(super) enum Owner {
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
