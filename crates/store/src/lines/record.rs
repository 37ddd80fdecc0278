//! The small record that outlives content: who wrote which line of a version, written down when the versions before it are let go.
//!
//! One row for each version that stays while the look that found it is let go: its lines as `count:writer` in a row. A writer is `b` (before
//! vib), `u` (unseen), or the numbers of steps joined by `+`, and after `~` the steps that changed its blanks. The steps that are named keep a line of facts of their own, because the
//! ledger forgets its words after a while.

use std::collections::BTreeSet;
use std::time::Instant;

use rusqlite::{OptionalExtension, Transaction};

use super::walk::LineWalk;
use super::{MOST_BYTES, Writer};
use crate::hash::ContentHash;
use crate::ledger::{Actor, RequestNumber, StepNumber};
use crate::{Result, Store, gc, versions};

/// What stays known of a step whose lines still stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterFacts {
    /// The step.
    pub step: StepNumber,
    /// Who did it.
    pub actor: Actor,
    /// The client.
    pub client: Option<String>,
    /// What kind of sub-agent.
    pub agent_type: Option<String>,
    /// The client's session.
    pub session: Option<String>,
    /// The request it served.
    pub request: Option<RequestNumber>,
    /// The tool.
    pub tool: Option<String>,
    /// When it began, milliseconds since 1970.
    pub started_ms: i64,
}

/// A record that is about to be written.
struct Kept {
    path: i64,
    seq: i64,
    hash: ContentHash,
    runs: String,
    steps: BTreeSet<i64>,
}

/// The changes that looks found which are let go, and whose writers are not written down yet.
const UNWRITTEN: &str = "change c
     WHERE c.is_kind = 1 AND c.is_size BETWEEN 1 AND ?1 AND c.is_hash IS NOT c.was_hash
       AND NOT EXISTS (SELECT 1 FROM checkpoint k WHERE k.seq = c.seq AND k.expired_ms IS NULL)
       AND NOT EXISTS (SELECT 1 FROM lines l WHERE l.path = c.path AND l.seq = c.seq)";

fn most_bytes() -> i64 {
    i64::try_from(MOST_BYTES).unwrap_or(i64::MAX)
}

impl Store<'_> {
    /// What is known of a step that the ledger does not tell any more.
    pub fn writer_facts(&self, step: StepNumber) -> Result<Option<WriterFacts>> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT actor, client, agent_type, session, request, tool, started_ms FROM line_writer WHERE step = ?1",
        )?;
        let facts = statement.query_row([step.0], |row| {
            Ok(WriterFacts {
                step,
                actor: Actor::from_code(row.get(0)?),
                client: row.get(1)?,
                agent_type: row.get(2)?,
                session: row.get(3)?,
                request: row.get::<_, Option<i64>>(4)?.map(RequestNumber),
                tool: row.get(5)?,
                started_ms: row.get(6)?,
            })
        });
        Ok(facts.optional()?)
    }

    /// The writers that were written down for a content of a path: by exactly this look, or, for `i64::MIN`, the newest before `before`.
    pub(super) fn line_record(
        &self,
        path: &[u8],
        seq: i64,
        before: i64,
        hash: &ContentHash,
    ) -> Result<Option<Vec<(u32, Writer)>>> {
        let Some(path) = self.path_number(path)? else { return Ok(None) };
        let mut statement = self.db.reader().prepare_cached(
            "SELECT runs FROM lines WHERE path = ?1 AND hash = ?2 AND (seq = ?3 OR ?3 = ?5 AND seq < ?4)
             ORDER BY seq DESC LIMIT 1",
        )?;
        let runs: Option<String> =
            statement.query_row((path, hash, seq, before, i64::MIN), |row| row.get(0)).optional()?;
        Ok(runs.as_deref().and_then(read))
    }

    /// Writes down who wrote the lines of versions whose looks are let go, before the contents go that tell it. `false`: time was up, and
    /// nothing may be freed yet.
    pub(crate) fn keep_line_writers(&mut self, until: Option<Instant>) -> Result<bool> {
        if !self.may_have_unwritten()? {
            return Ok(true);
        }
        let wanted = self.unwritten_versions()?;
        if wanted.is_empty() {
            return Ok(true);
        }
        let mut kept = Vec::new();
        let mut in_time = true;
        {
            let mut walk = LineWalk::new(self);
            for (path, seq) in wanted {
                if until.is_some_and(|until| Instant::now() >= until) {
                    in_time = false;
                    break;
                }
                let name = versions::path_text(self.db.reader(), path)?;
                let Some((hash, runs)) = walk.runs_at(&name, seq)? else { continue };
                let runs: Vec<(u32, &Writer)> =
                    runs.iter().map(|(count, id)| (*count, walk.writer(*id))).collect();
                let steps = runs.iter().flat_map(|(_, writer)| steps_in(writer)).collect();
                kept.push(Kept { path, seq, hash, runs: write(&runs), steps });
            }
        }
        self.db.write(false, |transaction| kept.iter().try_for_each(|one| insert(transaction, one)))?;
        Ok(in_time)
    }

    /// Whether there is anything to write down. Most sessions end while no look was let go since: to ask which content is needed would take
    /// longer than everything else that cleaning up does then. What has no content any more was written down, or is not needed.
    fn may_have_unwritten(&self) -> Result<bool> {
        let sql =
            format!("SELECT EXISTS (SELECT 1 FROM {UNWRITTEN} AND c.is_hash IN (SELECT hash FROM blob))");
        Ok(self.db.reader().query_row(&sql, [most_bytes()], |row| row.get(0))?)
    }

    /// The versions that stay, found by looks that are let go, and not written down yet; path by path, the oldest first.
    fn unwritten_versions(&self) -> Result<Vec<(i64, i64)>> {
        let sql = format!(
            "SELECT DISTINCT c.path, c.seq FROM {UNWRITTEN} AND c.is_hash IN ({}) ORDER BY c.path, c.seq",
            gc::named_content()
        );
        let mut statement = self.db.reader().prepare(&sql)?;
        let rows = statement.query_map([most_bytes()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

fn insert(transaction: &Transaction<'_>, kept: &Kept) -> Result<()> {
    transaction
        .prepare_cached("INSERT OR REPLACE INTO lines (path, seq, hash, runs) VALUES (?1, ?2, ?3, ?4)")?
        .execute((kept.path, kept.seq, kept.hash, &kept.runs))?;
    let mut statement = transaction.prepare_cached(
        "INSERT OR IGNORE INTO line_writer (step, actor, client, agent_type, session, request, tool, started_ms)
         SELECT number, actor, client, agent_type, session, request, tool, started_ms FROM step WHERE number = ?1",
    )?;
    for step in &kept.steps {
        statement.execute([step])?;
    }
    Ok(())
}

/// Takes records away whose content is gone, and the facts of steps that no record names any more.
pub(crate) fn forget(transaction: &Transaction<'_>) -> Result<()> {
    let gone = transaction.execute("DELETE FROM lines WHERE hash NOT IN (SELECT hash FROM blob)", [])?;
    if gone == 0 {
        return Ok(());
    }
    let mut named: BTreeSet<i64> = BTreeSet::new();
    {
        let mut statement = transaction.prepare("SELECT runs FROM lines")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let runs = row.get_ref(0)?.as_str().ok().and_then(read).unwrap_or_default();
            named.extend(runs.iter().flat_map(|(_, writer)| steps_in(writer)));
        }
    }
    let mut statement = transaction.prepare("SELECT step FROM line_writer")?;
    let known: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for step in known.iter().filter(|step| !named.contains(step)) {
        transaction.prepare_cached("DELETE FROM line_writer WHERE step = ?1")?.execute([step])?;
    }
    Ok(())
}

fn steps_in(writer: &Writer) -> Vec<i64> {
    match writer {
        Writer::Steps(steps) => steps.iter().map(|step| step.0).collect(),
        Writer::Reblanked { wrote, by } => {
            steps_in(wrote).into_iter().chain(by.iter().map(|step| step.0)).collect()
        }
        _ => Vec::new(),
    }
}

fn write(runs: &[(u32, &Writer)]) -> String {
    let one = |(count, writer): &(u32, &Writer)| format!("{count}:{}", name(writer));
    runs.iter().map(one).collect::<Vec<_>>().join(",")
}

fn name(writer: &Writer) -> String {
    let numbers =
        |steps: &[StepNumber]| steps.iter().map(|step| step.0.to_string()).collect::<Vec<_>>().join("+");
    match writer {
        Writer::Before => "b".to_owned(),
        Writer::Unseen | Writer::Unsaved => "u".to_owned(),
        Writer::Steps(steps) => numbers(steps),
        Writer::Reblanked { wrote, by } => format!("{}~{}", name(wrote.wrote()), numbers(by)),
    }
}

/// What was written; none if any part of it cannot be read.
fn read(runs: &str) -> Option<Vec<(u32, Writer)>> {
    runs.split(',')
        .map(|run| {
            let (count, writer) = run.split_once(':')?;
            Some((count.parse().ok()?, named(writer)?))
        })
        .collect()
}

fn named(writer: &str) -> Option<Writer> {
    let numbers = |steps: &str| -> Option<Vec<StepNumber>> {
        steps.split('+').map(|step| step.parse().ok().map(StepNumber)).collect()
    };
    Some(match writer.split_once('~') {
        Some((wrote, by)) => Writer::Reblanked { wrote: Box::new(named(wrote)?), by: numbers(by)? },
        None if writer == "b" => Writer::Before,
        None if writer == "u" => Writer::Unseen,
        None => Writer::Steps(numbers(writer)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_and_rubbish_is_none() {
        let both = Writer::Steps(vec![StepNumber(4), StepNumber(9)]);
        let blanks = Writer::Reblanked { wrote: Box::new(both.clone()), by: vec![StepNumber(11)] };
        let runs = [(12, &Writer::Before), (1, &both), (3, &Writer::Unseen), (2, &blanks)];
        let back = read(&write(&runs)).unwrap();
        assert_eq!(back, runs.map(|(count, writer)| (count, writer.clone())));
        for rubbish in ["", "12", "x:b", "1:b,", "1:4+", "1:-", "1:4~"] {
            assert_eq!(read(rubbish), None, "{rubbish:?}");
        }
    }
}
