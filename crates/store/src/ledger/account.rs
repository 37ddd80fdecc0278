//! [`Account`]: what a step of vib's own is about. Going back marks what it takes back, so that the next undo goes on from there;
//! redo takes the marks away again.

use std::collections::HashSet;

use project::RelPath;
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::{Value, json};

use super::claims::Claims;
use super::step::{Actor, Ending, NewStep, Outcome, StepNumber};
use super::write::{begin, close};
use crate::versions;
use crate::{Result, Store};

/// Where a change of vib's leads in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// Nowhere: it is something new, such as a patch.
    #[default]
    New,
    /// Back.
    Back,
    /// Forward again: it takes a going back back.
    Forward,
}

impl Way {
    fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Back => "back",
            Self::Forward => "forward",
        }
    }
}

/// What vib does to files, and what of the history it takes back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    /// `undo`, `redo`, `recover`, `return`, `rollback`, `patch`, …
    pub tool: String,
    /// What it is about, in words.
    pub what: Option<String>,
    /// The client and session from which it was asked for.
    pub asked_in: Option<(String, String)>,
    /// The steps that are taken back.
    pub undoes: Vec<StepNumber>,
    /// What was not saved yet is taken back too: the step that the safety checkpoint enters for it.
    pub undoes_unsaved: bool,
    /// Earlier goings back that are taken back.
    pub redoes: Vec<StepNumber>,
    /// Only these paths of them, and what is in them; none: all.
    pub only: Vec<RelPath>,
    /// But not these: left as they are.
    pub except: Vec<RelPath>,
    /// Where it leads.
    pub way: Way,
}

impl Account {
    /// A change of this name that takes nothing back.
    pub fn of(tool: &str) -> Self {
        Self { tool: tool.to_owned(), ..Self::default() }
    }

    pub(super) fn to_text(&self) -> String {
        let hex = |paths: &[RelPath]| -> Vec<String> {
            paths
                .iter()
                .map(|path| path.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
                .collect()
        };
        json!({
            "undoes": self.undoes.iter().map(|step| step.0).collect::<Vec<_>>(),
            "redoes": self.redoes.iter().map(|step| step.0).collect::<Vec<_>>(),
            "way": self.way.word(),
            "only": hex(&self.only),
            "except": hex(&self.except),
        })
        .to_string()
    }

    /// What a step that was cut off was about.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let paths = |name: &str| -> Option<Vec<RelPath>> {
            value
                .get(name)?
                .as_array()?
                .iter()
                .map(|path| RelPath::new(&unhex(path.as_str()?)?).ok())
                .collect()
        };
        let steps = |name: &str| -> Option<Vec<StepNumber>> {
            Some(value.get(name)?.as_array()?.iter().filter_map(Value::as_i64).map(StepNumber).collect())
        };
        let way = value.get("way").and_then(Value::as_str).unwrap_or_default();
        Some(Self {
            undoes: steps("undoes")?,
            redoes: steps("redoes")?,
            way: [Way::Back, Way::Forward].into_iter().find(|one| one.word() == way).unwrap_or_default(),
            only: paths("only")?,
            except: paths("except")?,
            ..Self::default()
        })
    }

    fn covers(&self, path: &RelPath) -> bool {
        let within = self.only.is_empty() || self.only.iter().any(|folder| path.is_in(folder));
        within && !self.except.contains(path)
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

/// What a step of vib's own is about; none for any other.
pub(super) fn of_step(connection: &Connection, number: StepNumber) -> Result<Option<Account>> {
    let text: Option<Option<String>> = connection
        .prepare_cached("SELECT account FROM step WHERE number = ?1")?
        .query_row([number.0], |row| row.get(0))
        .optional()?;
    Ok(text.flatten().as_deref().and_then(Account::from_text))
}

/// Marks what the step `by` took back, and takes the marks away that the goings back left which it takes back. `left`: paths that
/// could not be done.
pub(crate) fn mark(transaction: &Transaction<'_>, by: StepNumber, left: &[RelPath]) -> Result<()> {
    let Some(account) = of_step(transaction, by)? else { return Ok(()) };
    for undo in &account.redoes {
        stand_again(transaction, *undo, by, &account, left)?;
        // What that one had itself taken back stands again.
        for earlier in of_step(transaction, *undo)?.unwrap_or_default().redoes {
            let again = of_step(transaction, earlier)?.unwrap_or_default();
            mark_undone(transaction, earlier, &again, &[])?;
        }
    }
    mark_undone(transaction, by, &account, left)
}

/// A going back is taken back: what it had taken back stands again, except where it had to be left as it is. (M6)
fn stand_again(
    transaction: &Transaction<'_>,
    undo: StepNumber,
    by: StepNumber,
    account: &Account,
    left: &[RelPath],
) -> Result<()> {
    if account.only.is_empty() && account.except.is_empty() && left.is_empty() {
        transaction
            .prepare_cached("UPDATE change SET undone_by = NULL WHERE undone_by = ?1")?
            .execute([undo.0])?;
        transaction
            .prepare_cached("UPDATE change SET undone_by = ?2 WHERE step = ?1")?
            .execute((undo.0, by.0))?;
        return Ok(());
    }
    let mut statement =
        transaction.prepare_cached("SELECT DISTINCT path FROM change WHERE step = ?1 OR undone_by = ?1")?;
    let paths: Vec<i64> =
        statement.query_map([undo.0], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for id in paths {
        let covered = RelPath::new(&versions::path_text(transaction, id)?)
            .is_ok_and(|path| account.covers(&path) && !left.contains(&path));
        if covered {
            transaction
                .prepare_cached("UPDATE change SET undone_by = NULL WHERE undone_by = ?1 AND path = ?2")?
                .execute((undo.0, id))?;
            transaction
                .prepare_cached("UPDATE change SET undone_by = ?2 WHERE step = ?1 AND path = ?3")?
                .execute((undo.0, by.0, id))?;
        }
    }
    Ok(())
}

/// So many goings back are looked through for what was left.
const MOST_LEFT: i64 = 1_000;

impl Store<'_> {
    /// What goings back that still stand were about and left as it is: shown to the person once, and not taken back. (M3)
    pub fn left_by_undos(&self) -> Result<HashSet<(StepNumber, RelPath)>> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT number, account FROM step WHERE actor = ?1 AND account IS NOT NULL ORDER BY number DESC LIMIT ?2",
        )?;
        let rows =
            statement.query_map((Actor::Vib.code(), MOST_LEFT), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows: Vec<(i64, String)> = rows.collect::<rusqlite::Result<_>>()?;
        let mut left = HashSet::new();
        for (number, text) in rows {
            let Some(account) = Account::from_text(&text).filter(|account| account.way == Way::Back) else {
                continue;
            };
            // One that was about a part only left the rest because nobody asked for it.
            let is_whole = account.only.is_empty() && !account.except.is_empty();
            if !is_whole || self.is_taken_back(StepNumber(number))? {
                continue;
            }
            for step in &account.undoes {
                left.extend(account.except.iter().map(|path| (*step, path.clone())));
            }
        }
        Ok(left)
    }

    /// The person was shown what this is about, and all of it stays as it is: the next going back goes on from there. (M3)
    pub fn note_left(&mut self, account: &Account) -> Result<StepNumber> {
        let now = self.context.now_ms();
        let step = NewStep {
            tool: Some(account.tool.clone()),
            what: account.what.clone(),
            claims: Claims::Named(Vec::new()),
            ..NewStep::of(Actor::Vib)
        };
        self.db.write(false, |transaction| {
            let number = begin(transaction, &step, Some(account), now)?;
            close(transaction, number, &Outcome::of(Ending::Ran), None, now)?;
            Ok(number)
        })
    }
}

fn mark_undone(
    transaction: &Transaction<'_>,
    by: StepNumber,
    account: &Account,
    left: &[RelPath],
) -> Result<()> {
    mark_own(transaction, by, account, left)?;
    // What several steps share is one change: taken back for one, it is taken back for all.
    transaction
        .prepare_cached(
            "UPDATE change SET undone_by = ?1 WHERE undone_by IS NULL AND shared IS NOT NULL
                 AND path IN (SELECT path FROM change WHERE undone_by = ?1 AND shared IS NOT NULL)
                 AND (path, seq) IN (SELECT path, seq FROM change WHERE undone_by = ?1 AND shared IS NOT NULL)",
        )?
        .execute([by.0])?;
    Ok(())
}

fn mark_own(
    transaction: &Transaction<'_>,
    by: StepNumber,
    account: &Account,
    left: &[RelPath],
) -> Result<()> {
    let everything = account.only.is_empty() && account.except.is_empty() && left.is_empty();
    for step in &account.undoes {
        if everything {
            transaction
                .prepare_cached("UPDATE change SET undone_by = ?2 WHERE step = ?1 AND undone_by IS NULL")?
                .execute((step.0, by.0))?;
            continue;
        }
        let mut statement = transaction.prepare_cached("SELECT DISTINCT path FROM change WHERE step = ?1")?;
        let paths: Vec<i64> =
            statement.query_map([step.0], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        for id in paths {
            let covered = RelPath::new(&versions::path_text(transaction, id)?)
                .is_ok_and(|path| account.covers(&path) && !left.contains(&path));
            if covered {
                transaction
                    .prepare_cached(
                        "UPDATE change SET undone_by = ?3 WHERE step = ?1 AND path = ?2 AND undone_by IS NULL",
                    )?
                    .execute((step.0, id, by.0))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_survives_being_written_down_with_any_name() {
        let account = Account {
            undoes: vec![StepNumber(4), StepNumber(9)],
            redoes: vec![StepNumber(2)],
            way: Way::Back,
            only: vec![RelPath::new(b"a\xff b").unwrap()],
            except: vec![RelPath::new("파일".as_bytes()).unwrap()],
            ..Account::default()
        };
        assert_eq!(Account::from_text(&account.to_text()), Some(account));
        assert_eq!(Account::from_text("rubbish"), None);
    }
}
