//! Letting old checkpoints go, kind by kind. Pinned ones never go; automatic ones never push out those made by hand.
//!
//! Expiring a checkpoint removes the versions that no kept checkpoint can see any more. That takes time in proportion to
//! what the checkpoint changed, so it can be done right after saving. Content is freed later, by [`crate::gc`].

use std::collections::HashSet;

use project::Config;
use rusqlite::{Connection, Transaction};

use crate::checkpoint::CheckpointKind;
use crate::{Result, Store};

/// How many expire in one go after a save; the rest waits for the next.
const BATCH: usize = 64;

impl Store<'_> {
    /// Lets everything go that is due.
    pub(crate) fn expire_all(&mut self) -> Result<usize> {
        let config = self.project.config();
        let now = self.context.now_ms();
        self.db.write(false, |transaction| {
            let mut total = 0;
            for kind in CheckpointKind::ALL {
                loop {
                    match expire_due(transaction, config, kind, now)? {
                        0 => break,
                        some => total += some,
                    }
                }
            }
            Ok(total)
        })
    }

    pub(crate) fn expire_these(&mut self, due: &[i64]) -> Result<()> {
        if due.is_empty() {
            return Ok(());
        }
        let now = self.context.now_ms();
        self.db.write(false, |transaction| due.iter().try_for_each(|seq| expire_one(transaction, *seq, now)))
    }

    /// The oldest checkpoints that may go when the store is too large: automatic ones, then safety ones but the newest.
    pub(crate) fn expendable(&self) -> Result<Vec<i64>> {
        let mut out = Vec::new();
        for kind in [CheckpointKind::Turn, CheckpointKind::Commit, CheckpointKind::Safety] {
            let mut kept = over_limit(self.db.reader(), kind, 1)?;
            kept.sort_unstable();
            out.extend(kept);
        }
        Ok(out)
    }
}

/// Lets go what is due of one kind, a bounded number at a time. Part of every save, so the limits always hold.
pub(crate) fn expire_due(
    transaction: &Transaction<'_>,
    config: &Config,
    kind: CheckpointKind,
    now: i64,
) -> Result<usize> {
    let name = match kind {
        CheckpointKind::Turn => "retention.turns",
        CheckpointKind::Manual | CheckpointKind::Commit => "retention.manual",
        CheckpointKind::Safety => "retention.safety",
    };
    let limit = usize::try_from(config.number(name)).unwrap_or(0);
    if limit == 0 {
        return Ok(0);
    }
    // Counting is cheap, and nearly always enough.
    let kept: usize = transaction
        .prepare_cached("SELECT count(*) FROM checkpoint WHERE kind = ?1 AND expired_ms IS NULL")?
        .query_row([kind.code()], |row| row.get(0))?;
    if kept <= limit {
        return Ok(0);
    }
    let mut due = over_limit(transaction, kind, limit)?;
    due.sort_unstable();
    due.truncate(BATCH);
    due.iter().try_for_each(|seq| expire_one(transaction, *seq, now))?;
    Ok(due.len())
}

/// The checkpoints of a kind beyond its newest `limit`. A turn counts once, however many steps it has.
fn over_limit(connection: &Connection, kind: CheckpointKind, limit: usize) -> Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(
        "SELECT c.seq, c.session, c.turn FROM checkpoint c
         WHERE c.kind = ?1 AND c.expired_ms IS NULL AND c.pinned = 0
           AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.safety = c.seq AND o.state = 'running')
         ORDER BY c.seq DESC",
    )?;
    let mut rows = statement.query([kind.code()])?;
    let mut turns: HashSet<(String, String)> = HashSet::new();
    let mut counted = 0;
    let mut over = Vec::new();
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        let turn: Option<(String, String)> = match (row.get(1)?, row.get(2)?) {
            (Some(session), Some(turn)) if kind == CheckpointKind::Turn => Some((session, turn)),
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
