//! Which step changed what: each change of a path, with the last look before it and the first look after it.
//!
//! Every step of an agent begins with a look: at the whole tree, or at the files it names. So the last look at a path before
//! it changed belongs to the step that changed it.

use std::collections::{BTreeSet, HashMap};

use project::RelPath;

use crate::checkpoint::Checkpoint;
use crate::entry::Entry;
use crate::view::WorkingTree;
use crate::{Result, Store, versions};

/// One change of one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The path.
    pub path: RelPath,
    /// What it was.
    pub before: Option<Entry>,
    /// What it was then.
    pub after: Option<Entry>,
    /// The number of the last checkpoint that saw it as it was.
    pub last_seen: i64,
    /// The number of the first checkpoint that saw it changed; none: only the look of just now.
    pub first_seen: Option<i64>,
}

impl Store<'_> {
    /// Every change since a checkpoint, in the order in which they were made.
    pub fn passages_since(&self, from: &Checkpoint, now: &WorkingTree) -> Result<Vec<Passage>> {
        let _moment = self.db.one_moment()?;
        let reader = self.db.reader();
        let head = self.head()?;
        let trees: Vec<i64> = reader
            .prepare_cached(
                "SELECT seq FROM checkpoint WHERE whole_tree AND expired_ms IS NULL AND seq >= ?1 ORDER BY seq",
            )?
            .query_map([from.seq], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let mut observed: HashMap<i64, Vec<i64>> = HashMap::new();
        let mut statement = reader.prepare_cached(
            "SELECT o.path, o.seq FROM observed o JOIN checkpoint c ON c.seq = o.seq
             WHERE o.seq >= ?1 AND c.expired_ms IS NULL ORDER BY o.seq",
        )?;
        let rows = statement.query_map([from.seq], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for row in rows {
            let (path, seq): (i64, i64) = row?;
            observed.entry(path).or_default().push(seq);
        }
        let mut ids: BTreeSet<i64> = versions::changed_between(reader, from.seq, head)?.into_iter().collect();
        let mut out = Vec::new();
        for path in now.changed_paths() {
            match versions::find_path(reader, path)? {
                Some(id) => {
                    ids.insert(id);
                }
                // Never recorded: it came after the newest look.
                None => {
                    let after = self.entry_in(&now.view, path)?;
                    push(&mut out, path, (None, after), trees.last().copied().unwrap_or(from.seq), None);
                }
            }
        }
        for id in ids {
            let path = versions::path_text(reader, id)?;
            let named = observed.get(&id).map(Vec::as_slice).unwrap_or_default();
            let last_look = |before: i64| {
                let newest =
                    |looks: &[i64]| looks[..looks.partition_point(|&seq| seq < before)].last().copied();
                newest(&trees).max(newest(named)).unwrap_or(from.seq)
            };
            let mut was = versions::at(reader, from.seq, id)?;
            for seq in versions::borders(reader, id, from.seq)? {
                let is = versions::at(reader, seq, id)?;
                push(&mut out, &path, (was, is), last_look(seq), Some(seq));
                was = is;
            }
            let is = self.entry_in(&now.view, &path)?;
            push(&mut out, &path, (was, is), last_look(i64::MAX), None);
        }
        out.sort_by(|a, b| {
            (a.last_seen, &a.path, a.first_seen.is_none()).cmp(&(
                b.last_seen,
                &b.path,
                b.first_seen.is_none(),
            ))
        });
        Ok(out)
    }

    /// How many files and links there were at a checkpoint of the whole tree.
    pub fn count_files(&self, checkpoint: &Checkpoint) -> Result<u64> {
        let mut statement = self.db.reader().prepare_cached(
            "SELECT count(*) FROM version WHERE kind <> 3 AND first <= ?1 AND (last IS NULL OR last > ?1)",
        )?;
        Ok(statement.query_row([checkpoint.seq], |row| row.get(0))?)
    }
}

fn push(
    out: &mut Vec<Passage>,
    path: &[u8],
    (before, after): (Option<Entry>, Option<Entry>),
    last_seen: i64,
    first_seen: Option<i64>,
) {
    let same = match (&before, &after) {
        (Some(before), Some(after)) => before.same_on_disk(after),
        (None, None) => true,
        _ => false,
    };
    if !same && let Ok(path) = RelPath::new(path) {
        out.push(Passage { path, before, after, last_seen, first_seen });
    }
}
