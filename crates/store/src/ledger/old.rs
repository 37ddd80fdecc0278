//! Rows of the first version read as steps, as far as they tell.
//!
//! Format 1 has looks and no steps. Every step of an agent began with a look, so the last look at a path before it changed belongs to
//! the step that changed it. A restore began with its safety checkpoint. What lies between two looks of nobody's was done by hand.

use std::collections::{BTreeMap, HashMap};

use project::RelPath;
use rusqlite::{Connection, OptionalExtension, Transaction};

use super::account::{self, Account, Way};
use super::attribute::{Found, insert};
use super::claims::Claims;
use super::step::{Actor, Ending, StepNumber};
use crate::Result;
use crate::checkpoint::CheckpointKind;
use crate::entry::Entry;
use crate::restore::{Plan, Purpose};
use crate::versions;

/// Who changed something, by where it stands in the order of looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    /// Nobody's: it was found by this look, and done before whatever began with it.
    ByHand(i64),
    /// The agent's step that began with this look.
    Agent(i64),
    /// The restore whose safety checkpoint this is.
    Vib(i64),
}

/// Where something stands among the others: at which look, and before or with what begins there.
type Place = (i64, u8);

impl Whose {
    fn place(self) -> Place {
        match self {
            Self::ByHand(seq) => (seq, 0),
            Self::Agent(seq) | Self::Vib(seq) => (seq, 1),
        }
    }
}

/// The looks that are kept.
struct Looks {
    all: Vec<i64>,
    trees: Vec<i64>,
    /// By path, the looks that named it.
    named: HashMap<i64, Vec<i64>>,
    owners: HashMap<i64, Whose>,
}

/// Makes steps of what the first version recorded. Part of the migration, so it happens as a whole or not at all.
pub(crate) fn read_as_steps(transaction: &Transaction<'_>) -> Result<()> {
    let looks = looks(transaction)?;
    // What was there when the tree was first looked at is no change.
    let Some(&beginning) = looks.trees.first() else { return Ok(()) };
    let mut found: BTreeMap<(Place, Whose), Vec<(i64, Found)>> = BTreeMap::new();
    for whose in looks.owners.values() {
        found.insert((whose.place(), *whose), Vec::new());
    }
    each_change(transaction, &looks, beginning, |seq, change| {
        let last_look = looks.last_before(seq, change.path).unwrap_or(beginning);
        let whose = looks.owners.get(&last_look).copied().unwrap_or(Whose::ByHand(seq));
        found.entry((whose.place(), whose)).or_default().push((seq, change));
    })?;
    for ((_, whose), changes) in &found {
        let step = match *whose {
            Whose::ByHand(seq) => by_hand(transaction, seq)?,
            Whose::Agent(seq) => agents(transaction, seq)?,
            Whose::Vib(seq) => vibs(transaction, seq)?,
        };
        for (seq, change) in changes {
            insert(transaction, step, *seq, change, None)?;
        }
        transaction
            .prepare_cached(
                "UPDATE step SET files = (SELECT count(DISTINCT path) FROM change WHERE step = ?1),
                 after = ifnull((SELECT max(seq) FROM change WHERE step = ?1), after) WHERE number = ?1",
            )?
            .execute([step.0])?;
        if let Whose::Vib(safety) = *whose {
            tell_what_it_took_back(transaction, step, safety)?;
        }
    }
    Ok(())
}

impl Looks {
    fn last_before(&self, seq: i64, path: i64) -> Option<i64> {
        let newest = |looks: &[i64]| looks[..looks.partition_point(|&look| look < seq)].last().copied();
        newest(&self.trees).max(self.named.get(&path).and_then(|looks| newest(looks)))
    }

    /// The first kept look from `seq` on.
    fn first_from(&self, seq: i64) -> Option<i64> {
        self.all.get(self.all.partition_point(|&look| look < seq)).copied()
    }

    fn was_named_before(&self, seq: i64, path: i64) -> bool {
        self.named.get(&path).and_then(|looks| looks.first()).is_some_and(|&first| first < seq)
    }
}

fn looks(transaction: &Transaction<'_>) -> Result<Looks> {
    let mut looks =
        Looks { all: Vec::new(), trees: Vec::new(), named: HashMap::new(), owners: HashMap::new() };
    let mut statement = transaction.prepare(
        "SELECT c.seq, c.whole_tree, c.kind = ?1 AND c.cause = 'tool', EXISTS (SELECT 1 FROM operation o WHERE o.safety = c.seq)
         FROM checkpoint c WHERE c.expired_ms IS NULL ORDER BY c.seq",
    )?;
    let mut rows = statement.query([CheckpointKind::Turn.code()])?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        looks.all.push(seq);
        if row.get(1)? {
            looks.trees.push(seq);
        }
        if row.get(2)? {
            looks.owners.insert(seq, Whose::Agent(seq));
        } else if row.get(3)? {
            looks.owners.insert(seq, Whose::Vib(seq));
        }
    }
    let mut statement = transaction.prepare(
        "SELECT o.path, o.seq FROM observed o JOIN checkpoint c ON c.seq = o.seq WHERE c.expired_ms IS NULL ORDER BY o.seq",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        looks.named.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    Ok(looks)
}

/// Goes through every change that kept looks found after `beginning`.
fn each_change(
    transaction: &Transaction<'_>,
    looks: &Looks,
    beginning: i64,
    mut each: impl FnMut(i64, Found),
) -> Result<()> {
    let trees: std::collections::HashSet<i64> = looks.trees.iter().copied().collect();
    let mut report = |path: i64, seq: i64, was: Option<Entry>, is: Option<Entry>| -> Result<()> {
        let same = match (&was, &is) {
            (Some(was), Some(is)) => was.same_on_disk(is),
            (was, is) => was.is_none() && is.is_none(),
        };
        // A file that a look by name saw for the first time may have been there for long, left out by an ignore rule.
        let first_sight = was.is_none() && !trees.contains(&seq) && !looks.was_named_before(seq, path);
        if seq > beginning
            && !same
            && !first_sight
            && let Ok(name) = RelPath::new(&versions::path_text(transaction, path)?)
        {
            each(seq, Found { path, name, was, is });
        }
        Ok(())
    };
    // The version before, of the same path or of another one.
    let mut open: Option<(i64, Entry, Option<i64>)> = None;
    versions::each(transaction, |path, first, last, entry| {
        let mut was = None;
        if let Some((old, before, ended)) = open.take() {
            let ended = ended.and_then(|ended| looks.first_from(ended));
            match ended {
                // No kept look saw what lay between the two: for all that is known, one followed the other.
                Some(ended) if old == path && ended >= first => was = Some(before),
                Some(ended) => report(old, ended, Some(before), None)?,
                None if old == path => was = Some(before),
                None => {}
            }
        }
        if let Some(seen) = looks.first_from(first) {
            report(path, seen, was, Some(entry))?;
        }
        open = Some((path, entry, last));
        Ok(())
    })?;
    if let Some((path, entry, Some(ended))) = open
        && let Some(seen) = looks.first_from(ended)
    {
        report(path, seen, Some(entry), None)?;
    }
    Ok(())
}

fn by_hand(transaction: &Transaction<'_>, seq: i64) -> Result<StepNumber> {
    let now = created(transaction, seq)?;
    super::write::by_hand(transaction, seq, now)
}

fn created(transaction: &Transaction<'_>, seq: i64) -> Result<i64> {
    let mut statement = transaction.prepare_cached("SELECT created_ms FROM checkpoint WHERE seq = ?1")?;
    Ok(statement.query_row([seq], |row| row.get(0))?)
}

/// A sub-agent's turn is named after the one that it serves, with its own name after a `/`. One with a session of its own serves a
/// turn of another session.
fn agents(transaction: &Transaction<'_>, seq: i64) -> Result<StepNumber> {
    transaction
        .prepare_cached(
            "INSERT INTO step (actor, client, session, agent, request, tool, call_id, ending, started_ms, before)
             SELECT ?2, c.agent, c.session,
                 CASE WHEN c.parent_turn IS NOT NULL THEN substr(c.turn, length(c.parent_turn) + 2) END,
                 ifnull((SELECT r.number FROM request r WHERE r.session = c.session AND r.turn = ifnull(c.parent_turn, c.turn)),
                        (SELECT max(r.number) FROM request r WHERE r.turn = c.parent_turn AND r.started_ms <= c.created_ms)),
                 c.tool, c.call_id, ?3, c.created_ms, c.seq
             FROM checkpoint c WHERE c.seq = ?1",
        )?
        .execute((seq, Actor::Agent.code(), Ending::Unknown.code()))?;
    Ok(StepNumber(transaction.last_insert_rowid()))
}

/// The step of a restore or a patch. One that was cut off goes on with this step.
fn vibs(transaction: &Transaction<'_>, safety: i64) -> Result<StepNumber> {
    let (id, state, target, packed, started, ended): (String, String, String, Option<Vec<u8>>, i64, Option<i64>) =
        transaction
            .prepare_cached(
                "SELECT id, state, target, plan, started_ms, ended_ms FROM operation WHERE safety = ?1 ORDER BY started_ms LIMIT 1",
            )?
            .query_row([safety], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
            })?;
    let ending = match state.as_str() {
        "done" => Ending::Ran,
        "running" => Ending::Running,
        _ => Ending::CutOff,
    };
    let plan = packed.and_then(|packed| Plan::from_bytes(&target, &packed));
    let claims = plan.map_or(Claims::Anywhere, |plan| Claims::Named(plan.paths()));
    transaction
        .prepare_cached(
            "INSERT INTO step (actor, tool, claims, ending, started_ms, ended_ms, before) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute((Actor::Vib.code(), tool(&target), claims, ending.code(), started, ended, safety))?;
    let step = transaction.last_insert_rowid();
    transaction.execute("UPDATE operation SET step = ?2 WHERE id = ?1", (id, step))?;
    Ok(StepNumber(step))
}

fn tool(target: &str) -> &'static str {
    match Purpose::of_target(target) {
        Purpose::Patch => "patch",
        Purpose::Restore => "undo",
    }
}

/// Going back to a checkpoint took back what later steps had done to the paths that it changed; going back to the safety checkpoint
/// of another restore took that one back.
fn tell_what_it_took_back(transaction: &Transaction<'_>, step: StepNumber, safety: i64) -> Result<()> {
    let target: Option<(i64, Option<i64>)> = transaction
        .prepare_cached(
            "SELECT t.seq, (SELECT u.step FROM operation u WHERE u.safety = t.seq AND u.id <> o.id) FROM operation o
             JOIN checkpoint t ON t.id = o.target WHERE o.step = ?1 AND o.state = 'done'",
        )?
        .query_row([step.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((target, redone)) = target else { return Ok(()) };
    let mut account = Account::of(if redone.is_some() { "redo" } else { "undo" });
    account.way = if redone.is_some() { Way::Forward } else { Way::Back };
    account.redoes = redone.map(StepNumber).into_iter().collect();
    if redone.is_none() {
        account.undoes = taken_back(transaction, step, target, safety)?;
        account.only = paths_of(transaction, step)?;
    }
    transaction.execute(
        "UPDATE step SET tool = ?2, account = ?3 WHERE number = ?1",
        (step.0, &account.tool, account.to_text()),
    )?;
    account::mark(transaction, step, &[])
}

fn taken_back(
    connection: &Connection,
    step: StepNumber,
    target: i64,
    safety: i64,
) -> Result<Vec<StepNumber>> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT step FROM change WHERE path IN (SELECT path FROM change WHERE step = ?1)
             AND seq > ?2 AND seq <= ?3 AND undone_by IS NULL AND step <> ?1 ORDER BY step",
    )?;
    let rows = statement.query_map((step.0, target, safety), |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<Vec<i64>>>()?.into_iter().map(StepNumber).collect())
}

fn paths_of(connection: &Connection, step: StepNumber) -> Result<Vec<RelPath>> {
    let mut statement = connection.prepare_cached(
        "SELECT p.path FROM change c JOIN path p ON p.id = c.path WHERE c.step = ?1 ORDER BY p.path",
    )?;
    let rows: Vec<Vec<u8>> =
        statement.query_map([step.0], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(rows.iter().filter_map(|path| RelPath::new(path).ok()).collect())
}
