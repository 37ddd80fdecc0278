//! Whose is a change? Found by a look, it belongs to the step that the look ends, to the one step that was going on and may have
//! written there, or to nobody's step: then it was made by hand or by another program. Where two steps may have made it, it stands
//! under both and says so; it is never guessed.

use project::RelPath;
use rusqlite::Transaction;

use super::claims::Fit;
use super::step::StepNumber;
use super::write::{Running, by_hand, running};
use crate::Result;
use crate::entry::Entry;

/// A path that a look found different.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) path: i64,
    pub(crate) name: RelPath,
    pub(crate) was: Option<Entry>,
    pub(crate) is: Option<Entry>,
}

/// Enters what the look of checkpoint `seq` found. `ending`: the step that the look ends.
pub(crate) fn attribute(
    transaction: &Transaction<'_>,
    seq: i64,
    ending: Option<StepNumber>,
    found: &[Found],
    now: i64,
) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let going_on = running(transaction, now)?;
    let mut nobodys: Option<StepNumber> = None;
    let mut touched: Vec<StepNumber> = Vec::new();
    for change in found {
        let mut owners = owners_of(&change.name, ending, &going_on);
        if owners.is_empty() {
            let number = match nobodys {
                Some(number) => number,
                None => by_hand(transaction, seq, now)?,
            };
            nobodys = Some(number);
            owners.push(number);
        }
        let shared = (owners.len() > 1).then(|| {
            let numbers: Vec<String> = owners.iter().map(|owner| owner.0.to_string()).collect();
            numbers.join(",")
        });
        for owner in owners {
            insert(transaction, owner, seq, change, shared.as_deref())?;
            if !touched.contains(&owner) {
                touched.push(owner);
            }
        }
    }
    for step in touched {
        transaction
            .prepare_cached(
                "UPDATE step SET files = (SELECT count(DISTINCT path) FROM change WHERE step = ?1) WHERE number = ?1",
            )?
            .execute([step.0])?;
    }
    Ok(())
}

/// The steps that may have made a change: those that name the path, else those that may write anywhere.
fn owners_of(path: &RelPath, ending: Option<StepNumber>, going_on: &[Running]) -> Vec<StepNumber> {
    // Vib writes what it says, under the lock of the tree, and nothing else.
    if let Some(vib) = going_on.iter().find(|one| one.is_vib && one.claims.fit(path) == Fit::Named) {
        return vec![vib.number];
    }
    let fits: Vec<(StepNumber, Fit)> = going_on
        .iter()
        .map(|one| (one.number, one.claims.fit(path)))
        .filter(|(_, fit)| *fit > Fit::No)
        .collect();
    let Some(best) = fits.iter().map(|(_, fit)| *fit).max() else {
        // A step may write what it did not announce: if it ends with this very look and is alone, nobody else was seen.
        return ending.filter(|_| going_on.len() == 1).into_iter().collect();
    };
    fits.into_iter().filter(|(_, fit)| *fit == best).map(|(number, _)| number).collect()
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
        Running { number: StepNumber(number), claims, is_vib: false }
    }

    #[test]
    fn who_names_a_path_owns_it_before_who_may_write_anywhere() {
        let going_on = [going(1, None), going(2, Some(&["src/a.rs"]))];
        let owners = |name: &str, ending| owners_of(&path(name), Some(StepNumber(ending)), &going_on);
        assert_eq!(owners("src/a.rs", 1), [StepNumber(2)]);
        assert_eq!(owners("src/b.rs", 1), [StepNumber(1)]);
        assert_eq!(owners("src/b.rs", 2), [StepNumber(1)]);
    }

    #[test]
    fn two_that_may_have_written_share_it() {
        let going_on = [going(1, None), going(2, None)];
        assert_eq!(owners_of(&path("a"), Some(StepNumber(1)), &going_on), [StepNumber(1), StepNumber(2)]);
    }

    #[test]
    fn nobody_going_on_means_by_hand() {
        assert_eq!(owners_of(&path("a"), None, &[]), []);
        assert_eq!(owners_of(&path("a"), None, &[going(1, Some(&["b"]))]), []);
    }

    #[test]
    fn a_folder_that_came_with_a_named_file_is_its_makers() {
        let going_on = [going(1, Some(&["new/deep/a.rs"]))];
        assert_eq!(owners_of(&path("new"), Some(StepNumber(1)), &going_on), [StepNumber(1)]);
    }
}
