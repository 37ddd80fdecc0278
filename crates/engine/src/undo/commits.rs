//! Going back changes files and nothing of git's: commits that were made meanwhile stay, and a person who goes back has to know it.

use project::RelPath;
use store::{Actor, Step, Store};

use super::{Back, outside};
use crate::entries::Entry;
use crate::{Engine, Notice, Result};

/// Git counts in seconds.
const SECOND: i64 = 1_000;
const MOST_NAMED: usize = 3;
const LETTERS: usize = 8;

/// The commits that the steps made which are taken back, or that were made since the checkpoint, and that git still leads to.
pub(super) fn notice(
    engine: &Engine,
    store: &Store<'_>,
    back: &Back,
    only: &[RelPath],
) -> Result<Option<Notice>> {
    if !only.is_empty() {
        return Ok(None);
    }
    let spans = match back {
        Back::Redo { .. } => return Ok(None),
        Back::Checkpoint { checkpoint } => vec![(checkpoint.created_ms, i64::MAX)],
        Back::Steps { entries, .. } => spans(steps_of(store, entries)?),
    };
    let Some(folder) = (!spans.is_empty()).then(|| git::Folder::of(engine.project().root())).flatten() else {
        return Ok(None);
    };
    let mut gate = engine.gate();
    let commits: Vec<String> = standing(folder.moves())
        .into_iter()
        .filter(|row| spans.iter().any(|&(from, to)| row.time_ms >= from && row.time_ms <= to))
        .map(|row| {
            let hash: String = row.hash.chars().take(LETTERS).collect();
            format!("{hash} “{}”", gate.clean(row.subject()).as_str())
        })
        .collect();
    let count = commits.len();
    let newest = commits.into_iter().rev().take(MOST_NAMED).collect();
    Ok((count > 0).then_some(Notice::CommitsStay { count, newest }))
}

/// What a request only committed is in none of its entries, because it changed no file.
fn steps_of(store: &Store<'_>, entries: &[Entry]) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = entries.iter().flat_map(|entry| entry.steps.iter().cloned()).collect();
    for request in entries.iter().filter_map(|entry| entry.request.as_ref()) {
        steps.extend(store.steps(&outside::of_request(request.number))?);
    }
    Ok(steps)
}

/// While these steps of an agent ran, from whole second to whole second.
fn spans(steps: Vec<Step>) -> Vec<(i64, i64)> {
    let of_agents = steps.into_iter().filter(|step| step.actor == Actor::Agent);
    of_agents.filter_map(|step| Some((step.started_ms.div_euclid(SECOND) * SECOND, step.ended_ms?))).collect()
}

/// The commits that were made here, without those that were amended or that a reset led away from since.
fn standing(moves: Vec<git::Move>) -> Vec<git::Move> {
    let mut made: Vec<git::Move> = Vec::new();
    for row in moves {
        if row.message.starts_with("commit (amend)") {
            made.retain(|earlier| earlier.hash != row.from);
        }
        if row.command() == "reset" {
            match made.iter().position(|earlier| earlier.hash == row.hash) {
                Some(at) => made.truncate(at + 1),
                None => made.clear(),
            }
        }
        if row.made_commit() {
            made.push(row);
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(from: &str, hash: &str, message: &str) -> git::Move {
        git::Move { from: from.to_owned(), hash: hash.to_owned(), time_ms: 0, message: message.to_owned() }
    }

    #[test]
    fn only_commits_that_git_still_leads_to_are_told() {
        let hashes = |moves| standing(moves).into_iter().map(|row| row.hash).collect::<Vec<_>>();
        let one = || row("0", "a", "commit (initial): one");
        let two = || row("a", "b", "commit: two");
        assert_eq!(hashes(vec![one(), two()]), ["a", "b"]);
        assert_eq!(hashes(vec![one(), two(), row("b", "c", "commit (amend): two, better")]), ["a", "c"]);
        assert_eq!(hashes(vec![one(), two(), row("b", "a", "reset: moving to HEAD~1")]), ["a"]);
        assert_eq!(hashes(vec![two(), row("b", "x", "reset: moving to origin/main")]), [""; 0]);
        assert_eq!(hashes(vec![one(), row("a", "b", "checkout: moving from main to feature")]), ["a"]);
    }
}
