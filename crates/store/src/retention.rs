//! Letting checkpoints go, by worth.
//!
//! - Everything is kept for `retention.days`. What is older is thinned: one state an hour for a week, one a day for three months, one a
//!   week after that ([`thinning`]).
//! - When the store is larger than `retention.max_store_size`, states of agents go, the oldest first, then safety ones, then those made at
//!   commits ([`worth`]).
//! - The count settings (`retention.turns`, …) hold when somebody set them.
//! - A state that holds the last copy of a deleted file goes last, whatever the rule, and its going is written down.
//! - What is pinned, and what a person saved by hand, does not go by itself; what an agent saves never pushes it out.
//!
//! Expiring a checkpoint removes the versions that no kept checkpoint can see any more. That takes time in proportion to
//! what the checkpoint changed, so it can be done right after saving. Content is freed later, by [`crate::gc`].

pub(crate) mod gone;
mod thinning;
mod worth;

use std::collections::HashSet;

use project::Config;
use rusqlite::{Connection, Transaction};

use crate::checkpoint::CheckpointKind;
use crate::{Result, Store};

/// How many expire in one go after a save; the rest waits for the next.
const BATCH: usize = 64;

/// Whose a state is, for the question how long it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Made for an agent, by a hook or because it asked.
    Agents,
    /// A person said "save this".
    Persons,
    /// Made by vib before it changes files.
    Safety,
    /// Made when the user committed.
    Commits,
}

impl Class {
    const ALL: [Self; 4] = [Self::Agents, Self::Persons, Self::Safety, Self::Commits];

    fn of(kind: CheckpointKind, by_agent: bool) -> Self {
        match kind {
            CheckpointKind::Turn => Self::Agents,
            CheckpointKind::Manual if by_agent => Self::Agents,
            CheckpointKind::Manual => Self::Persons,
            CheckpointKind::Safety => Self::Safety,
            CheckpointKind::Commit => Self::Commits,
        }
    }

    /// The rows of `checkpoint c` that are of it.
    fn condition(self) -> &'static str {
        match self {
            Self::Agents => "(c.kind = 1 OR c.kind = 2 AND c.by_agent)",
            Self::Persons => "(c.kind = 2 AND NOT c.by_agent)",
            Self::Safety => "c.kind = 3",
            Self::Commits => "c.kind = 4",
        }
    }

    /// The setting that counts it.
    fn count_setting(self) -> &'static str {
        match self {
            Self::Agents => "retention.turns",
            Self::Persons | Self::Commits => "retention.manual",
            Self::Safety => "retention.safety",
        }
    }
}

/// Steps that ended before this time are told no longer than their content is kept.
pub(crate) fn told_until(config: &Config, now: i64) -> Option<i64> {
    thinning::kept_whole_ms(config).map(|whole| now.saturating_sub(whole).saturating_sub(thinning::TOLD_MS))
}

impl Store<'_> {
    /// Lets everything go that is due by count or age. `limit`: at the most so many.
    pub(crate) fn expire_all(&mut self, limit: Option<usize>) -> Result<usize> {
        let config = self.project.config();
        let now = self.context.now_ms();
        let limit = limit.unwrap_or(usize::MAX);
        self.db.write(false, |transaction| {
            let mut total = 0;
            for class in Class::ALL {
                while total < limit {
                    match expire_class(transaction, config, class, now)? {
                        0 => break,
                        some => total += some,
                    }
                }
            }
            let mut due = thinning::due(transaction, config, now)?;
            due.truncate(limit.saturating_sub(total));
            due.iter().try_for_each(|seq| expire_one(transaction, *seq, now))?;
            Ok(total + due.len())
        })
    }

    pub(crate) fn expire_these(&mut self, due: &[i64]) -> Result<()> {
        if due.is_empty() {
            return Ok(());
        }
        let now = self.context.now_ms();
        self.db.write(false, |transaction| due.iter().try_for_each(|seq| expire_one(transaction, *seq, now)))
    }

    /// What may go next when the store is too large, the first to go first; empty: nothing may.
    pub(crate) fn expendable(&self) -> Result<Vec<i64>> {
        worth::next_to_go(self.db.reader())
    }
}

/// Lets go what is over a count that somebody set, a bounded number at a time. Part of every save, so the limits always hold.
pub(crate) fn expire_due(
    transaction: &Transaction<'_>,
    config: &Config,
    (kind, by_agent): (CheckpointKind, bool),
    now: i64,
) -> Result<usize> {
    expire_class(transaction, config, Class::of(kind, by_agent), now)
}

fn expire_class(transaction: &Transaction<'_>, config: &Config, class: Class, now: i64) -> Result<usize> {
    let limit = usize::try_from(config.number(class.count_setting())).unwrap_or(0);
    if limit == 0 {
        return Ok(0);
    }
    // Counting is cheap, and nearly always enough.
    let kept: usize = transaction
        .prepare_cached(&format!(
            "SELECT count(*) FROM checkpoint c WHERE {} AND c.expired_ms IS NULL",
            class.condition()
        ))?
        .query_row([], |row| row.get(0))?;
    if kept <= limit {
        return Ok(0);
    }
    let mut due = over_limit(transaction, class, limit)?;
    due.sort_unstable();
    due.truncate(BATCH);
    due.iter().try_for_each(|seq| expire_one(transaction, *seq, now))?;
    Ok(due.len())
}

/// The checkpoints of a class beyond its newest `limit`. A turn counts once, however many steps it has.
fn over_limit(connection: &Connection, class: Class, limit: usize) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT c.seq, c.session, c.turn, c.kind FROM checkpoint c
         WHERE {} AND c.expired_ms IS NULL AND c.pinned = 0
           AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.safety = c.seq AND o.state = 'running')
         ORDER BY c.seq DESC",
        class.condition()
    ))?;
    let mut rows = statement.query([])?;
    let mut turns: HashSet<(String, String)> = HashSet::new();
    let mut counted = 0;
    let mut over = Vec::new();
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        let turn: Option<(String, String)> = match (row.get(1)?, row.get(2)?) {
            (Some(session), Some(turn)) if row.get::<_, u8>(3)? == CheckpointKind::Turn.code() => {
                Some((session, turn))
            }
            _ => None,
        };
        let known = turn.as_ref().is_some_and(|turn| turns.contains(turn));
        if !known && counted >= limit {
            over.push(seq);
        } else if !known {
            counted += 1;
            turns.extend(turn);
        }
    }
    Ok(over)
}

fn expire_one(transaction: &Transaction<'_>, seq: i64, now: i64) -> Result<()> {
    let changed = transaction
        .prepare_cached("UPDATE checkpoint SET expired_ms = ?2 WHERE seq = ?1 AND expired_ms IS NULL")?
        .execute((seq, now))?;
    if changed == 0 {
        return Ok(());
    }
    transaction.prepare_cached("DELETE FROM observed WHERE seq = ?1")?.execute([seq])?;
    transaction.prepare_cached("DELETE FROM problem WHERE seq = ?1")?.execute([seq])?;
    let neighbour = |sql: &str| -> Result<Option<i64>> {
        Ok(transaction.prepare_cached(sql)?.query_row([seq], |row| row.get(0))?)
    };
    let before =
        neighbour("SELECT max(seq) FROM checkpoint WHERE seq < ?1 AND expired_ms IS NULL")?.unwrap_or(0);
    let after = neighbour("SELECT min(seq) FROM checkpoint WHERE seq > ?1 AND expired_ms IS NULL")?
        .unwrap_or(i64::MAX);
    // Began after the last kept checkpoint before, and ended by the first kept one after: nobody sees it.
    transaction
        .prepare_cached("DELETE FROM version WHERE last > ?1 AND last <= ?2 AND first > ?1")?
        .execute((before, after))?;
    Ok(())
}
